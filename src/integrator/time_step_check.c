/* What time stepping does not cover, told before a run begins. */
#include "dynamics/friction_law.h"
#include "integrator/core.h"
#include "integrator/time_step.h"

static detent_status refuse(const dt_location *where, const char *what, const char *name,
                            detent_error *error)
{
    return dt_fail(
        error, DETENT_ERROR_ARGUMENT, where,
        "'integrator: fixed' has no %s yet, as '%s' has: use ida, erk, auto, euler or rk4", what,
        name);
}

static detent_status check_stiction(const dt_simulation *sim, int k, detent_error *error)
{
    const dt_stiction *stiction = &sim->mechanism->stictions[k];
    const dt_friction *friction = stiction->friction;
    const char *name = sim->mechanism->primitives[stiction->primitive].name;
    if (friction->fixed_law) {
        return dt_fail(
            error, DETENT_ERROR_ARGUMENT, &friction->fixed_law->where,
            "the friction law '%s' of '%s' is for euler and rk4: 'integrator: fixed' sticks "
            "exactly with 'stiction'",
            friction->fixed_law->word, name);
    }
    if (friction->locking == DETENT_LOCKING_BAND) {
        return refuse(NULL, "'locking: band'", name, error);
    }
    return DETENT_OK;
}

/* Whether a law reads no force but what joints transmit. */
static bool reads_reactions_alone(const dt_program *p)
{
    bool ok = true;
    for (int k = 0; k < p->variable_count && ok; k++) {
        ok = !dt_variable_is(p->variables[k], DT_OF_FORCES) ||
             (dt_variable_is(p->variables[k], DT_OF_WRENCH) &&
              !dt_variable_is(p->variables[k], DT_OF_EFFORT));
    }
    return ok;
}

/*
 * Whether a force is to be solved for together with what it reads. As kinetic friction does, the load of a friction law has the forces of the step
 * before; where joints are coupled that is so of laws with springs alone, since slopes of others belong to a motion without forces.
 */
static bool is_solved_for(const dt_simulation *sim, const dt_law *law)
{
    const dt_velocity_step *step = &sim->time_stepping.step;
    const bool drag = dt_law_is(law, DT_LAW_IS_DRAG),
               springs = drag && step->bristles.count > 0 && step->bristles.apart[law->owner],
               late = drag && !step->coupled && reads_reactions_alone(law->program);
    return dt_law_is_drive(law) && dt_law_follows_forces(law) && !springs && !late;
}

detent_status dt_time_stepping_check(const dt_simulation *sim, detent_error *error)
{
    detent_status status = DETENT_OK;
    if (!sim->time_stepping.exists) {
        return DETENT_OK;
    }
    if (sim->settings.linear_solver == DETENT_LINEAR_SOLVER_DENSE) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                       "'integrator: fixed' solves along the tree: use 'linear_solver: tree'");
    }
    for (int k = 0; k < sim->ns && !status; k++) {
        status = check_stiction(sim, k, error);
    }
    return status;
}

/* Of a force that would have to be solved for. */
static detent_status refuse_law(const dt_simulation *sim, const dt_law *law, detent_error *error)
{
    const int node = dt_law_node(&sim->system, law);
    const char *name = node >= 0 ? sim->mechanism->primitives[node].name : "gravity";
    return dt_law_is(law, DT_LAW_IS_DRAG)
               ? refuse(&dt_friction_laws(sim->mechanism)->where[law->owner],
                        "friction law that follows the very forces that it changes ('quinn' does, "
                        "and a 'normal_force' that reads them)",
                        name, error)
               : refuse(NULL, "force that follows forces or accelerations", name, error);
}

detent_status dt_time_stepping_check_laws(const dt_simulation *sim, detent_error *error)
{
    const dt_system *s = &sim->system;
    detent_status status = DETENT_OK;
    for (int l = 0; l < s->law_count && sim->time_stepping.exists && !status; l++) {
        if (is_solved_for(sim, s->law[l])) {
            status = refuse_law(sim, s->law[l], error);
        }
    }
    return status;
}
