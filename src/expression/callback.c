/* Calls of the program's functions. Why one failed is in the 51 free bits of a quiet NaN: the fault above, the code below. */

#include "expression/callback.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const uint64_t quiet_nan = UINT64_C(0x7FF8000000000000);

/* Above the 32 bits of the code; another NaN has zeros there. */
enum { FAULT_BITS = 32 };

static double failed(dt_call_fault fault, int code)
{
    const uint64_t bits = quiet_nan | (uint64_t)fault << FAULT_BITS | (uint32_t)code;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

bool dt_call_is_failed(double value, dt_call_failure *failure)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint64_t fault = bits >> FAULT_BITS ^ quiet_nan >> FAULT_BITS;
    if (fault != DT_CALL_RETURNED && fault != DT_CALL_VALUE && fault != DT_CALL_DERIVATIVE) {
        return false;
    }
    failure->fault = (dt_call_fault)fault;
    failure->code = (int)(int32_t)(uint32_t)bits;
    return true;
}

double dt_call_value(const dt_call *call, const double *registers,
                     double derivatives[DETENT_MAX_ARGUMENTS])
{
    const dt_callback *callback = call->callback;
    double arguments[DETENT_MAX_ARGUMENTS], own[DETENT_MAX_ARGUMENTS], value = NAN;
    double *slope = derivatives ? derivatives : own;
    bool finite = true;
    for (int k = 0; k < callback->argument_count; k++) {
        arguments[k] = registers[call->operand[k]];
        slope[k] = NAN;
        finite = finite && isfinite(arguments[k]);
    }
    if (!finite) {
        return NAN;
    }
    const int code = callback->function(callback->user, arguments, &value, slope);
    if (code != 0) {
        return failed(DT_CALL_RETURNED, code);
    }
    if (!isfinite(value)) {
        return failed(DT_CALL_VALUE, 0);
    }
    for (int k = 0; k < callback->argument_count; k++) {
        if (!isfinite(slope[k])) {
            return failed(DT_CALL_DERIVATIVE, k);
        }
    }
    return value;
}

void dt_call_tell(const dt_call_failure *failure, char words[DT_CALL_WORDS])
{
    const char *name = failure->callback->name;
    if (failure->fault == DT_CALL_RETURNED) {
        snprintf(words, DT_CALL_WORDS, "the function '%s' failed: it returned %d", name,
                 failure->code);
    } else if (failure->fault == DT_CALL_VALUE) {
        snprintf(words, DT_CALL_WORDS, "the value of the function '%s' is not a finite number",
                 name);
    } else {
        snprintf(words, DT_CALL_WORDS,
                 "the derivative of the function '%s' with respect to argument %d is not a finite "
                 "number",
                 name, failure->code + 1);
    }
}
