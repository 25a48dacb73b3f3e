/**
 * @file composite.h
 * Functions that are made of other operations:
 *
 *     a > b  = b < a               ceil(x)  = -floor(-x)
 *     a >= b = b <= a              round(x) = floor(x + 1/2)
 *     mod(a, b) = a - b floor(a / b)
 *     clamp(x, low, high) = min(max(x, low), high)
 *     deadband(x, low, high) = x - clamp(x, low, high)
 *     ramp(x, from, to) = clamp((x - from) / (to - from), 0, 1)
 *     pulse(x, period, width) = mod(x, period) < width
 *     chirp(x, f, r) = sin(2 pi x (f + r/2 x))
 *     noise(x, period, seed) = a straight line from n(k) to n(k + 1), k = floor(x / period), n = 2 hash(k, floor(seed)) - 1
 *
 * Each returns the node that stands for it in the graph, or -1 (see graph.h).
 */
#ifndef DT_EXPRESSION_COMPOSITE_H
#define DT_EXPRESSION_COMPOSITE_H

#include "expression/graph.h"

int dt_composite_greater(dt_graph *graph, const int *arguments, size_t place);
int dt_composite_greater_equal(dt_graph *graph, const int *arguments, size_t place);
int dt_composite_ceil(dt_graph *graph, const int *arguments, size_t place);
int dt_composite_round(dt_graph *graph, const int *arguments, size_t place);
int dt_composite_mod(dt_graph *graph, const int *arguments, size_t place);
int dt_composite_clamp(dt_graph *graph, const int *arguments, size_t place);
int dt_composite_deadband(dt_graph *graph, const int *arguments, size_t place);
int dt_composite_ramp(dt_graph *graph, const int *arguments, size_t place);
int dt_composite_pulse(dt_graph *graph, const int *arguments, size_t place);
int dt_composite_chirp(dt_graph *graph, const int *arguments, size_t place);
int dt_composite_noise(dt_graph *graph, const int *arguments, size_t place);

#endif
