/*
 * Sampled values: what a controller in steps does at the instants offset + k * every, each computed as that product, so that no error adds
 * up. A step ends at the next one, as at other instants known in advance (instants.c): nothing is closed in on. Values are evaluated at the
 * readings just before, as an output is, in the order of the model; then the laws have them, as they have inputs that a client sets, with
 * the search that belongs to that. Where no law reads what has changed there is nothing to search, and the integrator goes on as it was.
 *
 * A sample is no event of a storm: it comes as often as its period says.
 *
 * Invariant: between events the next instant of each value is later than the last event by more than what counts as one instant.
 */
#include "integrator/samples.h"
#include "dynamics/failed_call.h"
#include "integrator/branches.h"
#include "integrator/core.h"
#include "integrator/solution.h"
#include "integrator/source.h"

#include <math.h>
#include <stdio.h>

static double instant(const dt_simulation *sim, int k, double number)
{
    const dt_sampled *of = &sim->mechanism->sampled[k];
    return of->offset + number * of->every;
}

/* The number of the first instant of a value that is not before t. */
static double first_from(const dt_simulation *sim, int k, double t)
{
    const dt_sampled *of = &sim->mechanism->sampled[k];
    double number = fmax(floor((t - of->offset) / of->every) - 1, 0);
    for (int more = 0; more < 4 && instant(sim, k, number) < t; more++) {
        number++;
    }
    return number;
}

/* ---- set-up ---- */

static bool is_read(const dt_system *s, int input)
{
    bool any = false;
    for (int l = 0; l < s->law_count && !any; l++) {
        const dt_program *p = s->law[l]->program;
        for (int j = 0; j < p->variable_count && !any; j++) {
            any = (dt_variable_traits[p->variables[j].kind] & DT_OF_INPUTS) &&
                  p->variables[j].index == input;
        }
    }
    return any;
}

void dt_samples_renew(dt_simulation *sim)
{
    dt_samples *of = &sim->samples;
    of->next = of->next_acts = INFINITY;
    for (int k = 0; k < of->count; k++) {
        const double at = instant(sim, k, of->number[k]);
        of->next = fmin(of->next, at);
        of->next_acts = of->acts[k] ? fmin(of->next_acts, at) : of->next_acts;
    }
}

void dt_samples_seek(dt_simulation *sim, double t)
{
    for (int k = 0; k < sim->samples.count; k++) {
        sim->samples.number[k] = first_from(sim, k, t + dt_moment(sim));
    }
}

#define TAKE(member, count) \
    ((of->member = dt_arena_alloc(arena, (count), sizeof *of->member)) != NULL)

bool dt_samples_create(dt_arena *arena, dt_simulation *sim)
{
    dt_samples *of = &sim->samples;
    const detent_mechanism *m = sim->mechanism;
    const size_t count = (size_t)m->sampled_count,
                 given = count > 0 ? (size_t)dt_given_count(m) : 0;
    /* an instant that is the start but for the rounding of the product is the start */
    const double rounding = 4 * DBL_EPSILON * fabs(sim->settings.start);
    of->count = (int)count;
    if (!TAKE(number, count) || !TAKE(fires, count) || !TAKE(acts, count) || !TAKE(waits, count) ||
        !TAKE(kept, given) || !TAKE(taken, given)) {
        return false;
    }
    for (int k = 0; k < of->count; k++) {
        of->number[k] = first_from(sim, k, sim->settings.start - rounding);
        of->acts[k] = is_read(&sim->system, m->input_count + k);
    }
    dt_samples_renew(sim);
    return true;
}
#undef TAKE

/* ---- events ---- */

bool dt_samples_are_due(dt_simulation *sim, double t)
{
    dt_samples *of = &sim->samples;
    const double last = t + dt_moment(sim);
    const bool any = of->next <= last;
    for (int k = 0; k < of->count && any; k++) {
        of->fires[k] = instant(sim, k, of->number[k]) <= last;
    }
    return any;
}

/* Whether an expression reads what is known only after a search. */
static bool reads_forces(const dt_program *p)
{
    bool any = false;
    for (int j = 0; j < p->variable_count && !any; j++) {
        any = dt_system_level_of(p->variables[j]) >= DT_LEVEL_FORCES ||
              dt_variable_is(p->variables[j], DT_OF_FORCES | DT_OF_EVENTS);
    }
    return any;
}

bool dt_samples_read_forces(const dt_simulation *sim)
{
    const dt_samples *of = &sim->samples;
    bool any = false;
    for (int k = 0; k < of->count && !any; k++) {
        any = of->fires[k] && reads_forces(sim->mechanism->sampled[k].value);
    }
    return any;
}

/* Marks who waits for forces, those among them that read others who do. */
static void find_waiting(dt_simulation *sim)
{
    const detent_mechanism *m = sim->mechanism;
    dt_samples *of = &sim->samples;
    for (int n = 0; n < of->count; n++) {
        const int k = m->sampled_order[n];
        const dt_program *p = m->sampled[k].value;
        of->waits[k] = of->fires[k] && reads_forces(p);
        for (int j = 0; j < p->variable_count && of->fires[k]; j++) {
            const int other = p->variables[j].index - m->input_count;
            const bool is_sampled = dt_variable_is(p->variables[j], DT_OF_INPUTS) &&
                                    !dt_variable_is(p->variables[j], DT_OF_COUNTS) && other >= 0 &&
                                    other < of->count && other != k;
            of->waits[k] = of->waits[k] || (is_sampled && of->waits[other]);
        }
    }
}

/* The value of an expression now, on the branches that hold now. */
static double evaluate(dt_system *s, const dt_program *p)
{
    for (int j = 0; j < p->variable_count; j++) {
        s->slots[j] = dt_system_variable(s, p->variables[j], -1);
    }
    return dt_program_value(p, s->slots, NULL, s->registers);
}

/* Evaluates those that are marked into the system's inputs. */
static detent_status evaluate_all(dt_simulation *sim, double t, detent_error *error)
{
    dt_system *s = &sim->system;
    const detent_mechanism *m = sim->mechanism;
    const dt_samples *of = &sim->samples;
    dt_solution_account(sim, sim->account);
    s->account = sim->account;
    for (int n = 0; n < of->count; n++) {
        const int k = m->sampled_order[n];
        double *value = &s->inputs[m->input_count + k];
        if (!of->fires[k] || of->waits[k]) {
            continue;
        }
        s->time = instant(sim, k, of->number[k]);
        *value = evaluate(s, m->sampled[k].value);
        s->time = t;
        dt_call_failure call;
        if (dt_program_failed_call(m->sampled[k].value, s->registers, *value, &call)) {
            char where[300];
            snprintf(where, sizeof where, "the sampled value '%s'", m->sampled[k].name);
            return dt_fail_call(&call, t, where, error);
        }
        if (!isfinite(*value)) {
            return dt_fail(error, DETENT_ERROR_NUMERIC, NULL,
                           "at t = %.9g s the sampled value '%s' is not finite", t,
                           m->sampled[k].name);
        }
    }
    return DETENT_OK;
}

static detent_status take(dt_simulation *sim, double t, bool again, bool *acts, detent_error *error)
{
    dt_system *s = &sim->system;
    dt_samples *of = &sim->samples;
    const detent_mechanism *m = sim->mechanism;
    const size_t size = (size_t)dt_given_count(m) * sizeof *s->inputs;
    memcpy(of->kept, s->inputs, size);
    for (int k = 0; k < of->count && again; k++) {
        if (of->fires[k]) {
            s->inputs[m->input_count + k] = m->sampled[k].initial;
        }
    }
    memcpy(s->inputs + m->input_count + of->count, s->inputs + m->input_count,
           (size_t)of->count * sizeof *s->inputs); /* what previous() reads */
    dt_sample_past_give(sim);
    const detent_status status = evaluate_all(sim, t, error);
    memcpy(of->taken, s->inputs, size);
    memcpy(s->inputs, of->kept, size);
    *acts = false;
    if (status != DETENT_OK) {
        return status;
    }
    for (int k = 0; k < of->count; k++) {
        const int input = m->input_count + k;
        *acts = *acts || (of->acts[k] && of->taken[input] != of->kept[input]);
    }
    if (*acts) {
        dt_branches_take_inputs(sim, of->taken, t);
    } else {
        memcpy(s->inputs, of->taken, size);
    }
    return DETENT_OK;
}

detent_status dt_samples_take(dt_simulation *sim, double t, bool *acts, detent_error *error)
{
    return take(sim, t, false, acts, error);
}

detent_status dt_samples_take_first(dt_simulation *sim, double t, bool *acts, detent_error *error)
{
    find_waiting(sim);
    const detent_status status = take(sim, t, false, acts, error);
    memset(sim->samples.waits, 0, (size_t)sim->samples.count * sizeof *sim->samples.waits);
    return status;
}

detent_status dt_samples_take_again(dt_simulation *sim, double t, bool *acts, detent_error *error)
{
    return take(sim, t, true, acts, error);
}

/* The core has the readings again, and what is given to laws now. */
static detent_status return_to_core(dt_simulation *sim, detent_error *error)
{
    if (!sim->reduction.way->is_smaller) {
        return DETENT_OK;
    }
    memcpy(sim->core->inputs, sim->system.inputs,
           (size_t)dt_given_count(sim->mechanism) * sizeof *sim->core->inputs);
    return dt_core_at(sim, sim->past.time, error);
}

detent_status dt_samples_come_due(dt_simulation *sim, double t, dt_occasion *what, bool *core,
                                  detent_error *error)
{
    const bool own_roots = what->search, sampled = dt_samples_are_due(sim, t);
    bool acts = false;
    detent_status status = DETENT_OK;
    if (sampled) {
        dt_bring_up(sim, DT_LEVEL_FORCES);
    }
    const bool due = dt_sources_due(sim, t), alone = sampled && !due && !dt_sources_are_marked(sim);
    sim->samples.alone = alone;
    sim->system.time = t;
    if (sampled) {
        status = dt_samples_take(sim, t, &acts, error);
        status = status == DETENT_OK && !alone ? return_to_core(sim, error) : status;
    }
    sim->system.time = sim->core->time = t;
    what->search = acts || due || (alone ? sim->leap.span > 0 && !dt_leap_goes_on(sim) : own_roots);
    what->others = alone ? DETENT_CAUSE_SAMPLE : what->others;
    *core = *core && !acts;
    if (acts) { /* from outside: what is held is asked anew */
        sim->event.any_released = false;
    }
    return status;
}

/* ---- the row of the table ---- */

/* A leap is one step, which ends where forces jump: those that no law reads take what they read from inside it. */
static double next(dt_simulation *sim, double *stop)
{
    const dt_samples *of = &sim->samples;
    const double ends = sim->leap.span > 0 ? of->next_acts : of->next;
    *stop = fmin(*stop, nextafter(ends, -INFINITY));
    return of->next;
}

static void pass(dt_simulation *sim)
{
    dt_samples *of = &sim->samples;
    const double later = sim->system.time + dt_moment(sim);
    bool any = false;
    for (int k = 0; k < of->count; k++) {
        if (of->fires[k]) {
            dt_sample_past_add(sim, k);
            of->number[k]++;
            sim->statistics.samples++;
            if (instant(sim, k, of->number[k]) <= later) { /* a period below what time can tell */
                of->number[k] = first_from(sim, k, nextafter(later, INFINITY));
            }
            of->fires[k] = false;
            any = true;
        }
    }
    if (any) {
        dt_samples_renew(sim);
    }
}

const dt_source_row dt_source_sample = {.next = next, .pass = pass};
