#include "solver/gauss.h"

#include <math.h>

/* Half of the zeros of the Legendre polynomials that are not negative. */
static const double zeros_2[] = {0.28867513459481288}, zeros_3[] = {0, 0.38729833462074169},
                    zeros_4[] = {0.16999052179242813, 0.43056815579702629},
                    zeros_8[] = {0.091717321247824902, 0.26276620495816449, 0.39833323870681337,
                                 0.48014492824876812};

static void form_nodes(dt_gauss *g)
{
    const int n = g->stages;
    const double *zeros = n == 2 ? zeros_2 : n == 3 ? zeros_3 : n == 4 ? zeros_4 : zeros_8;
    for (int i = 0; i < (n + 1) / 2; i++) {
        g->node[n / 2 + i] = zeros[i];
        g->node[(n - 1) / 2 - i] = -zeros[i];
    }
    g->between[0] = -0.5;
    for (int i = 1; i < n; i++) {
        g->between[i] = 0.5 * (g->node[i - 1] + g->node[i]);
    }
    g->between[n] = 0.5;
}

/* Of node i: factor by factor. */
static void form_basis(const dt_gauss *g, int i, double *p)
{
    int degree = 0;
    for (int m = 0; m < DT_GAUSS_MOST; m++) {
        p[m] = m == 0;
    }
    for (int j = 0; j < g->stages; j++) {
        if (j == i) {
            continue;
        }
        degree++;
        for (int m = degree; m >= 0; m--) {
            p[m] = ((m > 0 ? p[m - 1] : 0) - g->node[j] * p[m]) / (g->node[i] - g->node[j]);
        }
    }
}

void dt_gauss_form(dt_gauss *g, int stages)
{
    g->stages = stages;
    form_nodes(g);
    for (int i = 0; i < stages; i++) {
        form_basis(g, i, g->basis[i]);
    }
}

double dt_gauss_value(const dt_gauss *g, int i, double x)
{
    double sum = 0, power = 1;
    for (int m = 0; m < g->stages; m++, power *= x) {
        sum += g->basis[i][m] * power;
    }
    return sum;
}

double dt_gauss_integral(const dt_gauss *g, int i, double x)
{
    double sum = 0, power = x, start = -0.5;
    for (int m = 0; m < g->stages; m++, power *= x, start *= -0.5) {
        sum += g->basis[i][m] * (power - start) / (m + 1);
    }
    return sum;
}

double dt_gauss_distance(const dt_gauss *g, double x)
{
    double least = INFINITY;
    for (int i = 0; i < g->stages; i++) {
        least = fmin(least, fabs(x - g->node[i]));
    }
    return least;
}
