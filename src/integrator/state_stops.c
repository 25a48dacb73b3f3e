/*
 * States at their stops. With the derivative D of a state z and its stops l, u
 *
 *   z' = D                  as long as l < z < u, and at a stop where D points inward;
 *   z' = 0,  z = l or u     at a stop where D points outward.
 *
 * A state does not feel its stop but by this, so nothing is to be searched, and no other branch depends on it. Invariant: a state that
 * is held is at its stop to the last bit, and the integrator, to which its rate is 0, leaves it there.
 */
#include "integrator/state_stops.h"
#include "integrator/core.h"

static bool has_stop(const dt_state *state)
{
    return state->stop_switch[0] >= 0 || state->stop_switch[1] >= 0;
}

/* Puts a state there. */
static void put(dt_simulation *sim, int k, double z)
{
    sim->core->z[k] = sim->system.z[k] = z;
}

void dt_state_stops_reach(dt_simulation *sim)
{
    for (int k = 0; k < sim->mechanism->state_count; k++) {
        const dt_state *state = &sim->mechanism->states[k];
        const dt_branch *branches = dt_law_branches(sim->core, dt_rate_law(sim->core, k));
        for (int side = 0; side < 2; side++) {
            const int j = state->stop_switch[side];
            if (j >= 0 && branches[j].side < 0) {
                put(sim, k, state->stop[side]);
            }
        }
    }
}

/* One stop of a state, at the readings of the core. */
static void settle(dt_simulation *sim, int k, int side)
{
    const dt_state *state = &sim->mechanism->states[k];
    const dt_law *law = dt_rate_law(sim->core, k);
    const int j = state->stop_switch[side];
    dt_branch *branch = dt_law_branches(sim->core, law) + (j >= 0 ? j : 0);
    double(*roots)[2] = sim->roots.values;
    if (j < 0) {
        return;
    }
    dt_law_roots(sim->core, law, &roots[0][0]);
    const bool held = branch->side < 0;
    if (held && roots[j][0] < 0) {
        *branch = (dt_branch){.side = 1};
    } else if (!held && roots[j][0] <= 0) {
        const double rate = dt_law_value(sim->core, law, 0);
        branch->side = (side == 0 ? rate : -rate) < 0 ? -1 : 1;
    }
    if (held || branch->side < 0) {
        put(sim, k, state->stop[side]);
    }
}

void dt_state_stops_settle(dt_simulation *sim)
{
    for (int k = 0; k < sim->mechanism->state_count; k++) {
        if (has_stop(&sim->mechanism->states[k])) {
            settle(sim, k, 0);
            settle(sim, k, 1);
        }
    }
}

/* ---- what is told ---- */

size_t dt_state_stops_count(const detent_mechanism *m)
{
    size_t count = 0;
    for (int k = 0; k < m->state_count; k++) {
        count += has_stop(&m->states[k]);
    }
    return count;
}

/* The stop that a state is at: -1 the lower one, 1 the upper one, 0 none. */
static int side_of(const dt_state *state, const dt_branch *branches)
{
    int side = 0;
    for (int e = 0; e < 2; e++) {
        const int j = state->stop_switch[e];
        side = j >= 0 && branches[j].side < 0 ? 2 * e - 1 : side;
    }
    return side;
}

void dt_state_stops_forget(dt_simulation *sim)
{
    const dt_system *s = &sim->system;
    for (int k = 0; k < sim->mechanism->state_count; k++) {
        const dt_state *state = &sim->mechanism->states[k];
        sim->event.state_side[k] =
            (signed char)(has_stop(state) ? side_of(state, dt_law_branches(s, dt_rate_law(s, k)))
                                          : 0);
    }
}

void dt_state_stops_record(dt_simulation *sim, double t, detent_cause cause)
{
    const dt_system *s = &sim->system;
    size_t count = 0;
    for (int k = 0; k < sim->mechanism->state_count && !sim->fixed.exists; k++) {
        const dt_state *state = &sim->mechanism->states[k];
        if (!has_stop(state)) {
            continue;
        }
        const int to = side_of(state, dt_law_branches(s, dt_rate_law(s, k))),
                  from = sim->event.state_side[k];
        sim->event.state_side[k] = (signed char)to;
        if (from != to) {
            sim->event.state_changes[count++] = (detent_state_change){
                .time = t, .state = (size_t)k, .from = from, .to = to, .cause = cause};
        }
    }
    sim->event.state_change_count = count;
    if (count > 0 && sim->samples.is_silent) {
        sim->samples.is_silent = false;
        sim->statistics.events++;
    }
}
