/**
 * @file callback.h
 * Functions of the program that uses the library, called by expressions: f(user, arguments, value, derivatives).
 *
 * A call that fails leaves in its register a NaN that carries why. Whatever is made of it is that NaN too, so that the value of a
 * program tells that a call failed which it depends on, where a comparison or a minimum would hide it. In the side of an `if` that is
 * not selected it has no influence.
 */
#ifndef DT_EXPRESSION_CALLBACK_H
#define DT_EXPRESSION_CALLBACK_H

#include "detent/detent.h"

#include <stdbool.h>

/** A function. */
typedef struct dt_callback {
    const char *name;
    int argument_count; /**< 1 to DETENT_MAX_ARGUMENTS */
    detent_function function;
    void *user;
} dt_callback;

/** A call of it: what CALL has in place of operands. */
typedef struct dt_call {
    const dt_callback *callback;
    const int *operand; /**< argument_count registers */
    int slope; /**< its first derivative among those of the program: dt_program.slope_count */
} dt_call;

typedef enum dt_call_fault {
    DT_CALL_FINE,
    DT_CALL_RETURNED,  /**< what is not zero */
    DT_CALL_VALUE,     /**< its value is not finite */
    DT_CALL_DERIVATIVE /**< one of its derivatives is not finite */
} dt_call_fault;

/** Why a call failed. */
typedef struct dt_call_failure {
    const dt_callback *callback; /**< NULL: none failed */
    dt_call_fault fault;
    int code; /**< RETURNED: what; DERIVATIVE: which, from 0 */
} dt_call_failure;

/** The value of a call whose arguments are in `registers`; its partial derivatives, unless NULL. NaN where an argument is not finite. */
double dt_call_value(const dt_call *call, const double *registers,
                     double derivatives[DETENT_MAX_ARGUMENTS]);

/** Whether a value is that of a call that failed, and why; `failure->callback` is left alone. */
bool dt_call_is_failed(double value, dt_call_failure *failure);

/** Whether it asks for the end of the run. */
static inline bool dt_call_ends_run(const dt_call_failure *failure)
{
    return failure->callback && failure->fault == DT_CALL_RETURNED && failure->code < 0;
}

/** "the function 'f' failed: it returned -1" */
enum { DT_CALL_WORDS = 400 };
void dt_call_tell(const dt_call_failure *failure, char words[DT_CALL_WORDS]);

#endif
