/*
 * Tables w0, w1 of one variable and w2 of two, of a stream of chance of their own, and w3 of a cam: linear, monotone, splines that are
 * natural or repeat, with all that is outside. Forces and friction follow them. Splines are evaluated by their second derivatives at the
 * knots, from one dense system of equations; of monotone ones the slopes are the library's choice, so there is no proof where one is.
 */
#include "tables.h"

#include "kind.h"
#include "prove_modes.h"

#include <string.h>

enum { TABLES = 4, GRID = 2, KNOTS = 8 };

typedef enum way { LINEAR, MONOTONE, SPLINE } way;
typedef enum outside { HOLD, EXTEND, REPEAT } outside;

typedef struct table {
    bool alive;
    way way;
    outside outside;
    int count, across; /* knots; of the second variable */
    double of[KNOTS], second[KNOTS], is[KNOTS * KNOTS];
} table;

static table *of(const sketch *s, int k)
{
    return (table *)sketch_own(s, &sketch_tables) + k;
}

/* ---- making ---- */

static void make_knots(chance *c, double low, double high, int count, double *knot)
{
    for (int k = 0; k < count; k++) {
        knot[k] = chance_short(low + (high - low) * (k + chance_in(c, -0.3, 0.3)) / (count - 1));
    }
}

static void make_one(chance *c, table *own)
{
    own->alive = true;
    own->way = (way)(chance_of(c, 0.15) ? MONOTONE : chance_of(c, 0.7) ? SPLINE : LINEAR);
    own->count = 4 + chance_below(c, KNOTS - 3);
    own->outside = own->way == SPLINE && chance_of(c, 0.5) ? REPEAT
                   : chance_of(c, 0.7)                     ? HOLD
                                                           : EXTEND;
    make_knots(c, -0.8, 0.8, own->count, own->of);
    for (int k = 0; k < own->count; k++) {
        own->is[k] = chance_number(c, -1, 1);
    }
    if (own->outside == REPEAT) {
        own->is[own->count - 1] = own->is[0];
    }
}

static void make_grid(chance *c, table *own)
{
    own->alive = true;
    own->way = LINEAR;
    own->outside = chance_of(c, 0.7) ? HOLD : EXTEND;
    own->count = 2 + chance_below(c, 3);
    own->across = 2 + chance_below(c, 3);
    make_knots(c, -0.8, 0.8, own->count, own->of);
    make_knots(c, -0.8, 0.8, own->across, own->second);
    for (int k = 0; k < own->count * own->across; k++) {
        own->is[k] = chance_number(c, -1, 1);
    }
}

/* What a table is asked for; where it goes on beyond its ends the argument does not. */
static void make_argument(sketch *s, chance *c, bool bounded, char *text, size_t capacity)
{
    const sketch_primitive *p = make_pick(s, c);
    const int which = chance_below(c, 4);
    if (!p || which == 0) {
        snprintf(text, capacity, bounded ? "sin(%g*t)" : "%g*t", chance_size(c, 0.5, 8));
    } else if (bounded) {
        snprintf(text, capacity, "sin(1*position(%s))", p->name);
    } else {
        snprintf(text, capacity, which == 1 ? "1*velocity(%s)" : "1*position(%s)", p->name);
    }
}

static void make(maker *m)
{
    chance own = {m->seed ^ 0x6e6e6e6e6e6e6e6eu}, *c = &own;
    for (int k = 0; k <= GRID && m->wish.tables; k++) {
        if (!chance_of(c, 0.3)) {
            continue;
        }
        table *t = of(m->s, k);
        char x[64], y[64], name[SKETCH_LAW];
        if (k == GRID) {
            make_grid(c, t);
        } else {
            make_one(c, t);
        }
        make_argument(m->s, c, t->outside == EXTEND, x, sizeof x);
        make_argument(m->s, c, t->outside == EXTEND, y, sizeof y);
        snprintf(name, sizeof name, k == GRID ? "w%d(%s, %s)" : "w%d(%s)", k, x, y);
        make_use(m->s, c, name);
        make_use(m->s, c, name);
    }
}

void tables_make_cam(sketch *s, chance *c)
{
    table *own = of(s, TABLES_CAM);
    const int count = 5 + chance_below(c, KNOTS - 4);
    *own = (table){.alive = true, .way = SPLINE, .outside = REPEAT, .count = count};
    for (int k = 0; k < count; k++) {
        own->of[k] = k == count - 1 ? 2 * acos(-1) : chance_short(2 * acos(-1) * k / (count - 1));
        own->is[k] = k == count - 1 ? own->is[0] : chance_number(c, -1, 1);
    }
}

/* ---- writing ---- */

static void put_list(writer *w, const double *x, int count, double factor)
{
    for (int k = 0; k < count; k++) {
        write_text(w, k ? ", %.17g" : "[%.17g", x[k] * factor);
    }
    write_text(w, "]");
}

static void write(writer *w, const sketch *s)
{
    static const char *const ways[] = {"linear", "monotone", "spline"}, *const outsides[] = {
                                                                            "hold", "extend",
                                                                            "repeat"};
    bool any = false;
    for (int k = 0; k < TABLES; k++) {
        const table *own = of(s, k);
        if (!own->alive) {
            continue;
        }
        const double by = write_factor(w);
        write_text(w, "%s  w%d: {of: ", any ? "" : "tables:\n", k);
        any = true;
        write_text(w, own->across ? "[" : "");
        put_list(w, own->of, own->count, 1);
        if (own->across) {
            write_text(w, ", ");
            put_list(w, own->second, own->across, 1);
            write_text(w, "], is: [");
            for (int row = 0; row < own->count; row++) {
                write_text(w, row ? ", " : "");
                put_list(w, own->is + row * own->across, own->across, by);
            }
            write_text(w, "]");
        } else {
            write_text(w, ", is: ");
            put_list(w, own->is, own->count, by);
        }
        write_text(w, ", interpolation: %s, outside: %s}\n", ways[own->way],
                   outsides[own->outside]);
    }
}

static void drop(shrinker *w)
{
    for (int k = 0; k < TABLES; k++) {
        sketch t = *w->s;
        of(&t, k)->alive = false;
        shrinker_attempt(w, &t);
        t = *w->s;
        of(&t, k)->way = LINEAR;
        of(&t, k)->outside = HOLD;
        shrinker_attempt(w, &t);
    }
}

/* ---- values ---- */

/* The interval of x, or the first or last one. */
static int find(const double *knot, int count, double x)
{
    int k = 0;
    while (k < count - 2 && x >= knot[k + 1]) {
        k++;
    }
    return k;
}

/* The second derivatives of a spline: h_k-1 m_k-1 + 2 (h_k-1 + h_k) m_k + h_k m_k+1 = 6 (d_k - d_k-1), d the slopes of chords. */
static bool find_bends(const table *own, double *m)
{
    const int n = own->count, last = n - 1;
    double A[KNOTS * KNOTS] = {0};
    memset(m, 0, KNOTS * sizeof *m);
    for (int k = 0; k < n; k++) {
        const bool inside = k > 0 && k < last, closes = own->outside == REPEAT && k == 0;
        const int a = k > 0 ? k : last; /* the knot where the interval before it ends */
        if (inside || closes) {
            const double before = own->of[a] - own->of[a - 1], after = own->of[k + 1] - own->of[k];
            A[k * n + a - 1] += before;
            A[k * n + k] += 2 * (before + after);
            A[k * n + k + 1] += after;
            m[k] = 6 *
                   ((own->is[k + 1] - own->is[k]) / after - (own->is[a] - own->is[a - 1]) / before);
        } else {
            A[k * n + k] = 1;
            A[k * n] -= own->outside == REPEAT ? 1 : 0; /* the last is the first */
        }
    }
    return prove_solve_linear(n, A, m);
}

static double cubic(const table *own, const double *m, double x, double *slope)
{
    const int k = find(own->of, own->count, x);
    const double h = own->of[k + 1] - own->of[k], a = (own->of[k + 1] - x) / h,
                 b = (x - own->of[k]) / h;
    *slope = (own->is[k + 1] - own->is[k]) / h +
             h / 6 * ((1 - 3 * a * a) * m[k] + (3 * b * b - 1) * m[k + 1]);
    return a * own->is[k] + b * own->is[k + 1] +
           h * h / 6 * ((a * a * a - a) * m[k] + (b * b * b - b) * m[k + 1]);
}

double tables_value(const sketch *s, int which, double x, double *slope)
{
    const table *own = of(s, which);
    const double first = own->of[0], last = own->of[own->count - 1];
    double m[KNOTS] = {0}, rate, at = x;
    if (own->way == SPLINE && !find_bends(own, m)) {
        return (double)NAN;
    }
    at = own->outside == REPEAT ? x - (last - first) * floor((x - first) / (last - first))
                                : fmin(fmax(x, first), last);
    double value = cubic(own, m, at, &rate);
    if (x != at && own->outside == EXTEND) {
        value += rate * (x - at);
    }
    if (slope) {
        *slope = x != at && own->outside == HOLD ? 0 : rate;
    }
    return value;
}

static double bilinear(const table *own, double x, double y)
{
    const bool holds = own->outside == HOLD;
    const double u = holds ? fmin(fmax(x, own->of[0]), own->of[own->count - 1]) : x,
                 v = holds ? fmin(fmax(y, own->second[0]), own->second[own->across - 1]) : y;
    const int i = find(own->of, own->count, u), j = find(own->second, own->across, v);
    const double a = (u - own->of[i]) / (own->of[i + 1] - own->of[i]),
                 b = (v - own->second[j]) / (own->second[j + 1] - own->second[j]);
    const double *low = own->is + i * own->across + j, *high = low + own->across;
    return (1 - a) * ((1 - b) * low[0] + b * low[1]) + a * ((1 - b) * high[0] + b * high[1]);
}

static bool call(const scene *sc, const char *name, const double *x, int count, double *value)
{
    const int k = name[0] == 'w' ? name[1] - '0' : -1;
    if (k < 0 || k >= TABLES || !of(sc->s, k)->alive) {
        return false;
    }
    *value = k != GRID    ? tables_value(sc->s, k, x[0], NULL)
             : count == 2 ? bilinear(of(sc->s, k), x[0], x[1])
                          : (double)NAN;
    return true;
}

static bool is_known(const scene *sc)
{
    bool known = true;
    for (int k = 0; k < TABLES; k++) {
        known = known && !(of(sc->s, k)->alive && of(sc->s, k)->way == MONOTONE);
    }
    return known;
}

const sketch_kind sketch_tables = {.size = TABLES * sizeof(table),
                                   .make = make,
                                   .write = write,
                                   .drop = drop,
                                   .call = call,
                                   .is_known = is_known};
