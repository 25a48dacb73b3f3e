/* What drives have to do at the present readings, and what follows from it: multipliers, and what meshes are told from. */
#include "analysis/inverse_parts.h"

#include "dynamics/push.h"

double dt_inverse_drive(const inverse *n, int i, int d)
{
    const int k = n->system->mechanism->primitives[i].stiction;
    return n->analysis->load[d] - (k < 0 ? 0 : n->system->f[k]);
}

/* What acts along a freedom beside its drives and friction, from Q, which holds all. */
static double passive(const inverse *n, int i, int j)
{
    dt_system *s = n->system;
    const dt_primitive *p = &s->mechanism->primitives[i];
    const dt_node *node = &s->tree->nodes[i];
    if (dt_analysis_is_prescribed(s, i)) { /* Q is that of what moves by itself */
        return -p->stiffness * (s->q[node->q] - p->rest) - p->damping * s->v[j];
    }
    return s->Q[j] - dt_push_actuators(s, i);
}

void dt_inverse_read_load(inverse *n)
{
    dt_system *s = n->system;
    dt_system_forces(s);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            n->analysis->load[j] = s->tau[j] - passive(n, i, j);
        }
    }
}

double dt_inverse_update_multipliers(inverse *n, double *size)
{
    dt_system *s = n->system;
    dt_loop_solver *l = &n->analysis->loops;
    double most = 0;
    if (l->count == 0) {
        return 0;
    }
    for (int k = 0; k < l->count; k++) {
        l->x[k] = n->analysis->load[l->freedom[k]];
    }
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        for (int u = 0; u < l->count; u++) {
            l->x[u] -= l->freedom[u] == dt_inverse_freedom(s, k) ? s->f[k] : 0;
        }
    }
    dt_loop_solver_multipliers(l);
    for (int k = 0; k < l->count; k++) {
        double *multiplier = &s->multiplier[s->closure->row[k]];
        *multiplier += l->x[k];
        const double change = fabs(l->x[k]);
        most = change > most || !isfinite(change) ? change : most;
        *size = fmax(*size, fabs(*multiplier));
    }
    return most;
}

double dt_inverse_update_beside(inverse *n, double *size)
{
    dt_system *s = n->system;
    double most = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        if (!n->analysis->told[i]) {
            continue;
        }
        const int d = s->tree->nodes[i].v;
        const double own =
            dt_push_actuators(s, i) - (n->driven && n->driven[d] ? dt_inverse_drive(n, i, d) : 0);
        const double change = fabs(own - n->analysis->beside[i]);
        most = change > most || !isfinite(change) ? change : most;
        *size = fmax(*size, fmax(fabs(own), fabs(n->analysis->load[d])));
        n->analysis->beside[i] = own;
    }
    return most;
}
