/**
 * @file sketch.h
 * A mechanism as plain data that can be made at random, cut down, and written as a file.
 *
 * Body k is the follower of joint k, called bK and jK. Laws are texts; an empty text is a key that is left out.
 *
 * What stands in it is made, written, cut down and judged kind by kind: kind.h.
 *
 * All numbers are of ordinary size. `unit` makes another mechanism of them, with the same motion in other units.
 */
#ifndef SOAK_SKETCH_H
#define SOAK_SKETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SKETCH_TREE = 8,    /**< joints that make_joints() makes */
    SKETCH_JOINTS = 16, /**< with those of loops */
    SKETCH_COUPLINGS = 2,
    SKETCH_COUPLED = 3,
    SKETCH_PRIMITIVES = 6,
    SKETCH_LOADS = 3,
    SKETCH_STATES = 10,
    SKETCH_INPUTS = 4,
    SKETCH_LAW = 192,
    SKETCH_OWN = 16 * 1024, /**< bytes of what only one kind knows */
    SKETCH_TEXT = 64 * 1024
};

typedef char sketch_law[SKETCH_LAW];

typedef struct sketch_primitive {
    char kind; /**< p, r or s */
    char name[24];
    bool kept; /**< by its spring from a singular position */
    double position, velocity;
    double spin[3]; /**< velocity of a spherical one */
    double stiffness, rest, damping, armature;
    double nominal[2]; /**< position, velocity; 0: not given */
    sketch_law force, motion;
    bool by_speed; /**< the motion is a velocity */
    bool stiction;
    bool by_law; /**< by a friction law, whose formulas stand here too (kind_stribeck.c) */
    bool band;
    double threshold; /**< 0: not given */
    sketch_law kinetic, limit, forward, reverse, test, external;
} sketch_primitive;

typedef struct sketch_joint {
    const char *type;
    bool alive;
    int base;     /**< a joint's index, whose follower it is; -1: the ground */
    int follower; /**< its own index; of a joint that closes a loop that of the body which it moves: it has none of its own */
    double axis[3]; /**< all zero: the type's own */
    double at_base[3], turn_base[3], at_follower[3];
    int count;
    sketch_primitive primitive[SKETCH_PRIMITIVES];
    double mass, center[3], inertia[3]; /**< of the follower */
    bool tied;                          /**< by cams or slots */
} sketch_joint;

typedef struct sketch_load {
    int body; /**< -1: none */
    double at[3];
    sketch_law force[3], torque[3];
    bool in_body;
} sketch_load;

/** z0, z1, ...: numbers without unit. */
typedef struct sketch_state {
    bool alive;
    double initial;
    bool stops; /**< at `low` and `high` */
    double low, high;
    sketch_law derivative;
} sketch_state;

/** Sum of factor times position stays what it is, or is driven back there. */
typedef struct sketch_coupling {
    const char *type; /**< NULL: none */
    int count, joint[SKETCH_COUPLED];
    double number; /**< ratio, radius, pitch */
    double factor[SKETCH_COUPLED];
    double driving,
        driven; /**< what its mesh loses, of what it does along the first joint; both 0: it does not rub */
    double no_load,
        at_load; /**< friction of the first joint without load; load of the second one that the efficiencies are of, 0: any */
    double stiffness, damping, backlash; /**< of an elastic one; all 0: rigid */
} sketch_coupling;

typedef struct sketch {
    double gravity[3];
    int count;
    sketch_joint joint[SKETCH_JOINTS];
    sketch_load load[SKETCH_LOADS];
    sketch_state state[SKETCH_STATES];
    sketch_coupling coupling[SKETCH_COUPLINGS];
    bool more_ties; /**< cams or slots were made */
    int inputs;     /**< changes of the input `u` */
    double input_time[SKETCH_INPUTS], input_value[SKETCH_INPUTS];
    double end, rtol, atol; /**< atol 0: not given */
    bool steps;             /**< a run by time stepping, too */
    double
        unit[3]; /**< of mass, length and time, in kg, m, s: the file's numbers are of that size */
    _Alignas(max_align_t) unsigned char own
        [SKETCH_OWN]; /**< plain data of kinds that nobody else knows (kind.h), zero at first */
} sketch;

/** What SI numbers of the file are in the sketch's own units: the unit M^m L^l T^t. */
double sketch_unit(const sketch *, int m, int l, int t);
/** The power of the length in the unit of a primitive's coordinate. */
int sketch_length(const sketch_primitive *);

/* clang-format off */
/** What a mechanism may have: WISH, the first seed that has it, and what that is. Older seeds go on to make what they have always made. */
#define SKETCH_WISH_TABLE(ROW) \
    ROW(ties,      9000, "loops and couplings") \
    ROW(follows,  12000, "friction in loops that follows their reactions") \
    ROW(drives,   13000, "motions of joints in loops") \
    ROW(rubs,     14000, "friction of the meshes of couplings") \
    ROW(yields,   15000, "elastic couplings, with backlash") \
    ROW(speeds,   16000, "prescribed speeds") \
    ROW(meets,    17000, "loops whose branches meet") \
    ROW(bushings, 18000, "bushings") \
    ROW(laws,     18000, "friction laws") \
    ROW(blocks,   18000, "sampled values, stops of states") \
    ROW(stops,    19000, "stops of joints") \
    ROW(tables,   20000, "tables, as splines and of two variables, too") \
    ROW(signals,  20000, "blocks of controllers: pulses, chirps, noise") \
    ROW(curves,   20000, "cams, slots") \
    ROW(grips,    20000, "belts, static friction that grows at rest, Stribeck curves of stiction") \
    ROW(bearings, 20000, "bearings of some length or radius") \
    ROW(no_load,  20000, "friction of meshes without load") \
    ROW(all_laws, 20000, "friction laws in place of stiction: on any joint") \
    ROW(past,     30000, "dead times, relays, counters") \
    ROW(controls, 30000, "controllers of joints that stick") \
    ROW(edges,    30000, "loads that are limits exactly, limits of zero, motions with pauses") \
    ROW(twins,    30000, "joints that give way at the same instant") \
    ROW(flats,    30000, "loops that stand flat, or in a dead centre") \
    ROW(readings, 30000, "friction that reads what cams, slots and couplings do") \
    ROW(steps,    30000, "a run by time stepping beside the others") \
    ROW(few,      31000, "two joints at most beside loops and twins") \
    ROW(beside,   32000, "such loops next to their line, and on a base that moves steadily") \
    ROW(aside,    70000, "these not nearer to it than 1e-6 m")
/* clang-format on */

#define SKETCH_WISH(name, since, words) bool name;
typedef struct sketch_wishes {
    SKETCH_WISH_TABLE(SKETCH_WISH)
} sketch_wishes;
#undef SKETCH_WISH

/** Those of a seed of the program. */
sketch_wishes sketch_wishes_of(uint64_t seed);
/** Those that a list names, "ties,stops", and no others. False: some name is none. */
bool sketch_wishes_named(const char *list, sketch_wishes *);

/** The mechanism of a seed. */
void sketch_generate(sketch *, uint64_t seed, sketch_wishes);
/** Whether joint k is there, and closes a loop. */
bool sketch_closes(const sketch *, int k);
/** make_ties.c: whether joint k is on the way round a loop; whether some coupling has it. */
bool sketch_is_in_loop(const sketch *, int k);
bool sketch_is_coupled(const sketch *, int k);
/** Whether a law reads forces or the acceleration of a primitive. */
bool sketch_is_read(const sketch *, const char *name);
/** Whether a joint is coupled, and some mesh rubs: what pushes it would leave untold what the mesh carries. */
bool sketch_is_beside_mesh(const sketch *, int joint);

/**
 * Writes it as a file. With `size` > 0 each mass, law and initial velocity is changed by a relative amount of that size
 * at random, the same for one `seed`: what a run is sensitive to shows.
 */
void sketch_write(const sketch *, uint64_t seed, double size, char *text, size_t capacity);

/** Whether a law jumps where a velocity passes a border: what slides there is not what its formula says. */
bool sketch_jumps(const sketch *s);
/** Whether this one does. */
bool sketch_law_jumps(const char *law);

#endif
