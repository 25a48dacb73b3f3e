#include "dynamics/tree_newton.h"

#include "dynamics/element.h"
#include "dynamics/tie_front.h"
#include "math/small.h"

/* A pivot this small against the largest one of its node is a freedom without inertia. */
static const double singular = 1e-14;
static const double zero6[6];

static dt_freedom freedom_of(const dt_system *s, int i)
{
    const int k = s->mechanism->primitives[i].stiction;
    if (dt_is_prescribed(s, i)) {
        return DT_FREEDOM_PRESCRIBED;
    }
    return k >= 0 && s->mode[k] == DETENT_LOCKED ? DT_FREEDOM_LOCKED : DT_FREEDOM_FREE;
}

static const double *parent_velocity(const dt_system *s, int i)
{
    const int p = s->tree->nodes[i].parent;
    return p < 0 ? zero6 : s->motion[p].V;
}

static void parent_acceleration(const dt_system *s, int i, double A[6])
{
    const int p = s->tree->nodes[i].parent;
    for (int k = 0; k < 3; k++) {
        A[k] = p < 0 ? 0 : s->A[p][k];
        A[3 + k] = p < 0 ? -s->gravity[k] : s->A[p][3 + k];
    }
}

/* ---- factor: own contributions ---- */

/* P (3x3 block at row r, column c) += scale * [a x]. */
static void add_cross(double *P, int nz, int r, int c, double scale, const double a[3])
{
    double *row0 = P + r * nz + c, *row1 = row0 + nz, *row2 = row1 + nz;
    row0[1] -= scale * a[2], row0[2] += scale * a[1];
    row1[0] += scale * a[2], row1[2] -= scale * a[0];
    row2[0] -= scale * a[1], row2[1] += scale * a[0];
}

/* P (3x3 block at row r, column c) += scale * [a x][b x] = scale * (b a' - (a . b) 1). */
static void add_cross_cross(double *P, int nz, int r, int c, double scale, const double a[3],
                            const double b[3])
{
    const double along = dt_dot3(a, b);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            P[(r + i) * nz + c + j] += scale * (b[i] * a[j] - (i == j ? along : 0));
        }
    }
}

/*
 * Velocity block: d~V -> d~V x* I V + V x* I d~V. With I V = (L, l) and V = (w, v):
 *   -[L x] + [w x] J - [v x][h x]     -[l x] + [w x][h x] + m [v x]
 *   -[l x] - [w x][h x]                m [w x]
 */
static void velocity_block(const dt_motion *m, int nz, double *P)
{
    const dt_inertia *I = &m->I;
    const double *w = m->V, *v = m->V + 3, *J = I->J;
    const double columns[3][3] = {{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}};
    double momentum[6];
    dt_inertia_apply(momentum, I, m->V);
    for (int k = 0; k < 3; k++) {
        double wJ[3];
        dt_cross3(wJ, w, columns[k]);
        for (int r = 0; r < 3; r++) {
            P[r * nz + k] += wJ[r];
        }
    }
    add_cross(P, nz, 0, 0, -1, momentum);
    add_cross_cross(P, nz, 0, 0, -1, v, I->h);
    add_cross(P, nz, 0, 3, -1, momentum + 3);
    add_cross_cross(P, nz, 0, 3, 1, w, I->h);
    add_cross(P, nz, 0, 3, I->m, v);
    add_cross(P, nz, 3, 0, -1, momentum + 3);
    add_cross_cross(P, nz, 3, 0, -1, w, I->h);
    add_cross(P, nz, 3, 3, I->m, w);
}

/* What the inertia of node i contributes to its own P. */
static void own_blocks(const dt_tree_newton *tn, const dt_system *s, int i)
{
    const int nz = tn->nz, first = tn->level == DT_NEWTON_STEP ? 6 : 0;
    double I[36] = {0}, *P = dt_tree_newton_block(tn, i);
    memset(P, 0, 6 * (size_t)nz * sizeof *P);
    if (dt_inertia_is_zero(&s->motion[i].I)) {
        return; /* massless */
    }
    dt_inertia_add_to(I, &s->motion[i].I);
    for (int r = 0; r < 6; r++) {
        memcpy(P + r * nz + first, I + 6 * r, 6 * sizeof *P);
    }
    if (tn->level == DT_NEWTON_STEP) {
        velocity_block(&s->motion[i], nz, P);
    }
}

/* P of node i begins, unless it has begun. */
static void begin_P(dt_tree_newton *tn, const dt_system *s, int i)
{
    if (dt_tree_slots_take(&tn->slots, i)) {
        own_blocks(tn, s, i);
    }
}

/* Every node has its own blocks, or none has P yet. */
static void begin_slots(dt_tree_newton *tn, const dt_system *s)
{
    dt_tree_slots_begin(&tn->slots, s->tree);
    for (int i = 0; i < s->tree->node_count && tn->slots.own; i++) {
        own_blocks(tn, s, i);
    }
    for (int k = 0; k < DT_ELEMENT_KINDS && tn->nz == 18; k++) {
        if (dt_elements[k]->add_blocks) {
            dt_elements[k]->add_blocks(tn, s);
        }
    }
}

/* ---- factor: one node ---- */

/* dv = A3 delta + b: A3 = c for a scalar; for a quaternion c + [v x]/2 + v v'/(4 c). */
static void coordinate_map(int nv, double c, const double *v, double (*A3)[3])
{
    memset(A3, 0, (size_t)nv * sizeof *A3);
    for (int j = 0; j < nv; j++) {
        A3[j][j] = c;
    }
    if (nv != 3) {
        return;
    }
    A3[0][1] -= 0.5 * v[2], A3[0][2] += 0.5 * v[1];
    A3[1][0] += 0.5 * v[2], A3[1][2] -= 0.5 * v[0];
    A3[2][0] -= 0.5 * v[1], A3[2][1] += 0.5 * v[0];
    for (int j = 0; j < 3; j++) {
        for (int k = 0; k < 3; k++) {
            A3[j][k] += v[j] * v[k] / (4 * c);
        }
    }
}

/* Columns U and Ub of node i at the STEP level. */
static void step_columns(dt_tree_newton *tn, const dt_system *s, int i)
{
    const dt_node *node = &s->tree->nodes[i];
    const dt_motion *m = &s->motion[i];
    const double *Vp = parent_velocity(s, i);
    const int nv = node->type->nv, nz = tn->nz;
    double Ap[6];
    parent_acceleration(s, i, Ap);
    if (tn->A3) {
        coordinate_map(nv, tn->c, s->v + node->v, tn->A3 + node->v);
    }
    double turned[3][6];
    for (int l = 0; l < nv; l++) {
        dt_copy6(tn->S[node->v + l], m->S[l]);
        dt_cross_motion(turned[l], Vp, m->S[l]);
        dt_axpy6(turned[l], tn->c, m->S[l]);
        if (tn->turned) {
            dt_copy6(tn->turned[node->v + l], turned[l]);
        }
    }
    for (int k = 0; k < nv; k++) {
        double *U = tn->U + (size_t)(node->v + k) * (size_t)nz, X[6], part[6];
        memset(U, 0, (size_t)nz * sizeof *U);
        dt_cross_motion(X, Vp, m->S[k]);
        dt_copy6(U, X);
        dt_cross_motion(U + 6, Ap, m->S[k]);
        dt_cross_motion(part, X, m->Sv);
        dt_add6(U + 6, part);
        for (int l = 0; l < nv; l++) {
            const double factor = dt_tree_newton_A3(tn, node->v + l, k);
            dt_axpy6(U, factor, m->S[l]);
            dt_axpy6(U + 6, factor, turned[l]);
        }
        if (nz == 18) {
            dt_copy6(U + 12, m->S[k]);
        }
    }
}

static void columns(dt_tree_newton *tn, const dt_system *s, int i)
{
    const dt_node *node = &s->tree->nodes[i];
    if (tn->level == DT_NEWTON_STEP) {
        step_columns(tn, s, i);
        return;
    }
    for (int k = 0; k < node->type->nv; k++) {
        dt_copy6(tn->U + (size_t)(node->v + k) * 6, s->motion[i].S[k]);
    }
}

static inline double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < n; k++) {
        sum += a[k] * b[k];
    }
    return sum;
}

/* The products of P with the columns and rows of node i. */
static void products(dt_tree_newton *tn, const dt_system *s, const dt_linear_laws *laws, int i)
{
    const dt_node *node = &s->tree->nodes[i];
    const int nz = tn->nz;
    const double *P = dt_tree_newton_block(tn, i);
    for (int j = node->v; j < node->v + node->type->nv; j++) {
        double *sP = tn->sP + (size_t)j * (size_t)nz;
        const double *U = tn->U + (size_t)j * (size_t)nz;
        const double *sigma = dt_tree_newton_sigma(tn, laws, j);
        for (int c = 0; c < nz; c++) {
            sP[c] = sigma[0] * P[c] + sigma[1] * P[nz + c] + sigma[2] * P[2 * nz + c] +
                    sigma[3] * P[3 * nz + c] + sigma[4] * P[4 * nz + c] + sigma[5] * P[5 * nz + c];
        }
        for (int r = 0; r < 6; r++) {
            tn->h[j][r] = dot(nz, P + r * nz, U);
        }
        if (tn->level != DT_NEWTON_STEP) {
            continue;
        }
        double turned[6];
        for (int r = 0; r < 6; r++) {
            tn->Gb[j][r] = dt_tree_newton_by_Ub(tn, P + r * nz, j);
        }
        dt_cross_force(turned, s->motion[i].S[j - node->v], s->F[i]);
        dt_add6(tn->h[j], turned);
    }
}

/* sigma P U + kappa (nv x nv, row-major): what the equations of node i make of its delta. */
static void own_matrix(const dt_tree_newton *tn, const dt_system *s, const dt_linear_laws *laws,
                       int i, double *matrix)
{
    const dt_node *node = &s->tree->nodes[i];
    const int nv = node->type->nv, nz = tn->nz;
    for (int j = 0; j < nv; j++) {
        for (int k = 0; k < nv; k++) {
            const dt_row *row = &laws->row[node->v + j];
            double kappa = tn->level == DT_NEWTON_STEP
                               ? (row->v + tn->c * row->a) * dt_tree_newton_A3(tn, node->v + j, k) +
                                     (j == k ? row->q : 0)
                               : (j == k ? row->a : 0);
            matrix[nv * j + k] = dot(nz, tn->sP + (size_t)(node->v + j) * (size_t)nz,
                                     tn->U + (size_t)(node->v + k) * (size_t)nz) +
                                 kappa;
        }
    }
}

/* D of a free node; the freedoms of a spherical one are combined so that each has its own. */
static bool decouple(dt_tree_newton *tn, const dt_system *s, const dt_linear_laws *laws, int i)
{
    const dt_node *node = &s->tree->nodes[i];
    const int nv = node->type->nv;
    double matrix[9], pivot[3];
    own_matrix(tn, s, laws, i, matrix);
    pivot[0] = matrix[0];
    if (nv == 3) {
        double *left = tn->left[node->v], *right = tn->right[node->v];
        if (!dt_small_decouple(matrix, singular, left, right, pivot)) {
            return false;
        }
        dt_small_combine(left, tn->nz, tn->sP + (size_t)node->v * (size_t)tn->nz);
        dt_small_combine(right, 6, tn->h[node->v]);
    }
    for (int j = 0; j < nv; j++) {
        if (pivot[j] == 0 || !isfinite(pivot[j])) {
            return false;
        }
        tn->D[node->v + j] = 1 / pivot[j];
    }
    return true;
}

/*
 * parent P += (P - h D sP) T; T gives d~A -(S v) x d~V of the parent. `nz` and `nv` are constants where
 * this is called, so that the compiler unrolls: most of a factorisation is spent here.
 */
static inline void reduce(const dt_tree_newton *tn, const dt_system *s, int i, const int nz,
                          const int nv)
{
    const dt_node *node = &s->tree->nodes[i];
    const double *P = tn->P + (size_t)tn->slots.of[i] * 6 * (size_t)nz, *Sv = s->motion[i].Sv;
    double *parent = tn->P + (size_t)tn->slots.of[node->parent] * 6 * (size_t)nz;
    double DsP[3][18];
    for (int j = 0; j < nv; j++) {
        const double *sP = tn->sP + (size_t)(node->v + j) * (size_t)nz;
        for (int c = 0; c < nz; c++) {
            DsP[j][c] = tn->D[node->v + j] * sP[c];
        }
    }
    for (int r = 0; r < 6; r++) {
        double row[18], turned[6];
        for (int c = 0; c < nz; c++) {
            row[c] = P[r * nz + c];
        }
        for (int j = 0; j < nv; j++) {
            const double h = tn->h[node->v + j][r];
            for (int c = 0; c < nz; c++) {
                row[c] -= h * DsP[j][c];
            }
        }
        if (nz > 6) {
            dt_cross_force(turned, Sv, row + 6);
            for (int c = 0; c < 6; c++) {
                row[c] += turned[c];
            }
        }
        for (int c = 0; c < nz; c++) {
            parent[r * nz + c] += row[c];
        }
    }
}

static inline void reduce_freedoms(const dt_tree_newton *tn, const dt_system *s, int i,
                                   const int nz)
{
    const int nv = tn->freedom[i] == DT_FREEDOM_FREE ? s->tree->nodes[i].type->nv : 0;
    if (nv == 1) {
        reduce(tn, s, i, nz, 1);
    } else if (nv == 0) {
        reduce(tn, s, i, nz, 0);
    } else {
        reduce(tn, s, i, nz, 3);
    }
}

static void reduce_node(const dt_tree_newton *tn, const dt_system *s, int i)
{
    if (tn->nz == 12) {
        reduce_freedoms(tn, s, i, 12);
    } else if (tn->nz == 6) {
        reduce_freedoms(tn, s, i, 6);
    } else {
        reduce_freedoms(tn, s, i, 18);
    }
}

int dt_tree_newton_factor(dt_tree_newton *tn, const dt_system *s, const dt_linear_laws *laws,
                          dt_newton_level level, double c)
{
    tn->level = level;
    tn->c = c;
    tn->nz = level == DT_NEWTON_STEP ? tn->nz_step : 6;
    begin_slots(tn, s);
    if (tn->front) {
        dt_tie_front_begin(tn->front, s, laws);
    }
    for (int i = s->tree->node_count - 1; i >= 0; i--) {
        tn->freedom[i] = (unsigned char)freedom_of(s, i);
        begin_P(tn, s, i);
        if (tn->front) {
            dt_tie_front_touch(tn->front, s, tn, i);
            if (!dt_tie_front_close(tn->front, tn, i)) {
                return i;
            }
        }
        columns(tn, s, i);
        products(tn, s, laws, i);
        if (tn->freedom[i] == DT_FREEDOM_FREE && s->tree->nodes[i].type->nv > 0 &&
            !decouple(tn, s, laws, i)) {
            return i;
        }
        if (tn->front) {
            dt_tie_front_pass(tn->front, s, laws, tn, i);
        }
        if (s->tree->nodes[i].parent >= 0) {
            begin_P(tn, s, s->tree->nodes[i].parent);
            reduce_node(tn, s, i);
        }
        dt_tree_slots_leave(&tn->slots, i);
    }
    return tn->front && !dt_tie_front_close(tn->front, tn, -1) ? 0 : -1;
}
