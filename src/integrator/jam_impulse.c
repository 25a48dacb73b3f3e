/*
 * The impulse L by which a joint k stops, and those of the stops that others are pressed against by it:
 *
 *   M (v' - v) = S L + G' m,    G v' = 0,    v'_k = 0,    side L_c <= 0,    side v'_c <= 0,    L_c v'_c = 0  of each stop c
 *
 * Which stops push is found by exchanging one at a time, the one that is most wrong; nearly always none does. Turns and torques are measured by the
 * length of the mechanism beside ways and forces.
 */
#include "integrator/jam_impulse.h"

#include "dynamics/closure.h"
#include "integrator/core.h"
#include "integrator/impact_flights.h"

/* Of the velocities and impulses of stops: what is as small as that beside the largest is not wrong. */
static const double rounding = 1e-12;

/* The impulses of those that are stopped. */
static bool solve(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    dt_jam *jam = &sim->jam;
    memset(jam->r_v, 0, (size_t)sim->nv * sizeof *jam->r_v);
    memset(jam->r_f, 0, (size_t)sim->ns * sizeof *jam->r_f);
    memset(jam->r_m, 0, (size_t)dt_tie_rows(sim->mechanism) * sizeof *jam->r_m);
    for (int c = 0; c < sim->ns; c++) { /* no other friction has an impulse */
        dt_set_mode(s, c, jam->stops[c] ? DETENT_LOCKED : DETENT_WAIT, 0);
        jam->r_f[c] = jam->stops[c] ? *dt_velocity_of(sim, c) : 0;
    }
    dt_system_set_state(s, s->time, s->q, s->v);
    dt_system_set_acceleration(s, s->a, s->f);
    if (s->closure) {
        dt_closure_refresh(s);
    }
    if (dt_newton_factor(sim->newton, s, DT_NEWTON_ACCELERATION, 0, NULL) != DETENT_OK) {
        return false;
    }
    const dt_unknowns r = {.v = jam->r_v, .f = jam->r_f, .m = jam->r_m},
                      d = {.v = jam->d_v, .f = jam->d_f, .m = jam->d_m};
    dt_newton_solve(sim->newton, s, &r, &d);
    double sum = 0;
    for (int j = 0; j < sim->nv; j++) {
        sum += 0 * jam->d_v[j];
    }
    return sum == 0;
}

/* The length by which what joint c turns, and a torque there, are measured, m; 1 of ways. */
static double lever(const dt_simulation *sim, int c)
{
    const dt_node *node = &sim->system.tree->nodes[sim->mechanism->stictions[c].primitive];
    return node->type->rotational ? sim->scale.length : 1;
}

/* By how much the stop of joint c is wrong, as a part of what is largest: it pulls, or lets the joint through. */
static double off(const dt_simulation *sim, int c, double fastest, double strongest)
{
    const dt_system *s = &sim->system;
    const dt_jam *jam = &sim->jam;
    const int side = dt_system_stop_side(s, c),
              j = s->tree->nodes[sim->mechanism->stictions[c].primitive].v;
    return side == 0       ? 0
           : jam->stops[c] ? (strongest > 0 ? side * jam->d_f[c] / lever(sim, c) / strongest : 0)
           : fastest > 0   ? side * (s->v[j] + jam->d_v[j]) * lever(sim, c) / fastest
                           : 0;
}

/* The stop that is most wrong; -1: none is. */
static int find_wrong(const dt_simulation *sim, int k)
{
    const dt_system *s = &sim->system;
    double fastest = 0, strongest = 0, most = rounding;
    int worst = -1;
    for (int c = 0; c < sim->ns; c++) {
        const int j = s->tree->nodes[sim->mechanism->stictions[c].primitive].v;
        const bool is_stop = c != k && dt_system_stop_side(s, c) != 0;
        if (is_stop) {
            fastest = fmax(fastest, fmax(fabs(s->v[j]), fabs(sim->jam.d_v[j])) * lever(sim, c));
        }
        if (is_stop && sim->jam.stops[c]) {
            strongest = fmax(strongest, fabs(sim->jam.d_f[c]) / lever(sim, c));
        }
    }
    for (int c = 0; c < sim->ns; c++) {
        const double wrong = c == k ? 0 : off(sim, c, fastest, strongest);
        worst = wrong > most ? c : worst;
        most = fmax(most, wrong);
    }
    return worst;
}

bool dt_jam_impulse(dt_simulation *sim, int k)
{
    memset(sim->jam.stops, 0, (size_t)sim->ns * sizeof *sim->jam.stops);
    sim->jam.stops[k] = true;
    for (int round = 0; round < 20 + 4 * sim->ns && solve(sim); round++) {
        const int wrong = find_wrong(sim, k);
        if (wrong < 0) {
            return true;
        }
        sim->jam.stops[wrong] = !sim->jam.stops[wrong];
    }
    return false;
}
