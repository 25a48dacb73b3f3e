/*
 * The root of all welded joints: the least distance of any of them from its limit.
 *
 * Most welded joints are far from their limits, and need not be looked at. Joints next to each other
 * on one group, with the same things beyond them, form a block of up to sixteen. When all of a
 * block are evaluated, at the motion m and the wrench W, the least distance g of them is kept with
 * these; later on, none of them can have moved by more than
 *
 *   d = sum_i max |k_i| |m_i - m_i(then)| + sum_i max |S_i| |W_i - W_i(then)|,
 *
 * and as long as d < g / 4 the block is still. One that was still at the ends of two steps is passed
 * over, for a cost of 18 multiplications. Two steps, since a load may come and go between the ends
 * of a step: it shows in the values at three ends (graze.c), the more so the more the steps grow.
 */
#include "integrator/core.h"

#include <math.h>

enum { most_in_a_block = 16 };

bool dt_welded_create(dt_arena *arena, dt_simulation *sim)
{
    dt_welded_roots *r = &sim->welded;
    const size_t ns = (size_t)sim->ns;
    r->block = dt_arena_alloc(arena, ns, sizeof *r->block);
    r->friction = dt_arena_alloc(arena, ns, sizeof *r->friction);
    r->offset = dt_arena_alloc(arena, ns, sizeof *r->offset);
    for (int k = 0; k < 3; k++) {
        r->before[k] = dt_arena_alloc(arena, ns, sizeof(double));
        if (!r->before[k]) {
            return false;
        }
    }
    return r->block && r->friction && r->offset;
}

double dt_welded_root(const dt_simulation *sim, int j, int which, double f)
{
    const dt_welded_joint *joint = &sim->welding->joint[j];
    const double inside = which == 0 ? joint->limits[1] - f : f - joint->limits[0];
    return inside + sim->welded.offset[j][which];
}

static double nearer_root(const dt_simulation *sim, int j, double f)
{
    return fmin(dt_welded_root(sim, j, 0, f), dt_welded_root(sim, j, 1, f));
}

/* ---- blocks ---- */

/**
 * Every welded joint starts inside, also one that is held by a hair beyond its limit: one root
 * stands for all, and must not start at zero.
 */
static void widen(dt_simulation *sim, int j)
{
    const double *limits = sim->welding->joint[j].limits, hair = dt_roots_hair(limits);
    for (int which = 0; which < 2; which++) {
        double *offset = &sim->welded.offset[j][which];
        *offset = hair;
        const double g = dt_welded_root(sim, j, which, sim->welded.friction[j]);
        *offset += dt_roots_widening(g, hair);
    }
}

static bool belong_together(const dt_welded_joint *a, const dt_welded_joint *b)
{
    return a->carrier == b->carrier && a->bundle == b->bundle;
}

static double least_root(const dt_simulation *sim, const dt_welded_block *block)
{
    double least = INFINITY;
    for (int j = block->first; j < block->first + block->count; j++) {
        least = fmin(least, nearer_root(sim, j, sim->welded.friction[j]));
    }
    return least;
}

/** Where the block is now. */
static dt_welded_place place_of(const dt_welding *w, const dt_welded_block *block)
{
    const dt_welded_joint *first = &w->joint[block->first];
    dt_welded_place place = {.wrench = {0}};
    memcpy(place.motion, w->motion[first->carrier + 1], sizeof place.motion);
    if (first->bundle >= 0) {
        dt_copy6(place.wrench, w->bundle[first->bundle].wrench);
    }
    return place;
}

/** Notes where all joints of a block were evaluated. */
static void refer(dt_simulation *sim, dt_welded_block *block)
{
    block->reference = place_of(sim->welding, block);
    block->margin = least_root(sim, block);
}

static void form_block(dt_simulation *sim, dt_welded_block *block, int first)
{
    const dt_welding *w = sim->welding;
    memset(block, 0, sizeof *block);
    block->first = first;
    for (int j = first; j < w->joint_count && block->count < most_in_a_block &&
                        belong_together(&w->joint[j], &w->joint[first]);
         j++) {
        block->count++;
        for (int k = 0; k < 12; k++) {
            block->most_k[k] = fmax(block->most_k[k], fabs(w->joint[j].k[k]));
        }
        for (int k = 0; k < 6; k++) {
            block->most_S[k] = fmax(block->most_S[k], fabs(w->joint[j].S[k]));
        }
    }
    refer(sim, block);
    block->end[0] = block->end[1] = block->reference;
}

void dt_welded_restart(dt_simulation *sim)
{
    dt_welded_roots *r = &sim->welded;
    dt_welding_update(sim->welding);
    for (int j = 0; j < sim->welding->joint_count; j++) {
        r->friction[j] = dt_welding_friction(sim->welding, j);
        widen(sim, j);
        r->before[0][j] = r->before[1][j] = r->before[2][j] = r->friction[j];
    }
    r->block_count = 0;
    for (int j = 0; j < sim->welding->joint_count; j += r->block[r->block_count - 1].count) {
        form_block(sim, &r->block[r->block_count++], j);
    }
}

/* ---- use ---- */

/** How far a friction of the block can have moved since all were evaluated. */
static double movement(const dt_welding *w, const dt_welded_block *block)
{
    const dt_welded_joint *first = &w->joint[block->first];
    const double *motion = w->motion[first->carrier + 1];
    double sum = 0;
    for (int k = 0; k < 12; k++) {
        sum += block->most_k[k] * fabs(motion[k] - block->reference.motion[k]);
    }
    if (first->bundle < 0) {
        return sum;
    }
    const double *wrench = w->bundle[first->bundle].wrench;
    for (int k = 0; k < 6; k++) {
        sum += block->most_S[k] * fabs(wrench[k] - block->reference.wrench[k]);
    }
    return sum;
}

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
    const dt_welding *w = sim->welding;
    *least = 1;
    if (w->joint_count == 0) {
        return true;
    }
    dt_welding_update(sim->welding);
    const double longer = growth(sim);
    for (int b = 0; b < r->block_count; b++) {
        dt_welded_block *block = &r->block[b];
        const double moved = movement(w, block);
        if (!isfinite(moved)) {
            return false;
        }
        block->still = moved * longer < 0.25 * block->margin;
        block->passed = block->still && block->quiet >= 2;
        if (block->passed) {
            continue;
        }
        for (int j = block->first; j < block->first + block->count; j++) {
            r->friction[j] = dt_welding_friction(w, j);
        }
        if (!block->still) {
            refer(sim, block);
        }
        *least = fmin(*least, least_root(sim, block));
    }
    return true;
}

/** The friction at the last two ends, of which one or both were skipped. */
static void recall(dt_simulation *sim, const dt_welded_block *block)
{
    dt_welded_roots *r = &sim->welded;
    for (int j = block->first; j < block->first + block->count; j++) {
        for (int k = 0; k < 2; k++) {
            r->before[1 + k][j] = dt_welding_friction_at(
                &sim->welding->joint[j], block->end[k].motion, block->end[k].wrench);
        }
    }
}

void dt_welded_note(dt_simulation *sim, bool new_step)
{
    dt_welded_roots *r = &sim->welded;
    for (int b = 0; b < r->block_count; b++) {
        dt_welded_block *block = &r->block[b];
        if (block->skipped && !block->passed) {
            recall(sim, block);
        }
        block->skipped = block->passed;
        if (new_step) {
            block->end[0] = block->end[1];
        }
        block->end[1] = place_of(sim->welding, block);
        if (block->passed) {
            continue;
        }
        if (new_step) {
            block->quiet = block->still ? block->quiet + 1 : 0;
        }
        for (int j = block->first; j < block->first + block->count; j++) {
            if (new_step) {
                r->before[0][j] = r->before[1][j];
                r->before[1][j] = r->before[2][j];
            }
            r->before[2][j] = r->friction[j];
        }
    }
}
