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

/** A drive that reads no forces and no accelerations. */
void make_quiet_drive(maker *, char *law, double size, const sketch_primitive *own);

/** make_joints.c: joints and bodies. */
void make_joints(maker *);
/** What acts along them: friction, motions, drives. */
void make_joint_laws(maker *);

/** kind_friction.c: kinetic friction of some shape; static is `ratio` times its value at rest, at least. */
void make_friction(maker *, sketch_primitive *, double size);

#endif
