#include "dynamics/tie_front.h"

#include "dynamics/closure.h"
#include "math/lapack.h"

static inline double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < n; k++) {
        sum += a[k] * b[k];
    }
    return sum;
}

/* Entry of D: row r of tie a by row s of tie b. */
static inline double *entry(const dt_tie_front *f, const dt_front_tie *a, int r,
                            const dt_front_tie *b, int s)
{
    const size_t block =
        (size_t)a->at * (size_t)(2 * f->width + 1) + (size_t)(b->at - a->at + f->width);
    return &f->D[36 * block + (size_t)(6 * r + s)];
}

static inline const dt_front_tie *tie_of(const dt_tie_front *f, const dt_open *open)
{
    return &f->tie[open->tie];
}

static inline bool is_loop(const dt_front_tie *tie)
{
    return tie->rows == 6;
}

/* ---- factor ---- */

/* What a loop does to the node that it ends at, and reads of it. */
static void touch(const dt_tie_front *f, const dt_system *s, const dt_tree_newton *tn, int node,
                  dt_open *open)
{
    const dt_front_tie *tie = tie_of(f, open);
    for (int a = 0; a < tie->count; a++) {
        const int r = tie->active[a];
        if (open->fresh) {
            memset(open->Y[r], 0, sizeof *open->Y);
            memset(open->C[r], 0, sizeof *open->C);
        }
        if (!is_loop(tie)) {
            continue;
        }
        const double *w = f->remote[tie->row + r]->wrench;
        dt_axpy6(open->Y[r], -open->sign, w);
        if (tn->level != DT_NEWTON_STEP) {
            dt_axpy6(open->C[r], open->sign, w);
            continue;
        }
        double turned[6]; /* w . (x x A) = (A x* w) . x */
        dt_cross_force(turned, s->A[node], w);
        dt_axpy6(open->C[r] + 6, open->sign, w);
        dt_axpy6(open->C[r] + 12, open->sign, turned);
    }
}

void dt_tie_front_begin(dt_tie_front *f, const dt_system *s, const dt_linear_laws *laws)
{
    memset(f->D, 0, f->D_count * sizeof *f->D);
    f->sign = 1;
    f->unit = s->closure->row_unit;
    for (int e = laws->law_count; e < laws->acceleration_count; e++) {
        f->remote[laws->remote[e].row] = &laws->remote[e];
    }
    for (int t = 0; t < f->tie_count; t++) {
        dt_front_tie *tie = &f->tie[t];
        tie->count = 0;
        for (int r = 0; r < tie->rows; r++) {
            if (s->closure->active[tie->row + r]) {
                tie->active[tie->count++] = r;
            }
        }
    }
}

void dt_tie_front_touch(dt_tie_front *f, const dt_system *s, const dt_tree_newton *tn, int i)
{
    for (int k = f->first[i]; k < f->first[i + 1]; k++) {
        if (f->open[k].touches) {
            touch(f, s, tn, i, &f->open[k]);
        }
    }
}

/* D_GG, D_GO and C_G of ties that close together. */
static void gather(const dt_tie_front *f, dt_closing *closing, int nz)
{
    closing->count = closing->open_rows = 0;
    for (int k = closing->first; k < closing->end; k++) {
        closing->count += tie_of(f, &f->open[k])->count;
    }
    for (int k = closing->rest; k < closing->beyond; k++) {
        closing->open_rows += tie_of(f, &f->open[k])->count;
    }
    const size_t n = (size_t)closing->count;
    size_t at = 0;
    for (int k = closing->first; k < closing->end; k++) {
        const dt_front_tie *tie = tie_of(f, &f->open[k]);
        for (int a = 0; a < tie->count; a++, at++) {
            size_t column = 0;
            closing->row[at] = tie->row + tie->active[a];
            for (int l = closing->first; l < closing->end; l++) {
                const dt_front_tie *other = tie_of(f, &f->open[l]);
                for (int b = 0; b < other->count; b++, column++) {
                    closing->matrix[column * n + at] =
                        *entry(f, tie, tie->active[a], other, other->active[b]);
                }
            }
            for (int c = 0; c < nz; c++) {
                closing->F[(size_t)c * n + at] = f->open[k].C[tie->active[a]][c];
            }
            column = 0;
            for (int l = closing->rest; l < closing->beyond; l++) {
                const dt_front_tie *other = tie_of(f, &f->open[l]);
                for (int b = 0; b < other->count; b++, column++) {
                    closing->E[column * n + at] =
                        *entry(f, tie, tie->active[a], other, other->active[b]);
                }
            }
        }
    }
}

/* Rows of D_GG, and of what it is to solve for, in their units, and what it multiplies in these; or only the latter, back. */
static void put_in_units(const dt_tie_front *f, const dt_closing *closing, int nz, bool back)
{
    const int n = closing->count;
    for (int k = 0; k < n; k++) {
        const double unit = f->unit[closing->row[k]];
        for (int l = 0; l < n && !back; l++) {
            closing->matrix[l * n + k] *= unit;
            closing->matrix[k * n + l] *= unit;
        }
        for (int c = 0; c < nz; c++) {
            closing->F[c * n + k] *= unit;
        }
        for (int c = 0; c < closing->open_rows; c++) {
            closing->E[c * n + k] *= unit;
        }
    }
}

static bool eliminate(dt_tie_front *f, dt_closing *closing, int nz)
{
    const int n = closing->count;
    int info = 0;
    double sum = 0;
    put_in_units(f, closing, nz, false);
    for (int k = 0; k < n * n; k++) {
        sum += 0 * closing->matrix[k];
    }
    if (sum != 0) {
        return false;
    }
    dgetrf_(&n, &n, closing->matrix, &n, closing->pivots, &info);
    if (info) {
        return false;
    }
    for (int k = 0; k < n; k++) {
        const double pivot = -closing->matrix[k * n + k];
        f->sign = (pivot < 0) != (closing->pivots[k] != k + 1) ? -f->sign : f->sign;
    }
    dt_lu_solve(closing->matrix, closing->pivots, n, closing->F, nz);
    dt_lu_solve(closing->matrix, closing->pivots, n, closing->E, closing->open_rows);
    put_in_units(f, closing, nz, true);
    return true;
}

/* Of those that stay open, what the eliminated ones take. */
static void take_from_open(const dt_tie_front *f, const dt_closing *closing, int nz)
{
    const size_t n = (size_t)closing->count;
    size_t column = 0;
    for (int k = closing->rest; k < closing->beyond; k++) {
        const dt_open *o = &f->open[k];
        const dt_front_tie *tie = tie_of(f, o);
        for (int a = 0; a < tie->count; a++, column++) {
            const int r = tie->active[a];
            size_t at = 0;
            for (int l = closing->first; l < closing->end; l++) {
                const dt_front_tie *of = tie_of(f, &f->open[l]);
                for (int b = 0; b < of->count; b++, at++) {
                    const double D = *entry(f, tie, r, of, of->active[b]);
                    dt_axpy6(o->Y[r], -closing->E[column * n + at], f->open[l].Y[of->active[b]]);
                    for (int c = 0; c < nz && D != 0; c++) {
                        o->C[r][c] -= D * closing->F[(size_t)c * n + at];
                    }
                    size_t second = 0;
                    for (int m = closing->rest; m < closing->beyond && D != 0; m++) {
                        const dt_front_tie *other = tie_of(f, &f->open[m]);
                        for (int d = 0; d < other->count; d++, second++) {
                            *entry(f, tie, r, other, other->active[d]) -=
                                D * closing->E[second * n + at];
                        }
                    }
                }
            }
        }
    }
}

bool dt_tie_front_close(dt_tie_front *f, const dt_tree_newton *tn, int node)
{
    const int at = node < 0 ? f->node_count : node, nz = node < 0 ? 0 : tn->nz;
    for (int g = f->closing_first[at]; g < f->closing_first[at + 1]; g++) {
        dt_closing *closing = &f->closing[g];
        gather(f, closing, nz);
        if (closing->count == 0) {
            continue;
        }
        if (!eliminate(f, closing, nz)) {
            return false;
        }
        double *P = node < 0 ? NULL : dt_tree_newton_block(tn, node);
        int e = 0;
        for (int k = closing->first; k < closing->end && P; k++) {
            const dt_front_tie *tie = tie_of(f, &f->open[k]);
            for (int a = 0; a < tie->count; a++, e++) {
                const double *Y = f->open[k].Y[tie->active[a]];
                for (int c = 0; c < nz; c++) {
                    const double F = closing->F[c * closing->count + e];
                    for (int r = 0; r < 6; r++) {
                        P[r * nz + c] -= Y[r] * F;
                    }
                }
            }
        }
        take_from_open(f, closing, nz);
    }
    return true;
}

/* q, g and b of an open tie at a node. */
static void own_products(const dt_system *s, const dt_linear_laws *laws, const dt_tree_newton *tn,
                         const dt_front_tie *tie, int i, dt_open *open)
{
    const dt_node *node = &s->tree->nodes[i];
    const int nv = node->type->nv, nz = tn->nz;
    const bool is_free = tn->freedom[i] == DT_FREEDOM_FREE, step = tn->level == DT_NEWTON_STEP;
    const double reads = !is_loop(tie) && open->touches ? open->sign : 0;
    for (int a = 0; a < tie->count; a++) {
        const int e = tie->active[a];
        double q[3] = {0}, g[3] = {0};
        for (int j = 0; j < nv; j++) {
            const size_t at = (size_t)(node->v + j);
            q[j] = reads - dt_dot6(dt_tree_newton_sigma(tn, laws, node->v + j), open->Y[e]);
            g[j] = dot(nz, open->C[e], tn->U + at * (size_t)nz);
            open->b[e][j] = step ? dt_tree_newton_by_Ub(tn, open->C[e], node->v + j) : 0;
        }
        if (tn->freedom[i] != DT_FREEDOM_PRESCRIBED && reads != 0) {
            g[0] += reads * (step ? tn->c * tn->c : 1);
            open->b[e][0] += step ? reads * tn->c : 0;
        }
        if (is_free && nv == 3) {
            const double q3[3] = {q[0], q[1], q[2]}, g3[3] = {g[0], g[1], g[2]};
            dt_rotate(q, tn->left[node->v], q3);
            dt_rotate(g, tn->right[node->v], g3);
        }
        for (int j = 0; j < nv; j++) {
            open->q[e][j] = is_free ? tn->D[node->v + j] * q[j] : 0;
            open->g[e][j] = g[j];
        }
    }
}

/* Y and C of an open tie, to the parent. */
static void to_parent(const dt_tie_front *f, const dt_system *s, const dt_tree_newton *tn, int i,
                      const dt_open *open)
{
    const dt_node *node = &s->tree->nodes[i];
    const dt_front_tie *tie = tie_of(f, open);
    const dt_open *up = &f->open[open->up];
    const int nz = tn->nz, nv = tn->freedom[i] == DT_FREEDOM_FREE ? node->type->nv : 0;
    for (int a = 0; a < tie->count; a++) {
        const int e = tie->active[a];
        double C[18], Y[6];
        memcpy(C, open->C[e], sizeof C);
        memcpy(Y, open->Y[e], sizeof Y);
        for (int j = 0; j < nv; j++) {
            const double *sP = tn->sP + (size_t)(node->v + j) * (size_t)nz;
            const double g = open->g[e][j] * tn->D[node->v + j];
            dt_axpy6(Y, open->q[e][j], tn->h[node->v + j]);
            for (int c = 0; c < nz; c++) {
                C[c] -= g * sP[c];
            }
        }
        if (nz > 6) {
            double turned[6];
            dt_cross_force(turned, s->motion[i].Sv, C + 6);
            dt_add6(C, turned);
        }
        if (open->begins) {
            memcpy(up->C[e], C, sizeof C);
            memcpy(up->Y[e], Y, sizeof Y);
            continue;
        }
        dt_add6(up->Y[e], Y);
        for (int c = 0; c < nz; c++) {
            up->C[e][c] += C[c];
        }
    }
}

void dt_tie_front_pass(dt_tie_front *f, const dt_system *s, const dt_linear_laws *laws,
                       const dt_tree_newton *tn, int i)
{
    const dt_node *node = &s->tree->nodes[i];
    const int nv = tn->freedom[i] == DT_FREEDOM_FREE ? node->type->nv : 0;
    for (int k = f->first[i]; k < f->stay[i]; k++) {
        own_products(s, laws, tn, tie_of(f, &f->open[k]), i, &f->open[k]);
    }
    for (int k = f->first[i]; k < f->stay[i]; k++) {
        const dt_open *open = &f->open[k];
        const dt_front_tie *tie = tie_of(f, open);
        for (int l = f->first[i]; l < f->stay[i] && nv > 0; l++) {
            const dt_front_tie *other = tie_of(f, &f->open[l]);
            for (int a = 0; a < tie->count; a++) {
                for (int b = 0; b < other->count; b++) {
                    *entry(f, tie, tie->active[a], other, other->active[b]) +=
                        dot(nv, open->g[tie->active[a]], f->open[l].q[other->active[b]]);
                }
            }
        }
        if (node->parent >= 0) {
            to_parent(f, s, tn, i, open);
        }
    }
}

/* ---- solution ---- */

void dt_tie_front_load(dt_tie_front *f, const double *r_m)
{
    memset(f->Q, 0, (size_t)f->node_count * sizeof *f->Q);
    for (int t = 0; t < f->tie_count; t++) {
        const dt_front_tie *tie = &f->tie[t];
        for (int r = tie->row; r < tie->row + tie->rows; r++) {
            f->c[r] = r_m ? r_m[r] : 0;
            f->u[r] = -f->c[r]; /* of rows that are not active: all */
        }
    }
}

void dt_tie_front_inward(dt_tie_front *f, dt_tree_newton *tn, int node)
{
    const int at = node < 0 ? f->node_count : node, one = 1;
    for (int g = f->closing_first[at]; g < f->closing_first[at + 1]; g++) {
        dt_closing *closing = &f->closing[g];
        const int n = closing->count;
        int info = 0, e = 0;
        if (n == 0) {
            continue;
        }
        double *w = f->w; /* then kept by row */
        for (int k = 0; k < n; k++) {
            w[k] = -f->unit[closing->row[k]] * f->c[closing->row[k]];
        }
        dgetrs_("N", &n, &one, closing->matrix, &n, closing->pivots, w, &n, &info);
        for (int k = 0; k < n; k++) {
            w[k] *= f->unit[closing->row[k]];
            f->u[closing->row[k]] = w[k];
        }
        for (int k = closing->first; k < closing->end; k++) {
            const dt_front_tie *tie = tie_of(f, &f->open[k]);
            for (int a = 0; a < tie->count; a++, e++) {
                if (node >= 0) {
                    dt_axpy6(dt_tree_newton_p(tn, node), w[e], f->open[k].Y[tie->active[a]]);
                }
                for (int l = closing->rest; l < closing->beyond; l++) {
                    const dt_front_tie *other = tie_of(f, &f->open[l]);
                    for (int b = 0; b < other->count; b++) {
                        f->c[other->row + other->active[b]] +=
                            *entry(f, other, other->active[b], tie, tie->active[a]) * w[e];
                    }
                }
            }
        }
    }
}

void dt_tie_front_constants(dt_tie_front *f, const dt_tree_newton *tn, const dt_system *s, int i,
                            const double constant[3])
{
    const dt_node *node = &s->tree->nodes[i];
    for (int k = f->first[i]; k < f->stay[i]; k++) {
        const dt_open *open = &f->open[k];
        const dt_front_tie *tie = tie_of(f, open);
        for (int a = 0; a < tie->count; a++) {
            const int e = tie->active[a];
            f->c[tie->row + e] += dot(node->type->nv, open->g[e], constant) +
                                  dot(node->type->nv, open->b[e], tn->b + node->v);
        }
    }
}

void dt_tie_front_outward(dt_tie_front *f, dt_tree_newton *tn, const dt_system *s, int i)
{
    for (int k = f->first[i]; k < f->stay[i]; k++) {
        const dt_open *open = &f->open[k];
        const dt_front_tie *tie = tie_of(f, open);
        for (int a = 0; a < tie->count; a++) {
            const double u = f->u[tie->row + tie->active[a]];
            dt_axpy6(dt_tree_newton_p(tn, i), u, open->Y[tie->active[a]]);
            if (open->touches && !is_loop(tie)) {
                f->Q[i] += open->sign * u;
                tn->rhs[s->tree->nodes[i].v] += open->sign * u;
            }
        }
    }
}

void dt_tie_front_follow(dt_tie_front *f, const dt_tree_newton *tn, int i)
{
    const double *z = dt_tree_newton_z(tn, i);
    for (int g = f->closing_first[i]; g < f->closing_first[i + 1]; g++) {
        const dt_closing *closing = &f->closing[g];
        const size_t n = (size_t)closing->count;
        for (size_t e = 0; e < n; e++) {
            double *u = &f->u[closing->row[e]];
            size_t column = 0;
            for (int c = 0; c < tn->nz; c++) {
                *u -= closing->F[(size_t)c * n + e] * z[c];
            }
            for (int l = closing->rest; l < closing->beyond; l++) {
                const dt_front_tie *other = tie_of(f, &f->open[l]);
                for (int b = 0; b < other->count; b++, column++) {
                    *u -= closing->E[column * n + e] * f->u[other->row + other->active[b]];
                }
            }
        }
    }
}
