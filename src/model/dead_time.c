/*
 * Dead times: delay(x, T), what x was T seconds ago. x is asked for when the run has come to an instant, and kept (integrator/dead_times.c); so it is
 * made of what is there then without anything being solved for: t, inputs, sampled values, positions, velocities, states, and other dead times. Expressions
 * that ask for the same share one. What one reads of others has been parsed before it, inside of it: it has a smaller number.
 */
#include "model/scope_parts.h"

#include "expression/fingerprint.h"

#include <stdio.h>
#include <string.h>

uint64_t dt_dead_time_fingerprint(const dt_dead_time *of)
{
    dt_hash hash = dt_hash_begin();
    const double numbers[] = {of->time, of->has_before, of->before};
    dt_program_fingerprint(of->value, &hash);
    dt_hash_numbers(&hash, numbers, 3);
    return dt_hash_end(&hash);
}

/* A kind of variable that x may not be made of, or NULL. */
static const dt_variable *find_unfit(const dt_program *p)
{
    for (int k = 0; k < p->variable_count; k++) {
        if (!dt_variable_is(p->variables[k], DT_OF_TIME | DT_OF_INPUTS | DT_OF_POSITIONS |
                                                 DT_OF_VELOCITIES | DT_OF_STATES | DT_OF_PAST)) {
            return &p->variables[k];
        }
    }
    return NULL;
}

static const char *word_of(const dt_variable *variable)
{
    static const char *const words[DT_VARIABLE_KINDS] = {
#define WORD(kind, function, component, measure, subject, traits, family, part) \
    [DT_VARIABLE_##kind] = function,
        DT_VARIABLE_TABLE(WORD)
#undef WORD
    };
    return words[variable->kind] ? words[variable->kind] : "dir";
}

static bool has_phantom(const dt_program *p)
{
    bool any = false;
    for (int k = 0; k < p->variable_count; k++) {
        any = any || p->variables[k].index == DT_PHANTOM;
    }
    return any;
}

/* The number of one, new or known; -1 when memory is out. */
static int number_of(detent_mechanism *m, const dt_delayed *delayed)
{
    dt_builder *b = m->builder;
    dt_dead_time one = {delayed->program, delayed->time, delayed->has_before, delayed->before};
    char key[32];
    snprintf(key, sizeof key, "%016llx", (unsigned long long)dt_dead_time_fingerprint(&one));
    const int known = dt_name_map_get(&b->dead_time_keys, key);
    if (known >= 0) {
        return known;
    }
    dt_program *own = dt_program_copy(&m->arena, delayed->program);
    const char *text =
        dt_arena_copy(&m->arena, delayed->program->text, strlen(delayed->program->text));
    const char *copy = dt_arena_copy(&b->arena, key, strlen(key));
    dt_dead_time *place = dt_list_add(&b->arena, &b->dead_times, sizeof *place);
    if (!own || !text || !copy || !place ||
        dt_name_map_put(&b->dead_time_keys, copy, b->dead_times.count - 1) != DETENT_OK) {
        return -1;
    }
    own->text = text;
    one.value = own;
    *place = one;
    return b->dead_times.count - 1;
}

dt_symbol dt_scope_dead_time(void *context, const dt_delayed *delayed)
{
    dt_law_scope *f = context;
    const dt_dimension dimension = delayed->program->dimension;
    const dt_variable *unfit = find_unfit(delayed->program);
    if (f->law->use < DT_USE_FORCE) {
        return dt_scope_refuse(f, "delay", "delay() cannot be used in %s",
                               dt_use_text(f->law->use));
    }
    if (has_phantom(delayed->program)) {
        return dt_scope_variable(DT_VARIABLE_DELAYED, DT_PHANTOM, dimension);
    }
    if (unfit) {
        return dt_scope_refuse(
            f, "delay",
            "delay() of %s%s: what it takes is made of t, inputs, sampled values, states, and "
            "positions and velocities of joints; what follows from forces goes through a state "
            "first, as in {derivative: (x - z)/T1}",
            word_of(unfit), strcmp(word_of(unfit), "dir") == 0 ? "" : "()");
    }
    const int number = number_of(f->m, delayed);
    f->out_of_memory = f->out_of_memory || number < 0;
    return number < 0 ? dt_unknown_symbol
                      : dt_scope_variable(DT_VARIABLE_DELAYED, number, dimension);
}

detent_status dt_keep_dead_times(detent_mechanism *m, detent_error *error)
{
    const dt_list *list = &m->builder->dead_times;
    dt_dead_time *all = dt_arena_alloc(&m->arena, (size_t)list->count, sizeof *all);
    if (!all) {
        return dt_out_of_memory(error);
    }
    for (int k = 0; k < list->count; k++) {
        all[k] = *DT_AT(*list, dt_dead_time, k);
    }
    m->dead_times = all;
    m->dead_time_count = list->count;
    return DETENT_OK;
}
