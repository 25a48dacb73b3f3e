/**
 * @file support_bars.h
 * A crank, a rod and a third body, integrated from their equations with multipliers, which share nothing with the engine.
 */
#ifndef SUPPORT_BARS_H
#define SUPPORT_BARS_H

#include <stdbool.h>

/** Lengths of crank, rod and rocker, m; m/s^2. Crank and rod have 1 and 0.5 kg in their middle, and 0.1 kg m^2 about there. */
enum { BARS_STATE = 6 };
static const double bars_crank = 0.3, bars_rod = 0.7, bars_rocker = 0.6, bars_gravity = 9.81;

/** The third body is a slider along x, or a rocker about (0.9, 0); it has mass, about its joint, or none. */
typedef struct support_bars {
    bool rocks;
    double mass;     /**< of the slider; moment of inertia of the rocker about its foot */
    double damping;  /**< of the slider */
    double force[2]; /**< on the rod's end, when it has been advanced */
} support_bars;

/** y: angles of crank and rod in the world, the slider's place or the rocker's angle; their rates. The crank at `angle`, turning with `speed`. */
void support_bars_start(const support_bars *, double angle, double speed, double y[BARS_STATE]);
/** By t, in small steps of fourth order. */
void support_bars_advance(support_bars *, double y[BARS_STATE], double t);

#endif
