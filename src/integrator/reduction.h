/**
 * @file reduction.h
 * What is integrated: the whole mechanism, or the same reduced for as long as modes stay.
 *
 * Between two events a locked joint does not move, and a smaller system, the *core*, may move just as the whole one
 * does. How it is formed is a table of functions; the integrator knows no more of it than this. The joints that are not
 * in the core are locked, and inside their limits: that they stay so is watched by the reduction's own source, proved
 * by its part of the horizon, and seen again at every search of the core.
 *
 * The trivial one (reduction.c) has the whole mechanism as its core, and nothing to do. The other one welds groups of
 * locked joints (src/reduce).
 */
#ifndef DT_INTEGRATOR_REDUCTION_H
#define DT_INTEGRATOR_REDUCTION_H

#include "integrator/horizon.h"
#include "integrator/simulation.h"

struct dt_source_row;

/** How a mechanism is reduced. All functions are called by a simulation that has been reduced this way. */
struct dt_reduction_way {
    /** Whether the core may be smaller than the whole. */
    bool is_smaller;
    /** Whether it changes nothing but the cost for this mechanism. */
    bool (*is_possible)(const dt_system *whole);
    /** Sets the core, and the maps. False when memory is out. */
    bool (*create)(dt_arena *arena, dt_simulation *simulation);
    /** What its source and its part of the horizon need, when those of the core are there. */
    bool (*create_watch)(dt_arena *arena, dt_simulation *simulation);

    /** The core at the modes and the state of the system, with all in it that is set `apart`. */
    void (*form)(dt_simulation *simulation);
    /** The coordinates of joints that are not in the core have changed. */
    void (*forget)(dt_simulation *simulation);
    /** Modes and directions of the system to the core, where no joint was locked or released. */
    void (*copy_modes)(dt_simulation *simulation);
    /** q, v, a, f of the core to the system; the friction of joints that are not in it is not touched. */
    void (*expand)(dt_simulation *simulation);
    /** That friction, at the readings of the system. */
    void (*read_friction)(dt_simulation *simulation);

    /** How many joints are not in the present core. */
    int (*left_out)(const dt_simulation *simulation);
    /** The readings of the core are others: so is what the joints transmit that are not in it. */
    void (*update)(dt_simulation *simulation);
    /** Sets those apart that an event has found near their limits. */
    void (*set_near_apart)(dt_simulation *simulation);
    /** Whether all that are not in the core are inside their limits; sets the others apart. */
    bool (*holds)(dt_simulation *simulation);
    /** Their limits, as a source; the mark of one is that of its stiction. */
    const struct dt_source_row *source;

    /** The spreads of the forces of the core are there: those of what is not in it (horizon.h). */
    void (*spread)(dt_simulation *simulation);
    /** Whether they pass over nothing within a step. */
    bool (*passes)(dt_simulation *simulation, dt_horizon_trial *step);
};

/** How the present mechanism is reduced. */
typedef struct dt_reduction {
    const dt_reduction_way *way;
    void *inside;        /**< what the way knows */
    const int *node;     /**< nodes of the core: of the system; NULL: each is its own */
    const int *stiction; /**< stictions of the core: of the system; NULL likewise */
    const int *kept;     /**< stictions of the system: of the core, or -1; NULL likewise */
    bool *apart;         /**< stictions of the system: it stays in the core; NULL: all do */
} dt_reduction;

/** The whole mechanism is the core. */
extern const dt_reduction_way dt_reduction_none;

#endif
