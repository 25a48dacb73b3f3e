/* Items by the keys of their kind: what keys.c reads. What has the value that it has where it is not given is left out. */

#include "format/written.h"

#include "model/builder.h"

#include <string.h>

typedef struct key_writer {
    dt_entries *into;
    const dt_script_item *item;
    const dt_dimension *own; /* of DT_OF_ITS_ITEM: once it has been told NULL */
} key_writer;

static void write_keys(key_writer *k, const dt_key *keys, const void *base);

static void write_number(key_writer *k, const dt_key *key, double value)
{
    const bool own = key->dimension == DT_OF_ITS_ITEM && k->own && k->own->known;
    if (own) { /* a zero, too: it says the unit */
        dt_entries_plain(k->into, key->name, dt_written_quantity(k->into->w, value, k->own));
        k->own = NULL;
    } else if (key->required || !dt_written_is_zero(&value, 1)) {
        dt_entries_number(k->into, key->name, value);
    }
}

static void write_vector(dt_entries *into, const dt_key *key, const double *values, int count)
{
    if (key->required || !dt_written_is_zero(values, count)) {
        dt_entries_numbers(into, key->name, values, count);
    }
}

static void write_rotation(dt_entries *into, const char *key, const double q[4])
{
    dt_entries rotation = dt_entries_new(into->w, DT_YAML_MAPPING);
    if (!dt_written_is_zero(q, 4)) {
        dt_entries_numbers(&rotation, "quaternion", q, 4);
    }
    dt_entries_hang(into, key, &rotation, false);
}

static void write_sizes(dt_entries *into, const dt_key *key, const double *sizes)
{
    int count = 0;
    while (count < DT_MOST_SIZES && sizes[count] != 0) {
        count++;
    }
    if (count > 0) {
        dt_entries_numbers(into, key->name, sizes, count);
    }
}

static void write_laws(key_writer *k, const char *name, const char *const *texts)
{
    dt_entries list = dt_entries_new(k->into->w, DT_YAML_SEQUENCE);
    for (int c = 0; c < 3; c++) {
        dt_entries_plain(&list, NULL,
                         texts[c] ? dt_written_law(k->into->w, texts[c], k->item) : "0");
    }
    if (texts[0] || texts[1] || texts[2]) {
        dt_entries_hang(k->into, name, &list, true);
    }
}

/* `rotation`: of ends that are frames, else NULL. */
static void write_ends(dt_entries *into, const char *name, const dt_ends *ends,
                       const double (*rotation)[4])
{
    dt_entries list = dt_entries_new(into->w, DT_YAML_SEQUENCE);
    for (int k = 0; k < 2; k++) {
        dt_entries end = dt_entries_new(into->w, DT_YAML_MAPPING),
                   at = dt_entries_new(into->w, DT_YAML_MAPPING);
        dt_entries_text(&end, "body", ends->body[k]);
        const bool turned = rotation && !dt_written_is_zero(rotation[k], 4);
        if (turned && !dt_written_is_zero(ends->point[k], 3)) {
            dt_entries_numbers(&at, "point", ends->point[k], 3);
        }
        if (turned) {
            write_rotation(&at, "rotation", rotation[k]);
            dt_entries_hang(&end, "at", &at, true);
        } else if (!dt_written_is_zero(ends->point[k], 3)) {
            dt_entries_numbers(&end, "at", ends->point[k], 3);
        }
        dt_entries_hang(&list, NULL, &end, true);
    }
    dt_entries_hang(into, name, &list, true);
}

/* A mapping whose fields are at `base`; a frame that is a point alone is one. */
static void write_inner(key_writer *k, const dt_key *key, const dt_table *table, const void *base,
                        bool keep)
{
    dt_entries inner = dt_entries_new(k->into->w, DT_YAML_MAPPING);
    key_writer within = {&inner, k->item, NULL};
    write_keys(&within, table->keys, base);
    const dt_yaml_node *only = inner.node && inner.node->count == 1 ? inner.node->first : NULL;
    if (key->kind == DT_VALUE_FRAME && only && strcmp(only->key, "point") == 0) {
        dt_entries_numbers(k->into, key->name, base, 3); /* where a frame begins with its point */
    } else {
        dt_entries_hang(k->into, key->name, &inner, keep);
    }
}

/* A law. The parameter of a curve hides an index of its name. */
static void write_law(key_writer *k, const dt_key *key, const char *text)
{
    const dt_item_kind *kind = dt_item_kind_of(k->into->w->m->source, k->item->number);
    dt_script_item item = *k->item;
    for (int n = 0; n < kind->law_count && item.index_name; n++) {
        if (kind->laws[n].use == DT_USE_CURVE && strcmp(kind->laws[n].key, key->name) == 0 &&
            strcmp(item.index_name, "u") == 0) {
            item.index_name = NULL;
        }
    }
    dt_entries_plain(k->into, key->name, dt_written_law(k->into->w, text, &item));
}

static void write_key(key_writer *k, const dt_key *key, const void *field)
{
    const char *const *texts = field;
    const double *numbers = field;
    const int word = dt_key_is_word(key) ? *(const int *)field : 0;
    dt_entries *into = k->into;
    switch (key->kind) {
    case DT_VALUE_NUMBER:
    case DT_VALUE_SIZE:
    case DT_VALUE_POSITIVE:
        write_number(k, key, *numbers);
        break;
    case DT_VALUE_COUNT:
    case DT_VALUE_TRUTH:
        if (word != 0 || key->required) {
            dt_entries_plain(into, key->name,
                             key->kind == DT_VALUE_TRUTH
                                 ? (word ? "true" : "false")
                                 : dt_arena_printf(&into->w->arena, "%d", word));
        }
        break;
    case DT_VALUE_VECTOR:
    case DT_VALUE_SIZE_VECTOR:
        write_vector(into, key, numbers, 3);
        break;
    case DT_VALUE_SIZES:
        write_sizes(into, key, numbers);
        break;
    case DT_VALUE_INERTIA:
        write_vector(into, key, numbers, dt_written_is_zero(numbers + 3, 3) ? 3 : 6);
        break;
    case DT_VALUE_ROTATION:
        write_rotation(into, key->name, numbers);
        break;
    case DT_VALUE_EXPRESSION:
        if (*texts) {
            write_law(k, key, *texts);
        }
        break;
    case DT_VALUE_EXPRESSIONS:
        write_laws(k, key->name, texts);
        break;
    case DT_VALUE_TEXT:
    case DT_VALUE_REFERENCE:
    case DT_VALUE_JOINT:
        if (*texts) {
            dt_entries_text(into, key->name, *texts);
        }
        break;
    case DT_VALUE_ENDS:
        write_ends(into, key->name, field, NULL);
        break;
    case DT_VALUE_END_FRAMES:
        write_ends(into, key->name, field, ((const dt_end_frames *)field)->rotation);
        break;
    case DT_VALUE_CHOICE:
        if (word != 0 || key->required) {
            dt_entries_text(into, key->name, ((const char *const *)key->extra)[word]);
        }
        break;
    case DT_VALUE_MAPPING:
    case DT_VALUE_FRAME:
        write_inner(k, key, key->extra, field, false);
        break;
    case DT_VALUE_INNER:
        if (*(const void *const *)field) {
            write_inner(k, key, &((const dt_inner *)key->extra)->table, *(const void *const *)field,
                        true);
        }
        break;
    case DT_VALUE_NODE:
    case DT_VALUE_ELSEWHERE:
    case DT_VALUE_UNSUPPORTED:
        break;
    }
}

static void write_keys(key_writer *k, const dt_key *keys, const void *base)
{
    for (const dt_key *key = keys; key->name; key++) {
        write_key(k, key, (const char *)base + key->offset);
    }
}

void dt_write_keys(dt_entries *into, const dt_key *keys, const void *definition,
                   const dt_script_item *item, const dt_item_kind *kind)
{
    key_writer k = {into, item, NULL};
    if (kind && kind->dimension > 0) {
        k.own = (const void *)((const char *)definition + kind->dimension);
    }
    write_keys(&k, keys, definition);
}

/* ---- in joints ---- */

/* The key that is a joint, by which an item in that is called; NULL: its own name is. */
static const dt_key *joint_key(const dt_item_kind *kind)
{
    const dt_key *key = kind->keys;
    while (key->name && key->kind != DT_VALUE_JOINT) {
        key++;
    }
    return key->name ? key : NULL;
}

static const dt_key *word_key(const dt_item_kind *kind)
{
    const dt_key *key = kind->keys;
    while (key->kind != DT_VALUE_CHOICE) {
        key++;
    }
    return key;
}

static int part_of(const dt_item_kind *kind, const void *definition)
{
    return *(const int *)(const void *)((const char *)definition + word_key(kind)->offset);
}

const char *dt_written_primitive(const dt_item_kind *kind, const void *definition)
{
    const char *name = dt_definition_name(definition);
    if (!kind->joint_key || !kind->parts) {
        return kind->joint_key ? name : NULL;
    }
    const char *joint =
        *(const char *const *)(const void *)((const char *)definition + joint_key(kind)->offset);
    const size_t length = strlen(joint);
    return strncmp(name, joint, length) == 0 && name[length] == '.' &&
                   strcmp(name + length + 1, kind->parts[part_of(kind, definition)]) == 0
               ? joint
               : NULL;
}

/* One of several below the key of their kind, without what its place says. */
static void write_part(dt_entries *into, const dt_item_kind *kind, const dt_script_item *item)
{
    dt_entries part = dt_entries_new(into->w, DT_YAML_MAPPING);
    key_writer k = {&part, item, NULL};
    for (const dt_key *key = kind->keys; key->name; key++) {
        if (key != joint_key(kind) && key != word_key(kind)) {
            write_key(&k, key, (const char *)item->definition + key->offset);
        }
    }
    dt_entries_hang(into, kind->parts[part_of(kind, item->definition)], &part, true);
}

void dt_write_along(dt_entries *into, const char *primitive)
{
    dt_written *w = into->w;
    const int first = dt_name_map_get(&w->along_names, primitive);
    for (int position = 0; position < dt_item_positions(w->m->source); position++) {
        const int number = dt_item_number(w->m->source, position);
        const dt_item_kind *kind = dt_item_kind_of(w->m->source, number);
        dt_entries inner = dt_entries_new(w, DT_YAML_MAPPING);
        for (int k = kind && kind->joint_key ? first : -1; k >= 0 && !w->out_of_memory;
             k = w->along[k].next) {
            const dt_script_item *item = &w->along[k].item;
            w->along_told += item->number == number;
            if (item->number == number && kind->parts) {
                write_part(&inner, kind, item);
            } else if (item->number == number) {
                dt_write_keys(&inner, kind->keys, item->definition, item, kind);
            }
        }
        if (inner.node) {
            dt_entries_hang(into, kind ? kind->joint_key : NULL, &inner, false);
        }
    }
}
