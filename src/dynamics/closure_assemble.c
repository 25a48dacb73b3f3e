/* Loops closed from rough initial values: the least change of all freedoms, by Gauss and Newton. See closure.h. */
#include "dynamics/arm.h"
#include "dynamics/closure_local.h"
#include "dynamics/closure_parts.h"

#include <stdio.h>

double dt_closure_spread(const dt_system *s)
{
    const int nodes = s->tree->node_count;
    double mean[3] = {0}, most = 0;
    for (int i = 0; i < nodes; i++) {
        double r[3];
        dt_arm(s, i, r);
        for (int k = 0; k < 3; k++) {
            mean[k] += r[k] / nodes;
        }
    }
    for (int i = 0; i < nodes; i++) {
        double r[3];
        dt_arm(s, i, r);
        const double d[3] = {r[0] - mean[0], r[1] - mean[1], r[2] - mean[2]};
        most = fmax(most, dt_norm3(d));
    }
    return most > 1e-6 * dt_closure_reach(s) ? most : dt_closure_reach(s);
}

/** The same cluster by cluster. */
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

/** The least change of all freedoms that are free, weighted, that closes what `c->x` (rows) says is open; into c->norm. */
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
            const double own = node->type->rotational ? 1 : 1 / length;
            largest = fmax(largest, fabs(c->norm[v]) * own / c->lever[i]);
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

bool dt_closure_close(dt_system *s, int most)
{
    for (int round = 0; round < most && dt_closure_error(s) > 1e-15 * dt_closure_reach(s);
         round++) {
        const double before = dt_closure_error(s);
        approach(s);
        s->closure->rounds++;
        if (before < 1e-10 * dt_closure_reach(s) && dt_closure_error(s) >= 0.5 * before) {
            break; /* rounding */
        }
    }
    return dt_closure_error(s) <= 1e-10 * dt_closure_reach(s);
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

/** Motions that contradict each other are refused before anything runs. */
static detent_status check_motions(dt_system *s, detent_error *error)
{
    char text[512];
    int first;
    dt_motion_velocity(s->tree, s->v, s->motion);
    if (!dt_closure_tells_conflict(s, text, sizeof text, &first)) {
        return DETENT_OK;
    }
    if (dt_closure_branches_meet(s)) {
        snprintf(text, sizeof text, "%s", dt_closure_meeting);
    }
    const dt_location *where =
        s->mechanism->motion_place ? &s->mechanism->motion_place[first] : NULL;
    return dt_fail(error, DETENT_ERROR_MODEL, where && where->file ? where : NULL,
                   "at t = %.9g s %s", s->time, text);
}

/**
 * What the loops have taken from a velocity leaves rounding of what was asked for, where they leave nothing: that joint is at rest, and
 * does not move the way that rounding has.
 */
static void drop_rounding(dt_system *s)
{
    static const double rounding = 1e-13;
    const double *asked = s->mechanism->velocity, *unit = s->closure->freedom_unit;
    double most = 0;
    for (int v = 0; v < s->tree->nv; v++) {
        most = fmax(most, fabs(s->v[v] - asked[v]) / unit[v]);
    }
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int v = node->v; v < node->v + node->type->nv && !dt_is_prescribed(s, i); v++) {
            const bool own = s->v[v] == asked[v];
            s->v[v] = own || fabs(s->v[v]) / unit[v] > rounding * most ? s->v[v] : 0;
        }
    }
}

/** Marks the nodes on the ways from both ends of loops and rods to where these meet: lever 1. */
static void mark_ways(dt_system *s)
{
    double *lever = s->closure->lever;
    for (int r = 0; r < s->closure->rows; r++) {
        int a, b;
        if (!dt_closure_ends(s, r, &a, &b)) {
            continue;
        }
        while (a != b) { /* parents come before their children */
            int *higher = a > b ? &a : &b;
            lever[*higher] = 1;
            *higher = s->tree->nodes[*higher].parent;
        }
    }
}

/** The lever of joint `place` of a transmission, by that of its others; 0: none of them has one. */
static double follow_lever(const dt_system *s, const dt_transmission *of, int place)
{
    const double length = dt_closure_reach(s);
    const int i = of->joint[place];
    double most = 0;
    for (int k = 0; k < of->count; k++) {
        const int j = of->joint[k];
        const double ratio = fabs(of->factor[k] / of->factor[place]) *
                             dt_closure_weight(&s->tree->nodes[j], length) /
                             dt_closure_weight(&s->tree->nodes[i], length);
        most = k == place ? most : fmax(most, ratio * s->closure->lever[j]);
    }
    return most > 0 ? fmax(most, 1) : 0;
}

/**
 * What is on the way round no loop and only follows by a coupling, as a spindle that makes a hundred turns while its loop closes:
 * its change counts as that of what it follows, else the least change would leave it where it is.
 */
static void find_levers(dt_system *s)
{
    const detent_mechanism *m = s->mechanism;
    double *lever = s->closure->lever;
    bool any = true;
    for (int i = 0; i < s->tree->node_count; i++) {
        lever[i] = 0;
    }
    mark_ways(s);
    while (any) {
        any = false;
        for (int n = 0; n < m->transmission_count; n++) {
            const dt_transmission *of = &m->transmissions[n];
            for (int k = 0; k < of->count; k++) {
                double *own = &lever[of->joint[k]];
                const double found = *own > 0 ? 0 : follow_lever(s, of, k);
                *own = found > 0 ? found : *own;
                any = any || found > 0;
            }
        }
    }
    for (int i = 0; i < s->tree->node_count; i++) {
        lever[i] = lever[i] > 0 ? lever[i] : 1;
    }
}

detent_status dt_closure_assemble(dt_system *s, detent_error *error)
{
    dt_closure *c = s->closure;
    c->assembles = true;
    for (int i = 0; i < s->tree->node_count; i++) {
        if (dt_is_prescribed(s, i)) { /* reads t alone */
            dt_law_update_branches(s, dt_motion_law(s, i));
        }
    }
    dt_system_prescribe(s);
    memcpy(c->start, s->q, (size_t)s->tree->nq * sizeof *s->q);
    dt_system_pose(s);
    find_levers(s);
    memcpy(c->ease, c->lever, (size_t)s->tree->node_count * sizeof *c->ease);
    detent_status status = dt_closure_assemble_positions(s, error);
    if (status) {
        return status;
    }
    dt_closure_choose(s);
    c->initial_count = c->count;
    status = dt_closure_assemble_velocities(s, error);
    if (status == DETENT_OK) {
        drop_rounding(s);
        status = check_motions(s, error);
    }
    c->assembles = c->chosen = false;
    return status;
}
