/**
 * @file scene.h
 * A sketch at one instant, with dynamics of its own: where its bodies are (scene_kinematics.c), what pushes them
 * (scene_forces.c). For prove.c, which looks for modes in it.
 */
#ifndef SOAK_SCENE_H
#define SOAK_SCENE_H

#include "sketch.h"

#include <stdbool.h>

enum { DOFS = 40, SCENE_FREES = 8 };

/* One freedom of the mechanism, as the sketch has it. */
typedef struct dof {
    int joint, primitive; /* of the sketch */
    int axis;             /* of a spherical primitive's three */
    int q, v;             /* places in the state */
} dof;

typedef struct body {
    double R[9], p[3]; /* frame in the world */
    double c[3];       /* centre of mass */
} body;

/* Of one freedom at the present position: where it is and what it moves. */
typedef struct screw {
    double e[3], o[3]; /* axis, point on it; for reactions the origin of the follower's frame */
    double R[9];
} screw;

/* What the present position and velocity make of a body; a0, w0 = J' v, W' v are accelerations at a = 0. */
typedef struct carried {
    double J[DOFS][3], W[DOFS][3], a0[3], w0[3], omega[3];
    double I[9], mass;
} carried;

typedef struct scene {
    const sketch *s;
    int count; /* freedoms */
    dof dof[DOFS];
    double z[SKETCH_STATES], z_rate[SKETCH_STATES];
    double t, u, q[2 * DOFS], v[DOFS], a[DOFS], f[DOFS]; /* a, f by freedom */
    double rest[DOFS];                                   /* how long it has been locked */
    int direction[DOFS];                                 /* what `dir` is */
    int now;                                             /* the freedom whose law is read */
    double Q[DOFS];                                      /* actuation, springs, damping */
    body body[SKETCH_JOINTS];
    screw screw[DOFS];
    carried carried[SKETCH_JOINTS];
    double M[DOFS][DOFS], h[DOFS];
    double
        tie[SKETCH_JOINTS]
           [6]; /* force, torque about the centre of mass that loops put on bodies, for reactions */
    double reaction[DOFS][6]; /* force, torque about the origin of the follower's frame */
    _Alignas(
        max_align_t) unsigned char own[2048]; /**< of kinds alone: unknowns, for one (kind.h) */
    /* of ties: see prove_ties.h */
    int ties;
    double C[DOFS][DOFS], right[DOFS], pull[DOFS][SKETCH_JOINTS][6];
    int frees;
    double free[SCENE_FREES][DOFS][6];
    bool tied;     /**< by loops or couplings, whose forces are not known */
    bool circular; /* a load reads reactions: they are unknowns of their own */
} scene;

/* ---- small vectors ---- */

static inline void cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void rotate(const double R[9], const double x[3], double y[3])
{
    for (int i = 0; i < 3; i++) {
        y[i] = R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2];
    }
}

/* ---- what the files of a scene have from each other ---- */

/** Whether joint k hangs on joint j, or is it. */
bool scene_hangs_on(const sketch *s, int k, int j);
char scene_kind_of(const scene *sc, int d);
/** The state h seconds later, to first order. */
void scene_advance(scene *sc, double h);
/** M and h at the present state. */
void scene_form_equations(scene *sc);
/** The value of a law of freedom d. */
double scene_law(scene *sc, int d, const char *text);
/** The primitive that freedom d is of. */
const sketch_primitive *scene_primitive_of(const scene *sc, int d);
/** What meshes and bearings add to the friction of freedom d in direction `side`, at rest or in motion, a magnitude. */
double scene_rub(scene *sc, int d, int side, bool rests);
/** The magnitude of the kinetic friction of freedom d in direction `side`. */
double scene_kinetic(scene *sc, int d, int side);
/** How body k moves at a point with freedom d: velocity and angular velocity. */
void scene_moves_at(const scene *, int k, const double point[3], int d, double twist[6]);
/** A force of ties at a point of body k, and a torque, `sign` times. */
void scene_load_tie(scene *, int k, const double point[3], const double wrench[6], double sign);
/** What the joints transmit, by a, f and the loads. */
void scene_form_reactions(scene *sc);
/** Generalised forces of all but friction. */
void scene_form_forces(scene *sc, double *Q);

#endif
