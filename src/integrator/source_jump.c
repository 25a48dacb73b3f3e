/*
 * The source of forces of elements that jump where a pose passes a border (element.h): a bushing at half a turn.
 *
 *   until_jump(item)        1 (parked)
 *
 * Up to the event a force is continued beyond its border, so that what a step sees is smooth; then the item is on the other side, and
 * a search follows. On which side it is follows from the pose, but for trial points beyond the border: it is noted where steps end.
 */
#include "dynamics/element.h"
#include "integrator/source.h"

/* One of the items that may jump, by its number among these. */
typedef struct dt_jump {
    const dt_element_kind *kind;
    int element, item;
} dt_jump;

static int jumps_of(const dt_system *s, int element)
{
    return dt_elements[element]->until_jump && dt_element_acts(s, element)
               ? dt_element_count(element, s->mechanism)
               : 0;
}

static int jumps(const dt_system *s)
{
    int count = 0;
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        count += jumps_of(s, k);
    }
    return count;
}

static dt_jump jump_at(const dt_system *s, int number)
{
    int k = 0;
    while (number >= jumps_of(s, k)) {
        number -= jumps_of(s, k++);
    }
    return (dt_jump){.kind = dt_elements[k], .element = k, .item = number};
}

/* ---- root functions ---- */

static int most(const dt_simulation *sim)
{
    return sim->fixed.exists ? 0 : 2 * jumps(&sim->system); /* then forces are as the pose is */
}

static int place(dt_simulation *sim)
{
    return sim->fixed.exists ? 0 : 2 * jumps(sim->core);
}

static bool evaluate(dt_simulation *sim, const double *y, double *values)
{
    double(*g)[2] = dt_source_values(sim, DT_SOURCE_JUMP, values);
    (void)y; /* the core is there */
    for (int k = 0; k < dt_source_items(sim, DT_SOURCE_JUMP); k++) {
        const dt_jump jump = jump_at(sim->core, k);
        g[k][0] = jump.kind->until_jump(sim->core, jump.item);
        g[k][1] = 1;
    }
    return true;
}

/* ---- sides ---- */

static void take_sides(dt_simulation *sim, bool passed)
{
    for (int k = 0; k < dt_source_items(sim, DT_SOURCE_JUMP); k++) {
        const dt_jump jump = jump_at(sim->core, k);
        jump.kind->take_side(sim->core, jump.item, passed);
    }
}

static void note(dt_simulation *sim, bool new_step)
{
    (void)new_step;
    take_sides(sim, false);
}

/* The state may be another one, for which nothing was noted. */
static void restart(dt_simulation *sim)
{
    take_sides(sim, true);
}

/* A restored run begins. */
static void forget(dt_simulation *sim, double t)
{
    dt_system *s = &sim->system;
    (void)t;
    for (int k = 0; k < 3 * s->turned_count; k++) {
        s->turned[k / 3][k % 3] = 0;
    }
}

/* ---- events ---- */

static int pairs(const dt_system *whole)
{
    return jumps(whole);
}

static int *fired_pair(const dt_simulation *sim, int item)
{
    return dt_fired(sim, DT_SOURCE_JUMP, item);
}

static bool report(dt_simulation *sim, const int *watched)
{
    for (int k = 0; k < dt_source_items(sim, DT_SOURCE_JUMP); k++, watched += 2) {
        memcpy(fired_pair(sim, k), watched, 2 * sizeof *watched);
    }
    return true;
}

static void follow(dt_simulation *sim, dt_occasion *what)
{
    for (int k = 0; k < pairs(&sim->system); k++) {
        if (dt_has_fired(fired_pair(sim, k))) {
            const dt_jump jump = jump_at(&sim->system, k);
            jump.kind->take_side(&sim->system, jump.item, true);
            what->search = true;
            what->others = DETENT_CAUSE_SEARCH;
        }
    }
}

/* ---- storms ---- */

static int participants(const dt_simulation *sim)
{
    return jumps(&sim->system);
}

static const char *name(const dt_simulation *sim, int k)
{
    const dt_jump jump = jump_at(&sim->system, k);
    return dt_item_own_name(dt_added_items(sim->mechanism, jump.element), jump.item);
}

static void count(const dt_simulation *sim, unsigned char *times)
{
    for (int k = 0; k < participants(sim); k++) {
        times[k] = (unsigned char)(times[k] + dt_has_fired(fired_pair(sim, k)));
    }
}

const dt_source_row dt_source_jump = {.most = most,
                                      .place = place,
                                      .restart = restart,
                                      .evaluate = evaluate,
                                      .note = note,
                                      .forget = forget,
                                      .pairs = pairs,
                                      .fired = fired_pair,
                                      .report = report,
                                      .follow = follow,
                                      .noun = "force of",
                                      .longest_name = 80,
                                      .participants = participants,
                                      .name = name,
                                      .count = count};
