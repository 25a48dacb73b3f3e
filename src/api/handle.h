/**
 * @file handle.h
 * What a detent_simulation is. Private to src/api.
 */
#ifndef DT_API_HANDLE_H
#define DT_API_HANDLE_H

#include "api/check.h"
#include "integrator/simulation.h"

/** Lives in its own arena, together with all that belongs to it. */
struct detent_simulation {
    dt_arena arena;
    const detent_mechanism *mechanism;
    dt_simulation *core;
    /** It lives in one of these, `home`; at detent_reset() another one grows in the other. Vectors know where they live. */
    dt_arena core_arena[2];
    int home;
    double *registers, *slots; /**< work space for the programs of outputs */
    bool after_event;          /**< the last change was an advance that stopped at an event */
    void *user;                /**< detent_set_user() */
};

/** How mechanisms are reduced in this build (DETENT_REDUCTION), or NULL. */
const dt_reduction_way *dt_reduction_of_build(void);

/** The system at the present time, or (`before`) just before the last event, up to a level. */
detent_status dt_handle_system(detent_simulation *simulation, bool before, dt_level level,
                               dt_system **system, detent_error *error);

#endif
