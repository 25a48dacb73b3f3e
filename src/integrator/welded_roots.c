/*
 * The root of all welded joints: the least distance of any of them from its limit.
 *
 * Most welded joints are far from their limits, and need not be looked at. Joints next to each other
 * in one group, with the same things beyond them, form a block of up to sixteen. When all of a
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
#include "integrator/core.h"

#include <math.h>

enum { most_in_a_block = 16 };

bool dt_welded_create(dt_arena *arena, dt_simulation *sim)
{
    dt_welded_roots *r = &sim->welded;
    const size_t ns = (size_t)sim->ns, nodes = (size_t)sim->mechanism->tree.node_count;
    if (!sim->welding) {
        return true;
    }
    for (int k = 0; k < 3; k++) {
        r->before[k] = dt_arena_alloc(arena, ns, sizeof(double));
        if (!r->before[k]) {
            return false;
        }
    }
#define TAKE(member, count) \
    ((r->member = dt_arena_alloc(arena, (count), sizeof *r->member)) != NULL)
    return TAKE(block, ns) && TAKE(list, ns) && TAKE(formed, nodes + 1) && TAKE(friction, ns) &&
           TAKE(offset, ns) && TAKE(near, ns);
#undef TAKE
}

double dt_welded_root(const dt_simulation *sim, int k, int which, double f)
{
    const dt_welded_joint *joint = &sim->welding->joint[k];
    const double inside = which == 0 ? joint->limits[1] - f : f - joint->limits[0];
    return inside + sim->welded.offset[k][which];
}

static double nearer_root(const dt_simulation *sim, int k, double f)
{
    return fmin(dt_welded_root(sim, k, 0, f), dt_welded_root(sim, k, 1, f));
}

static int next_joint(const dt_simulation *sim, int k)
{
    return sim->welding->joint[k].next;
}

/* ---- places ---- */

/** Where the block is now. */
static dt_welded_place place_of(const dt_welding *w, const dt_welded_block *block)
{
    const dt_welded_joint *first = &w->joint[block->first];
    dt_welded_place place = {.wrench = {0}};
    memcpy(place.motion, w->group[first->carrier + 1].motion, sizeof place.motion);
    if (first->bundle >= 0) {
        dt_copy6(place.wrench, w->bundle[first->bundle].wrench);
    }
    return place;
}

/** How far a friction of the block can be from what it is at the reference. */
static double distance(const dt_welded_block *block, const double motion[12],
                       const double wrench[6])
{
    double sum = 0;
    for (int k = 0; k < 12; k++) {
        sum += block->most_k[k] * fabs(motion[k] - block->reference.motion[k]);
    }
    for (int k = 0; k < 6; k++) {
        sum += block->most_S[k] * fabs(wrench[k] - block->reference.wrench[k]);
    }
    return sum;
}

/** The same here and now. */
static double movement(const dt_welding *w, const dt_welded_block *block)
{
    static const double nothing[6];
    const dt_welded_joint *first = &w->joint[block->first];
    return distance(block, w->group[first->carrier + 1].motion,
                    first->bundle < 0 ? nothing : w->bundle[first->bundle].wrench);
}

/* ---- blocks ---- */

/** The friction of every joint of a block. */
static void evaluate_block(dt_simulation *sim, const dt_welded_block *block)
{
    int k = block->first;
    for (int j = 0; j < block->count; j++, k = next_joint(sim, k)) {
        sim->welded.friction[k] = dt_welding_friction(sim->welding, k);
    }
}

static double least_root(const dt_simulation *sim, const dt_welded_block *block)
{
    double least = INFINITY;
    int k = block->first;
    for (int j = 0; j < block->count; j++, k = next_joint(sim, k)) {
        least = fmin(least, nearer_root(sim, k, sim->welded.friction[k]));
    }
    return least;
}

/** Makes the place where all joints of a block have just been evaluated its reference. */
static void refer(dt_simulation *sim, dt_welded_block *block)
{
    block->reference = place_of(sim->welding, block);
    block->margin = least_root(sim, block);
    for (int k = 0; k < 2; k++) {
        block->moved[k] = distance(block, block->end[k].motion, block->end[k].wrench);
    }
    block->moved[2] = 0;
}

/**
 * Every welded joint starts inside, also one that is held by a hair beyond its limit: one root
 * stands for all, and must not start at zero.
 */
static void widen(dt_simulation *sim, int k)
{
    const double *limits = sim->welding->joint[k].limits, hair = dt_roots_hair(limits);
    for (int which = 0; which < 2; which++) {
        double *offset = &sim->welded.offset[k][which];
        *offset = hair;
        const double g = dt_welded_root(sim, k, which, sim->welded.friction[k]);
        *offset += dt_roots_widening(g, hair);
    }
}

/** The block starts here: its joints have no past. */
static void start_block(dt_simulation *sim, dt_welded_block *block)
{
    dt_welded_roots *r = &sim->welded;
    evaluate_block(sim, block);
    block->most_offset = 0;
    int k = block->first;
    for (int j = 0; j < block->count; j++, k = next_joint(sim, k)) {
        widen(sim, k);
        r->before[0][k] = r->before[1][k] = r->before[2][k] = r->friction[k];
        block->most_offset = fmax(block->most_offset, fmax(r->offset[k][0], r->offset[k][1]));
    }
    block->end[0] = block->end[1] = place_of(sim->welding, block);
    block->passed = block->skipped = false;
    refer(sim, block);
}

/** The block starts here, at a jump of the motion, in a group that has stayed. */
static void resume_block(dt_simulation *sim, dt_welded_block *block)
{
    const double moved = movement(sim->welding, block);
    if (!(moved < 0.25 * block->margin)) {
        start_block(sim, block);
        return;
    }
    block->end[0] = block->end[1] = place_of(sim->welding, block);
    block->moved[0] = block->moved[1] = block->moved[2] = moved;
    block->passed = block->skipped = true;
}

static void take_joint(const dt_welded_joint *joint, dt_welded_block *block)
{
    block->count++;
    for (int k = 0; k < 12; k++) {
        block->most_k[k] = fmax(block->most_k[k], fabs(joint->k[k]));
    }
    for (int k = 0; k < 6; k++) {
        block->most_S[k] = fmax(block->most_S[k], fabs(joint->S[k]));
    }
    block->widest = fmax(block->widest, joint->limits[1] - joint->limits[0]);
}

static void form_block(dt_simulation *sim, int first)
{
    const dt_welding *w = sim->welding;
    dt_welded_block *block = &sim->welded.block[first];
    const int bundle = w->joint[first].bundle;
    memset(block, 0, sizeof *block);
    block->first = block->next = first;
    while (block->next >= 0 && block->count < most_in_a_block &&
           w->joint[block->next].bundle == bundle) {
        take_joint(&w->joint[block->next], block);
        block->next = w->joint[block->next].next;
    }
    start_block(sim, block);
}

/** The blocks of a group, anew where it has been formed since the last time. */
static void restart_group(dt_simulation *sim, const dt_group *group)
{
    dt_welded_roots *r = &sim->welded;
    size_t *formed = &r->formed[group - sim->welding->group];
    const bool same = *formed == group->formed;
    *formed = group->formed;
    for (int k = group->joints; k >= 0; k = r->block[k].next) {
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
    const dt_welding *w = sim->welding;
    dt_welding_update(sim->welding);
    sim->welded.block_count = 0;
    for (int c = -1; c < w->mechanism.tree.node_count; c++) {
        restart_group(sim, dt_welding_group(w, c));
    }
}

/* ---- while the integrator runs ---- */

/** By how much the step that ends now is longer than the one before; at least 1. */
static double growth(const dt_simulation *sim)
{
    const double *time = sim->graze.time;
    const double ratio = (sim->core->time - time[2]) / (time[2] - time[1]);
    return ratio > 1 ? ratio : 1;
}

bool dt_welded_evaluate(dt_simulation *sim, double *least)
{
    dt_welded_roots *r = &sim->welded;
    *least = 1;
    if (sim->welding->joint_count == 0) {
        return true;
    }
    dt_welding_update(sim->welding);
    const double longer = growth(sim);
    for (int b = 0; b < r->block_count; b++) {
        dt_welded_block *block = &r->block[r->list[b]];
        double *moved = block->moved;
        moved[2] = movement(sim->welding, block);
        if (!isfinite(moved[2])) {
            return false;
        }
        block->passed = longer * fmax(moved[2], fmax(moved[0], moved[1])) < 0.25 * block->margin;
        if (block->passed) {
            continue;
        }
        evaluate_block(sim, block);
        refer(sim, block);
        *least = fmin(*least, block->margin);
    }
    return true;
}

/** The friction at the last two ends, of which one or both were skipped. */
static void recall(dt_simulation *sim, const dt_welded_block *block)
{
    int k = block->first;
    for (int j = 0; j < block->count; j++, k = next_joint(sim, k)) {
        for (int end = 0; end < 2; end++) {
            sim->welded.before[1 + end][k] = dt_welding_friction_at(
                &sim->welding->joint[k], block->end[end].motion, block->end[end].wrench);
        }
    }
}

/** The friction at the end of a step, to what was before. */
static void remember(dt_simulation *sim, const dt_welded_block *block, bool new_step)
{
    double **before = sim->welded.before;
    int k = block->first;
    for (int j = 0; j < block->count; j++, k = next_joint(sim, k)) {
        if (new_step) {
            before[0][k] = before[1][k];
            before[1][k] = before[2][k];
        }
        before[2][k] = sim->welded.friction[k];
    }
}

void dt_welded_note(dt_simulation *sim, bool new_step)
{
    dt_welded_roots *r = &sim->welded;
    for (int b = 0; b < r->block_count; b++) {
        dt_welded_block *block = &r->block[r->list[b]];
        if (block->skipped && !block->passed) {
            recall(sim, block);
        }
        block->skipped = block->passed;
        if (new_step) {
            block->end[0] = block->end[1];
            block->moved[0] = block->moved[1];
        }
        block->end[1] = place_of(sim->welding, block);
        block->moved[1] = block->moved[2];
        if (!block->passed) {
            remember(sim, block, new_step);
        }
    }
}

/* ---- at an event ---- */

/** Whether no joint of the block can be nearer to its limit than `distance`. */
static bool is_far(const dt_simulation *sim, const dt_welded_block *block, double distance_from)
{
    const double bound =
        block->margin - block->most_offset - movement(sim->welding, block) - distance_from;
    return bound > 0;
}

void dt_welded_look(dt_simulation *sim, double part)
{
    dt_welded_roots *r = &sim->welded;
    r->near_count = 0;
    for (int b = 0; b < r->block_count; b++) {
        const dt_welded_block *block = &r->block[r->list[b]];
        if (is_far(sim, block, part * block->widest)) {
            continue;
        }
        evaluate_block(sim, block);
        int k = block->first;
        for (int j = 0; j < block->count; j++, k = next_joint(sim, k)) {
            const double *limits = sim->welding->joint[k].limits;
            if (nearer_root(sim, k, r->friction[k]) < part * (limits[1] - limits[0])) {
                r->near[r->near_count++] = k;
            }
        }
    }
}

/** Whether the first `count` joints from `k` on are inside their limits. */
static bool joints_hold(dt_simulation *sim, int k, int count)
{
    dt_welding *w = sim->welding;
    bool hold = true;
    for (; count > 0 && k >= 0; count--, k = w->joint[k].next) {
        const double f = dt_welding_friction(w, k);
        if (!(f > w->joint[k].limits[0] && f < w->joint[k].limits[1])) {
            w->apart[k] = true;
            hold = false;
        }
    }
    return hold;
}

static bool group_holds(dt_simulation *sim, const dt_group *group)
{
    const dt_welded_roots *r = &sim->welded;
    bool hold = true;
    if (r->formed[group - sim->welding->group] != group->formed) {
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
    const dt_welding *w = sim->welding;
    bool hold = true;
    dt_welding_update(sim->welding);
    for (int c = -1; c < w->mechanism.tree.node_count; c++) {
        hold = group_holds(sim, dt_welding_group(w, c)) && hold;
    }
    return hold;
}
