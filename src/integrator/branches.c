/*
 * Branches of laws that forces decide, at an event. The jump of the forces may make a branch wrong; the branch that is
 * right then may call for other modes, which make other forces. So a joint may break away where its limit is reached
 * with one branch, and hold with the one that its breaking away has called for: no branch is right for the modes that
 * the rule finds with it, though other modes and branches agree with each other.
 *
 * A law that is continuous has the same value on both sides of its border, and no branch of its own to choose: read with
 * the old branch beyond its border it is wrong, and a limit may be negative there. So where the rule finds nothing with
 * the old branches, it is followed again with those of continuous laws where the readings of each round are.
 */
#include "integrator/branches.h"
#include "integrator/core.h"
#include "integrator/instants.h"
#include "integrator/source.h"
#include "integrator/switches.h"

#include <math.h>

/* As often at most as branches can take turns on the way to those that agree. */
static const int most_rounds = 20;

/* Whether a law has a switch that may follow forces without a jump of its value. */
static bool follows(const dt_law *law)
{
    const dt_program *p = law->program;
    bool continuous = false;
    for (int j = 0; j < p->switch_count && !continuous; j++) {
        continuous = !dt_program_jumps(p, j) && !dt_instants_is_known(law, j);
    }
    return continuous && dt_program_reads(p, DT_OF_FORCES);
}

bool dt_branches_create(dt_arena *arena, dt_simulation *sim)
{
    const size_t count = (size_t)sim->system.branch_count;
    dt_branches *b = &sim->branches;
    for (int l = 0; l < sim->system.law_count && !b->follow; l++) {
        b->follow = follows(sim->system.law[l]);
    }
    return (b->kept = dt_arena_alloc(arena, count, sizeof *b->kept)) != NULL &&
           (b->before = dt_arena_alloc(arena, count, sizeof *b->before)) != NULL &&
           (!b->follow || dt_trial_create(arena, sim, &b->before_search));
}

void dt_branches_keep(dt_simulation *sim)
{
    memcpy(sim->branches.kept, sim->system.branches,
           (size_t)sim->system.branch_count * sizeof *sim->branches.kept);
}

void dt_branches_restore(dt_simulation *sim)
{
    memcpy(sim->system.branches, sim->branches.kept,
           (size_t)sim->system.branch_count * sizeof *sim->branches.kept);
}

bool dt_branches_flip(const dt_law *law, int index, const double roots[2], dt_branch *branch,
                      int *which)
{
    if (dt_instants_is_known(law, index) || branch->side == DT_BRANCH_SLIDING) {
        return false;
    }
    *which = roots[0] < 0 ? 0 : 1;
    if (!(roots[*which] < 0)) {
        return false;
    }
    *branch = dt_program_flipped(law->program, index, *which, *branch);
    return true;
}

/* Of those of a law that a search has flipped: whether one is wrong again. */
static bool is_wrong(dt_simulation *sim, dt_system *s, const dt_law *law)
{
    double(*roots)[2] = sim->roots.values;
    bool any = false, evaluated = false;
    for (int j = 0; j < law->program->switch_count && !any; j++) {
        const int *fired = dt_fired_switch(sim, law, j);
        dt_branch branch = dt_law_branches(s, law)[j];
        int which;
        if (fired[0] != DT_JOINED && fired[1] != DT_JOINED) {
            continue;
        }
        if (!evaluated) {
            dt_law_roots(s, law, &roots[0][0]);
            evaluated = true;
        }
        any = dt_branches_flip(law, j, roots[j], &branch, &which);
    }
    return any;
}

bool dt_branches_are_wrong(dt_simulation *sim, dt_system *s)
{
    bool any = false;
    for (int l = 0; l < s->law_count && !any; l++) {
        any = is_wrong(sim, s, s->law[l]);
    }
    return any;
}

/* Whether a switch that fires at this event, or has been put on its side, has to be left there: its root is noise. */
static bool is_decreed(dt_simulation *sim, const dt_law *law, int j, double root)
{
    return dt_has_fired(dt_fired_switch(sim, law, j)) &&
           root >= -dt_switch_tolerance(sim, &sim->system, law, j, sim->rtol);
}

static bool follow_continuously(dt_simulation *sim, dt_system *s, const dt_law *law)
{
    double(*roots)[2] = sim->roots.values;
    bool any = false;
    dt_law_roots(s, law, &roots[0][0]);
    for (int j = 0; j < law->program->switch_count; j++) {
        int which;
        any = (!dt_program_jumps(law->program, j) &&
               !is_decreed(sim, law, j, fmin(roots[j][0], roots[j][1])) &&
               dt_branches_flip(law, j, roots[j], &dt_law_branches(s, law)[j], &which)) ||
              any;
    }
    return any;
}

bool dt_branches_follow(void *simulation)
{
    dt_simulation *sim = simulation;
    dt_system *s = &sim->system;
    bool any = false;
    for (int l = 0; l < s->law_count; l++) {
        any = (follows(s->law[l]) && follow_continuously(sim, s, s->law[l])) || any;
    }
    return any;
}

/* Flips the branches of a law that are wrong at the present forces. */
static bool follow_forces(dt_simulation *sim, dt_system *s, const dt_law *law)
{
    double(*roots)[2] = sim->roots.values;
    const int switches = law->program->switch_count;
    bool any = false;
    if (switches > 0) {
        dt_law_roots(s, law, &roots[0][0]);
    }
    for (int j = 0; j < switches; j++) {
        int which;
        any = dt_branches_flip(law, j, roots[j], &dt_law_branches(s, law)[j], &which) || any;
    }
    return any;
}

detent_status dt_branches_accelerations(void *simulation)
{
    dt_simulation *sim = simulation;
    dt_system *s = &sim->system;
    for (int round = 0; round < most_rounds; round++) {
        const detent_status status = dt_solve_accelerations(sim->newton, s, NULL, NULL);
        bool any = false;
        for (int l = 0; l < s->law_count && status == DETENT_OK; l++) {
            any = follow_forces(sim, s, s->law[l]) || any;
        }
        if (!any) {
            return status;
        }
    }
    return DETENT_ERROR_SOLVER;
}
