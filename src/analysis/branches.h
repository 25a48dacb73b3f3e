/**
 * @file branches.h
 * The assemblies that loops have where some joints are kept: solutions of g(q) = 0 by Gauss and Newton from random starts (closure_close.c),
 * each listed once. A search: an assembly that few starts lead to may be missed.
 */
#ifndef DT_ANALYSIS_BRANCHES_H
#define DT_ANALYSIS_BRANCHES_H

#include "analysis/analysis.h"
#include "detent/analysis.h"

/** As detent_find_branches(), the arguments checked. Work space comes from `arena`. The analysis is afterwards where it was. */
detent_status dt_find_branches(dt_arena *arena, dt_analysis *analysis, const bool *kept,
                               size_t most, double *positions, detent_branches *result,
                               detent_error *error);

#endif
