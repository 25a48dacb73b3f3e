/*
 * Switches that fire together. Who slides is decided by where the forces drive it as they are when the event is looked at: one of two
 * may seem to leave its border until the other one slides, and come back at once when it does.
 */
#include "integrator/sliding.h"
#include "integrator/source.h"

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
