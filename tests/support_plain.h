/**
 * @file support_plain.h
 * Plain programs that tests hold the library against share nothing with it, but a step of Runge and Kutta with each other.
 */
#ifndef SUPPORT_PLAIN_H
#define SUPPORT_PLAIN_H

#include <stddef.h>

enum { PLAIN_MOST = 8 };

/** y' = rate(t, y), n <= PLAIN_MOST of them; `user` is handed on. */
typedef void (*plain_rate)(double t, const double *y, double *rate, const void *user);
/** One step of the classical method of fourth order, from t to t + dt. */
void plain_step(double *y, size_t n, double t, double dt, plain_rate rate, const void *user);

#endif
