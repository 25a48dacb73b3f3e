/* Definitions as the caller finds them before changing anything, and the texts that need no object. */

#include "detent/detent.h"

detent_body_def detent_default_body(void)
{
    return (detent_body_def){0};
}

detent_joint_def detent_default_joint(void)
{
    return (detent_joint_def){
        .type = "revolute",
        .base = "ground",
        .base_rotation = {1, 0, 0, 0},
        .follower_rotation = {1, 0, 0, 0},
    };
}

detent_stiction_def detent_default_stiction(void)
{
    return (detent_stiction_def){.locking = DETENT_LOCKING_CROSSING};
}

detent_spring_def detent_default_spring(void)
{
    return (detent_spring_def){.body = {"ground", "ground"}};
}

detent_load_def detent_default_load(void)
{
    return (detent_load_def){.frame = DETENT_FRAME_WORLD};
}

detent_settings detent_default_settings(void)
{
    return (detent_settings){
        .end = 10,
        .rtol = 1e-7,
        .linear_solver = DETENT_LINEAR_SOLVER_TREE,
        .integrator = DETENT_INTEGRATOR_IDA,
        .locked_joints = DETENT_LOCKED_JOINTS_WELD,
    };
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
    }
    return "unknown status";
}

const char *detent_version(void)
{
    return DETENT_VERSION;
}
