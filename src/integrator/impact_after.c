/* What follows from the impulses of an impact: velocities and modes. */
#include "integrator/impact_after.h"

#include "integrator/beginning.h"
#include "integrator/core.h"
#include "integrator/weights.h"

#include "dynamics/closure.h"
#include "dynamics/closure_still.h"

/* The velocity of freedom j; what is left of it by rounding is none. */
static double velocity_after(const dt_impact *i, int j)
{
    const double before = i->before.v[j], change = i->d_v[j];
    return fabs(before + change) <= dt_impact_rounding * fabs(change) ? 0 : before + change;
}

/* A joint that its stop has just brought to rest: a direction that it was told, into the stop, is none any more. */
static bool is_stopped(const dt_simulation *sim, int node)
{
    const int k = sim->mechanism->primitives[node].stiction;
    return k >= 0 && sim->impact.stop[k] != 0 && sim->impact.active[k];
}

/* How much freedom v changes its velocity, in the unit of the loops. */
static double change_of(const dt_simulation *sim, const dt_system *s, int v)
{
    return fabs(sim->impact.d_v[v]) / s->closure->freedom_unit[v];
}

/*
 * Whether the impulses throw a node that was told a direction: by more than rounding makes of it in its dead centre, or of what it is tied with on a
 * base that others throw.
 */
static bool is_thrown(const dt_simulation *sim, const dt_system *s, int node)
{
    static const double rounding = 1e-9; /* of the fastest that it is tied with */
    double most = 0;
    for (int v = 0; v < s->tree->nv; v++) {
        most = fmax(most, change_of(sim, s, v));
    }
    return change_of(sim, s, s->tree->nodes[node].v) >
           fmax(rounding * dt_closure_fastest(s, s->v, node), dt_impact_rounding * most);
}

/*
 * Joints that were taken along, through their dead centres, where all that took them along has come to rest. Not those that a motion is about to. Who is thrown has
 * the velocity of that, and what he was told is no more.
 */
static void end_turning(const dt_simulation *sim, dt_system *s)
{
    const double *turning = s->closure ? s->closure->turning : NULL;
    for (int v = 0; turning && v < s->tree->nv; v++) {
        s->v[v] = turning[v] != 0 ? sim->impact.d_v[v] : s->v[v];
    }
    for (int n = 0; turning && n < s->tree->node_count; n++) {
        const int v = s->tree->nodes[n].v;
        if (s->tree->nodes[n].type->nv != 1 || turning[v] == 0) {
            continue;
        }
        const double thrown = is_thrown(sim, s, n) && !is_stopped(sim, n) ? s->v[v] : 0;
        s->v[v] = thrown;
        const bool rests = is_stopped(sim, n) || thrown != 0 ||
                           (dt_closure_fastest(s, s->v, n) == 0 && !dt_beginning_takes(sim, n));
        dt_closure_turn(s, n, rests ? 0 : turning[v]);
        s->v[v] = thrown != 0 ? thrown : s->v[v];
    }
}

void dt_impact_take_velocities(dt_simulation *sim)
{
    dt_impact *i = &sim->impact;
    dt_system *s = &sim->system;
    for (int j = 0; j < sim->nv; j++) {
        s->v[j] = velocity_after(i, j);
    }
    for (int k = 0; k < sim->ns; k++) {
        double *v = dt_velocity_of(sim, k);
        if (i->stop[k] != 0 && i->active[k]) {
            const double before = i->before.v[v - s->v];
            *v = before == 0 || i->e[k] == 0 ? 0 : -i->e[k] * before;
        }
    }
    end_turning(sim, s);
}

/*
 * Whether joint k, which had no velocity, has none after the impact: who is sent off with less than the hair h by which it is told that a joint
 * stops would have stopped, or turned round, before that is seen; and where it comes to nothing again others are sent back, without end. Where
 * flights that are none come to rest, so do those that they send off by some hairs: what is r of it after each turn would be h r / (1 - r) for
 * ever. (Who is tied is left out, for others follow from its velocity; and who has no friction, for nothing but others stops it.)
 */
static bool is_left_at_rest(const dt_simulation *sim, int k, bool stay, double old, double v)
{
    const dt_stiction *stiction = &sim->mechanism->stictions[k];
    const bool rubs = !stiction->stops || !stiction->stops->bare;
    const double hairs = stay ? dt_impact_some_hairs : 1;
    const dt_closure *ties = sim->system.closure;
    return rubs && !(ties && dt_still_reads(ties->still, stiction->primitive)) && old == 0 &&
           fabs(v) <= hairs * dt_wait_hair(sim, stiction->primitive);
}

bool dt_impact_hold_left(dt_simulation *sim, bool stay)
{
    dt_impact *i = &sim->impact;
    bool any = false;
    for (int k = 0; k < sim->ns; k++) {
        const int j = (int)(dt_velocity_of(sim, k) - sim->system.v);
        const double v = velocity_after(i, j);
        if (!i->active[k] && v != 0 && is_left_at_rest(sim, k, stay, i->before.v[j], v)) {
            i->stop[k] = 0; /* friction holds it */
            i->kept[k] = i->active[k] = i->spared = any = true;
            i->e[k] = 0;
        }
    }
    return any;
}

void dt_impact_derive_modes(dt_simulation *sim, bool stay)
{
    dt_system *s = &sim->system;
    const dt_impact *i = &sim->impact;
    for (int k = 0; k < sim->ns; k++) {
        const dt_rigid_stops *stops = sim->mechanism->stictions[k].stops;
        const double old = i->before.v[dt_velocity_of(sim, k) - s->v];
        double *own = dt_velocity_of(sim, k), v = *own;
        if (stops && stops->way * v < 0 &&
            fabs(v) <= dt_impact_rounding * fabs(i->d_v[own - s->v])) {
            /* What is left of it by rounding: a freewheel turns nobody's velocity round. */
            *own = v = 0;
        }
        if (is_left_at_rest(sim, k, stay, old, v)) {
            *own = v = 0;
        }
        if (v == 0 && old != 0) {
            dt_set_mode(s, k, DETENT_LOCKED, 0);
        } else if (v != 0 && v * old <= 0) {
            dt_set_mode(s, k, fabs(v) > dt_threshold(sim, k) ? DETENT_UNLOCKED : DETENT_WAIT,
                        v > 0 ? 1 : -1);
        } else if (s->mode[k] == DETENT_WAIT && fabs(v) > dt_threshold(sim, k)) {
            dt_set_mode(s, k, DETENT_UNLOCKED, s->direction[k]);
        } else {
            continue;
        }
        if (sim->event.cause[k] == DETENT_CAUSE_INITIAL) {
            sim->event.cause[k] = DETENT_CAUSE_IMPACT;
        }
    }
}
