/*
 * Switches that fire together. Who slides is decided by where the forces drive it as they are when the event is looked at: one of two
 * may seem to leave its border until the other one slides, and come back at once when it does. And two that spiral into their common
 * border, faster and faster, never fire together: those that have fired often, and are nearer to it than a weight is wide, are there.
 */
#include "integrator/sliding.h"
#include "integrator/source.h"
#include "integrator/switches.h"

#include <math.h>

static bool may_join(const dt_simulation *sim, const dt_law *law, int j)
{
    const dt_sliding *sl = &sim->sliding;
    const int side = dt_law_branches(sl->system, law)[j].side;
    const bool has_side = side != 0 || dt_program_is_integer(law->program, j);
    const bool leaves = sim->past.branches[law->branch + j].side == DT_BRANCH_SLIDING;
    return side != DT_BRANCH_SLIDING && side != DT_BRANCH_LIVE && has_side && !leaves &&
           dt_sliding_may(law, j) && dt_has_fired(dt_fired_switch(sim, law, j)) &&
           !dt_sliding_is_listed(sl, law, j) && sl->count + sl->twins + sl->late_count < sl->most;
}

bool dt_sliding_find_late(dt_simulation *sim)
{
    dt_sliding *sl = &sim->sliding;
    const dt_system *s = sl->system;
    sl->late_count = 0;
    for (int l = 0; l < s->law_count; l++) {
        const dt_law *law = s->law[l];
        for (int j = 0; j < law->program->switch_count; j++) {
            if (!may_join(sim, law, j)) {
                continue;
            }
            dt_slide slide = {
                .law = law, .index = j, .plain = dt_law_branches(s, law)[j], .moved = 1};
            const bool downwards = dt_sliding_has_fallen(sim, &slide);
            if (dt_sliding_measure(sim, &slide) && slide.order == 1 &&
                (downwards ? slide.rate > 0 : slide.rate < 0)) {
                sl->late[sl->late_count++] = slide;
            }
        }
    }
    return sl->late_count > 0;
}

/* Whether a switch has fired often by now and stands on its border, as far as that can be told; `slide`: how it is. */
static bool is_tired(dt_simulation *sim, const dt_law *law, int j, dt_slide *slide)
{
    static const int often = 20;
    const dt_branch branch = dt_law_branches(sim->sliding.system, law)[j];
    *slide =
        (dt_slide){.law = law, .index = j, .plain = branch, .moved = 1, .weight = branch.side > 0};
    return (branch.side == 1 || branch.side == -1) && dt_sliding_may(law, j) &&
           !dt_program_is_integer(law->program, j) && dt_switch_times_fired(sim, law) > often &&
           !dt_sliding_is_listed(&sim->sliding, law, j) && dt_sliding_measure(sim, slide) &&
           slide->order == 1 && fabs(slide->distance) <= dt_sliding_width(slide);
}

/* Adds them to the list, or counts them. */
static int visit_tired(dt_simulation *sim, bool add)
{
    dt_sliding *sl = &sim->sliding;
    const dt_system *s = sl->system;
    int count = 0;
    for (int l = 0; l < s->law_count; l++) {
        for (int j = 0; j < s->law[l]->program->switch_count; j++) {
            dt_slide slide;
            if (sl->count + sl->twins < sl->most && is_tired(sim, s->law[l], j, &slide)) {
                count++;
                if (add) {
                    dt_sliding_add(sim, &slide);
                }
            }
        }
    }
    return count;
}

void dt_sliding_add_tired(dt_simulation *sim)
{
    if (sim->sliding.count + visit_tired(sim, false) > 1) {
        visit_tired(sim, true);
    }
}
