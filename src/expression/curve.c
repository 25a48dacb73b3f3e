/*
 * On a segment from knot a to knot b, h wide, with u = x - x_a and s = u / h, the curve is the sum of values and slopes at its ends times
 *
 *   linear   values  1 - s, s
 *   cubic    values  1 - 3 s^2 + 2 s^3, 3 s^2 - 2 s^3      slopes  u (1 - s)^2, u (s^2 - s)
 *
 * as polynomials in u; of two variables times the same in the other one, with the mixed derivative 0 at the knots. Beyond the last knots
 * u counts from there, and the value is held, or goes on straight; where the whole repeats, segments are numbered on.
 */
#include "expression/curve.h"

#include <math.h>
#include <string.h>

enum { BELOW = -1, TERMS = 4, MOST_CELLS = 64 };

/* An end of a segment, and what its value and slope are multiplied with, as polynomials in u. */
typedef struct end_weights {
    double origin;
    int knot[2];
    double value[2][TERMS], slope[2][TERMS];
} end_weights;

/* A cell: polynomial in u and v. */
typedef struct curve_cell {
    double origin[2];
    double c[TERMS][TERMS];
    int terms; /**< of each variable that matter */
} curve_cell;

/* ---- groups and segments ---- */

int dt_curve_group(const dt_axis *axis, double x)
{
    int low = 0, high = axis->border_count; /* borders before `low` are not above x */
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (axis->at[axis->border[middle]] <= x) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void dt_curve_ends(const dt_axis *axis, int group, double ends[2])
{
    ends[0] = group > 0 ? axis->at[axis->border[group - 1]] : -INFINITY;
    ends[1] = group < axis->border_count ? axis->at[axis->border[group]] : INFINITY;
}

/* The segment of a group that x is in, or is next to: BELOW the first knot, count - 1 above the last one. */
static int segment_of(const dt_axis *axis, int group, double x)
{
    int low = group > 0 ? axis->border[group - 1] : BELOW,
        high = group < axis->border_count ? axis->border[group] - 1 : axis->count - 1;
    while (low < high) {
        const int middle = low + (high - low + 1) / 2;
        if (axis->at[middle] <= x) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

/* ---- what repeats ---- */

static bool repeats(const dt_curve *curve)
{
    return curve->outside == DT_OUTSIDE_REPEAT;
}

static double period(const dt_axis *axis)
{
    return axis->at[axis->count - 1] - axis->at[0];
}

/* How often the whole fits between the first knot and x; x without that, between the first and the last knot. */
static double take_home(const dt_axis *axis, double *x)
{
    const double turns = floor((*x - axis->at[0]) / period(axis)),
                 home = fma(-turns, period(axis), *x);
    *x = fmin(fmax(home, axis->at[0]), axis->at[axis->count - 1]); /* or rounding */
    return turns;
}

/* A knot, of those that repeat any. */
static double knot_at(const dt_curve *curve, const dt_axis *axis, int knot)
{
    const int segments = axis->count - 1;
    return repeats(curve) ? axis->at[knot % segments] + knot / segments * period(axis)
                          : axis->at[knot];
}

/* ---- polynomials ---- */

static void between(const dt_axis *axis, int a, bool cubic, end_weights *w)
{
    const double h = axis->at[a + 1] - axis->at[a], r = 1 / h;
    w->value[0][0] = 1;
    if (cubic) {
        w->value[0][2] = -3 * r * r, w->value[0][3] = 2 * r * r * r;
        w->value[1][2] = 3 * r * r, w->value[1][3] = -2 * r * r * r;
        w->slope[0][1] = 1, w->slope[0][2] = -2 * r, w->slope[0][3] = r * r;
        w->slope[1][2] = -r, w->slope[1][3] = r * r;
    } else {
        w->value[0][1] = -r;
        w->value[1][1] = r;
    }
}

/* Beyond the knot `end` of the segment, with the origin there. */
static void beyond(const dt_axis *axis, int end, dt_outside outside, bool cubic, end_weights *w)
{
    const double h = axis->at[w->knot[1]] - axis->at[w->knot[0]];
    w->value[end][0] = outside == DT_OUTSIDE_ERROR ? NAN : 1;
    if (outside == DT_OUTSIDE_EXTEND && cubic) {
        w->slope[end][1] = 1;
    } else if (outside == DT_OUTSIDE_EXTEND) {
        w->value[0][1] = -1 / h;
        w->value[1][1] = 1 / h;
    }
}

static end_weights weigh(const dt_curve *curve, int k, int segment)
{
    const dt_axis *axis = &curve->axis[k];
    const bool cubic = curve->slope[k] != NULL, wraps = repeats(curve);
    const int last = axis->count - 1, a = segment < 0      ? 0
                                          : wraps          ? segment % last
                                          : segment < last ? segment
                                                           : last - 1;
    end_weights w = {.origin = knot_at(curve, axis, segment < 0 ? 0 : segment), .knot = {a, a + 1}};
    if (!wraps && (segment < 0 || segment == last)) {
        beyond(axis, segment == last, curve->outside, cubic, &w);
    } else {
        between(axis, a, cubic, &w);
    }
    return w;
}

/* Of a curve of one variable: 1 in the other one. */
static end_weights nothing(void)
{
    return (end_weights){.value = {{1}}};
}

static void add(curve_cell *cell, double factor, const double a[TERMS], const double b[TERMS])
{
    for (int m = 0; m < cell->terms; m++) {
        for (int n = 0; n < cell->terms; n++) {
            cell->c[m][n] += a[m] == 0 || b[n] == 0 ? 0 : factor * a[m] * b[n];
        }
    }
}

static curve_cell make_cell(const dt_curve *curve, const int segment[2])
{
    const end_weights x = weigh(curve, 0, segment[0]),
                      y = curve->axes > 1 ? weigh(curve, 1, segment[1]) : nothing();
    const int columns = curve->axes > 1 ? curve->axis[1].count : 1;
    curve_cell cell = {.origin = {x.origin, y.origin}, .terms = curve->slope[0] ? TERMS : 2};
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < curve->axes; j++) {
            const int at = x.knot[i] * columns + y.knot[j];
            add(&cell, curve->value[at], x.value[i], y.value[j]);
            if (curve->slope[0]) {
                add(&cell, curve->slope[0][at], x.slope[i], y.value[j]);
            }
            if (curve->slope[1]) {
                add(&cell, curve->slope[1][at], x.value[i], y.slope[j]);
            }
        }
    }
    return cell;
}

/* The polynomial in u with the coefficients c, and its derivatives. */
static void polynomial(const double c[TERMS], int terms, double u, double value[3])
{
    value[0] = value[1] = value[2] = 0;
    for (int m = terms - 1; m >= 0; m--) {
        value[2] = value[2] * u + 2 * value[1];
        value[1] = value[1] * u + value[0];
        value[0] = value[0] * u + c[m];
    }
}

/* The groups of both axes. */
static void split(const dt_curve *curve, double groups, int group[2])
{
    const int first = curve->axis[0].border_count + 1, both = (int)groups;
    group[0] = both % first;
    group[1] = both / first;
}

double dt_curve_value(const dt_curve *curve, double x, double y, double groups, double first[2],
                      double second[3])
{
    int group[2], segment[2] = {0, 0};
    double rows[TERMS][3], by_y[3][TERMS], f[3][3];
    if (isnan(groups)) {
        return groups;
    }
    split(curve, groups, group);
    if (repeats(curve)) {
        take_home(&curve->axis[0], &x);
    }
    segment[0] = segment_of(&curve->axis[0], group[0], x);
    segment[0] -= repeats(curve) && segment[0] == curve->axis[0].count - 1; /* the last knot */
    segment[1] = curve->axes > 1 ? segment_of(&curve->axis[1], group[1], y) : 0;
    const curve_cell cell = make_cell(curve, segment);
    for (int m = 0; m < cell.terms; m++) {
        polynomial(cell.c[m], curve->axes > 1 ? cell.terms : 1, y - cell.origin[1], rows[m]);
        for (int d = 0; d < 3; d++) {
            by_y[d][m] = rows[m][d];
        }
    }
    for (int d = 0; d < 3; d++) {
        polynomial(by_y[d], cell.terms, x - cell.origin[0], f[d]);
    }
    if (first) {
        first[0] = f[0][1];
        first[1] = curve->axes > 1 ? f[1][0] : 0;
    }
    if (second) {
        second[0] = f[0][2];
        second[1] = curve->axes > 1 ? f[1][1] : 0;
        second[2] = curve->axes > 1 ? f[2][0] : 0;
    }
    return f[0][0];
}

/* ---- series ---- */

/* y = y u + c. */
static void go_on(dt_series *y, const dt_series *u, const dt_series *c, int order)
{
    dt_series product;
    dt_series_multiply(y, u, order, &product);
    dt_series_add(&product, c, order, y);
}

static void go_on_by(dt_series *y, const dt_series *u, double c, int order)
{
    dt_series constant;
    dt_series_constant(c, order, &constant);
    go_on(y, u, &constant, order);
}

/* What an argument does in a segment, from its origin. */
static dt_series part_of(const dt_curve *curve, int k, int segment, bool first, bool last,
                         double origin, const dt_series *x, int order)
{
    const dt_axis *axis = &curve->axis[k];
    dt_series part = *x, from, u;
    part.c[0].lo = first ? x->c[0].lo : fmax(x->c[0].lo, knot_at(curve, axis, segment));
    part.c[0].hi = last ? x->c[0].hi : fmin(x->c[0].hi, knot_at(curve, axis, segment + 1));
    dt_series_constant(origin, order, &from);
    dt_series_subtract(&part, &from, order, &u);
    return u;
}

static void enclose_cell(const curve_cell *cell, const dt_series *u, const dt_series *v, int order,
                         dt_series *value)
{
    dt_series row;
    dt_series_constant(0, order, value);
    for (int m = cell->terms - 1; m >= 0; m--) {
        dt_series_constant(cell->c[m][0], order, &row);
        if (v) {
            dt_series_constant(0, order, &row);
            for (int n = cell->terms - 1; n >= 0; n--) {
                go_on_by(&row, v, cell->c[m][n], order);
            }
        }
        go_on(value, u, &row, order);
    }
}

/*
 * The segments that an argument runs through, and where it repeats the same argument without whole periods. False where these are more than a
 * few.
 */
static bool find_segments(const dt_curve *curve, int k, int group, dt_series *x, int *low,
                          int *high)
{
    const dt_axis *axis = &curve->axis[k];
    dt_interval *value = &x->c[0];
    if (!repeats(curve)) {
        *low = segment_of(axis, group, value->lo);
        *high = segment_of(axis, group, value->hi);
        return *high - *low < MOST_CELLS;
    }
    double from = value->lo, to = value->hi;
    const double turns = take_home(axis, &from), more = take_home(axis, &to) - turns;
    if (!(fabs(turns) < 0x1p52) || !(more < MOST_CELLS)) {
        return false;
    }
    const int whole = axis->count - 1;
    const dt_interval both = dt_interval_multiply((dt_interval){turns, turns},
                                                  (dt_interval){period(axis), period(axis)});
    *value = dt_interval_subtract(*value, both);
    *low = segment_of(axis, group, from);
    *high = segment_of(axis, group, to) + (int)more * whole;
    *low -= *low == whole;
    return *high - *low < MOST_CELLS;
}

void dt_curve_enclose(const dt_curve *curve, const dt_series *x_given, const dt_series *y_given,
                      const dt_series *groups, int order, dt_series *value)
{
    dt_series own[2];
    const dt_series *x = &own[0], *y = &own[1];
    int group[2], low[2] = {0, 0}, high[2] = {0, 0};
    dt_series_unknown(order, value);
    if (!dt_interval_is_point(groups->c[0]) || !isfinite(groups->c[0].lo)) {
        return;
    }
    split(curve, groups->c[0].lo, group);
    for (int k = 0; k < curve->axes; k++) {
        own[k] = k == 0 ? *x_given : *y_given;
        if (!find_segments(curve, k, group[k], &own[k], &low[k], &high[k])) {
            return;
        }
    }
    if ((high[0] - low[0] + 1) * (high[1] - low[1] + 1) > MOST_CELLS) {
        return;
    }
    for (int i = low[0]; i <= high[0]; i++) {
        for (int j = low[1]; j <= high[1]; j++) {
            const curve_cell cell = make_cell(curve, (const int[2]){i, j});
            const dt_series u =
                part_of(curve, 0, i, i == low[0], i == high[0], cell.origin[0], x, order);
            dt_series v, part;
            if (curve->axes > 1) {
                v = part_of(curve, 1, j, j == low[1], j == high[1], cell.origin[1], y, order);
            }
            enclose_cell(&cell, &u, curve->axes > 1 ? &v : NULL, order, &part);
            for (int n = 0; n <= order; n++) {
                value->c[n] = i == low[0] && j == low[1] ? part.c[n]
                                                         : dt_interval_hull(value->c[n], part.c[n]);
            }
        }
    }
}
