#include "dynamics/failed_call.h"

#include "dynamics/bad_law.h"

#include <stdio.h>

detent_status dt_fail_call(const dt_call_failure *call, double time, const char *where,
                           detent_error *error)
{
    char words[DT_CALL_WORDS];
    dt_call_tell(call, words);
    return dt_fail(error, DETENT_ERROR_FUNCTION, NULL, "at t = %.9g s %s, in %s", time, words,
                   where);
}

detent_status dt_fail_output_call(const dt_system *s, size_t output, const dt_call_failure *call,
                                  detent_error *error)
{
    char where[DT_LONGEST_LAW + 32];
    snprintf(where, sizeof where, "the output '%.*s'", DT_LONGEST_LAW,
             s->mechanism->outputs[output].program->text);
    return dt_fail_call(call, s->time, where, error);
}

detent_status dt_tell_failed_call(dt_system *s, detent_status status, detent_error *error)
{
    const dt_failed_call failed = *s->failed;
    const bool lost = status == DETENT_ERROR_NUMERIC || status == DETENT_ERROR_SOLVER ||
                      status == DETENT_NO_CONSISTENT_STATE;
    dt_forget_failed_call(s);
    if (!failed.call.callback || !(lost || dt_call_ends_run(&failed.call))) {
        return status;
    }
    char where[512];
    snprintf(where, sizeof where, "'%.*s', a law of '%s'", DT_LONGEST_LAW,
             failed.law->program->text, dt_law_owner(failed.system, failed.law));
    return dt_fail_call(&failed.call, failed.time, where, error);
}
