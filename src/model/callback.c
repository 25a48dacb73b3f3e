/* Functions of the program that expressions call by their names (expression/callback.h). */

#include "base/nearest.h"
#include "expression/function.h"
#include "model/record.h"
#include "model/scope_parts.h"

#include <string.h>

static detent_status check(detent_mechanism *m, const detent_function_def *def,
                           const dt_location *where, detent_error *error)
{
    const detent_status status = dt_check_name("function", def->name, where, error);
    if (status) {
        return status;
    }
    if (dt_function_find(def->name) != DT_OPCODES || dt_scope_is_function(def->name) ||
        dt_name_is_reserved(def->name) || strchr(def->name, '[')) {
        return dt_fail(error, DETENT_ERROR_MODEL, where, "function '%s': the name is reserved",
                       def->name);
    }
    if (dt_find_table(m, def->name)) {
        return dt_fail(error, DETENT_ERROR_MODEL, where,
                       "function '%s': the name is already that of a table", def->name);
    }
    return def->argument_count >= 1 && def->argument_count <= DETENT_MAX_ARGUMENTS
               ? DETENT_OK
               : dt_fail(error, DETENT_ERROR_MODEL, where,
                         "function '%s': it takes 1 to %d arguments, not %zu", def->name,
                         DETENT_MAX_ARGUMENTS, def->argument_count);
}

static detent_status add(detent_mechanism *m, const void *definition, const dt_origin *origin,
                         detent_error *error)
{
    dt_builder *b = m->builder;
    const detent_function_def *def = definition;
    dt_records *records = &b->items[DT_ITEM_function];
    const dt_origin from = dt_origin_or_none(origin);
    const dt_location where = dt_locate(b, &from, NULL, NULL, -1);
    detent_status status = check(m, def, &where, error);
    if (status) {
        return status;
    }
    dt_callback *callback = dt_arena_alloc(&m->arena, 1, sizeof *callback);
    const dt_callback **place = dt_list_add(&b->arena, &records->list, sizeof *place);
    if (!callback || !place) {
        records->list.count -= place != NULL;
        return dt_out_of_memory(error);
    }
    *callback = (dt_callback){
        .argument_count = (int)def->argument_count, .function = def->function, .user = def->user};
    status = dt_enter_name(m, &m->arena, "functions", def->name, &records->names,
                           records->list.count - 1, &from, &callback->name, error);
    *place = callback;
    records->list.count -= status != DETENT_OK;
    m->callback_count = records->list.count;
    return status;
}

/* A name that is near, or NULL. */
static const char *nearest_of(dt_builder *b, const char *name)
{
    const dt_list *list = &b->items[DT_ITEM_function].list;
    const char **names = dt_arena_alloc(&b->arena, (size_t)list->count, sizeof *names);
    for (int k = 0; names && k < list->count; k++) {
        names[k] = (*DT_AT(*list, const dt_callback *, k))->name;
    }
    return names ? dt_nearest(name, names, (size_t)list->count) : NULL;
}

const dt_callback *dt_scope_callback(void *context, const char *name, const char **nearest)
{
    const dt_law_scope *f = context;
    const dt_callback *found = dt_find_callback(f->m, name);
    if (nearest) {
        *nearest = found ? NULL : nearest_of(f->m->builder, name);
    }
    return found;
}

detent_status dt_list_callbacks(detent_mechanism *m, detent_error *error)
{
    const size_t count = (size_t)m->callback_count;
    const dt_callback **callbacks = dt_arena_alloc(&m->arena, count, sizeof *callbacks);
    if (!callbacks) {
        return dt_out_of_memory(error);
    }
    if (count > 0) {
        memcpy(callbacks, m->builder->items[DT_ITEM_function].list.items,
               count * sizeof *callbacks);
    }
    m->callbacks = callbacks;
    return DETENT_OK;
}

/* --- The row of the table of kinds ---------------------------------------------------------------------------- */

static const char *name(const detent_mechanism *m, int index)
{
    return m->callbacks[index]->name;
}

const dt_item_kind dt_function_item = {.what = "function",
                                       .plural = "functions",
                                       .named = 1 + DETENT_FUNCTION,
                                       .size = sizeof(detent_function_def),
                                       .add = add,
                                       .counter = offsetof(detent_mechanism, callback_count),
                                       .name = name};
