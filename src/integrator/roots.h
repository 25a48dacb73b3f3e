/**
 * @file roots.h
 * What is watched, what has fired, and root functions of stictions and switches. Which there are is told
 * by the sources (source.h).
 */
#ifndef DT_INTEGRATOR_ROOTS_H
#define DT_INTEGRATOR_ROOTS_H

#include "integrator/simulation.h"

/** Kinds of sources, in the order in which their root functions are watched, and in which they are asked. */
typedef enum dt_source {
    DT_SOURCE_INSTANT,   /**< laws whose switches change at instants known in advance */
    DT_SOURCE_SAMPLE,    /**< instants of sampled values */
    DT_SOURCE_DEAD_TIME, /**< instants at which what is read of before jumps */
    DT_SOURCE_STICTION,  /**< limits and velocities of joints in the core */
    DT_SOURCE_STOP,      /**< joints of the core that come to a stop */
    DT_SOURCE_JUMP,      /**< forces of elements that jump where a pose passes a border */
    DT_SOURCE_SWITCH,    /**< switches of laws, also those that slide */
    DT_SOURCE_REDUCED,   /**< limits of joints that are not in the core (reduction.h) */
    DT_SOURCES
} dt_source;

/** A root function: the first (0) or the second one of an item. */
typedef struct dt_root {
    dt_source source;
    int item; /**< of the core; of the reduction: the stiction of the system */
    int which;
} dt_root;

/** What can fire. Items have two root functions each, and a pair of marks. */
typedef struct dt_root_table {
    /** Where the root functions of each source of the present core begin, and how many there are. */
    int first[DT_SOURCES + 1];
    /** Where the pairs of each source of the system begin in `fired`, and how many there are. */
    int pair[DT_SOURCES + 1];
    int (*fired)[2];   /**< by item of the system: what is part of the event, not 0 */
    int *whole_switch; /**< switches of the core: which of the system they are */
    bool
        laws_vary; /**< a limit, a test law or a switch reads something, or a force jumps at a pose */
    double next;   /**< s: the first instant known in advance, or INFINITY */
    /** stiction_count: by how much the limits of a locked one count as wider, up and down. */
    double (*widening)[2];
    /** Stictions of the system: of their force, N or N m, as of the last restart at which it was
        measured; never below what is nothing by the scale. */
    double *noise;
    double *slack;       /**< nv: what stops unseen of the velocities of the core that move */
    bool *waits;         /**< nv: joints of the core that wait in loops */
    double *open;        /**< nv: what is left open of their velocities (closure.h) */
    double *measured;    /**< stictions of the core: what is measured at a restart */
    bool *keep;          /**< work space: as many switches as the longest law has */
    double (*values)[2]; /**< the same: roots of those */
    double *gradient;    /**< work space: as many variables as any law has */
    double *sides[2];    /**< the same */
    size_t evaluations;
} dt_root_table;

/* roots.c */
/** All watched roots at t, y, yp; 0, or -1 where they cannot be evaluated. */
int dt_roots_evaluate(double t, const double *y, const double *yp, double *g, void *simulation);

/* source_stiction.c */
/** What is no force at all for stiction k of the system, N or N m. */
double dt_roots_no_force(const dt_simulation *simulation, int k);
/** At the very start, when the scale is known. */
void dt_roots_begin(dt_simulation *simulation);
/** The noise of stiction k of the system, in whose force there is one of this size. */
void dt_roots_set_noise(dt_simulation *simulation, int k, double noise);
/** By how much more they do where the root g would start below a hair, so that it starts there. */
double dt_roots_widening(double g, double hair);
/** By how much the limits of stiction k of the system count as wider: more than the noise of its force. */
double dt_roots_hair(const dt_simulation *simulation, int k, const double limits[2]);
/**
 * The two roots of a locked stiction at the readings of the system or the core: at the reverse limit,
 * at the forward limit.
 */
void dt_roots_of_locked(dt_simulation *simulation, dt_system *system, int stiction, double g[2]);
/** The same, as they are watched. */
void dt_roots_of_locked_watched(dt_simulation *simulation, int stiction, double g[2]);
/** Marks a locked joint that is at its limit, and comes from inside, as part of the event. */
void dt_roots_join_locked(dt_simulation *simulation, int k, const double g[2],
                          const double limits[2]);

/* source_switch.c */
/** The roots of a law's switches at the system's readings; of those known in advance 1. */
void dt_roots_of_law(dt_system *system, const dt_law *law, double (*g)[2]);

#endif
