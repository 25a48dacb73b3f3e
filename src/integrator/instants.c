/*
 * Instants known in advance: switches that depend on t and inputs alone (expression/instant.h). They
 * are no roots: the steps end at them, and nothing is closed in on. The old branches hold up to the
 * last double before, the new ones from the instant on, so that no law is asked on the wrong side.
 *
 * Invariant: the recorded branches of these switches are those that hold just after the instant up
 * to which events have been handled, and the next change of each law is later than that by more than
 * what counts as one instant. So each change is one event, and changes that only rounding keeps apart
 * (k*0.1 against sums of 0.1) are the same one.
 */
#include "integrator/instants.h"
#include "integrator/core.h"
#include "integrator/source.h"

#include <math.h>

/* Switches of a law that are known in advance: calls for the first one. */
static bool has_timed(const dt_program *p)
{
    bool any = false;
    for (int k = 0; p->depends_on_time && k < p->switch_count && !any; k++) {
        any = dt_program_is_timed(p, k);
    }
    return any;
}

bool dt_instants_is_known(const dt_law *law, int index)
{
    return dt_program_is_timed(law->program, index);
}

/* ---- set-up ---- */

bool dt_instants_create(dt_arena *arena, dt_simulation *sim)
{
    const dt_system *s = &sim->system;
    dt_instants *in = &sim->instants;
    size_t operations = 0, variables = 0;
    for (int l = 0; l < s->law_count; l++) {
        const dt_program *p = s->law[l]->program;
        if (has_timed(p)) {
            in->count++;
            operations =
                (size_t)p->operation_count > operations ? (size_t)p->operation_count : operations;
            variables =
                (size_t)p->variable_count > variables ? (size_t)p->variable_count : variables;
        }
    }
    in->of = dt_arena_alloc(arena, (size_t)in->count, sizeof *in->of);
    in->series = dt_arena_alloc(arena, operations, sizeof *in->series);
    in->slots = dt_arena_alloc(arena, variables, sizeof *in->slots);
    if (!in->of || !in->series || !in->slots) {
        return false;
    }
    for (int l = 0, n = 0; l < s->law_count; l++) {
        if (has_timed(s->law[l]->program)) {
            in->of[n++] = (dt_law_instant){.law = s->law[l],
                                           .stride = sim->settings.end - sim->settings.start};
        }
    }
    return true;
}

/* ---- the next one ---- */

/* What timed switches read besides t, to the system's work space. */
static void gather_inputs(dt_system *s, const dt_program *p)
{
    for (int k = 0; k < p->variable_count; k++) {
        s->slots[k] =
            dt_variable_is(p->variables[k], DT_OF_INPUTS) ? s->inputs[p->variables[k].index] : 0;
    }
}

static void settle(dt_simulation *sim, const dt_law *law, double t)
{
    dt_system *s = &sim->system;
    gather_inputs(s, law->program);
    dt_program_settle_timed(law->program, s->slots, t, dt_law_branches(s, law), s->registers);
}

static void look_ahead(dt_simulation *sim, dt_law_instant *of)
{
    dt_system *s = &sim->system;
    gather_inputs(s, of->law->program);
    const dt_instant_question ask = {.program = of->law->program,
                                     .slots = s->slots,
                                     .state = dt_law_branches(s, of->law),
                                     .from = of->from,
                                     .stride = of->stride,
                                     .span = sim->settings.end - sim->settings.start,
                                     .values = s->registers,
                                     .series = sim->instants.series,
                                     .inputs = sim->instants.slots};
    const dt_instant found = dt_program_next_instant(&ask);
    of->time = found.time;
    of->after = found.after;
    of->stride = found.stride;
    of->from = found.clear; /* where it goes on if the search was given up */
    of->known = true;
}

/*
 * What becomes of a motion at the end of the run, where a table of it ends, is for those who go on after that: its velocity may jump there, which no motion
 * may within the run.
 */
static bool waits(const dt_simulation *sim, const dt_law_instant *of)
{
    return of->law->role == DT_LAW_MOTION && of->time >= sim->settings.end - dt_moment(sim) &&
           sim->target <= of->time + dt_moment(sim);
}

static double next_instant(dt_simulation *sim, double *stop)
{
    dt_instants *in = &sim->instants;
    double next = INFINITY;
    for (int k = 0; k < in->count; k++) {
        dt_law_instant *of = &in->of[k];
        if (!of->known || (isinf(of->time) && of->from <= sim->reached)) {
            look_ahead(sim, of);
        }
        if (waits(sim, of)) {
            *stop = fmin(*stop, of->time);
            continue;
        }
        next = fmin(next, of->time);
        *stop = fmin(*stop, isinf(of->time) ? of->from : nextafter(of->time, -INFINITY));
    }
    return next;
}

/* ---- events ---- */

/* Sets the branches of the laws whose instant t is, and marks their switches. */
static bool due(dt_simulation *sim, double t)
{
    dt_instants *in = &sim->instants;
    const double moment = dt_moment(sim);
    bool any = false;
    for (int k = 0; k < in->count; k++) {
        dt_law_instant *of = &in->of[k];
        of->fires = of->known && of->time <= t + moment && !waits(sim, of);
        if (!of->fires) {
            continue;
        }
        of->resume = fmax(of->after, t + moment);
        settle(sim, of->law, of->resume);
        for (int j = 0; j < of->law->program->switch_count; j++) {
            if (dt_program_is_timed(of->law->program, j)) {
                dt_fired_switch(sim, of->law, j)[0] = -1;
            }
        }
        any = true;
    }
    return any;
}

static void pass(dt_simulation *sim)
{
    dt_instants *in = &sim->instants;
    for (int k = 0; k < in->count; k++) {
        dt_law_instant *of = &in->of[k];
        if (of->fires) {
            of->from = of->resume;
            of->known = of->fires = false;
        }
    }
}

static void forget(dt_simulation *sim, double t)
{
    for (int k = 0; k < sim->instants.count; k++) {
        sim->instants.of[k].from = t + dt_moment(sim);
        sim->instants.of[k].known = false;
    }
}

static void renew(dt_simulation *sim, double t, bool all)
{
    for (int k = 0; k < sim->instants.count; k++) {
        dt_law_instant *of = &sim->instants.of[k];
        if (all || dt_program_reads(of->law->program, DT_OF_INPUTS)) {
            of->from = t + dt_moment(sim);
            of->known = false;
            settle(sim, of->law, of->from);
        }
    }
}

const dt_source_row dt_source_instant = {
    .next = next_instant, .renew = renew, .forget = forget, .due = due, .pass = pass};
