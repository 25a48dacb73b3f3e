/*
 * The conditions of loops, couplings and rods, g(q) = 0, and their rows G: how far each is open, how freedoms move it, and the lengths
 * that turns are measured by, so that rows and freedoms compare.
 */
#include "dynamics/closure_local.h"
#include "dynamics/closure_parts.h"

#include <float.h>

static const dt_load *end_of(const dt_system *s, int loop, int e)
{
    return &s->mechanism->loads[s->mechanism->loops[loop].end + e];
}

/** The length that turns are measured by: how far the mechanism reaches. */
double dt_closure_reach(const dt_system *s)
{
    double most = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        double r[3];
        for (int k = 0; k < 3; k++) {
            r[k] = s->motion[i].p[k] - s->origin[k];
        }
        most = fmax(most, dt_norm3(r));
    }
    return most > 0 ? most : 1;
}

/** The freedoms of a node and of those that carry it move the ghost (+1) or the original (-1), by `rows` rows. */
static void add_path(dt_system *s, int node, int row, int rows, double sign)
{
    dt_closure *c = s->closure;
    for (int i = node; i >= 0; i = s->tree->nodes[i].parent) {
        const dt_node *n = &s->tree->nodes[i];
        for (int j = 0; j < n->type->nv; j++) {
            double *column = c->G + (size_t)(n->v + j) * (size_t)c->rows + row;
            for (int k = 0; k < rows; k++) {
                column[k] += sign * dt_dot6(c->wrench[row + k], s->motion[i].S[j]);
            }
        }
    }
}

void dt_closure_update(dt_system *s)
{
    dt_closure *c = s->closure;
    if (c->G) {
        memset(c->G, 0, (size_t)c->rows * (size_t)s->tree->nv * sizeof *c->G);
    }
    for (int l = 0; l < s->mechanism->loop_count; l++) {
        const dt_load *ghost = end_of(s, l, 1);
        double p[3];
        dt_motion_point(&s->motion[ghost->node], ghost->point, p);
        for (int k = 0; k < 3; k++) {
            double unit[3] = {0}, *force = c->wrench[6 * l + k], *torque = c->wrench[6 * l + 3 + k];
            p[k] -= s->origin[k];
            unit[k] = 1;
            memset(torque, 0, 6 * sizeof *torque);
            torque[k] = 1;
            memcpy(force + 3, unit, sizeof unit);
        }
        for (int k = 0; k < 3; k++) {
            dt_cross3(c->wrench[6 * l + k], p, c->wrench[6 * l + k] + 3);
        }
        if (c->G) {
            add_path(s, ghost->node, 6 * l, 6, 1);
            add_path(s, end_of(s, l, 0)->node, 6 * l, 6, -1);
        }
    }
    if (c->local) {
        dt_closure_local_update(s);
        return;
    }
    for (int item = 0; item < dt_rod_count(s->mechanism); item++) {
        int nodes[2];
        double wrench[6];
        const int row = dt_distance_wrench(s, item, nodes, wrench);
        dt_copy6(c->wrench[row], wrench);
        add_path(s, nodes[1], row, 1, 1);
        add_path(s, nodes[0], row, 1, -1);
    }
    for (int item = 0; item < s->mechanism->transmission_count; item++) {
        const dt_transmission *of = &s->mechanism->transmissions[item];
        for (int k = 0; k < of->count; k++) {
            const int v = s->tree->nodes[of->joint[k]].v;
            c->G[(size_t)v * (size_t)c->rows + (size_t)dt_transmission_row(s->mechanism, item)] +=
                of->factor[k];
        }
    }
}

double dt_closure_entry(const dt_closure *c, int row, int freedom)
{
    return c->G ? c->G[(size_t)freedom * (size_t)c->rows + (size_t)row]
                : dt_closure_local_entry(c->local, row, freedom);
}

/** How the ghost has moved from the original: the way of its point, and the turn as a vector, both in the world. */
void dt_closure_part(const dt_system *s, int l, double g[6])
{
    double p[2][3], R[2][9], between[9];
    for (int e = 0; e < 2; e++) {
        const dt_load *end = end_of(s, l, e);
        dt_motion_point(&s->motion[end->node], end->point, p[e]);
        dt_mul33(R[e], s->motion[end->node].R, end->R);
    }
    for (int r = 0; r < 3; r++) {
        for (int k = 0; k < 3; k++) {
            between[3 * r + k] = dt_dot3(R[1] + 3 * r, R[0] + 3 * k); /* R1 R0' */
        }
    }
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        g[k] = p[1][k] - p[0][k];
        g[3 + k] = 0.5 * (between[3 * j + i] - between[3 * i + j]);
    }
    const double sine = dt_norm3(g + 3), cosine = 0.5 * (between[0] + between[4] + between[8] - 1);
    const double angle = atan2(sine, cosine);
    for (int k = 0; k < 3 && sine > 0; k++) {
        g[3 + k] *= angle / sine;
    }
    if (sine == 0 && cosine < 0) {
        g[3] = angle; /* half a turn: any axis */
    }
}

double dt_closure_weight(const dt_node *node, double length)
{
    return node->type->rotational ? 1 / length : 1;
}

double dt_closure_largest(const dt_system *s, int item)
{
    const dt_transmission *of = &s->mechanism->transmissions[item];
    const double length = dt_closure_reach(s);
    double largest = 0;
    for (int k = 0; k < of->count; k++) {
        const double weight = dt_closure_weight(&s->tree->nodes[of->joint[k]], length);
        largest = fmax(largest, weight * fabs(of->factor[k]));
    }
    return largest;
}

double dt_closure_row_weight(const dt_system *s, int row, double length)
{
    const int welds = 6 * s->mechanism->loop_count;
    if (row >= dt_rod_row(s->mechanism, 0)) {
        return 1;
    }
    return row >= welds ? 1 / dt_closure_largest(s, row - welds) : row % 6 < 3 ? 1 : length;
}

/** By how much a transmission is off, and by how much of the rounding of its terms. */
static double slip(const dt_system *s, int item, double *rounding)
{
    const dt_transmission *of = &s->mechanism->transmissions[item];
    double sum = -of->offset, size = fabs(of->offset);
    for (int k = 0; k < of->count; k++) {
        const double term = of->factor[k] * s->q[s->tree->nodes[of->joint[k]].q];
        sum += term;
        size += fabs(term);
    }
    *rounding = 4 * DBL_EPSILON * size;
    return sum;
}

double dt_closure_open(const dt_system *s, int row)
{
    double g[6], rounding;
    const int welds = 6 * s->mechanism->loop_count;
    if (row >= dt_rod_row(s->mechanism, 0)) {
        return dt_distance_open(s, row - dt_rod_row(s->mechanism, 0));
    }
    if (row >= welds) {
        return slip(s, row - welds, &rounding);
    }
    dt_closure_part(s, row / 6, g);
    return g[row % 6];
}

double dt_closure_error(dt_system *s)
{
    const double length = dt_closure_reach(s);
    double worst = 0;
    for (int l = 0; l < s->mechanism->loop_count; l++) {
        double g[6];
        dt_closure_part(s, l, g);
        worst = fmax(worst, fmax(dt_norm3(g), length * dt_norm3(g + 3)));
    }
    for (int item = 0; item < s->mechanism->transmission_count; item++) {
        double rounding;
        const double off = fabs(slip(s, item, &rounding));
        worst = fmax(worst, off > rounding ? off / dt_closure_largest(s, item) : 0);
    }
    for (int item = 0; item < dt_rod_count(s->mechanism); item++) {
        worst = fmax(worst, fabs(dt_distance_open(s, item)));
    }
    return worst;
}
