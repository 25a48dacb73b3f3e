/*
 * The groups of a welding, and what is attached to them.
 *
 * A group is the nodes behind locked joints that one node carries, or the ground. Its inertias, joints
 * and bundles are in the frame of that node and depend on nothing else that moves, so that a group in
 * which no joint is locked or released stays as it is: an event costs what its groups are large.
 *
 * Bundles have the numbers of what they come from: the nodes of the whole, then its loads, then the
 * nodes where several things can meet, for the sums that come about there.
 */
#include "math/inertia.h"
#include "reduce/welding.h"

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
static const double zero3[3];

const double *dt_welding_rotation(const dt_welding *w, int i)
{
    return dt_welding_is_welded(w, i) ? w->part[i + 1].joint.R : identity;
}

const double *dt_welding_origin(const dt_welding *w, int i)
{
    return dt_welding_is_welded(w, i) ? w->part[i + 1].joint.p : zero3;
}

/* Of the group from node i outward, while it is being formed; of a carrier for good. */
static dt_inertia *inertia_at(dt_welding *w, int i)
{
    dt_welded_part *part = &w->part[i + 1];
    return dt_welding_is_welded(w, i) ? &part->joint.beyond : &part->group.inertia;
}

/* ---- what has changed ---- */

static void touch(dt_welding *w, int carrier)
{
    if (w->formed[carrier + 1] != w->forms) {
        w->formed[carrier + 1] = w->forms;
        w->touched[w->touched_count++] = carrier;
    }
}

/* The node that carries node i by now. */
static int climb(const dt_welding *w, int i)
{
    while (i >= 0 && dt_welding_is_welded(w, i)) {
        i = w->whole->tree->nodes[i].parent;
    }
    return i;
}

/* The same for all nodes, in `carrier`: where many are asked for, climbing would be quadratic. */
static void find_carriers(dt_welding *w)
{
    const dt_tree *tree = w->whole->tree;
    for (int i = 0; i < tree->node_count; i++) {
        const int parent = tree->nodes[i].parent;
        w->carrier[i] = !dt_welding_is_welded(w, i) ? i : parent < 0 ? -1 : w->carrier[parent];
    }
}

/* Whether joint k is welded from now on; where it is not, `kept` is set later. */
static void weld(dt_welding *w, int k, bool now)
{
    w->joint_count += (int)now - (int)w->welded[k];
    w->welded[k] = now;
    w->kept[k] = -1;
}

static bool is_to_be_welded(const dt_welding *w, int k)
{
    return w->whole->mode[k] == DETENT_LOCKED && w->weldable[k] && !w->apart[k];
}

static void touch_all(dt_welding *w)
{
    w->joint_count = 0;
    for (int k = 0; k < w->whole->mechanism->stiction_count; k++) {
        w->welded[k] = false;
        weld(w, k, is_to_be_welded(w, k));
    }
    touch(w, -1);
    for (int i = 0; i < w->whole->tree->node_count; i++) {
        if (!dt_welding_is_welded(w, i)) {
            touch(w, i);
        }
    }
}

/* The groups on both sides of every joint that was locked or released. */
static void touch_changed(dt_welding *w)
{
    static const int few = 16;
    const detent_mechanism *whole = w->whole->mechanism;
    int *changed = w->member, count = 0;
    for (int k = 0; k < whole->stiction_count; k++) {
        if (is_to_be_welded(w, k) != w->welded[k]) {
            weld(w, k, !w->welded[k]);
            changed[count++] = whole->stictions[k].primitive;
        }
    }
    if (count > few) {
        find_carriers(w);
    }
    for (int j = 0; j < count; j++) {
        const int i = changed[j], parent = whole->tree.nodes[i].parent;
        touch(w, count > few ? w->carrier[i] : climb(w, i));
        touch(w, count <= few ? climb(w, parent) : parent < 0 ? -1 : w->carrier[parent]);
    }
}

/* ---- members ---- */

/* Lists the nodes of a group, each after its parent; returns how many. */
static int list_members(dt_welding *w, int carrier)
{
    const int n = w->whole->tree->node_count;
    int count = 0, top = n; /* members from the front, nodes to be looked at from the back */
    if (carrier >= 0) {
        w->member[--top] = carrier;
    }
    for (int i = w->first_child[0]; carrier < 0 && i >= 0; i = w->next_sibling[i]) {
        if (dt_welding_is_welded(w, i)) {
            w->member[--top] = i;
        }
    }
    while (top < n) {
        const int i = w->member[top++];
        w->member[count++] = i;
        for (int child = w->first_child[i + 1]; child >= 0; child = w->next_sibling[child]) {
            if (dt_welding_is_welded(w, child)) {
                w->member[--top] = child;
            }
        }
    }
    return count;
}

/* Its pose in the frame of the group. */
static void place_member(dt_welding *w, int carrier, int i)
{
    const dt_node *node = &w->whole->tree->nodes[i];
    const int parent = node->parent;
    double R_base[9], p_base[3];
    dt_welded_joint *joint = &w->part[i + 1].joint;
    w->carrier[i] = carrier;
    if (i == carrier) {
        return;
    }
    joint->bundle = -1;
    dt_motion_base(node, parent < 0 ? identity : dt_welding_rotation(w, parent),
                   parent < 0 ? zero3 : dt_welding_origin(w, parent), R_base, p_base);
    dt_motion_follower(node, w->whole->q, R_base, p_base, joint->R, joint->p);
}

static void set_inertia(dt_welding *w, int i)
{
    const dt_node *node = &w->whole->tree->nodes[i];
    const double *R = dt_welding_rotation(w, i), *at = dt_welding_origin(w, i);
    double com[3], p[3];
    dt_rotate(com, R, node->body->com);
    for (int k = 0; k < 3; k++) {
        p[k] = at[k] - (w->carrier[i] < 0 ? w->ground[k] : 0);
        com[k] += p[k];
    }
    dt_motion_inertia(node, R, com, inertia_at(w, i));
    if (w->lent) {
        dt_inertia_move(&w->lent_beyond[i], &w->whole->tree->lent[i], R, p);
    }
}

/* ---- what is attached ---- */

/* Attaches bundle b at node i; at the carrier itself it loads no joint. */
static void attach(dt_welding *w, int i, int b)
{
    const int sum = w->sum[i];
    dt_bundle *bundle = dt_welding_bundle(w, b);
    bundle->into = -1;
    if (i == w->carrier[i]) {
        return;
    }
    int *at = &w->part[i + 1].joint.bundle;
    if (*at < 0) {
        *at = b;
        return;
    }
    if (*at != sum) {
        dt_bundle *into = dt_welding_bundle(w, sum);
        into->into = into->next = -1;
        dt_welding_bundle(w, *at)->into = sum;
        *at = sum;
    }
    bundle->into = sum;
}

/* Attaches the loads of node i and the nodes that move against it. */
static void attach_all(dt_welding *w, int i)
{
    for (int l = w->first_load[i]; l >= 0; l = w->next_load[l]) {
        attach(w, i, w->whole->tree->node_count + l);
    }
    for (int child = w->first_child[i + 1]; child >= 0; child = w->next_sibling[child]) {
        if (!dt_welding_is_welded(w, child)) {
            attach(w, i, child);
        }
    }
}

/* ---- forming ---- */

/* The last ones in the lists of a group so far, or -1. */
typedef struct tails {
    int joint, sum;
} tails;

static void list_sum(dt_welding *w, int carrier, int sum, tails *last)
{
    *(last->sum < 0 ? &w->part[carrier + 1].group.sums : &dt_welding_bundle(w, last->sum)->next) =
        sum;
    last->sum = sum;
}

/* Node i, after all beyond it: its inertia and bundle go inward, its joint to the list. */
static void collect(dt_welding *w, int carrier, int i, tails *last)
{
    const int parent = w->whole->tree->nodes[i].parent;
    attach_all(w, i);
    if (i == carrier) {
        return;
    }
    const int bundle = w->part[i + 1].joint.bundle;
    if (bundle == w->sum[i]) {
        list_sum(w, carrier, bundle, last);
    }
    if (parent >= 0) {
        dt_inertia_add(inertia_at(w, parent), 1, inertia_at(w, i));
        if (w->lent) {
            dt_inertia_add(&w->lent_beyond[parent], 1, &w->lent_beyond[i]);
        }
        if (bundle >= 0) {
            attach(w, parent, bundle);
        }
    }
    dt_welding_add_joint(w, i, last->joint);
    last->joint = w->whole->mechanism->primitives[i].stiction;
}

/* The inertia of a group to what a node has; `own`: of the carrier alone. */
static void set_body(dt_group *group, const dt_mass *own)
{
    const dt_inertia I = group->inertia;
    const double *h = I.h, m = I.m;
    dt_mass *body = &group->body;
    if (m == 0) {
        *body = *own; /* massless: between the primitives of a composite joint */
        body->mass = m;
        return;
    }
    body->mass = m;
    for (int k = 0; k < 3; k++) {
        body->com[k] = h[k] / m;
        body->inertia[k] = I.J[k] - (dt_dot3(h, h) - h[k] * h[k]) / m;
    }
    body->inertia[3] = I.J[3] + h[0] * h[1] / m;
    body->inertia[4] = I.J[4] + h[0] * h[2] / m;
    body->inertia[5] = I.J[5] + h[1] * h[2] / m;
}

static void form_group(dt_welding *w, int carrier)
{
    dt_group *group = &w->part[carrier + 1].group;
    const int count = list_members(w, carrier);
    tails last = {-1, -1};
    group->joints = group->sums = -1;
    for (int j = 0; j < count; j++) {
        place_member(w, carrier, w->member[j]);
    }
    if (carrier < 0) {
        memcpy(w->ground, count > 0 ? dt_welding_origin(w, w->member[0]) : zero3, sizeof w->ground);
    }
    for (int j = 0; j < count; j++) {
        set_inertia(w, w->member[j]);
    }
    for (int j = count - 1; j >= 0; j--) {
        collect(w, carrier, w->member[j], &last);
    }
    if (carrier >= 0) {
        set_body(group, w->whole->tree->nodes[carrier].body);
    }
}

void dt_welding_form_groups(dt_welding *w)
{
    w->touched_count = 0;
    w->forms++;
    if (w->is_formed) {
        touch_changed(w);
    } else {
        touch_all(w);
    }
    w->is_formed = true;
    for (int j = 0; j < w->touched_count; j++) {
        form_group(w, w->touched[j]);
    }
}
