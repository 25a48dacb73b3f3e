/*
 * Joints inside their velocity band: an impulse of friction stops them (impulse.h), a search tells
 * which of them hold. Whom the impulse brings into its own band joins them.
 *
 * Invariant: a trial is accepted whole, or taken back whole: velocities, modes, directions, branches,
 * decrees and what has fired are then those from before it, and joints that did not hold wait, with
 * the velocity that they had; the trial is repeated without them. Joints only leave, so it ends.
 */
#include "integrator/velocity_band.h"
#include "integrator/core.h"
#include "integrator/source.h"
#include "integrator/switches.h"
#include "integrator/trial.h"
#include "integrator/weights.h"
#include "integrator/whole_search.h"

#include <math.h>

/*
 * Friction that would need this many times as long for the stop as the joint needs anyway is not
 * what stops it (an open clutch that a damper slows down): its impulse would tell on other joints.
 */
static const double longest = 1000;

bool dt_velocity_band_exists(const detent_mechanism *m)
{
    for (int k = 0; k < m->stiction_count; k++) {
        if (m->stictions[k].friction->locking == DETENT_LOCKING_BAND) {
            return true;
        }
    }
    return false;
}

bool dt_velocity_band_create(dt_arena *arena, dt_simulation *sim)
{
    dt_velocity_band *b = &sim->band;
    const size_t ns = (size_t)sim->ns;
    b->exists = dt_velocity_band_exists(sim->mechanism);
#define TAKE(member, count) \
    ((b->member = dt_arena_alloc(arena, (count), sizeof *b->member)) != NULL)
    return !b->exists || (dt_impulse_create(arena, &sim->system, &b->impulse) && TAKE(stop, ns) &&
                          TAKE(refused, ns));
#undef TAKE
}

/* Back to what was before a trial. */
static void take_back(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    dt_trial_restore(sim, &sim->before_trial);
    dt_system_set_state(s, s->time, s->q, s->v);
    dt_system_set_acceleration(s, s->a, s->f);
}

/* ---- who stops ---- */

static bool has_band(const dt_simulation *sim, int k)
{
    return sim->mechanism->stictions[k].friction->locking == DETENT_LOCKING_BAND;
}

/* A joint that has reached its band, and whom friction can stop. */
static bool in_band(dt_simulation *sim, int k)
{
    return has_band(sim, k) && sim->event.cause[k] == DETENT_CAUSE_STOP &&
           *dt_velocity_of(sim, k) != 0 && dt_impulse_can_stop(&sim->band.impulse, k);
}

/*
 * Joints that the impulse has brought into their band, from outside or through zero, stop as well.
 */
static bool join(dt_simulation *sim)
{
    dt_velocity_band *b = &sim->band;
    const dt_trial *kept = &sim->before_trial;
    bool any = false;
    for (int k = 0; k < sim->ns; k++) {
        const int moves = b->impulse.moves[k];
        const double v =
            b->impulse.v[sim->system.tree->nodes[sim->mechanism->stictions[k].primitive].v];
        const bool entered = kept->mode[k] == DETENT_UNLOCKED || moves != kept->direction[k];
        if (has_band(sim, k) && !b->stop[k] && !b->refused[k] && moves != 0 && entered &&
            fabs(v) <= dt_threshold(sim, k) && dt_impulse_can_stop(&b->impulse, k)) {
            b->stop[k] = 1;
            any = true;
        }
    }
    return any;
}

/* The stops of a trial that friction brings about in a time that makes sense. */
static bool takes_too_long(const dt_simulation *sim)
{
    const dt_velocity_band *b = &sim->band;
    const dt_trial *kept = &sim->before_trial;
    double most = 0;
    for (int k = 0; k < sim->ns; k++) {
        const int j = sim->system.tree->nodes[sim->mechanism->stictions[k].primitive].v;
        if (b->stop[k]) {
            /* Negative or infinite: nothing else stops it. */
            const double own = -kept->v[j] / kept->a[j];
            most = fmax(most, own >= 0 ? longest * own : INFINITY);
        }
    }
    return b->impulse.duration > most;
}

/* ---- after the impulse ---- */

static void take_over(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    dt_switches_note(sim);
    memcpy(s->v, sim->band.impulse.v, (size_t)sim->nv * sizeof *s->v);
    dt_system_set_state(s, s->time, s->q, s->v);
    dt_sources_jump(sim);
    dt_system_set_state(s, s->time, s->q, s->v); /* what a branch of time decides */
}

/* ---- trials ---- */

/* The impulse that stops those who are marked, and whom it brings into their band. */
static bool push(dt_simulation *sim)
{
    dt_velocity_band *b = &sim->band;
    dt_impulse_begin(&sim->system, &b->impulse);
    do {
        if (dt_impulse_run(sim->search, &sim->system, sim->newton, b->stop, &b->impulse) !=
            DETENT_OK) {
            return false;
        }
    } while (join(sim));
    return !takes_too_long(sim);
}

/* Marks as refused whoever was stopped and does not hold, or all; returns whether there was one. */
static bool refuse(dt_simulation *sim, bool all)
{
    dt_velocity_band *b = &sim->band;
    bool any = false;
    for (int k = 0; k < sim->ns; k++) {
        if (b->stop[k] && (all || sim->system.mode[k] != DETENT_LOCKED)) {
            b->refused[k] = 1;
            any = true;
        }
    }
    return any;
}

/* Who is tried next; false where nobody is left. */
static bool mark(dt_simulation *sim)
{
    dt_velocity_band *b = &sim->band;
    bool any = false;
    for (int k = 0; k < sim->ns; k++) {
        b->stop[k] = !b->refused[k] && in_band(sim, k);
        any = any || b->stop[k];
    }
    return any;
}

/* Joints inside their band wait, those who have left it by now excepted. */
static void wait_in_band(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    for (int k = 0; k < sim->ns; k++) {
        if (has_band(sim, k) && sim->event.cause[k] == DETENT_CAUSE_STOP &&
            s->mode[k] == DETENT_UNLOCKED) {
            dt_set_mode(s, k, DETENT_WAIT, s->direction[k]);
        }
    }
}

/* The works of the impulse; what is kept has the velocities before it. */
static void account(dt_simulation *sim)
{
    const dt_velocity_band *b = &sim->band;
    const double friction =
        dt_impulse_friction_work(&sim->system, sim->before_trial.v, &b->impulse);
    sim->statistics.impact_loss -= friction;
    sim->work[DT_WORK_ACTUATION] += b->impulse.drive_work;
}

detent_status dt_velocity_band_search(dt_simulation *sim, detent_error *error)
{
    dt_velocity_band *b = &sim->band;
    if (!b->exists) {
        return dt_search_whole(sim, NULL, error);
    }
    memset(b->refused, 0, (size_t)sim->ns);
    dt_impulse_begin(&sim->system, &b->impulse);
    wait_in_band(sim);
    dt_trial_keep(sim, &sim->before_trial);
    while (mark(sim)) {
        bool accepted = push(sim);
        if (accepted) {
            take_over(sim);
            accepted = dt_search_whole(sim, NULL, error) == DETENT_OK;
            if (accepted && !refuse(sim, false)) {
                account(sim);
                return DETENT_OK;
            }
        }
        if (!accepted) {
            refuse(sim, true); /* there is no such state: nobody stops */
        }
        take_back(sim);
    }
    return dt_search_whole(sim, NULL, error);
}
