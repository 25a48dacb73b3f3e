#include "analysis/equilibrium_stops.h"

#include "dynamics/closure.h"

#include <float.h>

static double *position(const dt_equilibrium_work *n, int k)
{
    const dt_system *s = n->rest.system;
    return &s->q[s->tree->nodes[s->mechanism->stictions[k].primitive].q];
}

/* Where the way of joint k ends; infinite where nothing ends it. */
static double end_of(const dt_equilibrium_work *n, int k, double way)
{
    const dt_rigid_stops *stops = n->rest.system->mechanism->stictions[k].stops;
    return !stops || way == 0 ? INFINITY : stops->at[way > 0];
}

double dt_equilibrium_way_to_stop(dt_equilibrium_work *n, double part)
{
    const dt_system *s = n->rest.system;
    n->hits = false;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const double way = n->way[s->tree->nodes[s->mechanism->stictions[k].primitive].v],
                     end = n->rest.held[k] ? INFINITY : end_of(n, k, way),
                     most = isfinite(end) ? fmax(0, (end - *position(n, k)) / way) : INFINITY;
        n->hits = n->hits || most <= part;
        part = fmin(part, most);
    }
    return part;
}

/* What positions are not known to, where a way is not straight: of the nominal one. */
static double hair(const dt_equilibrium_work *n, int k)
{
    static const double near = 1e-9;
    const dt_system *s = n->rest.system;
    return near * dt_scale_position(s->scale, s->mechanism, s->mechanism->stictions[k].primitive);
}

void dt_equilibrium_take_stops(dt_equilibrium_work *n)
{
    dt_system *s = n->rest.system;
    bool any = false;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const double way = n->way[s->tree->nodes[s->mechanism->stictions[k].primitive].v],
                     end = n->rest.held[k] ? INFINITY : end_of(n, k, way),
                     left = way > 0 ? end - *position(n, k) : *position(n, k) - end;
        if (!isfinite(end) || !(left <= (n->hits ? hair(n, k) : 0))) {
            continue;
        }
        *position(n, k) = end;
        n->rest.held[k] = n->hits = any = true;
        if (s->closure) {
            dt_closure_keep(s, s->tree->nodes[s->mechanism->stictions[k].primitive].v);
        }
    }
    if (any) {
        dt_system_set_state(s, s->time, s->q, s->v);
    }
}

bool dt_equilibrium_leave_stop(dt_equilibrium_work *n)
{
    const dt_system *s = n->rest.system;
    double most = 0;
    int worst = -1;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int j = s->tree->nodes[s->mechanism->stictions[k].primitive].v;
        const double pulls = n->rest.held[k] ? dt_system_stop_side(s, k) * s->f[k] : 0;
        if (pulls > n->rest.noise[j] && pulls / s->scale->force[j] > most) {
            most = pulls / s->scale->force[j];
            worst = k;
        }
    }
    if (worst >= 0) {
        n->rest.held[worst] = false;
    }
    return worst >= 0;
}
