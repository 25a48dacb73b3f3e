/*
 * Which laws of the core can change while its state does not: those that read t, or the coordinate of a
 * prescribed motion, or forces that such laws change; and how far what moves reaches. Nodes that hang
 * together, by whatever joints, move together; others move only for the joints and bodies whose laws
 * read those that do.
 */
#include "integrator/core.h"
#include "integrator/horizon.h"
#include "integrator/switches.h"
#include "integrator/weights.h"

bool dt_horizon_reads_motion(const dt_system *s, dt_variable variable)
{
    return dt_variable_is(variable, DT_OF_PLACE) &&
           dt_is_prescribed(s, dt_system_place(s, variable.index));
}

bool dt_horizon_reads_force(dt_variable variable)
{
    return dt_variable_is(variable, DT_OF_READINGS);
}

/*
 * Whether a prescribed motion changes how others are loaded by more than its acceleration: a rotation
 * does, and a translation of something that is held by a joint, whose lever arms change.
 */
static bool changes_pose(const dt_simulation *sim, const dt_horizon_law *of)
{
    const dt_system *whole = &sim->system;
    bool changes = of->turns;
    if (!dt_law_is(of->law, DT_LAW_IS_PLACE) || changes) {
        return changes;
    }
    int i = whole->tree->nodes[dt_whole_node(sim, dt_law_node(sim->core, of->law))].parent;
    for (; i >= 0 && !changes; i = whole->tree->nodes[i].parent) {
        changes = !dt_is_prescribed(whole, i);
    }
    return changes;
}

const dt_horizon_law *dt_horizon_motion_of(const dt_simulation *sim, int node)
{
    const dt_horizon_state *hz = &sim->horizon;
    for (int k = 0; k < hz->count && dt_law_is(hz->law[k].law, DT_LAW_IS_SPREAD); k++) {
        if (dt_law_is(hz->law[k].law, DT_LAW_IS_PLACE) &&
            dt_law_node(sim->core, hz->law[k].law) == node) {
            return &hz->law[k];
        }
    }
    return NULL;
}

/* How a variable goes while nothing moves; what laws in the list make of it. */
static dt_pace pace_of(const dt_simulation *sim, dt_variable variable)
{
    const dt_horizon_state *hz = &sim->horizon;
    if (dt_variable_is(variable, DT_OF_TIME)) {
        return DT_PACE_STEADY;
    }
    if (dt_horizon_reads_force(variable)) {
        const bool own = dt_variable_is(variable, DT_OF_FRICTION | DT_OF_EFFORT | DT_OF_COUPLINGS);
        return hz->loads || (own && hz->count > 0) ? DT_PACE_ANY : DT_PACE_CONSTANT;
    }
    if (!dt_horizon_reads_motion(sim->core, variable)) {
        return DT_PACE_CONSTANT;
    }
    const dt_horizon_law *motion =
        dt_horizon_motion_of(sim, dt_system_place(sim->core, variable.index));
    const dt_pace pace = motion ? motion->pace : DT_PACE_CONSTANT;
    return !dt_variable_is(variable, DT_OF_POSITIONS) && pace == DT_PACE_STEADY ? DT_PACE_CONSTANT
                                                                                : pace;
}

/* A law as it stands in the list. */
static dt_horizon_law describe(dt_simulation *sim, const dt_law *law)
{
    dt_horizon_state *hz = &sim->horizon;
    const dt_program *p = law->program;
    dt_horizon_law of = {.law = law, .is_pure = true, .from = NAN, .until = NAN};
    for (int k = 0; k < p->variable_count; k++) {
        const dt_variable variable = p->variables[k];
        of.reads_forces = of.reads_forces || dt_horizon_reads_force(variable);
        of.is_pure = of.is_pure && (dt_variable_is(variable, DT_OF_TIME | DT_OF_INPUTS));
        hz->variables[k] = pace_of(sim, variable);
        of.changes = of.changes || hz->variables[k] != DT_PACE_CONSTANT;
    }
    of.pace = of.changes ? dt_program_pace(p, hz->variables, hz->operations) : DT_PACE_CONSTANT;
    if (dt_law_is(law, DT_LAW_IS_PLACE) &&
        dt_is_driven_by_speed(sim->core, dt_law_node(sim->core, law))) {
        of.pace = of.pace == DT_PACE_CONSTANT ? DT_PACE_STEADY : DT_PACE_ANY;
        of.changes = true;
        of.is_pure = false; /* it goes on from where it is */
    }
    return of;
}

/* Adds a law to the list if it can change while the state does not. */
static void list(dt_simulation *sim, const dt_law *law)
{
    dt_horizon_state *hz = &sim->horizon;
    const bool carries = dt_law_is(law, DT_LAW_IS_SPREAD), moves = dt_law_is(law, DT_LAW_IS_PLACE);
    dt_horizon_law of = describe(sim, law);
    if (of.changes && dt_program_calls_go(law->program, hz->operations)) {
        hz->is_unknown = true;
        return;
    }
    of.is_watched = of.changes && dt_switch_any_watched(law);
    if (of.pace == DT_PACE_CONSTANT && !of.is_watched) {
        return;
    }
    of.turns = moves && sim->core->tree->nodes[dt_law_node(sim->core, law)].type->rotational;
    of.changes_pose = changes_pose(sim, &of);
    hz->law[hz->count++] = of;
    hz->loads = hz->loads || (carries && (!moves || of.pace == DT_PACE_ANY));
    hz->bends = hz->bends || of.pace == DT_PACE_ANY || of.is_watched;
    hz->needs_state =
        hz->needs_state || hz->loads || of.is_watched || (of.pace == DT_PACE_ANY && !of.is_pure);
    hz->moves = hz->moves || of.changes_pose || (of.reads_forces && carries && hz->loads);
}

/* A law that reads what moves makes what it acts on move, as far as the roots are concerned. */
static bool reads_moving(const dt_simulation *sim, const dt_law *law)
{
    const dt_program *p = law->program;
    bool any = false;
    for (int k = 0; p && k < p->variable_count && !any; k++) {
        const dt_variable variable = p->variables[k];
        any = dt_variable_is(variable, DT_OF_STATES | DT_OF_COUPLINGS | DT_OF_PAST) ||
              (dt_variable_is(variable, DT_OF_JOINT) &&
               sim->horizon.moving[dt_system_place(sim->core, variable.index)]);
    }
    return any;
}

/* The node next to the ground that a node of the core hangs on. */
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

/* Which nodes of the core are out of reach of what moves: they stay as they are. */
static void find_moving(dt_simulation *sim)
{
    dt_horizon_state *hz = &sim->horizon;
    const dt_system *s = sim->core;
    for (int i = 0; i < s->tree->node_count; i++) {
        hz->moving[i] = dt_moves(s, i);
    }
    for (int k = 0; k < hz->count; k++) {
        const dt_law *law = hz->law[k].law;
        if (hz->law[k].changes_pose) {
            hz->moving[dt_law_node(s, law)] = true;
        } else if (dt_law_is(law, DT_LAW_IS_BODILY) && hz->law[k].reads_forces) {
            memset(hz->moving, true, (size_t)s->tree->node_count * sizeof *hz->moving);
        }
    }
    spread_motion(sim);
    for (int l = 0; l < s->law_count; l++) {
        const dt_law *law = s->law[l];
        const int i = dt_law_node(s, law);
        if (dt_law_is(law, DT_LAW_IS_BODILY) && i >= 0 && reads_moving(sim, law)) {
            hz->moving[root_of(s->tree, i)] = true;
        }
    }
    spread_motion(sim);
    for (int l = 0; l < s->law_count; l++) {
        const dt_law *law = s->law[l];
        if (dt_law_stiction(s, law) >= 0 && reads_moving(sim, law)) {
            hz->moving[dt_law_node(s, law)] = true;
        }
    }
}

/* Lists the laws with roles from one to another. */
static void list_roles(dt_simulation *sim, unsigned first, unsigned last)
{
    for (int l = 0; l < sim->core->law_count; l++) {
        const dt_law *law = sim->core->law[l];
        if (law->role >= first && law->role <= last) {
            list(sim, law);
        }
    }
}

/*
 * Gravity, motions and loads first, then the forces along the joints, role by role in the order of their table: who
 * reads them comes later.
 */
void dt_horizon_list(dt_simulation *sim)
{
    dt_horizon_state *hz = &sim->horizon;
    dt_system *s = sim->core;
    hz->count = 0;
    hz->loads = hz->is_unknown = hz->needs_state = hz->bends = false;
    hz->moves = s->mechanism->state_count > 0 || s->mechanism->dead_time_count > 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        hz->moves = hz->moves || dt_moves(s, i);
    }
    unsigned role = 0;
    for (; dt_law_kinds[role].traits & (DT_LAW_IS_SPREAD | DT_LAW_IS_PUSH); role++) {
        list_roles(sim, role, role);
    }
    list_roles(sim, role, DT_LAW_ROLES - 1);
    find_moving(sim);
}
