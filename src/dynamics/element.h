/**
 * @file element.h
 * Elements: whatever pushes, holds or drives. A kind of element is one file, element_*.c, and one row of the table.
 *
 * A row has the functions of its kind over *all* its items; what a kind has nothing to do with is NULL. Who needs all
 * forces walks the table and asks every kind, so that a sweep costs one call a kind. Only what is asked about one
 * joint, or one law, is asked item by item.
 *
 * A new kind is a file and a row of DT_ELEMENT_TABLE, and one of DT_LAW_TABLE for each role of its laws (element_table.h).
 *
 * Sums follow the order of the table: forces along a joint are those of dampers first, then springs, then actuation.
 * Neighbours in the table with the same items list the laws of an item together. Laws have a table of their own by
 * role, dt_law_kinds (system.h), which leads here.
 */
#ifndef DT_DYNAMICS_ELEMENT_H
#define DT_DYNAMICS_ELEMENT_H

#include "dynamics/element_table.h"
#include "dynamics/law_size.h"
#include "dynamics/line_force.h"
#include "dynamics/scale.h"
#include "dynamics/spread.h"
#include "dynamics/tangent.h"
#include "dynamics/tie.h"
#include "dynamics/tree_newton.h"

/** What items are. */
typedef enum dt_items {
    DT_ITEMS_OWN, /**< things of the kind's own, counted by its row; the same in a welded system */
    DT_ITEMS_PRIMITIVES, /**< every primitive has one, also where it does nothing */
    DT_ITEMS_STICTIONS,
    DT_ITEMS_LOADS,
    DT_ITEM_SETS
} dt_items;

/** Where laws that read other nodes act. */
typedef struct dt_law_changes {
    const detent_mechanism *mechanism;
    double *Q;      /**< node_count: along joints */
    double *K;      /**< stiction_count: kinetic friction */
    double (*E)[6]; /**< node_count: on bodies */
} dt_law_changes;

/** How exactly the rows of the equation of motion can be known where laws read what joints transmit. */
typedef struct dt_law_sizes {
    dt_force_size *forces; /**< measured, but for such laws */
    double *gradient;      /**< work space */
    double *rows;          /**< nv */
    double *friction;      /**< stiction_count */
} dt_law_sizes;

enum { DT_POWER_NODES = 32 };

/** Nodes first .. end - 1, and what acts along their freedoms as far as no kind has taken it. */
typedef struct dt_joint_powers {
    int first, end;
    int start; /**< the freedom that is the first in `force` */
    double force[3 * DT_POWER_NODES];
    double *power; /**< DT_WORKS */
} dt_joint_powers;

/** What acts along a freedom at the start: sizes, for the scales of the mechanism (scale.c). */
typedef struct dt_strength {
    double force, friction; /**< N or N m */
    double stiffness;       /**< N/m or N m/rad */
    double stretch;         /**< of what has a stiffness of its own, m or rad */
    double damping;         /**< N s/m or N m s/rad */
    double rate;            /**< of the force, N/s or N m/s */
    double later;           /**< what the force may come to by time alone, N or N m */
} dt_strength;

/** What a law does. */
typedef enum dt_effect {
    DT_EFFECT_ALONG,  /**< accelerates a joint, m/s^2 or rad/s^2 */
    DT_EFFECT_LINEAR, /**< bodies, m/s^2 */
    DT_EFFECT_ANGULAR,
    DT_EFFECT_STATE, /**< is the rate of a state, `owner` of the law */
    DT_EFFECT_KEPT   /**< nothing now: it is read later */
} dt_effect;

/** How much it does (horizon_laws.c). */
typedef struct dt_law_effect {
    dt_effect of;
    double size;    /**< of that which it adds to, in its own unit */
    double inertia; /**< the law over this is what it does */
} dt_law_effect;

typedef struct dt_element_kind {
    dt_items items;
    /** What files say of them, and programs: where its items are none that the model knows itself. Else NULL. */
    const dt_item_kind *item;
    int (*count)(const detent_mechanism *); /**< how many, of DT_ITEMS_OWN; NULL: those of `item` */
    /** Each is a force along the line between its two ends, or NULL (line_force.h). */
    const dt_line_force *line;
    /** Whether any item of a mechanism does anything: else its slopes, sizes and powers are not asked for. NULL: yes. */
    bool (*acts)(const detent_mechanism *);

    /** Takes what its items need in a system besides; false when memory is out. Of a kind that acts. NULL: nothing. */
    bool (*create)(dt_arena *, dt_system *);

    /* laws: those of an item lie side by side */
    int law_count;           /**< at most DT_ITEM_LAWS */
    const dt_law_role *role; /**< law_count */
    /** Its program, or NULL, and the node along or on which it acts, or -1. NULL: as `item` has it, along its first joint. */
    const dt_program *(*program)(const detent_mechanism *, int item, int law);
    int (*node)(const detent_mechanism *, int item);
    const char *(*name)(const detent_mechanism *, int item); /**< NULL: that of its node */

    /* forces along joints: all items */
    void (*add_forces)(dt_system *);                 /**< to Q; Q is 0 at first */
    void (*add_rows)(dt_linear_laws *, dt_system *); /**< to rows, linear_laws.h */
    /** Those of friction, which have to know how all other forces follow it. */
    void (*add_friction_rows)(dt_linear_laws *, dt_system *);
    /**
     * Adds the change of -Q in the direction of the tangent to `rows` (nv). Kinds that are `apart`, along joints of
     * one freedom, are summed among themselves before they join the others.
     */
    void (*add_changes)(dt_tangent *, dt_system *, double *rows);
    bool apart;
    /** The rows of friction forces (stiction_count), and how these forces change `rows`. */
    void (*friction_rows)(dt_tangent *, dt_system *, double *rows, double *friction_rows);

    /* wrenches on bodies: all items */
    void (*add_wrenches)(dt_system *);                     /**< to load_wrench and external */
    void (*add_wrench_changes)(dt_tangent *, dt_system *); /**< of -wrenches, to dF */
    /** Adds the sizes of the slopes in t of forces and torques to F[0] and F[1] of nodes (scale.c). */
    void (*add_wrench_rates)(dt_system *, const dt_scale *);

    /* their slopes, for Newton's step along the tree */
    /** Whether they follow poses, so that changes of pose are among the unknowns of nodes. NULL: no. */
    bool (*follows_poses)(const detent_mechanism *);
    /** Adds to P of nodes how wrenches there change with the node itself; only where poses are unknowns. */
    void (*add_blocks)(const dt_tree_newton *, const dt_system *);
    int answer_count; /**< of an item: answers that are no laws, and read poses and velocities */
    int answer_reads; /**< how many slopes one has */
    /**
     * Items are conditions that tie what moves (tie.h), or NULL. The first answers of an item are their multipliers, and what
     * one reads has to become -r of its row (newton.h); at both levels.
     */
    const dt_tie_kind *tie;
    /** Sets the nodes that it acts on, -1 where it does not act on two that move against each other. */
    void (*answer_nodes)(const detent_mechanism *, dt_remote *);
    /** The k-th node that it acts on, -1 beyond the last; NULL: there are those two. */
    int (*answer_joins)(const detent_mechanism *, const dt_remote *, int k);
    /** What such an answer makes of the solution in dt_tree_newton. */
    double (*feel)(const dt_remote *, const dt_tree_newton *, const dt_system *);

    /* forces that jump where a pose passes a border; of an item */
    /** How far it is from there, without a unit, below zero beyond; 1 where it does not jump now. NULL: none ever does. */
    double (*until_jump)(const dt_system *, int item);
    /**
     * Notes on which side of the border it is: that on which it has been until now, as long as it is not beyond; or, where it may have `passed`, and
     * at first, that on which it goes on.
     */
    void (*take_side)(const dt_system *, int item, bool passed);

    /** Writes which item has no value now, and why; false where all have. Laws are asked for elsewhere (bad_law.h). */
    bool (*tell_undefined)(const dt_system *, char *words, size_t size);
    /**
     * Writes which item comes to where it ends, at most `moment` (s) later as it moves now, and how, and sets its place; false where none does. So it can be told why
     * no step leads on, before anything is undefined.
     */
    bool (*tell_end)(const dt_system *, double moment, const dt_location **where, char *words,
                     size_t size);

    /* one item: what outputs read of it (dt_item_kind.readings), by the part of the variable, and its change;
       of lines, `line` has that */
    double (*reading)(const dt_system *, int item, int part);
    double (*reading_change)(const struct dt_tangent *, const dt_system *, int item, int part);

    /* energy: all items */
    void (*add_potential)(const dt_system *, double *energy);
    /** How that changes in the direction of the tangent, whose nodes are known. Of whoever has one. */
    void (*add_potential_change)(const struct dt_tangent *, const dt_system *, double *change);
    /** Adds the power of forces along joints, and takes these out of what is left. */
    void (*take_powers)(dt_system *, dt_joint_powers *);
    void (*add_powers)(const dt_system *, double power[DT_WORKS]); /**< on bodies */

    /* one joint */
    /** The size of the terms of its force along a freedom of a node; takes the force out of `rest`. */
    double (*size)(const dt_system *, int node, int column, double *rest);
    /** Its force along a joint that is locked, where it is constant. */
    double (*held)(const dt_system *, int node);
    /** Whether that force, or what holds the joint, may change while it is locked. */
    bool (*varies)(const dt_system *, int node);
    /** Adds to the strength of what acts along a freedom of a node (scale.c). */
    void (*add_strength)(dt_system *, const dt_scale *, int node, int freedom, dt_strength *);

    /* one law, of DT_LAW_IS_ANSWER, or another answer */
    /**
     * Sets factor and wrench of a law that reads other nodes; of another answer all but what it is. False where it
     * does not act now.
     */
    bool (*prepare)(dt_system *, dt_remote *);
    /** What a change of a law does; NULL: it acts along its joint (dt_effect_along()). */
    void (*effect)(dt_system *, const dt_law *, dt_law_effect *);
    /** Where in a spread that of a law has its place, of DT_LAW_IS_SPREAD (spread.h). */
    double *(*spread)(dt_spread *, const dt_law *);
    /** Adds a change u of its value where it acts. */
    void (*inject)(const dt_remote *, double u, const dt_law_changes *);
    /** Adds the size of what the law reads where it acts. */
    void (*measure)(const dt_law_sizes *, dt_system *, const dt_law *);
} dt_element_kind;

/** How many items of kind k a mechanism has. */
int dt_element_count(int k, const detent_mechanism *mechanism);

/** What outputs read of an element's item, by the part of the variable; 0 where no element has it. */
double dt_element_reading(const dt_system *system, dt_variable variable, int part);
double dt_element_reading_change(const struct dt_tangent *tangent, const dt_system *system,
                                 dt_variable variable, int part);

/** element_line.c: what outputs read of a line, an item of an element that has `line`, and its change. */
double dt_line_reading(const dt_system *system, int element, int item, int part);
double dt_line_reading_change(const struct dt_tangent *tangent, const dt_system *system,
                              int element, int item, int part);

/** What a change of a law does now. */
void dt_law_effect_of(dt_system *system, const dt_law *law, dt_law_effect *effect);

extern const dt_element_kind *const dt_elements[DT_ELEMENT_KINDS];

/** The kinds of items that elements bring along, for whoever makes a mechanism. */
extern const dt_item_source dt_element_items;

#define DT_ELEMENT_OF(name) extern const dt_element_kind dt_##name##_element;
DT_ELEMENT_TABLE(DT_ELEMENT_OF)
#undef DT_ELEMENT_OF

/** Whether elements of kind k do anything in a system. */
static inline bool dt_element_acts(const dt_system *system, int k)
{
    return system->acting >> k & 1;
}

/** The program of a law of an item of kind k, or NULL. */
const dt_program *dt_element_program(int k, const detent_mechanism *mechanism, int item, int law);

/** dt_system.acting of a mechanism. */
unsigned dt_elements_acting(const detent_mechanism *mechanism);

#endif
