/**
 * @file history.h
 * What values were in a run up to now, for those that read them later (model/dead_time.c).
 *
 * The run is cut into pieces, one after the other. Over each of them a value is a polynomial of degree 5 through its values at six points, as
 * Chebyshev and Lobatto place them: the solution inside a step is a polynomial of at most that degree. Between two pieces a value may jump, or
 * its derivative: a *break*. Pieces are in a ring; a piece that nobody can read any more gives its place.
 *
 * At the instant of a break the reader has the value of the new piece; an instant is the first t with t - T at or behind where the piece begins, in
 * floating point. Where several instants are one event (dt_moment() of the integrator), the new pieces hold for all of them from the first on: `early`.
 */
#ifndef DT_DYNAMICS_HISTORY_H
#define DT_DYNAMICS_HISTORY_H

#include "base/arena.h"
#include "model/mechanism.h"

enum {
    DT_HISTORY_POINTS = 6,
    DT_BREAK_JUMP = 0, /**< the value jumps */
    DT_BREAK_LAST = 4, /**< the highest derivative whose jump is looked after */
    DT_BREAK_NONE = 5  /**< the value goes on smoothly, as far as anybody knows */
};

/** One value over one piece. */
typedef struct dt_kept {
    double newton[DT_HISTORY_POINTS]; /**< coefficients of Newton's form over [0, 1] */
    signed char order; /**< of the derivative that jumps where the piece begins: DT_BREAK_... */
} dt_kept;

typedef struct dt_span {
    double start, end; /**< s */
} dt_span;

/** From when on a reader has a piece for which it is too early by rounding. */
typedef struct dt_early {
    double time; /**< s; INFINITY: none */
    long long piece;
} dt_early;

typedef struct dt_history {
    int count;              /**< of values */
    const dt_dead_time *of; /**< count */
    long long first, next;  /**< the pieces that there are are first .. next - 1 */
    int capacity;           /**< of the ring: piece n is at n modulo that */
    dt_span *span;          /**< capacity */
    dt_kept *kept;          /**< capacity * count: values of a piece side by side */
    double *before;         /**< count: what they were before the first piece */
    double *largest;        /**< count: of all absolute values so far */
    dt_early *early;        /**< count */
} dt_history;

/** False when memory is out. */
bool dt_history_create(dt_arena *arena, const detent_mechanism *mechanism, int capacity,
                       dt_history *history);

static inline dt_span *dt_history_span(const dt_history *h, long long piece)
{
    return &h->span[piece % h->capacity];
}
static inline dt_kept *dt_history_kept(const dt_history *h, long long piece, int k)
{
    return &h->kept[(size_t)(piece % h->capacity) * (size_t)h->count + (size_t)k];
}

/** Where the points of a piece are, of its length. */
double dt_history_point(int point);
/** The coefficients of the polynomial through these values at the points. */
void dt_history_fit(const double value[DT_HISTORY_POINTS], double newton[DT_HISTORY_POINTS]);
/** Its value at x, 0 .. 1 within the piece, and its slope there. */
double dt_history_polynomial(const double newton[DT_HISTORY_POINTS], double x, double *slope);

/** The piece that is read of value k at time t of the reader: `first` - 1 before all of them. */
long long dt_history_piece(const dt_history *history, int k, double t);
/** Value k as it was dead time ago. */
double dt_history_value(const dt_history *history, int k, double t);
/** Its rate there. */
double dt_history_rate(const dt_history *history, int k, double t);
/** The first t at which value k is read of what begins at `start`. */
double dt_history_instant(const dt_history *history, int k, double start);

#endif
