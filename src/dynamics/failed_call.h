/**
 * @file failed_call.h
 * Functions of the program that failed when a law called them (expression/callback.h).
 */
#ifndef DT_DYNAMICS_FAILED_CALL_H
#define DT_DYNAMICS_FAILED_CALL_H

#include "dynamics/system.h"

/** The call that failed last; one that ends the run stays. The whole and what it is reduced to have one together. */
typedef struct dt_failed_call {
    dt_call_failure call; /**< `callback` NULL: none has */
    const dt_system *system;
    const dt_law *law; /**< that called it */
    double time;       /**< s */
} dt_failed_call;

/** Whether a function has asked for the end of the run: then none is called any more. */
static inline bool dt_calls_are_over(const dt_system *system)
{
    return dt_call_ends_run(&system->failed->call);
}

/** A law has come to `value` just now, in the registers of the system: remembers the call that failed, if one did. */
static inline void dt_note_failed_call(dt_system *system, const dt_law *law, double value)
{
    dt_call_failure failure;
    if (!dt_calls_are_over(system) &&
        dt_program_failed_call(law->program, system->registers, value, &failure)) {
        *system->failed =
            (dt_failed_call){.call = failure, .system = system, .law = law, .time = system->time};
    }
}

/** Those that failed so far are forgotten, even one that ends the run. */
static inline void dt_forget_failed_call(dt_system *system)
{
    *system->failed = (dt_failed_call){.call.callback = NULL};
}

/**
 * At the end of a call of the library: DETENT_ERROR_FUNCTION, and why, where a function has asked for the end of the run, or one failed
 * and `status` is that of a number or a state that was not found; else `status`, and `error` as it is. Forgets what failed.
 */
detent_status dt_tell_failed_call(dt_system *system, detent_status status, detent_error *error);

/** The same where nothing is tried that may have no value: any call that failed is an error. */
static inline detent_status dt_tell_any_failed_call(dt_system *system, detent_status status,
                                                    detent_error *error)
{
    const bool silent = status == DETENT_OK && system->failed->call.callback;
    return dt_tell_failed_call(system, silent ? DETENT_ERROR_NUMERIC : status, error);
}

/** DETENT_ERROR_FUNCTION: a value that is no law's has called a function that failed. `where`: "the output 'f(t)'". */
detent_status dt_fail_call(const dt_call_failure *call, double time, const char *where,
                           detent_error *error);
/** The same of an output. */
detent_status dt_fail_output_call(const dt_system *system, size_t output,
                                  const dt_call_failure *call, detent_error *error);

#endif
