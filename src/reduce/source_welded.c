/*
 * The source of welded joints: one root for all of them, the least of theirs (welded_roots.h); which of them
 * has reached its limit is asked only when it fires, and marked as that stiction. It is relative to the
 * widths of their boxes: forces and torques do not compare.
 */
#include "integrator/source.h"
#include "reduce/welded.h"

/* ---- root functions ---- */

static int most(const dt_simulation *sim)
{
    (void)sim;
    return 1;
}

static int place(dt_simulation *sim)
{
    return dt_welding_of(sim)->joint_count > 0 ? 1 : 0;
}

static void restart(dt_simulation *sim)
{
    dt_welded_restart(sim);
}

static bool evaluate(dt_simulation *sim, const double *y, double *values)
{
    (void)y; /* the core is there */
    return dt_welded_evaluate(sim, &values[sim->roots.first[DT_SOURCE_REDUCED]]);
}

static void each(dt_simulation *sim, bool velocities, dt_visit *visit, void *user)
{
    for (int b = 0; b < dt_welded_roots_of(sim)->block_count && !velocities; b++) {
        const dt_welded_block *block =
            &dt_welded_roots_of(sim)->block[dt_welded_roots_of(sim)->list[b]];
        int k = block->first;
        for (int j = 0; !block->skipped && j < block->count;
             j++, k = dt_welding_joint(dt_welding_of(sim), k)->next) {
            visit(sim, DT_SOURCE_REDUCED, k, user);
        }
    }
}

static double value(const dt_simulation *sim, dt_root root, int when)
{
    const dt_welded_roots *r = dt_welded_roots_of(sim);
    const double *friction = when == DT_VALUE_NOW ? r->friction : r->before[when];
    return dt_welded_root(sim, root.item, root.which, friction[root.item]);
}

static void note(dt_simulation *sim, bool new_step)
{
    dt_welded_note(sim, new_step);
}

static double noise(const dt_simulation *sim, int item)
{
    return sim->roots.noise[item];
}

static int *fired_pair(const dt_simulation *sim, int item)
{
    return dt_fired(sim, DT_SOURCE_STICTION, item);
}

/* ---- events ---- */

/*
 * Of the width of its box, that a welded joint may be from its limit and be left out of the search;
 * at the end it is seen whether it holds. More than the noise of the force, and no more than that: the
 * neighbours of all that moves are near their limits as well, and whatever is set apart has its
 * groups formed anew. In a chain of 1,000 joints one search in sixteen is made again.
 */
static const double near_limit = 1e-9;

static void arrive(dt_simulation *sim)
{
    dt_welding_update(dt_welding_of(sim));
    dt_welded_look(sim, near_limit);
}

/* Where the root nearest to zero is marked, or NULL. */
static int *nearest(const dt_simulation *sim)
{
    const dt_welded_roots *r = dt_welded_roots_of(sim);
    double least = INFINITY;
    int *found = NULL;
    for (int j = 0; j < r->near_count; j++) {
        for (int which = 0; which < 2; which++) {
            const int k = r->near[j];
            const double g =
                dt_welded_root(sim, k, which, r->friction[k]) / dt_welded_width(sim, k);
            if (g < least) {
                least = g;
                found = &fired_pair(sim, k)[which];
            }
        }
    }
    return found;
}

/*
 * Fires the nearest one. Where none is near, for the forces that the root was found with are others than
 * those here by more than their noise, it is the nearest of all.
 */
static bool report(dt_simulation *sim, const int *watched)
{
    if (dt_source_length(sim, DT_SOURCE_REDUCED) == 0 || !watched[0]) {
        return true;
    }
    int *found = nearest(sim);
    if (!found) {
        dt_welded_look(sim, INFINITY);
        found = nearest(sim);
    }
    if (found) {
        *found = -1;
    }
    return found;
}

static void join(dt_simulation *sim)
{
    for (int j = 0; j < dt_welded_roots_of(sim)->near_count; j++) {
        const int k = dt_welded_roots_of(sim)->near[j];
        const double f = dt_welded_roots_of(sim)->friction[k];
        const double *limits = dt_welding_joint(dt_welding_of(sim), k)->limits,
                     hair = dt_roots_hair(sim, k, limits);
        const double g[2] = {limits[1] - f + hair, f - limits[0] + hair};
        dt_roots_join_locked(sim, k, g, limits);
    }
}

const dt_source_row dt_source_welded = {.most = most,
                                        .place = place,
                                        .restart = restart,
                                        .evaluate = evaluate,
                                        .each = each,
                                        .value = value,
                                        .note = note,
                                        .noise = noise,
                                        .arrive = arrive,
                                        .fired = fired_pair,
                                        .report = report,
                                        .join = join};
