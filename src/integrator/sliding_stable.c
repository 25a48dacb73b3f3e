/*
 * Switches that hold each other on their borders: the rate of one need not fall with its own weight, if it is another one that brings it
 * back. What is left of d then follows  d' = M S d,  with M = d(rate) / d(weight) and the slopes S of the weights, and has to
 * come to rest: all eigenvalues are on the left.
 */
#include "integrator/sliding.h"
#include "math/lapack.h"

enum { MOST = 32, SPACE = 8 * MOST };

bool dt_sliding_holds_together(const dt_sliding *sl, const dt_sliding_matrix *matrix)
{
    double left[MOST * MOST], re[MOST], im[MOST], space[SPACE];
    int which[MOST], n = 0, info = 0;
    const int one = 1, size = SPACE;
    for (int i = 0; i < sl->count; i++) {
        const dt_slide *slide = &sl->of[i];
        if (slide->side != 0 || slide->held) {
            continue;
        }
        if (n == MOST || slide->order != 1) {
            return false;
        }
        which[n++] = i;
    }
    for (int i = 0; i < n; i++) {
        const double slope = 1 / dt_sliding_width(&sl->of[which[i]]);
        for (int k = 0; k < n; k++) {
            left[i * n + k] = matrix->factors[which[i] * sl->count + which[k]] * slope;
        }
    }
    if (n < 2) {
        return false; /* alone it would have to hold itself */
    }
    dgeev_("N", "N", &n, left, &n, re, im, NULL, &one, NULL, &one, space, &size, &info);
    bool stable = info == 0;
    for (int k = 0; k < n && stable; k++) {
        stable = re[k] < 0;
    }
    return stable;
}
