/*
 * A moment of a run that was recorded: what the run knew then, put back without a search, so that all that it was not asked for can be read.
 *
 *   given       t, q, v, z, what is given to laws, modes, directions, works
 *   follows     a, f, multipliers: the accelerations at these modes
 *
 * On which branch a law was is not among what is given. Within a stretch without events it has none but the one that its readings call for;
 * at either end of one, where an event lies on a border between two, it is that of the stretch: the branches of a moment within are kept then.
 */
#include "integrator/recall.h"

#include "integrator/branches.h"
#include "integrator/core.h"
#include "integrator/restart.h"
#include "integrator/samples.h"
#include "integrator/solution.h"
#include "integrator/source.h"

/* Branches that follow forces: solved and looked at again, until they agree, as at the start of a run. */
enum { most_rounds = 10 };

static void copy(double *to, const double *from, int count)
{
    if (from && count > 0) {
        memcpy(to, from, (size_t)count * sizeof *to);
    }
}

static void take_modes(dt_system *s, const double *modes, const double *directions)
{
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        dt_set_mode(s, k, (detent_mode)modes[k], (int)directions[k]);
    }
}

/* The branches that the readings call for. */
static void find_branches(dt_simulation *sim, double t)
{
    dt_system *s = &sim->system;
    dt_system_set_state(s, t, s->q, s->v);
    dt_system_set_acceleration(s, s->a, s->f);
    for (int round = 0; round < most_rounds && s->branch_count > 0; round++) {
        const bool changed = dt_system_update_branches(s);
        dt_sources_renew(sim, t, true);
        dt_system_set_state(s, t, s->q, s->v);
        if ((round > 0 && !changed) ||
            dt_solve_accelerations(sim->newton, s, NULL, NULL) != DETENT_OK) {
            break;
        }
    }
}

detent_status dt_simulation_may_recall(const dt_simulation *sim, detent_error *error)
{
    const char *reason =
        sim->dead.history.count > 0
            ? "the mechanism has dead times, and what it was before is not in a moment"
        : dt_steps_are_given(sim)
            ? "with fixed steps, forces are those of a step and not of a moment"
            : NULL;
    return reason ? dt_fail(error, DETENT_ERROR_ARGUMENT, NULL, "the moment cannot be put back: %s",
                            reason)
                  : DETENT_OK;
}

detent_status dt_simulation_recall(dt_simulation *sim, const dt_moment_given *given,
                                   detent_error *error)
{
    dt_system *s = NULL;
    detent_status status = /* the present, not the past, is overwritten */
        dt_simulation_read(sim, false, DT_LEVEL_MOTION, &s, error);
    if (status != DETENT_OK) {
        return status;
    }
    const int inputs = sim->mechanism->input_count, all = dt_given_count(sim->mechanism);
    sim->shown.time = NAN;
    copy(s->q, given->positions, sim->nq);
    copy(s->v, given->velocities, sim->nv);
    copy(s->z, given->states, sim->mechanism->state_count);
    copy(s->a, given->accelerations, sim->nv);
    copy(s->f, given->frictions, sim->ns);
    copy(s->inputs, given->inputs, inputs);
    copy(s->inputs + inputs, given->held, all - inputs);
    copy(sim->input.pending, s->inputs, all);
    take_modes(s, given->modes, given->directions);
    copy(sim->work, given->works, DT_WORKS);
    sim->statistics.impact_loss = given->works ? given->impact_loss : sim->statistics.impact_loss;
    dt_samples_seek(sim, given->time);
    if (!given->keeps_branches) {
        find_branches(sim, given->time);
    }
    dt_system_set_state(s, given->time, s->q, s->v);
    return dt_restart_anew(sim, given->time, error);
}
