/**
 * @file prove_modes.h
 * One set of modes of a scene: its equations (prove.h), and Newton's method on them with a matrix of differences.
 *
 * Unknowns x, prove_unknowns() of them: accelerations of the free freedoms and what drives the held ones; friction of those that slip; where
 * laws follow in a circle, the reactions; the forces of the conditions of loops and couplings.
 */
#ifndef SOAK_PROVE_MODES_H
#define SOAK_PROVE_MODES_H

#include "prove.h"
#include "scene.h"

enum { UNKNOWNS = 9 * DOFS };

/** Of the forces: what is no difference. */
extern const double prove_hair;

typedef struct modes {
    bool held[DOFS];  /* a is given: locked or prescribed */
    bool slips[DOFS]; /* friction is given by `side` */
    int side[DOFS];
    double given[DOFS];
    bool loose
        [DOFS]; /* the condition of a loop asks for what others ask for, with what is held: its force is `gauge` */
    double gauge[DOFS];
} modes;

/** How many unknowns there are. */
int prove_unknowns(const scene *);
/** The equations at the present state; false where those of loops are not clear. */
bool prove_form(scene *);
/** Accelerations, frictions and forces of the scene are those of x, and reactions follow. */
void prove_set_unknowns(scene *, const modes *, const double *x);
void prove_residual(scene *, const modes *, const double *x, double *r);
/** A (unknowns x unknowns, by rows): the derivatives of the residual r at x, by differences. */
void prove_differentiate(scene *, const modes *, const double *x, const double *r, double size,
                         double *A);
/** A x = b, in the place of b, by elimination; A is used up. False where a pivot is 0. */
bool prove_solve_linear(int n, double *A, double *b);
/** From x to a solution; false where it does not converge. `size`: of the forces. */
bool prove_newton(scene *, const modes *, double *x, double size);

/** The scene of a verdict, a moment later: whatever switches then has switched. */
bool prove_set_instant(scene *, const sketch *, const verdict *);
/** Any consistent modes of a scene, and their solution; `words` as of prove(). */
proof prove_find_modes(scene *, modes *, double *x, char *words, size_t capacity);

#endif
