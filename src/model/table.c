/* Tables: functions of one or two variables that expressions call by their names (expression/curve.h). Who reads one has checked its numbers. */

#include "model/record.h"
#include "model/scope_parts.h"

#include "expression/curve.h"
#include "expression/function.h"

#include <string.h>

static bool copy_numbers(dt_arena *arena, const double *numbers, size_t count, const double **copy)
{
    double *own = dt_arena_alloc(arena, count, sizeof *own);
    *copy = own;
    if (own) {
        memcpy(own, numbers, count * sizeof *own);
    }
    return own != NULL;
}

/* The same curve for motions, which tell the ends of their dwells; false when memory is out. */
static bool add_moving(detent_mechanism *m, dt_curve *curve)
{
    if (curve->interpolation != DT_INTERPOLATION_MONOTONE) {
        return true;
    }
    dt_curve *moving = dt_arena_alloc(&m->arena, 1, sizeof *moving);
    if (!moving) {
        return false;
    }
    *moving = *curve;
    moving->tells_dwells = true;
    curve->moving = moving;
    return dt_curve_complete(&m->arena, moving, moving->interpolation);
}

/* The curve of a definition, all of it in the mechanism's memory. */
static bool make_curve(detent_mechanism *m, const dt_table_definition *def, dt_curve *curve)
{
    size_t size = 1;
    *curve = (dt_curve){.name = def->name,
                        .axes = def->axes,
                        .interpolation = (dt_interpolation)def->interpolation,
                        .outside = (dt_outside)def->outside,
                        .dimension = {def->dimension[0], def->dimension[1]},
                        .result = def->result};
    for (int k = 0; k < def->axes; k++) {
        curve->axis[k].count = def->count[k];
        size *= (size_t)def->count[k];
        if (!copy_numbers(&m->arena, def->at[k], (size_t)def->count[k], &curve->axis[k].at)) {
            return false;
        }
    }
    return copy_numbers(&m->arena, def->value, size, &curve->value) &&
           dt_curve_complete(&m->arena, curve, curve->interpolation) && add_moving(m, curve);
}

static detent_status add(detent_mechanism *m, const void *definition, const dt_origin *origin,
                         detent_error *error)
{
    dt_builder *b = m->builder;
    const dt_table_definition *def = definition;
    dt_records *records = &b->items[DT_ITEM_table];
    const dt_origin from = dt_origin_or_none(origin);
    const dt_location where = dt_locate(b, &from, NULL, NULL, -1);
    if (dt_function_find(def->name) != DT_OPCODES || dt_scope_is_function(def->name) ||
        dt_name_is_reserved(def->name) || strchr(def->name, '[')) {
        return dt_fail(error, DETENT_ERROR_MODEL, &where, "table '%s': the name is reserved",
                       def->name);
    }
    if (dt_find_callback(m, def->name)) {
        return dt_fail(error, DETENT_ERROR_MODEL, &where,
                       "table '%s': the name is already that of a function of the program",
                       def->name);
    }
    dt_curve *curve = dt_arena_alloc(&m->arena, 1, sizeof *curve);
    const dt_curve **place = dt_list_add(&b->arena, &records->list, sizeof *place);
    if (!curve || !place || !make_curve(m, def, curve)) {
        records->list.count -= place != NULL;
        return dt_out_of_memory(error);
    }
    const detent_status status = dt_enter_name(m, &m->arena, "table", def->name, &records->names,
                                               records->list.count - 1, &from, &curve->name, error);
    *place = curve;
    records->list.count -= status != DETENT_OK;
    m->table_count = records->list.count;
    return status;
}

const dt_curve *dt_scope_table(void *context, const char *name)
{
    const dt_law_scope *f = context;
    const dt_curve *curve = dt_find_table(f->m, name);
    return curve && curve->moving && f->law->use == DT_USE_MOTION ? curve->moving : curve;
}

detent_status dt_list_tables(detent_mechanism *m, detent_error *error)
{
    const size_t count = (size_t)m->table_count;
    const dt_curve **tables = dt_arena_alloc(&m->arena, count, sizeof *tables);
    if (!tables) {
        return dt_out_of_memory(error);
    }
    if (count > 0) {
        memcpy(tables, m->builder->items[DT_ITEM_table].list.items, count * sizeof *tables);
    }
    m->tables = tables;
    return DETENT_OK;
}

/* --- The row of the table of kinds ---------------------------------------------------------------------------- */

static const char *name(const detent_mechanism *m, int index)
{
    return m->tables[index]->name;
}

const dt_item_kind dt_table_item = {.what = "table",
                                    .plural = "tables",
                                    .named = 1 + DETENT_TABLE,
                                    .is_section = true,
                                    .size = sizeof(dt_table_definition),
                                    .add = add,
                                    .counter = offsetof(detent_mechanism, table_count),
                                    .name = name};
