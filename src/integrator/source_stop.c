/*
 * The source of stops: of a joint that moves
 *
 *   q - lower + o        upper - q + o        1 (parked) where there is no such stop
 *
 * o is the rounding of the position: who leaves a stop slowly is not sent back by that.
 *
 * Fired: the joint is put exactly where the stop is, which is what says that it stands there, and an impact follows
 * (impact.c). Others that come to theirs at the same instant take part.
 */
#include "dynamics/closure.h"
#include "integrator/impact_flights.h"
#include "integrator/source.h"
#include "integrator/stop.h"
#include "integrator/weights.h"

static int most(const dt_simulation *sim)
{
    /* asked for while a simulation is made, before there are impacts */
    return dt_impact_exists(sim->mechanism) ? 2 * sim->ns : 0;
}

static int place(dt_simulation *sim)
{
    return sim->impact.exists ? 2 * sim->core->mechanism->stiction_count : 0;
}

static double position(const dt_simulation *sim, const double *y, int k)
{
    const dt_system *s = sim->core;
    const double *q = s->closure ? s->q : dt_q_of(sim, y);
    return q[s->tree->nodes[s->mechanism->stictions[k].primitive].q];
}

/* How far it is from its stop, and the hair. */
static double left(const dt_simulation *sim, const double *y, int k, detent_side side)
{
    const double at = sim->core->mechanism->stictions[k].stops->at[side], q = position(sim, y, k);
    return (side == DETENT_LOWER ? q - at : at - q) +
           dt_impact_hair(sim, dt_whole_stiction(sim, k), (int)side);
}

static void restart(dt_simulation *sim)
{
    for (int turn = 0; turn < 2 && sim->impact.exists && sim->system.closure; turn++) {
        sim->impact.known[turn] = dt_closure_known(&sim->system, turn != 0);
    }
}

static bool evaluate(dt_simulation *sim, const double *y, double *values)
{
    const dt_system *s = sim->core;
    double(*g)[2] = dt_source_values(sim, DT_SOURCE_STOP, values);
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const dt_rigid_stops *stops = s->mechanism->stictions[k].stops;
        const bool moves = stops && s->mode[k] != DETENT_LOCKED;
        for (int side = 0; side < 2; side++) {
            g[k][side] =
                moves && isfinite(stops->at[side]) ? left(sim, y, k, (detent_side)side) : 1;
        }
    }
    return true;
}

/*
 * Near its stop a joint is known worse inside a step than at its ends, and in a loop, where it may follow from others, by no more than what
 * the error test allows: one that moves away from it has not come to it.
 */
static bool is_noise(const dt_simulation *sim, dt_root root)
{
    const dt_system *s = sim->core;
    const int node = s->mechanism->stictions[root.item].primitive;
    const double v = s->closure ? s->v[s->tree->nodes[node].v] /* that of y is a guess */
                                : dt_v_of(sim, sim->y)[s->tree->nodes[node].v];
    const int whole = dt_whole_stiction(sim, root.item);
    const double tolerance = dt_position_tolerance(sim, sim->mechanism->stictions[whole].primitive,
                                                   position(sim, sim->y, root.item));
    const bool away = root.which == DETENT_LOWER ? v > 0 : v < 0;
    return away &&
           (!s->closure || -left(sim, sim->y, root.item, (detent_side)root.which) <= tolerance);
}

static int unknown(const dt_simulation *sim, dt_root root)
{
    const dt_system *s = sim->core;
    const dt_stiction *stiction = &s->mechanism->stictions[root.item];
    return s->mode[root.item] == DETENT_LOCKED || s->closure || !stiction->stops ||
                   isinf(stiction->stops->at[root.which])
               ? -1
               : sim->blocks.offset[DT_BLOCK_POSITIONS] + s->tree->nodes[stiction->primitive].q;
}

static void each(dt_simulation *sim, bool velocities, dt_visit *visit, void *user)
{
    for (int k = 0; k < dt_source_items(sim, DT_SOURCE_STOP) && !velocities; k++) {
        if (sim->core->mode[k] != DETENT_LOCKED) {
            visit(sim, DT_SOURCE_STOP, k, user);
        }
    }
}

/* ---- events ---- */

static int pairs(const dt_system *whole)
{
    return dt_impact_exists(whole->mechanism) ? whole->mechanism->stiction_count : 0;
}

static int *fired_pair(const dt_simulation *sim, int item)
{
    return dt_fired(sim, DT_SOURCE_STOP, dt_whole_stiction(sim, item));
}

static bool report(dt_simulation *sim, const int *watched)
{
    for (int k = 0; k < dt_source_items(sim, DT_SOURCE_STOP); k++, watched += 2) {
        memcpy(fired_pair(sim, k), watched, 2 * sizeof *watched);
    }
    return true;
}

static void follow(dt_simulation *sim, dt_occasion *what)
{
    for (int k = 0; k < sim->ns && sim->impact.exists; k++) {
        int *fired = dt_fired(sim, DT_SOURCE_STOP, k);
        const double v = *dt_velocity_of(sim, k);
        fired[0] = v > 0 ? 0 : fired[0]; /* it moves away from that */
        fired[1] = v < 0 ? 0 : fired[1];
        if (dt_has_fired(fired)) {
            dt_impact_arrive(sim, k, fired[0] ? DETENT_LOWER : DETENT_UPPER);
            sim->event.cause[k] = DETENT_CAUSE_IMPACT;
            what->search = true;
            what->others = DETENT_CAUSE_SEARCH;
        }
    }
}

/* ---- storms ---- */

static int participants(const dt_simulation *sim)
{
    return dt_impact_exists(sim->mechanism) ? sim->ns : 0;
}

static const char *name(const dt_simulation *sim, int k)
{
    const detent_mechanism *m = sim->mechanism;
    return m->primitives[m->stictions[k].primitive].name;
}

static void count(const dt_simulation *sim, unsigned char *times)
{
    for (int k = 0; k < participants(sim); k++) {
        times[k] = (unsigned char)(times[k] + dt_has_fired(dt_fired(sim, DT_SOURCE_STOP, k)));
    }
}

const dt_source_row dt_source_stop = {.most = most,
                                      .place = place,
                                      .restart = restart,
                                      .evaluate = evaluate,
                                      .unknown = unknown,
                                      .each = each,
                                      .pairs = pairs,
                                      .fired = fired_pair,
                                      .report = report,
                                      .follow = follow,
                                      .doubtful = true,
                                      .is_noise = is_noise,
                                      .keeps_inside = true,
                                      .noun = "stop of joint",
                                      .longest_name = 80,
                                      .participants = participants,
                                      .name = name,
                                      .count = count};
