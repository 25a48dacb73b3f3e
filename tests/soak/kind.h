/**
 * @file kind.h
 * Kinds of items of a mechanism: a file (kind_*.c) and a row of the table each. A row says how items are made at random
 * (make.h), written (write.h) and cut down (shrinker.h), and what they do in the dynamics of the program's own (scene.h);
 * what is NULL the kind has not. The items themselves are plain data: in `sketch`, where others look at them; else the file's
 * alone, of `size` bytes, found by sketch_own() and, in a scene, scene_own().
 *
 * Whoever needs all of a mechanism walks the table, in its order. What is made from the stream of chance that all share
 * must stay where it is, or seeds would make other mechanisms; a new kind takes a stream of its own (kind_springs.c).
 */
#ifndef SOAK_KIND_H
#define SOAK_KIND_H

#include "make.h"
#include "scene.h"
#include "shrinker.h"
#include "sketch.h"
#include "write.h"

/* clang-format off */
#define SKETCH_KIND_TABLE(ROW) \
    ROW(world) \
    ROW(joints) \
    ROW(friction) \
    ROW(loads) \
    ROW(springs) \
    ROW(sizes) \
    ROW(states) \
    ROW(sampled) \
    ROW(loops) \
    ROW(couplings) \
    ROW(cams) \
    ROW(slots) \
    ROW(bushings) \
    ROW(laws) \
    ROW(stops) \
    ROW(tables) \
    ROW(signals) \
    ROW(grips) \
    ROW(bearings) \
    ROW(stribeck) \
    ROW(edges) \
    ROW(twins) \
    ROW(flats) \
    ROW(readings) \
    ROW(past) \
    ROW(controls) \
    ROW(named)
/* clang-format on */

typedef struct sketch_kind {
    size_t size;       /**< of the data of its own in a sketch, 0: none */
    size_t scene_size; /**< and in a scene */
    void (*make)(maker *);
    void (*write)(writer *, const sketch *); /**< its section of the file */
    /** What a primitive of a joint has of it: a key with a comma before it. */
    void (*write_along)(writer *, const sketch *, int joint, int primitive);
    /** What the stiction of a primitive has of it, likewise. */
    void (*write_stiction)(writer *, const sketch *, int joint, int primitive);
    /** Its couplings, beside those of others. */
    void (*write_coupling)(writer *, const sketch *);
    /** Outputs that proofs read: each with a comma before it. */
    void (*write_output)(writer *, const sketch *);
    /** A force of its n-th item that friction may read, empty where there is none; false: there are no more items. */
    bool (*say_force)(const sketch *, int n, char *law);
    /** Whether a law jumps where a velocity passes a border. */
    bool (*jumps)(const sketch *);

    /* shrinking */
    void (*drop)(shrinker *); /**< whole items, one after the other */
    void (*simplify_laws)(shrinker *);
    void (*simplify_numbers)(shrinker *);
    void (*lose_joint)(
        sketch *, int joint); /**< joint and body are about to go: what belongs to them goes, too */

    /* dynamics */
    /** Adds what its items do to body k, about a point, in the world. */
    void (*act)(scene *, int k, const double about[3], double wrench[6]);
    /** The force that its items add along a freedom that is no spherical primitive's. */
    double (*push)(scene *, int freedom);
    /** The friction that its items add along a freedom in direction `side`, in both directions at rest: a magnitude. */
    double (*rub)(scene *, int freedom, int side, bool rests);
    /** The closed rigid stop at which a freedom is: -1 the lower one, 1 the upper one, 0 none. */
    int (*stop_side)(const scene *, int freedom);
    bool (*is_circular)(const sketch *); /**< what acts reads what it acts on */
    /** Unknowns of its own, from the state of a run where there is a verdict, else at the start. */
    void (*start)(scene *, const verdict *);
    void (*rates)(scene *); /**< of these, before anything moves on */
    void (*advance)(scene *, double h);
    /** Conditions on velocities that forces of their own keep: adds rows C, C v = 0; how many. */
    int (*tie)(const scene *, double (*rows)[DOFS]);
    /** What bodies get from the forces of those rows, into `tie` of the scene; how many there were. */
    int (*pull)(scene *, const double *forces);
    bool (*look_up)(scene *, const char *name,
                    double *value); /**< of a formula, without brackets */
    /** A function of a formula. */
    bool (*call)(const scene *, const char *name, const double *x, int count, double *value);
    /** False where what it does now is not known here: there is no proof then. */
    bool (*is_known)(const scene *);
    /** How open its conditions on positions are, over their size. */
    double (*open)(const scene *);
} sketch_kind;

#define SKETCH_KIND_OF(name) extern const sketch_kind sketch_##name;
SKETCH_KIND_TABLE(SKETCH_KIND_OF)
#undef SKETCH_KIND_OF

#define SKETCH_KIND_ONE(name) +1
enum { SKETCH_KINDS = SKETCH_KIND_TABLE(SKETCH_KIND_ONE) };
#undef SKETCH_KIND_ONE

extern const sketch_kind *const sketch_kinds[SKETCH_KINDS];

/** The data of a kind in a sketch, and in a scene; zero at first. Of a copy they are at the same place. */
void *sketch_own(const sketch *, const sketch_kind *);
void *scene_own(const scene *, const sketch_kind *);

#endif
