/* What is done to the state of a run that is going on: see going.h. */
#include "going.h"

#include <stdlib.h>

detent_status going_clone(going *g)
{
    detent_error error;
    detent_simulation *other = NULL;
    const detent_status status = detent_clone(g->simulation, &other, &error);
    if (status != DETENT_OK) {
        return going_fail(g, status, &error);
    }
    detent_simulation_destroy(g->simulation);
    g->simulation = other;
    going_look(g, true);
    return g->record->status;
}

detent_status going_stir(going *g, double input)
{
    detent_error error;
    detent_simulation *other = NULL;
    const size_t size = detent_state_size(g->simulation);
    void *bytes = malloc(size);
    going_must_have(bytes);
    detent_status status = detent_clone(g->simulation, &other, &error);
    detent_simulation_destroy(other);
    status = status ? status
                    : detent_set_state(g->simulation, detent_time(g->simulation), NULL, NULL, NULL,
                                       NULL, &error);
    status = status || g->script->inputs == 0 ? status
                                              : detent_set_input(g->simulation, 0, input, &error);
    status = status ? status : detent_save_state(g->simulation, bytes, size, &error);
    free(bytes);
    return status == DETENT_OK ? status : going_fail(g, status, &error);
}

detent_status going_restore(going *g)
{
    detent_error error;
    const size_t size = detent_state_size(g->simulation);
    void *bytes = malloc(size);
    going_must_have(bytes);
    detent_status status = detent_save_state(g->simulation, bytes, size, &error);
    if (status == DETENT_OK) {
        detent_simulation_destroy(g->simulation);
        g->simulation = NULL;
        status = going_start(g);
        if (status == DETENT_OK) {
            status = detent_restore_state(g->simulation, bytes, size, &error);
        }
        if (status == DETENT_OK) {
            going_look(g, true);
        }
    }
    free(bytes);
    return status == DETENT_OK ? status : going_fail(g, status, &error);
}
