#include "dynamics/closure_local.h"
#include "dynamics/closure_parts.h"
#include "dynamics/closure_still.h"
#include "dynamics/force_size.h"
#include "dynamics/scale.h"

#include <float.h>

/* From that many rows on loops are closed cluster by cluster; below it dense matrices are as fast. */
enum { MANY_ROWS = 37 };

/* ---- set-up ---- */

static bool take(dt_arena *arena, const dt_system *s, dt_closure *c)
{
    const size_t rows = (size_t)c->rows, nv = (size_t)s->tree->nv, most = rows > nv ? rows : nv;
    const size_t full = c->rows < MANY_ROWS || dt_tie_is_dense(s->mechanism)
                            ? rows
                            : 0; /* rows of dense matrices */
    c->work_length = (int)(4 * most + 64);
#define TAKE(member, size) ((c->member = dt_arena_alloc(arena, (size), sizeof *c->member)) != NULL)
    return TAKE(tie, rows) && TAKE(active, rows) && TAKE(dependent, nv) && TAKE(kept, nv) &&
           TAKE(row, rows) && TAKE(freedom, rows) && TAKE(held, (size_t)s->tree->node_count) &&
           TAKE(wrench, rows) && TAKE(row_unit, rows) && TAKE(freedom_unit, nv) &&
           TAKE(matrix, full * rows) && TAKE(x, most) && TAKE(pivots, most) && TAKE(norm, most) &&
           TAKE(qr, full * nv) && TAKE(tau, most) && TAKE(work, (size_t)c->work_length) &&
           TAKE(pinned, (size_t)s->tree->node_count) && TAKE(ease, (size_t)s->tree->node_count) &&
           TAKE(lever, (size_t)s->tree->node_count) && TAKE(start, (size_t)s->tree->nq) &&
           TAKE(before, (size_t)s->tree->nq) && TAKE(near, (size_t)s->tree->nq) && TAKE(step, nv) &&
           TAKE(base, (size_t)s->tree->nq) && TAKE(weight, full ? 0 : nv) && TAKE(turning, nv) &&
           TAKE(paused, nv) && TAKE(terms, rows) && TAKE(left_out, rows) && TAKE(put_off, rows) &&
           TAKE(a, nv) &&
           (full ? TAKE(G, rows * nv) : dt_closure_local_create(arena, s, &c->local)) &&
           dt_still_create(arena, s, &c->still);
#undef TAKE
}

bool dt_closure_create(dt_arena *arena, dt_system *s)
{
    s->closure = NULL;
    if (dt_tie_rows(s->mechanism) == 0) {
        return true;
    }
    dt_closure *c = dt_arena_alloc(arena, 1, sizeof *c);
    if (c) {
        c->rows = dt_tie_rows(s->mechanism);
        c->size = dt_body_length(s->tree);
        c->stride = dt_closure_long_stride;
        s->closure = c;
    }
    if (!c || !take(arena, s, c)) {
        return false;
    }
    dt_tie_list(s->mechanism, c->tie);
    for (int r = 0; r < c->rows; r++) {
        const dt_tie_row *tie = &c->tie[r];
        c->size = fmax(c->size, tie->kind->span ? tie->kind->span(s->mechanism, tie->item) : 0);
    }
    for (int i = 0; i < s->tree->node_count; i++) {
        c->has_motions = c->has_motions || dt_is_prescribed(s, i);
    }
    for (int r = 0; r < c->rows; r++) {
        c->row_unit[r] = 1; /* until there is a pose */
    }
    return true;
}

void dt_closure_put_off(dt_system *s)
{
    dt_closure *c = s->closure;
    for (int r = 0; c && r < c->rows; r++) {
        c->put_off[r] = c->active[r] ? 0 : s->multiplier[r];
        s->multiplier[r] -= c->put_off[r];
    }
}

/* ---- closing ---- */

bool dt_closure_factor(dt_system *s)
{
    dt_closure *c = s->closure;
    int info = 0;
    if (c->local) {
        return dt_closure_local_factor(s);
    }
    for (int k = 0; k < c->count; k++) {
        for (int r = 0; r < c->count; r++) {
            c->matrix[(size_t)k * (size_t)c->count + (size_t)r] =
                c->row_unit[c->row[r]] * c->freedom_unit[c->freedom[k]] *
                c->G[(size_t)c->freedom[k] * (size_t)c->rows + (size_t)c->row[r]];
        }
    }
    if (c->count > 0) {
        dgetrf_(&c->count, &c->count, c->matrix, &c->count, c->pivots, &info);
    }
    return info == 0;
}

/* The largest entry of all rows, for all freedoms that may move, in their units: what another choice might have. */
static double largest_entry(const dt_system *s)
{
    const dt_closure *c = s->closure;
    double most = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int v = node->v; v < node->v + node->type->nv && !c->held[i]; v++) {
            for (int row = 0; row < c->rows; row++) {
                most = fmax(most, fabs(c->row_unit[row] * c->freedom_unit[v] *
                                       c->G[(size_t)v * (size_t)c->rows + (size_t)row]));
            }
        }
    }
    return most;
}

/* The smallest pivot of the last factorisation, relative to the largest entry, be it of a freedom that is independent. */
static double least_pivot(const dt_system *s)
{
    dt_closure *c = s->closure;
    const double most = largest_entry(s);
    double least = INFINITY;
    for (int k = 0; k < c->count; k++) {
        const double pivot = fabs(c->matrix[(size_t)k * (size_t)c->count + (size_t)k]);
        if (pivot < least) {
            least = pivot;
            c->weakest = c->freedom[k];
        }
    }
    return c->count > 0 && most > 0 ? least / most : 1;
}

/* The sign of the determinant of the last factorisation. */
static int side_now(const dt_closure *c)
{
    int side = 1;
    if (c->local) {
        return dt_closure_local_side(c->local);
    }
    for (int k = 0; k < c->count; k++) {
        const bool is_below = c->matrix[(size_t)k * (size_t)c->count + (size_t)k] < 0;
        side = is_below != (c->pivots[k] != k + 1) ? -side : side;
    }
    return side;
}

void dt_closure_look(dt_system *s)
{
    dt_closure *c = s->closure;
    dt_closure_update(s);
    c->side = dt_closure_factor(s) ? side_now(c) : 0;
    if (c->local) {
        dt_closure_local_worn(s, false);
    } else {
        c->pivot = least_pivot(s);
    }
}

/* Dependent freedoms that hardly decide their rows any more are exchanged. */
static void renew(dt_system *s)
{
    dt_closure *c = s->closure;
    if (!c->is_stepping) {
        return;
    }
    if (c->local) {
        if (dt_closure_local_worn(s, true)) {
            dt_closure_local_choose(s, dt_closure_measure(s), false);
            c->choice = ++c->choices;
            dt_still_find(s);
            c->open = !dt_closure_factor(s);
            dt_closure_local_worn(s, false);
        }
        return;
    }
    c->pivot = least_pivot(s);
    if (c->best == 0) {
        c->best = c->pivot; /* the first time after a choice */
    }
    if (dt_closure_is_worn(c->pivot, c->best)) {
        dt_closure_choose(s);
        c->open = !dt_closure_factor(s);
        c->best = c->pivot = least_pivot(s);
    }
}

void dt_closure_solve(dt_closure *c, double *x, bool normal)
{
    const int one = 1;
    int info = 0;
    for (int k = 0; k < c->count; k++) {
        x[k] *= c->row_unit[c->row[k]];
    }
    if (c->local) {
        dt_closure_local_solve(c->local, x, normal);
    } else if (c->count > 0) {
        dgetrs_("N", &c->count, &one, c->matrix, &c->count, c->pivots, x, &c->count, &info);
    }
    for (int k = 0; k < c->count; k++) {
        x[k] *= normal ? c->row_unit[c->row[k]] : c->freedom_unit[c->freedom[k]];
    }
}

/* Freedom v takes a small step. */
void dt_closure_move(dt_system *s, int i, int j, double step)
{
    const dt_node *node = &s->tree->nodes[i];
    double v[3] = {0}, rate[4];
    v[j] = step;
    node->type->rate(s->q + node->q, v, rate);
    for (int k = 0; k < node->type->nq; k++) {
        s->q[node->q + k] += rate[k];
    }
    node->type->normalize(s->q + node->q);
}

/* Whether a condition that is to be closed to its own rounding is not. */
static bool is_blunt(const dt_system *s, int row, double length)
{
    const dt_tie_row *at = &s->closure->tie[row];
    return at->kind->is_sharp && at->kind->is_sharp(s->mechanism, at->item) &&
           dt_closure_row_error(s, row, length) > 0;
}

/* What a step of Newton's method closes. */
typedef enum part {
    ALL,
    OPEN, /**< clusters that are: others stay as they are, to the last bit, whoever moves beside them */
    BLUNT /**< is_blunt() alone, by which nothing else opens */
} part;

static bool is_meant(const dt_system *s, part what, int row, double length, double enough)
{
    const dt_still *still = s->closure->still;
    const int cluster = still->cluster_of_row[row];
    return what == ALL || (what == OPEN && (cluster < 0 || still->open[cluster] > enough)) ||
           (what == BLUNT && is_blunt(s, row, length));
}

/* One step of Newton's method; returns its size, turns measured by `length`. `enough`: open by no more is closed. */
static double correct(dt_system *s, double length, part what, double enough)
{
    dt_closure *c = s->closure;
    double size = 0;
    dt_closure_update(s);
    if (!dt_closure_factor(s)) {
        return INFINITY;
    }
    for (int k = 0; k < c->count; k++) {
        c->x[k] = is_meant(s, what, c->row[k], length, enough) ? -dt_closure_open(s, c->row[k]) : 0;
    }
    dt_closure_solve(c, c->x, false);
    for (int i = 0, k = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = 0; j < node->type->nv; j++) {
            if (c->dependent[node->v + j] && c->spares && dt_still_holds(c->still, i)) {
                k++;
            } else if (c->dependent[node->v + j]) {
                size = fmax(size, fabs(c->x[k]) * (node->type->rotational ? length : 1));
                if (c->x[k] != 0) {
                    dt_closure_move(s, i, j, c->x[k]);
                }
                k++;
            }
        }
    }
    return size;
}

/*
 * Ends what a last step has brought near, `error` being what was open before it. Poses are summed along the tree as forces are,
 * and known as exactly. Where a loop leaves more than that open, and a step does not halve it, the step is taken back, so that
 * closing again moves nothing, whatever freedoms depend on the others then. True where it is done.
 */
static bool settle(dt_system *s, double enough, double *error)
{
    double still;
    const double moving = dt_still_errors(s, &still),
                 left = s->closure->spares ? moving : fmax(moving, still);
    if (left > enough && left > 0.5 * *error) {
        memcpy(s->q, s->closure->before, (size_t)s->tree->nq * sizeof *s->q);
        dt_system_pose(s);
        return true;
    }
    *error = left;
    return left <= enough;
}

/* Conditions that are to be closed to their own rounding are linear: a step of Newton's method does it. What cannot move stays. */
static void sharpen(dt_system *s, double length, double *error)
{
    const dt_closure *c = s->closure;
    bool any = false;
    for (int t = 0; t < c->still->tie_count && c->count > 0 && !any; t++) {
        const dt_still_tie *tie = &c->still->tie[t];
        any = c->active[tie->row] && !(c->spares && tie->stands) && is_blunt(s, tie->row, length);
    }
    if (any && isfinite(correct(s, length, BLUNT, 0))) {
        double still;
        dt_system_pose(s);
        *error = fmax(dt_still_errors(s, &still), still);
    }
}

/* Open by no more is closed: the rounding of the poses, and of coordinates that are large. */
static double grain_of(const dt_system *s, double length)
{
    return fmax(dt_force_rounding(s->tree) * length, dt_closure_grain(s, length));
}

/* The same sums along another tree, the whole's, and that of a weld, may be as much off each. */
static const double other_sums = 2;

double dt_closure_known(const dt_system *s, bool turn)
{
    const double length = dt_closure_reach(s);
    return other_sums * grain_of(s, length) / (turn ? length : 1);
}

/*
 * Newton's method on the active rows; true where they close. `*error`: what all rows together are then open by at most.
 *
 * What is closed stays as it is, to the last bit: to the rounding of the same sums along another tree, the whole's, and that of a
 * weld. First guesses of what moves have nothing to keep, and are closed as exactly as they can be.
 */
static bool close_active(dt_system *s, double length, double *error)
{
    static const int most = 12;
    dt_closure *c = s->closure;
    const double enough = grain_of(s, length);
    double still;
    const double moving = dt_still_errors(s, &still);
    /* where all that is tied is held nothing moves, unless a motion takes it along */
    *error = c->count == 0 && !c->has_motions ? 0 : fmax(moving, still);
    c->spares = still <= other_sums * enough;
    /* near where branches meet, what is left open is many times as much in the coordinates */
    const bool sharp = c->is_stepping && c->is_guess && c->pivot < 0.1;
    bool near = *error <= other_sums * enough,
         done = near && (c->count == 0 || !c->is_guess || (moving <= enough && !sharp));
    for (int round = 0; round < most && !done; round++) {
        memcpy(c->before, s->q, (size_t)s->tree->nq * sizeof *s->q);
        const double step = correct(s, length, c->is_guess ? ALL : OPEN, other_sums * enough);
        if (!(step < 0.5 * length)) {
            break;
        }
        dt_system_pose(s);
        near = near || step < 1e-7 * length; /* the next one would be its square */
        done = near && settle(s, enough, error);
    }
    if (near) {
        sharpen(s, length, error);
    }
    return near;
}

/*
 * Whether rows that said nothing new do so now, being open by so much: beyond rounding in a step, as where something has left, from
 * rest, a place where branches meet; unless a choice has found them about as open and left them out again. Never by more than a
 * state may be.
 */
static bool has_opened(const dt_system *s, double length, double error)
{
    static const double roundings = 2, more = 2;
    const dt_closure *c = s->closure;
    const double known = fmax(roundings * grain_of(s, length), more * c->left_open);
    return error > fmin(c->is_stepping ? known : INFINITY, dt_closure_nothing * length);
}

void dt_closure_positions(dt_system *s)
{
    const double length = dt_closure_reach(s);
    double error;
    s->closure->open = false;
    bool closes = close_active(s, length, &error);
    if (closes && has_opened(s, length, error)) {
        dt_closure_choose(s);
        closes = close_active(s, length, &error) && error <= dt_closure_nothing * length;
        s->closure->left_open = error;
    }
    if (!closes) {
        s->closure->open = true;
        s->q[0] = NAN;
        return;
    }
    dt_closure_update(s);
    s->closure->open = !dt_closure_factor(s);
    renew(s);
    s->closure->side = s->closure->is_stepping ? side_now(s->closure) : s->closure->side;
}
