/*
 * Room for more of what dead times remember: neighbouring pieces are made one where that one says the same as both, to a tenth of the tolerance.
 *
 * A piece is merged once at most in a pass, so that what is lost grows with the logarithm of how many have become one. Where a break is, a piece begins
 * and stays. Short steps, as an integrator makes them where it starts anew, or where something else asks for them, need no more room than what is
 * remembered calls for.
 */
#include "dynamics/element.h"
#include "integrator/core.h"
#include "integrator/dead_times.h"

#include <math.h>

static const double part_of_tolerance = 0.1;
/* Of as many pieces one at least has to go, or the next pass comes too soon. */
static const int least_gain = 16;

/* Value k of a piece at t. */
static double value_at(const dt_history *h, long long piece, int k, double t)
{
    const dt_span *span = dt_history_span(h, piece);
    const double length = span->end - span->start, x = length > 0 ? (t - span->start) / length : 0;
    double slope;
    return dt_history_polynomial(dt_history_kept(h, piece, k)->newton, fmin(fmax(x, 0), 1), &slope);
}

/* Value k of two neighbours; the first one ends where the second begins. */
static double value_of_both(const dt_history *h, long long piece, int k, double t)
{
    return value_at(h, t < dt_history_span(h, piece + 1)->start ? piece : piece + 1, k, t);
}

static bool is_same(const dt_simulation *sim, long long piece, int k, double t, double is)
{
    const dt_history *h = &sim->dead.history;
    const double was = value_of_both(h, piece, k, t);
    return fabs(is - was) <=
           fmax(part_of_tolerance * sim->rtol * fmax(fabs(was), 1e-2 * h->largest[k]),
                16 * DBL_EPSILON * h->largest[k]);
}

/* One polynomial in place of two for value k, to the work space; whether it is the same at other points of both. */
static bool fits(dt_simulation *sim, long long piece, int k)
{
    static const double look[] = {0.2, 0.5, 0.8};
    const dt_history *h = &sim->dead.history;
    const dt_span *one = dt_history_span(h, piece), *other = dt_history_span(h, piece + 1);
    const double start = one->start, length = other->end - start,
                 lengths[] = {other->start - start, other->end - other->start};
    double value[DT_HISTORY_POINTS], *newton = sim->dead.merged[k].newton;
    for (int n = 0; n < DT_HISTORY_POINTS; n++) {
        value[n] = value_of_both(h, piece, k, start + dt_history_point(n) * length);
    }
    dt_history_fit(value, newton);
    for (int n = 0; n < 6; n++) {
        const double t = (n < 3 ? start : other->start) + look[n % 3] * lengths[n / 3];
        double slope;
        const double is = dt_history_polynomial(newton, (t - start) / length, &slope);
        if (!is_same(sim, piece, k, t, is)) {
            return false;
        }
    }
    return true;
}

/* Whether a piece goes on smoothly from the one before it. */
static bool goes_on(const dt_history *h, long long piece)
{
    bool smooth = true;
    for (int k = 0; k < h->count && smooth; k++) {
        smooth = dt_history_kept(h, piece, k)->order > DT_BREAK_LAST;
    }
    return smooth;
}

static bool can_merge(dt_simulation *sim, long long piece)
{
    const dt_history *h = &sim->dead.history;
    bool can = dt_history_span(h, piece + 1)->end > dt_history_span(h, piece)->start &&
               goes_on(h, piece + 1);
    for (int k = 0; k < h->count && can; k++) {
        can = fits(sim, piece, k);
    }
    return can;
}

/* Piece `from`, with the next one if they are merged, to the place `to`, which is at `from` or before. */
static void put(dt_simulation *sim, long long from, long long to, bool merged)
{
    dt_history *h = &sim->dead.history;
    const double end = dt_history_span(h, from + merged)->end;
    *dt_history_span(h, to) = (dt_span){dt_history_span(h, from)->start, end};
    for (int k = 0; k < h->count; k++) {
        const signed char order = dt_history_kept(h, from, k)->order;
        *dt_history_kept(h, to, k) = merged ? sim->dead.merged[k] : *dt_history_kept(h, from, k);
        dt_history_kept(h, to, k)->order = order;
    }
}

/* The piece that begins at `start`. */
static long long piece_from(const dt_history *h, double start)
{
    long long low = h->first, high = h->next;
    while (high - low > 1) {
        const long long middle = low + (high - low) / 2;
        *(dt_history_span(h, middle)->start <= start ? &low : &high) = middle;
    }
    return low;
}

/* From where on a reader is early with a piece is told by its beginning while its number changes. */
static void note_early(dt_dead_times *of)
{
    const dt_history *h = &of->history;
    for (int k = 0; k < h->count; k++) {
        const dt_early *early = &h->early[k];
        const bool is_there =
            isfinite(early->time) && early->piece >= h->first && early->piece < h->next;
        of->value[k] = is_there ? dt_history_span(h, early->piece)->start : (double)NAN;
    }
}

/* Numbers of pieces are others now. */
static void renumber(dt_simulation *sim)
{
    dt_dead_times *of = &sim->dead;
    dt_history *h = &of->history;
    signed char *order = of->order_kept;
    memcpy(order, of->order, (size_t)h->count * sizeof *order);
    for (int k = 0; k < h->count; k++) {
        if (!isnan(of->value[k])) {
            h->early[k].piece = piece_from(h, of->value[k]);
        }
    }
    dt_dead_times_find_breaks(sim);
    memcpy(of->order, order, (size_t)h->count * sizeof *order);
}

bool dt_dead_times_merge(dt_simulation *sim)
{
    dt_history *h = &sim->dead.history;
    const long long end = h->next;
    long long to = h->first, from = h->first;
    note_early(&sim->dead);
    while (from < end) {
        const bool merged = from + 1 < end && can_merge(sim, from);
        put(sim, from, to, merged);
        from += 1 + merged;
        to++;
    }
    h->next = to;
    renumber(sim);
    return (end - to) * least_gain >= h->capacity;
}
