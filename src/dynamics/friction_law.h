/**
 * @file friction_law.h
 * The friction laws that a primitive can have, as texts: a law is a row of the table in friction_law.c.
 */
#ifndef DT_DYNAMICS_FRICTION_LAW_H
#define DT_DYNAMICS_FRICTION_LAW_H

#include "base/arena.h"
#include "dynamics/system.h"
#include "model/item.h"

#include <stdbool.h>

/** What is given of one: its numbers in units of the joint, those of dry friction over its load where there is one. 0: not given. */
typedef struct dt_friction_law {
    size_t size;      /**< dt_item_head */
    const char *name; /**< of the primitive */
    int law;          /**< dt_friction_words */
    double breakaway, coulomb;
    double breakaway_velocity;
    double viscous;           /**< of no load */
    double velocity_band;     /**< in which a jump at zero is smoothed */
    const char *normal_force; /**< NULL: friction is given as forces */
    double radius;            /**< at which it rubs where the joint turns */
    double stiffness, damping, exponent;
    double stiffnesses[DT_MOST_SIZES], limits[DT_MOST_SIZES]; /**< of each spring */
    double inertia; /**< with which what acts along the joint is told; 0: what the joint carries */
} dt_friction_law;

/** Names of laws, ended by NULL. */
extern const char *const dt_friction_words[];

/** What is wrong, and at which key; NULL: nothing. */
const char *dt_friction_fault(const dt_friction_law *law, bool rotational, const char **key);

/** Friction of a stiction, taken over; and what the law still has to have (dt_item_kind.take_over, complete). */
void dt_friction_take_over(dt_friction_law *law, const dt_dry_friction *friction);
const char *dt_friction_complete(dt_friction_law *law, double velocity, double stretch);

/**
 * Its force along the joint as an expression; "": it has none, or is a stiction. NULL: memory is out. `active`: what acts along
 * the joint beside it, of a law that reads that.
 */
const char *dt_friction_text(dt_arena *arena, const dt_friction_law *law, const dt_active *active);
bool dt_friction_reads_active(const dt_friction_law *law);

/** The same of the limit of a stiction, and of its kinetic friction; false where the law is none. */
bool dt_friction_stiction(dt_arena *arena, const dt_friction_law *law, const char **limit,
                          const char **kinetic);

/**
 * The word of a law that decides once a step what sticks, and the band of velocity in which it then rests, 0: it rests where it turns; NULL:
 * it is none.
 */
const char *dt_friction_fixed_steps(const dt_friction_law *law, double *band);

/** Its springs: how many, how stiff, how far they are stretched at most, and the rate of that as an expression. */
int dt_friction_springs(const dt_friction_law *law);
double dt_friction_stiffness(const dt_friction_law *law, int spring);
/** What the rate of its first spring adds to that, N s/m or N m s/rad: 0 in laws that have none, be it given. */
double dt_friction_damping(const dt_friction_law *law);
double dt_friction_stretch(const dt_friction_law *law, int spring);
const char *dt_friction_rate(dt_arena *arena, const dt_friction_law *law, int spring);
/** How far it is stretched where it slips at velocity v, and how that is approached: the exponent a of spring_step.h. */
double dt_friction_slip(const dt_friction_law *law, int spring, double v);
double dt_friction_exponent(const dt_friction_law *law);

/* element_friction_law.c */
/** The items of a mechanism, and the force along the joint of one at the readings of a system, which has it. */
const dt_item_list *dt_friction_laws(const detent_mechanism *mechanism);
double dt_friction_force(dt_system *system, int item);

#endif
