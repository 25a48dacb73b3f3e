#include "dynamics/tangent_rows.h"

#include "dynamics/element.h"
#include "dynamics/tie.h"

void dt_tangent_clear(dt_tangent *t, const dt_system *s)
{
    const size_t nv = (size_t)s->tree->nv;
    memset(t->dphi, 0, nv * sizeof *t->dphi);
    memset(t->dv, 0, nv * sizeof *t->dv);
    memset(t->da, 0, nv * sizeof *t->da);
    memset(t->df, 0, (size_t)s->mechanism->stiction_count * sizeof *t->df);
    memset(t->dm, 0, (size_t)dt_tie_rows(s->mechanism) * sizeof *t->dm);
    memset(t->dz, 0, (size_t)s->mechanism->state_count * sizeof *t->dz);
    memset(t->di, 0, (size_t)dt_given_count(s->mechanism) * sizeof *t->di);
}

/* dq = q o dphi / 2, less what changes the length of q. */
void dt_tangent_turn(dt_tangent *t, const dt_system *s, int i, const double dq[4])
{
    const dt_node *node = &s->tree->nodes[i];
    const double *q = s->q + node->q;
    const double qq = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    double cross[3];
    dt_cross3(cross, q + 1, dq + 1);
    for (int j = 0; j < 3; j++) {
        t->dphi[node->v + j] = 2 * (q[0] * dq[1 + j] - dq[0] * q[1 + j] - cross[j]) / qq;
    }
}

void dt_tangent_rows(dt_tangent *t, dt_system *s, double *r_v, double *r_f)
{
    dt_tangent_inverse(t, s);
    memset(t->apart, 0, (size_t)s->tree->nv * sizeof *t->apart);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; j < node->v + node->type->nv && !dt_is_prescribed(s, i); j++) {
            r_v[j] = t->dtau[j];
        }
    }
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        if (dt_elements[k]->add_changes && dt_element_acts(s, k)) {
            dt_elements[k]->add_changes(t, s, dt_elements[k]->apart ? t->apart : r_v);
        }
    }
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        if (node->type->nv == 1 && !dt_is_prescribed(s, i)) {
            r_v[node->v] += t->apart[node->v];
        }
    }
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        if (dt_elements[k]->friction_rows) {
            dt_elements[k]->friction_rows(t, s, r_v, r_f);
        }
    }
    dt_tie_changes(t, s, r_f + s->mechanism->stiction_count);
}

void dt_tangent_states(dt_tangent *t, dt_system *s, double c, double *r_z)
{
    for (int k = 0; k < s->mechanism->state_count; k++) {
        r_z[k] = c * t->dz[k] - dt_tangent_law(t, s, dt_rate_law(s, k), 0);
    }
}
