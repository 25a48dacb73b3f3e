/**
 * @file record.h
 * One run of one variant, as far as runs are compared: how it ended, every change of mode, the state at fixed instants.
 */
#ifndef SOAK_RECORD_H
#define SOAK_RECORD_H

#include "detent/detent.h"
#include "support_invariants.h"

enum { RECORD_SAMPLES = 24, RECORD_INPUTS = 4, RECORD_STATES = 32, RECORD_OUTPUTS = 32 };

/** The ways to run a mechanism that must all come to the same. */
typedef struct record_variant {
    const char *name;
    detent_integrator integrator;
    detent_locked_joints locked;
    detent_linear_solver solver;
} record_variant;

enum { VARIANTS = 12 };
extern const record_variant variants[VARIANTS];

/** What is done during a run. */
typedef struct record_script {
    int inputs; /**< changes of the first input, in order of time */
    double input_time[RECORD_INPUTS], input_value[RECORD_INPUTS];
    bool blind; /**< reads nothing but the end */
    bool
        stirred; /**< at every sample does what changes nothing: sets inputs and the state to what they are, clones, saves */
    bool cloned; /**< what goes on at `restored` is a clone */
    double
        seconds; /**< of CPU time; what takes longer is cut short, or hangs. 0: as long as it takes */
    double
        restored; /**< at this time the state is saved, and a new simulation goes on from it; 0: never */
} record_script;

typedef struct record_change {
    double time;
    size_t stiction;
    int mode, direction;
    double margin; /**< of the change: an acceleration where it moves */
} record_change;

typedef struct record {
    detent_status status;
    char message[256];
    double time; /**< where it ended */
    size_t changes, room;
    record_change *change; /**< the first `stictions` are the modes of the start */
    size_t events, event_room;
    double *event_time,
        *event_speed; /**< of events, and how fast each stiction is just before them; none of a blind run */
    size_t coordinates, freedoms, stictions, states;
    size_t size;       /**< coordinates and freedoms */
    size_t row;        /**< and states: the numbers of a sample */
    size_t *freedom;   /**< of each stiction */
    double *threshold; /**< of each stiction: the speed that the file says is slow, or 0 */
    double *nothing;   /**< the file's absolute tolerance of each number of a state */
    double *sample; /**< RECORD_SAMPLES + 1 states of `row` numbers; the last is that at the end */
    double *friction; /**< of the stictions, at the samples */
    double sample_time[RECORD_SAMPLES + 1];
    int samples;
    char breach[512]; /**< of an invariant; empty: none */
    int *mode;        /**< at the end, with directions after them */
    double
        *end; /**< the state at the end, with accelerations and frictions (by freedom) after it */
    double z[RECORD_STATES]; /**< at the end, of the mechanism's states in their order */
    size_t outputs;
    double output[RECORD_OUTPUTS]; /**< the same of outputs: what is held */
    bool stands;                   /**< `end` and `mode` are known */
    bool slow;  /**< cut short: it got on, but not fast enough; what there is can be compared */
    bool hangs; /**< it did not get on */
    detent_statistics statistics;
} record;

/**
 * Runs the mechanism with `rtol`, `atol` of its file times `tighter`. Status DETENT_ERROR_MODEL with time NAN where not
 * even a simulation could be made. Free with record_free().
 */
void record_run(const detent_mechanism *, const record_variant *, double tighter,
                const record_script *, record *);
void record_free(record *);

#endif
