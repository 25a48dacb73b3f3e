#include "analysis/joint_space.h"

#include "dynamics/crba.h"
#include "dynamics/rnea.h"
#include "math/vec3.h"

#include <string.h>

bool dt_joint_space_mass(dt_arena *arena, const dt_system *s, double *M)
{
    dt_inertia *composite = dt_arena_alloc(arena, (size_t)s->tree->node_count, sizeof *composite);
    if (composite) {
        dt_crba(s->tree, s->motion, composite, M);
    }
    return composite != NULL;
}

bool dt_joint_space_inverse(dt_arena *arena, const dt_system *s, const double *a, bool moving,
                            double *tau)
{
    const size_t nodes = (size_t)s->tree->node_count, nv = (size_t)s->tree->nv;
    double(*A)[6] = dt_arena_alloc(arena, nodes, sizeof *A);
    double(*F)[6] = dt_arena_alloc(arena, nodes, sizeof *F);
    double *none = dt_arena_alloc(arena, nv, sizeof *none);
    dt_motion *motion = dt_arena_alloc(arena, nodes, sizeof *motion);
    if (!A || !F || !none || !motion) {
        return false;
    }
    memcpy(motion, s->motion, nodes * sizeof *motion);
    if (!moving) {
        dt_motion_velocity(s->tree, none, motion);
    }
    dt_rnea(s->tree, motion, s->gravity, a ? a : none, NULL, A, F, tau);
    return true;
}

/* Where a point of a body is, from the origin of its node's spatial vectors. */
static void arm_of(const dt_system *s, const dt_body *body, const double point[3], double arm[3])
{
    const dt_motion *motion = &s->motion[body->node];
    const double *origin = s->reference[s->tree->nodes[body->node].part].origin;
    double own[3], turned[3], world[3];
    dt_rotate(turned, body->pose->R, point);
    for (int k = 0; k < 3; k++) {
        own[k] = body->pose->p[k] + turned[k];
    }
    dt_motion_point(motion, own, world);
    for (int k = 0; k < 3; k++) {
        arm[k] = world[k] - origin[k];
    }
}

/* A spatial vector (angular, linear) as linear, angular of the point at `arm`. */
static void at_point(const double spatial[6], const double arm[3], double linear[3],
                     double angular[3])
{
    double turn[3];
    dt_cross3(turn, spatial, arm);
    for (int k = 0; k < 3; k++) {
        linear[k] = spatial[3 + k] + turn[k];
        angular[k] = spatial[k];
    }
}

void dt_joint_space_jacobian(const dt_system *s, int index, const double point[3], double *J)
{
    const dt_body *body = &s->mechanism->bodies[index];
    const size_t nv = (size_t)s->tree->nv;
    double arm[3], column[2][3];
    memset(J, 0, 6 * nv * sizeof *J);
    arm_of(s, body, point, arm);
    for (int i = body->node; i >= 0; i = s->tree->nodes[i].parent) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = 0; j < node->type->nv; j++) {
            at_point(s->motion[i].S[j], arm, column[0], column[1]);
            for (size_t row = 0; row < 6; row++) {
                J[row * nv + (size_t)(node->v + j)] = column[row / 3][row % 3];
            }
        }
    }
}

void dt_joint_space_jacobian_rate(const dt_system *s, int index, const double point[3],
                                  double rate[6])
{
    const dt_body *body = &s->mechanism->bodies[index];
    const double *V = s->motion[body->node].V;
    double arm[3], A[6] = {0}, velocity[3], turn[3];
    arm_of(s, body, point, arm);
    for (int i = body->node; i >= 0; i = s->tree->nodes[i].parent) {
        double c[6];
        dt_motion_bias(s->tree, s->motion, i, c);
        dt_add6(A, c);
    }
    at_point(A, arm, rate, rate + 3);
    at_point(V, arm, velocity, turn); /* the point passes places that a spatial vector stays at */
    dt_cross3(turn, V, velocity);
    for (int k = 0; k < 3; k++) {
        rate[k] += turn[k];
    }
}
