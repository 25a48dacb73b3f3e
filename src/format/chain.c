/* A chain is a block of sections read `count` times, with an index that runs from 1. An item `link` of copy 17 is called
 * link[17]. What is different in the first or the last copy stands in `first` and `last`: these are laid over the
 * block once, key by key, before any copy is read; where they say null, the item or key is left out. */

#include "format/chain.h"

#include "format/label.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct chain_form {
    int count;
    const char *index;
    const dt_yaml_node *first, *last;
} chain_form;

static const dt_key chain_keys[] = {
    {"count", DT_VALUE_COUNT, true, offsetof(chain_form, count), NULL, NULL},
    {"index", DT_VALUE_TEXT, false, offsetof(chain_form, index), NULL, NULL},
    {"first", DT_VALUE_NODE, false, offsetof(chain_form, first), NULL, NULL},
    {"last", DT_VALUE_NODE, false, offsetof(chain_form, last), NULL, NULL},
    DT_KEYS_END,
};
static const dt_key overlay_keys[] = {DT_KEYS_END};

static bool is_null(const dt_yaml_node *node)
{
    return node->kind == DT_YAML_SCALAR && node->style == DT_YAML_PLAIN &&
           (strcmp(node->text, "null") == 0 || strcmp(node->text, "~") == 0 ||
            strcmp(node->text, "") == 0);
}

/* --- Laying one mapping over another ------------------------------------------------------------------------ */

typedef struct dt_weaver {
    dt_arena *arena;
    bool out_of_memory;
} dt_weaver;

static const dt_yaml_node *lay(dt_weaver *w, const dt_yaml_node *below, const dt_yaml_node *above);

/* Appends a copy of `node` (NULL: nothing) to the children of `parent`; the children of the copy are shared. */
static void append(dt_weaver *w, dt_yaml_node *parent, dt_yaml_node **last,
                   const dt_yaml_node *node)
{
    dt_yaml_node *copy = node ? dt_arena_alloc(w->arena, 1, sizeof *copy) : NULL;
    if (!copy) {
        w->out_of_memory |= node != NULL;
        return;
    }
    *copy = *node;
    copy->next = NULL;
    if (*last) {
        (*last)->next = copy;
    } else {
        parent->first = copy;
    }
    *last = copy;
    parent->count++;
}

static const dt_yaml_node *lay_mapping(dt_weaver *w, const dt_yaml_node *below,
                                       const dt_yaml_node *above)
{
    dt_yaml_node *mapping = dt_arena_alloc(w->arena, 1, sizeof *mapping), *last = NULL;
    if (!mapping) {
        w->out_of_memory = true;
        return below;
    }
    *mapping = *below;
    mapping->first = NULL;
    mapping->count = 0;
    for (const dt_yaml_node *child = below->first; child; child = child->next) {
        const dt_yaml_node *over = dt_yaml_find(above, child->key);
        append(w, mapping, &last, over ? lay(w, child, over) : child);
    }
    for (const dt_yaml_node *child = above->first; child; child = child->next) {
        if (!dt_yaml_find(below, child->key) && !is_null(child)) {
            append(w, mapping, &last, child);
        }
    }
    return mapping;
}

/* `above` in place of `below`, mappings key by key; NULL: left out. Nesting is bounded by the YAML reader. */
static const dt_yaml_node *lay(dt_weaver *w, const dt_yaml_node *below, const dt_yaml_node *above)
{
    if (is_null(above)) {
        return NULL;
    }
    return below->kind == DT_YAML_MAPPING && above->kind == DT_YAML_MAPPING
               ? lay_mapping(w, below, above)
               : above;
}

/* --- The block ---------------------------------------------------------------------------------------------- */

/* Only the sections are asked of a copy; count, index, first and last in it do no harm. */
static detent_status make_copies(dt_reader *reader, const dt_yaml_node *node,
                                 const chain_form *form, dt_chain *chain)
{
    dt_weaver weaver = {&reader->arena, false};
    chain->between = chain->first = chain->last = chain->only = node;
    if (form->first) {
        chain->first = chain->only = lay_mapping(&weaver, node, form->first);
    }
    if (form->last) {
        chain->last = lay_mapping(&weaver, node, form->last);
        chain->only = lay_mapping(&weaver, chain->first, form->last);
    }
    return weaver.out_of_memory ? dt_fail_memory(reader) : DETENT_OK;
}

static detent_status read_block(dt_reader *reader, const dt_yaml_node *node, dt_chain *chain)
{
    chain_form form = {.index = "i"};
    dt_table table, overlay;
    if (!dt_sections_table(reader, "chain", chain_keys, &table) ||
        !dt_sections_table(reader, "chain's first or last copy", overlay_keys, &overlay)) {
        return dt_fail_memory(reader);
    }
    detent_status status = dt_form_read(reader, node, &table, &form);
    if (!status) {
        const dt_yaml_node *index = dt_yaml_find(node, "index");
        dt_location where = dt_node_place(reader, index ? index : node);
        status = dt_builder_check_index(reader->m, form.index, &where, reader->error);
    }
    if (!status && form.first) {
        status = dt_form_read(reader, form.first, &overlay, NULL);
    }
    if (!status && form.last) {
        status = dt_form_read(reader, form.last, &overlay, NULL);
    }
    chain->count = form.count;
    chain->index_name = form.index;
    return status ? status : make_copies(reader, node, &form, chain);
}

/* --- Bounds ------------------------------------------------------------------------------------------------- */

/* Of all chains of a file together: a few lines must not ask for more memory than there is. */
static const size_t most_items = 5000000, most_text = (size_t)512 << 20;

typedef struct dt_total {
    size_t items; /* copies where a chain makes nothing */
    size_t text;  /* bytes that are read again for each copy */
} dt_total;

static size_t text_of(const dt_yaml_node *node)
{
    size_t sum = (node->key ? strlen(node->key) : 0) +
                 (node->kind == DT_YAML_SCALAR ? strlen(node->text) : 0);
    for (const dt_yaml_node *child = node->first; child; child = child->next) {
        sum += text_of(child); /* nesting is bounded by the YAML reader */
    }
    return sum;
}

/* Adds what a chain makes; an error where that is too much. */
static detent_status add_up(dt_reader *reader, const dt_yaml_node *node, const dt_chain *chain,
                            dt_total *total)
{
    size_t items = 0;
    for (int k = 0; k < reader->section_count; k++) {
        items += dt_chain_count(chain, &reader->sections[k]);
    }
    const size_t copies = (size_t)chain->count, text = copies * text_of(node);
    items = items > copies ? items : copies;
    total->items += items;
    total->text += text;
    if (total->items <= most_items && total->text <= most_text) {
        return DETENT_OK;
    }
    dt_location where = dt_node_place(reader, dt_yaml_find(node, "count"));
    return total->items > most_items
               ? dt_fail(reader->error, DETENT_ERROR_MODEL, &where,
                         "this chain makes %zu items, all chains up to here %zu; at most %zu are "
                         "allowed in a file",
                         items, total->items, most_items)
               : dt_fail(
                     reader->error, DETENT_ERROR_MODEL, &where,
                     "the copies of this chain come to %zu MB of text, of all chains up to here "
                     "to %zu; at most %zu are allowed in a file",
                     text >> 20, total->text >> 20, most_text >> 20);
}

detent_status dt_chain_read(dt_reader *reader, const dt_yaml_node *node, dt_chain **chains,
                            int *count)
{
    dt_total total = {0};
    *count = 0;
    *chains = NULL;
    if (!node) {
        return DETENT_OK;
    }
    if (node->kind == DT_YAML_SCALAR) {
        return dt_fail_kind(reader, node, "a mapping, or a list of mappings");
    }
    bool list = node->kind == DT_YAML_SEQUENCE;
    *count = list ? node->count : 1;
    *chains = dt_arena_alloc(&reader->arena, (size_t)*count, sizeof **chains);
    if (!*chains) {
        return dt_fail_memory(reader);
    }
    const dt_yaml_node *block = list ? node->first : node;
    for (int k = 0; k < *count; k++, block = block->next) {
        detent_status status = read_block(reader, block, &(*chains)[k]);
        status = status ? status : add_up(reader, block, &(*chains)[k], &total);
        if (status) {
            return status;
        }
    }
    return DETENT_OK;
}

/* The block that copy i is read from. */
static const dt_yaml_node *block_of(const dt_chain *chain, int i)
{
    if (chain->count == 1) {
        return chain->only;
    }
    return i == 1 ? chain->first : i < chain->count ? chain->between : chain->last;
}

size_t dt_chain_count(const dt_chain *chain, const dt_section *section)
{
    const dt_yaml_node *items =
        chain->count > 0 ? dt_yaml_find(chain->between, section->kind->plural) : NULL;
    return items ? (size_t)chain->count * (size_t)items->count : 0;
}

static detent_status read_copy(dt_reader *reader, const dt_yaml_node *items,
                               const dt_section *section)
{
    for (const dt_yaml_node *item = items->first; item; item = item->next) {
        const char *name = NULL;
        detent_status status =
            section->kind->is_list ? DETENT_OK : dt_label_number(reader, item->key, &name);
        reader->origin.item = item;
        status = status ? status : section->read(reader, section, item, name);
        if (status) {
            return status;
        }
    }
    return DETENT_OK;
}

detent_status dt_chain_read_section(dt_reader *reader, const dt_chain *chain,
                                    const dt_section *section)
{
    detent_status status = DETENT_OK;
    reader->origin.index_name = chain->index_name;
    for (int i = 1; i <= chain->count && !status; i++) {
        const dt_yaml_node *items = dt_yaml_find(block_of(chain, i), section->kind->plural);
        if (!items) {
            continue;
        }
        reader->origin.index = i;
        status = dt_section_require(reader, section, items);
        status = status ? status : read_copy(reader, items, section);
    }
    reader->origin = (dt_origin){NULL, NULL, 0};
    return status;
}
