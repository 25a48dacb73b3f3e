/* Polynomials of Gauss's methods, in one piece and in two that meet at a kink: what they integrate exactly (solver/gauss.h). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solver/gauss.h"

static const int stages[] = {2, 3, 4, 8};
static const double cuts[] = {-0.3, 0, 0.37};
enum { STAGES = sizeof stages / sizeof *stages, CUTS = sizeof cuts / sizeof *cuts };

/* |u|^n on the left of the cut, -3 u^n on its right, u = x - cut: with a kink for n = 1. */
static double bent(double x, double cut, int n)
{
    return x < cut ? pow(cut - x, n) : -3 * pow(x - cut, n);
}

/* Its integral from -1/2. */
static double integral(double x, double cut, int n)
{
    const double left = pow(cut + 0.5, n + 1);
    return (x < cut ? left - pow(cut - x, n + 1) : left - 3 * pow(x - cut, n + 1)) / (n + 1);
}

static double value_of(const dt_gauss *g, double x, double cut, int n)
{
    double sum = 0;
    for (int i = 0; i < g->stages; i++) {
        sum += bent(g->node[i], cut, n) * dt_gauss_value(g, i, x);
    }
    return sum;
}

static double integral_of(const dt_gauss *g, double x, double cut, int n)
{
    double sum = 0;
    for (int i = 0; i < g->stages; i++) {
        sum += bent(g->node[i], cut, n) * dt_gauss_integral(g, i, x);
    }
    return sum;
}

static void near(double is, double should)
{
    if (!(fabs(is - should) <= 1e-12)) {
        fail_msg("%.17g, not %.17g", is, should);
    }
}

/* Values and integrals of a polynomial of each piece that has as many coefficients as it has stages; its integral over all up to twice that. */
static void two_pieces_bend(void **state)
{
    (void)state;
    for (int s = 0; s < STAGES; s++) {
        for (int c = 0; c < CUTS; c++) {
            dt_gauss g;
            dt_gauss_form_two(&g, stages[s], cuts[c]);
            assert_int_equal(g.stages, 2 * stages[s]);
            for (int n = 1; n < stages[s]; n++) {
                for (double x = -0.5; x <= 0.5; x += 0.03125) {
                    near(value_of(&g, x, cuts[c], n), bent(x, cuts[c], n));
                    near(integral_of(&g, x, cuts[c], n), integral(x, cuts[c], n));
                }
            }
            for (int n = 1; n < 2 * stages[s]; n++) {
                near(integral_of(&g, 0.5, cuts[c], n), integral(0.5, cuts[c], n));
            }
        }
    }
}

/* One piece is none for a kink, and nodes ascend in either. */
static void one_piece_does_not(void **state)
{
    (void)state;
    for (int s = 0; s < STAGES; s++) {
        dt_gauss one, two;
        dt_gauss_form(&one, stages[s]);
        dt_gauss_form_two(&two, stages[s], cuts[2]);
        assert_true(fabs(integral_of(&one, 0.5, cuts[2], 1) - integral(0.5, cuts[2], 1)) > 1e-4);
        for (int i = 1; i < two.stages; i++) {
            assert_true(two.node[i - 1] < two.between[i] && two.between[i] < two.node[i]);
        }
        near(two.between[stages[s]], cuts[2]);
        for (int n = 0; n < 2 * stages[s]; n++) { /* without a kink: u^n from far on the left */
            near(integral_of(&one, 0.5, -1, n), -3 * (pow(1.5, n + 1) - pow(0.5, n + 1)) / (n + 1));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_pieces_bend),
                                       cmocka_unit_test(one_piece_does_not)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
