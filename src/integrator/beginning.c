#include "integrator/beginning.h"
#include "dynamics/closure.h"
#include "dynamics/closure_still.h"
#include "integrator/core.h"

#include <math.h>

/* Moments are the nominal time times 2^-30 ... 2^-2: what begins is told by the first one at which it has a velocity. */
enum { FIRST_MOMENT = 30, LAST_MOMENT = 2 };

/* The velocity of a motion that stands, beside what it comes to: rounding. */
static const double no_velocity = 1e-12;

/* Motions that begin at one moment with velocities that differ by more do not begin together: one has long begun when the other does. */
static const double together = 1e4;

/* The velocity of a motion at another time; NAN: it is not known there. */
static double velocity_at(dt_system *s, int node, double later)
{
    double jet[3];
    dt_motion_jet(s, node, s->time + later, jet);
    return jet[1];
}

static double moment(const dt_simulation *sim, int k)
{
    return ldexp(sim->scale.time, -k);
}

/* Whether a motion stands now; a rounding is no velocity. */
static bool stands(dt_simulation *sim, int node)
{
    dt_system *s = &sim->system;
    const double now = fabs(s->v[s->tree->nodes[node].v]);
    double most = 0;
    for (int k = FIRST_MOMENT; k >= LAST_MOMENT && now > 0; k--) {
        most = fmax(most, fabs(velocity_at(s, node, moment(sim, k))));
    }
    return now <= no_velocity * most;
}

/* The first moment at which a motion that stands now has begun, by its number; 0: none. */
static int moment_of(dt_simulation *sim, int node)
{
    dt_system *s = &sim->system;
    if (!dt_is_prescribed(s, node) || !stands(sim, node)) {
        return 0;
    }
    for (int k = FIRST_MOMENT; k >= LAST_MOMENT; k--) {
        if (moment(sim, k) > dt_moment(sim) && velocity_at(s, node, moment(sim, k)) != 0) {
            return k;
        }
    }
    return 0;
}

/* Whether a motion begins at that moment together with one that has this velocity then. */
static bool begins_with(dt_simulation *sim, int node, int k, double velocity)
{
    const double own =
        sim->beginning[node] == k ? fabs(velocity_at(&sim->system, node, moment(sim, k))) : 0;
    return own < together * fabs(velocity) && fabs(velocity) < together * own;
}

/* The first node from `next` on whose motion begins at the moment, and with no other one before it; -1: none. */
static int find_first(dt_simulation *sim, const dt_beginning *of)
{
    for (int i = of->next; i < sim->system.tree->node_count; i++) {
        const bool begins = sim->beginning[i] == of->moment;
        const double velocity = begins ? velocity_at(&sim->system, i, moment(sim, of->moment)) : 0;
        bool seen = !begins;
        for (int j = 0; j < i && !seen; j++) {
            seen = begins_with(sim, j, of->moment, velocity);
        }
        if (!seen) {
            return i;
        }
    }
    return -1;
}

bool dt_beginning_next(dt_simulation *sim, dt_beginning *of)
{
    const int count = sim->system.closure->has_motions ? sim->system.tree->node_count : 0;
    for (int i = 0; i < count && of->moment == 0; i++) {
        sim->beginning[i] = moment_of(sim, i);
    }
    int first = of->moment > 0 ? find_first(sim, of) : -1;
    while (first < 0) {
        int next = 0;
        for (int i = 0; i < count; i++) {
            const int own = sim->beginning[i];
            next = own > next && (of->moment == 0 || own < of->moment) ? own : next;
        }
        if (next == 0) {
            return false;
        }
        of->moment = next;
        of->next = 0;
        first = find_first(sim, of);
    }
    of->next = first + 1;
    of->later = moment(sim, of->moment);
    of->velocity = velocity_at(&sim->system, first, of->later);
    return true;
}

double dt_beginning_look_ahead(dt_simulation *sim, const dt_beginning *of)
{
    dt_system *s = &sim->system;
    memcpy(sim->before_trial.a, s->v, (size_t)sim->nv * sizeof *s->v); /* velocities of now */
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const bool begins = begins_with(sim, i, of->moment, of->velocity);
        for (int v = node->v; v < node->v + node->type->nv; v++) {
            s->v[v] = begins ? velocity_at(s, i, of->later) : 0;
        }
    }
    dt_closure_follow(s);
    const double fastest = dt_closure_fastest(s, s->v, -1) * sim->scale.time;
    for (int v = 0; v < sim->nv && fastest > 0; v++) {
        s->v[v] /= fastest;
    }
    dt_closure_look_ahead(s);
    return fastest;
}

void dt_beginning_look_back(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    dt_system_set_state(s, s->time, s->q, sim->before_trial.a);
}

/* Whether the acceleration of a motion that stands now is nothing beside its velocities at all moments from that at which it has begun. */
static bool only_pauses(dt_simulation *sim, int node, int begun)
{
    static const double nothing = 1e-3;
    const dt_system *s = &sim->system;
    const double a = fabs(s->prescribed[s->tree->nodes[node].v]);
    bool pauses = begun > 0;
    for (int k = begun; k >= LAST_MOMENT && pauses; k--) {
        pauses =
            a * moment(sim, k) < nothing * fabs(velocity_at(&sim->system, node, moment(sim, k)));
    }
    return pauses;
}

bool dt_beginning_pause(dt_simulation *sim)
{
    const dt_system *s = &sim->system;
    bool any = false;
    for (int i = 0; i < s->tree->node_count && s->closure->has_motions; i++) {
        const int begun = moment_of(sim, i);
        sim->beginning[i] = begun;
        if (only_pauses(sim, i, begun)) {
            dt_closure_pause(&sim->system, s->tree->nodes[i].v);
        }
        any = any || begun > 0;
    }
    return any;
}

bool dt_beginning_takes(const dt_simulation *sim, int node)
{
    const dt_system *s = &sim->system;
    const int *cluster = s->closure->still->cluster;
    bool any = false;
    for (int i = 0; i < s->tree->node_count && !any; i++) {
        any = sim->beginning[i] > 0 && cluster[i] == cluster[node];
    }
    return any;
}
