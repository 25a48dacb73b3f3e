/* What the names in an expression stand for.
 *
 * Plain names: t, dir, the repetition index, parameters, inputs, signals. Readings: scope_reading.c. Which of them may be
 * used depends on what the expression is for. The parser only learns that a name is unknown here; the reason is kept
 * and takes the place of its message.
 *
 * The copies of a chain share their texts, as in `if(i > 1, position(block[i-1]), 0)`: in the first copy the neighbour
 * does not exist, but is not asked for either, since the condition is a constant there. So an unknown item with an index
 * becomes a phantom variable, and only where one is left in the finished program is it an error. */

#include "model/scope.h"
#include "base/nearest.h"
#include "base/text.h"
#include "model/scope_parts.h"

#include <stdio.h>
#include <string.h>

static dt_symbol constant(double value, dt_dimension dimension)
{
    return (dt_symbol){.kind = DT_SYMBOL_CONSTANT, .value = value, .dimension = dimension};
}

static dt_symbol global_symbol(dt_law_scope *f, const dt_global *global)
{
    dt_use use = f->law->use;
    switch (global->kind) {
    case DT_GLOBAL_PARAMETER:
        return constant(global->value, global->dimension);
    case DT_GLOBAL_INPUT:
        return use >= DT_USE_GRAVITY
                   ? dt_scope_variable(DT_VARIABLE_INPUT, global->input, global->dimension)
                   : dt_scope_refuse(
                         f, global->name,
                         global->is_tunable
                             ? "the parameter '%s' cannot be tunable: it is used in %s, which is "
                               "fixed when the mechanism is made"
                             : "the input '%s' cannot be used in %s",
                         global->name, dt_use_text(use));
    default:
        if (use == DT_USE_CONSTANT) {
            return dt_scope_refuse(f, global->name, "the signal '%s' cannot be used in a constant",
                                   global->name);
        }
        return (dt_symbol){.kind = DT_SYMBOL_EXPRESSION,
                           .text = global->text,
                           .where = dt_locate(f->m->builder, &global->origin, NULL, "", -1)};
    }
}

static dt_symbol resolve_name(void *context, const char *identifier)
{
    dt_law_scope *f = context;
    const dt_origin *origin = f->law->origin;
    dt_use use = f->law->use;
    if (use == DT_USE_CURVE && strcmp(identifier, "u") == 0) {
        return dt_scope_variable(DT_VARIABLE_TIME, 0, dt_dimension_unknown);
    }
    if (strcmp(identifier, "t") == 0) {
        return use > DT_USE_CURVE
                   ? dt_scope_variable(DT_VARIABLE_TIME, 0, dt_dimension_time)
                   : dt_scope_refuse(f, identifier, "t cannot be used in %s", dt_use_text(use));
    }
    if (strcmp(identifier, "dir") == 0) {
        return use == DT_USE_FRICTION || use == DT_USE_ANY
                   ? dt_scope_variable(DT_VARIABLE_DIRECTION, f->law->primitive,
                                       dt_dimension_unknown)
                   : dt_scope_refuse(
                         f, identifier,
                         "dir, the direction of motion, is known only to the friction and the "
                         "limits of a "
                         "stiction, not to %s",
                         dt_use_text(use));
    }
    if (origin && origin->index_name && strcmp(identifier, origin->index_name) == 0) {
        f->used_index = true;
        return constant(origin->index, dt_dimension_unknown);
    }
    const int state = dt_name_map_get(&f->m->state_names, identifier);
    if (state >= 0) {
        return use >= DT_USE_FORCE
                   ? dt_scope_state(f, state)
                   : dt_scope_refuse(f, identifier, "the state '%s' cannot be used in %s",
                                     identifier, dt_use_text(use));
    }
    const int sampled = dt_name_map_get(&f->m->sampled_names, identifier);
    if (sampled >= 0) {
        return use >= DT_USE_GRAVITY
                   ? dt_scope_sampled(f, sampled, false)
                   : dt_scope_refuse(f, identifier, "the sampled value '%s' cannot be used in %s",
                                     identifier, dt_use_text(use));
    }
    int index = dt_name_map_get(&f->m->builder->global_names, identifier);
    return index < 0 ? dt_unknown_symbol
                     : global_symbol(f, DT_AT(f->m->builder->globals, dt_global, index));
}

static const char *nearest_global(const dt_law_scope *f, const char *identifier)
{
    dt_builder *b = f->m->builder;
    const char *index_name = f->law->origin ? f->law->origin->index_name : NULL;
    const size_t count = (size_t)b->globals.count + (size_t)DT_RECORDS(b, state).count +
                         (size_t)DT_RECORDS(b, sampled).count + 2;
    const char **names = dt_arena_alloc(&b->arena, count, sizeof *names), **next = names;
    if (!names) {
        return NULL;
    }
    for (int i = 0; i < b->globals.count; i++) {
        *next++ = DT_AT(b->globals, dt_global, i)->name;
    }
    for (int i = 0; i < DT_RECORDS(b, state).count; i++) {
        *next++ = DT_AT(DT_RECORDS(b, state), dt_state_record, i)->def.name;
    }
    for (int i = 0; i < DT_RECORDS(b, sampled).count; i++) {
        *next++ = DT_AT(DT_RECORDS(b, sampled), dt_sampled_record, i)->def.name;
    }
    *next++ = index_name;
    *next = f->law->use == DT_USE_FRICTION ? "dir" : NULL;
    return dt_nearest(identifier, names, count);
}

static const char *suggest(void *context, const char *function, const char *identifier)
{
    const dt_law_scope *f = context;
    if (!*function) {
        return nearest_global(f, identifier);
    }
    return dt_scope_is_function(function) ? dt_scope_nearest(f, function, identifier) : NULL;
}

static bool has_phantom(const dt_program *program)
{
    for (int k = 0; k < program->variable_count; k++) {
        if (program->variables[k].index == DT_PHANTOM) {
            return true;
        }
    }
    return false;
}

/* The reason for a refusal takes the place of "there is no such name". */
static detent_status explain(const dt_law_scope *f, detent_status status, detent_error *error)
{
    if (status && f->out_of_memory) {
        return dt_out_of_memory(error);
    }
    if (status == DETENT_ERROR_MODEL && error && f->refused[0] &&
        strstr(error->message, f->refused)) {
        snprintf(error->message, sizeof error->message, "%s", f->reason);
    }
    return status;
}

static dt_scope scope_of(dt_law_scope *f)
{
    return (dt_scope){.context = f,
                      .name = resolve_name,
                      .reading = dt_scope_reading,
                      .suggest = suggest,
                      .table = dt_scope_table,
                      .delay = dt_scope_dead_time,
                      .callback = dt_scope_callback,
                      .is_bent = f->law->use == DT_USE_CURVE || f->law->use == DT_USE_MOTION};
}

detent_status dt_scope_parse(detent_mechanism *m, dt_arena *arena, const dt_law_record *law,
                             dt_program **program, bool *used_index, detent_error *error)
{
    double value;
    if (!law->stops &&
        dt_parse_number(law->text, strlen(law->text), &value)) { /* most texts are just a number */
        *program = dt_program_constant(arena, value);
        return *program ? DETENT_OK : dt_out_of_memory(error);
    }
    dt_law_scope f = {.m = m, .law = law};
    const dt_scope scope = scope_of(&f);
    detent_status status =
        dt_program_parse_rate(arena, law->text, &law->where, &scope, m->builder->units,
                              law->expected, law->stops, program, error);
    if (!status && has_phantom(*program)) { /* again, for the error and its place */
        f.strict = true;
        status = dt_program_parse_rate(arena, law->text, &law->where, &scope, m->builder->units,
                                       law->expected, law->stops, program, error);
    }
    status = explain(&f, status, error);
    *used_index = f.used_index;
    return status;
}

detent_status dt_parse_laws(detent_mechanism *m, dt_arena *arena, const dt_law_record *law,
                            const dt_text *texts, size_t count, dt_program *programs,
                            detent_error *error)
{
    dt_law_scope f = {.m = m, .law = law};
    const dt_scope scope = scope_of(&f);
    detent_status status =
        dt_program_parse_together(arena, texts, count, &scope, m->builder->units, programs, error);
    const dt_program *longest = programs;
    for (size_t i = 0; i < count; i++) {
        longest = programs[i].operation_count > longest->operation_count ? &programs[i] : longest;
    }
    if (!status && count > 0 && has_phantom(longest)) { /* again, for the error and its place */
        f.strict = true;
        status = dt_program_parse_together(arena, texts, count, &scope, m->builder->units, programs,
                                           error);
    }
    return explain(&f, status, error);
}
