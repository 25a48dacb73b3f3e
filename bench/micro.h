/**
 * @file micro.h
 * Things that are no run from start to end at some accuracy: what simulated time costs where nothing
 * moves, what a step costs where three joints move among many that hold, what it takes to read,
 * check and create a mechanism, what a friction law costs, and what a control loop.
 */
#ifndef BENCH_MICRO_H
#define BENCH_MICRO_H

#include "workload.h"

/** The workload "hold" for 10 s and for 1,000 s, in turn. */
typedef struct bench_hold {
    size_t n;
    detent_integrator integrator;
    detent_status status;
    char message[200];
    size_t steps[2];
    double cpu[2];   /**< s, medians */
    double movement; /**< the largest, rad: must be 0 */
} bench_hold;

void bench_measure_hold(bench_hold *hold, size_t n, detent_integrator integrator);

/**
 * Steps of a hanging chain of n rods, 1 m and 1 kg in all, in which three joints move and all others
 * hold far below their limit. The three cut the chain into 0.3, 0.3 and 0.4 m for every n: the motion
 * is the same, n a multiple of 10.
 */
typedef struct bench_step {
    size_t n;
    detent_integrator integrator;
    detent_status status;
    char message[200];
    size_t steps, events; /**< in the interval that is measured; events must be 0 */
    double cpu;           /**< s a step, median */
    double angle;         /**< of the first joint at the end, rad: the same for every n */
} bench_step;

void bench_measure_step(bench_step *step, size_t n, detent_integrator integrator);

enum { BENCH_SETUPS = 2 };

/** Reading and checking the hanging chain of n rods, and creating a simulation of it. */
typedef struct bench_setup {
    const char *name; /**< "chain": a few lines; "written out": every item has a line of its own */
    size_t n, file;   /**< file: its length, bytes */
    detent_status status;
    char message[200];
    double reading;       /**< s, with checking; median */
    size_t mechanism;     /**< bytes */
    double creating[2];   /**< s, by detent_locked_joints; with the first search */
    size_t simulation[2]; /**< bytes, likewise */
} bench_setup;

/** Measures kind 0 ... BENCH_SETUPS - 1; the file that is written out is a temporary one. */
void bench_measure_setup(bench_setup *setup, int kind, size_t n);

enum { BENCH_LAWS = 25 };

/** A friction law at an accuracy that is the same for all. */
typedef struct bench_law {
    const char *law;
    detent_integrator integrator;
    bool fixed;      /**< with steps of fixed length */
    bool is_measure; /**< others are measured by it */
    bool reached;    /**< that accuracy, with any tolerance or step that was tried */
    detent_status status;
    char message[200];
    double accuracy;  /**< rtol, or the step, s */
    double error;     /**< of the position, largest, over the amplitude */
    double agreement; /**< of the reference with one of a hundred times its tolerance, likewise */
    double cpu;       /**< s a simulated second, median */
    size_t steps, events;
} bench_law;

/** Measures row 0 ... BENCH_LAWS - 1. */
void bench_measure_law(bench_law *law, int which);

enum { BENCH_ORDER_STEPS = 6 };

/** How fast steps of fixed length converge to the event-driven run. */
typedef struct bench_order {
    const bench_workload *workload;
    size_t n;
    detent_status status;
    char message[200];
    double order;                    /**< slope of the error over the halvings of the step */
    double step[BENCH_ORDER_STEPS];  /**< s, each half the one before */
    double error[BENCH_ORDER_STEPS]; /**< rad or m, means over time and lengths */
    double agreement;                /**< of event-driven runs at two tolerances, likewise */
} bench_order;

/** In the smallest size of the workload. */
void bench_measure_order(bench_order *order, const bench_workload *workload);

enum { BENCH_CONTROLS = 14 };

/** The workload `control` (control.h) by one integrator. */
typedef struct bench_control {
    detent_integrator integrator;
    double dial; /**< rtol, or with fixed steps the step, s */
    bool longer; /**< whether it held for long, too */
    detent_status status;
    char message[200];
    double moving, holding;   /**< CPU seconds of a control step, medians */
    double error, held_error; /**< rad, largest along the path, and at the end of holding */
    double agreement;         /**< rad, of the reference with another one */
    double creep;             /**< rad, in the long hold: must be 0 */
    double speed;             /**< rad/s at the end: must be 0 */
    size_t steps, events, unsettled;
} bench_control;

/** Measures row 0 ... BENCH_CONTROLS - 1. */
void bench_measure_control(bench_control *control, int which);
/** The reference: BENCH_CONTROL_VALUES of the path, BENCH_CONTROL_JOINTS at the end; NULL if there is none. */
const double *bench_control_reference(bool held);

#endif
