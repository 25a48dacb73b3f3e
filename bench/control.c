/* The controller, its path, and the loop that is timed. */

#include "control.h"

#include "clock.h"

#include <math.h>
#include <string.h>

/* Proportional, N m / rad, and derivative, N m s / rad: as stiff as a period allows with links of some 1e-3 kg m^2 at the wrist. No weight is
 * fed forward, so friction decides where within its reach a joint stays. */
static const double gain[BENCH_CONTROL_JOINTS] = {100, 200, 150, 40, 30, 10};
static const double rate_gain[BENCH_CONTROL_JOINTS] = {4, 8, 5, 0.5, 0.4, 0.1};

/* The pose of mechanisms/z1_arm.yaml; every joint goes to and fro some times, each on its own way, and comes back to it. */
static const double start[BENCH_CONTROL_JOINTS] = {0, 2, -1.5, 0.5, 0.5, 0.3};
static const double reach[BENCH_CONTROL_JOINTS] = {1, -0.6, 0.5, 0.6, -0.8, 1};
static const int rounds[BENCH_CONTROL_JOINTS] = {1, 1, 2, 2, 3, 3};
/* At the end the path gives way by what friction bends the controller: a joint that is damped well would else come nearer for ever and never
 * stop. */
static const double release[BENCH_CONTROL_JOINTS] = {0.01, -0.01, 0.006, 0.025, -0.03, 0.1};
enum { GOING = BENCH_CONTROL_MOVING - 200 };

static const double pi = 3.14159265358979323846;

typedef struct wanted {
    double q[BENCH_CONTROL_JOINTS], v[BENCH_CONTROL_JOINTS];
} wanted;

/* Adds a way there and back, or half of one, of so many steps: smooth at both ends. */
static void add_swing(wanted *w, int joint, double size, double half_turns, int step, int steps)
{
    const double rate = pi * half_turns / (steps * BENCH_CONTROL_PERIOD);
    const double angle = step < 0 ? 0 : rate * (step < steps ? step : steps) * BENCH_CONTROL_PERIOD;
    w->q[joint] += size * (1 - cos(angle)) / 2;
    w->v[joint] += step < steps ? size * rate * sin(angle) / 2 : 0;
}

/* Where it is to be after so many steps. */
static wanted want(int step)
{
    wanted w = {{0}, {0}};
    for (int k = 0; k < BENCH_CONTROL_JOINTS; k++) {
        w.q[k] = start[k];
        add_swing(&w, k, reach[k], 2 * rounds[k], step, GOING);
        add_swing(&w, k, release[k], 1, step - GOING, BENCH_CONTROL_MOVING - GOING);
    }
    return w;
}

static bool step_once(const bench_controlled *arm, const wanted *w, double *q, double *v)
{
    double torques[BENCH_CONTROL_JOINTS];
    for (int k = 0; k < BENCH_CONTROL_JOINTS; k++) {
        torques[k] = gain[k] * (w->q[k] - q[k]) + rate_gain[k] * (w->v[k] - v[k]);
    }
    return arm->advance(arm->self, torques) && arm->read(arm->self, q, v);
}

static bool hold(const bench_controlled *arm, int count, double *q, double *v)
{
    const wanted last = want(BENCH_CONTROL_MOVING);
    bool good = true;
    for (int k = 0; k < count && good; k++) {
        good = step_once(arm, &last, q, v);
    }
    return good;
}

bool bench_control_run(const bench_controlled *arm, bool longer, bench_control_figures *figures)
{
    static wanted way[BENCH_CONTROL_MOVING];
    double q[BENCH_CONTROL_JOINTS], v[BENCH_CONTROL_JOINTS];
    for (int k = 0; k < BENCH_CONTROL_MOVING; k++) {
        way[k] = want(k);
    }
    bool good = arm->read(arm->self, q, v);
    double begin = bench_cpu_time();
    for (int k = 0; k < BENCH_CONTROL_MOVING && good; k++) {
        good = step_once(arm, &way[k], q, v);
        if ((k + 1) % BENCH_CONTROL_EVERY == 0) {
            const int sample = (k + 1) / BENCH_CONTROL_EVERY - 1;
            memcpy(figures->path + sample * BENCH_CONTROL_JOINTS, q, sizeof q);
        }
    }
    figures->moving = (bench_cpu_time() - begin) / BENCH_CONTROL_MOVING;
    good = good && hold(arm, BENCH_CONTROL_SETTLED - BENCH_CONTROL_MOVING, q, v);
    const int rest = BENCH_CONTROL_END - BENCH_CONTROL_SETTLED;
    begin = bench_cpu_time();
    good = good && hold(arm, rest, q, v);
    figures->holding = (bench_cpu_time() - begin) / rest;
    memcpy(figures->held, q, sizeof q);
    figures->creep = figures->speed = 0;
    for (int k = 0; k < BENCH_CONTROL_JOINTS; k++) {
        figures->speed = fmax(figures->speed, fabs(v[k]));
    }
    if (longer && good) {
        good = hold(arm, BENCH_CONTROL_CREEP, q, v);
        for (int k = 0; k < BENCH_CONTROL_JOINTS; k++) {
            figures->creep = fmax(figures->creep, fabs(q[k] - figures->held[k]));
        }
    }
    return good;
}
