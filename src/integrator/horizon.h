/**
 * @file horizon.h
 * How long the next step may be so that it passes over nothing that time does (horizon.c), and what
 * is known of the laws meanwhile (horizon_laws.c).
 */
#ifndef DT_INTEGRATOR_HORIZON_H
#define DT_INTEGRATOR_HORIZON_H

#include "dynamics/spread.h"
#include "integrator/simulation.h"

enum { DT_HORIZON_ORDER = 4 }; /**< of the series of a law */

/** What of a law can have changed within a step: from its value, from one of its rates to another. */
typedef struct dt_drift {
    double up, down; /**< largest change */
    double rate;     /**< largest rate, absolute */
    double bend;     /**< largest difference of two rates */
} dt_drift;

/** A law of the core that can change while the core's state does not. */
typedef struct dt_horizon_law {
    const dt_law *law;      /**< of the core */
    bool changes;           /**< something that it reads does */
    bool is_watched;        /**< one of its switches is a root, and changes */
    bool turns;             /**< a prescribed rotation */
    bool changes_pose;      /**< a motion that does more to others than its acceleration */
    bool is_pure;           /**< reads t and inputs alone: what is known of an interval stays so */
    bool reads_forces;      /**< reads what other laws may change */
    dt_pace pace;           /**< while nothing moves */
    double from, until;     /**< s: the interval of `series` */
    bool understood;        /**< over that interval, if it acts on what moves */
    dt_series series;       /**< of the law; of a motion, of its second derivative */
    dt_series place, speed; /**< of a motion */
    dt_drift drift;         /**< within the step in question */
} dt_horizon_law;

typedef struct dt_horizon_state {
    bool exists; /**< some law reads t */
    bool
        is_unknown; /**< a function of the program goes with time, of which nothing is known between two evaluations */
    dt_horizon_law *law; /**< those of the present core, `count` */
    int count;
    bool loads;   /**< a load, gravity or acceleration is among them */
    bool moves;   /**< something moves that is not known in advance */
    bool *moving; /**< node_count: nodes of the core that it may reach, of what hangs together */
    bool bends;   /**< a law is not steady */
    bool needs_state;   /**< more has to be known than the roots at the end of the last step */
    bool fresh;         /**< nothing has been shown since the restart */
    bool for_ever;      /**< it holds whatever moves, and how */
    bool reuses;        /**< what is known of a longer interval will do */
    bool judges_all;    /**< laws are to be understood whatever they act on */
    double from, until; /**< s: for this interval it has been shown */
    double length;      /**< s: of the last one */
    double least;       /**< s: what is shorter is not tried */
    dt_spread value, rate, bend; /**< of the forces of the core */
    dt_drift *force;             /**< node_count: of the force law along it */
    dt_drift (*limit)[3]; /**< stictions of the core: of limits, up and down, and a test friction */
    /** Roots at the ends: of stictions of the core, of switches as in roots.fired. */
    double (*g0)[2], (*g1)[2];
    double *noise; /**< stictions of the core: of a force at its limit */
    /* work space of a law */
    dt_series *registers, *slots;
    dt_pace *variables, *operations;
} dt_horizon_state;

/** A step that is being judged. */
typedef struct dt_horizon_trial {
    double t, h;
    bool end;       /**< the roots at its end are known */
    bool undecided; /**< they are needed */
    bool at_limit;  /**< a joint has nothing left: all laws are to be understood */
} dt_horizon_trial;

/* horizon.c */
/** Whether a root passes the step; `noise`: what is no change of it. The drift is that of the root. */
bool dt_horizon_passes(dt_horizon_trial *step, bool moves, double g0, double g1, dt_drift drift,
                       double noise);
/** False when memory is out. After dt_sources_create(). */
bool dt_horizon_create(dt_arena *arena, dt_simulation *simulation);
/** The core is at a consistent state, and about to be integrated. */
void dt_horizon_restart(dt_simulation *simulation);
/** Forgets how far it could be shown: a restored run is about to be restarted. */
void dt_horizon_forget(dt_simulation *simulation);
/** Until when a step from `reached` passes over nothing that time does, s. */
double dt_horizon_bound(dt_simulation *simulation);

/* horizon_list.c */
/** The laws of the core that can change while its state does not, and whether something moves. */
void dt_horizon_list(dt_simulation *simulation);
/** The law of a prescribed motion in the list, or NULL. */
const dt_horizon_law *dt_horizon_motion_of(const dt_simulation *simulation, int node);
/** Whether a variable is known as a function of time. */
bool dt_horizon_reads_motion(const dt_system *system, dt_variable variable);
/** Whether forces change it. */
bool dt_horizon_reads_force(dt_variable variable);

/* horizon_laws.c */
/**
 * What they and the forces do from t to t + h, the core being at t. False where one that acts on what
 * moves is not understood by the integrator's formulas.
 */
bool dt_horizon_drift(dt_simulation *simulation, double t, double h);
/** Whether all laws are understood from t to t + h, also those that act on what rests; the core is at t. */
bool dt_horizon_understands(dt_simulation *simulation, double t, double h);
/** Evaluates the registers of a law over [a, b]. */
void dt_horizon_registers(dt_simulation *simulation, const dt_horizon_law *law, double a, double b);
/** Of a function whose value is `now` (NAN: not known) at the start of a step of length h. */
dt_drift dt_horizon_drift_of(const dt_series *series, double now, double h);

#endif
