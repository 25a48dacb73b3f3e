/* Joints that stop at an event: velocities that are zero up to the instant become zero. */
#include "integrator/stop.h"

#include "dynamics/closure.h"
#include "integrator/core.h"
#include "integrator/weights.h"

/* The state of a moment later, or earlier. */
static void shift(dt_simulation *sim, double h)
{
    dt_system *s = &sim->system;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        double rates[4];
        if (node->type->nq > 0) {
            node->type->rate(s->q + node->q, s->v + node->v, rates);
        }
        for (int j = 0; j < node->type->nq; j++) {
            s->q[node->q + j] += h * rates[j];
        }
    }
    for (int j = 0; j < sim->nv; j++) {
        s->v[j] += s->v[j] != 0 ? h * s->a[j] : 0; /* what is at rest is not to move back */
    }
}

static bool is_first_to_stop(const dt_simulation *sim)
{
    return !memchr(sim->event.cause, DETENT_CAUSE_STOP, (size_t)sim->ns);
}

void dt_stop(dt_simulation *sim, int k)
{
    const dt_system *s = &sim->system;
    double *v = dt_velocity_of(sim, k);
    const double h = -*v / s->a[v - s->v];
    if (s->closure && fabs(h) <= dt_moment(sim) && is_first_to_stop(sim)) {
        shift(sim, h);
    }
    *v = 0;
    sim->event.cause[k] = DETENT_CAUSE_STOP;
}

/*
 * Two joints may come to rest together by stops that follow each other ever faster, each turning the other one back, without end. Where
 * both are slower than a joint may be beyond zero unseen, they are there.
 */
static bool has_come_to_rest(dt_simulation *sim, int k)
{
    const int node = sim->mechanism->stictions[k].primitive;
    return sim->storm.hurries && sim->system.mode[k] == DETENT_WAIT &&
           fabs(*dt_velocity_of(sim, k)) <= 2 * dt_wait_hair(sim, node);
}

void dt_stop_all(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    const double moment = dt_moment(sim);
    for (int k = 0; k < sim->ns; k++) {
        const double v = *dt_velocity_of(sim, k);
        if (s->mode[k] == DETENT_LOCKED) {
            continue;
        }
        const dt_rigid_stops *stops = sim->mechanism->stictions[k].stops;
        if (stops && stops->bare && v != 0) { /* it has turned round unseen */
            dt_set_mode(s, k, DETENT_UNLOCKED, v > 0 ? 1 : -1);
            continue;
        }
        const bool slow = fabs(v) <= 2 * dt_wait_hair(sim, sim->mechanism->stictions[k].primitive);
        /* a freewheel that turns back by what waiting allows stops; faster, and it is an impact */
        const int way = stops && stops->way != 0 && slow ? stops->way : s->direction[k];
        const double sv = way * *dt_velocity_of(sim, k),
                     sa = way * s->a[s->tree->nodes[sim->mechanism->stictions[k].primitive].v];
        if (sv != 0 && (sv < 0 || (sa < 0 && sv <= -sa * moment) || has_come_to_rest(sim, k))) {
            *dt_velocity_of(sim, k) = 0;
            sim->event.cause[k] = DETENT_CAUSE_STOP;
        }
        if (s->closure && *dt_velocity_of(sim, k) == 0) { /* others follow from that */
            dt_closure_keep(s, (int)(dt_velocity_of(sim, k) - s->v));
        }
    }
}
