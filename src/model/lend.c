/* Loops hold bodies that alone would have no inertia along a joint of the tree: the slider of a crank that is a point mass,
 * a rocker without mass.
 *
 * A joint that closes a loop moves a copy of its follower, its ghost, and original and ghosts are welded to one body. They have
 * one pose, velocity and acceleration, so how they share the body's inertia changes no motion, no energy and no
 * reaction: the welds take the difference. One of them may have more than the body has, and another one less than nothing. So
 * where copy x is at, or beyond, a node that moves nothing, and its twin y is not, y lends x an inertia D >= 0:
 *
 *     I_x := I_x + D      I_y := I_y - D
 *
 * With T the energy of the tree before, that of all loans together is now T' = T + sum V_x' D V_x / 2 - sum V_y' D V_y / 2. The
 * searches and both solvers need T' > 0 for every motion of the *tree*, in every pose it may come to. So each y lends only
 * what it can spare in all of them: what its joint holds to the body before it, and that has at least (stock.h), or
 * anything that its joint holds to the ground. All that is lent is at most half of T for every motion, so that
 *
 *     T' >= (T + sum V_x' D V_x) / 2
 *
 * and T' is positive where the inertia of the tree is *with what is received, and nothing given*, which singular.c looks at as
 * at any other: without a negative number, at the initial position.
 *
 * D is a point mass at the origin of y's joint, where that only turns; and a moment of inertia without mass where it does not turn, or
 * across the axis about which it does. In x it is as large as the neighbours of x, not more, so that multipliers do not drown
 * the forces there; where no bound and no neighbour says how large, the average of the mechanism will do.
 *
 * A body may have several ghosts: what one copy lends is shared evenly by all others that need something. All is linear in
 * the number of nodes and in the lengths of the ways round the loops.
 *
 * Every loan is made of inertias, masses and lengths of the mechanism alone: other units change it as they change these. */

#include "model/lend.h"

#include "math/inertia.h"
#include "math/vec3.h"
#include "model/stock.h"

#include <string.h>

/* Of a body in a loop: the original, or a ghost. */
typedef struct copy {
    int node;
    const dt_body_pose *pose;
    int next;   /* of the same body, or -1 */
    bool needs; /* there is a stuck node between it and another copy */
    dt_inertia gives,
        before; /* body's frame: what it lends; what those before it lend each of the needy */
} copy;

/* All copies of a body, the original first. */
typedef struct family {
    int first, needy;
    double mass, moment; /* of the neighbours of those who need something; 0: there is none */
} family;

typedef struct lending {
    const detent_mechanism *m;
    const bool *stuck;
    copy *copies;
    int count;
    family *families; /* by body */
    dt_stock *stock;
} lending;

/* ---- who needs something ---- */

static int add_copy(lending *of, int body, int node, const dt_body_pose *pose)
{
    family *own = &of->families[body];
    copy *added = &of->copies[of->count];
    *added = (copy){.node = node, .pose = pose, .next = -1};
    if (own->first < 0) {
        own->first = of->count;
    } else { /* behind the original */
        added->next = of->copies[own->first].next;
        of->copies[own->first].next = of->count;
    }
    return of->count++;
}

/* Looks at the ways from both copies to where they meet. */
static void look_round(lending *of, const dt_loop *loop)
{
    const dt_node *nodes = of->m->tree.nodes;
    int at[2] = {loop->node[0], loop->node[1]};
    bool needs[2] = {false, false};
    while (at[0] != at[1]) { /* parents come before their children */
        const int side = at[0] > at[1] ? 0 : 1;
        needs[side] = needs[side] || of->stuck[at[side]];
        at[side] = nodes[at[side]].parent;
    }
    if (of->families[loop->body].first < 0) {
        add_copy(of, loop->body, loop->node[0], loop->pose[0]);
    }
    copy *original = &of->copies[of->families[loop->body].first];
    original->needs = original->needs || needs[0];
    of->copies[add_copy(of, loop->body, loop->node[1], loop->pose[1])].needs = needs[1];
}

static bool find_needs(lending *of)
{
    bool any = false;
    for (int b = 0; b < of->m->body_count; b++) {
        of->families[b].first = -1;
    }
    for (int l = 0; l < of->m->loop_count; l++) {
        look_round(of, &of->m->loops[l]);
    }
    for (int b = 0; b < of->m->body_count; b++) {
        for (int c = of->families[b].first; c >= 0; c = of->copies[c].next) {
            of->families[b].needy += of->copies[c].needs;
        }
        any = any || of->families[b].needy > 0;
    }
    return any;
}

/* Whether somebody else needs something. */
static bool is_asked(const family *own, const copy *of)
{
    return own->needy > (of->needs ? 1 : 0);
}

/* ---- how much ---- */

/* Half the trace of an inertia about a point. */
static double moment_about(const dt_inertia *I, const double point[3])
{
    const double minus[3] = {-point[0], -point[1], -point[2]};
    dt_inertia there = *I;
    dt_inertia_shift(&there, minus);
    return 0.5 * (there.J[0] + there.J[1] + there.J[2]);
}

/* What the base of a copy's joint has, about that joint. */
static void measure(const lending *of, const copy *at, family *own)
{
    const detent_mechanism *m = of->m;
    const int base = dt_stock_base(m, of->stock, at->node);
    if (base < 0) {
        return;
    }
    const dt_joint *joint = &m->joints[m->primitives[at->node].joint];
    const dt_node *first = &m->tree.nodes[joint->first_primitive];
    const dt_stock *parent = &of->stock[first->parent];
    double point[3];
    dt_rotate(point, parent->R, first->frame->p);
    for (int k = 0; k < 3; k++) {
        point[k] += parent->p[k];
    }
    own->mass = fmax(own->mass, of->stock[base].I.m);
    own->moment = fmax(own->moment, moment_about(&of->stock[base].I, point));
}

/* Averages of the nodes that have mass, about where they are joined on. */
static family average(const detent_mechanism *m)
{
    static const double origin[3];
    family sum = {0};
    int count = 0;
    for (int i = 0; i < m->tree.node_count; i++) {
        const dt_node *node = &m->tree.nodes[i];
        dt_inertia I;
        dt_node_inertia(node, &I);
        count += I.m > 0;
        sum.mass += I.m;
        sum.moment += moment_about(&I, origin);
        sum.moment += node->parent >= 0 ? I.m * dt_dot3(node->frame->p, node->frame->p) : 0;
    }
    sum.mass /= count > 0 ? count : 1;
    sum.moment /= count > 0 ? count : 1;
    return sum;
}

static double least(double bound, double neighbour, double average)
{
    return neighbour > 0 ? fmin(bound, neighbour) : isfinite(bound) ? bound : average;
}

/* ---- giving ---- */

/* What a copy lends, in the frame of its body; taken away from its node. */
static void give(const lending *of, const family *own, const family *all, copy *by, dt_loan *loan)
{
    dt_spare spare;
    dt_stock_spare(of->m, of->stock, by->node, &spare);
    dt_inertia D = {.m = least(spare.mass, own->mass, all->mass)};
    const double moment = least(spare.moment, own->moment, all->moment);
    for (int k = 0; k < 6; k++) {
        D.J[k] = moment * spare.shape[k];
    }
    dt_inertia_add(&loan->given[by->node], -1, &D);
    dt_inertia_move_back(&by->gives, &D, by->pose->R, by->pose->p);
}

static void receive(const copy *by, const dt_inertia *from, dt_loan *loan)
{
    dt_inertia here;
    dt_inertia_move(&here, from, by->pose->R, by->pose->p);
    dt_inertia_add(&loan->received[by->node], 1, &here);
}

/* The part of what a copy lends that each of the others who need something gets. */
static double part(const family *own, const copy *of)
{
    return is_asked(own, of) ? 1.0 / (own->needy - (of->needs ? 1 : 0)) : 0;
}

/* Each gets from those before it, and from those behind it in the list. */
static void share_out(const lending *of, const family *own, dt_loan *loan)
{
    dt_inertia sum = {0};
    int last = -1;
    for (int c = own->first, next; c >= 0; c = next) { /* the list is turned round on the way */
        copy *at = &of->copies[c];
        next = at->next;
        at->before = sum;
        dt_inertia_add(&sum, part(own, at), &at->gives);
        at->next = last;
        last = c;
    }
    sum = (dt_inertia){0};
    for (int c = last; c >= 0; c = of->copies[c].next) {
        const copy *at = &of->copies[c];
        dt_inertia all = at->before;
        dt_inertia_add(&all, 1, &sum);
        if (at->needs) {
            receive(at, &all, loan);
        }
        dt_inertia_add(&sum, part(own, at), &at->gives);
    }
}

static void lend(lending *of, dt_loan *loan)
{
    const detent_mechanism *m = of->m;
    const family all = average(m);
    for (int b = 0; b < m->body_count; b++) {
        family *own = &of->families[b];
        for (int c = own->needy > 0 ? own->first : -1; c >= 0; c = of->copies[c].next) {
            if (is_asked(own, &of->copies[c])) {
                dt_stock_ask(m, of->stock, of->copies[c].node);
            }
            if (of->copies[c].needs) {
                measure(of, &of->copies[c], own);
            }
        }
    }
    dt_stock_hand_on(m, of->stock);
    for (int b = 0; b < m->body_count; b++) {
        family *own = &of->families[b];
        for (int c = own->needy > 0 ? own->first : -1; c >= 0; c = of->copies[c].next) {
            if (is_asked(own, &of->copies[c])) {
                give(of, own, &all, &of->copies[c], loan);
            }
        }
        if (own->needy > 0) {
            share_out(of, own, loan);
        }
    }
}

detent_status dt_lend_inertia(detent_mechanism *m, const bool *stuck, dt_loan *loan,
                              detent_error *error)
{
    dt_arena *arena = &m->builder->arena;
    const size_t n = (size_t)m->tree.node_count;
    *loan = (dt_loan){NULL, NULL};
    lending of = {.m = m, .stuck = stuck};
    of.copies = dt_arena_alloc(arena, 2 * (size_t)m->loop_count, sizeof *of.copies);
    of.families = dt_arena_alloc(arena, (size_t)m->body_count, sizeof *of.families);
    if (!of.copies || !of.families) {
        return dt_out_of_memory(error);
    }
    if (!find_needs(&of)) {
        return DETENT_OK;
    }
    of.stock = dt_stock_create(m, arena);
    loan->received = dt_arena_alloc(&m->arena, n, sizeof *loan->received);
    loan->given = dt_arena_alloc(arena, n, sizeof *loan->given);
    if (!of.stock || !loan->received || !loan->given) {
        return dt_out_of_memory(error);
    }
    lend(&of, loan);
    return DETENT_OK;
}
