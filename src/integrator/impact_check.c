#include "integrator/impact_check.h"

#include "dynamics/closure.h"
#include "dynamics/closure_still.h"
#include "integrator/core.h"
#include "integrator/impact_flights.h"

#include <math.h>

detent_status dt_impact_check_start(const dt_simulation *sim, detent_error *error)
{
    const dt_system *s = &sim->system;
    for (int k = 0; k < sim->ns; k++) {
        const dt_stiction *stiction = &sim->mechanism->stictions[k];
        const double q = s->q[s->tree->nodes[stiction->primitive].q];
        if (stiction->stops && (q < stiction->stops->at[0] - dt_impact_hair(sim, k, 0) ||
                                q > stiction->stops->at[1] + dt_impact_hair(sim, k, 1))) {
            return dt_fail(
                error, DETENT_ERROR_MODEL, NULL,
                "the joint '%s' starts at %.9g, beyond its stop, when the loops are assembled",
                sim->mechanism->primitives[stiction->primitive].name, q);
        }
    }
    return DETENT_OK;
}

/*
 * A joint falls that much farther, and comes back that much faster, by what its position is not known: who comes as slowly as that stays at
 * the stop, be it forces or other stops that bring it there.
 */
bool dt_impact_is_slow(const dt_simulation *sim, int k, int side, double v)
{
    const int j = sim->system.tree->nodes[sim->mechanism->stictions[k].primitive].v;
    return v * v <= 32 * dt_impact_hair(sim, k, side > 0) * fabs(sim->impact.first.a[j]);
}

/* Whether a motion that moves now is tied with a node. */
static bool is_driven(const dt_system *s, int node)
{
    const int *cluster = s->closure->still->cluster;
    bool any = false;
    for (int i = 0; i < s->tree->node_count && cluster[node] >= 0 && !any; i++) {
        any =
            cluster[i] == cluster[node] && dt_is_prescribed(s, i) && s->v[s->tree->nodes[i].v] != 0;
    }
    return any;
}

/*
 * Whether joint k goes on against its stop as fast as it came there: impulses do nothing to what is
 * prescribed. A velocity of rounding beside others is none.
 */
static bool is_driven_on(const dt_simulation *sim, int k)
{
    static const double rounding = 1e-12;
    const dt_system *s = &sim->system;
    const int node = sim->mechanism->stictions[k].primitive, side = dt_system_stop_side(s, k);
    const double v = side ? dt_impact_away(sim, s->v, k, side) : 0,
                 first = side ? dt_impact_away(sim, sim->impact.first.v, k, side) : 0;
    const bool goes_on = first < 0 && v <= 0.5 * first;
    if (!goes_on || dt_impact_is_slow(sim, k, side, v)) {
        return false;
    }
    const double unit = s->closure->freedom_unit[s->tree->nodes[node].v];
    return is_driven(s, node) && -v / unit > rounding * dt_closure_fastest(s, s->v, node);
}

detent_status dt_impact_check_driven(const dt_simulation *sim, detent_error *error)
{
    const dt_system *s = &sim->system;
    for (int k = 0; k < sim->ns && s->closure; k++) {
        if (is_driven_on(sim, k)) {
            const int side = dt_system_stop_side(s, k);
            return dt_fail(error, DETENT_NO_CONSISTENT_STATE, NULL,
                           "at t = %.9g s prescribed motions drive '%s' on beyond its %s stop",
                           s->time,
                           sim->mechanism->primitives[sim->mechanism->stictions[k].primitive].name,
                           side < 0 ? "lower" : "upper");
        }
    }
    return DETENT_OK;
}
