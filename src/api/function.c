/* Functions of the program that expressions call. */

#include "api/function.h"
#include "api/check.h"
#include "api/sized.h"
#include "expression/callback.h"
#include "model/builder.h"

#include <float.h>
#include <math.h>
#include <string.h>

detent_status dt_take_function(detent_function_def *whole, const detent_function_def *given,
                               detent_error *error)
{
    detent_status status = DT_TAKE(whole, given, "the function's definition", error);
    status = status ? status : dt_require(whole->name, "the function's name", error);
    return status || whole->function
               ? status
               : dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                         "the function '%s' is missing: 'function' is NULL", whole->name);
}

detent_status detent_add_function(detent_mechanism *mechanism, const detent_function_def *given,
                                  detent_error *error)
{
    detent_function_def function;
    detent_status status = dt_require_open(mechanism, error);
    status = status ? status : dt_take_function(&function, given, error);
    return status ? status : dt_builder_add(mechanism, DT_ITEM_function, &function, NULL, error);
}

/* ---- derivatives by differences ---- */

/* A function at a point, and near it. */
typedef struct probe {
    dt_callback callback;
    double arguments[DETENT_MAX_ARGUMENTS];
    detent_error *error;
} probe;

static detent_status ask(const probe *p, double *value, double slopes[DETENT_MAX_ARGUMENTS])
{
    int place[DETENT_MAX_ARGUMENTS];
    char words[DT_CALL_WORDS];
    dt_call_failure failure = {.callback = &p->callback};
    for (int k = 0; k < p->callback.argument_count; k++) {
        place[k] = k;
    }
    *value = dt_call_value(&(dt_call){&p->callback, place, 0}, p->arguments, slopes);
    if (!dt_call_is_failed(*value, &failure)) {
        return DETENT_OK;
    }
    dt_call_tell(&failure, words);
    return dt_fail(p->error, DETENT_ERROR_FUNCTION, NULL, "%s", words);
}

/* The central difference over `step` in argument k, and what rounding does to it: some of the last digits of the values. */
static detent_status difference(probe *p, int k, double step, double *slope, double *rounding)
{
    static const double digits = 64 * DBL_EPSILON;
    const double x = p->arguments[k], below = x - step, above = x + step;
    double low, high = 0;
    p->arguments[k] = below;
    detent_status status = ask(p, &low, NULL);
    p->arguments[k] = above;
    status = status ? status : ask(p, &high, NULL);
    p->arguments[k] = x;
    *slope = (high - low) / (above - below);
    *rounding = digits * (fabs(high) + fabs(low)) / (above - below);
    return status;
}

static detent_status check_argument(probe *p, int k, double step, double stated)
{
    double wide = 0, close = 0, rounding = 0;
    detent_status status = difference(p, k, step, &wide, &rounding);
    status = status ? status : difference(p, k, step / 2, &close, &rounding);
    if (status || fabs(stated - close) <= fabs(wide - close) + rounding) {
        return status;
    }
    return dt_fail(p->error, DETENT_ERROR_FUNCTION, NULL,
                   "the derivative of the function '%s' with respect to argument %d is said to be "
                   "%.9g, and differences come to %.9g",
                   p->callback.name, k + 1, stated, close);
}

static detent_status check_steps(const detent_function_def *def, const double *arguments,
                                 const double *steps, detent_error *error)
{
    for (size_t k = 0; k < def->argument_count; k++) {
        if (!isfinite(arguments[k]) || !(steps[k] > 0) || !isfinite(steps[k]) ||
            arguments[k] + steps[k] / 2 == arguments[k]) {
            return dt_fail(
                error, DETENT_ERROR_ARGUMENT, NULL,
                "function '%s': argument %zu has to be finite, and its step positive and "
                "no less than its digits",
                def->name, k + 1);
        }
    }
    return DETENT_OK;
}

detent_status detent_check_function(const detent_function_def *given, const double *arguments,
                                    const double *steps, detent_error *error)
{
    detent_function_def def;
    double value, slopes[DETENT_MAX_ARGUMENTS];
    detent_status status = dt_take_function(&def, given, error);
    status = status ? status : dt_require(arguments, "the arguments", error);
    status = status ? status : dt_require(steps, "the steps", error);
    if (!status && (def.argument_count < 1 || def.argument_count > DETENT_MAX_ARGUMENTS)) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                       "function '%s': it takes 1 to %d arguments, not %zu", def.name,
                       DETENT_MAX_ARGUMENTS, def.argument_count);
    }
    status = status ? status : check_steps(&def, arguments, steps, error);
    if (status) {
        return status;
    }
    probe p = {.callback = {def.name, (int)def.argument_count, def.function, def.user},
               .error = error};
    memcpy(p.arguments, arguments, def.argument_count * sizeof *arguments);
    status = ask(&p, &value, slopes);
    for (int k = 0; k < p.callback.argument_count && !status; k++) {
        status = check_argument(&p, k, steps[k], slopes[k]);
    }
    return status;
}
