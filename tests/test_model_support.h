/* What the tests of the model and of rotations share: numbers that are near, numbers that look like chance. */
#ifndef TEST_MODEL_SUPPORT_H
#define TEST_MODEL_SUPPORT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static inline void assert_near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance)) {
        fail_msg("%.17g is not %.17g within %g", a, b, tolerance);
    }
}

static inline void assert_vector(const double *a, const double *b, int count, double tolerance)
{
    for (int k = 0; k < count; k++) {
        assert_near(a[k], b[k], tolerance);
    }
}

/* A number in (-1, 1) that looks like chance, the same in every run. */
static inline double chance(void)
{
    static unsigned state = 1;
    state = state * 1664525u + 1013904223u;
    return 2.0 * (state >> 8) / 16777216.0 - 1.0;
}

static inline void random_unit(double *a, int count)
{
    double square = 0.0;
    while (square < 0.1) {
        square = 0.0;
        for (int k = 0; k < count; k++) {
            a[k] = chance();
            square += a[k] * a[k];
        }
    }
    for (int k = 0; k < count; k++) {
        a[k] /= sqrt(square);
    }
}

#endif
