#include "support_bars.h"

#include <math.h>

static const double crank_mass = 1, crank_at = 0.15, rod_mass = 0.5, rod_at = 0.35, moment = 0.1;
static const double foot = 0.9;

/* Solves A x = b, 5 x 5, with pivots. */
static void solve(double A[5][5], double b[5])
{
    for (int k = 0; k < 5; k++) {
        int best = k;
        for (int r = k; r < 5; r++) {
            best = fabs(A[r][k]) > fabs(A[best][k]) ? r : best;
        }
        for (int c = 0; c < 5; c++) {
            const double swap = A[k][c];
            A[k][c] = A[best][c];
            A[best][c] = swap;
        }
        const double swap = b[k];
        b[k] = b[best];
        b[best] = swap;
        for (int r = k + 1; r < 5; r++) {
            const double factor = A[r][k] / A[k][k];
            for (int c = k; c < 5; c++) {
                A[r][c] -= factor * A[k][c];
            }
            b[r] -= factor * b[k];
        }
    }
    for (int k = 4; k >= 0; k--) {
        for (int c = k + 1; c < 5; c++) {
            b[k] -= A[k][c] * b[c];
        }
        b[k] /= A[k][k];
    }
}

/* y: angles of crank and rod in the world, the slider's place or the rocker's angle; their rates. */
static void accelerate(support_bars *of, const double y[6], double rate[6])
{
    const double s0 = sin(y[0]), c0 = cos(y[0]), s1 = sin(y[1]), c1 = cos(y[1]), s2 = sin(y[2]),
                 c2 = cos(y[2]);
    const double *w = y + 3, between = rod_mass * bars_crank * rod_at;
    double A[5][5] = {{0}}, b[5];
    const double G[2][3] = {{-bars_crank * s0, -bars_rod * s1, of->rocks ? bars_rocker * s2 : -1},
                            {bars_crank * c0, bars_rod * c1, of->rocks ? -bars_rocker * c2 : 0}};
    A[0][0] = moment + crank_mass * crank_at * crank_at + rod_mass * bars_crank * bars_crank;
    A[0][1] = A[1][0] = between * cos(y[0] - y[1]);
    A[1][1] = moment + rod_mass * rod_at * rod_at;
    A[2][2] = of->mass;
    b[0] = -between * sin(y[0] - y[1]) * w[1] * w[1] -
           (crank_mass * crank_at + rod_mass * bars_crank) * bars_gravity * c0;
    b[1] = between * sin(y[0] - y[1]) * w[0] * w[0] - rod_mass * rod_at * bars_gravity * c1;
    b[2] = -of->damping * w[2];
    b[3] = bars_crank * c0 * w[0] * w[0] + bars_rod * c1 * w[1] * w[1];
    b[4] = bars_crank * s0 * w[0] * w[0] + bars_rod * s1 * w[1] * w[1];
    if (of->rocks) {
        b[3] -= bars_rocker * c2 * w[2] * w[2];
        b[4] -= bars_rocker * s2 * w[2] * w[2];
    }
    for (int r = 0; r < 2; r++) {
        for (int c = 0; c < 3; c++) {
            A[3 + r][c] = G[r][c];
            A[c][3 + r] = -G[r][c];
        }
    }
    solve(A, b);
    for (int k = 0; k < 3; k++) {
        rate[k] = w[k];
        rate[3 + k] = b[k];
    }
    of->force[0] = b[3];
    of->force[1] = b[4];
}

/* Runge and Kutta's steps of fourth order. */
void support_bars_advance(support_bars *of, double y[6], double t)
{
    const int steps = 10000;
    const double h = t / steps;
    for (int n = 0; n < steps; n++) {
        double k[4][6], at[6];
        for (int stage = 0; stage < 4; stage++) {
            const double part = stage == 0 ? 0 : stage == 3 ? h : 0.5 * h;
            for (int j = 0; j < 6; j++) {
                at[j] = y[j] + (stage > 0 ? part * k[stage - 1][j] : 0);
            }
            accelerate(of, at, k[stage]);
        }
        for (int j = 0; j < 6; j++) {
            y[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
        }
    }
    double rate[6];
    accelerate(of, y, rate); /* the force on the pin */
}

/* The state with the crank at `angle`, turning with `speed`. */
void support_bars_start(const support_bars *of, double angle, double speed, double y[6])
{
    const double x = bars_crank * cos(angle), h = bars_crank * sin(angle);
    y[0] = angle;
    y[3] = speed;
    if (of->rocks) { /* the triangle of rod, rocker and the line from pin to foot */
        const double dx = foot - x, d = hypot(dx, h);
        const double inner =
            acos((bars_rod * bars_rod + d * d - bars_rocker * bars_rocker) / (2 * bars_rod * d));
        y[1] = atan2(-h, dx) + inner;
        y[2] = atan2(h + bars_rod * sin(y[1]), x + bars_rod * cos(y[1]) - foot);
        const double across = sin(y[2] - y[1]);
        y[4] = bars_crank * speed * sin(y[0] - y[2]) / (bars_rod * across);
        y[5] = bars_crank * speed * sin(y[0] - y[1]) / (bars_rocker * across);
    } else {
        y[1] = asin(-h / bars_rod);
        y[2] = x + bars_rod * cos(y[1]);
        y[4] = -x * speed / (bars_rod * cos(y[1]));
        y[5] = -h * speed - bars_rod * sin(y[1]) * y[4];
    }
}
