/**
 * @file client.h
 * Who has started the simulation, and what he wants of a run that goes on.
 */
#ifndef DT_INTEGRATOR_CLIENT_H
#define DT_INTEGRATOR_CLIENT_H

#include "integrator/simulation.h"

/** Who has started the simulation. */
typedef struct dt_client {
    detent_trace trace;
    void *trace_user;
    detent_interrupt interrupt; /**< or NULL */
    void *interrupt_user;
    detent_request request; /**< the strongest one in the present call */
} dt_client;

/** Asks, unless he has already asked to stop: the strongest request so far in this call. */
detent_request dt_client_ask(dt_simulation *simulation);
/** The same as a question of a search; `simulation` is a dt_simulation. */
bool dt_is_stopped(void *simulation);

#endif
