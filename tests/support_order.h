/**
 * @file support_order.h
 * How fast steps of given length converge: tables of outputs, how far they are from each other, and the slope of that over the halvings of the step.
 */
#ifndef SUPPORT_ORDER_H
#define SUPPORT_ORDER_H

#include "support_runs.h"

enum { ORDER_MOST_ROWS = 400, ORDER_MOST_OUTPUTS = 12, ORDER_MOST_HALVINGS = 10 };

/** All outputs at rows of equal distance. */
typedef struct order_table {
    size_t rows, outputs;
    double value[ORDER_MOST_ROWS][ORDER_MOST_OUTPUTS];
} order_table;

void order_fill(const detent_mechanism *mechanism, const detent_settings *settings, size_t rows,
                double end, order_table *table);
/** The mean distance of all outputs in all rows. */
double order_distance(const order_table *a, const order_table *b);
/** Prints it where the environment has DETENT_TEST_VERBOSE. */
void order_say(double step, double error);
/** The order of an integrator, by steps from `longest` on, against `exact`; the last error to `last`. */
double order_of(const detent_mechanism *mechanism, detent_integrator integrator,
                detent_locked_joints locked, double longest, int halvings, const order_table *exact,
                double end, double *last);
/**
 * First order at least of time stepping, whatever happens in steps from `longest` on; destroys the mechanism. When things happen within a step is left to
 * chance, so each error is the mean of those of steps of several lengths. With DETENT_TEST_VARIANTS=few in the environment
 * only that the error falls, over the three longest steps; with =half the order over five, instead of six.
 */
void order_check_first(detent_mechanism *mechanism, double end, double longest);

#endif
