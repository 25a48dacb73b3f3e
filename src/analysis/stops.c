#include "analysis/stops.h"

#include "base/error.h"
#include "dynamics/scale.h"

/* Of the nominal position: as loops are closed by the caller's guess. */
static const double near = 1e-9;

/* How far joint i may be beyond its stops. */
static double hair_of(const dt_system *s, int i)
{
    return near * dt_scale_position(s->scale, s->mechanism, i);
}

bool dt_touches_by_slack(const dt_system *s, int k)
{
    const int i = s->mechanism->stictions[k].primitive;
    const dt_rigid_stops *stops = s->mechanism->stictions[k].stops;
    const double q = s->q[s->tree->nodes[i].q], hair = hair_of(s, i);
    return stops && stops->transmission >= 0 &&
           (stops->way != 0 || q <= stops->at[0] + hair || q >= stops->at[1] - hair);
}

int dt_find_beyond_stop(const dt_system *s, int *side)
{
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int i = s->mechanism->stictions[k].primitive;
        const dt_rigid_stops *stops = s->mechanism->stictions[k].stops;
        if (!stops) {
            continue;
        }
        const double q = s->q[s->tree->nodes[i].q], hair = hair_of(s, i);
        *side = q < stops->at[0] - hair ? -1 : q > stops->at[1] + hair ? 1 : 0;
        if (*side != 0) {
            return k;
        }
    }
    return -1;
}

detent_status dt_check_stops(const dt_system *s, const char *where, detent_error *error)
{
    int side = 0;
    const int k = dt_find_beyond_stop(s, &side);
    if (k < 0) {
        return DETENT_OK;
    }
    const dt_stiction *stiction = &s->mechanism->stictions[k];
    return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                   "%s the joint '%s' is at %.9g, beyond its %s stop, at %.9g", where,
                   s->mechanism->primitives[stiction->primitive].name,
                   s->q[s->tree->nodes[stiction->primitive].q], dt_stop_word(side),
                   stiction->stops->at[side > 0]);
}
