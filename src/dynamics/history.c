#include "dynamics/history.h"

#include <math.h>

/* (1 - cos(n pi/5))/2 */
static const double point[DT_HISTORY_POINTS] = {
    0, 0.095491502812526288, 0.34549150281252629, 0.65450849718747371, 0.90450849718747371, 1};

double dt_history_point(int n)
{
    return point[n];
}

bool dt_history_create(dt_arena *arena, const detent_mechanism *m, int capacity, dt_history *h)
{
    const size_t count = (size_t)m->dead_time_count, pieces = count > 0 ? (size_t)capacity : 0;
    h->count = m->dead_time_count;
    h->of = m->dead_times;
    h->capacity = capacity;
    h->span = dt_arena_alloc(arena, pieces, sizeof *h->span);
    h->kept = dt_arena_alloc(arena, pieces * count, sizeof *h->kept);
    h->before = dt_arena_alloc(arena, count, sizeof *h->before);
    h->largest = dt_arena_alloc(arena, count, sizeof *h->largest);
    h->early = dt_arena_alloc(arena, count, sizeof *h->early);
    for (size_t k = 0; k < count && h->early && h->before; k++) {
        h->before[k] = m->dead_times[k].before;
        h->early[k].time = INFINITY;
    }
    return h->span && h->kept && h->before && h->largest && h->early;
}

void dt_history_fit(const double value[DT_HISTORY_POINTS], double newton[DT_HISTORY_POINTS])
{
    for (int k = 0; k < DT_HISTORY_POINTS; k++) {
        newton[k] = value[k];
    }
    for (int order = 1; order < DT_HISTORY_POINTS; order++) {
        for (int k = DT_HISTORY_POINTS - 1; k >= order; k--) {
            newton[k] = (newton[k] - newton[k - 1]) / (point[k] - point[k - order]);
        }
    }
}

double dt_history_polynomial(const double newton[DT_HISTORY_POINTS], double x, double *slope)
{
    double value = newton[DT_HISTORY_POINTS - 1];
    *slope = 0;
    for (int k = DT_HISTORY_POINTS - 2; k >= 0; k--) {
        *slope = value + (x - point[k]) * *slope;
        value = newton[k] + (x - point[k]) * value;
    }
    return value;
}

/* The last piece that begins at s or before. */
static long long find(const dt_history *h, double s)
{
    long long low = h->first - 1, high = h->next; /* begins at s or before; or after */
    while (high - low > 1) {
        const long long middle = low + (high - low) / 2;
        if (dt_history_span(h, middle)->start <= s) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

long long dt_history_piece(const dt_history *h, int k, double t)
{
    const long long piece = find(h, t - h->of[k].time);
    return t >= h->early[k].time && piece < h->early[k].piece ? h->early[k].piece : piece;
}

static double at(const dt_history *h, int k, double t, double *rate)
{
    const long long piece = dt_history_piece(h, k, t);
    *rate = 0;
    if (piece < h->first) {
        return h->before[k];
    }
    const dt_span *span = dt_history_span(h, piece);
    const double length = span->end - span->start;
    const double x = length > 0 ? (t - h->of[k].time - span->start) / length : 0;
    double slope;
    const double value =
        dt_history_polynomial(dt_history_kept(h, piece, k)->newton, fmin(fmax(x, 0), 1), &slope);
    *rate = length > 0 ? slope / length : 0;
    return value;
}

double dt_history_value(const dt_history *h, int k, double t)
{
    double rate;
    return at(h, k, t, &rate);
}

double dt_history_rate(const dt_history *h, int k, double t)
{
    double rate;
    at(h, k, t, &rate);
    return rate;
}

double dt_history_instant(const dt_history *h, int k, double start)
{
    const double time = h->of[k].time;
    double t = start + time;
    for (int n = 0; n < 4 && t - time < start; n++) {
        t = nextafter(t, INFINITY);
    }
    for (int n = 0; n < 4 && nextafter(t, -INFINITY) - time >= start; n++) {
        t = nextafter(t, -INFINITY);
    }
    return t;
}
