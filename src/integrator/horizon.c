/*
 * How long the next step may be, so that it passes over nothing that time does: laws that read t, or
 * a prescribed motion, between the ends of a step.
 *
 * Let [t, t + h] be the step, its state held. Series of the laws (horizon_laws.c) bound how far each
 * root g of a locked joint, or of a switch, can get from its value g0 at t (v), and how much two of
 * its slopes can differ (r), through one sweep over the bodies (dynamics/spread.h). With g1 its value
 * at t + h,
 *
 *   v < g0                        it stays positive
 *   h r / 4 < g0 and < g1         it stays above its chord less that
 *   h r <= |g1 - g0|              it is monotone: its sign at the end tells all
 *
 * and each of these proves that nothing is passed over where the state really stays: where all joints
 * that hang together are locked, or follow motions that only translate. The proof then holds until
 * t + h, however many steps that takes. Where something moves, g also changes with the state; then v
 * or h r may take half of g0 at most, and the rest is smooth at the scale of a step (graze.c). Laws that act on what moves
 * must be understood by the integrator's formulas (horizon_laws.c).
 *
 * What cannot be shown is tried over half the length, down to the rounding of t (where something moves, to
 * a billionth of the nominal time), and from there over
 * twice as much each time (a slope that is infinite, a law that is not known inside): so the run goes
 * on in any case. Bounds take absolute values, and a joint that stands at its limit, whatever loads it does not feel may do, has
 * nothing left for them. So at rest, below a billionth of the nominal time, it will do that all laws are understood, as
 * where something moves: the rest is left to roots and graze.c. Beside what moves that will do at once for a joint that stands at its limit but for rounding: what
 * slides with constant friction on a block that the same friction holds, loads it along and is not felt below. And for a switch of a continuous law that stands
 * at its border, moving or not.
 */
#include "integrator/horizon.h"
#include "dynamics/split.h"
#include "integrator/blocks.h"
#include "integrator/core.h"
#include "integrator/instants.h"
#include "integrator/roots.h"
#include "integrator/source.h"
#include "integrator/switches.h"

#include <float.h>
#include <math.h>

/* Steps of a run in which a function of the program goes with time: nothing is known of it between the ends. */
static const double blind_steps = 1000;

/*
 * Of the nominal time: where something moves, a dip shorter than this is not looked for. A bound that
 * goes with what is left to a limit would halve the steps for ever on the way to it.
 */
static const double shortest_dip = 1e-9;

/* Hairs beside its limit at which a joint stands there, but for rounding: its root is beyond the limit by one. */
static const double at_limit = 10;

static double span_of(const dt_simulation *sim)
{
    return sim->settings.end - sim->settings.start;
}

/* A length that is lost in the rounding of t. */
static double lost(const dt_simulation *sim, double t)
{
    return 64 * DBL_EPSILON * (fabs(t) + span_of(sim));
}

/* ---- set-up ---- */

static bool can_change(const dt_simulation *sim)
{
    bool changes = false;
    for (int l = 0; l < sim->system.law_count; l++) {
        changes = changes || sim->system.law[l]->program->depends_on_time;
    }
    return changes;
}

bool dt_horizon_create(dt_arena *arena, dt_simulation *sim)
{
    dt_horizon_state *hz = &sim->horizon;
    const dt_system *s = &sim->system;
    const size_t pairs = (size_t)sim->roots.pair[DT_SOURCES];
    size_t operations = 0, variables = 0;
    hz->exists = can_change(sim) && !sim->fixed.exists; /* then nothing bounds steps */
    if (!hz->exists) {
        return true;
    }
    for (int l = 0; l < s->law_count; l++) {
        const dt_program *p = s->law[l]->program;
        operations =
            (size_t)p->operation_count > operations ? (size_t)p->operation_count : operations;
        variables = (size_t)p->variable_count > variables ? (size_t)p->variable_count : variables;
    }
#define TAKE(member, count) \
    ((hz->member = dt_arena_alloc(arena, (count), sizeof *hz->member)) != NULL)
    return TAKE(law, (size_t)s->law_count) && TAKE(force, (size_t)s->tree->node_count) &&
           TAKE(g0, pairs) && TAKE(g1, pairs) && TAKE(noise, (size_t)sim->ns) &&
           TAKE(limit, (size_t)sim->ns) && TAKE(variables, variables) &&
           TAKE(moving, (size_t)s->tree->node_count) && TAKE(operations, operations) &&
           TAKE(registers, operations) && TAKE(slots, variables) &&
           dt_spread_create(arena, s, &hz->value) && dt_spread_create(arena, s, &hz->rate) &&
           dt_spread_create(arena, s, &hz->bend);
#undef TAKE
}

void dt_horizon_restart(dt_simulation *sim)
{
    dt_horizon_state *hz = &sim->horizon;
    if (hz->exists) {
        dt_horizon_list(sim);
        hz->fresh = true;
        hz->from = hz->until = NAN;
        hz->for_ever = false;
        hz->least = 0;
    }
}

void dt_horizon_forget(dt_simulation *sim)
{
    sim->horizon.length = 0;
}

/* ---- the ends of the step ---- */

/*
 * The core at t with everything else as it is at the start. Friction is what the joints then need,
 * where nothing moves, or the stepper does not carry it.
 */
static void hold_until(dt_simulation *sim, double t)
{
    dt_system *s = sim->core;
    dt_blocks_enter(sim, t, sim->y);
    dt_system_set_acceleration(sim->core, dt_v_of(sim, sim->yp), dt_f_of(sim, sim->y));
    dt_system_forces(s);
    const bool known = sim->fresh || dt_carries_friction(sim);
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int node = s->mechanism->stictions[k].primitive, v = s->tree->nodes[node].v;
        if (!known || !sim->horizon.moving[node]) {
            s->f[k] = s->tau[v] - s->Q[v];
        }
    }
    dt_split_update(s);
    sim->reduction.way->update(sim);
}

/* Roots of stictions of the core, and of switches of a law, in a table as `fired`. */
static double (*locked_roots(const dt_simulation *sim, double (*g)[2]))[2]
{
    return g + sim->roots.pair[DT_SOURCE_STICTION];
}
static double (*law_roots(const dt_simulation *sim, const dt_law *law, double (*g)[2]))[2]
{
    return g + sim->roots.pair[DT_SOURCE_SWITCH] + law->branch;
}

/* Roots of the core there; those of joints that move are not asked for. */
static void evaluate_roots(dt_simulation *sim, double (*g)[2])
{
    dt_system *s = sim->core;
    const int stictions = s->mechanism->stiction_count;
    for (int k = 0; k < stictions; k++) {
        double limits[2];
        if (s->mode[k] == DETENT_LOCKED) {
            dt_roots_of_locked_watched(sim, k, locked_roots(sim, g)[k]);
            dt_system_limits(s, k, limits);
            sim->horizon.noise[k] = dt_roots_hair(sim, dt_whole_stiction(sim, k), limits);
        }
    }
    for (int l = 0; l < sim->horizon.count; l++) {
        const dt_horizon_law *of = &sim->horizon.law[l];
        if (of->is_watched) {
            dt_roots_of_law(s, of->law, law_roots(sim, of->law, g));
        }
    }
}

/* ---- what is shown ---- */

bool dt_horizon_passes(dt_horizon_trial *step, bool moves, double g0, double g1, dt_drift drift,
                       double noise)
{
    const double bend = dt_interval_times(step->h, drift.bend);
    if (moves) {
        const bool passes = drift.down <= 0.5 * g0 || bend <= fmax(g0, noise),
                   stands = g0 <= at_limit * noise;
        step->at_limit = step->at_limit || (!passes && stands);
        return passes || stands;
    }
    if (drift.down < g0 || bend <= noise) {
        return true;
    }
    if (!step->end) {
        step->undecided = isfinite(step->h);
        return step->undecided;
    }
    return 0.25 * bend < fmin(g0, g1) || bend <= fabs(g1 - g0);
}

static dt_drift sum(dt_drift a, dt_drift b)
{
    return (dt_drift){a.up + b.up, a.down + b.down, a.rate + b.rate, a.bend + b.bend};
}

static dt_drift negative(dt_drift a)
{
    return (dt_drift){a.down, a.up, a.rate, a.bend};
}

/* Of a force along a node: what it transmits, and the law along it. */
static dt_drift friction_drift(const dt_simulation *sim, int node)
{
    const dt_horizon_state *hz = &sim->horizon;
    dt_drift drift = negative(hz->force[node]);
    if (hz->loads) {
        const double value = dt_spread_force(sim->core, &hz->value, node);
        drift.up += value;
        drift.down += value;
        drift.rate += dt_spread_force(sim->core, &hz->rate, node);
        drift.bend += dt_spread_force(sim->core, &hz->bend, node);
    }
    return drift;
}

/* The friction of stiction k where the narrow ones of those that share with it keep theirs. */
static dt_drift shared_drift(const dt_simulation *sim, int k)
{
    const dt_system *s = sim->core;
    const dt_split_part *shares = dt_split_part_of(s, k);
    dt_drift drift = {0};
    if (!shares) {
        return friction_drift(sim, s->mechanism->stictions[k].primitive);
    }
    for (int i = shares->first; i < shares->first + shares->count; i++) {
        const int j = s->closure->split->member[i];
        const double burden = dt_split_burden(s, k, j), size = fabs(burden);
        if (burden == 0) {
            continue;
        }
        const dt_drift own = friction_drift(sim, s->mechanism->stictions[j].primitive);
        const dt_drift part = burden > 0 ? own : negative(own);
        drift = sum(drift, (dt_drift){size * part.up, size * part.down, size * part.rate,
                                      size * part.bend});
    }
    return drift;
}

/* Whether stiction k, locked, stays inside its limits where its test friction drifts; a stop that holds has no limit. */
static bool one_passes(const dt_simulation *sim, dt_horizon_trial *step, int k, dt_drift test)
{
    const dt_horizon_state *hz = &sim->horizon;
    const dt_drift *limit = hz->limit[k];
    const bool moving = hz->moving[sim->core->mechanism->stictions[k].primitive];
    const double *g0 = locked_roots(sim, hz->g0)[k], *g1 = locked_roots(sim, hz->g1)[k];
    double limits[2];
    dt_system_limits(sim->core, k, limits);
    return (isinf(limits[1]) || dt_horizon_passes(step, moving, g0[0], g1[0],
                                                  sum(limit[0], negative(test)), hz->noise[k])) &&
           (isinf(limits[0]) || dt_horizon_passes(step, moving, g0[1], g1[1],
                                                  sum(test, negative(limit[1])), hz->noise[k]));
}

/* `shared`: by one way to share a change, or each by itself: where either is inside, a loop holds. */
static bool all_pass(const dt_simulation *sim, dt_horizon_trial *step, bool shared)
{
    const dt_horizon_state *hz = &sim->horizon;
    dt_system *s = sim->core;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int node = s->mechanism->stictions[k].primitive;
        if (s->mode[k] != DETENT_LOCKED || (hz->reuses && !hz->moving[node])) {
            continue; /* what stays as it is has been shown to the end */
        }
        const bool own = dt_stiction_law(s, k, DT_STICTION_TEST)->program && !s->yielded[k];
        const dt_drift test = own      ? hz->limit[k][2]
                              : shared ? shared_drift(sim, k)
                                       : friction_drift(sim, node);
        if (!one_passes(sim, step, k, test)) {
            return false;
        }
    }
    return true;
}

static bool locked_pass(dt_simulation *sim, dt_horizon_trial *step)
{
    const bool undecided = step->undecided;
    if (all_pass(sim, step, false)) {
        return true;
    }
    step->undecided = undecided;
    if (!sim->core->closure || all_pass(sim, step, true)) {
        return sim->core->closure != NULL;
    }
    step->undecided = undecided;
    const bool pass = dt_split_burden_first(sim->core, true) && all_pass(sim, step, true);
    dt_split_burden_first(sim->core, false);
    return pass;
}

/*
 * Whether switch j of a law stands at its border but for what the tolerance makes of forces, or a stop leaves of them to others, where its law has the same value on both sides: what
 * abs, min or max compare is nothing, as the load of a mesh before a stop that takes all of it, and whatever else changes has no part in it.
 */
static bool stands_at_border(dt_simulation *sim, const dt_law *law, int j, double g0)
{
    const dt_system *s = sim->core;
    const double shared = s->closure && s->closure->split ? 1 / DT_SPLIT_FAR : 0,
                 hair = dt_program_jumps(law->program, j)
                            ? 0
                            : dt_switch_tolerance(sim, sim->core, law, j,
                                                  fmax(sim->settings.rtol, shared));
    return hair > 0 && g0 <= hair;
}

/* Switches of a law that are watched; its registers are evaluated anew. */
static bool switches_pass(dt_simulation *sim, dt_horizon_trial *step, const dt_horizon_law *of)
{
    const dt_program *p = of->law->program;
    double(*g0)[2] = law_roots(sim, of->law, sim->horizon.g0),
    (*g1)[2] = law_roots(sim, of->law, sim->horizon.g1);
    dt_horizon_registers(sim, of, step->t, step->t + step->h);
    for (int j = 0; j < p->switch_count; j++) {
        dt_series g[2];
        if (dt_instants_is_known(of->law, j)) {
            continue;
        }
        dt_program_enclose_roots(p, j, dt_law_branches(sim->core, of->law)[j].side, 2,
                                 sim->horizon.registers, g);
        for (int which = 0; which < 2; which++) {
            const dt_drift drift = dt_horizon_drift_of(&g[which], g0[j][which], step->h);
            if (!dt_horizon_passes(step, sim->horizon.moves, g0[j][which], g1[j][which], drift,
                                   0)) {
                if (!stands_at_border(sim, of->law, j, g0[j][which])) {
                    return false;
                }
                step->at_limit = true;
            }
        }
    }
    return true;
}

static bool laws_pass(dt_simulation *sim, dt_horizon_trial *step)
{
    const dt_horizon_state *hz = &sim->horizon;
    for (int k = 0; k < hz->count; k++) {
        if (hz->law[k].is_watched && !switches_pass(sim, step, &hz->law[k])) {
            return false;
        }
    }
    return true;
}

/* ---- the bound ---- */

/* Whether nothing is passed over from t to t + h; the core is at the start. */
static bool is_shown(dt_simulation *sim, double t, double h)
{
    dt_horizon_trial step = {.t = t, .h = h};
    if (!dt_horizon_drift(sim, t, h) || !locked_pass(sim, &step) || !laws_pass(sim, &step) ||
        !sim->reduction.way->passes(sim, &step)) {
        return false;
    }
    if (step.at_limit && !dt_horizon_understands(sim, t, h)) {
        return false;
    }
    if (!step.undecided || sim->horizon.reuses) {
        return !step.undecided;
    }
    hold_until(sim, t + h);
    evaluate_roots(sim, sim->horizon.g1);
    step.end = true;
    const bool shown =
        locked_pass(sim, &step) && laws_pass(sim, &step) && sim->reduction.way->passes(sim, &step);
    hold_until(sim, t);
    return shown;
}

typedef bool will_do(dt_simulation *simulation, double t, double h);

/*
 * Where even for ever is too long: somewhat more than the last time, or the whole run. The last time may have followed steps that had to be short
 * near the position that a leap is to lead over: all of it is tried.
 */
static double first_length(const dt_simulation *sim)
{
    const double last = sim->horizon.length, wanted = fmax(16 * last, sim->leap.span);
    return last > 0 && isfinite(last) ? fmin(wanted, span_of(sim)) : span_of(sim);
}

/* Halves h until it will do, or nothing is gained any more. */
static double find_length(dt_simulation *sim, double t, double h, will_do *test)
{
    dt_horizon_state *hz = &sim->horizon;
    const double dip = shortest_dip * sim->scale.time;
    const double shortest = fmax(hz->least, fmax(lost(sim, t), hz->moves ? dip : 0));
    while (!test(sim, t, h)) {
        if (h <= shortest) {
            hz->least = 2 * shortest;
            return h;
        }
        h = fmax(isinf(h) ? first_length(sim) : 0.5 * h, shortest);
        if (h < dip && test == is_shown) {
            return find_length(sim, t, span_of(sim), dt_horizon_understands);
        }
    }
    hz->least = 0;
    return h;
}

/* The roots of stictions at the end of the last step. */
static void take_roots(dt_simulation *sim)
{
    memcpy(locked_roots(sim, sim->horizon.g0),
           dt_source_values(sim, DT_SOURCE_STICTION, sim->graze.value[2]),
           (size_t)dt_source_length(sim, DT_SOURCE_STICTION) * sizeof(double));
}

/* The start of the step: state and roots, whoever has read what meanwhile. */
static void take_start(dt_simulation *sim, double t)
{
    if (!sim->fresh) {
        dt_solver_interpolate(sim->solver, t, 0);
        dt_solver_interpolate(sim->solver, t, 1);
    }
    hold_until(sim, t);
    evaluate_roots(sim, sim->horizon.g0);
    if (t == sim->graze.time[2]) {
        take_roots(sim); /* as exact as they are known */
    }
}

/* Where something moves: whether what is known does for the next step too, going by the last one. */
static bool goes_on(dt_simulation *sim, double t)
{
    dt_horizon_state *hz = &sim->horizon;
    const double left = hz->until - t;
    if (hz->for_ever) {
        return true;
    }
    if (hz->fresh || hz->needs_state || !(left >= 2 * dt_solver_last_step(sim->solver)) ||
        t != sim->graze.time[2]) {
        return false;
    }
    take_roots(sim);
    hz->reuses = true;
    const bool shown = is_shown(sim, t, left);
    hz->reuses = false;
    return shown;
}

/* Laws of time alone that go on at a constant rate for ever: no state makes a difference. */
static bool holds_for_ever(const dt_horizon_state *hz)
{
    bool for_ever = isinf(hz->until) && !hz->needs_state;
    for (int k = 0; k < hz->count && for_ever; k++) {
        for_ever = hz->law[k].drift.bend == 0;
    }
    return for_ever;
}

static void renew(dt_simulation *sim, double t)
{
    dt_horizon_state *hz = &sim->horizon;
    static const double ahead = 16;
    const double h = hz->fresh   ? INFINITY
                     : hz->moves ? ahead * dt_solver_last_step(sim->solver)
                                 : 2 * hz->length;
    take_start(sim, t);
    hz->length = find_length(sim, t, h, is_shown);
    hz->from = t;
    hz->until = t + hz->length;
    hz->fresh = false;
    hz->for_ever = holds_for_ever(hz);
}

double dt_horizon_bound(dt_simulation *sim)
{
    dt_horizon_state *hz = &sim->horizon;
    const double t = sim->reached;
    double bound = INFINITY;
    if (!hz->exists) {
        return INFINITY;
    }
    if (hz->is_unknown && sim->settings.max_step == 0) {
        bound = t + span_of(sim) / blind_steps;
    }
    if (hz->count == 0 || (hz->moves && !hz->bends)) {
        return bound;
    }
    if (hz->moves ? !goes_on(sim, t) : !(t >= hz->from && t < hz->until)) {
        renew(sim, t);
    }
    return fmin(bound, hz->until);
}
