#include "dynamics/system.h"

#include "dynamics/closure.h"
#include "dynamics/element.h"
#include "dynamics/failed_call.h"
#include "dynamics/loads.h"
#include "dynamics/self_stress.h"
#include "dynamics/split.h"

/* What the programs of a mechanism need, found by a first pass over them. */
typedef struct law_census {
    int laws, pushes, branches, longest;
    size_t registers, slots;
} law_census;

static void count_program(law_census *census, const dt_program *program)
{
    if (!program) {
        return;
    }
    size_t registers = DT_PROGRAM_REGISTERS(program), slots = (size_t)program->variable_count;
    census->laws += !program->is_constant;
    census->branches += program->switch_count;
    if (program->switch_count > census->longest) {
        census->longest = program->switch_count;
    }
    if (registers > census->registers) {
        census->registers = registers;
    }
    if (slots > census->slots) {
        census->slots = slots;
    }
}

/* What is done with each law of a system, at the place of the law; `is` has its program, role and owner. */
typedef void (*law_visitor)(dt_system *s, dt_law *law, dt_law is, void *context);

/* Calls `visit` on the laws of an item. */
static void visit_item(dt_system *s, int k, int item, law_visitor visit, void *context)
{
    const dt_element_kind *kind = dt_elements[k];
    for (int n = 0; n < kind->law_count; n++) {
        const int at = s->law_at[k][n];
        if (at < 0) {
            continue;
        }
        dt_law is = {.program = dt_element_program(k, s->mechanism, item, n),
                     .role = (unsigned)kind->role[n] & 31,
                     .component = (unsigned)n & 7};
        dt_law_set_owner(&is, item);
        visit(s, s->laws[k] ? &s->laws[k][item * s->item_laws[k] + at] : NULL, is, context);
    }
}

/* Whether kinds k and k + 1 have the same items, whose laws stand together. */
static bool takes_turns(int k)
{
    return k + 1 < DT_ELEMENT_KINDS && dt_elements[k]->items != DT_ITEMS_OWN &&
           dt_elements[k]->items == dt_elements[k + 1]->items;
}

/* Calls `visit` on every law of the system. Kinds with the same items take turns. */
static void visit_laws(dt_system *s, law_visitor visit, void *context)
{
    for (int first = 0, end; first < DT_ELEMENT_KINDS; first = end) {
        int count = 0;
        for (end = first; end == first || takes_turns(end - 1); end++) {
            count = s->items[end] > count ? s->items[end] : count;
        }
        for (int item = 0; item < count; item++) {
            for (int kind = first; kind < end; kind++) {
                if (item < s->items[kind]) {
                    visit_item(s, kind, item, visit, context);
                }
            }
        }
    }
}

static void count_law(dt_system *s, dt_law *law, dt_law is, void *context)
{
    law_census *census = context;
    (void)s, (void)law;
    count_program(census, is.program);
    census->pushes += is.program && dt_law_is(&is, DT_LAW_IS_PUSH);
}

static void list_law(dt_system *s, dt_law *law, dt_law is, void *context)
{
    (void)is, (void)context;
    if (law->program && !law->program->is_constant) {
        s->law[s->law_count++] = law;
    }
}

static void bind_law(dt_system *s, dt_law *law, dt_law is, void *context)
{
    int *next_branch = context;
    (void)s;
    *law = is;
    if (law->program) {
        law->branch = *next_branch;
        *next_branch += law->program->switch_count;
    }
}

/* Those of forces along joints: kinds follow each other in the order of the table, items in their own. */
static void list_pushes(dt_system *s)
{
    s->push_count = 0;
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        for (int n = 0; n < s->items[k] * s->item_laws[k]; n++) {
            const dt_law *law = s->laws[k] + n;
            if (law->program && dt_law_is(law, DT_LAW_IS_PUSH)) {
                s->push[s->push_count++] = law;
            }
        }
    }
}

void dt_system_list_laws(dt_system *s)
{
    s->law_count = 0;
    visit_laws(s, list_law, NULL);
    list_pushes(s);
}

#define TAKE(member, count) \
    ((s->member = dt_arena_alloc(arena, (count), sizeof *s->member)) != NULL)

static bool create_arrays(dt_arena *arena, dt_system *s)
{
    const detent_mechanism *m = s->mechanism;
    const size_t nq = (size_t)s->tree->nq, nv = (size_t)s->tree->nv,
                 stictions = (size_t)m->stiction_count;
    return TAKE(q, nq) && TAKE(v, nv) && TAKE(a, nv) && TAKE(f, stictions) &&
           TAKE(multiplier, (size_t)dt_tie_rows(m)) && TAKE(inputs, (size_t)dt_given_count(m)) &&
           TAKE(mode, stictions) && TAKE(direction, stictions) && TAKE(yielded, stictions) &&
           TAKE(prescribed, nv) && TAKE(z, (size_t)m->state_count);
}

/* Whether there is friction of laws. */
static bool has_drag(const dt_system *s)
{
    bool any = false;
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        const dt_element_kind *kind = dt_elements[k];
        for (int n = 0; s->items[k] > 0 && n < kind->law_count && !any; n++) {
            any = s->law_at[k][n] >= 0 && (dt_law_kinds[kind->role[n]].traits & DT_LAW_IS_DRAG);
        }
    }
    return any;
}

static bool create_readings(dt_arena *arena, dt_system *s)
{
    const size_t n = (size_t)s->tree->node_count, nq = (size_t)s->tree->nq,
                 nv = (size_t)s->tree->nv, places = (size_t)s->mechanism->place_count;
    return (s->motion = dt_motion_create(arena, s->tree)) != NULL && TAKE(failed, 1) &&
           TAKE(reference, (size_t)s->tree->part_count) && TAKE(posed, 1) && TAKE(posed->q, nq) &&
           TAKE(load_wrench, places) && (places == 0 || TAKE(external, n)) && TAKE(A, n) &&
           TAKE(F, n) && TAKE(tau, nv) && TAKE(Q, nv) && (!has_drag(s) || TAKE(drag, nv));
}

static bool share_readings(const dt_system *other, dt_system *s)
{
    s->motion = other->motion;
    s->reference = other->reference;
    s->posed = other->posed;
    s->load_wrench = other->load_wrench;
    s->external = other->external;
    s->A = other->A;
    s->F = other->F;
    s->tau = other->tau;
    s->Q = other->Q;
    s->drag = other->drag;
    s->failed = other->failed;
    return true;
}

/* Whether any item of a kind has its law `number`. */
static bool has_law(const detent_mechanism *m, int k, int items, int number)
{
    bool any = false;
    for (int item = 0; item < items && !any; item++) {
        any = dt_element_program(k, m, item, number) != NULL;
    }
    return any;
}

/* Items that have laws, and which ones. */
static void count_items(dt_system *s)
{
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        const dt_element_kind *kind = dt_elements[k];
        const int count = kind->law_count > 0 ? dt_element_count(k, s->mechanism) : 0;
        memset(s->law_at[k], -1, sizeof s->law_at[k]);
        for (int n = 0; n < kind->law_count; n++) {
            if (has_law(s->mechanism, k, count, n)) {
                s->law_at[k][n] = (signed char)s->item_laws[k]++;
            }
        }
        s->items[k] = s->item_laws[k] > 0 ? count : 0;
    }
}

/* The programs of conditions, which are no laws; returns the registers of the longest. */
static int count_conditions(const detent_mechanism *m, law_census *census)
{
    int longest = 0;
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        const dt_item_list *list = dt_added_items(m, k);
        const int laws = dt_elements[k]->tie && list->count > 0 ? list->kind->law_count : 0;
        for (int l = 0; l < laws * list->count; l++) {
            const int own = list->program[l]->operation_count;
            count_program(census, list->program[l]);
            longest = own > longest ? own : longest;
        }
    }
    return longest;
}

static bool create_laws(dt_arena *arena, dt_system *s)
{
    law_census census = {0};
    int next_branch = 0;
    count_items(s);
    visit_laws(s, count_law, &census);
    for (int k = 0; k < s->mechanism->output_count; k++) {
        count_program(&census, s->mechanism->outputs[k].program);
    }
    for (int k = 0; k < s->mechanism->sampled_count; k++) {
        count_program(&census, s->mechanism->sampled[k].value);
    }
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        if (dt_elements[k]->create && dt_element_acts(s, k) && !dt_elements[k]->create(arena, s)) {
            return false;
        }
    }
    const int series = count_conditions(s->mechanism, &census);
    if (series > 0 && !TAKE(series, (size_t)series)) {
        return false;
    }
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        if (s->items[k] > 0 && !TAKE(laws[k], (size_t)s->items[k] * (size_t)s->item_laws[k])) {
            return false;
        }
    }
    if (!TAKE(branches, (size_t)(census.branches + census.longest)) ||
        !TAKE(law, (size_t)census.laws) || !TAKE(push, (size_t)census.pushes) ||
        !TAKE(registers, census.registers) || !TAKE(slots, census.slots)) {
        return false;
    }
    visit_laws(s, bind_law, &next_branch);
    dt_system_list_laws(s);
    s->branch_count = next_branch;
    return dt_loads_create(arena, s);
}
#undef TAKE

/* Whether a law reads what follows from the forces that it has a part in, and would be taken as it was. */
static bool reads_what_it_may_not(const dt_law *law)
{
    return dt_program_reads(law->program, DT_OF_FORCES) && !dt_law_may_read_forces(law);
}

static detent_status check_laws(const dt_system *s, detent_error *error)
{
    for (int l = 0; l < s->law_count; l++) {
        if (reads_what_it_may_not(s->law[l])) {
            const int node = dt_law_node(s, s->law[l]);
            return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                           "a law%s%s%s reads accelerations or forces, with which it is not solved",
                           node >= 0 ? " of '" : "",
                           node >= 0 ? s->mechanism->primitives[node].name : "",
                           node >= 0 ? "'" : "");
        }
    }
    return DETENT_OK;
}

/* `other`: whose readings to share, or NULL. */
static detent_status create(dt_arena *arena, const detent_mechanism *mechanism,
                            const dt_system *other, dt_system *s, detent_error *error)
{
    memset(s, 0, sizeof *s);
    s->mechanism = mechanism;
    s->tree = &mechanism->tree;
    s->length = 1;
    s->acting = dt_elements_acting(mechanism);
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        if (dt_element_count(k, mechanism) >= DT_LAW_OWNERS) {
            return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                           "more than %d primitives, loads or states", DT_LAW_OWNERS - 1);
        }
    }
    if (!create_arrays(arena, s) || !create_laws(arena, s) || !dt_closure_create(arena, s) ||
        !dt_split_create(arena, s) || !dt_self_stress_create(arena, s) ||
        !(other ? share_readings(other, s) : create_readings(arena, s))) {
        return dt_fail(error, DETENT_ERROR_MEMORY, NULL,
                       "out of memory for the state of a simulation");
    }
    const detent_status status = check_laws(s, error);
    if (status) {
        return status;
    }
    s->time = mechanism->settings.start;
    memcpy(s->q, mechanism->position, (size_t)s->tree->nq * sizeof *s->q);
    memcpy(s->v, mechanism->velocity, (size_t)s->tree->nv * sizeof *s->v);
    for (int k = 0; k < mechanism->state_count; k++) {
        s->z[k] = mechanism->states[k].initial;
    }
    for (int k = 0; k < mechanism->input_count; k++) {
        s->inputs[k] = mechanism->inputs[k].initial;
    }
    for (int k = 0; mechanism->rest_count > 0 && k < mechanism->stiction_count; k++) {
        if (mechanism->stictions[k].rest >= 0) {
            s->inputs[mechanism->stictions[k].rest] = mechanism->settings.start;
        }
    }
    for (int k = 0; k < mechanism->sampled_count; k++) {
        double *value = &s->inputs[mechanism->input_count + k];
        value[0] = value[mechanism->sampled_count] = mechanism->sampled[k].initial;
    }
    for (int k = 0; k < mechanism->delay_count; k++) {
        const dt_delay *of = &mechanism->delays[k];
        s->inputs[of->place] = mechanism->sampled[of->sampled].initial;
    }
    return DETENT_OK;
}

detent_status dt_system_create(dt_arena *arena, const detent_mechanism *mechanism, dt_system *s,
                               detent_error *error)
{
    return create(arena, mechanism, NULL, s, error);
}

detent_status dt_system_create_beside(dt_arena *arena, const dt_system *other, dt_system *s,
                                      detent_error *error)
{
    return create(arena, other->mechanism, other, s, error);
}
