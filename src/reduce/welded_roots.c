/*
 * The root of all welded joints: the least distance of any of them from its limit.
 *
 * Most welded joints are far from their limits, and need not be looked at. Joints next to each other
 * in one group, with the same things beyond them, form a block of up to sixteen. A block of less than
 * four is always evaluated, which costs little more and spares its bounds. When all of another
 * block are evaluated, at the motion m and the wrench W, the least distance g of them is kept with
 * these; elsewhere none of them can have moved by more than
 *
 *   d = sum_i max |k_i| |m_i - m_i(then)| + sum_i max |S_i| |W_i - W_i(then)|,
 *
 * 18 multiplications for them all. A block with d r < g / 4 here and at the ends of the last two
 * steps is passed over, r >= 1 being the growth of the step. What graze.c could make of these values
 * stays positive then: its interpolant has slopes of at most 2 d r a step. At a restart the motion
 * jumps; blocks of groups that stay are looked at in the same way.
 */
#include "reduce/welded_roots.h"
#include "integrator/core.h"
#include "integrator/roots.h"
#include "reduce/welded.h"

#include <math.h>

enum { most_in_a_block = 16, fewest_with_bounds = 4 };

bool dt_welded_create(dt_arena *arena, dt_simulation *sim)
{
    dt_welded_roots *r = dt_welded_roots_of(sim);
    const size_t ns = (size_t)sim->ns, nodes = (size_t)sim->mechanism->tree.node_count;
    for (int k = 0; k < 3; k++) {
        r->before[k] = dt_arena_alloc(arena, ns, sizeof(double));
        if (!r->before[k]) {
            return false;
        }
    }
#define TAKE(member, count) \
    ((r->member = dt_arena_alloc(arena, (count), sizeof *r->member)) != NULL)
    return TAKE(block, ns) && TAKE(list, ns) && TAKE(bounds, ns / fewest_with_bounds) &&
           TAKE(formed, nodes + 1) && TAKE(friction, ns) && TAKE(near, ns) &&
           (r->offset = sim->roots.widening) != NULL;
#undef TAKE
}

static double root_of(const dt_welded_joint *joint, const double offset[2], int which, double f)
{
    const double inside = which == 0 ? joint->limits[1] - f : f - joint->limits[0];
    return inside + offset[which];
}

double dt_welded_root(const dt_simulation *sim, int k, int which, double f)
{
    return root_of(dt_welding_joint(dt_welding_of(sim), k), dt_welded_roots_of(sim)->offset[k],
                   which, f);
}

double dt_welded_width(const dt_simulation *sim, int k)
{
    const dt_welded_joint *joint = dt_welding_joint(dt_welding_of(sim), k);
    return joint->limits[1] - joint->limits[0] + dt_roots_no_force(sim, k);
}

/* The nearer root of welded joint k, relative to the width of its box. */
static double nearer_root(const dt_simulation *sim, int k, double f)
{
    const dt_welded_joint *joint = dt_welding_joint(dt_welding_of(sim), k);
    const double *offset = dt_welded_roots_of(sim)->offset[k];
    return fmin(root_of(joint, offset, 0, f), root_of(joint, offset, 1, f)) /
           dt_welded_width(sim, k);
}

static int next_joint(const dt_simulation *sim, int k)
{
    return dt_welding_joint(dt_welding_of(sim), k)->next;
}

/* ---- places ---- */

/* Where the block is now. */
static dt_welded_place place_of(const dt_welding *w, const dt_welded_block *block)
{
    const dt_welded_joint *first = dt_welding_joint(w, block->first);
    dt_welded_place place = {.wrench = {0}};
    memcpy(place.motion, dt_welding_group_of(w, first)->motion, sizeof place.motion);
    if (first->bundle >= 0) {
        dt_copy6(place.wrench, dt_welding_wrench(w, first));
    }
    return place;
}

/* How far a friction of the block can be from what it is at the reference. */
static double distance(const dt_welded_bounds *bounds, const double motion[12],
                       const double wrench[6])
{
    double sum = 0;
    for (int k = 0; k < 12; k++) {
        sum += bounds->most_k[k] * fabs(motion[k] - bounds->reference.motion[k]);
    }
    for (int k = 0; k < 6; k++) {
        sum += bounds->most_S[k] * fabs(wrench[k] - bounds->reference.wrench[k]);
    }
    return sum;
}

double dt_welded_movement(const dt_simulation *sim, const dt_welded_block *block)
{
    static const double nothing[6];
    const dt_welding *w = dt_welding_of(sim);
    const dt_welded_joint *first = dt_welding_joint(w, block->first);
    return distance(&dt_welded_roots_of(sim)->bounds[block->bounds],
                    dt_welding_group_of(w, first)->motion,
                    first->bundle < 0 ? nothing : dt_welding_wrench(w, first));
}

/* ---- blocks ---- */

/* The friction of every joint of a block. */
static void evaluate_block(dt_simulation *sim, const dt_welded_block *block)
{
    int k = block->first;
    for (int j = 0; j < block->count; j++, k = next_joint(sim, k)) {
        dt_welded_roots_of(sim)->friction[k] = dt_welding_friction(dt_welding_of(sim), k);
    }
}

static double least_root(const dt_simulation *sim, const dt_welded_block *block)
{
    double least = INFINITY;
    int k = block->first;
    for (int j = 0; j < block->count; j++, k = next_joint(sim, k)) {
        least = fmin(least, nearer_root(sim, k, dt_welded_roots_of(sim)->friction[k]));
    }
    return least;
}

/* Bounds of a block, or NULL. */
static dt_welded_bounds *bounds_of(dt_welded_roots *r, const dt_welded_block *block)
{
    return block->bounds < 0 ? NULL : &r->bounds[block->bounds];
}

/* Makes the place where all joints of a block have just been evaluated its reference. */
static void refer(dt_simulation *sim, const dt_welded_block *block)
{
    dt_welded_bounds *bounds = bounds_of(dt_welded_roots_of(sim), block);
    bounds->reference = place_of(dt_welding_of(sim), block);
    bounds->margin = least_root(sim, block);
    for (int k = 0; k < 2; k++) {
        bounds->moved[k] = distance(bounds, bounds->end[k].motion, bounds->end[k].wrench);
    }
    bounds->moved[2] = 0;
}

/*
 * Every welded joint starts inside, also one that is held by a hair beyond its limit: one root
 * stands for all, and must not start at zero.
 */
static void widen(dt_simulation *sim, int k)
{
    const double size = dt_welding_friction_size(dt_welding_of(sim), k);
    dt_roots_set_noise(sim, k, dt_force_rounding(sim->system.tree) * size);
    const double hair = dt_roots_hair(sim, k, dt_welding_joint(dt_welding_of(sim), k)->limits);
    for (int which = 0; which < 2; which++) {
        double *offset = &dt_welded_roots_of(sim)->offset[k][which];
        *offset = hair;
        const double g = dt_welded_root(sim, k, which, dt_welded_roots_of(sim)->friction[k]);
        *offset += dt_roots_widening(g, hair);
    }
}

/* The block starts here: its joints have no past. */
static void start_block(dt_simulation *sim, dt_welded_block *block)
{
    dt_welded_roots *r = dt_welded_roots_of(sim);
    dt_welded_bounds *bounds = bounds_of(r, block);
    double most_offset = 0;
    int k = block->first;
    evaluate_block(sim, block);
    for (int j = 0; j < block->count; j++, k = next_joint(sim, k)) {
        widen(sim, k);
        r->before[0][k] = r->before[1][k] = r->before[2][k] = r->friction[k];
        most_offset =
            fmax(most_offset, fmax(r->offset[k][0], r->offset[k][1]) / dt_welded_width(sim, k));
    }
    block->passed = block->skipped = false;
    if (bounds) {
        bounds->most_offset = most_offset;
        bounds->end[0] = bounds->end[1] = place_of(dt_welding_of(sim), block);
        refer(sim, block);
    }
}

/* The block starts here, at a jump of the motion, in a group that has stayed. */
static void resume_block(dt_simulation *sim, dt_welded_block *block)
{
    dt_welded_bounds *bounds = bounds_of(dt_welded_roots_of(sim), block);
    const double moved = bounds ? dt_welded_movement(sim, block) : INFINITY;
    if (!bounds || !(moved < 0.25 * bounds->margin)) {
        start_block(sim, block);
        return;
    }
    bounds->end[0] = bounds->end[1] = place_of(dt_welding_of(sim), block);
    bounds->moved[0] = bounds->moved[1] = bounds->moved[2] = moved;
    block->passed = block->skipped = true;
}

/* Takes bounds that no block has; as every block with bounds has four joints, there are enough. */
static int take_bounds(dt_welded_roots *r)
{
    while (r->bounds[r->next_bounds].restart == r->restarts) {
        r->next_bounds++;
    }
    return r->next_bounds++;
}

static void bound_joint(const dt_welded_joint *joint, double width, dt_welded_bounds *bounds)
{
    for (int k = 0; k < 12; k++) {
        bounds->most_k[k] = fmax(bounds->most_k[k], fabs(joint->k[k]) / width);
    }
    for (int k = 0; k < 6; k++) {
        bounds->most_S[k] = fmax(bounds->most_S[k], fabs(joint->S[k]) / width);
    }
}

static void bound_block(dt_simulation *sim, dt_welded_block *block)
{
    dt_welded_roots *r = dt_welded_roots_of(sim);
    block->bounds = take_bounds(r);
    dt_welded_bounds *bounds = bounds_of(r, block);
    *bounds = (dt_welded_bounds){.restart = r->restarts};
    int k = block->first;
    for (int j = 0; j < block->count; j++, k = next_joint(sim, k)) {
        bound_joint(dt_welding_joint(dt_welding_of(sim), k), dt_welded_width(sim, k), bounds);
    }
}

static void form_block(dt_simulation *sim, int first)
{
    const dt_welding *w = dt_welding_of(sim);
    dt_welded_block *block = &dt_welded_roots_of(sim)->block[first];
    const int bundle = dt_welding_joint(w, first)->bundle;
    *block = (dt_welded_block){.first = first, .next = first, .bounds = -1};
    while (block->next >= 0 && block->count < most_in_a_block &&
           dt_welding_joint(w, block->next)->bundle == bundle) {
        block->count++;
        block->next = dt_welding_joint(w, block->next)->next;
    }
    if (block->count >= fewest_with_bounds) {
        bound_block(sim, block);
    }
    start_block(sim, block);
}

/* Whether the group of node c has not been formed since the last time. */
static bool is_same(const dt_simulation *sim, int c)
{
    const dt_welding *w = dt_welding_of(sim);
    const int place = dt_welding_place(w, c);
    return dt_welded_roots_of(sim)->formed[place] == w->formed[place];
}

/* The bounds of a group that has not been formed since the last time stay in use. */
static void keep_bounds(dt_simulation *sim, int c)
{
    dt_welded_roots *r = dt_welded_roots_of(sim);
    const dt_group *group = dt_welding_group(dt_welding_of(sim), c);
    for (int k = group->joints; k >= 0 && is_same(sim, c); k = r->block[k].next) {
        dt_welded_bounds *bounds = bounds_of(r, &r->block[k]);
        if (bounds) {
            bounds->restart = r->restarts;
        }
    }
}

/* The blocks of a group, anew where it has been formed since the last time. */
static void restart_group(dt_simulation *sim, int c)
{
    dt_welded_roots *r = dt_welded_roots_of(sim);
    const dt_welding *w = dt_welding_of(sim);
    const int place = dt_welding_place(w, c);
    const bool same = is_same(sim, c);
    r->formed[place] = w->formed[place];
    for (int k = dt_welding_group(w, c)->joints; k >= 0; k = r->block[k].next) {
        if (same) {
            resume_block(sim, &r->block[k]);
        } else {
            form_block(sim, k);
        }
        r->list[r->block_count++] = k;
    }
}

void dt_welded_restart(dt_simulation *sim)
{
    const dt_welding *w = dt_welding_of(sim);
    dt_welding_update(dt_welding_of(sim));
    dt_welded_roots_of(sim)->restarts++;
    dt_welded_roots_of(sim)->block_count = dt_welded_roots_of(sim)->next_bounds = 0;
    for (int c = -1; c < w->mechanism.tree.node_count; c++) {
        keep_bounds(sim, c);
    }
    for (int c = -1; c < w->mechanism.tree.node_count; c++) {
        restart_group(sim, c);
    }
}

/* ---- while the integrator runs ---- */

/* By how much the step that ends now is longer than the one before; at least 1. */
static double growth(const dt_simulation *sim)
{
    const double *time = sim->graze.time;
    const double ratio = (sim->core->time - time[2]) / (time[2] - time[1]);
    return ratio > 1 ? ratio : 1;
}

/* Evaluates a block without bounds; false where a force is not finite. */
static bool evaluate_few(dt_simulation *sim, const dt_welded_block *block, double *least)
{
    double sum = 0;
    int k = block->first;
    evaluate_block(sim, block);
    for (int j = 0; j < block->count; j++, k = next_joint(sim, k)) {
        sum += 0 * dt_welded_roots_of(sim)->friction[k];
    }
    *least = fmin(*least, least_root(sim, block));
    return sum == 0;
}

/* Evaluates a block with bounds, unless it can be passed over. */
static bool evaluate_bounded(dt_simulation *sim, dt_welded_block *block, double longer,
                             double *least)
{
    dt_welded_bounds *bounds = bounds_of(dt_welded_roots_of(sim), block);
    double *moved = bounds->moved;
    moved[2] = dt_welded_movement(sim, block);
    if (!isfinite(moved[2])) {
        return false;
    }
    block->passed = longer * fmax(moved[2], fmax(moved[0], moved[1])) < 0.25 * bounds->margin;
    if (!block->passed) {
        evaluate_block(sim, block);
        refer(sim, block);
        *least = fmin(*least, bounds->margin);
    }
    return true;
}

bool dt_welded_evaluate(dt_simulation *sim, double *least)
{
    dt_welded_roots *r = dt_welded_roots_of(sim);
    bool finite = true;
    *least = 1;
    if (dt_welding_of(sim)->joint_count == 0) {
        return true;
    }
    dt_welding_update(dt_welding_of(sim));
    const double longer = growth(sim);
    for (int b = 0; b < r->block_count && finite; b++) {
        dt_welded_block *block = &r->block[r->list[b]];
        finite = block->bounds < 0 ? evaluate_few(sim, block, least)
                                   : evaluate_bounded(sim, block, longer, least);
    }
    return finite;
}

/* The friction at the last two ends, of which one or both were skipped. */
static void recall(dt_simulation *sim, const dt_welded_block *block)
{
    const dt_welded_bounds *bounds = bounds_of(dt_welded_roots_of(sim), block);
    int k = block->first;
    for (int j = 0; j < block->count; j++, k = next_joint(sim, k)) {
        for (int end = 0; end < 2; end++) {
            dt_welded_roots_of(sim)->before[1 + end][k] =
                dt_welding_friction_at(dt_welding_joint(dt_welding_of(sim), k),
                                       bounds->end[end].motion, bounds->end[end].wrench);
        }
    }
}

/* The friction at the end of a step, to what was before. */
static void remember(dt_simulation *sim, const dt_welded_block *block, bool new_step)
{
    double **before = dt_welded_roots_of(sim)->before;
    int k = block->first;
    for (int j = 0; j < block->count; j++, k = next_joint(sim, k)) {
        if (new_step) {
            before[0][k] = before[1][k];
            before[1][k] = before[2][k];
        }
        before[2][k] = dt_welded_roots_of(sim)->friction[k];
    }
}

/* Where the block is at the end of a step. */
static void note_place(dt_simulation *sim, const dt_welded_block *block, bool new_step)
{
    dt_welded_bounds *bounds = bounds_of(dt_welded_roots_of(sim), block);
    if (new_step) {
        bounds->end[0] = bounds->end[1];
        bounds->moved[0] = bounds->moved[1];
    }
    bounds->end[1] = place_of(dt_welding_of(sim), block);
    bounds->moved[1] = bounds->moved[2];
}

void dt_welded_note(dt_simulation *sim, bool new_step)
{
    dt_welded_roots *r = dt_welded_roots_of(sim);
    for (int b = 0; b < r->block_count; b++) {
        dt_welded_block *block = &r->block[r->list[b]];
        const dt_welded_bounds *bounds = bounds_of(r, block);
        if (block->skipped && !block->passed) {
            recall(sim, block);
        }
        block->skipped = block->passed;
        if (bounds) {
            note_place(sim, block, new_step);
        }
        if (!block->passed) {
            remember(sim, block, new_step);
        }
    }
}

/* ---- at an event ---- */

/* Whether no joint of the block can be nearer to its limit than a part of its width. */
static bool is_far(dt_simulation *sim, const dt_welded_block *block, double part)
{
    const dt_welded_bounds *bounds = bounds_of(dt_welded_roots_of(sim), block);
    return bounds &&
           bounds->margin - 3 * bounds->most_offset - dt_welded_movement(sim, block) - part > 0;
}

void dt_welded_look(dt_simulation *sim, double part)
{
    dt_welded_roots *r = dt_welded_roots_of(sim);
    r->near_count = 0;
    for (int b = 0; b < r->block_count; b++) {
        const dt_welded_block *block = &r->block[r->list[b]];
        if (is_far(sim, block, part)) {
            continue;
        }
        evaluate_block(sim, block);
        int k = block->first;
        for (int j = 0; j < block->count; j++, k = next_joint(sim, k)) {
            const double hair =
                2 * fmax(r->offset[k][0], r->offset[k][1]) / dt_welded_width(sim, k);
            if (!(nearer_root(sim, k, r->friction[k]) > part + hair)) {
                r->near[r->near_count++] = k;
            }
        }
    }
}

/* Whether the first `count` joints from `k` on are inside their limits. */
static bool joints_hold(dt_simulation *sim, int k, int count)
{
    dt_welding *w = dt_welding_of(sim);
    bool hold = true;
    for (; count > 0 && k >= 0; count--, k = dt_welding_joint(w, k)->next) {
        const double f = dt_welding_friction(w, k);
        if (!(f > dt_welding_joint(w, k)->limits[0] && f < dt_welding_joint(w, k)->limits[1])) {
            w->apart[k] = true;
            hold = false;
        }
    }
    return hold;
}

static bool group_holds(dt_simulation *sim, int c)
{
    const dt_welded_roots *r = dt_welded_roots_of(sim);
    const dt_group *group = dt_welding_group(dt_welding_of(sim), c);
    bool hold = true;
    if (!is_same(sim, c)) {
        return joints_hold(sim, group->joints, sim->ns);
    }
    for (int k = group->joints; k >= 0; k = r->block[k].next) {
        const dt_welded_block *block = &r->block[k];
        hold = (is_far(sim, block, 0) || joints_hold(sim, k, block->count)) && hold;
    }
    return hold;
}

bool dt_welded_hold(dt_simulation *sim)
{
    const dt_welding *w = dt_welding_of(sim);
    bool hold = true;
    dt_welding_update(dt_welding_of(sim));
    for (int c = -1; c < w->mechanism.tree.node_count; c++) {
        hold = group_holds(sim, c) && hold;
    }
    return hold;
}
