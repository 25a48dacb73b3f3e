/**
 * @file problem.h
 * What is integrated: unknowns y(t), given by functions of whoever knows what they mean.
 *
 *   implicit   F(t, y, y') = 0, where some unknowns may be algebraic: their derivatives do not occur
 *   explicit   y' = f(t, y)
 *   roots      g_k(t, y, y'): a step stops where one of them falls through zero
 *
 * A root function that is zero at a restart is left alone until it has left zero.
 *
 * Arrays hold a number for every unknown in use, g one for every root function in use; they are the
 * solver's, and none may be kept. What is read and what is written are never the same array.
 * Nothing is called before the first restart. Only what the steppers in use call has to be there.
 */
#ifndef DT_SOLVER_PROBLEM_H
#define DT_SOLVER_PROBLEM_H

#include <stdbool.h>

typedef struct dt_problem {
    void *user; /**< given to all functions */

    /* the implicit stepper */

    /** r = F(t, y, y'); false where it does not exist: a shorter step is tried. */
    bool (*residual)(void *user, double t, const double *y, const double *yp, double *r);
    /**
     * One step of Newton's method: replaces r by d = -J^-1 r with J = dF/dy + c dF/dy'. `anew`: J is
     * that of t, y, y' of the last residual, else that of the last call will do. False where J is
     * singular.
     */
    bool (*correct)(void *user, double *r, bool anew, double c);
    /** What rounding does to a correction at the last residual: weighted root mean square. */
    double (*rounding)(void *user, const double *weights, double c);
    /**
     * Which unknowns are differential, 1, and which are algebraic and out of the error test, 0. Asked
     * for at every restart.
     */
    void (*differential)(void *user, double *id);

    /* the explicit stepper */

    /** yp = f(t, y); false where it does not exist: a shorter step is tried. */
    bool (*rate)(void *user, double t, const double *y, double *yp);
    /*
     * f may solve equations that have several solutions. Then rate() starts from a guess: what it has
     * found last, or what these say. All three may be NULL.
     */
    /** What rate() has found last is the solution that the run is on. */
    void (*keep)(void *user);
    /** The guess is what was kept last. */
    void (*recall)(void *user);
    /** The guess is the one that belongs to y' = yp. */
    void (*suggest)(void *user, const double *yp);
    /**
     * Sets the unknowns that rest to where they rest, to the last bit: interpolation moves them by its
     * rounding. May be NULL.
     */
    void (*hold)(void *user, double *y);
    /**
     * Of a stepper of fixed steps: puts the unknowns at the end of a step where they belong together, on conditions that tie
     * them, and inside bounds. False where they cannot be put there. May be NULL.
     */
    bool (*project)(void *user, double t, double *y);
    /** Of the same, without stages: a step of the problem's own, from y at t to the unknowns y1 at `end`; false where there is none. y may jump at the start. */
    bool (*advance)(void *user, double t, double end, double *y, double *y1);

    /* both */

    /**
     * 1 / tolerance of every unknown: the root mean square of weight * error over all unknowns is held
     * below 1; algebraic ones count as exact.
     */
    void (*weights)(void *user, const double *y, double *weights);
    /** The same where no unknown is taken for smaller than it ordinarily is; for leaps. May be NULL: there are none. */
    void (*usual_weights)(void *user, const double *y, double *weights);
    /** What passes through zero in the hole of a leap, and is smooth there; for leaps whose solution has a kink in it. May be NULL. */
    double (*through_hole)(void *user, double t, const double *y);
    /** All root functions in use; false where they do not exist. May be NULL where none ever is. */
    bool (*roots)(void *user, double t, const double *y, const double *yp, double *g);
    /**
     * The unknown that a root function is but for a factor and an offset, which may change a little, or
     * -1: that root is then guessed from the interpolant. May be NULL.
     */
    int (*root_unknown)(void *user, int root);
} dt_problem;

#endif
