/**
 * @file sundials.h
 * SUNDIALS 6.4 and 7.x from one source.
 */
#ifndef DT_SOLVER_SUNDIALS_H
#define DT_SOLVER_SUNDIALS_H

#include <nvector/nvector_serial.h>
#include <sundials/sundials_config.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_nonlinearsolver.h>

#if SUNDIALS_VERSION_MAJOR >= 7
typedef sunbooleantype dt_sunbool;
#else
typedef booleantype dt_sunbool;
#endif

/** NULL when memory is out. */
static inline SUNContext dt_sundials_context(void)
{
    SUNContext context = NULL;
#if SUNDIALS_VERSION_MAJOR >= 7
    if (SUNContext_Create(SUN_COMM_NULL, &context) != 0)
        return NULL;
    SUNContext_ClearErrHandlers(context); /* a library does not print */
#else
    if (SUNContext_Create(NULL, &context) != 0) {
        return NULL;
    }
#endif
    return context;
}

#endif
