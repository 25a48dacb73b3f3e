/* A moment of a run that is given, put back. */

#include "integrator/recall.h"
#include "api/handle.h"
#include "api/sized.h"

#include <math.h>

/* One of what a moment has: finite numbers, and one where the mechanism has any. */
static detent_status check(const detent_simulation *simulation, detent_quantity quantity,
                           const double *values, const char *what, detent_error *error)
{
    const size_t count = detent_quantity_length(simulation->mechanism, quantity);
    detent_status status = count > 0 ? dt_require(values, what, error) : DETENT_OK;
    for (size_t k = 0; k < count && !status; k++) {
        if (!isfinite(values[k])) {
            status =
                dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                        "the moment cannot be put back: number %zu of %s is not finite", k, what);
        }
    }
    return status;
}

static detent_status check_words(const detent_simulation *simulation, const detent_moment *m,
                                 detent_error *error)
{
    for (int k = 0; k < simulation->mechanism->stiction_count; k++) {
        const double mode = m->modes[k], direction = m->directions[k];
        const bool is_mode =
                       mode == DETENT_LOCKED || mode == DETENT_WAIT || mode == DETENT_UNLOCKED,
                   is_direction = direction == 0 || direction == 1 || direction == -1;
        if (!is_mode || !is_direction) {
            return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                           "the moment cannot be put back: %g is no %s", is_mode ? direction : mode,
                           is_mode ? "direction" : "mode");
        }
    }
    return DETENT_OK;
}

static detent_status check_moment(const detent_simulation *simulation, const detent_moment *m,
                                  detent_error *error)
{
    const struct {
        detent_quantity quantity;
        const double *values;
        const char *what;
        bool may_be_null;
    } parts[] = {
        {DETENT_POSITIONS, m->positions, "the positions", false},
        {DETENT_VELOCITIES, m->velocities, "the velocities", false},
        {DETENT_STATES, m->states, "the states", false},
        {DETENT_INPUTS, m->inputs, "the inputs", false},
        {DETENT_HELD, m->held, "the held values", false},
        {DETENT_MODES, m->modes, "the modes", false},
        {DETENT_DIRECTIONS, m->directions, "the directions", false},
        {DETENT_ACCELERATIONS, m->accelerations, "the accelerations", true},
        {DETENT_FRICTIONS, m->frictions, "the frictions", true},
        {DETENT_ENERGIES, m->energies, "the energies", true},
    };
    detent_status status = DETENT_OK;
    if (!isfinite(m->time)) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                       "the moment cannot be put back: its time is not finite");
    }
    for (size_t k = 0; k < sizeof parts / sizeof *parts && !status; k++) {
        if (parts[k].values || !parts[k].may_be_null) {
            status = check(simulation, parts[k].quantity, parts[k].values, parts[k].what, error);
        }
    }
    return status ? status : check_words(simulation, m, error);
}

detent_status detent_recall(detent_simulation *simulation, const detent_moment *given,
                            detent_error *error)
{
    detent_moment m = DETENT_INIT(detent_moment);
    detent_status status = dt_require(simulation, "the simulation", error);
    status = status ? status : DT_TAKE(&m, given, "the moment", error);
    status = status ? status : check_moment(simulation, &m, error);
    status = status ? status : dt_simulation_may_recall(simulation->core, error);
    if (status) {
        return status;
    }
    const double works[DT_WORKS] = {
        [DT_WORK_FRICTION] = m.energies ? m.energies[DETENT_ENERGY_FRICTION_WORK] : 0,
        [DT_WORK_DAMPING] = m.energies ? m.energies[DETENT_ENERGY_DAMPING_WORK] : 0,
        [DT_WORK_ACTUATION] = m.energies ? m.energies[DETENT_ENERGY_ACTUATION_WORK] : 0};
    simulation->after_event = false;
    return dt_simulation_recall(
        simulation->core,
        &(dt_moment_given){.time = m.time,
                           .positions = m.positions,
                           .velocities = m.velocities,
                           .modes = m.modes,
                           .directions = m.directions,
                           .states = m.states,
                           .inputs = m.inputs,
                           .held = m.held,
                           .accelerations = m.accelerations,
                           .frictions = m.frictions,
                           .works = m.energies ? works : NULL,
                           .impact_loss = m.energies ? m.energies[DETENT_ENERGY_IMPACT_LOSS] : 0,
                           .keeps_branches = m.keep_branches},
        error);
}
