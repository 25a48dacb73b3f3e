/**
 * @file scale_sums.h
 * The length and the time of a mechanism, from sums over its freedoms at the start (scale.c).
 *
 *   length   the radius of gyration of the bodies about their joints, with the way from joint to joint, weighted by mass; or what
 *            bodies on rails travel, if that is more: (F + R) / k, or the stretch of their springs, or how far springs lag behind what
 *            drives them, P / k sqrt(D / k), or where there is no k v^2 / a, a = (F + R) / D (sums over the rails); no farther than v T' + a' T'^2,
 *            T' all that is simulated, a' with what laws of time come to. Where that is nothing T F / (D / T + c), v T or T^2 P / (D / T + c), but
 *            not more than T times what is fast by the user's thresholds; or where they stand; 1 m at last
 *   T        a tenth of what is simulated; not more than 3.14 (F + R + L) / P, in which laws of time turn round what drives, or L / P, as long as they
 *            grow, where they are all that drives; where there are none, but damping, not more than 100 D / c or a thousandth of itself
 *   time     (D / t^2, or c / t if that is more) n^2 = E, the energy that drives: sum F n + D v^2; where that is nothing beside them sum R n,
 *            or sum k n^2; a tenth of what is simulated where that is less, but not less than a tenth of itself. Where there is none of
 *            these t sum P n, or a tenth of what is simulated
 *   late     where what laws of time come to is a hundred times F + R, these tell nothing and count as nothing: a force that is 0 at
 *            the start drives, and the dust that rubs beside it does not
 *
 * Sums, not the fastest or the slowest: one joint with a tiny load, or a stiff one, does not decide. When a run is to end tells nothing of how
 * long its mechanism takes: what is slower than the run is seen by its progress, and has a time shorter than its own, but not shorter than a tenth
 * of that. Else velocities and forces that are nothing would grow without end as runs get shorter, and would be more than those that there are.
 */
#ifndef DT_DYNAMICS_SCALE_SUMS_H
#define DT_DYNAMICS_SCALE_SUMS_H

typedef struct dt_scale_sums {
    double inertia, damping;                 /**< D n^2, c n^2 */
    double drive, friction, stiffness, rate; /**< F n, R n, k n^2, P n */
    double later;                            /**< L n */
    double motion, stretch, place;           /**< D v^2, D (q - rest)^2, D q^2 */
} dt_scale_sums;

/** What rails (n = 1) travel by what drives and stops them, m, and no farther than they come in `duration`, s; 0 where that tells nothing. */
double dt_scale_travel(const dt_scale_sums *rails, double duration);

/** The same where nothing ends it; v, m/s: what counts as fast, or INFINITY. */
double dt_scale_travel_within(const dt_scale_sums *rails, double v, double duration);

/** s; a part of `duration`, s, where nothing tells. */
double dt_scale_time(const dt_scale_sums *all, double duration);

#endif
