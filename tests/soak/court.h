/**
 * @file court.h
 * What the judge's files have from each other: a mechanism before its judge, and the runs that were made of it.
 */
#ifndef SOAK_COURT_H
#define SOAK_COURT_H

#include "compare.h"
#include "judge.h"

typedef struct court {
    const trial *trial;
    verdict *v;
    detent_mechanism *mechanism;
    detent_settings settings;
    record record[VARIANTS], reference;
    distance changed[TRIAL_CHANGED]; /**< how far the reference is from itself with small changes */
    bool knows_changed;
} court;

/** A verdict; false. */
__attribute__((format(printf, 4, 5))) bool court_say(court *, verdict_kind, const char *variant,
                                                     const char *format, ...);
void court_run(court *, const detent_mechanism *, const record_variant *, double tighter,
               const record_script *, record *);
/** Whether a run can be compared: it ended well, and breached nothing. */
bool court_checks(court *, const record *);

/** What one tolerance does by a time, in tolerances, and a little later: what bifurcates does so at nearly the same time. */
double court_sensitivity(court *, double time);

/**
 * judge_same.c: runs that are the same to the last bit: one in which nobody looks; one in which much is done that changes nothing; one of the
 * mechanism written as a file and read again.
 */
bool court_same_runs(court *);
/** A clone goes on as what was saved and restored at the same time. */
bool court_same_clone(court *, const record_variant *, const record_script *,
                      const record *restored);

/** judge_steps.c: time stepping, where it takes the laws. */
bool court_steps(court *);

#endif
