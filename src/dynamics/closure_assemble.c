/* Loops closed from rough initial values: the least change of all freedoms, by Gauss and Newton. See closure.h. */
#include "dynamics/closure_parts.h"

/** The least change of all freedoms that are free, weighted, that closes what `c->x` (rows) says is open; into c->norm. */
static void least_change(dt_system *s, double length)
{
    dt_closure *c = s->closure;
    const int nv = s->tree->nv;
    /* rows are independent: x = W G' (G W G')^-1 b, with the weights W of freedoms */
    for (int a = 0; a < c->count; a++) {
        for (int b = 0; b < c->count; b++) {
            double sum = 0;
            for (int i = 0; i < s->tree->node_count; i++) {
                const dt_node *node = &s->tree->nodes[i];
                const double w = dt_closure_weight(node, length);
                for (int v = node->v; v < node->v + node->type->nv && !c->held[i]; v++) {
                    const double *column = c->G + (size_t)v * (size_t)c->rows;
                    sum += w * w * column[c->row[a]] * column[c->row[b]];
                }
            }
            c->matrix[(size_t)b * (size_t)c->count + (size_t)a] = sum;
        }
    }
    int info = 0;
    dgetrf_(&c->count, &c->count, c->matrix, &c->count, c->pivots, &info);
    dt_closure_solve(c, c->x);
    memset(c->norm, 0, (size_t)nv * sizeof *c->norm);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const double w = dt_closure_weight(node, length);
        for (int v = node->v; v < node->v + node->type->nv && !c->held[i]; v++) {
            for (int k = 0; k < c->count; k++) {
                c->norm[v] +=
                    w * w * c->G[(size_t)v * (size_t)c->rows + (size_t)c->row[k]] * c->x[k];
            }
        }
    }
}

/** One step of Gauss and Newton towards closed loops, not longer than a part of the mechanism's length. */
static void approach(dt_system *s)
{
    dt_closure *c = s->closure;
    const double length = dt_closure_reach(s);
    double largest = 0;
    dt_closure_choose(s);
    for (int k = 0; k < c->count; k++) {
        c->x[k] = -dt_closure_open(s, c->row[k]);
    }
    least_change(s, length);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int v = node->v; v < node->v + node->type->nv; v++) {
            largest = fmax(largest, fabs(c->norm[v]) * (node->type->rotational ? 1 : 1 / length));
        }
    }
    const double shorter = largest > 0.3 ? 0.3 / largest : 1;
    for (int i = 0; i < s->tree->node_count; i++) {
        for (int j = 0; j < s->tree->nodes[i].type->nv && !c->held[i]; j++) {
            dt_closure_move(s, i, j, shorter * c->norm[s->tree->nodes[i].v + j]);
        }
    }
    dt_system_pose(s);
}

/** Loop l is open by more than rounding. */
static detent_status fail_open(dt_system *s, detent_error *error)
{
    int worst = 0;
    double apart = 0, turn = 0;
    for (int l = 0; l < s->mechanism->loop_count; l++) {
        double g[6];
        dt_closure_part(s, l, g);
        if (dt_norm3(g) + dt_norm3(g + 3) > apart + turn) {
            worst = l;
            apart = dt_norm3(g);
            turn = dt_norm3(g + 3);
        }
    }
    const dt_loop *loop = &s->mechanism->loops[worst];
    return dt_fail(error, DETENT_ERROR_MODEL, NULL,
                   "the loop that joint '%s' closes cannot be assembled from these initial "
                   "positions: '%s' stays %.3g m and %.3g rad apart",
                   s->mechanism->joints[loop->joint].name, s->mechanism->bodies[loop->body].name,
                   apart, turn);
}

detent_status dt_closure_assemble(dt_system *s, detent_error *error)
{
    static const int most = 200;
    dt_closure *c = s->closure;
    c->assembles = true;
    dt_system_prescribe(s);
    dt_system_pose(s);
    for (int round = 0; round < most && dt_closure_error(s) > 1e-13 * dt_closure_reach(s);
         round++) {
        const double before = dt_closure_error(s);
        approach(s);
        if (before < 1e-10 * dt_closure_reach(s) && dt_closure_error(s) >= 0.5 * before) {
            break; /* rounding */
        }
    }
    if (!(dt_closure_error(s) <= 1e-10 * dt_closure_reach(s))) {
        return fail_open(s, error);
    }
    dt_closure_choose(s);
    c->initial_count = c->count;
    for (int k = 0; k < c->count; k++) {
        c->x[k] = 0;
        for (int v = 0; v < s->tree->nv; v++) {
            c->x[k] -= c->G[(size_t)v * (size_t)c->rows + (size_t)c->row[k]] * s->v[v];
        }
    }
    least_change(s, dt_closure_reach(s));
    for (int v = 0; v < s->tree->nv; v++) {
        s->v[v] += c->norm[v];
    }
    c->assembles = c->chosen = false;
    return DETENT_OK;
}
