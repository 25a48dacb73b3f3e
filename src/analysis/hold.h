/**
 * @file hold.h
 * What static friction holds: a mechanism at rest, every joint with stiction stuck, and how far an input may change before
 * something moves.
 *
 * With all of them held, accelerations of the others and the frictions f are functions of an input p, and so are the margins
 *
 *   m = FSr - Ftest,  Ftest - FSf        of every stiction; the mechanism holds while m >= 0 and nothing else accelerates
 *
 * which is what the search of modes asks (docs/mode-search.md): its first round has every candidate in the box of its static
 * limits, and nobody is released. Slopes dm/dp are exact (variation.h).
 */
#ifndef DT_ANALYSIS_HOLD_H
#define DT_ANALYSIS_HOLD_H

#include "analysis/analysis.h"
#include "detent/analysis.h"

/** `arena`: work space. As detent_hold(). */
detent_status dt_hold(dt_arena *arena, dt_analysis *analysis, bool *holds, double *friction,
                      double *margin, detent_error *error);

/** As detent_find_hold_interval(). */
detent_status dt_hold_interval(dt_arena *arena, dt_analysis *analysis, int input,
                               detent_hold_interval *interval, detent_error *error);

#endif
