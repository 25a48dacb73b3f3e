/* Loops closed from anywhere: the least change of all freedoms, by Gauss and Newton. See closure.h. */
#include "dynamics/closure_local.h"
#include "dynamics/closure_parts.h"

/* The same cluster by cluster. */
static void least_change_local(dt_system *s, double length)
{
    dt_closure *c = s->closure;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int v = node->v; v < node->v + node->type->nv; v++) {
            c->weight[v] = c->held[i] ? 0 : c->ease[i] * dt_closure_weight(node, length);
        }
    }
    dt_closure_local_normal(s, c->weight);
    dt_closure_solve(c, c->x, true);
    dt_closure_local_back(s, c->x, c->norm);
    for (int v = 0; v < s->tree->nv; v++) {
        c->norm[v] *= c->weight[v] * c->weight[v];
    }
}

/* The least change of all freedoms that are free, weighted, that closes what `c->x` (rows) says is open; into c->norm. */
static void least_change(dt_system *s, double length)
{
    dt_closure *c = s->closure;
    const int nv = s->tree->nv;
    if (c->local) {
        least_change_local(s, length);
        return;
    }
    /* rows are independent: x = W G' (G W G')^-1 b, with the weights W of freedoms */
    for (int a = 0; a < c->count; a++) {
        for (int b = 0; b < c->count; b++) {
            double sum = 0;
            for (int i = 0; i < s->tree->node_count; i++) {
                const dt_node *node = &s->tree->nodes[i];
                const double w = c->ease[i] * dt_closure_weight(node, length);
                for (int v = node->v; v < node->v + node->type->nv && !c->held[i]; v++) {
                    const double *column = c->G + (size_t)v * (size_t)c->rows;
                    sum += w * w * column[c->row[a]] * column[c->row[b]];
                }
            }
            c->matrix[(size_t)b * (size_t)c->count + (size_t)a] =
                c->row_unit[c->row[a]] * c->row_unit[c->row[b]] * sum;
        }
    }
    int info = 0;
    if (c->count > 0) {
        dgetrf_(&c->count, &c->count, c->matrix, &c->count, c->pivots, &info);
    }
    dt_closure_solve(c, c->x, true);
    memset(c->norm, 0, (size_t)nv * sizeof *c->norm);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const double w = c->ease[i] * dt_closure_weight(node, length);
        for (int v = node->v; v < node->v + node->type->nv && !c->held[i]; v++) {
            for (int k = 0; k < c->count; k++) {
                c->norm[v] +=
                    w * w * c->G[(size_t)v * (size_t)c->rows + (size_t)c->row[k]] * c->x[k];
            }
        }
    }
}

/* One step of Gauss and Newton towards closed loops, not longer than c->stride. False, and none is made, where that is no number. */
static bool approach(dt_system *s)
{
    dt_closure *c = s->closure;
    const double length = dt_closure_reach(s);
    double largest = 0, sum = 0;
    dt_closure_choose(s);
    for (int k = 0; k < c->count; k++) {
        c->x[k] = -dt_closure_open(s, c->row[k]);
    }
    least_change(s, length);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int v = node->v; v < node->v + node->type->nv; v++) {
            const double own = node->type->rotational ? 1 : 1 / length;
            largest = fmax(largest, fabs(c->norm[v]) * own / c->lever[i]);
            sum += 0 * c->norm[v];
        }
    }
    if (sum != 0) {
        return false;
    }
    const double shorter = largest > c->stride ? c->stride / largest : 1;
    for (int i = 0; i < s->tree->node_count; i++) {
        for (int j = 0; j < s->tree->nodes[i].type->nv && !c->held[i]; j++) {
            dt_closure_move(s, i, j, shorter * c->norm[s->tree->nodes[i].v + j]);
        }
    }
    dt_system_pose(s);
    return true;
}

bool dt_closure_close(dt_system *s, int most)
{
    dt_closure *c = s->closure;
    const size_t bytes = (size_t)s->tree->nq * sizeof *s->q;
    double error = dt_closure_error(s), least = error;
    memcpy(c->before, s->q, bytes);
    for (int round = 0; round < most && error > 1e-15 * dt_closure_reach(s) && approach(s);
         round++) {
        const double before = error;
        error = dt_closure_error(s);
        c->rounds++;
        if (error < least) {
            least = error;
            memcpy(c->before, s->q, bytes);
        }
        if (before < 1e-10 * dt_closure_reach(s) && error >= 0.5 * before) {
            break; /* rounding */
        }
    }
    const bool closes = error <= 1e-10 * dt_closure_reach(s);
    if (!closes && !(error <= 2 * least)) { /* it ran away from where it came nearest */
        memcpy(s->q, c->before, bytes);
        dt_system_pose(s);
    }
    return closes;
}

void dt_closure_close_velocities(dt_system *s)
{
    dt_closure *c = s->closure;
    if (c->local) {
        dt_closure_local_product(s, s->v, true, c->x);
    }
    for (int k = 0; k < c->count; k++) {
        c->x[k] = c->G ? 0 : -c->x[k];
        for (int v = 0; v < s->tree->nv && c->G; v++) {
            c->x[k] -= c->G[(size_t)v * (size_t)c->rows + (size_t)c->row[k]] * s->v[v];
        }
    }
    least_change(s, dt_closure_spread(s));
    for (int v = 0; v < s->tree->nv; v++) {
        s->v[v] += c->norm[v];
    }
}
