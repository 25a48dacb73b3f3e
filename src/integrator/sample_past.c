/*
 * Rings of values of before. Invariant: at an instant, before anything is evaluated, the value of k that is `number` places behind next[k] in its
 * ring is what k was `number` instants of its own before this one; or, of one that is not due, the value that it holds and those before that.
 */
#include "integrator/sample_past.h"
#include "integrator/core.h"

bool dt_sample_past_create(dt_arena *arena, dt_simulation *sim)
{
    const detent_mechanism *m = sim->mechanism;
    dt_sample_past *of = &sim->sample_past;
    const size_t count = m->delay_count > 0 ? (size_t)m->sampled_count : 0;
    for (size_t k = 0; k < count; k++) {
        of->count += (size_t)m->sampled[k].depth;
    }
    of->value = dt_arena_alloc(arena, of->count, sizeof *of->value);
    of->first = dt_arena_alloc(arena, count, sizeof *of->first);
    of->next = dt_arena_alloc(arena, count, sizeof *of->next);
    if (!of->value || !of->first || !of->next) {
        return false;
    }
    size_t place = 0;
    for (size_t k = 0; k < count; k++) {
        of->first[k] = place;
        for (int j = 0; j < m->sampled[k].depth; j++) {
            of->value[place++] = m->sampled[k].initial;
        }
    }
    return true;
}

void dt_sample_past_give(dt_simulation *sim)
{
    const detent_mechanism *m = sim->mechanism;
    const dt_sample_past *of = &sim->sample_past;
    for (int d = 0; d < m->delay_count; d++) {
        const dt_delay *delay = &m->delays[d];
        const int k = delay->sampled, behind = of->next[k] - delay->number;
        sim->system.inputs[delay->place] =
            of->value[of->first[k] + (size_t)(behind < 0 ? behind + m->sampled[k].depth : behind)];
    }
}

void dt_sample_past_add(dt_simulation *sim, int k)
{
    const detent_mechanism *m = sim->mechanism;
    dt_sample_past *of = &sim->sample_past;
    const int depth = m->sampled[k].depth;
    if (depth > 0) {
        of->value[of->first[k] + (size_t)of->next[k]] = sim->system.inputs[m->input_count + k];
        of->next[k] = of->next[k] + 1 < depth ? of->next[k] + 1 : 0;
    }
}
