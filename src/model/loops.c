/* What loops cannot have yet, and which joints are in one. */

#include "base/joined.h"
#include "model/multiplier.h"
#include "model/record.h"

/* The stiction of a primitive in a loop. */
static detent_status refuse(const detent_mechanism *m, int stiction, const char *key,
                            const char *why, detent_error *error)
{
    const dt_stiction_record *record =
        DT_AT(DT_RECORDS(m->builder, stiction), dt_stiction_record, stiction);
    dt_location where = dt_locate(m->builder, &record->origin, NULL, key, -1);
    return dt_fail(error, DETENT_ERROR_MODEL, &where,
                   "stiction of '%s', a joint in a loop or coupling: %s", record->def.primitive,
                   why);
}

/* Joints in loops and couplings, and how many stictions those that are tied together have. */
typedef struct clusters {
    int *joined, *rubbing;
    const bool *inside, *looped; /**< of dt_tied */
    bool *followed; /**< of the first of a cluster: friction follows reactions of loops in it */
} clusters;

/*
 * What a joint transmits is what the bodies beyond it take, F = sum of I A + V x* I V - loads: no multiplier of a coupling
 * is in it, which acts along joints alone, nor one of a loop that is beyond the joint as a whole, for a weld pushes both
 * of its ends. So outside of loops reactions follow from the motion, however frictions are shared. `force` is what is left
 * of it without friction, and shared where that is. Round a loop they do not: redundant conditions share them, and locked joints.
 */
static bool follows_motion(const clusters *of, dt_variable variable)
{
    return dt_variable_is(variable, DT_OF_WRENCH) && !dt_variable_is(variable, DT_OF_EFFORT) &&
           !of->looped[variable.index];
}

/* Whether it is a reaction on the way round a loop. */
static bool is_looped(const clusters *of, dt_variable variable)
{
    return dt_variable_is(variable, DT_OF_WRENCH) && !dt_variable_is(variable, DT_OF_EFFORT) &&
           of->looped[variable.index];
}

/* What a coupling does: a multiplier is shared as reactions are. */
static bool is_of_coupling(dt_variable variable)
{
    return dt_variable_is(variable, DT_OF_COUPLINGS);
}

/* The node that a variable is about, with what ties it; -1: none. */
static int node_of(const detent_mechanism *m, dt_variable variable)
{
    return is_of_coupling(variable)                ? dt_multiplier_of(m, variable).node
           : dt_variable_is(variable, DT_OF_JOINT) ? variable.index
                                                   : -1;
}

static bool same_cluster(const clusters *of, int i, int j)
{
    return of->inside[i] && dt_first_of(of->joined, i) == dt_first_of(of->joined, j);
}

/* Whether a friction reads the force along a joint on the way round a loop. */
static bool reads_force(const clusters *of, const dt_program *program)
{
    bool any = false;
    for (int k = 0; program && k < program->variable_count && !any; k++) {
        any = dt_variable_is(program->variables[k], DT_OF_EFFORT) &&
              of->looped[program->variables[k].index];
    }
    return any;
}

/* Whether it is the force along a joint that shares what holds it with others. */
static bool is_shared_force(const clusters *of, dt_variable variable)
{
    return dt_variable_is(variable, DT_OF_EFFORT) && of->inside[variable.index] &&
           of->rubbing[dt_first_of(of->joined, variable.index)] > 1;
}

/* Notes that a law reads what is found together with how joints share what holds them. */
static void note_followed(detent_mechanism *m, const clusters *of, const dt_program *program)
{
    for (int k = 0; program && k < program->variable_count; k++) {
        const dt_variable v = program->variables[k];
        if (is_looped(of, v) || is_shared_force(of, v) || is_of_coupling(v)) {
            of->followed[dt_first_of(of->joined, node_of(m, v))] = true;
            m->follows_loops = true;
        }
    }
}

static detent_status check_stiction(const detent_mechanism *m, const clusters *of, int k,
                                    detent_error *error)
{
    const dt_stiction *stiction = &m->stictions[k];
    const dt_program *const law[] = {stiction->friction->kinetic, stiction->friction->magnitude,
                                     stiction->friction->forward, stiction->friction->reverse};
    static const char *const key[] = {"kinetic", "static", "forward", "reverse"};
    for (size_t l = 0; l < sizeof law / sizeof *law; l++) {
        if (reads_force(of, law[l])) {
            return refuse(m, k, key[l],
                          "friction that follows the force along a joint in a loop is not "
                          "supported yet",
                          error);
        }
    }
    if (stiction->friction->test && of->followed[dt_first_of(of->joined, stiction->primitive)]) {
        return refuse(
            m, k, "test",
            "a test friction of its own is not supported yet beside friction that follows "
            "the reactions of the loop",
            error);
    }
    return DETENT_OK;
}

/*
 * Whether a law reads forces of a joint whose friction is shared with others: while several of them are locked these are
 * not unique. Limits of joint `own` may follow reactions of the joints that it shares with: these are found together.
 */
static bool reads_shared(const detent_mechanism *m, const clusters *of, const dt_program *program,
                         int own)
{
    bool any = false;
    for (int k = 0; program && k < program->variable_count && !any; k++) {
        const dt_variable v = program->variables[k];
        const int node = dt_variable_is(v, DT_OF_READINGS) ? node_of(m, v) : -1;
        const bool together =
            own >= 0 && node >= 0 && same_cluster(of, own, node) &&
            (is_of_coupling(v) || is_looped(of, v) || dt_variable_is(v, DT_OF_EFFORT));
        any = node >= 0 && of->inside[node] && of->rubbing[dt_first_of(of->joined, node)] > 1 &&
              !together && (is_of_coupling(v) || !follows_motion(of, v));
    }
    return any;
}

static detent_status refuse_reader(dt_location where, const char *what, const char *name,
                                   detent_error *error)
{
    return dt_fail(error, DETENT_ERROR_MODEL, &where,
                   "%s '%s' reads forces of a joint that is tied by loops or couplings to others "
                   "with stiction: while "
                   "these are locked they share what holds them, and laws that follow that are not "
                   "supported yet",
                   what, name);
}

static detent_status check_load(const detent_mechanism *m, const clusters *of, int l,
                                detent_error *error)
{
    const dt_load_record *record = DT_AT(DT_RECORDS(m->builder, load), dt_load_record, l);
    for (int k = 0; k < 6; k++) {
        const dt_load *load = &m->loads[l];
        if (reads_shared(m, of, k < 3 ? load->force[k] : load->torque[k - 3], -1)) {
            return refuse_reader(
                dt_locate(m->builder, &record->origin, NULL, k < 3 ? "force" : "torque", k % 3),
                "load", load->name, error);
        }
    }
    return DETENT_OK;
}

static detent_status check_shared_friction(const detent_mechanism *m, const clusters *of, int k,
                                           detent_error *error)
{
    const dt_stiction *stiction = &m->stictions[k];
    const dt_program *const law[] = {stiction->friction->kinetic, stiction->friction->magnitude,
                                     stiction->friction->forward, stiction->friction->reverse,
                                     stiction->friction->test};
    static const char *const key[] = {"kinetic", "static", "forward", "reverse", "test"};
    const dt_stiction_record *record =
        DT_AT(DT_RECORDS(m->builder, stiction), dt_stiction_record, k);
    for (size_t l = 0; l < sizeof law / sizeof *law; l++) {
        if (reads_shared(m, of, law[l], l < 4 ? stiction->primitive : -1)) {
            return refuse_reader(dt_locate(m->builder, &record->origin, NULL, key[l], -1),
                                 "stiction of", record->def.primitive, error);
        }
    }
    return DETENT_OK;
}

/* Laws of items of elements. */
static detent_status check_items(const detent_mechanism *m, const clusters *of, int number,
                                 detent_error *error)
{
    const dt_item_list *list = &m->added[number - DT_ITEM_KINDS];
    const int laws = list->count ? list->kind->law_count : 0;
    for (int l = 0; l < laws * list->count; l++) {
        if (reads_shared(m, of, list->program[l], -1)) {
            const char *record = (const char *)m->builder->items[number].list.items +
                                 (size_t)(l / laws) * dt_record_size(list->kind);
            return refuse_reader(dt_locate(m->builder, dt_record_origin(list->kind, record), NULL,
                                           list->kind->laws[l % laws].key, -1),
                                 list->kind->what, dt_record_name(record), error);
        }
    }
    return DETENT_OK;
}

/* Laws of forces that are not unique. */
static detent_status check_readers(const detent_mechanism *m, const clusters *of,
                                   detent_error *error)
{
    detent_status status = DETENT_OK;
    for (int i = 0; i < m->primitive_count && !status; i++) {
        if (reads_shared(m, of, m->primitives[i].force, -1)) {
            status =
                refuse_reader(dt_locate_force(m, i), "the force of", m->primitives[i].name, error);
        }
    }
    for (int l = 0; l < m->load_count && !status; l++) {
        status = check_load(m, of, l, error);
    }
    for (int k = 0; k < m->state_count && !status; k++) {
        if (reads_shared(m, of, m->states[k].derivative, -1)) {
            const dt_state_record *record =
                DT_AT(DT_RECORDS(m->builder, state), dt_state_record, k);
            status = refuse_reader(dt_locate(m->builder, &record->origin, NULL, "derivative", -1),
                                   "state", m->states[k].name, error);
        }
    }
    for (int k = 0; k < m->sampled_count && !status; k++) {
        if (reads_shared(m, of, m->sampled[k].value, -1)) {
            const dt_sampled_record *record =
                DT_AT(DT_RECORDS(m->builder, sampled), dt_sampled_record, k);
            status = refuse_reader(dt_locate(m->builder, &record->origin, NULL, "value", -1),
                                   "sampled value", m->sampled[k].name, error);
        }
    }
    for (int k = 0; m->source && k < m->source->count && !status; k++) {
        status = check_items(m, of, DT_ITEM_KINDS + k, error);
    }
    for (int k = 0; k < m->stiction_count && !status; k++) {
        status = check_shared_friction(m, of, k, error);
    }
    return status;
}

/* The node that carries node i, next to the ground. */
static int root_of(const detent_mechanism *m, int i)
{
    while (m->tree.nodes[i].parent >= 0) {
        i = m->tree.nodes[i].parent;
    }
    return i;
}

/*
 * The impulse of a band moves all that hangs together with its joint, and knows no loops and couplings: joints that these tie may
 * not be there.
 */
static detent_status check_band(const detent_mechanism *m, const clusters *of, int k,
                                detent_error *error)
{
    const int root = root_of(m, m->stictions[k].primitive);
    for (int i = 0; i < m->tree.node_count; i++) {
        if (of->inside[i] && root_of(m, i) == root) {
            const dt_stiction_record *record =
                DT_AT(DT_RECORDS(m->builder, stiction), dt_stiction_record, k);
            dt_location where = dt_locate(m->builder, &record->origin, NULL, "locking", -1);
            return dt_fail(
                error, DETENT_ERROR_MODEL, &where,
                "stiction of '%s': locking in a band is not supported yet beside a loop or "
                "coupling, as that of '%s', which its impulse would move; 'crossing' is",
                record->def.primitive, m->primitives[i].name);
        }
    }
    return DETENT_OK;
}

/* What reads reactions on the way round loops. What a rod carries beside them has no place in self_stress.h. */
static void note_readers(detent_mechanism *m, const clusters *of)
{
    for (int i = 0; i < m->primitive_count; i++) {
        note_followed(m, of, m->primitives[i].force);
    }
    for (int l = 0; l < m->load_count; l++) {
        for (int k = 0; k < 3; k++) {
            note_followed(m, of, m->loads[l].force[k]);
            note_followed(m, of, m->loads[l].torque[k]);
        }
    }
    for (int k = 0; k < m->state_count; k++) {
        note_followed(m, of, m->states[k].derivative);
    }
    for (int k = 0; k < m->sampled_count; k++) {
        note_followed(m, of, m->sampled[k].value);
    }
    for (int k = 0; m->source && k < m->source->count; k++) {
        const dt_item_list *list = &m->added[k];
        for (int l = 0; list->count && l < list->kind->law_count * list->count; l++) {
            note_followed(m, of, list->program[l]);
        }
    }
    for (int k = 0; k < m->stiction_count; k++) {
        const dt_stiction *of_joint = &m->stictions[k];
        note_followed(m, of, of_joint->friction->kinetic);
        note_followed(m, of, of_joint->friction->magnitude);
        note_followed(m, of, of_joint->friction->forward);
        note_followed(m, of, of_joint->friction->reverse);
    }
}

/* A loop of welds alone ties bodies that move as one already. */
static detent_status check_welds(const detent_mechanism *m, const dt_loop *loop,
                                 detent_error *error)
{
    int a = loop->node[0], b = loop->node[1];
    bool moves = false;
    while (a != b) { /* parents come before their children */
        int *higher = a > b ? &a : &b;
        moves = moves || m->tree.nodes[*higher].type->nv > 0;
        *higher = m->tree.nodes[*higher].parent;
    }
    return moves ? DETENT_OK
                 : dt_fail(error, DETENT_ERROR_MODEL, loop->where.file ? &loop->where : NULL,
                           "joint '%s' closes a loop of welds alone: other welds hold '%s' there "
                           "already; leave one of them out",
                           m->joints[loop->joint].name, m->bodies[loop->body].name);
}

detent_status dt_check_loops(detent_mechanism *m, detent_error *error)
{
    const size_t n = (size_t)m->tree.node_count;
    for (int l = 0; l < m->loop_count; l++) {
        const detent_status status = check_welds(m, &m->loops[l], error);
        if (status) {
            return status;
        }
    }
    if (dt_tie_rows(m) == 0) {
        return DETENT_OK;
    }
    const dt_tied *tied = dt_tied_joints(m);
    const clusters of = {.joined = tied ? tied->joined : NULL,
                         .inside = tied ? tied->inside : NULL,
                         .looped = tied ? tied->looped : NULL,
                         .rubbing = dt_arena_alloc(&m->builder->arena, n, sizeof(int)),
                         .followed = dt_arena_alloc(&m->builder->arena, n, sizeof(bool))};
    if (!tied || !of.rubbing || !of.followed) {
        return dt_out_of_memory(error);
    }
    for (int k = 0; k < m->stiction_count; k++) {
        const int i = m->stictions[k].primitive;
        m->ties_stictions =
            (of.inside[i] && of.rubbing[dt_first_of(of.joined, i)]++ > 0) || m->ties_stictions;
    }
    note_readers(m, &of);
    for (int k = 0; k < m->stiction_count; k++) {
        const int i = m->stictions[k].primitive;
        detent_status status = m->stictions[k].friction->locking == DETENT_LOCKING_BAND
                                   ? check_band(m, &of, k, error)
                                   : DETENT_OK;
        if (status == DETENT_OK && !of.inside[i]) {
            continue;
        }
        status = status == DETENT_OK ? check_stiction(m, &of, k, error) : status;
        if (status != DETENT_OK) {
            return status;
        }
        m->rubs_in_loops = true;
    }
    return check_readers(m, &of, error);
}
