/* What is along joints in a step: staircases of friction and stops. */
#include "integrator/core.h"
#include "integrator/time_step.h"

#include <stdlib.h>

/* Whether all laws of the friction of joint k are constant, and nothing else limits it. */
static bool is_steady(const dt_simulation *sim, int k)
{
    const dt_system *s = &sim->system;
    bool steady =
        !sim->mechanism->stictions[k].stops && !dt_stiction_law(s, k, DT_STICTION_TEST)->program;
    for (int law = DT_STICTION_KINETIC; law < DT_STICTION_TEST && steady; law++) {
        steady = dt_law_is_constant(dt_stiction_law(s, k, law));
    }
    return steady;
}

void dt_time_step_find_steady(dt_simulation *sim)
{
    for (int k = 0; k < sim->ns; k++) {
        dt_steady_limits *of = &sim->time_stepping.steady[k];
        of->known = is_steady(sim, k);
        if (of->known) {
            dt_system_kinetic_limits(&sim->system, k, of->kinetic);
            dt_system_static_limits(&sim->system, k, of->rest);
        }
    }
}

static void find_kinetic(dt_simulation *sim, int k, double limits[2])
{
    const dt_steady_limits *steady = &sim->time_stepping.steady[k];
    if (steady->known) {
        memcpy(limits, steady->kinetic, sizeof steady->kinetic);
    } else {
        dt_system_kinetic_limits(&sim->system, k, limits);
    }
}

/* What static friction can do at v = 0. */
static void find_static(dt_simulation *sim, int k, double limits[2])
{
    dt_system *s = &sim->system;
    const dt_steady_limits *steady = &sim->time_stepping.steady[k];
    if (steady->known) {
        memcpy(limits, steady->rest, sizeof steady->rest);
        return;
    }
    dt_system_static_limits(s, k, limits);
    if (dt_stiction_law(s, k, DT_STICTION_TEST)->program) {
        const double test = dt_system_static_test(s, k);
        s->yielded[k] = !(test >= limits[0] && test <= limits[1]);
        limits[0] = -INFINITY;
        limits[1] = INFINITY;
        if (s->yielded[k]) {
            dt_system_kinetic_limits(s, k, limits);
        }
    }
}

/* The forces along a joint behind and before v = 0; `moves`: its direction at the start, on whose side friction is kinetic; 0: it rests. */
void dt_time_step_find_limits(dt_simulation *sim, int k, int moves, bool released, double limits[2])
{
    dt_system *s = &sim->system;
    double kinetic[2];
    s->yielded[k] = 0;
    find_kinetic(sim, k, kinetic);
    if ((moves > 0 && kinetic[0] > 0) || (moves < 0 && kinetic[1] < 0)) {
        sim->bad.friction = k; /* unless it is nothing but rounding */
        sim->time_stepping.driving = fmax(kinetic[0], -kinetic[1]);
    }
    memcpy(limits, kinetic, sizeof kinetic);
    if (!released) {
        find_static(sim, k, limits);
        limits[0] = moves > 0 ? kinetic[0] : limits[0];
        limits[1] = moves < 0 ? kinetic[1] : limits[1];
    }
    limits[0] = limits[0] > 0
                    ? 0
                    : limits[0]; /* what would drive is none; not fmin(): no number stays none */
    limits[1] = limits[1] < 0 ? 0 : limits[1];
}

/* One more corner, above those that there are, and the force beyond it. */
static void add_corner(dt_staircase *stair, double at, double force)
{
    stair->hold[stair->corners][0] = force;
    stair->hold[stair->corners][1] = stair->force[stair->corners];
    stair->at[stair->corners++] = at;
    stair->force[stair->corners] = force;
}

/* The velocity at the end with which joint k goes that far in the step. */
static double velocity_for(const dt_simulation *sim, int k, double way, double h)
{
    const dt_velocity_step *step = &sim->time_stepping.step;
    const int j = sim->time_stepping.box.freedom[k];
    const double share = step->share[j];
    return (way / h - (1 - share) * step->start[j]) / share;
}

/* Of joint k with these limits of its friction; the place is still to come. */
void dt_time_step_build(dt_simulation *sim, int k, const double limits[2], double h)
{
    const dt_rigid_stops *stops = sim->mechanism->stictions[k].stops;
    dt_staircase *stair = &sim->time_stepping.box.stair[k];
    const double q = sim->time_stepping
                         .q_start[sim->system.tree->nodes[sim->time_stepping.box.node[k]].q],
                 below = stops ? q - stops->at[0] : INFINITY,
                 above = stops ? stops->at[1] - q : INFINITY;
    stair->corners = 0;
    stair->force[0] = limits[1];
    sim->time_stepping.stick[k] = -1;
    if (isfinite(below) && below > 0) {
        stair->force[0] = INFINITY;
        add_corner(stair, velocity_for(sim, k, -below, h), limits[1]);
    }
    if (limits[0] != limits[1] ||
        sim->time_stepping.limit_follows[k]) { /* none now may be some in the step */
        sim->time_stepping.stick[k] = (signed char)stair->corners;
        add_corner(stair, 0, limits[0]);
    }
    if (isfinite(above) && above > 0) {
        add_corner(stair, velocity_for(sim, k, above, h), -INFINITY);
    }
}

/*
 * The segment on which it moves in a direction; without friction there is one for both. Towards a stop where it stands already (an impact elsewhere
 * may drive it there) it moves nowhere: the corner.
 */
int dt_time_step_segment(const dt_simulation *sim, int k, int direction)
{
    const int stick = sim->time_stepping.stick[k];
    const dt_staircase *stair = &sim->time_stepping.box.stair[k];
    if (stick < 0) {
        return stair->corners > 0 && stair->at[0] < 0 ? 2 : 0;
    }
    const int side = direction > 0 ? stick + 1 : stick;
    return isinf(stair->force[side]) ? 2 * stick + 1 : 2 * side; /* no number goes on */
}

void dt_time_step_prepare(dt_simulation *sim, double h)
{
    dt_system *s = &sim->system;
    dt_time_stepping *x = &sim->time_stepping;
    for (int k = 0; k < sim->ns; k++) {
        const double v = x->step.start[x->box.freedom[k]];
        const bool rests = v == 0 && s->mode[k] == DETENT_LOCKED;
        double limits[2];
        x->moves[k] = v > 0 ? 1 : v < 0 ? -1 : rests ? 0 : s->direction[k];
        x->released[k] = false;
        dt_time_step_find_limits(sim, k, x->moves[k], false, limits);
        dt_time_step_build(sim, k, limits, h);
        x->box.stair[k].place = x->moves[k] == 0 && x->stick[k] >= 0
                                    ? 2 * x->stick[k] + 1
                                    : dt_time_step_segment(sim, k, x->moves[k]);
    }
}

/* The same places, with the limits of where the system is now. */
void dt_time_step_renew_limits(dt_simulation *sim)
{
    dt_time_stepping *x = &sim->time_stepping;
    const double h = x->step.h;
    for (int k = 0; k < sim->ns; k++) {
        const int stick = x->stick[k], place = x->box.stair[k].place;
        double limits[2];
        if (x->steady[k].known) {
            continue;
        }
        dt_time_step_find_limits(sim, k, x->moves[k], x->released[k], limits);
        dt_time_step_build(sim, k, limits, h);
        x->box.stair[k].place =
            x->stick[k] == stick ? place : dt_time_step_segment(sim, k, x->moves[k]);
    }
}

/* What is at v = 0 of a joint, and on both sides of it as far as its stops. */
static void set_limits(dt_staircase *stair, int stick, const double limits[2])
{
    stair->force[stick] = limits[1];
    stair->force[stick + 1] = limits[0];
    if (stick > 0) {
        stair->hold[stick - 1][0] = limits[1];
    }
    if (stick + 1 < stair->corners) {
        stair->hold[stick + 1][1] = limits[0];
    }
}

/* Who is held at v = 0 by his test friction alone, however hard, goes on beyond, either way if he was at rest, with what he is held by once that gives way. */
static void bound_beyond(dt_staircase *stair, int stick, int moves, const double limits[2])
{
    const double back = stair->force[stick], on = stair->force[stick + 1],
                 beyond[2] = {moves <= 0 && isinf(on) ? limits[0] : on,
                              moves >= 0 && isinf(back) ? limits[1] : back};
    set_limits(stair, stick, beyond);
}

/* Of joint k, which has given way from rest, is not released yet, and may come to be held by others: by how many places he is beyond v = 0, or 0. */
static int gives_way(const dt_time_stepping *x, int k)
{
    const int stick = x->stick[k], beyond = x->box.stair[k].place - 2 * stick - 1;
    return stick < 0 || x->moves[k] != 0 || x->released[k] || abs(beyond) != 1 ? 0 : beyond;
}

/*
 * He gives way with what could hold him by the forces of this attempt: of x = g(x) the next x, by what the last two have come to (Aitken). Where it changes what it
 * follows by more than itself, as a mesh that locks itself, it stays what it was. Whether it is another one.
 */
static bool lead(dt_simulation *sim, int k, int beyond, int n)
{
    static const double counts = 1e-6, steepest = -2, flattest = -0.1;
    dt_time_stepping *x = &sim->time_stepping;
    dt_staircase *stair = &x->box.stair[k];
    const int stick = x->stick[k];
    double limits[2];
    if (n == 0) {
        x->lead[2][k] = stair->force[stick];
        x->lead[3][k] = stair->force[stick + 1];
        dt_fixed_take_switches_of(sim, k);
    } else if (isnan(x->lead[0][k])) {
        return false; /* it stays */
    }
    dt_time_step_find_limits(sim, k, 0, false, limits);
    double *next = &limits[beyond < 0];
    const double used = stair->force[stair->place / 2], own = *next, off = own - used,
                 slope = (off - x->lead[1][k]) / (used - x->lead[0][k]);
    if (!(fabs(off) > counts * fmax(fabs(used), fabs(own)))) {
        return false;
    }
    const bool stays = n > 0 && !(slope > steepest && slope < flattest);
    if (stays) {
        limits[1] = x->lead[2][k];
        limits[0] = x->lead[3][k];
        dt_fixed_put_switches_back(sim, k);
    } else if (n > 0 && (used - off / slope) * own > 0) {
        *next = used - off / slope;
    }
    x->lead[0][k] = stays ? NAN : used;
    x->lead[1][k] = off;
    set_limits(stair, stick, limits);
    return true; /* there is no solution with them yet */
}

/*
 * Limits that follow forces: what a joint that is held can hold follows from how it is held, in the last solution. Who moves keeps the friction that
 * he began the step with: while modes are sought, forces may be those of an impulse that stops all at once, and no friction of who goes on. But who was at rest,
 * gave way and has come back goes on with what could hold him last: what he gave way with is from the step before, which may have been a blow, and with that he
 * would come back for ever.
 */
bool dt_time_step_update_limits(void *simulation, int n)
{
    dt_simulation *sim = simulation;
    dt_time_stepping *x = &sim->time_stepping;
    bool again = false;
    dt_time_step_take_forces(sim);
    for (int k = 0; k < sim->ns; k++) {
        dt_staircase *stair = &x->box.stair[k];
        const int stick = x->stick[k];
        const bool holds = stick >= 0 && dt_corner_of(stair) == stick;
        const int beyond = gives_way(x, k);
        double limits[2];
        if (!x->limit_follows[k] || !(holds || beyond != 0)) {
            continue;
        }
        if (holds) {
            dt_time_step_find_limits(sim, k, x->moves[k], x->released[k], limits);
            memcpy(stair->hold[stick], limits, sizeof limits);
            if (x->moves[k] == 0 && x->box.came[k] != 0) {
                set_limits(stair, stick, limits);
            } else {
                bound_beyond(stair, stick, x->moves[k], limits);
            }
        } else {
            again = lead(sim, k, beyond, n) || again;
        }
    }
    return again;
}
