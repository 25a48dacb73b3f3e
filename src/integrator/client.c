/* Interruptions: what the user wants of a run that goes on. */
#include "integrator/client.h"

#include "integrator/core.h"

detent_request dt_client_ask(dt_simulation *sim)
{
    if (sim->client.interrupt && sim->client.request != DETENT_STOP) {
        const detent_request request = sim->client.interrupt(sim->client.interrupt_user);
        sim->client.request = request > sim->client.request ? request : sim->client.request;
    }
    return sim->client.request;
}

bool dt_is_stopped(void *simulation)
{
    return dt_client_ask(simulation) == DETENT_STOP;
}
