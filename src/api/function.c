/* Functions of the program that expressions call. */

#include "api/function.h"
#include "api/check.h"
#include "api/sized.h"
#include "model/builder.h"

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
