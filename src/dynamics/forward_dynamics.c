/* Accelerations of given modes: by articulated bodies where no law reads what they determine, else solved for (accelerations.c). */
#include "dynamics/newton_parts.h"

/* Forces of the free freedoms; marks the held nodes. */
static void known_forces(dt_newton *n, dt_system *s)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const int k = s->mechanism->primitives[i].stiction;
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            n->tau[j] = s->Q[j];
        }
        n->held[i] = dt_is_prescribed(s, i);
        if (k < 0) {
            continue;
        }
        if (s->mode[k] == DETENT_LOCKED) {
            n->held[i] = 1;
        } else {
            s->f[k] = dt_system_moving_friction(s, k);
            n->tau[node->v] += s->f[k];
        }
    }
}

/* Takes over what the articulated bodies found: A, F, tau, and the friction of locked joints. */
static void take_over(dt_newton *n, dt_system *s)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        const int k = s->mechanism->primitives[i].stiction;
        dt_copy6(s->A[i], n->aba.node[i].A);
        dt_copy6(s->F[i], n->aba.node[i].F);
        if (k >= 0 && s->mode[k] == DETENT_LOCKED) {
            s->f[k] = s->tau[s->tree->nodes[i].v] - s->Q[s->tree->nodes[i].v];
        }
    }
}

detent_status dt_forward_dynamics(dt_newton *n, dt_system *s, detent_error *error)
{
    if (!n->explicit_laws) {
        return dt_solve_accelerations(n, s, NULL, error);
    }
    dt_system_wrenches(s); /* explicit: none reads reactions */
    dt_system_forces(s);
    known_forces(n, s);
    int node = dt_aba_factor(s->tree, s->motion, n->held, NULL, &n->aba);
    if (node >= 0) {
        return dt_newton_singular(s, node, error);
    }
    dt_aba_load load = {.tau = n->tau,
                        .held_a = s->prescribed,
                        .bias = true,
                        .external = (const double(*)[6])s->external};
    memcpy(load.gravity, s->gravity, sizeof load.gravity);
    dt_aba_solve(s->tree, s->motion, &load, &n->aba, s->a, s->tau);
    take_over(n, s);
    return DETENT_OK;
}
