/**
 * @file judge.h
 * All variants of one mechanism against each other.
 *
 * A reference R is run with a tolerance a hundred times tighter. Each variant V may be `near_enough` tolerances away
 * from it. Where it is farther, the mechanism itself may be sensitive: runs of R are made with all masses, laws
 * and speeds changed by 1, 10 and 100 tolerances, and V may be as far away as `as_sensitive` times what one tolerance
 * did to them by then. What is left is a disagreement if V is as far from R with the tight tolerance as well
 * (it converges to something else), and otherwise an inaccuracy.
 */
#ifndef SOAK_JUDGE_H
#define SOAK_JUDGE_H

#include "record.h"

typedef enum verdict_kind {
    VERDICT_FINE,
    VERDICT_REFUSED,      /**< not a mechanism: the generator's mistake */
    VERDICT_PROVED,       /**< no consistent state, and none there is */
    VERDICT_NONE,         /**< no consistent state, in all variants: to be proved */
    VERDICT_NONE_OF_SOME, /**< no consistent state, but only in some variants */
    VERDICT_ABORT,        /**< an error */
    VERDICT_STORM,
    VERDICT_BREACH,
    VERDICT_DISAGREE,
    VERDICT_INACCURATE,
    VERDICT_READING,  /**< who looks, changes the run */
    VERDICT_RESTORE,  /**< a restored run is another one */
    VERDICT_STIRRED,  /**< what changes nothing, changes the run */
    VERDICT_WRITTEN,  /**< what was written and read, runs otherwise */
    VERDICT_DYNAMICS, /**< accelerations are not those of an independent calculation */
    VERDICT_HANG, /**< the simulated time does not get on; one that is merely slow is cut short */
    VERDICT_CRASH,
    VERDICT_KINDS
} verdict_kind;

enum { VERDICT_STATE = 200 };

typedef struct verdict {
    verdict_kind kind;
    char variant[32]; /**< where; while it runs: which run is going on */
    char words[512];
    bool slow;      /**< a run took too long, but got on: it was compared as far as it came */
    bool sensitive; /**< a variant was farther away than its tolerance, and rightly so */
    /** To dynamics of the program's own (shrink_judge()), which some laws are not known to. */
    bool held;
    int runs;     /**< made and compared */
    double worst; /**< the greatest distance, in tolerances, of what is not sensitive */
    /* how a run stood at its end, or the instant before there was no consistent state; coordinates 0: at the start */
    double time;
    int coordinates, freedoms;
    size_t states;
    double z[RECORD_STATES + RECORD_OUTPUTS]; /**< and outputs */
    char state_name[RECORD_STATES + RECORD_OUTPUTS][32];
    double
        state[VERDICT_STATE]; /**< coordinates, velocities, accelerations, frictions by freedom */
} verdict;

/** What is judged: a text, the same with small changes (NULL: none), and what is done during the run. */
enum { TRIAL_CHANGED = 4 };
typedef struct trial {
    const char *name, *text;
    const char *changed[TRIAL_CHANGED];
    record_script script;
    bool steps;    /**< a run by time stepping, too */
    unsigned salt; /**< chooses variants that are run in other ways too */
} trial;

extern const double trial_sizes[TRIAL_CHANGED]; /**< of the changes, in units of rtol */

/** In this process; `v` is written as it goes, so that another one can see how far it came. */
void judge(const trial *, verdict *v);

/**
 * child.c: the same in a child that may crash or hang. `seconds` of CPU time are given to each run; one that does not
 * even answer is ended after twice as much.
 */
void judge_in_child(const trial *, double seconds, verdict *v);
/** Starts the clock of a run that has so many seconds; one in a child that is not interrupted by then ends soon after. */
void child_start_clock(double seconds);

const char *verdict_name(verdict_kind);
/** The state of the run that is called so; `otherwise` where there is none, or no verdict. */
double verdict_state(const verdict *v, const char *name, double otherwise);
/** Whether two verdicts tell the same, but for numbers and names. */
bool verdict_same(const verdict *, const verdict *);
/** The class of a verdict: what all that tell the same have in common. */
void verdict_class(const verdict *, char *text, size_t capacity);

#endif
