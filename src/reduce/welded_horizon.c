/* The part of the horizon (integrator/horizon.c) that welded joints have: whether time takes them past their limits. */
#include "reduce/group_spread.h"
#include "reduce/welded.h"

#include <math.h>

void dt_welded_spread(dt_simulation *sim)
{
    dt_welded *inside = sim->reduction.inside;
    const dt_horizon_state *hz = &sim->horizon;
    const dt_spread *const spread[3] = {&hz->value, &hz->rate, &hz->bend};
    for (int k = 0; k < 3; k++) {
        dt_spread_bundles(&inside->welding, spread[k], inside->spread[k]);
    }
}

/* Of the friction of a welded joint: |k| . motion + |S| . wrench. */
static double spread_of(const double *k, const double *S, const double motion[6],
                        const double *wrench)
{
    double total = 0;
    for (int j = 0; j < 6; j++) {
        total += fabs(k[j]) * motion[j] + (wrench ? fabs(S[j]) * wrench[j] : 0);
    }
    return total;
}

static dt_drift drift_of(const dt_simulation *sim, int k)
{
    const dt_welding *w = dt_welding_of(sim);
    const dt_welded_joint *joint = dt_welding_joint(w, k);
    const dt_horizon_state *hz = &sim->horizon;
    const dt_welded *inside = sim->reduction.inside;
    const dt_spread *const spread[3] = {&hz->value, &hz->rate, &hz->bend};
    const int c = joint->carrier < 0 ? -1 : w->number[joint->carrier];
    double drift[3];
    for (int j = 0; j < 3; j++) {
        double motion[6];
        dt_spread_group(w, spread[j], c, motion);
        drift[j] = spread_of(joint->k, joint->S, motion,
                             joint->bundle < 0 ? NULL : inside->spread[j][joint->bundle]);
    }
    return (dt_drift){drift[0], drift[0], drift[1], drift[2]};
}

static bool joint_passes(dt_simulation *sim, dt_horizon_trial *step, int k)
{
    const dt_welded *inside = sim->reduction.inside;
    const double *limits = dt_welding_joint(dt_welding_of(sim), k)->limits;
    const double f0 = inside->friction0[k],
                 f1 = step->end ? dt_welding_friction(dt_welding_of(sim), k) : f0;
    const dt_drift drift = drift_of(sim, k);
    bool pass = true;
    for (int which = 0; which < 2 && pass; which++) {
        pass = dt_horizon_passes(step, sim->horizon.moves, dt_welded_root(sim, k, which, f0),
                                 dt_welded_root(sim, k, which, f1), drift,
                                 dt_roots_hair(sim, k, limits));
    }
    return pass;
}

/* Whether a block is so far from its limits that nothing has to be asked of its joints. */
static bool block_is_far(const dt_simulation *sim, const dt_welded_block *block)
{
    const dt_welded *inside = sim->reduction.inside;
    const dt_welding *w = dt_welding_of(sim);
    const dt_welded_joint *first = dt_welding_joint(w, block->first);
    const dt_welded_bounds *bounds =
        block->bounds < 0 ? NULL : &dt_welded_roots_of(sim)->bounds[block->bounds];
    const int c = first->carrier < 0 ? -1 : w->number[first->carrier];
    double motion[6];
    if (!bounds) {
        return false;
    }
    dt_spread_group(w, &sim->horizon.value, c, motion);
    const double drift = spread_of(bounds->most_k, bounds->most_S, motion,
                                   first->bundle < 0 ? NULL : inside->spread[0][first->bundle]);
    return drift < 0.5 * (bounds->margin - dt_welded_movement(sim, block));
}

bool dt_welded_passes(dt_simulation *sim, dt_horizon_trial *step)
{
    dt_welded *inside = sim->reduction.inside;
    const dt_welded_roots *r = dt_welded_roots_of(sim);
    if (!sim->horizon.loads) {
        return true;
    }
    for (int b = 0; b < r->block_count; b++) {
        const dt_welded_block *block = &r->block[r->list[b]];
        if (!step->end && block_is_far(sim, block)) {
            continue;
        }
        int k = block->first;
        for (int j = 0; j < block->count; j++, k = dt_welding_joint(dt_welding_of(sim), k)->next) {
            if (!step->end) {
                inside->friction0[k] = dt_welding_friction(dt_welding_of(sim), k);
            }
            if (!joint_passes(sim, step, k)) {
                return false;
            }
        }
    }
    return true;
}
