/* A simulation that begins anew: as it began, or with a state that is given; and one that begins as another one is.
 *
 * All that a simulation has at its beginning follows from a mechanism with initial values, settings and a first search. So one is
 * created beside it: as it was created, to take its place; or with a mechanism that has the values that are given, to hand over its
 * state. */

#include "api/analysis_handle.h"
#include "api/handle.h"

#include <math.h>
#include <string.h>

/* ---- handing over ---- */

static detent_status out_of_memory(detent_error *error)
{
    return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for a simulation");
}

/* Gives a simulation the state of another one of as many unknowns. */
static detent_status hand_over(dt_arena *arena, dt_simulation *to, dt_simulation *from,
                               detent_error *error)
{
    const size_t size = dt_simulation_state_size(from);
    void *bytes = dt_arena_alloc(arena, size, 1);
    if (!bytes) {
        return out_of_memory(error);
    }
    if (size != dt_simulation_state_size(to)) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                       "the state cannot be taken over: it has another size");
    }
    detent_status status = dt_simulation_save(from, bytes, error);
    return status ? status : dt_simulation_restore(to, bytes, error);
}

/* A simulation as this one was created, but for what the caller changes in `settings`. */
static detent_status create_alike(const detent_simulation *simulation, const detent_mechanism *m,
                                  const detent_settings *settings, dt_arena *arena,
                                  dt_simulation **fresh, detent_error *error)
{
    detent_simulation_options options = DETENT_INIT(detent_simulation_options);
    dt_simulation_options(simulation->core, &options);
    options.settings = settings ? settings : options.settings;
    dt_arena_init(arena, &simulation->arena.allocator);
    const detent_status status =
        dt_simulation_create(arena, m, &options, dt_reduction_of_build(), fresh, error);
    if (status) {
        dt_arena_free(arena);
    }
    return status;
}

detent_status detent_reset(detent_simulation *simulation, detent_error *error)
{
    dt_simulation *fresh = NULL;
    detent_status status = dt_require(simulation, "the simulation", error);
    if (status) {
        return status;
    }
    const int other = !simulation->home;
    status = create_alike(simulation, simulation->mechanism, NULL, &simulation->core_arena[other],
                          &fresh, error);
    if (!status) {
        dt_simulation_destroy(simulation->core);
        dt_arena_free(&simulation->core_arena[simulation->home]);
        simulation->core = fresh;
        simulation->home = other;
        simulation->after_event = false;
    }
    return status;
}

detent_status detent_clone(detent_simulation *simulation, detent_simulation **clone,
                           detent_error *error)
{
    detent_status status = dt_require(clone, "the place for the simulation", error);
    if (status) {
        return status;
    }
    *clone = NULL;
    status = dt_require(simulation, "the simulation", error);
    if (status) {
        return status;
    }
    detent_simulation_options options = DETENT_INIT(detent_simulation_options);
    dt_simulation_options(simulation->core, &options);
    options.allocator = &simulation->arena.allocator;
    detent_simulation *copy = NULL;
    status = detent_simulation_create(simulation->mechanism, &options, &copy, error);
    if (status) {
        return status;
    }
    dt_arena arena;
    dt_arena_init(&arena, &simulation->arena.allocator);
    status = hand_over(&arena, copy->core, simulation->core, error);
    dt_arena_free(&arena);
    if (status) {
        detent_simulation_destroy(copy);
        return status;
    }
    copy->user = simulation->user;
    *clone = copy;
    return DETENT_OK;
}

/* ---- a state that is given ---- */

/* Begins anew at time t with the initial values of `m`, which is the simulation's mechanism but for these. */
static detent_status begin_as(detent_simulation *simulation, const detent_mechanism *m, double t,
                              detent_error *error)
{
    detent_simulation_options options = DETENT_INIT(detent_simulation_options);
    dt_simulation_options(simulation->core, &options);
    detent_settings settings = *options.settings;
    settings.end += t - settings.start;
    settings.start = t;
    dt_simulation *fresh = NULL;
    dt_arena arena;
    detent_status status = create_alike(simulation, m, &settings, &arena, &fresh, error);
    if (status) {
        return status;
    }
    status = hand_over(&arena, simulation->core, fresh, error);
    if (!status) {
        dt_simulation_tell_as(simulation->core, fresh);
        simulation->after_event = false;
    }
    dt_simulation_destroy(fresh);
    dt_arena_free(&arena);
    return status;
}

/* What is given, where it is something; else what is now. */
typedef struct beginning {
    double t;
    const double *positions, *velocities;
    const bool *given;
    const double *states;
} beginning;

static bool is_same(const double *given, const double *now, int count)
{
    return !given || memcmp(given, now, (size_t)count * sizeof *now) == 0;
}

/* Whether all of it is so already, to the last bit. */
static bool is_present(const dt_system *s, const beginning *b)
{
    return b->t == s->time && is_same(b->positions, s->q, s->tree->nq) &&
           is_same(b->velocities, s->v, s->tree->nv) &&
           is_same(b->states, s->z, s->mechanism->state_count);
}

static void *copied(dt_arena *arena, const void *from, int count, size_t size)
{
    void *to = dt_arena_alloc(arena, (size_t)count, size);
    if (to && count > 0) {
        memcpy(to, from, (size_t)count * size);
    }
    return to;
}

/* The mechanism with other initial values: those of an analysis, `inputs`, and states and held values of a system. */
static bool lend(dt_arena *arena, const dt_system *now, const double *inputs, const double *states,
                 const dt_system *assembled, detent_mechanism *m)
{
    *m = *now->mechanism;
    m->position = copied(arena, assembled->q, m->tree.nq, sizeof *m->position);
    m->velocity = copied(arena, assembled->v, m->tree.nv, sizeof *m->velocity);
    dt_state *state = copied(arena, m->states, m->state_count, sizeof *state);
    dt_input *input = copied(arena, m->inputs, m->input_count, sizeof *input);
    dt_sampled *sampled = copied(arena, m->sampled, m->sampled_count, sizeof *sampled);
    if (!m->position || !m->velocity || !state || !input || !sampled) {
        return false;
    }
    for (int k = 0; k < m->state_count; k++) {
        state[k].initial = states ? states[k] : now->z[k];
    }
    for (int k = 0; k < m->input_count; k++) {
        input[k].initial = inputs[k];
    }
    for (int k = 0; k < m->sampled_count; k++) {
        sampled[k].initial = now->inputs[m->input_count + k];
    }
    m->states = state;
    m->inputs = input;
    m->sampled = sampled;
    return true;
}

/* Loops closed, as an analysis does it. */
static detent_status assemble(detent_simulation *simulation, const dt_system *now,
                              const beginning *b, detent_analysis **analysis, detent_error *error)
{
    detent_status status = detent_analysis_create(simulation->mechanism,
                                                  &simulation->arena.allocator, analysis, error);
    for (int k = 0; k < simulation->mechanism->input_count && !status; k++) {
        status = detent_analysis_set_input(*analysis, (size_t)k, now->inputs[k], error);
    }
    if (!status) {
        status = detent_analysis_set_state(*analysis, b->t, b->positions ? b->positions : now->q,
                                           b->velocities ? b->velocities : now->v, b->given, error);
    }
    return status;
}

static detent_status check_states(const detent_simulation *simulation, const beginning *b,
                                  detent_error *error)
{
    const detent_mechanism *m = simulation->mechanism;
    for (int k = 0; k < m->state_count && b->states; k++) {
        if (!isfinite(b->states[k])) {
            return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL, "the state '%s' is not finite",
                           m->states[k].name);
        }
    }
    return isfinite(b->t) ? DETENT_OK
                          : dt_fail(error, DETENT_ERROR_ARGUMENT, NULL, "the time is not finite");
}

static detent_status begin_with(detent_simulation *simulation, const dt_system *now,
                                const beginning *b, detent_error *error)
{
    detent_analysis *analysis = NULL;
    detent_mechanism m;
    dt_arena arena;
    dt_arena_init(&arena, &simulation->arena.allocator);
    detent_status status = assemble(simulation, now, b, &analysis, error);
    if (!status) {
        status = lend(&arena, now, dt_simulation_inputs(simulation->core), b->states,
                      &analysis->core.system, &m)
                     ? begin_as(simulation, &m, b->t, error)
                     : out_of_memory(error);
    }
    detent_analysis_destroy(analysis);
    dt_arena_free(&arena);
    return status;
}

detent_status detent_set_state(detent_simulation *simulation, double t, const double *positions,
                               const double *velocities, const bool *given, const double *states,
                               detent_error *error)
{
    const beginning b = {t, positions, velocities, given, states};
    dt_system *now = NULL;
    detent_status status = dt_require(simulation, "the simulation", error);
    status = status ? status : check_states(simulation, &b, error);
    status = status ? status : dt_handle_system(simulation, false, DT_LEVEL_STATE, &now, error);
    if (status || is_present(now, &b)) {
        return status;
    }
    return begin_with(simulation, now, &b, error);
}

void detent_set_user(detent_simulation *simulation, void *user)
{
    if (simulation) {
        simulation->user = user;
    }
}

void *detent_user(const detent_simulation *simulation)
{
    return simulation ? simulation->user : NULL;
}
