/**
 * @file make.h
 * What kinds of items have from each other to make mechanisms at random.
 */
#ifndef SOAK_MAKE_H
#define SOAK_MAKE_H

#include "chance.h"
#include "sketch.h"

typedef struct maker {
    chance c; /**< shared: see kind.h */
    sketch *s;
    uint64_t seed;
    sketch_wishes wish;
} maker;

/** Writes a law. */
__attribute__((format(printf, 2, 3))) void make_say(char *law, const char *format, ...);

/** A primitive of one freedom, whose coordinate can be read; NULL where chance finds none. */
sketch_primitive *make_pick(sketch *, chance *);

/** Something that drives: of t alone, of own or other coordinates, of accelerations and reactions, of the input. */
void make_drive(maker *, char *law, double size, const sketch_primitive *own);

/** Something that reads a number of ordinary size, by its name: a force, or a friction. */
void make_use(sketch *, chance *, const char *name);

/** The same along one primitive, as a force. */
void make_use_along(sketch_primitive *, double size, const char *name);

/** A drive that reads no forces and no accelerations. */
void make_quiet_drive(maker *, char *law, double size, const sketch_primitive *own);

/**
 * make_ties.c: a joint of a kind ('p', 'r'; '\0': of either) that can be coupled; of loops none but the first, or they would be tied
 * twice. -1: none.
 */
int make_pick_tied(const sketch *, chance *, char kind);
/** Friction that the engine takes where something is tied. */
void make_simple_friction(sketch_primitive *);
/** Nor does it take a band where loops or couplings may be moved by its impulse. */
void make_leave_bands(sketch *);
/** Nor friction that follows reactions of loops beside cams and slots: they are there from now on. */
void make_more_ties(sketch *);

/** make_joints.c: joints and bodies. */
void make_joints(maker *);
/** What acts along them: friction, motions, drives. */
void make_joint_laws(maker *);

/** kind_friction.c: kinetic friction of some shape; static is `ratio` times its value at rest, at least. */
void make_friction(maker *, sketch_primitive *, double size);

#endif
