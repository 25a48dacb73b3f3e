/**
 * @file element_table.h
 * The kinds of elements and of their laws: a row each. What a kind can do is told by its file (element.h).
 */
#ifndef DT_DYNAMICS_ELEMENT_TABLE_H
#define DT_DYNAMICS_ELEMENT_TABLE_H

/* clang-format off */
/** Kinds of elements, in the order of sums: dt_NAME_element of element_NAME.c. */
#define DT_ELEMENT_TABLE(ROW) \
    ROW(gravity) \
    ROW(damper) \
    ROW(spring) \
    ROW(push) \
    ROW(actuation) \
    ROW(motion) \
    ROW(friction) \
    ROW(load) \
    ROW(weld) \
    ROW(transmission) \
    ROW(strut) \
    ROW(state) \
    ROW(dead_time) \
    ROW(distance) \
    ROW(cam) \
    ROW(slot) \
    ROW(line) \
    ROW(bushing) \
    ROW(stop) \
    ROW(friction_law)

/** Roles of laws: DT_LAW_ROLE, whose laws they are, what they have in common. Spread ones first, then pushes (horizon_list.c). */
#define DT_LAW_TABLE(ROW) \
    ROW(GRAVITY,   gravity,   DT_LAW_IS_SPREAD | DT_LAW_IS_BODILY) \
    ROW(MOTION,    motion,    DT_LAW_IS_SPREAD | DT_LAW_IS_ALONG | DT_LAW_IS_PLACE) \
    ROW(LOAD,      load,      DT_LAW_IS_SPREAD | DT_LAW_IS_BODILY | DT_LAW_IS_ANSWER) \
    ROW(FORCE,     actuation, DT_LAW_IS_ALONG | DT_LAW_IS_PUSH | DT_LAW_IS_DIRECTED | DT_LAW_IS_ACTUATOR | \
                              DT_LAW_IS_ANSWER) \
    ROW(STOP,      stop,      DT_LAW_IS_ALONG | DT_LAW_IS_PUSH | DT_LAW_IS_ANSWER) \
    ROW(DRAG,      friction_law, DT_LAW_IS_ALONG | DT_LAW_IS_PUSH | DT_LAW_IS_DRAG | DT_LAW_IS_ANSWER) \
    ROW(KINETIC,   friction,  DT_LAW_IS_ALONG | DT_LAW_IS_RUBBING | DT_LAW_IS_BOUND | DT_LAW_IS_KINETIC | \
                              DT_LAW_IS_UPPER | DT_LAW_IS_LOWER | DT_LAW_IS_ANSWER) \
    ROW(MAGNITUDE, friction,  DT_LAW_IS_ALONG | DT_LAW_IS_RUBBING | DT_LAW_IS_BOUND | DT_LAW_IS_LIMIT | \
                              DT_LAW_IS_UPPER | DT_LAW_IS_LOWER) \
    ROW(FORWARD,   friction,  DT_LAW_IS_ALONG | DT_LAW_IS_RUBBING | DT_LAW_IS_BOUND | DT_LAW_IS_LIMIT | \
                              DT_LAW_IS_LOWER) \
    ROW(REVERSE,   friction,  DT_LAW_IS_ALONG | DT_LAW_IS_RUBBING | DT_LAW_IS_BOUND | DT_LAW_IS_LIMIT | \
                              DT_LAW_IS_UPPER) \
    ROW(TEST,      friction,  DT_LAW_IS_ALONG | DT_LAW_IS_RUBBING | DT_LAW_IS_TEST) \
    ROW(RATE,      state,     DT_LAW_IS_RATE) \
    ROW(KEPT,      dead_time, DT_LAW_IS_RATE)
/* clang-format on */

#define DT_ELEMENT_NUMBER(name) DT_ELEMENT_##name,
enum { DT_ELEMENT_TABLE(DT_ELEMENT_NUMBER) DT_ELEMENT_KINDS };
#undef DT_ELEMENT_NUMBER

#define DT_LAW_NUMBER(role, element, traits) DT_LAW_##role,
typedef enum dt_law_role { DT_LAW_TABLE(DT_LAW_NUMBER) DT_LAW_ROLES } dt_law_role;
#undef DT_LAW_NUMBER

/** What laws of a role have in common; flags. */
enum {
    DT_LAW_IS_ALONG = 1,    /**< acts along a joint, whose readings are its own */
    DT_LAW_IS_DIRECTED = 2, /**< of a primitive, and reads `dir` of its friction */
    DT_LAW_IS_RUBBING = 4,  /**< of a stiction */
    /** Along a joint, and what inverse dynamics asks for; others act beside that. */
    DT_LAW_IS_ACTUATOR = 8,
    DT_LAW_IS_LIMIT = 16,  /**< of static friction */
    DT_LAW_IS_BOUND = 32,  /**< such a limit, or kinetic friction */
    DT_LAW_IS_ANSWER = 64, /**< in the equation of motion, and may read all that it decides */
    DT_LAW_IS_TEST = 128,  /**< what stands for friction beside such limits */
    /* what its changes are to others (horizon_laws.c) */
    DT_LAW_IS_SPREAD = 256,   /**< change what joints transmit: the row has spread() */
    DT_LAW_IS_BODILY = 512,   /**< acts on bodies */
    DT_LAW_IS_PUSH = 1024,    /**< a force along its joint */
    DT_LAW_IS_PLACE = 2048,   /**< is a coordinate of its joint, and its second derivative acts */
    DT_LAW_IS_KINETIC = 4096, /**< friction of a joint that moves */
    DT_LAW_IS_UPPER = 8192,   /**< its value bounds friction from above: the reverse limit */
    /** From below, itself or, if it bounds from above too, its negative. */
    DT_LAW_IS_LOWER = 16384,
    DT_LAW_IS_RATE =
        32768, /**< the derivative of an unknown, or what is kept for later; acts on nothing */
    DT_LAW_IS_DRAG = 65536 /**< friction of a law, which friction() reads: dt_system.drag */
};

#endif
