/*
 * What sampled values were longer ago: previous(S, n) is the value that S had n instants of its own before the one that is being handled, or
 * its initial one where there were none. S remembers as many values as the largest n that is asked for (integrator/sample_past.c). To who
 * reads it a delayed value is what an input is, behind all else that is given to laws: a place for each pair of S and n.
 *
 * Values of before come from no order of evaluation, so that they close no circle (sampled.c).
 */
#include "model/scope_parts.h"

#include <stdio.h>
#include <string.h>

/* What all sampled values together may remember: 128 MiB. */
enum { MOST_VALUES = 1 << 24 };

static dt_delay *find(dt_builder *b, const char *key)
{
    const int known = dt_name_map_get(&b->delay_keys, key);
    return known < 0 ? NULL : DT_AT(b->delays, dt_delay, known);
}

static dt_delay *add(detent_mechanism *m, const char *key, int sampled, int number)
{
    dt_builder *b = m->builder;
    const char *copy = dt_arena_copy(&b->arena, key, strlen(key));
    dt_delay *one = copy ? dt_list_add(&b->arena, &b->delays, sizeof *one) : NULL;
    if (!one || dt_name_map_put(&b->delay_keys, copy, b->delays.count - 1) != DETENT_OK) {
        return NULL;
    }
    *one = (dt_delay){.sampled = sampled, .number = number, .place = dt_given_count(m)};
    m->delay_count++;
    return one;
}

dt_symbol dt_scope_delay(dt_law_scope *f, int sampled, int number)
{
    const dt_sampled_record *record =
        DT_AT(DT_RECORDS(f->m->builder, sampled), dt_sampled_record, sampled);
    char key[32];
    snprintf(key, sizeof key, "%d %d", sampled, number);
    const dt_delay *of = find(f->m->builder, key);
    of = of ? of : add(f->m, key, sampled, number);
    if (!of) {
        f->out_of_memory = true;
        return dt_unknown_symbol;
    }
    return dt_scope_variable(DT_VARIABLE_INPUT, of->place, record->def.dimension);
}

/* The first of the values whose memory is beyond the bound, or -1. */
static int find_beyond(detent_mechanism *m)
{
    long long sum = 0;
    for (int k = 0; k < m->sampled_count; k++) {
        sum += m->sampled[k].depth;
        if (sum > MOST_VALUES) {
            return k;
        }
    }
    return -1;
}

detent_status dt_keep_delays(detent_mechanism *m, detent_error *error)
{
    const dt_list *list = &m->builder->delays;
    dt_delay *all = dt_arena_alloc(&m->arena, (size_t)list->count, sizeof *all);
    if (!all) {
        return dt_out_of_memory(error);
    }
    for (int k = 0; k < list->count; k++) {
        all[k] = *DT_AT(*list, dt_delay, k);
        dt_sampled *of = (dt_sampled *)(size_t)&m->sampled[all[k].sampled];
        of->depth = all[k].number > of->depth ? all[k].number : of->depth;
    }
    m->delays = all;
    const int beyond = find_beyond(m);
    if (beyond >= 0) {
        const dt_sampled_record *record =
            DT_AT(DT_RECORDS(m->builder, sampled), dt_sampled_record, beyond);
        const dt_location where = dt_locate(m->builder, &record->origin, NULL, NULL, -1);
        return dt_fail(error, DETENT_ERROR_MODEL, &where,
                       "sampled value '%s': with its %d values of before, which previous() reads, "
                       "all that is remembered comes to more than %d",
                       m->sampled[beyond].name, m->sampled[beyond].depth, MOST_VALUES);
    }
    return DETENT_OK;
}
