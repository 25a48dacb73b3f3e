/**
 * @file control.h
 * The workload `control`: the six-axis arm, friction in every joint, under a controller that reads positions and velocities a thousand times a
 * second and sets torques, which hold until the next time; along a smooth path, and then at its end. One loop for every engine. Read by C and C++.
 */
#ifndef BENCH_CONTROL_H
#define BENCH_CONTROL_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    BENCH_CONTROL_JOINTS = 6,
    BENCH_CONTROL_MOVING = 2000,  /**< control steps along the path */
    BENCH_CONTROL_SETTLED = 3000, /**< from here on everything is to be at rest, and is timed */
    BENCH_CONTROL_END = 5000,
    BENCH_CONTROL_EVERY = 10, /**< control steps from sample to sample of the path */
    BENCH_CONTROL_SAMPLES = BENCH_CONTROL_MOVING / BENCH_CONTROL_EVERY,
    BENCH_CONTROL_VALUES = BENCH_CONTROL_JOINTS * BENCH_CONTROL_SAMPLES,
    BENCH_CONTROL_CREEP = 1000000 /**< control steps of the long hold */
};

/** s between two settings of the torques. */
#define BENCH_CONTROL_PERIOD 1e-3

/** An arm of some engine. Both calls say whether they succeeded. */
typedef struct bench_controlled {
    void *self;
    /** Sets the torques (N m) and goes on by a period. */
    bool (*advance)(void *self, const double *torques);
    /** Angles (rad) and their rates, joint 1 first. */
    bool (*read)(void *self, double *q, double *v);
} bench_controlled;

typedef struct bench_control_figures {
    double moving, holding;            /**< CPU seconds of a control step */
    double path[BENCH_CONTROL_VALUES]; /**< rad, sample by sample */
    double held[BENCH_CONTROL_JOINTS]; /**< rad, at the end */
    double creep; /**< rad, the largest that a joint is away after the long hold */
    double speed; /**< rad/s, the largest at the end */
} bench_control_figures;

/**
 * From the start to the end of holding. Both times include controller, setting and reading, the same for all engines. `longer`: holds for
 * BENCH_CONTROL_CREEP steps more, untimed, and sets `creep`.
 */
bool bench_control_run(const bench_controlled *arm, bool longer, bench_control_figures *figures);

#ifdef __cplusplus
}
#endif

#endif
