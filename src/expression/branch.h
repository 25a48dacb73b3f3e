/**
 * @file branch.h
 * What is recorded of a switch: the branch that a program follows, or two that it slides between.
 *
 * Where both branches of a discontinuous law drive the state towards their border, it stays on the
 * border, and the law takes the value between the two that keeps it there (A. F. Filippov,
 * "Differential Equations with Discontinuous Righthand Sides", Kluwer 1988). On such a *sliding* switch
 * the value is
 *
 *   (1 - w) low + w high,    w = base + slope * d,
 *
 * d being the distance from the border: a - b for a comparison, sign, min and max, x - border for an
 * integer switch. The slope is steep enough for d not to matter: it stands for the infinite one.
 */
#ifndef DT_EXPRESSION_BRANCH_H
#define DT_EXPRESSION_BRANCH_H

#include <limits.h>

/**
 * Branch of an integer switch beyond +-DT_BRANCH_MAX, or of one whose argument is not a number: it
 * is not recorded, the operation follows the actual value and has no root.
 */
#define DT_BRANCH_LIVE INT_MIN
#define DT_BRANCH_MAX  (1 << 30)

/** Between two branches. */
#define DT_BRANCH_SLIDING (INT_MIN + 1)

typedef struct dt_branch {
    int side;     /**< see program.h; or one of the above */
    int border;   /**< sliding, of an integer switch: the upper one of the two integers */
    double base;  /**< sliding: the weight of the upper branch, at d = 0; else by how much the
                             roots are larger: a switch that leaves its border starts inside */
    double slope; /**< sliding: of the weight */
} dt_branch;

#endif
