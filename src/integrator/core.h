/**
 * @file core.h
 * The inside of a simulation, shared by the files of this layer.
 *
 * What is integrated is the *core*: the system itself, or what it is reduced to as long as modes stay
 * (reduction.h). The vector is y = [q | v | f | w] of the core: coordinates, velocities, friction forces,
 * and works; a table of blocks (blocks.h).
 *
 * Invariant: between calls the system's modes, directions, branches and inputs are the simulation's
 * own; its t, q, v, a, f are work space, but for the coordinates of joints that are not in the core. The core has the
 * modes and inputs of the system. Both have their readings in the same memory, in turn: whoever
 * steps or searches sets the state of the one that he needs first.
 */
#ifndef DT_INTEGRATOR_CORE_H
#define DT_INTEGRATOR_CORE_H

#include "dynamics/scale.h"
#include "integrator/blocks.h"
#include "integrator/branches.h"
#include "integrator/choice.h"
#include "integrator/client.h"
#include "integrator/dead_times.h"
#include "integrator/event.h"
#include "integrator/fixed_step.h"
#include "integrator/fold.h"
#include "integrator/graze.h"
#include "integrator/horizon.h"
#include "integrator/impact.h"
#include "integrator/instants.h"
#include "integrator/jam.h"
#include "integrator/leap.h"
#include "integrator/problem.h"
#include "integrator/reduction.h"
#include "integrator/residual.h"
#include "integrator/restart.h"
#include "integrator/roots.h"
#include "integrator/sample_past.h"
#include "integrator/samples.h"
#include "integrator/simulation.h"
#include "integrator/sliding.h"
#include "integrator/solution.h"
#include "integrator/steps.h"
#include "integrator/storm.h"
#include "integrator/swing.h"
#include "integrator/time_step.h"
#include "integrator/trial.h"
#include "integrator/velocity_band.h"
#include "solver/solver.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct dt_simulation {
    const detent_mechanism *mechanism;
    detent_settings settings;
    dt_client client;

    dt_system system;
    dt_newton *newton;
    dt_search *search;

    /* what is integrated: the system itself, or the same reduced */
    dt_reduction reduction;
    dt_system *core;
    dt_newton *core_newton;

    const char **warnings; /**< of the assembly: warning_count */
    size_t warning_count;

    int nq, nv, ns;    /**< of the system */
    dt_blocks blocks;  /**< of y: of the core */
    dt_scale scale;    /**< of the system: what is large, what is small */
    double rtol, atol; /**< of the integrator's error test; atol 0: it follows from the scale */

    /* stepping */
    dt_fixed_steps fixed;
    dt_time_stepping time_stepping;
    dt_solver *solver; /**< integrates the core */
    double *y, *yp;    /**< the solver's: what it starts from, and the solution after a step */
    dt_guess guess;
    dt_choice choice;
    dt_stepping step;
    dt_swing swing;
    dt_leap leap;
    dt_horizon_state horizon;
    dt_bad bad;
    dt_fold fold;

    /* what can fire */
    const struct dt_source_row *source[DT_SOURCES];
    dt_root_table roots;
    dt_graze graze;
    dt_instants instants;
    dt_samples samples;
    dt_sample_past sample_past;
    dt_dead_times dead;
    /** dt_given_count(), where a time at rest is read: work space of rests.c */
    double *rest_given;

    /* where the run is */
    double work[DT_WORKS];       /**< at `shown`, and where the integrator was restarted */
    double account[DT_ACCOUNTS]; /**< the same for whoever reads the system */
    double now;                  /**< s: what readers see */
    double target;               /**< s: where the run has been asked to go */
    double reached;              /**< s: the solution is known up to here */
    bool pending;                /**< an event waits at `reached` */
    bool fresh;                  /**< y, yp hold the state at `now` itself: just restarted */
    dt_shown shown;
    dt_past past;
    dt_inputs input;

    /* events */
    dt_event event;
    dt_velocity_band band;
    dt_jam jam;
    dt_impact impact;
    dt_sliding sliding;
    dt_trial before_trial;
    signed char *setting_out; /**< stiction_count: work space of setting_out.c, taken_along.c */
    bool *waits;              /**< ties: at rest until there is a force; setting_out.c */
    double *later;            /**< nv: their accelerations a moment later; else 0 */
    double *rested_q;         /**< nq: work space of setting_out.c */
    double *ahead;            /**< stiction_count: work space of taken_along.c */
    bool *rested;             /**< stiction_count: was at rest when taken_along.c began */
    int *beginning;           /**< node_count: work space of beginning.c */
    dt_branches branches;
    dt_storm storm;

    detent_statistics statistics; /**< what IDA's own counters do not hold */
    size_t residuals;             /**< evaluations */
};

/** Whether steps have a length that is given. */
static inline bool dt_steps_are_given(const dt_simulation *s)
{
    return s->fixed.exists || s->time_stepping.exists;
}

/** Where a block of y begins, in a vector to be written. */
static inline double *dt_block_in(const dt_simulation *s, dt_block block, double *y)
{
    return y + s->blocks.offset[block];
}
/** The same, to be read. */
static inline const double *dt_block_of(const dt_simulation *s, dt_block block, const double *y)
{
    return y + s->blocks.offset[block];
}
/** How many unknowns there are. */
static inline int dt_length(const dt_simulation *s)
{
    return s->blocks.offset[DT_BLOCKS];
}

/* Parts of y, to be written. */
static inline double *dt_q_in(const dt_simulation *s, double *y)
{
    return dt_block_in(s, DT_BLOCK_POSITIONS, y);
}
static inline double *dt_v_in(const dt_simulation *s, double *y)
{
    return dt_block_in(s, DT_BLOCK_VELOCITIES, y);
}
static inline double *dt_f_in(const dt_simulation *s, double *y)
{
    return dt_block_in(s, DT_BLOCK_FRICTION, y);
}
static inline double *dt_w_in(const dt_simulation *s, double *y)
{
    return dt_block_in(s, DT_BLOCK_WORKS, y);
}

/* The same, to be read. */
static inline const double *dt_q_of(const dt_simulation *s, const double *y)
{
    return dt_block_of(s, DT_BLOCK_POSITIONS, y);
}
static inline const double *dt_v_of(const dt_simulation *s, const double *y)
{
    return dt_block_of(s, DT_BLOCK_VELOCITIES, y);
}
static inline const double *dt_f_of(const dt_simulation *s, const double *y)
{
    return dt_block_of(s, DT_BLOCK_FRICTION, y);
}
static inline const double *dt_w_of(const dt_simulation *s, const double *y)
{
    return dt_block_of(s, DT_BLOCK_WORKS, y);
}

/** Whether the client has set inputs to other values, to the last bit, than the system has: -0 is another value than 0. */
static inline bool dt_inputs_differ(const dt_simulation *s)
{
    return memcmp(s->input.pending, s->system.inputs,
                  (size_t)s->mechanism->input_count * sizeof(double)) != 0;
}

/** Velocity of a stiction's joint. */
static inline double *dt_velocity_of(dt_simulation *s, int stiction)
{
    return &s->system.v[s->system.tree->nodes[s->mechanism->stictions[stiction].primitive].v];
}

/** What is simulated, s; its end may have been passed. */
static inline double dt_horizon(const dt_simulation *s)
{
    return fmax(s->settings.end - s->settings.start, s->reached - s->settings.start);
}

/** Times closer than this are one instant, s. */
static inline double dt_moment(const dt_simulation *s)
{
    const double span = s->settings.end - s->settings.start;
    return fmax(400 * DBL_EPSILON * (fabs(s->system.time) + s->step.last), DBL_EPSILON * span);
}

/** Steps below this are lost in the rounding of the time, or one over their square is no double. */
static inline double dt_shortest_step(const dt_simulation *s)
{
    return fmax(400 * DBL_EPSILON * fabs(s->reached), 0x1p-511);
}

/** True: the friction in y is the solution's; false: it follows from q and v. */
static inline bool dt_carries_friction(const dt_simulation *s)
{
    return dt_solver_carries_algebraic(s->solver);
}

/** The frictions that belong to y, or where it does not carry any, those of the end of the last step. */
static inline const double *dt_known_friction(const dt_simulation *s)
{
    return dt_carries_friction(s) ? dt_f_of(s, s->y) : s->guess.kept_f;
}

/** The multipliers, alike. */
static inline const double *dt_known_multipliers(const dt_simulation *s)
{
    return dt_carries_friction(s) ? dt_block_of(s, DT_BLOCK_MULTIPLIERS, s->y) : s->guess.kept_m;
}

/** Whether a switch slides. */
static inline bool dt_sliding_now(const dt_simulation *s)
{
    bool any = false;
    for (int j = 0; j < s->system.branch_count && s->sliding.most > 0 && !any; j++) {
        any = s->system.branches[j].side == DT_BRANCH_SLIDING;
    }
    return any;
}

/** Sets all that is the mode of a stiction. */
static inline void dt_set_mode(dt_system *s, int stiction, detent_mode mode, int direction)
{
    s->mode[stiction] = (signed char)mode;
    s->direction[stiction] = (signed char)direction;
    s->yielded[stiction] = 0;
}

/** Node of the system that node c of the core is. */
static inline int dt_whole_node(const dt_simulation *s, int c)
{
    return s->reduction.node ? s->reduction.node[c] : c;
}

/** Stiction of the system that stiction k of the core is. */
static inline int dt_whole_stiction(const dt_simulation *s, int k)
{
    return s->reduction.stiction ? s->reduction.stiction[k] : k;
}

/** What has fired, as the solver tells: dt_watched(). */
static inline const int *dt_watched_fired(const dt_simulation *s)
{
    return dt_solver_fired(s->solver);
}

/** Work space for dt_watched() values, while no root is being searched. */
static inline double *dt_root_values(dt_simulation *s)
{
    return dt_solver_root_values(s->solver);
}

#endif
