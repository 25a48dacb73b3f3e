#include "dynamics/place.h"
#include "dynamics/arm.h"

void dt_place_motion(const dt_system *s, const dt_load *place, double p[3], double velocity[3])
{
    const double *origin = s->reference[place->part].origin;
    memcpy(p, place->point, 3 * sizeof *p);
    memset(velocity, 0, 3 * sizeof *velocity);
    if (place->node >= 0) {
        dt_motion_point(&s->motion[place->node], place->point, p);
    }
    for (int k = 0; k < 3; k++) {
        p[k] -= origin[k];
    }
    if (place->node >= 0) {
        const double *V = s->motion[place->node].V;
        dt_cross3(velocity, V, p);
        for (int k = 0; k < 3; k++) {
            velocity[k] += V[3 + k];
        }
    }
}

void dt_place_change(const dt_system *s, const dt_load *place, const double p[3], const double x[6],
                     const double dV[6], double dp[3], double dvelocity[3])
{
    double turned[3];
    dt_cross3(dp, x, p);
    dt_cross3(dvelocity, dV, p);
    for (int k = 0; k < 3; k++) {
        dp[k] += x[3 + k];
        dvelocity[k] += dV[3 + k];
    }
    dt_cross3(turned, s->motion[place->node].V, dp);
    for (int k = 0; k < 3; k++) {
        dvelocity[k] += turned[k];
    }
}

void dt_place_add_force(const double p[3], const double F[3], double wrench[6])
{
    double moment[3];
    dt_cross3(moment, p, F);
    for (int k = 0; k < 3; k++) {
        wrench[k] += moment[k];
        wrench[3 + k] += F[k];
    }
}

bool dt_place_is_between(const dt_load *a, const dt_load *b)
{
    return a->node >= 0 && b->node >= 0 && a->node != b->node;
}

void dt_place_fixed_block(const dt_system *s, int place, double *P, int nz)
{
    const dt_load *load = &s->mechanism->loads[place];
    const double *E = s->load_wrench[place];
    double point[3];
    dt_arm_of_point(s, load->node, load->point, point);
    for (int k = 0; k < 6; k++) { /* -d~E = dx x* E - ((dx at the point) x f, 0) */
        double e[6] = {0}, change[6], moved[3], moment[3];
        e[k] = 1;
        dt_cross_force(change, e, E);
        dt_cross3(moved, e, point);
        for (int j = 0; j < 3; j++) {
            moved[j] += e[3 + j];
        }
        dt_cross3(moment, moved, E + 3);
        for (int r = 0; r < 6; r++) {
            P[r * nz + 12 + k] += change[r] - (r < 3 ? moment[r] : 0);
        }
    }
}

void dt_place_unit_wrench(const dt_system *s, const dt_load *place, int component, double wrench[6])
{
    const dt_motion *m = &s->motion[place->node];
    double axis[3] = {0}, world[3], point[3];
    axis[component % 3] = 1;
    if (place->frame == DETENT_FRAME_BODY) {
        double local[3];
        dt_rotate(local, place->R, axis);
        dt_rotate(world, m->R, local);
    } else {
        memcpy(world, axis, sizeof world);
    }
    memset(wrench, 0, 6 * sizeof *wrench);
    if (component >= 3) {
        memcpy(wrench, world, sizeof world);
        return;
    }
    dt_arm_of_point(s, place->node, place->point, point);
    dt_cross3(wrench, point, world);
    memcpy(wrench + 3, world, sizeof world);
}
