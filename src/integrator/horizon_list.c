/*
 * Which laws of the core can change while its state does not: those that read t, or the coordinate of a
 * prescribed motion, or forces that such laws change; and how far what moves reaches. Nodes that hang
 * together, by whatever joints, move together; others move only for the joints and bodies whose laws
 * read those that do.
 */
#include "integrator/core.h"

bool dt_horizon_reads_motion(const dt_system *s, dt_variable variable)
{
    return variable.kind >= DT_VARIABLE_POSITION && variable.kind <= DT_VARIABLE_ACCELERATION &&
           s->motion_law[dt_system_place(s, variable.index)].program;
}

bool dt_horizon_reads_force(dt_variable variable)
{
    return variable.kind >= DT_VARIABLE_FRICTION && variable.kind <= DT_VARIABLE_NORMAL_FORCE;
}

/**
 * Whether a prescribed motion changes how others are loaded by more than its acceleration: a rotation
 * does, and a translation of something that is held by a joint, whose lever arms change.
 */
static bool changes_pose(const dt_simulation *sim, const dt_horizon_law *of)
{
    const dt_system *whole = &sim->system;
    bool changes = of->turns;
    if (of->use != DT_HORIZON_MOTION || changes) {
        return changes;
    }
    int i = whole->tree->nodes[dt_whole_node(sim, of->index)].parent;
    for (; i >= 0 && !changes; i = whole->tree->nodes[i].parent) {
        changes = !whole->motion_law[i].program;
    }
    return changes;
}

const dt_horizon_law *dt_horizon_motion_of(const dt_horizon_state *hz, int node)
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
    if (dt_horizon_reads_force(variable)) {
        const bool own =
            variable.kind == DT_VARIABLE_FRICTION || variable.kind == DT_VARIABLE_FORCE;
        return hz->loads || (own && hz->count > 0) ? DT_PACE_ANY : DT_PACE_CONSTANT;
    }
    if (!dt_horizon_reads_motion(sim->core, variable)) {
        return DT_PACE_CONSTANT;
    }
    const dt_horizon_law *motion =
        dt_horizon_motion_of(hz, dt_system_place(sim->core, variable.index));
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
        of.reads_forces = of.reads_forces || dt_horizon_reads_force(variable);
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
    of.turns = use == DT_HORIZON_MOTION && sim->core->tree->nodes[index].type->rotational;
    of.changes_pose = changes_pose(sim, &of);
    hz->law[hz->count++] = of;
    hz->loads = hz->loads ||
                (use <= DT_HORIZON_LOAD && (use != DT_HORIZON_MOTION || of.pace == DT_PACE_ANY));
    hz->bends = hz->bends || of.pace == DT_PACE_ANY || of.is_watched;
    hz->needs_state =
        hz->needs_state || hz->loads || of.is_watched || (of.pace == DT_PACE_ANY && !of.is_pure);
    hz->moves =
        hz->moves || of.changes_pose || (of.reads_forces && use <= DT_HORIZON_LOAD && hz->loads);
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
        if (hz->law[k].changes_pose) {
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
