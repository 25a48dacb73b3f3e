/* The generator of the tree is xorshift64* with n as its seed: the same tree everywhere. */

#include "rods.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static double draw(uint64_t *state) /* uniform in (-1, 1) */
{
    uint64_t x = *state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return ldexp((double)((x * 0x2545F4914F6CDD1DULL) >> 11), -52) - 1;
}

static void draw_direction(uint64_t *state, double direction[3])
{
    double square;
    do {
        square = 0;
        for (int k = 0; k < 3; k++) {
            direction[k] = draw(state);
            square += direction[k] * direction[k];
        }
    } while (square > 1 || square < 0.01);
    for (int k = 0; k < 3; k++) {
        direction[k] /= sqrt(square);
    }
}

/* A rod of that length along u, where its parent ends. */
static void shape(bench_rod *rods, size_t i, const double u[3], double length, double mass)
{
    bench_rod *rod = &rods[i];
    const double inertia = mass * length * length / 12;
    rod->mass = mass;
    rod->sticking = 1;
    for (int k = 0; k < 3; k++) {
        rod->end[k] = length * u[k];
        rod->inertia[k] = inertia * (1 - u[k] * u[k]);
        rod->at[k] = rod->parent ? rods[rod->parent].end[k] : 0;
    }
    rod->inertia[3] = -inertia * u[0] * u[1];
    rod->inertia[4] = -inertia * u[0] * u[2];
    rod->inertia[5] = -inertia * u[1] * u[2];
}

void bench_chain_rods(bench_rod *rods, size_t n, double length, double mass, double friction)
{
    static const double along[3] = {1, 0, 0};
    memset(rods, 0, (n + 1) * sizeof *rods);
    for (size_t i = 1; i <= n; i++) {
        rods[i].parent = i - 1;
        rods[i].axis[2] = 1;
        rods[i].friction = friction;
        shape(rods, i, along, length, mass);
    }
}

/* Numbers the rods of a tree depth first. `friction` holds how many rods hang on a joint, it
 * included; for a while `push` is the new number, and `sticking` the next free one beyond. */
static void number_depth_first(bench_rod *rods, size_t n)
{
    rods[0].sticking = 1;
    for (size_t i = 1; i <= n; i++) {
        bench_rod *parent = &rods[rods[i].parent];
        rods[i].push = parent->sticking;
        rods[i].sticking = rods[i].push + 1;
        parent->sticking += rods[i].friction;
    }
    for (size_t i = 1; i <= n; i++) {
        rods[i].parent = (size_t)rods[rods[i].parent].push;
    }
    for (size_t i = 1; i <= n; i++) {
        while ((size_t)rods[i].push != i) {
            const size_t place = (size_t)rods[i].push;
            const bench_rod other = rods[place];
            rods[place] = rods[i];
            rods[i] = other;
        }
    }
    for (size_t i = 0; i <= n; i++) {
        rods[i].sticking = 1;
        rods[i].push = 0;
    }
}

void bench_tree_rods(bench_rod *rods, size_t n)
{
    const double mass = 1.0 / (double)n, length = 1 / sqrt((double)n);
    uint64_t state = 0x9E3779B97F4A7C15ULL ^ n;
    memset(rods, 0, (n + 1) * sizeof *rods);
    for (size_t i = 1; i <= n; i++) {
        const size_t back = 1 + (size_t)(2 * (1 + draw(&state)));
        double u[3];
        draw_direction(&state, u);
        draw_direction(&state, rods[i].axis);
        rods[i].parent = i > back ? i - back : i > 1 ? 1 : 0;
        shape(rods, i, u, length, mass);
    }
    for (size_t i = n; i >= 1; i--) { /* first how many hang on it */
        rods[i].friction++;
        rods[rods[i].parent].friction += rods[i].friction;
    }
    number_depth_first(rods, n);
    for (size_t i = 1; i <= n; i++) {
        rods[i].friction *= 0.15 * 9.81 * mass * length;
    }
    bench_thicken_rods(rods, n);
}

void bench_push_rods(bench_rod *rods, size_t n, size_t number, double *q)
{
    static const double bends[] = {0.01, 0.3, 3, 30};
    uint64_t state = (0x9E3779B97F4A7C15ULL + number) ^ (n << 8);
    for (int k = 0; k < 10; k++) {
        draw(&state); /* away from the seed, which is much like that of other cases */
    }
    const double bend = bends[number % 4] / (number / 4 % 2 ? 1 : (double)n);
    const double friction = 0.3 * exp(1.9 * draw(&state)); /* 0.05 ... 2 */
    const double push = number % 4 == 1 ? 0 : 0.75 * friction * (1 + draw(&state));
    bench_chain_rods(rods, n, 1 / (double)n, 1 / (double)n, friction);
    for (size_t i = 1; i <= n; i++) {
        rods[i].sticking = number % 2 ? 1.5 : 1;
        rods[i].push = push * draw(&state);
        if (number % 4 != 2) {
            draw_direction(&state, rods[i].axis);
        }
        q[i - 1] = bend * draw(&state);
    }
}

void bench_thicken_rods(bench_rod *rods, size_t n)
{
    for (size_t i = 1; i <= n; i++) {
        const double *e = rods[i].end, twelfth = rods[i].mass / 12;
        const double square = 1.01 * (e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
        for (int k = 0; k < 3; k++) {
            rods[i].inertia[k] = twelfth * (square - e[k] * e[k]);
        }
        rods[i].inertia[3] = -twelfth * e[0] * e[1];
        rods[i].inertia[4] = -twelfth * e[0] * e[2];
        rods[i].inertia[5] = -twelfth * e[1] * e[2];
    }
}

void bench_dynamics_state(size_t n, double *q, double *v)
{
    for (size_t i = 0; i < n; i++) {
        q[i] = 0.5 * sin(1.0 + (double)i);
        v[i] = cos(1.0 + (double)i);
    }
}
