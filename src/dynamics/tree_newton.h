/**
 * @file tree_newton.h
 * The exact Newton step along the tree: an articulated-body recursion on the linearised equations.
 *
 * Every change is taken as seen from the moving body, d~X = dX - dx x X, so that poses drop out.
 * With parent p, one unknown delta per freedom (the change of its coordinate, dq = delta; of its
 * acceleration at the ACCELERATION level):
 *
 *   dv = A3 delta + b       da = c dv      (q' = N(q) v: A3 = c for scalar coordinates, b the
 *                                           residual of q' - N v)
 *   d~V_i = d~V_p + S dv + (V_p x S) delta
 *   d~A_i = d~A_p - (S v) x d~V_p + S da + (V_p x S) dv + [A_p x S + (V_p x S) x (S v)] delta
 *   d~F_i (own) = I d~A + d~V x* I V + V x* I d~V  (- d~E for wrenches that do not turn with the
 *                                                   body, which takes dx_i)
 *   seen from the parent:  d~F_i + (S x* F_i) delta
 *
 * z_i stacks (d~V, d~A, dx if an element asks for it), or d~A alone at the ACCELERATION level: nz = 12,
 * 18 or 6. Inward, d~F_i = P_i z_i + p_i, z_i = T z_p + Ub b + U delta, and the freedom's own
 * equation sigma . d~F + kappa delta = rhs eliminates delta; a held freedom (locked, prescribed)
 * knows its delta and takes no update. Outward, delta follows from z_p. Ub is (S, V_p x S + c S), and the half of U that
 * d~V has is V_p x S + S A3: of a scalar joint the same as the second half of Ub.
 *
 * The three equations and unknowns of a spherical joint, (sigma P U + kappa) delta = e - sigma P z,
 * are combined first so that each equation has an unknown of its own (dt_small_decouple): delta =
 * right' eta, eta / D = left e - sP z, with left and right folded into sP and h. So they are
 * eliminated one by one like scalars, and keep the digits that an inverse of the 3 x 3 matrix
 * loses where it is ill-conditioned (slender bodies).
 *
 * P of a node is needed from the turn of its last child to its own, and no longer unless a law reads
 * the wrench. So it lives in a slot (tree_slots.h). (Where wrenches follow poses every node keeps its own.) z of a node is needed from
 * its own turn to that of its last child, the same nodes the other way round, and lives in the same slot, unless an answer reads it.
 * So does p, which is needed as long as P: what it is to the node's own equations outward is kept in their right-hand sides. Where
 * something acts on nodes from outside (u_E, or `front`, which does so on the way outward) every node keeps its own.
 *
 * The recursion generalises Featherstone's articulated bodies (2008, ch. 7) to the six by nz
 * matrices P, which are not symmetric.
 */
#ifndef DT_DYNAMICS_TREE_NEWTON_H
#define DT_DYNAMICS_TREE_NEWTON_H

#include "dynamics/linear_laws.h"
#include "dynamics/newton.h"
#include "dynamics/tree_slots.h"

typedef enum dt_freedom { DT_FREEDOM_FREE, DT_FREEDOM_LOCKED, DT_FREEDOM_PRESCRIBED } dt_freedom;

/** What a solve is asked for: residuals, and changes of laws from outside (couplings). */
typedef struct dt_tree_load {
    const double *r_q, *r_v,
        *r_f;          /**< nq (NULL at the acceleration level), nv, stiction_count; NULL: zero */
    const double *r_m; /**< 6 a loop: of welds (coupling.c), or NULL */
    const double *r_z; /**< state_count: of states (coupling.c), or NULL */
    const double *u_Q; /**< node_count: change of the force law, or NULL */
    const double *u_K; /**< stiction_count: change of s FK, or NULL */
    const double (*u_E)[6]; /**< node_count: change of the external wrench, or NULL */
} dt_tree_load;

typedef struct dt_tree_newton {
    dt_newton_level level;
    double c;
    int nz, nz_step;
    unsigned char *freedom; /**< node_count: dt_freedom */
    bool keeps_z; /**< z of every node can be read after a solve, by answers that are no laws */
    bool keeps_p; /**< p of every node is there in all of a solve */
    dt_tree_slots
        slots; /**< where P of a node is; each has its own where laws read wrenches or those follow poses */
    double *P;                      /**< slots x 6 x nz */
    double *U, *sP;                 /**< nv x nz: columns of z, and left sigma P */
    double (*S)[6];                 /**< nv: of Ub the half of d~V */
    double (*turned)[6];            /**< nv: that of d~A; NULL where the tree has no spherical
                                         node: in U, dt_tree_newton_turned() */
    double (*h)[6], (*Gb)[6];       /**< nv: (P U + S x* F) right', and P Ub */
    double (*left)[3], (*right)[3]; /**< nv: rows of 3 x 3, of free spherical nodes; NULL where the
                                         tree has none */
    double *D;                      /**< nv: one over the pivots */
    double (*A3)[3];                /**< nv: rows; NULL where the tree has no spherical node: c */

    /* one solve, and the solution */
    double (*p)[6]; /**< slots, or node_count: dt_tree_newton_p() */
    double *b;      /**< nv */
    /**
     * nv: of free nodes; where p is not kept, then the right-hand side of their equations, left (rhs - sigma . p), and sigma . p of
     * nodes that are locked
     */
    double *rhs;
    double *delta, *dv; /**< nv; da: dt_tree_newton_da() */
    double *df;         /**< stiction_count */
    double *z;          /**< slots x nz, or node_count x nz: dt_tree_newton_z() */
    double (*dF)[6];    /**< node_count: d~F, where a law needs it; NULL where none does */

    const double *m; /**< dt_tie_rows(): of conditions, while answers are solved for */

    /** The multipliers of many loops, along the tree (tie_front.h); NULL: by coupling.h. */
    struct dt_tie_front *front;
} dt_tree_newton;

/**
 * For the tree of `system` and what is left of it with nodes welded, at levels up to `highest`. False when memory is out.
 */
bool dt_tree_newton_create(dt_arena *arena, const dt_system *system, const dt_linear_laws *laws,
                           dt_newton_level highest, dt_tree_newton *tn);

/** Returns -1, or the node whose equation is singular. After dt_linear_laws_update(). */
int dt_tree_newton_factor(dt_tree_newton *tn, const dt_system *system, const dt_linear_laws *laws,
                          dt_newton_level level, double c);

/** Solves; the solution is left in `tn`. */
void dt_tree_newton_solve(dt_tree_newton *tn, const dt_system *system, const dt_linear_laws *laws,
                          const dt_tree_load *load);

/** P of a node (6 x nz, by rows), while it is being formed. */
static inline double *dt_tree_newton_block(const dt_tree_newton *tree, int node)
{
    return tree->P + (size_t)tree->slots.of[node] * 6 * (size_t)tree->nz;
}

/** z of a node in the solution (nz): of any node where `keeps_z`, else of the one whose turn it is and of its parent. */
static inline double *dt_tree_newton_z(const dt_tree_newton *tn, int node)
{
    return tn->z + (size_t)(tn->keeps_z ? node : tn->slots.of[node]) * (size_t)tn->nz;
}

/** p of a node in a solve (6): of any node where `keeps_p`, else from the turn of its last child to its own. */
static inline double *dt_tree_newton_p(const dt_tree_newton *tn, int node)
{
    return tn->p[tn->keeps_p ? node : tn->slots.of[node]];
}

/** Entry (j, k) of A3 among the freedoms of one node; j counts all freedoms, k those of the node. */
static inline double dt_tree_newton_A3(const dt_tree_newton *tn, int j, int k)
{
    return tn->A3 ? tn->A3[j][k] : tn->c;
}

/** The half of d~A of Ub of freedom j. */
static inline const double *dt_tree_newton_turned(const dt_tree_newton *tn, int j)
{
    return tn->turned ? tn->turned[j] : tn->U + (size_t)j * (size_t)tn->nz;
}

/** row . Ub of freedom j. */
static inline double dt_tree_newton_by_Ub(const dt_tree_newton *tn, const double *row, int j)
{
    const double *S = tn->S[j], *turned = dt_tree_newton_turned(tn, j);
    double sum = 0;
    for (int k = 0; k < 6; k++) {
        sum += row[k] * S[k];
    }
    for (int k = 0; k < 6; k++) {
        sum += row[6 + k] * turned[k];
    }
    return sum;
}

/** da of freedom j in the solution. */
static inline double dt_tree_newton_da(const dt_tree_newton *tn, int j)
{
    return tn->level == DT_NEWTON_STEP ? tn->c * tn->dv[j] : tn->delta[j];
}

/** sigma of freedom j (linear_laws.h), as of the factorisation: where no law reads a wrench S, which the columns have. */
static inline const double *dt_tree_newton_sigma(const dt_tree_newton *tn,
                                                 const dt_linear_laws *laws, int j)
{
    return laws->sigma                   ? laws->sigma[j]
           : tn->level == DT_NEWTON_STEP ? tn->S[j]
                                         : tn->U + (size_t)j * (size_t)tn->nz;
}

/** What a law with the slope F makes of d~F of node i in the solution. */
static inline double dt_tree_newton_wrench(const dt_tree_newton *tn, int i, const double F[6])
{
    return tn->dF ? dt_dot6(F, tn->dF[i]) : 0;
}

#endif
