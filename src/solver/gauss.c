#include "solver/gauss.h"

#include <math.h>

/* Half of the zeros of the Legendre polynomials that are not negative. */
static const double zeros_2[] = {0.28867513459481288}, zeros_3[] = {0, 0.38729833462074169},
                    zeros_4[] = {0.16999052179242813, 0.43056815579702629},
                    zeros_8[] = {0.091717321247824902, 0.26276620495816449, 0.39833323870681337,
                                 0.48014492824876812};

/* The nodes of a piece that is [-1/2, 1/2]. */
static void form_nodes(int n, double *node)
{
    const double *zeros = n == 2 ? zeros_2 : n == 3 ? zeros_3 : n == 4 ? zeros_4 : zeros_8;
    for (int i = 0; i < (n + 1) / 2; i++) {
        node[n / 2 + i] = zeros[i];
        node[(n - 1) / 2 - i] = -zeros[i];
    }
}

/* Of node i of a piece: factor by factor. */
static void form_basis(int n, const double *node, int i, double *p)
{
    int degree = 0;
    for (int m = 0; m < DT_GAUSS_PIECE; m++) {
        p[m] = m == 0;
    }
    for (int j = 0; j < n; j++) {
        if (j == i) {
            continue;
        }
        degree++;
        for (int m = degree; m >= 0; m--) {
            p[m] = ((m > 0 ? p[m - 1] : 0) - node[j] * p[m]) / (node[i] - node[j]);
        }
    }
}

/* How long a piece is, and where its middle is: 1 and 0, exactly, where it is the only one. */
static double length_of(const dt_gauss *g, int piece)
{
    return g->pieces == 1 ? 1 : piece == 0 ? g->cut + 0.5 : 0.5 - g->cut;
}

static double middle_of(const dt_gauss *g, int piece)
{
    return g->pieces == 1 ? 0 : 0.5 * (g->cut + (piece == 0 ? -0.5 : 0.5));
}

/* x as that piece has it, which is [-1/2, 1/2]. */
static double within(const dt_gauss *g, int piece, double x)
{
    return (x - middle_of(g, piece)) / length_of(g, piece);
}

static int piece_of(const dt_gauss *g, int i)
{
    return i * g->pieces / g->stages;
}

static void form(dt_gauss *g, int stages)
{
    double node[DT_GAUSS_PIECE];
    form_nodes(stages, node);
    g->stages = g->pieces * stages;
    for (int i = 0; i < g->stages; i++) {
        const int piece = piece_of(g, i);
        g->node[i] = middle_of(g, piece) + length_of(g, piece) * node[i % stages];
        form_basis(stages, node, i % stages, g->basis[i]);
    }
    g->between[0] = -0.5;
    for (int i = 1; i < g->stages; i++) {
        g->between[i] = i % stages == 0 ? g->cut : 0.5 * (g->node[i - 1] + g->node[i]);
    }
    g->between[g->stages] = 0.5;
}

void dt_gauss_form(dt_gauss *g, int stages)
{
    g->pieces = 1;
    g->cut = 0.5;
    form(g, stages);
}

void dt_gauss_form_two(dt_gauss *g, int stages, double cut)
{
    g->pieces = 2;
    g->cut = cut;
    form(g, stages);
}

double dt_gauss_value(const dt_gauss *g, int i, double x)
{
    const int piece = piece_of(g, i);
    const double own = within(g, piece, x);
    double sum = 0, power = 1;
    if (piece != (x > g->cut && g->pieces > 1)) {
        return 0;
    }
    for (int m = 0; m < g->stages / g->pieces; m++, power *= own) {
        sum += g->basis[i][m] * power;
    }
    return sum;
}

double dt_gauss_integral(const dt_gauss *g, int i, double x)
{
    const int piece = piece_of(g, i);
    double own = within(g, piece, x), sum = 0, start = -0.5;
    /* what is beyond the cut is the other piece's; but not at the ends, where x may be out by a hair */
    own = piece > 0 ? fmax(own, -0.5) : g->pieces > 1 ? fmin(own, 0.5) : own;
    double power = own;
    for (int m = 0; m < g->stages / g->pieces; m++, power *= own, start *= -0.5) {
        sum += g->basis[i][m] * (power - start) / (m + 1);
    }
    return length_of(g, piece) * sum;
}

double dt_gauss_distance(const dt_gauss *g, double x)
{
    double least = INFINITY;
    for (int i = 0; i < g->stages; i++) {
        least = fmin(least, fabs(x - g->node[i]));
    }
    return least;
}
