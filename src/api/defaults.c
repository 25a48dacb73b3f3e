/* Settings as the caller finds them before changing anything, and the texts that need no object. */

#include "api/sized.h"

#include <string.h>

detent_status detent_init_settings(detent_settings *settings, size_t size)
{
    const detent_settings usual = {
        .end = 10,
        .rtol = 1e-7,
        .linear_solver = DETENT_LINEAR_SOLVER_TREE,
        .integrator = DETENT_INTEGRATOR_AUTO,
        .locked_joints = DETENT_LOCKED_JOINTS_WELD,
    };
    if (!settings || size < sizeof size) {
        return DETENT_ERROR_ARGUMENT;
    }
    memcpy(settings, &size, sizeof size);
    return DT_GIVE(settings, &usual, "the settings", NULL);
}

const char *detent_status_text(detent_status status)
{
    switch (status) {
    case DETENT_OK:
        return "done";
    case DETENT_EVENT:
        return "stopped at an event";
    case DETENT_NO_CONSISTENT_STATE:
        return "no consistent state";
    case DETENT_EVENT_STORM:
        return "event storm";
    case DETENT_INTERRUPTED:
        return "interrupted";
    case DETENT_ERROR_ARGUMENT:
        return "wrong argument";
    case DETENT_ERROR_MEMORY:
        return "out of memory";
    case DETENT_ERROR_IO:
        return "input or output failed";
    case DETENT_ERROR_SYNTAX:
        return "syntax error";
    case DETENT_ERROR_MODEL:
        return "not a valid mechanism";
    case DETENT_ERROR_NUMERIC:
        return "numerical failure";
    case DETENT_ERROR_SOLVER:
        return "the integrator failed";
    case DETENT_ERROR_FUNCTION:
        return "a function of the program failed";
    }
    return "unknown status";
}

const char *detent_version(void)
{
    return DETENT_VERSION;
}

long detent_version_number(void)
{
    return DETENT_VERSION_NUMBER(DETENT_VERSION_MAJOR, DETENT_VERSION_MINOR, DETENT_VERSION_PATCH);
}
