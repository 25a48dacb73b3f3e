/*
 * What the laws of the core do over an interval of t, its state as it is: series (series.h) of all
 * that reads t, or the coordinate of a prescribed motion, or forces that such laws change.
 *
 * A law is *understood* over a step of length h where the integrator's formulas can see all of it.
 * With T_k = h^k max |f^(k)| / k! over the step, k = 1 .. 4, it is if
 *
 *   T_k <= e F for some k        it is a polynomial of degree k - 1 up to what does not count, or
 *   T_4 <= T_1, T_2 or T_3 / 20  its series decays: nothing narrower than the step is in it.
 *
 * F is the size of the forces that it adds to, e the relative tolerance of the integrator; or e F is
 * what changes a velocity by no more than the absolute tolerance within the step. Far from a narrow pulse the first holds, close to it the second, with steps that follow its width; in
 * between the step is halved. What depends on the state as well is held at the state of the start:
 * the integrator's own error control sees the rest.
 */
#include "integrator/core.h"

#include <float.h>
#include <math.h>

/** The part that the fourth term may be of the first ones. */
static const double decay = 0.05;

/** The angle, rad, that a prescribed motion may turn in a step: it changes the pose of what is locked. */
static const double longest_turn = 0.25;

/** Forces below are no forces: their squares underflow. */
static double underflow(void)
{
    return sqrt(DBL_MIN);
}

/* ---- the list ---- */

/** A variable that is known as a function of time, or that forces change. */
static bool reads_motion(const dt_system *s, dt_variable variable)
{
    return variable.kind >= DT_VARIABLE_POSITION && variable.kind <= DT_VARIABLE_ACCELERATION &&
           s->motion_law[dt_system_place(s, variable.index)].program;
}

static bool reads_force(dt_variable variable)
{
    return variable.kind >= DT_VARIABLE_FRICTION && variable.kind <= DT_VARIABLE_NORMAL_FORCE;
}

static bool turns(const dt_simulation *sim, const dt_horizon_law *of)
{
    return of->use == DT_HORIZON_MOTION && sim->core->tree->nodes[of->index].type->rotational;
}

/**
 * Whether a prescribed motion changes how others are loaded by more than its acceleration: a rotation
 * does, and a translation of something that is held by a joint, whose lever arms change.
 */
static bool changes_pose(const dt_simulation *sim, const dt_horizon_law *of)
{
    const dt_system *whole = &sim->system;
    bool changes = turns(sim, of);
    if (of->use != DT_HORIZON_MOTION || changes) {
        return changes;
    }
    int i = whole->tree->nodes[dt_whole_node(sim, of->index)].parent;
    for (; i >= 0 && !changes; i = whole->tree->nodes[i].parent) {
        changes = !whole->motion_law[i].program;
    }
    return changes;
}

static const dt_horizon_law *motion_of(const dt_horizon_state *hz, int node)
{
    for (int k = 0; k < hz->count && hz->law[k].use <= DT_HORIZON_MOTION; k++) {
        if (hz->law[k].use == DT_HORIZON_MOTION && hz->law[k].index == node) {
            return &hz->law[k];
        }
    }
    return NULL;
}

/** How a variable goes while nothing moves; what laws in the list make of it. */
static dt_pace pace_of(const dt_simulation *sim, dt_variable variable)
{
    const dt_horizon_state *hz = &sim->horizon;
    if (variable.kind == DT_VARIABLE_TIME) {
        return DT_PACE_STEADY;
    }
    if (reads_force(variable)) {
        const bool own =
            variable.kind == DT_VARIABLE_FRICTION || variable.kind == DT_VARIABLE_FORCE;
        return hz->loads || (own && hz->count > 0) ? DT_PACE_ANY : DT_PACE_CONSTANT;
    }
    if (!reads_motion(sim->core, variable)) {
        return DT_PACE_CONSTANT;
    }
    const dt_horizon_law *motion = motion_of(hz, dt_system_place(sim->core, variable.index));
    const dt_pace pace = motion ? motion->pace : DT_PACE_CONSTANT;
    return variable.kind != DT_VARIABLE_POSITION && pace == DT_PACE_STEADY ? DT_PACE_CONSTANT
                                                                           : pace;
}

/** A law as it stands in the list. */
static dt_horizon_law describe(dt_simulation *sim, const dt_law *law, dt_horizon_use use)
{
    dt_horizon_state *hz = &sim->horizon;
    const dt_program *p = law->program;
    dt_horizon_law of = {.law = law, .use = use, .is_pure = true, .from = NAN, .until = NAN};
    for (int k = 0; k < p->variable_count; k++) {
        const dt_variable variable = p->variables[k];
        of.reads_forces = of.reads_forces || reads_force(variable);
        of.is_pure =
            of.is_pure && (variable.kind == DT_VARIABLE_TIME || variable.kind == DT_VARIABLE_INPUT);
        hz->variables[k] = pace_of(sim, variable);
        of.changes = of.changes || hz->variables[k] != DT_PACE_CONSTANT;
    }
    of.pace = of.changes ? dt_program_pace(p, hz->variables, hz->operations) : DT_PACE_CONSTANT;
    return of;
}

/** Adds a law to the list if it can change while the state does not. */
static void list(dt_simulation *sim, const dt_law *law, dt_horizon_use use, int index,
                 int component)
{
    dt_horizon_state *hz = &sim->horizon;
    const dt_program *p = law->program;
    if (!p || p->is_constant || p->callback) {
        hz->has_callback = hz->has_callback || (p && p->callback);
        return;
    }
    dt_horizon_law of = describe(sim, law, use);
    of.is_watched = of.changes && dt_roots_has(law);
    if (of.pace == DT_PACE_CONSTANT && !of.is_watched) {
        return;
    }
    of.index = index;
    of.component = component;
    hz->law[hz->count++] = of;
    hz->loads = hz->loads ||
                (use <= DT_HORIZON_LOAD && (use != DT_HORIZON_MOTION || of.pace == DT_PACE_ANY));
    hz->bends = hz->bends || of.pace == DT_PACE_ANY || of.is_watched;
    hz->needs_state =
        hz->needs_state || hz->loads || of.is_watched || (of.pace == DT_PACE_ANY && !of.is_pure);
    hz->moves = hz->moves || changes_pose(sim, &of) ||
                (of.reads_forces && use <= DT_HORIZON_LOAD && hz->loads);
}

/** A law that reads what moves makes what it acts on move, as far as the roots are concerned. */
static bool reads_moving(const dt_simulation *sim, const dt_law *law)
{
    const dt_program *p = law->program;
    bool any = p && p->callback;
    for (int k = 0; p && k < p->variable_count && !any; k++) {
        const dt_variable variable = p->variables[k];
        any = variable.kind >= DT_VARIABLE_POSITION && variable.kind <= DT_VARIABLE_NORMAL_FORCE &&
              sim->horizon.moving[dt_system_place(sim->core, variable.index)];
    }
    return any;
}

/** The node next to the ground that a node of the core hangs on. */
static int root_of(const dt_tree *tree, int i)
{
    while (tree->nodes[i].parent >= 0) {
        i = tree->nodes[i].parent;
    }
    return i;
}

static void spread_motion(const dt_simulation *sim)
{
    const dt_tree *tree = sim->core->tree;
    bool *moving = sim->horizon.moving;
    for (int i = tree->node_count - 1; i >= 0; i--) { /* to the ground */
        const int parent = tree->nodes[i].parent;
        moving[parent < 0 ? i : parent] = moving[parent < 0 ? i : parent] || moving[i];
    }
    for (int i = 0; i < tree->node_count; i++) { /* and from there to all */
        moving[i] = moving[i] || (tree->nodes[i].parent >= 0 && moving[tree->nodes[i].parent]);
    }
}

/** Which nodes of the core are out of reach of what moves: they stay as they are. */
static void find_moving(dt_simulation *sim)
{
    dt_horizon_state *hz = &sim->horizon;
    const dt_system *s = sim->core;
    for (int i = 0; i < s->tree->node_count; i++) {
        hz->moving[i] = dt_moves(s, i);
    }
    for (int k = 0; k < hz->count; k++) {
        const int i = hz->law[k].index;
        if (changes_pose(sim, &hz->law[k])) {
            hz->moving[i] = true;
        } else if (hz->law[k].use == DT_HORIZON_LOAD && hz->law[k].reads_forces) {
            memset(hz->moving, true, (size_t)s->tree->node_count * sizeof *hz->moving);
        }
    }
    spread_motion(sim);
    for (int l = 0; l < s->mechanism->load_count; l++) {
        for (int c = 0; c < 6; c++) {
            const dt_load_laws *laws = &s->load_law[l];
            if (reads_moving(sim, c < 3 ? &laws->force[c] : &laws->torque[c - 3])) {
                hz->moving[root_of(s->tree, s->mechanism->loads[l].node)] = true;
            }
        }
    }
    spread_motion(sim);
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const dt_stiction_laws *laws = &s->stiction_law[k];
        const int i = s->mechanism->stictions[k].primitive;
        hz->moving[i] = hz->moving[i] || reads_moving(sim, &s->force_law[i]) ||
                        reads_moving(sim, &laws->kinetic) || reads_moving(sim, &laws->magnitude) ||
                        reads_moving(sim, &laws->forward) || reads_moving(sim, &laws->reverse) ||
                        reads_moving(sim, &laws->test);
    }
}

/** Loads, gravity and motions first, then the forces along the joints: who reads them comes later. */
void dt_horizon_list(dt_simulation *sim)
{
    dt_horizon_state *hz = &sim->horizon;
    dt_system *s = sim->core;
    const int loads = sim->mechanism->load_count;
    hz->count = 0;
    hz->loads = hz->has_callback = hz->moves = hz->needs_state = hz->bends = false;
    for (int k = 0; k < 3; k++) {
        list(sim, &s->gravity_law[k], DT_HORIZON_GRAVITY, k, 0);
    }
    for (int i = 0; i < s->tree->node_count; i++) {
        list(sim, &s->motion_law[i], DT_HORIZON_MOTION, i, 0);
        hz->moves = hz->moves || dt_moves(s, i);
    }
    for (int l = 0; l < loads; l++) {
        for (int c = 0; c < 6; c++) {
            const dt_load_laws *laws = &s->load_law[l];
            list(sim, c < 3 ? &laws->force[c] : &laws->torque[c - 3], DT_HORIZON_LOAD, l, c);
        }
    }
    for (int i = 0; i < s->tree->node_count; i++) {
        list(sim, &s->force_law[i], DT_HORIZON_FORCE, i, 0);
    }
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const dt_stiction_laws *laws = &s->stiction_law[k];
        list(sim, &laws->kinetic, DT_HORIZON_KINETIC, k, 0);
        list(sim, &laws->magnitude, DT_HORIZON_MAGNITUDE, k, 0);
        list(sim, &laws->forward, DT_HORIZON_FORWARD, k, 0);
        list(sim, &laws->reverse, DT_HORIZON_REVERSE, k, 0);
        list(sim, &laws->test, DT_HORIZON_TEST, k, 0);
    }
    find_moving(sim);
}

/** Whether the law acts on what the integrator has to integrate. */
static bool acts_on_motion(const dt_simulation *sim, const dt_horizon_law *of)
{
    const dt_system *s = sim->core;
    switch (of->use) {
    case DT_HORIZON_GRAVITY:
    case DT_HORIZON_LOAD:
        return sim->horizon.moves;
    case DT_HORIZON_MOTION: /* its work is integrated, at least */
        return true;
    case DT_HORIZON_FORCE:
        return dt_moves(s, of->index);
    case DT_HORIZON_KINETIC:
        return s->mode[of->index] != DETENT_LOCKED;
    default:
        return false;
    }
}

/* ---- the series of a law ---- */

/** A reading that other laws change: what it is, give or take. */
static void force_slot(const dt_simulation *sim, dt_variable variable, dt_series *slot)
{
    const dt_horizon_state *hz = &sim->horizon;
    const dt_system *s = sim->core;
    const int i = dt_system_place(s, variable.index);
    double drift[2] = {0, 0};
    const dt_spread *const spread[2] = {&hz->value, &hz->rate};
    for (int k = 0; k < 2; k++) {
        double force = 0, torque = 0,
               own = k == 0 ? fmax(hz->force[i].up, hz->force[i].down) : hz->force[i].rate;
        if (hz->loads) {
            dt_spread_reaction(s, spread[k], i, &force, &torque);
            own += variable.kind == DT_VARIABLE_FRICTION ? dt_spread_force(s, spread[k], i) : 0;
        }
        const bool is_own =
            variable.kind == DT_VARIABLE_FRICTION || variable.kind == DT_VARIABLE_FORCE;
        const bool is_torque = variable.kind == DT_VARIABLE_REACTION_TORQUE ||
                               (variable.kind >= DT_VARIABLE_REACTION_TORQUE_X &&
                                variable.kind <= DT_VARIABLE_REACTION_TORQUE_Z);
        drift[k] = is_own ? own : is_torque ? torque : force;
    }
    if (drift[0] > 0 || drift[1] > 0) {
        const double x = slot->c[0].lo;
        dt_series_unknown(DT_HORIZON_ORDER, slot);
        slot->c[0] = (dt_interval){x - drift[0], x + drift[0]};
        slot->c[1] = (dt_interval){-drift[1], drift[1]};
    }
}

/** A coordinate of a prescribed motion. */
static void motion_slot(const dt_simulation *sim, dt_variable variable, dt_series *slot)
{
    const int node = dt_system_place(sim->core, variable.index);
    const dt_horizon_law *motion = motion_of(&sim->horizon, node);
    if (motion) {
        *slot = variable.kind == DT_VARIABLE_POSITION   ? motion->place
                : variable.kind == DT_VARIABLE_VELOCITY ? motion->speed
                                                        : motion->series;
    }
}

static void fill_slots(dt_simulation *sim, const dt_horizon_law *of, double a, double b)
{
    dt_horizon_state *hz = &sim->horizon;
    const dt_system *s = sim->core;
    const dt_program *p = of->law->program;
    for (int k = 0; k < p->variable_count; k++) {
        dt_series *slot = &hz->slots[k];
        const dt_variable variable = p->variables[k];
        if (variable.kind == DT_VARIABLE_TIME) {
            dt_series_constant(0, DT_SERIES_ORDER, slot);
            slot->c[0] = (dt_interval){a, b};
            slot->c[1] = dt_interval_point(1);
            continue;
        }
        dt_series_constant(dt_system_variable(s, variable, of->law->stiction), DT_SERIES_ORDER,
                           slot);
        if (reads_force(variable) && of->use > DT_HORIZON_LOAD) {
            force_slot(sim, variable, slot);
        } else if (reads_motion(s, variable)) {
            motion_slot(sim, variable, slot);
        }
    }
}

/** The series of f^(m) from that of f: c_k of it is (k + 1) .. (k + m) c_(k+m). */
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
    const int order = of->use == DT_HORIZON_MOTION ? DT_HORIZON_ORDER + 2
                      : acts_on_motion(sim, of)    ? DT_HORIZON_ORDER
                                                   : 2;
    fill_slots(sim, of, a, b);
    dt_program_enclose(p, hz->slots, dt_law_branches(sim->core, of->law), order, false,
                       hz->registers);
}

/** Kinetic friction counts where a joint moves, or has yielded; limits where it is locked by them. */
static bool is_in_effect(const dt_simulation *sim, const dt_horizon_law *of)
{
    const dt_system *s = sim->core;
    return of->use < DT_HORIZON_KINETIC ||
           (of->use == DT_HORIZON_KINETIC) ==
               (s->mode[of->index] != DETENT_LOCKED || s->yielded[of->index]);
}

/** The node of the core that a law along a joint belongs to. */
static int node_of(const dt_simulation *sim, const dt_horizon_law *of)
{
    return of->use >= DT_HORIZON_KINETIC ? sim->core->mechanism->stictions[of->index].primitive
                                         : of->index;
}

/** The size of the forces that a law adds to. */
static double size_of(const dt_simulation *sim, const dt_horizon_law *of)
{
    const dt_system *s = sim->core;
    int i = of->index;
    switch (of->use) {
    case DT_HORIZON_GRAVITY:
        return dt_norm3(s->gravity);
    case DT_HORIZON_MOTION:
        return fabs(s->a[s->tree->nodes[i].v]);
    case DT_HORIZON_LOAD:
        if (i >= s->mechanism->load_count) {
            return 0;
        }
        const double *F = s->F[s->mechanism->loads[i].node], *W = s->load_wrench[i];
        return of->component < 3 ? dt_norm3(F + 3) + dt_norm3(W + 3) : dt_norm3(F) + dt_norm3(W);
    default:
        i = node_of(sim, of);
        break;
    }
    const int v = s->tree->nodes[i].v, k = s->mechanism->primitives[i].stiction;
    return fabs(s->tau[v]) + fabs(s->Q[v]) + (k >= 0 ? fabs(s->f[k]) : 0);
}

/** What a change of a law along a joint needs at least to be seen: times h, a velocity that is more than nothing. */
static double slight_along(const dt_simulation *sim, const dt_horizon_law *of)
{
    const dt_system *s = sim->core;
    const int i = node_of(sim, of);
    const double hair = dt_velocity_hair(sim, dt_whole_node(sim, i));
    double momentum[6];
    if (of->use == DT_HORIZON_MOTION) {
        return hair; /* it is an acceleration */
    }
    /* the body alone: what hangs on it only adds to its inertia */
    dt_inertia_apply(momentum, &s->motion[i].I, s->motion[i].S[0]);
    return hair * fmax(0, dt_dot6(momentum, s->motion[i].S[0]) + s->tree->nodes[i].armature);
}

/** The same of gravity, or of a load. */
static double slight_in_space(const dt_simulation *sim, const dt_horizon_law *of)
{
    const dt_system *s = sim->core;
    const dt_scale *scale = &sim->scale;
    const double hair = dt_velocity_nothing(sim, scale->length / scale->time);
    if (of->use == DT_HORIZON_GRAVITY) {
        return hair;
    }
    if (of->index >= s->mechanism->load_count) {
        return 0; /* it only loads joints that are welded to the ground */
    }
    const dt_node *node = &s->tree->nodes[s->mechanism->loads[of->index].node];
    const double *J = node->inertia;
    return of->component < 3
               ? hair * node->mass
               : dt_velocity_nothing(sim, 1 / scale->time) * fmin(fmin(J[0], J[1]), J[2]);
}

static double slight(const dt_simulation *sim, const dt_horizon_law *of)
{
    return of->use == DT_HORIZON_GRAVITY || of->use == DT_HORIZON_LOAD ? slight_in_space(sim, of)
                                                                       : slight_along(sim, of);
}

/** Whether a series decays, or is a polynomial up to `part` (see above). */
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

/** A motion that changes the pose: so are place and speed. */
static bool understands_pose(const dt_simulation *sim, const dt_horizon_law *of, double h)
{
    const double place = fmax(sim->rtol * dt_interval_size(of->place.c[0]), underflow()),
                 speed = fmax(sim->rtol * dt_interval_size(of->speed.c[0]), underflow());
    return is_understood(&of->place, h, place) && is_understood(&of->speed, h, speed) &&
           (!turns(sim, of) ||
            dt_interval_times(h, dt_interval_size(of->place.c[1])) <= longest_turn);
}

static bool understands(const dt_simulation *sim, const dt_horizon_law *of, double h)
{
    const double part = fmax(fmax(sim->rtol * size_of(sim, of), slight(sim, of) / h), underflow());
    return is_understood(&of->series, h, part) &&
           (!changes_pose(sim, of) || understands_pose(sim, of, h));
}

/** Whether the law is known over [a, b] already, or over more where that will do. */
static bool is_known(const dt_horizon_state *hz, const dt_horizon_law *of, double a, double b)
{
    return of->is_pure && a >= of->from && b <= of->until &&
           (hz->reuses || dt_series_is_constant(&of->series, 1));
}

/** The series over [a, b]. */
static void enclose(dt_simulation *sim, dt_horizon_law *of, double a, double b)
{
    const dt_horizon_state *hz = &sim->horizon;
    dt_horizon_registers(sim, of, a, b);
    of->series = hz->registers[of->law->program->operation_count - 1];
    if (of->use == DT_HORIZON_MOTION) {
        of->place = of->series;
        derivative(&of->place, 1, &of->speed);
        derivative(&of->place, 2, &of->series);
    }
    of->from = a;
    of->until = b;
    of->understood = of->reads_forces || !acts_on_motion(sim, of) || understands(sim, of, b - a);
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

/** The value at the start of the step; NAN where the core is not there. */
static double value_now(dt_simulation *sim, const dt_horizon_law *of)
{
    const int k = of->law->stiction;
    return sim->horizon.reuses || of->use == DT_HORIZON_MOTION || of->use == DT_HORIZON_KINETIC
               ? NAN
               : dt_law_value(sim->core, of->law, k < 0 ? 0 : sim->core->direction[k]);
}

/** Whether a law is only asked for by a joint that stays as it is: then its changes count, not its bends alone. */
static bool rests(const dt_simulation *sim, const dt_horizon_law *of)
{
    return of->use >= DT_HORIZON_FORCE && !sim->horizon.moving[node_of(sim, of)];
}

/** The drifts of what acts on the bodies, to the spreads. */
static void spread_law(dt_horizon_state *hz, const dt_horizon_law *of)
{
    dt_spread *const spread[3] = {&hz->value, &hz->rate, &hz->bend};
    const double drift[3] = {fmax(of->drift.up, of->drift.down), of->drift.rate, of->drift.bend};
    for (int k = 0; k < 3; k++) {
        switch (of->use) {
        case DT_HORIZON_GRAVITY:
            spread[k]->gravity[of->index] = drift[k];
            break;
        case DT_HORIZON_MOTION:
            spread[k]->motion[of->index] = drift[k];
            break;
        default:
            spread[k]->load[of->index][of->component] = drift[k];
            break;
        }
    }
}

static void note_drift(dt_horizon_state *hz, const dt_horizon_law *of)
{
    dt_drift *limit = hz->limit[of->index];
    switch (of->use) {
    case DT_HORIZON_FORCE:
        hz->force[of->index] = of->drift;
        break;
    case DT_HORIZON_KINETIC: /* of a joint that has yielded */
    case DT_HORIZON_MAGNITUDE:
        limit[0] = of->drift; /* the limits are this and minus this */
        limit[1] = (dt_drift){of->drift.down, of->drift.up, of->drift.rate, of->drift.bend};
        break;
    case DT_HORIZON_REVERSE:
        limit[0] = of->drift;
        break;
    case DT_HORIZON_FORWARD:
        limit[1] = of->drift;
        break;
    case DT_HORIZON_TEST:
        limit[2] = of->drift;
        break;
    default:
        spread_law(hz, of);
        break;
    }
}

static void sweep(dt_simulation *sim)
{
    dt_horizon_state *hz = &sim->horizon;
    dt_spread *const spread[3] = {&hz->value, &hz->rate, &hz->bend};
    for (int k = 0; k < 3 && hz->loads; k++) {
        dt_spread_sweep(sim->core, spread[k]);
        if (sim->welding) {
            dt_spread_bundles(sim->welding, spread[k]);
        }
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
        if (of->use > DT_HORIZON_LOAD && !swept) {
            sweep(sim);
            swept = true;
        }
        if (!is_in_effect(sim, of)) {
            continue;
        }
        if (hz->moves && of->pace == DT_PACE_STEADY && !rests(sim, of)) {
            of->drift = (dt_drift){.up = INFINITY, .down = INFINITY, .rate = INFINITY};
            note_drift(hz, of);
            continue;
        }
        if (!is_known(hz, of, t, t + h)) {
            enclose(sim, of, t, t + h);
        }
        if (!of->understood) {
            return false;
        }
        of->drift = dt_horizon_drift_of(&of->series, value_now(sim, of), h);
        note_drift(hz, of);
    }
    if (!swept) {
        sweep(sim);
    }
    return true;
}
