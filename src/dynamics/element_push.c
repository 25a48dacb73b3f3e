/*
 * Forces of laws along joints, of all kinds that have such (push.h):
 *
 *   Q_j = sum of F(readings)        of the freedom j of a joint with one
 *
 * A law may read anything. Kinds follow each other in the order of the table, items in their own.
 */
#include "dynamics/push.h"

static bool pushes(int element)
{
    const dt_element_kind *kind = dt_elements[element];
    bool any = false;
    for (int n = 0; n < kind->law_count && !any; n++) {
        any = (dt_law_kinds[kind->role[n]].traits & DT_LAW_IS_PUSH) != 0;
    }
    return any;
}

/* A law of a kind, one after the other; NULL: it has no program, or its joint is not in this system. */
static const dt_law *law_at(const dt_system *s, int element, int number)
{
    const dt_law *law = s->laws[element] + number;
    return law->program && dt_law_is(law, DT_LAW_IS_PUSH) && dt_law_node(s, law) >= 0 ? law : NULL;
}

/* ---- of one node ---- */

/*
 * The entry of a kind at a node that stands behind `entry`, or -1; the first one behind -1. Entries of primitives are these
 * themselves, others those of dt_item_next_at().
 */
static int next_entry(const dt_system *s, int element, int node, int entry)
{
    if (element < 0 || s->items[element] == 0 || !pushes(element)) {
        return -1;
    }
    return dt_elements[element]->items == DT_ITEMS_OWN
               ? dt_item_next_at(dt_added_items(s->mechanism, element), node, entry)
           : entry < 0 ? node
                       : -1;
}

/* The item of an entry; -1: it acts along another one of its joints. */
static int item_of(const dt_system *s, int element, int entry)
{
    const int joints = dt_elements[element]->items == DT_ITEMS_OWN
                           ? dt_added_items(s->mechanism, element)->joints
                           : 1;
    return entry % joints == 0 ? entry / joints : -1;
}

/* Steps to the next entry, or kind; false where there is none. */
static bool step(const dt_system *s, int node, dt_push_at *at)
{
    at->entry = next_entry(s, at->element, node, at->entry);
    at->number = -1;
    at->element += at->entry < 0;
    return at->element < DT_ELEMENT_KINDS;
}

bool dt_push_next(const dt_system *s, int node, dt_push_at *at)
{
    at->law = NULL;
    while (!at->law) {
        const int item = at->entry < 0 ? -1 : item_of(s, at->element, at->entry);
        const int laws = item < 0 ? 0 : s->item_laws[at->element];
        if (++at->number < laws) {
            at->law = law_at(s, at->element, item * laws + at->number);
        } else if (!step(s, node, at)) {
            return false;
        }
    }
    return true;
}

double dt_push_actuators(dt_system *s, int node)
{
    double sum = 0;
    for (dt_push_at at = DT_PUSH_BEFORE_ALL; dt_push_next(s, node, &at);) {
        if (dt_law_is(at.law, DT_LAW_IS_ACTUATOR)) {
            sum += dt_law_value(s, at.law, dt_push_direction(s, at.law));
        }
    }
    return sum;
}

/* ---- of all nodes ---- */

static void add_forces(dt_system *s)
{
    for (int n = 0; n < s->push_count; n++) {
        const dt_law *law = s->push[n];
        const int i = dt_law_node(s, law);
        if (i >= 0 && dt_law_is_apart(s, law)) {
            s->drag[s->tree->nodes[i].v] += s->apart_force[law->owner];
        } else if (i >= 0) {
            const int v = s->tree->nodes[i].v;
            const double force = dt_law_value(s, law, dt_push_direction(s, law));
            s->Q[v] += force;
            if (dt_law_is(law, DT_LAW_IS_DRAG)) {
                s->drag[v] += force;
            }
        }
    }
}

static void add_rows(dt_linear_laws *linear, dt_system *s)
{
    for (int n = 0; n < s->push_count; n++) {
        const dt_law *law = s->push[n];
        const int i = dt_law_node(s, law);
        if (i >= 0 && !dt_law_is_apart(s, law)) {
            dt_slope Q;
            dt_linear_laws_slope(linear, s, law, i, dt_push_direction(s, law), &Q);
            dt_linear_laws_add_force(linear, s, i, &Q);
        }
    }
}

static void add_changes(dt_tangent *t, dt_system *s, double *rows)
{
    for (int n = 0; n < s->push_count; n++) {
        const dt_law *law = s->push[n];
        const int i = dt_law_node(s, law);
        if (i >= 0) {
            rows[s->tree->nodes[i].v] -= dt_tangent_law(t, s, law, dt_push_direction(s, law));
        }
    }
}

/* ---- what rows of kinds have ---- */

bool dt_push_prepare(dt_system *s, dt_remote *remote)
{
    remote->factor = 1;
    return remote->node >= 0 && !dt_law_is_apart(s, remote->law);
}

void dt_push_inject(const dt_remote *remote, double u, const dt_law_changes *changes)
{
    if (remote->node >= 0) {
        changes->Q[remote->node] += u;
    }
}

void dt_push_measure(const dt_law_sizes *sizes, dt_system *s, const dt_law *law)
{
    const int i = dt_law_node(s, law);
    if (i >= 0) {
        sizes->rows[s->tree->nodes[i].v] +=
            dt_law_size(sizes->forces, s, law, dt_push_direction(s, law), sizes->gradient);
    }
}

/* ---- one joint ---- */

static double held(const dt_system *s, int i)
{
    double sum = 0;
    for (dt_push_at at = DT_PUSH_BEFORE_ALL; dt_push_next(s, i, &at);) {
        sum += at.law->program->constant;
    }
    return sum;
}

static bool varies(const dt_system *s, int i)
{
    bool any = false;
    for (dt_push_at at = DT_PUSH_BEFORE_ALL; dt_push_next(s, i, &at) && !any;) {
        any = !dt_law_is_constant(at.law);
    }
    return any;
}

/* |dF/dq|, of positions in the same unit. */
static double stiffness(dt_system *s, int i, const dt_law *law, double *gradient)
{
    double sum = 0;
    if (dt_law_is_constant(law)) {
        return 0;
    }
    dt_law_gradient(s, law, 0, gradient);
    for (int k = 0; k < law->program->variable_count; k++) {
        const dt_variable read = law->program->variables[k];
        if (dt_variable_is(read, DT_OF_POSITIONS) &&
            s->tree->nodes[read.index].type->rotational == s->tree->nodes[i].type->rotational) {
            sum += dt_known(gradient[k]);
        }
    }
    return sum;
}

static void add_strength(dt_system *s, const dt_scale *scale, int i, int j, dt_strength *sum)
{
    (void)j;
    for (dt_push_at at = DT_PUSH_BEFORE_ALL; dt_push_next(s, i, &at);) {
        sum->force += dt_known(dt_law_value(s, at.law, 0));
        sum->stiffness += stiffness(s, i, at.law, scale->gradient);
        sum->damping += dt_law_damping(s, scale, at.law, i, -1);
        sum->rate += dt_law_time_slope(s, at.law, 0, scale->gradient);
        sum->later += dt_law_later(s, scale, at.law);
    }
}

static int count(const detent_mechanism *m)
{
    (void)m;
    return 0;
}

const dt_element_kind dt_push_element = {.count = count,
                                         .add_forces = add_forces,
                                         .add_rows = add_rows,
                                         .add_changes = add_changes,
                                         .apart = true,
                                         .held = held,
                                         .varies = varies,
                                         .add_strength = add_strength};
