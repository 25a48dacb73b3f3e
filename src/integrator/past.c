/* What the mechanism was like just before the last event. */
#include "dynamics/split.h"
#include "integrator/blocks.h"
#include "integrator/core.h"
#include "integrator/event.h"
#include "integrator/solution.h"

void dt_keep_past(dt_simulation *sim)
{
    const dt_system *s = &sim->system;
    dt_past *past = &sim->past;
    past->valid = true;
    past->time = s->time;
    dt_solution_account(sim, past->account);
    dt_blocks_keep(sim, past->state, false);
    memcpy(past->a, s->a, (size_t)sim->nv * sizeof *s->a);
    memcpy(past->inputs, s->inputs, (size_t)dt_given_count(sim->mechanism) * sizeof *s->inputs);
    memcpy(past->mode, s->mode, (size_t)sim->ns);
    memcpy(past->direction, s->direction, (size_t)sim->ns);
    memcpy(past->yielded, s->yielded, (size_t)sim->ns);
    memcpy(past->branches, s->branches, (size_t)s->branch_count * sizeof *s->branches);
    dt_copy_sides(past->turned, s->turned, s->turned_count);
    past->solved = true;
}

void dt_show_past(dt_simulation *sim, dt_level level)
{
    dt_system *s = &sim->system;
    const dt_past *past = &sim->past;
    sim->sliding.settled = NAN; /* weights are those of another instant */
    dt_blocks_keep(sim, past->state, true);
    memcpy(s->a, past->a, (size_t)sim->nv * sizeof *s->a);
    s->time = past->time;
    if (sim->reduction.way->is_smaller && past->solved) {
        dt_bring_up(sim, level);
    } else if (level > DT_LEVEL_STATE) {
        dt_system_set_state(s, past->time, s->q, s->v);
        dt_system_set_acceleration(s, s->a, s->f);
        dt_system_forces(s);
    }
    dt_split_update(s);
}

void dt_return_to_past(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    const dt_past *past = &sim->past;
    memcpy(s->inputs, past->inputs, (size_t)dt_given_count(sim->mechanism) * sizeof *s->inputs);
    memcpy(s->mode, past->mode, (size_t)sim->ns);
    memcpy(s->direction, past->direction, (size_t)sim->ns);
    memcpy(s->yielded, past->yielded, (size_t)sim->ns);
    memcpy(s->branches, past->branches, (size_t)s->branch_count * sizeof *s->branches);
    dt_copy_sides(s->turned, past->turned, s->turned_count);
    sim->event.change_count = sim->event.state_change_count = 0;
    dt_show_past(sim, DT_LEVEL_FORCES);
    dt_form_core(sim);            /* it may have had other groups by now: */
    sim->shown.time = past->time; /* the solution is lost */
    sim->shown.level = sim->reduction.way->is_smaller ? DT_LEVEL_STATE : DT_LEVEL_FORCES;
}
