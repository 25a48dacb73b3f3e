/*
 * Feet on curves. The nearest of the ends of pieces (all are looked at) tells the two pieces where the foot is; in these by Newton's method for
 * (P - c) . c' = 0, kept between bounds that have it between them.
 */
#include "dynamics/slot_curve.h"

#include <float.h>
#include <math.h>

enum { FEWEST = 64, MOST = 8192, ROUNDS = 60 };
static const double least_turn = 0.1; /* rad: what pieces turn by at most */

static double dot(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

static double cross(const double a[2], const double b[2])
{
    return a[0] * b[1] - a[1] * b[0];
}

/* Value and two derivatives: c[d][k] of component k. */
static void look(const dt_slot_curve *curve, double u, double *registers, double c[3][2])
{
    for (int k = 0; k < 2; k++) {
        double jet[3];
        dt_program_time_jet(curve->of[k], u, NULL, registers, jet);
        for (int d = 0; d < 3; d++) {
            c[d][k] = jet[d];
        }
    }
}

static double home(const dt_slot_curve *curve, double u)
{
    const double period = curve->to - curve->from;
    return !curve->closed ? u : u < curve->from ? u + period : u >= curve->to ? u - period : u;
}

static double end_of(const dt_slot_curve *curve, int k)
{
    return k == curve->count ? curve->to
                             : curve->from + (curve->to - curve->from) * k / curve->count;
}

/* ---- feet ---- */

static int nearest(const dt_slot_curve *curve, const double P[2])
{
    double least = INFINITY;
    int best = 0;
    for (int k = 0; k <= curve->count; k++) {
        const double r[2] = {P[0] - curve->at[k][0], P[1] - curve->at[k][1]};
        if (dot(r, r) < least) {
            least = dot(r, r);
            best = k;
        }
    }
    return best;
}

/* How far P is along c' from c, times |c'|: 0 at the foot, positive before it; and its slope. */
static double ahead(const double P[2], double c[3][2], double *slope)
{
    const double r[2] = {P[0] - c[0][0], P[1] - c[0][1]};
    *slope = dot(r, c[2]) - dot(c[1], c[1]);
    return dot(r, c[1]);
}

/* Between `low`, which is before the foot or an end, and `high`. */
static double seek(const dt_slot_curve *curve, const double P[2], double low, double high, double u,
                   double *registers, double c[3][2])
{
    const double small = 2 * DBL_EPSILON * fmax(fabs(curve->from), fabs(curve->to));
    for (int round = 0; round < ROUNDS; round++) {
        double slope;
        look(curve, home(curve, u), registers, c);
        const double value = ahead(P, c, &slope);
        *(value > 0 ? &low : &high) = u;
        const double step = slope < 0 ? -value / slope : INFINITY, next = u + step;
        if (fabs(step) <= small || high - low <= small) {
            break;
        }
        u = next > low && next < high ? next : 0.5 * (low + high);
    }
    return u;
}

static void find(const dt_slot_curve *curve, const double P[2], double *registers,
                 dt_slot_foot *foot)
{
    const int k = nearest(curve, P);
    const double piece = (curve->to - curve->from) / curve->count;
    double low = end_of(curve, k) - piece, high = end_of(curve, k) + piece, c[3][2], slope;
    if (!curve->closed) {
        low = fmax(low, curve->from);
        high = fmin(high, curve->to);
    }
    double u = seek(curve, P, low, high, fmin(fmax(end_of(curve, k), low), high), registers, c);
    const double value = ahead(P, c, &slope);
    const double small = 1e-9 * (curve->to - curve->from);
    const bool before = !curve->closed && value < 0 && u - curve->from <= small,
               behind = !curve->closed && value > 0 && curve->to - u <= small;
    if (before || behind) {
        u = before ? curve->from : curve->to;
        look(curve, u, registers, c);
    }
    const double speed = sqrt(dot(c[1], c[1])), more = ahead(P, c, &slope) / speed;
    const bool out = (before && more < 0) || (behind && more > 0);
    *foot = (dt_slot_foot){.u = home(curve, u), .beyond = out ? fabs(more) : 0};
    for (int i = 0; i < 2; i++) {
        foot->first[i] = c[1][i];
        foot->second[i] = out ? 0 : c[2][i];
        foot->point[i] = c[0][i] + (out ? more * c[1][i] / speed : 0);
    }
    const double r[2] = {P[0] - foot->point[0], P[1] - foot->point[1]};
    foot->distance = cross(c[1], r) / speed;
}

void dt_slot_curve_foot(const dt_slot_curve *curve, const double P[2], double *registers,
                        dt_slot_memo *memo)
{
    if (!memo->known || memo->P[0] != P[0] || memo->P[1] != P[1]) {
        *memo = (dt_slot_memo){.known = true, .P = {P[0], P[1]}};
        find(curve, P, registers, &memo->foot);
    }
}

void dt_slot_curve_third(const dt_slot_curve *curve, dt_series *series, dt_slot_memo *memo)
{
    enum { THIRD = 3 };
    dt_series at;
    dt_series_constant(memo->foot.u, THIRD, &at);
    at.c[1] = dt_interval_point(1);
    for (int k = 0; k < 2 && !memo->knows_third; k++) {
        if (!curve->of[k]->is_constant) {
            dt_program_enclose(curve->of[k], &at, NULL, THIRD, false, series);
            const dt_interval c = series[curve->of[k]->operation_count - 1].c[THIRD];
            memo->third[k] = 6 * (0.5 * c.lo + 0.5 * c.hi);
        }
    }
    memo->knows_third = true;
}

/* ---- set-up ---- */

/* Pieces of a number; whether all turn but little. False in `*whole`: there is no value, or no direction, at `*u`. */
static bool fill(dt_slot_curve *curve, double *registers, bool *whole, double *u)
{
    double before[2] = {0};
    bool smooth = true;
    curve->size = 0;
    for (int k = 0; k <= curve->count && *whole; k++) {
        double c[3][2];
        *u = end_of(curve, k);
        look(curve, *u, registers, c);
        *whole = isfinite(dot(c[0], c[0])) && isfinite(dot(c[1], c[1])) && dot(c[1], c[1]) > 0;
        smooth = smooth &&
                 (k == 0 || (dot(before, c[1]) > 0 &&
                             fabs(atan2(cross(before, c[1]), dot(before, c[1]))) < least_turn));
        for (int i = 0; i < 2; i++) {
            curve->at[k][i] = c[0][i];
            before[i] = c[1][i];
        }
        curve->size = fmax(curve->size, sqrt(dot(c[0], c[0])));
    }
    return smooth;
}

/* Whether p and q are not on one side of the line through a and b, by more than that. */
static bool divides(const double a[2], const double b[2], const double p[2], const double q[2],
                    double hair)
{
    const double along[2] = {b[0] - a[0], b[1] - a[1]}, to_p[2] = {p[0] - a[0], p[1] - a[1]},
                 to_q[2] = {q[0] - a[0], q[1] - a[1]};
    const double near = hair * sqrt(dot(along, along)), one = cross(along, to_p),
                 other = cross(along, to_q);
    return !(one > near && other > near) && !(one < -near && other < -near);
}

static bool are_apart(const double a[2], const double b[2], const double p[2], const double q[2],
                      double hair)
{
    bool apart = false;
    for (int i = 0; i < 2; i++) {
        apart = apart || fmax(a[i], b[i]) < fmin(p[i], q[i]) - hair ||
                fmin(a[i], b[i]) > fmax(p[i], q[i]) + hair;
    }
    return apart;
}

/* The first pieces that cross, neighbours apart. */
static bool find_crossing(const dt_slot_curve *curve, int *one, int *other)
{
    double(*at)[2] = curve->at;
    const double hair = 1e-9 * curve->size;
    for (*one = 0; *one < curve->count; ++*one) {
        for (*other = *one + 2; *other < curve->count; ++*other) {
            const int i = *one, j = *other;
            const bool neighbours = curve->closed && i == 0 && j == curve->count - 1;
            if (!neighbours && !are_apart(at[i], at[i + 1], at[j], at[j + 1], hair) &&
                divides(at[i], at[i + 1], at[j], at[j + 1], hair) &&
                divides(at[j], at[j + 1], at[i], at[i + 1], hair)) {
                return true;
            }
        }
    }
    return false;
}

static const char *find_fault(dt_arena *arena, dt_slot_curve *curve, double *registers)
{
    bool whole = true, smooth = false;
    double u = 0, first[3][2], last[3][2];
    for (curve->count = FEWEST; whole && !smooth && curve->count <= MOST; curve->count *= 2) {
        smooth = fill(curve, registers, &whole, &u);
        if (smooth) {
            break;
        }
    }
    if (!whole) {
        return dt_arena_printf(arena, "at u = %.9g the curve has no value or no direction", u);
    }
    if (!smooth) {
        return "the curve is not smooth: somewhere it turns about at once, or has more bends than "
               "8192 pieces can follow";
    }
    look(curve, curve->from, registers, first);
    look(curve, curve->to, registers, last);
    const double gap = hypot(last[0][0] - first[0][0], last[0][1] - first[0][1]),
                 turn = fabs(atan2(cross(first[1], last[1]), dot(first[1], last[1])));
    if (curve->closed && (gap > 1e-9 * curve->size || turn > 1e-6)) {
        return dt_arena_printf(
            arena, "the curve is not closed: its ends are %.3g m and %.3g rad apart", gap, turn);
    }
    int one, other;
    return find_crossing(curve, &one, &other)
               ? dt_arena_printf(arena,
                                 "the curve crosses itself, near u = %.4g and u = %.4g, where it "
                                 "is not told which way a point goes",
                                 end_of(curve, one), end_of(curve, other))
               : NULL;
}

dt_slot_curve *dt_slot_curve_make(dt_arena *arena, const dt_program *const of[2], double from,
                                  double to, bool closed, const char **fault)
{
    dt_slot_curve *curve = dt_arena_one(arena, sizeof *curve);
    const size_t registers = DT_PROGRAM_REGISTERS(of[0]) + DT_PROGRAM_REGISTERS(of[1]);
    double *work = dt_arena_alloc(arena, registers, sizeof *work);
    double(*at)[2] = dt_arena_alloc(arena, MOST + 1, sizeof *at);
    *fault = NULL;
    if (!curve || !work || !at) {
        return NULL;
    }
    *curve =
        (dt_slot_curve){.of = {of[0], of[1]}, .from = from, .to = to, .closed = closed, .at = at};
    *fault = find_fault(arena, curve, work);
    return *fault ? NULL : curve;
}
