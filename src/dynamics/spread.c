#include "dynamics/spread.h"
#include "dynamics/arm.h"

#include <math.h>

bool dt_spread_create(dt_arena *arena, const dt_system *whole, dt_spread *spread)
{
    const size_t n = (size_t)whole->tree->node_count, loads = (size_t)whole->mechanism->load_count;
    *spread = (dt_spread){.motion = dt_arena_alloc(arena, n, sizeof *spread->motion),
                          .load = dt_arena_alloc(arena, loads, sizeof *spread->load),
                          .A = dt_arena_alloc(arena, n, sizeof *spread->A),
                          .F = dt_arena_alloc(arena, n, sizeof *spread->F)};
    return spread->motion && spread->load && spread->A && spread->F;
}

void dt_spread_clear(const dt_system *s, dt_spread *spread)
{
    memset(spread->gravity, 0, sizeof spread->gravity);
    memset(spread->motion, 0, (size_t)s->tree->node_count * sizeof *spread->motion);
}

/* ---- absolute values ---- */

void dt_spread_add_cross(double out[3], const double a[3], const double b[3])
{
    out[0] += fabs(a[1]) * b[2] + fabs(a[2]) * b[1];
    out[1] += fabs(a[2]) * b[0] + fabs(a[0]) * b[2];
    out[2] += fabs(a[0]) * b[1] + fabs(a[1]) * b[0];
}

void dt_spread_turn(double out[3], const double R[9], bool back, const double b[3])
{
    for (int r = 0; r < 3; r++) {
        out[r] = 0;
        for (int c = 0; c < 3; c++) {
            out[r] += fabs(R[back ? 3 * c + r : 3 * r + c]) * b[c];
        }
    }
}

/* out += |I| a */
static void add_inertial(double out[6], const dt_inertia *I, const double a[6])
{
    const double *J = I->J;
    out[0] += fabs(J[0]) * a[0] + fabs(J[3]) * a[1] + fabs(J[4]) * a[2];
    out[1] += fabs(J[3]) * a[0] + fabs(J[1]) * a[1] + fabs(J[5]) * a[2];
    out[2] += fabs(J[4]) * a[0] + fabs(J[5]) * a[1] + fabs(J[2]) * a[2];
    dt_spread_add_cross(out, I->h, a + 3);
    dt_spread_add_cross(out + 3, I->h, a);
    for (int k = 3; k < 6; k++) {
        out[k] += fabs(I->m) * a[k];
    }
}

void dt_spread_place_load(const dt_load *load, const double R[9], const double r[3],
                          const double components[6], double out[6])
{
    double force[3], torque[3], own[3];
    memcpy(force, components, sizeof force);
    memcpy(torque, components + 3, sizeof torque);
    if (load->frame == DETENT_FRAME_BODY) {
        dt_spread_turn(own, load->R, false, components);
        dt_spread_turn(force, R, false, own);
        dt_spread_turn(own, load->R, false, components + 3);
        dt_spread_turn(torque, R, false, own);
    }
    memcpy(out, torque, sizeof torque);
    memcpy(out + 3, force, sizeof force);
    dt_spread_add_cross(out, r, force);
}

/* ---- the sweeps ---- */

void dt_spread_load(const dt_system *s, const dt_spread *spread, int l, double out[6])
{
    const dt_load *load = &s->mechanism->loads[l];
    double r[3];
    dt_arm_of_point(s, load->node, load->point, r);
    dt_spread_place_load(load, s->motion[load->node].R, r, spread->load[l], out);
}

void dt_spread_sweep(const dt_system *s, dt_spread *spread)
{
    const dt_tree *tree = s->tree;
    const double ground[6] = {0, 0, 0, spread->gravity[0], spread->gravity[1], spread->gravity[2]};
    for (int i = 0; i < tree->node_count; i++) {
        const dt_node *node = &tree->nodes[i];
        dt_copy6(spread->A[i], node->parent < 0 ? ground : spread->A[node->parent]);
        for (int k = 0; k < 6 && spread->motion[i] > 0; k++) {
            spread->A[i][k] += fabs(s->motion[i].S[0][k]) * spread->motion[i];
        }
        memset(spread->F[i], 0, sizeof spread->F[i]);
        add_inertial(spread->F[i], &s->motion[i].I, spread->A[i]);
    }
    for (int l = 0; l < s->mechanism->load_count; l++) {
        double wrench[6];
        dt_spread_load(s, spread, l, wrench);
        dt_add6(spread->F[s->mechanism->loads[l].node], wrench);
    }
    for (int i = tree->node_count - 1; i >= 0; i--) {
        if (tree->nodes[i].parent >= 0) {
            dt_add6(spread->F[tree->nodes[i].parent], spread->F[i]);
        }
    }
}

double dt_spread_force(const dt_system *s, const dt_spread *spread, int node)
{
    double sum = 0;
    for (int k = 0; k < 6; k++) {
        sum += fabs(s->motion[node].S[0][k]) * spread->F[node][k];
    }
    return sum;
}

void dt_spread_reaction(const dt_system *s, const dt_spread *spread, int node, double *force,
                        double *torque)
{
    const double *F = spread->F[node];
    double r[3], moment[3] = {F[0], F[1], F[2]};
    dt_arm(s, node, r);
    dt_spread_add_cross(moment, r, F + 3);
    *force = dt_norm3(F + 3);
    *torque = dt_norm3(moment);
}
