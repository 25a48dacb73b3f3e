/*
 * The source of switches of laws: their roots are as program.h says, of those that slide 0 and 1 of their
 * weights (sliding.h). Those known in advance have none (instants.c).
 *
 * Fired: its branch flips by decree, and the other switches of the same law follow from them.
 *
 * Where what abs, min or max compare is zero but for rounding, the noise of an acceleration, or of the place or velocity of a joint that nothing
 * moves, events follow each other without end, though the value is the same on both sides. So in what is about to be an event storm
 * such switches flip only where forces are on the wrong side by what the integrator's tolerance makes of them (switches.h), then by twice as much, up
 * to what the user's does; places and velocities by their rounding. (Quinn's law comes to rest in infinite time: the last digit of a velocity that
 * was 1e-23 is of either sign.)
 */
#include "integrator/branches.h"
#include "integrator/instants.h"
#include "integrator/sliding.h"
#include "integrator/source.h"
#include "integrator/switches.h"

#include <float.h>
#include <math.h>

void dt_roots_of_law(dt_system *s, const dt_law *law, double (*g)[2])
{
    const int switches = law->program->switch_count;
    if (dt_switch_any_watched(law)) {
        dt_law_roots(s, law, &g[0][0]);
    }
    for (int j = 0; j < switches; j++) {
        if (dt_instants_is_known(law, j)) {
            g[j][0] = g[j][1] = 1;
        }
    }
}

/* ---- root functions ---- */

static int most(const dt_simulation *sim)
{
    return sim->fixed.exists ? 0 : 2 * sim->system.branch_count; /* then they are taken anew */
}

static int place(dt_simulation *sim)
{
    const dt_system *core = sim->core;
    int switches = 0;
    for (int l = 0; l < core->law_count; l++) {
        for (int j = 0; j < core->law[l]->program->switch_count; j++) {
            sim->roots.whole_switch[switches++] = core->law[l]->branch + j;
        }
    }
    return sim->fixed.exists ? 0 : 2 * switches;
}

/* More than nothing, and so that its product with another root does not vanish, from which IDA tells signs. */
static const double hardly_anything = 0x1p-500;

/*
 * A switch that stands at its border is a hair inside, but at the very start, where graze.c looks
 * after it. The integrator would leave alone a root that is zero at the start until it has moved:
 * by number, also when after a restart that number is another root's. It looks at the sign of the
 * product of two values, which must not underflow.
 */
static void step_off_borders(const dt_simulation *sim, double (*g)[2])
{
    const bool at_start = isnan(sim->graze.time[2]);
    for (int k = 0; k < dt_source_items(sim, DT_SOURCE_SWITCH) && !at_start; k++) {
        g[k][0] = g[k][0] == 0 ? hardly_anything : g[k][0];
        g[k][1] = g[k][1] == 0 ? hardly_anything : g[k][1];
    }
}

static bool evaluate(dt_simulation *sim, const double *y, double *values)
{
    dt_system *s = sim->core;
    const bool slides = dt_sliding_now(sim);
    double(*g)[2] = dt_source_values(sim, DT_SOURCE_SWITCH, values), (*next)[2] = g;
    (void)y; /* the core is there */
    for (int l = 0; l < s->law_count; l++) {
        const int switches = s->law[l]->program->switch_count;
        if (switches == 0) {
            continue;
        }
        dt_roots_of_law(s, s->law[l], next);
        if (slides) {
            dt_sliding_roots(sim, s->law[l], next);
        }
        next += switches;
    }
    step_off_borders(sim, g);
    return true;
}

static void each(dt_simulation *sim, bool velocities, dt_visit *visit, void *user)
{
    for (int k = 0; k < dt_source_items(sim, DT_SOURCE_SWITCH) && !velocities; k++) {
        visit(sim, DT_SOURCE_SWITCH, k, user);
    }
}

/* ---- events ---- */

static int pairs(const dt_system *whole)
{
    return whole->branch_count;
}

static int *fired_pair(const dt_simulation *sim, int item)
{
    return dt_fired(sim, DT_SOURCE_SWITCH, sim->roots.whole_switch[item]);
}

static bool report(dt_simulation *sim, const int *watched)
{
    for (int k = 0; k < dt_source_items(sim, DT_SOURCE_SWITCH); k++, watched += 2) {
        memcpy(fired_pair(sim, k), watched, 2 * sizeof *watched);
    }
    return true;
}

static const double rounding = 256 * DBL_EPSILON; /* of places and velocities, at most */

/* By how much a switch of a continuous law may be on the wrong side: forces at a tolerance, places and velocities to their rounding. */
static double hysteresis(dt_simulation *sim, dt_system *s, const dt_law *law, int j,
                         double tolerance, double rounded)
{
    return dt_switch_tolerance(sim, s, law, j, tolerance) +
           rounded * dt_switch_size_of_motion(sim, s, law, j);
}

/*
 * It is never more than the most at the present branches of the law: a switch that has no effect where others are may have it where they have
 * flipped. Those of laws that jump belong to others (sliding.h).
 */
static void limit_hysteresis(dt_simulation *sim, dt_system *s, const dt_law *law)
{
    dt_branch *branches = dt_law_branches(s, law);
    for (int j = 0; j < law->program->switch_count; j++) {
        if (branches[j].side != DT_BRANCH_SLIDING && branches[j].base > 0 &&
            !dt_program_jumps(law->program, j)) {
            branches[j].base =
                fmin(branches[j].base, hysteresis(sim, s, law, j, sim->settings.rtol, rounding));
        }
    }
}

/* More to those of a law that has flipped many times, and to the others of the law, which have followed. */
static void give_hysteresis(dt_simulation *sim, const dt_law *law)
{
    static const int many = 50; /* a quarter of a storm */
    const int more = dt_switch_times_fired(sim, law) - many;
    const double tolerance = fmin(ldexp(sim->rtol, more), sim->settings.rtol),
                 rounded = fmin(ldexp(DBL_EPSILON, more), rounding);
    dt_branch *branches = dt_law_branches(sim->core, law);
    for (int j = 0; j < law->program->switch_count && more >= 0; j++) {
        if (branches[j].side != DT_BRANCH_SLIDING && branches[j].side != DT_BRANCH_LIVE &&
            !dt_program_jumps(law->program, j)) {
            branches[j].base =
                fmax(branches[j].base, hysteresis(sim, sim->core, law, j, tolerance, rounded));
        }
    }
}

/* Switches on their borders stay on the side that was decreed, be it at an event of the same instant. */
static void keep_decreed(dt_simulation *sim, const dt_law *law)
{
    static const double known = 100 * DBL_EPSILON;
    double(*roots)[2] = sim->roots.values;
    const dt_branch *branches = dt_law_branches(sim->core, law);
    dt_law_roots(sim->core, law, &roots[0][0]);
    for (int j = 0; j < law->program->switch_count; j++) {
        const bool decided = branches[j].side == 1 || branches[j].side == -1;
        sim->roots.keep[j] =
            sim->roots.keep[j] || (decided && fmin(roots[j][0], roots[j][1]) >=
                                                  -known * dt_switch_size(sim, sim->core, law, j));
    }
}

static void follow(dt_simulation *sim, dt_occasion *what)
{
    const dt_system *s = sim->core; /* no joint outside the core has one */
    bool *keep = sim->roots.keep;
    for (int l = 0; l < s->law_count; l++) {
        const dt_law *law = s->law[l];
        dt_branch *branches = dt_law_branches(s, law);
        bool any = false;
        for (int j = 0; j < law->program->switch_count; j++) {
            const int *fired = dt_fired_switch(sim, law, j);
            const bool known = dt_instants_is_known(law, j), fires = dt_has_fired(fired);
            keep[j] = fires || known || branches[j].side == DT_BRANCH_SLIDING;
            any = any || fires;
            if (fires && !known) { /* those known in advance have been set already */
                branches[j] = dt_program_flipped(law->program, j, fired[0] ? 0 : 1, branches[j]);
            }
        }
        if (any) {
            limit_hysteresis(sim, sim->core, law);
            keep_decreed(sim, law);
            dt_law_settle(sim->core, law, keep);
            give_hysteresis(sim, law);
            limit_hysteresis(sim, sim->core, law);
        }
        what->search = what->search || any;
    }
}

/* Flips a branch that the new forces have made wrong, once. */
static bool repair_switch(dt_simulation *sim, dt_system *s, const dt_law *law, int j)
{
    int *fired = dt_fired_switch(sim, law, j), which;
    if (dt_has_fired(fired) ||
        !dt_branches_flip(law, j, sim->roots.values[j], &dt_law_branches(s, law)[j], &which)) {
        return false;
    }
    fired[which] = DT_JOINED;
    return true;
}

static bool repair(dt_simulation *sim, dt_system *s)
{
    bool any = false;
    for (int l = 0; l < s->law_count; l++) {
        const int switches = s->law[l]->program->switch_count;
        if (switches > 0) {
            limit_hysteresis(sim, s, s->law[l]);
            dt_law_roots(s, s->law[l], &sim->roots.values[0][0]);
        }
        for (int j = 0; j < switches; j++) {
            any = repair_switch(sim, s, s->law[l], j) || any;
        }
    }
    return any;
}

/* Whether switch j slides, and what it compares is what it was (dt_switches_note()): `now`, its roots. */
static bool slides_on(dt_simulation *sim, const dt_law *law, int j, const double now[2])
{
    const double *before = sim->branches.before[law->branch + j];
    return dt_law_branches(&sim->system, law)[j].side == DT_BRANCH_SLIDING && now[0] == before[0] &&
           now[1] == before[1];
}

/* Branches of laws that read velocities, but for the switches that have fired, and those that slide on a border at which nothing has jumped. */
static void jump(dt_simulation *sim)
{
    double(*roots)[2] = sim->roots.values;
    for (int l = 0; l < sim->system.law_count; l++) {
        const dt_law *law = sim->system.law[l];
        if (!dt_switch_follows_velocities(law)) {
            continue;
        }
        dt_law_roots(&sim->system, law, &roots[0][0]);
        for (int j = 0; j < law->program->switch_count; j++) {
            sim->roots.keep[j] =
                dt_has_fired(dt_fired_switch(sim, law, j)) || slides_on(sim, law, j, roots[j]);
        }
        dt_law_settle(&sim->system, law, sim->roots.keep);
    }
}

/* ---- storms ---- */

enum { LONGEST_LAW = 80 };

static int participants(const dt_simulation *sim)
{
    return sim->system.law_count;
}

static const char *name(const dt_simulation *sim, int l)
{
    return sim->system.law[l]->program->text;
}

static void count(const dt_simulation *sim, unsigned char *times)
{
    for (int l = 0; l < sim->system.law_count; l++) {
        const dt_law *law = sim->system.law[l];
        bool any = false;
        for (int j = 0; j < law->program->switch_count; j++) {
            any = any || dt_has_fired(dt_fired_switch(sim, law, j));
        }
        times[l] = (unsigned char)(times[l] + any);
    }
}

const dt_source_row dt_source_switch = {.most = most,
                                        .place = place,
                                        .evaluate = evaluate,
                                        .each = each,
                                        .doubtful = true,
                                        .has_borders = true,
                                        .pairs = pairs,
                                        .fired = fired_pair,
                                        .report = report,
                                        .follow = follow,
                                        .repair = repair,
                                        .jump = jump,
                                        .noun = "law",
                                        .of_laws = true,
                                        .longest_name = LONGEST_LAW,
                                        .participants = participants,
                                        .name = name,
                                        .count = count};
