/*
 * What the laws of the core do over an interval of t, its state as it is: series (series.h) of those
 * that are listed (horizon_list.c).
 *
 * A law is *understood* over a step of length h where the integrator's formulas can see all of it.
 * With T_k = h^k max |f^(k)| / k! over the step, k = 1 .. 4, it is if
 *
 *   T_k <= e F for some k        it is a polynomial of degree k - 1 up to what does not count, or
 *   T_4 <= T_1, T_2 or T_3 / 20  its series decays: nothing narrower than the step is in it.
 *
 * F is the size of the forces that it adds to, e the relative tolerance of the integrator; or e F is
 * what changes a velocity by no more than the absolute tolerance within the step. Far from a narrow
 * pulse the first holds, close to it the second, with steps that follow its width; in between the
 * step is halved. What depends on the state as well is held at the state of the start: the
 * integrator's own error control sees the rest.
 */
#include "dynamics/element.h"
#include "integrator/core.h"
#include "integrator/horizon.h"
#include "integrator/weights.h"
#include "model/multiplier.h"

#include <float.h>
#include <math.h>

/* The part that the fourth term may be of the first ones. */
static const double decay = 0.05;

/* The angle, rad, that a prescribed motion may turn in a step: it changes the pose of what is locked. */
static const double longest_turn = 0.25;

/* Forces below are no forces: their squares underflow. */
static double underflow(void)
{
    return sqrt(DBL_MIN);
}

/* Whether the law acts on what the integrator has to integrate. */
static bool acts_on_motion(const dt_simulation *sim, const dt_horizon_law *of)
{
    const dt_system *s = sim->core;
    if (sim->horizon.judges_all) {
        return true;
    }
    if (dt_law_is(of->law, DT_LAW_IS_BODILY)) {
        return sim->horizon.moves;
    }
    if (dt_law_is(of->law, DT_LAW_IS_RUBBING)) {
        return dt_law_is(of->law, DT_LAW_IS_KINETIC) && s->mode[of->law->owner] != DETENT_LOCKED;
    }
    /* the work of a motion is integrated, at least, and so is what has a rate */
    return !dt_law_is(of->law, DT_LAW_IS_PUSH) || dt_moves(s, dt_law_node(s, of->law));
}

/* ---- the series of a law ---- */

/* What acts along all joints, as forces, to what a slot does: k = 0 its change, 1 its rate. */
static double all_forces(const dt_simulation *sim, int k)
{
    const dt_horizon_state *hz = &sim->horizon;
    const dt_tree *tree = sim->core->tree;
    double sum = 0;
    for (int i = 0; i < tree->node_count; i++) {
        const double own = k == 0 ? fmax(hz->force[i].up, hz->force[i].down) : hz->force[i].rate;
        sum += own > 0 && tree->nodes[i].type->rotational ? own / sim->core->length : own;
    }
    return sum;
}

/*
 * What the force along a joint may change by while its friction stays nothing: what presses against its stop is the stop's.
 * Where something moves that may take half of it, as of any root.
 */
static double pressing(const dt_simulation *sim, dt_variable variable, int node)
{
    const dt_system *s = sim->core;
    const int k = s->mechanism->primitives[node].stiction;
    if (!dt_variable_is(variable, DT_OF_FRICTION) || k < 0 || !dt_system_stop_presses(s, k)) {
        return 0;
    }
    return (sim->horizon.moving[node] ? 0.5 : 1) * fabs(s->f[k]);
}

/* A reading that other laws change: what it is, give or take. */
static void force_slot(const dt_simulation *sim, dt_variable variable, dt_series *slot)
{
    const dt_horizon_state *hz = &sim->horizon;
    const dt_system *s = sim->core;
    const bool coupled = dt_variable_is(variable, DT_OF_COUPLINGS); /* as the force along a joint */
    const dt_multiplier of =
        coupled ? dt_multiplier_of(s->mechanism, variable) : (dt_multiplier){.along = true};
    const int i = dt_system_place(s, coupled ? of.node : variable.index);
    double drift[2] = {0, 0};
    const dt_spread *const spread[2] = {&hz->value, &hz->rate};
    for (int k = 0; k < 2; k++) {
        double force = 0, torque = 0,
               own = k == 0 ? fmax(hz->force[i].up, hz->force[i].down) : hz->force[i].rate;
        if (hz->loads) {
            dt_spread_reaction(s, spread[k], i, &force, &torque);
            own += dt_variable_is(variable, DT_OF_FRICTION) ? dt_spread_force(s, spread[k], i) : 0;
        }
        const bool is_own =
            dt_variable_is(variable, DT_OF_FRICTION | DT_OF_EFFORT | DT_OF_COUPLINGS);
        drift[k] = !of.along ? force + all_forces(sim, k)
                   : is_own  ? own
                             : dt_reading_reach(s, variable, force, torque);
    }
    const double spare = pressing(sim, variable, i);
    if (spare > 0 && drift[0] <= spare) {
        return;
    }
    drift[0] -= spare;
    if (drift[0] > 0 || drift[1] > 0) {
        const double x = slot->c[0].lo;
        dt_series_unknown(DT_HORIZON_ORDER, slot);
        slot->c[0] = (dt_interval){x - drift[0], x + drift[0]};
        slot->c[1] = (dt_interval){-drift[1], drift[1]};
    }
}

/* A coordinate of a prescribed motion. */
static void motion_slot(const dt_simulation *sim, dt_variable variable, dt_series *slot)
{
    const int node = dt_system_place(sim->core, variable.index);
    const dt_horizon_law *motion = dt_horizon_motion_of(sim, node);
    if (motion) {
        *slot = dt_variable_is(variable, DT_OF_POSITIONS)    ? motion->place
                : dt_variable_is(variable, DT_OF_VELOCITIES) ? motion->speed
                                                             : motion->series;
    }
}

static void fill_slots(dt_simulation *sim, const dt_horizon_law *of, double a, double b)
{
    dt_horizon_state *hz = &sim->horizon;
    const dt_system *s = sim->core;
    const dt_program *p = of->law->program;
    /* laws are understood at the forces that there are; a joint that holds has to bear what changes */
    const bool held = dt_law_is(of->law, DT_LAW_IS_SPREAD) || acts_on_motion(sim, of);
    for (int k = 0; k < p->variable_count; k++) {
        dt_series *slot = &hz->slots[k];
        const dt_variable variable = p->variables[k];
        if (dt_variable_is(variable, DT_OF_TIME)) {
            dt_series_constant(0, DT_SERIES_ORDER, slot);
            slot->c[0] = (dt_interval){a, b};
            slot->c[1] = dt_interval_point(1);
            continue;
        }
        dt_series_constant(dt_system_variable(s, variable, dt_law_stiction(s, of->law)),
                           DT_SERIES_ORDER, slot);
        if (dt_horizon_reads_force(variable) && !held) {
            force_slot(sim, variable, slot);
        } else if (dt_horizon_reads_motion(s, variable)) {
            motion_slot(sim, variable, slot);
        }
    }
}

/* The series of f^(m) from that of f: c_k of it is (k + 1) .. (k + m) c_(k+m). */
static void derivative(const dt_series *f, int m, dt_series *y)
{
    for (int k = 0; k <= DT_HORIZON_ORDER; k++) {
        double factor = 1;
        for (int j = 1; j <= m; j++) {
            factor *= k + j;
        }
        y->c[k] = dt_interval_scale(factor, f->c[k + m]);
    }
}

void dt_horizon_registers(dt_simulation *sim, const dt_horizon_law *of, double a, double b)
{
    dt_horizon_state *hz = &sim->horizon;
    const dt_program *p = of->law->program;
    const int order = dt_law_is(of->law, DT_LAW_IS_PLACE) ? DT_HORIZON_ORDER + 2
                      : acts_on_motion(sim, of)           ? DT_HORIZON_ORDER
                                                          : 2;
    fill_slots(sim, of, a, b);
    dt_program_enclose(p, hz->slots, dt_law_branches(sim->core, of->law), order, false,
                       hz->registers);
}

/* Kinetic friction counts where a joint moves, or has yielded; limits where it is locked by them. */
static bool is_in_effect(const dt_simulation *sim, const dt_horizon_law *of)
{
    const dt_system *s = sim->core;
    return !dt_law_is(of->law, DT_LAW_IS_BOUND | DT_LAW_IS_TEST) ||
           dt_law_is(of->law, DT_LAW_IS_KINETIC) ==
               (s->mode[of->law->owner] != DETENT_LOCKED || s->yielded[of->law->owner]);
}

/* A change of velocity, or of a state, that is nothing. */
static double hair_of(const dt_simulation *sim, const dt_law *law, dt_effect effect)
{
    const dt_scale *scale = &sim->scale;
    switch (effect) {
    case DT_EFFECT_LINEAR:
        return dt_velocity_nothing(sim, scale->length / scale->time);
    case DT_EFFECT_ANGULAR:
        return dt_velocity_nothing(sim, 1 / scale->time);
    case DT_EFFECT_STATE:
        return dt_state_nothing(sim, (int)law->owner);
    case DT_EFFECT_KEPT:
        return 0;
    default:
        return dt_velocity_hair(sim, dt_whole_node(sim, dt_law_node(sim->core, law)));
    }
}

/* What of a law does not count in a step: of the forces that it adds to, or because it moves nothing. */
static double negligible(dt_simulation *sim, const dt_horizon_law *of, double h)
{
    dt_law_effect effect;
    dt_law_effect_of(sim->core, of->law, &effect);
    const double slight = hair_of(sim, of->law, effect.of) * effect.inertia;
    return fmax(fmax(sim->rtol * effect.size, slight / h), underflow());
}

/* Whether a series decays, or is a polynomial up to `part` (see above). */
static bool is_understood(const dt_series *f, double h, double part)
{
    double term[DT_HORIZON_ORDER + 1] = {0}, power = 1, most = 0;
    for (int k = 1; k <= DT_HORIZON_ORDER; k++) {
        power *= h;
        term[k] = dt_interval_times(power, dt_interval_size(f->c[k]));
        if (term[k] <= part) {
            return true;
        }
        most = k < DT_HORIZON_ORDER ? fmax(most, term[k]) : most;
    }
    return term[DT_HORIZON_ORDER] <= decay * most && isfinite(most);
}

/* A motion that changes the pose: so are place and speed. */
static bool understands_pose(const dt_simulation *sim, const dt_horizon_law *of, double h)
{
    const double place = fmax(sim->rtol * dt_interval_size(of->place.c[0]), underflow()),
                 speed = fmax(sim->rtol * dt_interval_size(of->speed.c[0]), underflow());
    return is_understood(&of->place, h, place) && is_understood(&of->speed, h, speed) &&
           (!of->turns || dt_interval_times(h, dt_interval_size(of->place.c[1])) <= longest_turn);
}

static bool understands(dt_simulation *sim, const dt_horizon_law *of, double h)
{
    return is_understood(&of->series, h, negligible(sim, of, h)) &&
           (!of->changes_pose || understands_pose(sim, of, h));
}

/* Whether the law is known over [a, b] already, or over more where that will do. */
static bool is_known(const dt_horizon_state *hz, const dt_horizon_law *of, double a, double b)
{
    return of->is_pure && a >= of->from && b <= of->until &&
           (hz->reuses || dt_series_is_constant(&of->series, 1));
}

/* From a speed: the place goes on from where it is, whoever asks. */
static void integrate(const dt_simulation *sim, dt_horizon_law *of, double h)
{
    const dt_system *s = sim->core;
    const double now = s->q[s->tree->nodes[dt_law_node(s, of->law)].q];
    const dt_interval way = dt_interval_scale(h, of->speed.c[0]);
    dt_series_constant(now, DT_HORIZON_ORDER, &of->place);
    of->place.c[0] = (dt_interval){now + fmin(way.lo, 0), now + fmax(way.hi, 0)};
    for (int k = 1; k <= DT_HORIZON_ORDER; k++) {
        of->place.c[k] = dt_interval_scale(1.0 / k, of->speed.c[k - 1]);
    }
}

/* Place, speed and acceleration from the series of the law, which is a place or a speed. */
static void split_motion(const dt_simulation *sim, dt_horizon_law *of, double h)
{
    if (dt_is_driven_by_speed(sim->core, dt_law_node(sim->core, of->law))) {
        const dt_series law = of->series;
        derivative(&law, 0, &of->speed);
        derivative(&law, 1, &of->series);
        integrate(sim, of, h);
        return;
    }
    of->place = of->series;
    derivative(&of->place, 1, &of->speed);
    derivative(&of->place, 2, &of->series);
}

/* The series over [a, b]. */
static void enclose(dt_simulation *sim, dt_horizon_law *of, double a, double b)
{
    const dt_horizon_state *hz = &sim->horizon;
    dt_horizon_registers(sim, of, a, b);
    of->series = hz->registers[of->law->program->operation_count - 1];
    if (dt_law_is(of->law, DT_LAW_IS_PLACE)) {
        split_motion(sim, of, b - a);
    }
    of->from = a;
    of->until = b;
    of->understood = !acts_on_motion(sim, of) || understands(sim, of, b - a);
}

/* ---- what follows for a step ---- */

static double width(dt_interval a)
{
    return a.hi - a.lo;
}

dt_drift dt_horizon_drift_of(const dt_series *f, double now, double h)
{
    const double rate = dt_interval_size(f->c[1]), second = 2 * dt_interval_size(f->c[2]);
    const double most = fmin(width(f->c[0]), dt_interval_times(h, rate));
    return (dt_drift){.up = isnan(now) ? most : fmin(most, fmax(f->c[0].hi - now, 0)),
                      .down = isnan(now) ? most : fmin(most, fmax(now - f->c[0].lo, 0)),
                      .rate = rate,
                      .bend = fmin(width(f->c[1]), dt_interval_times(h, second))};
}

/* The value at the start of the step; NAN where the core is not there. */
static double value_now(dt_simulation *sim, const dt_horizon_law *of)
{
    const int k = dt_law_stiction(sim->core, of->law);
    return sim->horizon.reuses || dt_law_is(of->law, DT_LAW_IS_PLACE | DT_LAW_IS_KINETIC)
               ? NAN
               : dt_law_value(sim->core, of->law, k < 0 ? 0 : sim->core->direction[k]);
}

/* Whether a law is only asked for by a joint that stays as it is: then its changes count, not its bends alone. */
static bool rests(const dt_simulation *sim, const dt_horizon_law *of)
{
    return dt_law_is(of->law, DT_LAW_IS_ALONG) && !dt_law_is(of->law, DT_LAW_IS_PLACE) &&
           !sim->horizon.moving[dt_law_node(sim->core, of->law)];
}

/* The drifts of what acts on the bodies, to the spreads. */
static void spread_law(dt_horizon_state *hz, const dt_horizon_law *of)
{
    dt_spread *const spread[3] = {&hz->value, &hz->rate, &hz->bend};
    const double drift[3] = {fmax(of->drift.up, of->drift.down), of->drift.rate, of->drift.bend};
    for (int k = 0; k < 3; k++) {
        *dt_law_kinds[of->law->role].element->spread(spread[k], of->law) = drift[k];
    }
}

/* Adds up what acts along a joint. */
static void add_drift(dt_drift *sum, dt_drift drift)
{
    sum->up += drift.up, sum->down += drift.down;
    sum->rate += drift.rate, sum->bend += drift.bend;
}

/* A law that bounds friction from both sides does so from below by its negative. */
static void note_bound(dt_drift limit[3], const dt_horizon_law *of)
{
    const bool upper = dt_law_is(of->law, DT_LAW_IS_UPPER);
    if (upper) {
        limit[0] = of->drift;
    }
    if (dt_law_is(of->law, DT_LAW_IS_LOWER)) {
        limit[1] = upper ? (dt_drift){of->drift.down, of->drift.up, of->drift.rate, of->drift.bend}
                         : of->drift;
    }
    if (dt_law_is(of->law, DT_LAW_IS_TEST)) {
        limit[2] = of->drift;
    }
}

/* What reads states counts as moving: of their derivatives nothing is noted. */
static void note_drift(dt_simulation *sim, const dt_horizon_law *of)
{
    dt_horizon_state *hz = &sim->horizon;
    if (dt_law_is(of->law, DT_LAW_IS_SPREAD)) {
        spread_law(hz, of);
    } else if (dt_law_is(of->law, DT_LAW_IS_RUBBING)) {
        note_bound(hz->limit[of->law->owner], of);
    } else if (dt_law_is(of->law, DT_LAW_IS_PUSH)) {
        add_drift(&hz->force[dt_law_node(sim->core, of->law)], of->drift);
    }
}

static void sweep(dt_simulation *sim)
{
    dt_horizon_state *hz = &sim->horizon;
    dt_spread *const spread[3] = {&hz->value, &hz->rate, &hz->bend};
    for (int k = 0; k < 3 && hz->loads; k++) {
        dt_spread_sweep(sim->core, spread[k]);
    }
    if (hz->loads) {
        sim->reduction.way->spread(sim);
    }
}

static void clear_spreads(dt_simulation *sim)
{
    dt_horizon_state *hz = &sim->horizon;
    dt_spread *const spread[3] = {&hz->value, &hz->rate, &hz->bend};
    memset(hz->force, 0, (size_t)sim->core->tree->node_count * sizeof *hz->force);
    memset(hz->limit, 0, (size_t)sim->core->mechanism->stiction_count * sizeof *hz->limit);
    for (int k = 0; k < 3 && hz->loads; k++) {
        dt_spread_clear(sim->core, spread[k]);
        memset(spread[k]->load, 0, (size_t)sim->mechanism->load_count * sizeof *spread[k]->load);
    }
}

bool dt_horizon_drift(dt_simulation *sim, double t, double h)
{
    dt_horizon_state *hz = &sim->horizon;
    bool swept = false;
    clear_spreads(sim);
    for (int k = 0; k < hz->count; k++) {
        dt_horizon_law *of = &hz->law[k];
        if (!dt_law_is(of->law, DT_LAW_IS_SPREAD) && !swept) {
            sweep(sim);
            swept = true;
        }
        if (!is_in_effect(sim, of)) {
            continue;
        }
        if (hz->moves && of->pace == DT_PACE_STEADY && !rests(sim, of)) {
            of->drift = (dt_drift){.up = INFINITY, .down = INFINITY, .rate = INFINITY};
            note_drift(sim, of);
            continue;
        }
        if (!is_known(hz, of, t, t + h)) {
            enclose(sim, of, t, t + h);
        }
        if (!of->understood) {
            return false;
        }
        of->drift = dt_horizon_drift_of(&of->series, value_now(sim, of), h);
        note_drift(sim, of);
    }
    if (!swept) {
        sweep(sim);
    }
    return true;
}

bool dt_horizon_understands(dt_simulation *sim, double t, double h)
{
    dt_horizon_state *hz = &sim->horizon;
    bool understood = true;
    hz->judges_all = true;
    for (int k = 0; k < hz->count && understood; k++) {
        dt_horizon_law of = hz->law[k];
        if (is_in_effect(sim, &of)) {
            enclose(sim, &of, t, t + h);
            understood = of.understood;
        }
    }
    hz->judges_all = false;
    return understood;
}
