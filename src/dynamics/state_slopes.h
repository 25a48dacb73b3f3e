/**
 * @file state_slopes.h
 * States of controllers and elements in an exact Newton step: they are eliminated before everything else.
 *
 * With r_z = z' - g(x, z), x what joints do, dz' = c dz and C = c - g_z, a law L(x, z) changes by
 *
 *   C dz = -r_z + g_x dx          dL = L_x dx + y . (g_x dx - r_z),   C' y = L_z
 *
 * So a law that reads states reads, in their place, what their derivatives read of joints: where that is its own joint
 * nothing is coupled. States that read each other are a group, whose part of C is factored by LAPACK; most are alone.
 */
#ifndef DT_DYNAMICS_STATE_SLOPES_H
#define DT_DYNAMICS_STATE_SLOPES_H

#include "dynamics/system.h"

typedef struct dt_state_slopes {
    int count;          /**< of states */
    bool active;        /**< they are among the unknowns: at the STEP level */
    int *group, *place; /**< of each state, and where it is in there */
    int *first;         /**< members of group g: member[first[g]] ... member[first[g + 1] - 1] */
    int *member;        /**< ascending */
    size_t *start;      /**< groups: of its matrix, column by column */
    double *matrix;
    int *pivots;
    double *unit;   /**< count, as in `member`: what states are measured by, as powers of two */
    double **slope; /**< of each state: gradient of its derivative, of the program's slots */
    const bool *
        given; /**< count: whose changes are known, so that their derivatives have no slopes; NULL: none */
    double *y; /**< count: of dt_state_slopes_adjoint() */
    int *touched,
        *stamp; /**< work space: states that a program reads, groups that have been listed */
    int stamps;
} dt_state_slopes;

/** False when memory is out. */
bool dt_state_slopes_create(dt_arena *arena, const dt_system *system, dt_state_slopes *slopes);

/** Linearises and factors at the system's readings; `c` as in newton.h. False where it is singular. */
bool dt_state_slopes_factor(dt_state_slopes *slopes, dt_system *system, double c);

/**
 * Lists the states that a program reads, with all of their groups, in slopes->touched; returns how many. The order is
 * always the same.
 */
int dt_state_slopes_list(dt_state_slopes *slopes, const dt_program *program);

/** Sets y of those states, for the gradient of a program that reads them; after listing them. */
void dt_state_slopes_adjoint(dt_state_slopes *slopes, const dt_program *program,
                             const double *gradient);

/** Solves C dz = r in place, of all states. */
void dt_state_slopes_solve(dt_state_slopes *slopes, double *r);

/**
 * After dt_state_slopes_factor(): how fast states fall back, or turn through each other, at the most, 1/s. From products round one or two states, so no
 * unit of a state is in it.
 */
double dt_state_slopes_fastest(const dt_state_slopes *slopes, const dt_system *system);

/** y of a state, after dt_state_slopes_adjoint(). */
static inline double dt_state_slopes_y(const dt_state_slopes *slopes, int state)
{
    return slopes->y[slopes->first[slopes->group[state]] + slopes->place[state]];
}

#endif
