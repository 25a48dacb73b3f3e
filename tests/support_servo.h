/**
 * @file support_servo.h
 * The servo of mechanisms/servo.yaml under friction laws: its two cases as signals on a grid.
 */
#ifndef SUPPORT_SERVO_H
#define SUPPORT_SERVO_H

#include "support_runs.h"

/** A run, or a law alone: `step` above zero is that of the explicit Euler method. */
typedef struct servo_case {
    const char *law;
    double step;      /**< s; 0: the file's integrator */
    bool ramp;        /**< 0.25 mm/s instead of 1 mm at once */
    double end, grid; /**< s, between two rows */
    double rtol;      /**< 0: the file's */
} servo_case;

typedef struct servo_signals {
    size_t rows;
    double *t, *x, *v, *active; /**< piston: m, m/s; N, what acts beside friction */
    runs_log log;               /**< of modes, where the law has some */
} servo_signals;

servo_signals servo_run(servo_case c);
void servo_free(servo_signals *s);

/** The numbers of mechanisms/servo.yaml, once more. */
extern const double servo_static, servo_dynamic, servo_band, servo_mass, servo_rate;

/** The first row at which the piston is farther than `way` from its start; fails the test where there is none. */
size_t servo_first_moved(const servo_signals *s, double way);
/** The first row from which on the velocity is 0 up to the end; `rows` where it is not in the last one. */
size_t servo_rest(const servo_signals *s);
/** How often the piston comes to rest: rows with velocity 0 after one without, from row `from` on. */
size_t servo_stops(const servo_signals *s, size_t from);

#endif
