#include "reduce/welding.h"

#include "dynamics/closure.h"
#include "dynamics/element.h"

/* ---- who may be welded ---- */

/* What reads joints must read the primitive `own` alone. What derivatives read of joints is not welded (element_state.c). */
static bool reads_only(const dt_program *p, int own)
{
    for (int k = 0; p && k < p->variable_count; k++) {
        const dt_variable variable = p->variables[k];
        if (dt_variable_is(variable, DT_OF_OUTPUTS | DT_OF_COUPLINGS) ||
            (dt_variable_is(variable, DT_OF_JOINT) && variable.index != own)) {
            return false;
        }
    }
    return true;
}

/* The same of a law of the equation of motion, by the states that it reads. */
static bool reads_only_by_states(const dt_system *s, const dt_law *law, int own)
{
    const dt_state *states = s->mechanism->states;
    bool ok = true;
    for (int j = 0; dt_law_is(law, DT_LAW_IS_ANSWER) && j < law->program->variable_count; j++) {
        if (!dt_variable_is(law->program->variables[j], DT_OF_STATES)) {
            continue;
        }
        const int first = states[law->program->variables[j].index].group;
        for (int k = first; k >= 0 && ok; k = states[k].next) {
            ok = reads_only(states[k].derivative, own);
        }
    }
    return ok;
}

bool dt_welding_is_possible(const dt_system *s)
{
    bool ok = s->mechanism->stiction_count > 0 && !s->closure && s->mechanism->dead_time_count == 0;
    for (int l = 0; l < s->law_count && ok; l++) {
        const dt_law *law = s->law[l];
        const int own = dt_law_own_node(s, law);
        ok = dt_law_is(law, DT_LAW_IS_RATE) ||
             (reads_only(law->program, own) && reads_only_by_states(s, law, own));
    }
    return ok;
}

/* Whether stiction k, when locked, has constant limits and a constant force along it. */
static bool weldable(const dt_system *s, int k)
{
    const int i = s->mechanism->stictions[k].primitive;
    const dt_stiction *stiction = &s->mechanism->stictions[k];
    bool ok = !stiction->stops;
    for (int kind = 0; kind < DT_ELEMENT_KINDS; kind++) {
        ok = ok && !(dt_elements[kind]->varies && dt_elements[kind]->varies(s, i));
    }
    return ok;
}

/* ---- set-up ---- */

static bool take_memory(dt_arena *arena, const dt_system *whole, dt_welding *w)
{
    const detent_mechanism *m = whole->mechanism;
    const size_t n = (size_t)whole->tree->node_count, ns = (size_t)m->stiction_count,
                 nl = (size_t)m->place_count;
#define TAKE(member, count) \
    ((w->member = dt_arena_alloc(arena, (count), sizeof *w->member)) != NULL)
    return TAKE(weldable, ns) && TAKE(apart, ns) && TAKE(welded, ns) && TAKE(node, n) &&
           TAKE(number, n) && TAKE(carrier, n) && TAKE(stiction, ns) && TAKE(kept, ns) &&
           TAKE(q, (size_t)whole->tree->nq) && TAKE(part, n + 1) && TAKE(joint, ns) &&
           TAKE(formed, n + 1) && TAKE(sum, n) && TAKE(first_child, n + 1) &&
           TAKE(next_sibling, n) && TAKE(first_load, n) && TAKE(next_load, nl) && TAKE(nodes, n) &&
           TAKE(frame, n) && TAKE(primitives, n) && TAKE(stictions, ns) && TAKE(loads, nl) &&
           TAKE(load_place, nl) && TAKE(loads_kept, (size_t)m->load_count) &&
           TAKE(touched, n + 1) && TAKE(member, n) &&
           (!whole->tree->lent || (TAKE(lent_beyond, n) && TAKE(lent, n)));
#undef TAKE
}

/* Children and loads of every node, in ascending order. */
static void list_children(dt_welding *w)
{
    const detent_mechanism *whole = w->whole->mechanism;
    const int n = whole->tree.node_count;
    w->first_child[0] = -1;
    for (int i = 0; i < n; i++) {
        w->first_child[i + 1] = w->first_load[i] = -1;
    }
    for (int i = n - 1; i >= 0; i--) {
        int *first = &w->first_child[whole->tree.nodes[i].parent + 1];
        w->next_sibling[i] = *first;
        *first = i;
    }
    for (int l = whole->place_count - 1; l >= 0; l--) {
        if (whole->loads[l].node >= 0) {
            int *first = &w->first_load[whole->loads[l].node];
            w->next_load[l] = *first;
            *first = l;
        }
    }
}

static bool create_system(dt_arena *arena, const dt_system *whole, bool shares_readings,
                          dt_system *s)
{
    const detent_status status = shares_readings
                                     ? dt_system_create_beside(arena, whole, s, NULL)
                                     : dt_system_create(arena, whole->mechanism, s, NULL);
    s->failed = whole->failed; /* where one is over the other is, too */
    if (status == DETENT_OK && s->closure) {
        s->closure->initial_meeting = whole->closure->initial_meeting;
    }
    return status == DETENT_OK;
}

/* Bundles of nodes, of loads, and of the nodes where more than one of these can meet. */
static bool create_bundles(dt_arena *arena, dt_welding *w)
{
    const detent_mechanism *whole = w->whole->mechanism;
    int count = whole->tree.node_count + whole->place_count;
    for (int i = 0; i < whole->tree.node_count; i++) {
        const int child = w->first_child[i + 1], load = w->first_load[i];
        const bool several = (child >= 0 && (load >= 0 || w->next_sibling[child] >= 0)) ||
                             (load >= 0 && w->next_load[load] >= 0);
        w->sum[i] = several ? count++ : DT_NO_SUM;
    }
    w->bundle = dt_arena_alloc(arena, (size_t)(count - whole->tree.node_count), sizeof *w->bundle);
    w->bundle_count = count;
    return w->bundle != NULL;
}

/* Items of elements: the same, but for the joints that they are along. */
static bool create_items(dt_arena *arena, dt_welding *w)
{
    const detent_mechanism *whole = w->whole->mechanism;
    bool any = false;
    for (int k = 0; whole->added && k < whole->source->count; k++) {
        any = any || whole->added[k].joints * whole->added[k].count > 0;
    }
    if (!any) {
        return true; /* nothing is another one here */
    }
    w->added = dt_arena_alloc(arena, (size_t)whole->source->count, sizeof *w->added);
    for (int k = 0; w->added && k < whole->source->count; k++) {
        dt_item_list *own = &w->added[k];
        *own = whole->added[k];
        const size_t joints = (size_t)own->joints * (size_t)own->count;
        own->joint = joints ? dt_arena_alloc(arena, joints, sizeof *own->joint) : NULL;
        if ((joints && !own->joint) || !dt_item_index_create(arena, own, whole->primitive_count)) {
            return false;
        }
    }
    w->mechanism.added = w->added;
    return w->added != NULL;
}

bool dt_welding_create(dt_arena *arena, const dt_system *whole, bool shares_readings, dt_welding *w)
{
    memset(w, 0, sizeof *w);
    w->whole = whole;
    w->mechanism = *whole->mechanism;
    if (!take_memory(arena, whole, w) || !create_items(arena, w) ||
        !create_system(arena, whole, shares_readings, &w->system)) {
        return false;
    }
    w->mechanism.tree.nodes = w->nodes;
    w->mechanism.tree.lent = w->lent;
    w->mechanism.primitives = w->primitives;
    w->mechanism.stictions = w->stictions;
    w->mechanism.loads = w->loads;
    w->system.branches = whole->branches;
    w->system.turned = whole->turned;
    w->system.place = w->number; /* laws are read by joints that are kept, each its own node */
    for (int k = 0; k < whole->mechanism->stiction_count; k++) {
        w->weldable[k] = weldable(whole, k);
        w->joint[k] = &w->part[whole->mechanism->stictions[k].primitive + 1].joint;
    }
    list_children(w);
    return create_bundles(arena, w);
}

/* ---- the welded system ---- */

/* Node i moves against the group that carries its parent. */
static void keep_node(dt_welding *w, int i)
{
    const dt_system *whole = w->whole;
    dt_tree *tree = &w->mechanism.tree;
    const int c = tree->node_count++, parent = whole->tree->nodes[i].parent;
    dt_node *node = &w->nodes[c];
    *node = whole->tree->nodes[i];
    node->parent = dt_welding_carrier(w, parent);
    node->q = tree->nq;
    node->v = tree->nv;
    if (parent >= 0) {
        dt_joint_frame *frame = &w->frame[c];
        memcpy(frame->axis, node->frame->axis, sizeof frame->axis);
        dt_motion_base(&whole->tree->nodes[i], dt_welding_rotation(w, parent),
                       dt_welding_origin(w, parent), frame->R, frame->p);
        node->frame = frame;
        node->parallel = node->parallel && !dt_welding_is_welded(w, parent);
    }
    tree->nq += node->type->nq;
    tree->nv += node->type->nv;
    w->node[c] = i;
    w->number[i] = c;
}

/* The body of a node that is kept: its group's. */
static void keep_body(dt_welding *w, int c)
{
    w->nodes[c].body = &dt_welding_group(w, c)->body;
    if (w->lent) {
        w->lent[c] = w->lent_beyond[w->node[c]];
    }
}

/* What acts along a node that is kept, and its stiction. */
static void keep_joint(dt_welding *w, int c)
{
    const dt_system *whole = w->whole;
    const int i = w->node[c], k = whole->mechanism->primitives[i].stiction;
    w->primitives[c] = whole->mechanism->primitives[i];
    if (k < 0) {
        return;
    }
    const int own = w->mechanism.stiction_count++;
    w->stictions[own] = whole->mechanism->stictions[k];
    w->stictions[own].primitive = c;
    w->stiction[own] = k;
    w->kept[k] = own;
    w->primitives[c].stiction = own;
}

/* Where the joints are that items of elements are along. */
static void keep_items(dt_welding *w)
{
    const detent_mechanism *whole = w->whole->mechanism;
    for (int k = 0; w->added && k < whole->source->count; k++) {
        for (int j = 0; j < w->added[k].joints * w->added[k].count; j++) {
            const int i = whole->added[k].joint[j], stiction = whole->primitives[i].stiction;
            w->added[k].joint[j] = stiction >= 0 && w->welded[stiction] ? -1 : w->number[i];
        }
        dt_item_index(&w->added[k], w->mechanism.primitive_count);
    }
}

/* The nodes that are kept. */
static void keep_nodes(dt_welding *w)
{
    const detent_mechanism *whole = w->whole->mechanism;
    w->mechanism.tree.node_count = w->mechanism.tree.nq = w->mechanism.tree.nv = 0;
    w->mechanism.stiction_count = 0;
    for (int i = 0; i < whole->tree.node_count; i++) {
        const int k = whole->primitives[i].stiction;
        if (k < 0 || !w->welded[k]) {
            keep_node(w, i);
        }
    }
    w->mechanism.primitive_count = w->mechanism.tree.node_count;
    for (int c = 0; c < w->mechanism.tree.node_count; c++) {
        keep_body(w, c);
        keep_joint(w, c);
    }
    keep_items(w);
}

/* A load of the whole to its place among those of the welded system. */
static void keep_load(dt_welding *w, int l, int own)
{
    const dt_load *load = &w->whole->mechanism->loads[l];
    dt_load *out = &w->loads[own];
    const int member = load->node;
    *out = *load;
    w->load_place[l] = own;
    if (member < 0) { /* an end of a strut on the ground */
        return;
    }
    out->node = dt_welding_carrier(w, member);
    const double *R = dt_welding_rotation(w, member), *p = dt_welding_origin(w, member);
    dt_rotate(out->point, R, load->point);
    for (int k = 0; k < 3; k++) {
        out->point[k] += p[k];
    }
    dt_mul33(out->R, R, load->R);
}

/* Loads on bodies that move come first; the others only load welded joints. Then the ends of struts. */
static void keep_loads(dt_welding *w)
{
    const detent_mechanism *whole = w->whole->mechanism;
    int count = 0;
    for (int fixed = 0; fixed <= 1; fixed++) {
        for (int l = 0; l < whole->load_count; l++) {
            if ((w->carrier[whole->loads[l].node] < 0) == (fixed == 1)) {
                w->loads_kept[count] = l;
                keep_load(w, l, count++);
            }
        }
        w->mechanism.load_count = fixed ? w->mechanism.load_count : count;
    }
    for (int l = whole->load_count; l < whole->place_count; l++) {
        keep_load(w, l, l); /* the ends of struts stay where these look for them */
    }
}

/* How many items have laws in the welded system: of loads those on what does not move, too. */
static int items_kept(const dt_welding *w, int kind)
{
    const int all = w->whole->items[kind];
    const int kept[DT_ITEM_SETS] = {[DT_ITEMS_OWN] = all,
                                    [DT_ITEMS_PRIMITIVES] = w->mechanism.primitive_count,
                                    [DT_ITEMS_STICTIONS] = w->mechanism.stiction_count,
                                    [DT_ITEMS_LOADS] = all};
    return kept[dt_elements[kind]->items];
}

/* The items of the whole that they are; NULL: the same. */
static const int *items_of_whole(const dt_welding *w, dt_items items)
{
    const int *const of[DT_ITEM_SETS] = {[DT_ITEMS_OWN] = NULL,
                                         [DT_ITEMS_PRIMITIVES] = w->node,
                                         [DT_ITEMS_STICTIONS] = w->stiction,
                                         [DT_ITEMS_LOADS] = w->loads_kept};
    return of[items];
}

/* The laws of the items that are kept, of all kinds. */
static void keep_laws(dt_welding *w)
{
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        const int *of_whole = items_of_whole(w, dt_elements[k]->items);
        w->system.items[k] = w->whole->items[k] > 0 ? items_kept(w, k) : 0;
        for (int own = 0; own < w->system.items[k]; own++) {
            const int item = of_whole ? of_whole[own] : own, count = w->whole->item_laws[k];
            dt_law *laws = w->system.laws[k] + own * count;
            memcpy(laws, w->whole->laws[k] + item * count, (size_t)count * sizeof *laws);
            for (int n = 0; n < count; n++) {
                dt_law_set_owner(&laws[n], own);
            }
        }
    }
    dt_system_list_laws(&w->system);
}

/* ---- the state ---- */

void dt_welding_copy_modes(dt_welding *w)
{
    for (int k = 0; k < w->mechanism.stiction_count; k++) {
        w->system.mode[k] = w->whole->mode[w->stiction[k]];
        w->system.direction[k] = w->whole->direction[w->stiction[k]];
        w->system.yielded[k] = w->whole->yielded[w->stiction[k]];
    }
}

/* State, accelerations and forces of the whole to the nodes that are kept. */
static void reduce_state(dt_welding *w)
{
    const dt_system *whole = w->whole;
    dt_system *s = &w->system;
    s->length = whole->length;
    s->state_size = whole->state_size;
    for (int c = 0; c < s->tree->node_count; c++) {
        const dt_node *own = &w->nodes[c], *node = &whole->tree->nodes[w->node[c]];
        memcpy(s->q + own->q, whole->q + node->q, (size_t)node->type->nq * sizeof *s->q);
        memcpy(s->v + own->v, whole->v + node->v, (size_t)node->type->nv * sizeof *s->v);
        memcpy(s->a + own->v, whole->a + node->v, (size_t)node->type->nv * sizeof *s->a);
        memset(s->prescribed + own->v, 0, (size_t)node->type->nv * sizeof *s->prescribed);
    }
    for (int k = 0; k < w->mechanism.stiction_count; k++) {
        s->f[k] = whole->f[w->stiction[k]];
    }
    memcpy(s->z, whole->z, (size_t)w->mechanism.state_count * sizeof *s->z);
    memcpy(s->inputs, whole->inputs, (size_t)dt_given_count(&w->mechanism) * sizeof *s->inputs);
    if (s->external) {
        memset(s->external, 0, (size_t)s->tree->node_count * sizeof *s->external);
    }
    dt_welding_copy_modes(w);
    s->posed->system = NULL; /* other nodes */
    dt_system_set_state(s, whole->time, s->q, s->v);
    dt_system_set_acceleration(s, s->a, s->f);
    dt_system_forces(s);
}

void dt_welding_expand(const dt_welding *w, const double *q, const double *v, const double *a,
                       const double *f, dt_system *whole)
{
    memcpy(whole->q, w->q, (size_t)whole->tree->nq * sizeof *q);
    memset(whole->v, 0, (size_t)whole->tree->nv * sizeof *v);
    memset(whole->a, 0, (size_t)whole->tree->nv * sizeof *a);
    for (int c = 0; c < w->mechanism.tree.node_count; c++) {
        const dt_node *own = &w->nodes[c], *node = &whole->tree->nodes[w->node[c]];
        memcpy(whole->q + node->q, q + own->q, (size_t)node->type->nq * sizeof *q);
        memcpy(whole->v + node->v, v + own->v, (size_t)node->type->nv * sizeof *v);
        memcpy(whole->a + node->v, a + own->v, (size_t)node->type->nv * sizeof *a);
    }
    for (int k = 0; k < w->mechanism.stiction_count; k++) {
        whole->f[w->stiction[k]] = f[k];
    }
}

void dt_welding_forget(dt_welding *w)
{
    w->is_formed = false;
}

void dt_welding_form(dt_welding *w)
{
    w->system.mechanism = &w->mechanism; /* until now, with all memory to be taken, the whole's */
    w->system.tree = &w->mechanism.tree;
    dt_welding_form_groups(w);
    memcpy(w->q, w->whole->q, (size_t)w->whole->tree->nq * sizeof *w->q);
    if (w->touched_count >
        0) { /* else all groups are what they were, and so is what moves against them */
        keep_nodes(w);
        keep_loads(w);
        keep_laws(w);
    }
    reduce_state(w);
}
