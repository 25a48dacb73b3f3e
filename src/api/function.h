/**
 * @file function.h
 * Functions of the program, as they are handed in. Private to src/api.
 */
#ifndef DT_API_FUNCTION_H
#define DT_API_FUNCTION_H

#include "detent/detent.h"

/** DT_TAKE() of a definition that has a name and a function. */
detent_status dt_take_function(detent_function_def *whole, const detent_function_def *given,
                               detent_error *error);

#endif
