/**
 * @file support_invariants_parts.h
 * What the checker of invariants is made of: rows are read in support_invariants_read.c, judged one by one in
 * support_invariants_judge.c, and told in turn in support_invariants.c.
 */
#ifndef SUPPORT_INVARIANTS_PARTS_H
#define SUPPORT_INVARIANTS_PARTS_H

#include "support_invariants.h"

/** What a freedom is measured by: the scales of its primitive (detent_get_scale()). */
typedef struct measure {
    double nothing;     /**< a velocity that is none: atol, or what stands for it; m/s or rad/s */
    double no_place;    /**< a way that is none, m or rad */
    double velocity;    /**< nominal, m/s or rad/s */
    double position;    /**< nominal, m or rad */
    double inertia;     /**< kg or kg m^2 */
    double came, comes; /**< the greatest acceleration of the instant seen last but one, and last */
} measure;

typedef struct lock {
    bool holds;  /**< locked, without an event that released it, since `q` was taken */
    double q;    /**< the coordinate ever since */
    double fast; /**< the greatest speed seen */
    double load; /**< the size of forces when they were last known */
    double margin, margin_time, rate; /**< the last margin, and how fast it changed, 1/s */
    bool own_test;
} lock;

struct invariants {
    const detent_mechanism *mechanism;
    detent_mechanism_info info;
    detent_settings settings;
    detent_primitive_info *primitive; /**< of each stiction */
    bool *free_value; /**< coordinates that an event may touch: rotations, prescribed */
    size_t *freedom;  /**< of each coordinate: the first of its primitive */
    lock *lock;
    double *no_way;        /**< of each coordinate: what is nothing */
    measure *measure;      /**< of each freedom */
    double *nominal_force; /**< of each stiction, N or N m */
    double no_energy;      /**< J */
    int *mode, *direction; /**< after the last event */
    double time;
    double mass;        /**< of all bodies, where it is known */
    bool driven;        /**< some primitive is prescribed, and does work at impacts */
    bool drives;        /**< some friction may do work: its law reads what acts along its joint */
    double least_work;  /**< of friction */
    double lost;        /**< at impulses and impacts, J */
    size_t impacts;     /**< of stops, so far */
    double turned_over; /**< the greatest of all parts of the energy so far */
    double slack;       /**< what is nothing times the greatest forces and momenta so far, J */
    double closest[INVARIANTS_KINDS];
    invariants_row row[2];
    char breach[640];
    char deferred
        [640]; /**< a stop that pulls after an event of fixed steps: a breach, unless the next event is at that instant, too */
    double deferred_time;
    invariants_kind kind;
};

/** False where memory fails. */
bool invariants_make_row(const detent_mechanism_info *info, invariants_row *row);
void invariants_drop_row(invariants_row *row);

/* Each is false, and has noted the breach, where something cannot be. */

/** An instant: time, numbers, modes, and each joint. `when`: in words. */
bool invariants_judge_row(invariants *check, const invariants_row *row, const char *when);
/** What must add up from the start to here. */
bool invariants_judge_balances(invariants *check, const invariants_row *row);
/** Just before and just after an event. */
bool invariants_judge_pair(invariants *check, const invariants_row *before,
                           const invariants_row *after);
/** Joints that have rigid stops are not beyond them. */
bool invariants_judge_places(invariants *check, const invariants_row *row, const char *when);
/** These push, unless an event is just about to release somebody. */
bool invariants_judge_pushes(invariants *check, const invariants_row *row, const char *when);
/** Whether an event puts a joint back where its stop is: it was beyond, by no more than judged in the row before. */
bool invariants_comes_back(const invariants *check, const invariants_row *before,
                           const invariants_row *after, size_t coordinate);
/** How far others move in a loop as joints are put exactly where their stops are: by the ratio of their velocities, and as much again. */
double invariants_taken_along(const invariants *check, const invariants_row *before,
                              const invariants_row *after, size_t coordinate);
/** Just before and just after an impact: energy. */
bool invariants_judge_impact(invariants *check, const invariants_row *before,
                             const invariants_row *after);
/** Remembers how near its limit a value came; false, and nothing noted, where it is beyond. */
bool invariants_within(invariants *check, invariants_kind kind, double value, double allowed);
/** Notes a breach, and is false. */
__attribute__((format(printf, 3, 4))) bool
invariants_breached(invariants *check, invariants_kind kind, const char *format, ...);
/** What is the rounding of the friction of stiction k. */
double invariants_rounding(const invariants *check, const invariants_row *row, size_t k);
/** One change of mode of an event at `time`; it is in force from now on. */
bool invariants_judge_change(invariants *check, const detent_mode_change *change, double time);

#endif
