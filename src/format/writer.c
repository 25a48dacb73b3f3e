/* A finished mechanism becomes a file: from its script (model/script.h), section by section, in the order in which they are read. An item is a tree
 * (written.h) that is written and forgotten before the next one is made. */

#include "format/writer.h"

#include "base/error.h"
#include "expression/curve.h"
#include "format/written.h"
#include "model/builder.h"
#include "model/shape.h"

#include <string.h>

enum { ONE_LINE = 92 }; /* characters of a collection that stands on one line */

/* ---- shape ---- */

/* Characters of a tree on one line; counting ends where they are too many. */
static size_t width_of(const dt_yaml_node *node)
{
    size_t width =
        2 + (node->key ? strlen(node->key) + 2 : 0) + (node->text ? strlen(node->text) : 0);
    for (const dt_yaml_node *child = node->first; child && width <= ONE_LINE; child = child->next) {
        width += width_of(child); /* nesting is that of a definition */
    }
    return width;
}

/* Which collections stand on one line: short ones, and lists of numbers and texts, which may go on on the next. */
static void shape(dt_yaml_node *node)
{
    bool scalars = true;
    for (const dt_yaml_node *child = node->first; child; child = child->next) {
        scalars = scalars && child->kind == DT_YAML_SCALAR;
    }
    node->line = (node->kind == DT_YAML_SEQUENCE && scalars) || width_of(node) <= ONE_LINE;
    for (const dt_yaml_node *child = node->first; child && !node->line; child = child->next) {
        shape((dt_yaml_node *)(size_t)child); /* all are of this tree */
    }
}

/* Writes a tree under its key and forgets it. */
static void put(dt_written *w, const char *key, const dt_entries *tree)
{
    if (!w->out_of_memory) {
        tree->node->key = key;
        shape(tree->node);
        dt_yaml_pen_put(w->pen, tree->node);
    }
    dt_arena_free(&w->arena);
}

/* A scalar at the top. */
static void put_text(dt_written *w, const char *key, const char *text)
{
    dt_entries alone = dt_entries_new(w, DT_YAML_MAPPING);
    dt_entries_text(&alone, key, text);
    if (!w->out_of_memory) {
        dt_yaml_pen_put(w->pen, alone.node->first);
    }
    dt_arena_free(&w->arena);
}

/* ---- what is no item ---- */

static const dt_script_item no_item = {0};

static void write_gravity(dt_written *w)
{
    dt_entries list = dt_entries_new(w, DT_YAML_SEQUENCE);
    for (int k = 0; k < 3; k++) {
        const char *text = w->m->script.gravity[k];
        dt_entries_plain(&list, NULL, text ? dt_written_law(w, text, &no_item) : "0");
    }
    put(w, "gravity", &list);
}

/* The text of a constant, or its value with its unit. */
static const char *constant_text(dt_written *w, const dt_script_global *global)
{
    return global->text ? dt_written_law(w, global->text, &no_item)
                        : dt_written_quantity(w, global->value, &global->dimension);
}

/* Parameters in their order: each may use those above it. */
static void write_globals(dt_written *w, dt_global_kind kind, const char *section)
{
    bool any = false;
    for (int k = 0; k < w->m->script.global_count && !w->out_of_memory; k++) {
        const dt_script_global *global = &w->m->script.globals[k];
        if (global->kind != kind) {
            continue;
        }
        if (!any) {
            dt_yaml_pen_open(w->pen, section, DT_YAML_MAPPING);
            any = true;
        }
        dt_entries alone = dt_entries_new(w, DT_YAML_MAPPING);
        dt_entries_plain(&alone, global->name,
                         kind == DT_GLOBAL_SIGNAL ? dt_written_law(w, global->text, &no_item)
                                                  : constant_text(w, global));
        if (!w->out_of_memory) {
            dt_yaml_pen_put(w->pen, alone.node->first);
        }
        dt_arena_free(&w->arena);
    }
    if (any) {
        dt_yaml_pen_close(w->pen, DT_YAML_MAPPING);
    }
}

/* Initial values that came after their joints. */
static void write_initial(dt_written *w)
{
    bool any = false;
    for (int k = 0; k < w->m->script.change_count && !w->out_of_memory; k++) {
        const dt_script_change *change = &w->m->script.changes[k];
        const int primitive = dt_find_primitive(w->m, change->primitive);
        const bool ball = primitive >= 0 && w->m->tree.nodes[primitive].type->nq == 4;
        dt_entries state = dt_entries_new(w, DT_YAML_MAPPING);
        if (change->has_position && ball) {
            dt_entries turn = dt_entries_new(w, DT_YAML_MAPPING);
            dt_entries_numbers(&turn, "quaternion", change->position, 4);
            dt_entries_hang(&state, "position", &turn, true);
        } else if (change->has_position) {
            dt_entries_number(&state, "position", change->position[0]);
        }
        if (change->has_velocity && ball) {
            dt_entries_numbers(&state, "velocity", change->velocity, 3);
        } else if (change->has_velocity) {
            dt_entries_number(&state, "velocity", change->velocity[0]);
        }
        if (change->has_position || change->has_velocity) {
            if (!any) {
                dt_yaml_pen_open(w->pen, "initial", DT_YAML_MAPPING);
                any = true;
            }
            put(w, change->primitive, &state);
        }
    }
    if (any) {
        dt_yaml_pen_close(w->pen, DT_YAML_MAPPING);
    }
}

/* ---- sections ---- */

/* Whether an item of a kind is written in a section, by the kind that has that: couplings of elements are couplings. */
static bool is_of_section(const dt_item_kind *kind, const dt_item_kind *section)
{
    return kind == section || (kind->coupling && section == &dt_coupling_item);
}

static void write_item(dt_written *w, const dt_item_kind *kind, const dt_script_item *item)
{
    dt_entries tree = dt_entries_new(w, DT_YAML_MAPPING);
    if (item->number == DT_ITEM_body) {
        dt_write_body(&tree, item);
    } else if (item->number == DT_ITEM_joint) {
        dt_write_joint(&tree, item);
    } else if (item->number == DT_ITEM_coupling) {
        dt_write_coupling(&tree, item);
    } else {
        dt_write_keys(&tree, kind->keys, item->definition, item, kind);
    }
    put(w, dt_definition_name(item->definition), &tree);
}

/* Opens the bodies with the ground, if it has shapes. */
static bool open_ground(dt_written *w)
{
    const bool any = dt_shape_first(w->m, -1) < dt_shape_first(w->m, 0);
    if (any) {
        dt_yaml_pen_open(w->pen, dt_body_item.plural, DT_YAML_MAPPING);
        dt_entries tree = dt_entries_new(w, DT_YAML_MAPPING);
        dt_write_ground(&tree);
        put(w, "ground", &tree);
    }
    return any;
}

static void write_output(dt_written *w, const dt_script_item *item)
{
    dt_entries list = dt_entries_new(w, DT_YAML_SEQUENCE);
    dt_write_output(&list, item);
    if (!w->out_of_memory) {
        dt_yaml_node *output = (dt_yaml_node *)(size_t)list.node->first;
        output->line = output->kind != DT_YAML_SCALAR;
        dt_yaml_pen_put(w->pen, output);
    }
    dt_arena_free(&w->arena);
}

/* All items of a section but those that stand in their joints. */
static void write_section(dt_written *w, const dt_item_kind *section)
{
    const dt_yaml_kind shape = section->is_list ? DT_YAML_SEQUENCE : DT_YAML_MAPPING;
    bool any = section == &dt_body_item && open_ground(w);
    dt_script_item item;
    dt_script_rewind(&w->reader);
    while (!w->out_of_memory && dt_script_next(&w->reader, &item)) {
        const dt_item_kind *kind = dt_item_kind_of(w->m->source, item.number);
        if (!is_of_section(kind, section)) {
            continue;
        }
        if (!dt_script_unpack(&w->reader, &w->arena, &item)) {
            w->out_of_memory = true;
        } else if (!dt_written_primitive(kind, item.definition)) {
            if (!any) {
                dt_yaml_pen_open(w->pen, section->plural, shape);
                any = true;
            }
            if (section->is_list) {
                write_output(w, &item);
            } else {
                write_item(w, kind, &item);
            }
        }
        dt_arena_free(&w->arena);
    }
    if (any) {
        dt_yaml_pen_close(w->pen, shape);
    }
}

static void write_tables(dt_written *w)
{
    if (w->m->table_count > 0) {
        dt_yaml_pen_open(w->pen, dt_table_item.plural, DT_YAML_MAPPING);
        for (int k = 0; k < w->m->table_count && !w->out_of_memory; k++) {
            dt_entries tree = dt_entries_new(w, DT_YAML_MAPPING);
            dt_write_table(&tree, w->m->tables[k]);
            put(w, w->m->tables[k]->name, &tree);
        }
        dt_yaml_pen_close(w->pen, DT_YAML_MAPPING);
    }
}

static void write_sections(dt_written *w)
{
    const dt_item_source *source = w->m->source;
    write_tables(w);
    for (int position = 0; position < dt_item_positions(source); position++) {
        const int number = dt_item_number(source, position);
        const dt_item_kind *kind = dt_item_kind_of(source, number);
        if (kind && kind->is_section && number != DT_ITEM_table) {
            write_section(w, kind);
        }
        if (number == DT_ITEM_joint) {
            write_initial(w);
        }
    }
}

static void write_settings(dt_written *w)
{
    dt_entries settings = dt_entries_new(w, DT_YAML_MAPPING);
    dt_write_settings(&settings, &w->m->script.settings);
    if (settings.node && settings.node->count > 0) {
        put(w, "simulation", &settings);
    }
    dt_arena_free(&w->arena);
}

static void write_all(dt_written *w)
{
    dt_entries version = dt_entries_new(w, DT_YAML_MAPPING);
    dt_entries_number(&version, "detent", 1);
    if (!w->out_of_memory) {
        dt_yaml_pen_put(w->pen, version.node->first);
    }
    dt_arena_free(&w->arena);
    put_text(w, "name", w->m->name);
    if (w->m->script.description) {
        put_text(w, "description", w->m->script.description);
    }
    write_gravity(w);
    write_globals(w, DT_GLOBAL_PARAMETER, "parameters");
    write_globals(w, DT_GLOBAL_INPUT, "inputs");
    write_globals(w, DT_GLOBAL_SIGNAL, "signals");
    write_sections(w);
    write_settings(w);
}

/* ---- what is asked for while it is written ---- */

/* Adds one that stands in a primitive, behind those that are there. */
static bool add_along(dt_written *w, size_t *capacity, const dt_script_item *item,
                      const char *primitive)
{
    if (w->along_count == *capacity) {
        const size_t more = 2 * *capacity + 16;
        dt_written_along *along =
            dt_arena_grow(&w->lasting, w->along, *capacity, more, sizeof *along);
        if (!along) {
            return false;
        }
        w->along = along;
        *capacity = more;
    }
    const int own = (int)w->along_count++;
    w->along[own] = (dt_written_along){*item, -1};
    int before = dt_name_map_get(&w->along_names, primitive);
    if (before < 0) {
        return dt_name_map_put(&w->along_names, primitive, own) == DETENT_OK;
    }
    while (w->along[before].next >= 0) { /* there are few of a primitive */
        before = w->along[before].next;
    }
    w->along[before].next = own;
    return true;
}

/* Items by the primitives that they stand in. */
static bool find_along(dt_written *w)
{
    size_t capacity = 0;
    dt_script_item item;
    bool ok = dt_script_begin(w->m, &w->lasting, &w->reader);
    dt_name_map_init(&w->along_names, &w->lasting);
    while (ok && dt_script_next(&w->reader, &item)) {
        const dt_item_kind *kind = dt_item_kind_of(w->m->source, item.number);
        if (kind->joint_key) {
            ok = dt_script_unpack(&w->reader, &w->lasting, &item);
            const char *primitive = ok ? dt_written_primitive(kind, item.definition) : NULL;
            ok = ok && (!primitive || add_along(w, &capacity, &item, primitive));
        }
    }
    return ok;
}

/* The last force of each primitive. */
static bool find_forces(dt_written *w)
{
    bool ok = true;
    dt_name_map_init(&w->force_names, &w->lasting);
    for (int k = w->m->script.change_count - 1; k >= 0 && ok; k--) {
        const dt_script_change *change = &w->m->script.changes[k];
        ok = !change->force ||
             dt_name_map_put(&w->force_names, change->primitive, k) != DETENT_ERROR_MEMORY;
    }
    return ok;
}

/* ---- the whole ---- */

typedef struct counted_sink {
    const dt_text_sink *sink;
    size_t count;
    bool arrived;
} counted_sink;

static bool take(void *user, const char *bytes, size_t count)
{
    counted_sink *to = user;
    to->count += count;
    if (to->count <= DT_YAML_SIZE_MAX) {
        to->arrived = to->sink->take(to->sink->user, bytes, count);
    }
    return to->arrived && to->count <= DT_YAML_SIZE_MAX;
}

static detent_status refuse(const detent_mechanism *m, const char *why, detent_error *error)
{
    return dt_fail(error, DETENT_ERROR_MODEL, NULL,
                   "the mechanism '%.100s' cannot be written as a file: %s", m->name, why);
}

static detent_status write_with_pen(dt_written *w, const dt_text_sink *sink, detent_error *error)
{
    counted_sink to = {sink, 0, true};
    w->pen = dt_yaml_pen_begin(&w->lasting, take, &to);
    if (!w->pen) {
        return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory");
    }
    write_all(w);
    const bool whole = dt_yaml_pen_end(w->pen);
    return to.count > DT_YAML_SIZE_MAX
               ? refuse(w->m, "it is longer than the 64 MiB that a file may have", error)
           : w->not_utf8 ? refuse(w->m, "a text is not UTF-8", error)
           : !to.arrived ? DETENT_ERROR_IO
           : whole && !w->out_of_memory && w->along_told < w->along_count
               ? refuse(w->m, "something is along a joint that no joint of a file is", error)
           : whole && !w->out_of_memory
               ? DETENT_OK
               : dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory");
}

detent_status dt_write_mechanism(const detent_mechanism *m, const dt_text_sink *sink,
                                 detent_error *error)
{
    const char *why = m->script.refusal    ? m->script.refusal
                      : m->body_count == 0 ? "it has no body"
                                           : NULL;
    dt_written w = {.m = m};
    if (why) {
        return refuse(m, why, error);
    }
    dt_arena_init(&w.lasting, &m->arena.allocator);
    dt_arena_init(&w.arena, &m->arena.allocator);
    const detent_status status = find_along(&w) && find_forces(&w)
                                     ? write_with_pen(&w, sink, error)
                                     : dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory");
    dt_mechanism_delete(w.constants);
    dt_arena_free(&w.arena);
    dt_arena_free(&w.lasting);
    return status;
}
