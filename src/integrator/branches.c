/*
 * Branches of laws that forces decide, at an event. The jump of the forces may make a branch wrong; the branch that is
 * right then may call for other modes, which make other forces. So a joint may break away where its limit is reached
 * with one branch, and hold with the one that its breaking away has called for: no branch is right for the modes that
 * the rule finds with it, though other modes and branches agree with each other.
 */
#include "integrator/core.h"

/** In roots.fired: no root of the integrator's, which is zero at the event, but the jump of the forces. */
enum { BY_FORCES = 2 };

/** As often at most as branches can take turns on the way to those that agree. */
static const int most_rounds = 20;

bool dt_branches_create(dt_arena *arena, dt_simulation *sim)
{
    const size_t count = (size_t)sim->system.branch_count;
    sim->kept_branches = dt_arena_alloc(arena, count, sizeof *sim->kept_branches);
    return sim->kept_branches != NULL;
}

void dt_branches_keep(dt_simulation *sim)
{
    memcpy(sim->kept_branches, sim->system.branches,
           (size_t)sim->system.branch_count * sizeof *sim->kept_branches);
}

void dt_branches_restore(dt_simulation *sim)
{
    memcpy(sim->system.branches, sim->kept_branches,
           (size_t)sim->system.branch_count * sizeof *sim->kept_branches);
}

/** Which root of a switch, of those of its law, says that its branch is wrong at the present forces; -1: none. */
static int wrong_root(const dt_law *law, const dt_branch *branches, int j, const double *roots)
{
    return dt_instants_is_known(law, j) || branches[j].side == DT_BRANCH_SLIDING ? -1
           : roots[2 * j] < 0                                                    ? 0
           : roots[2 * j + 1] < 0                                                ? 1
                                                                                 : -1;
}

/** Flips the branches of a law that are wrong, those that are not marked in `fired`, and marks them; NULL: all. */
static bool flip_law(dt_simulation *sim, dt_system *s, const dt_law *law, int *fired)
{
    double *roots = sim->root_values;
    dt_branch *branches = dt_law_branches(s, law);
    bool any = false;
    if (law->program->switch_count > 0) {
        dt_law_roots(s, law, roots);
    }
    for (int j = 0; j < law->program->switch_count; j++) {
        const int which = wrong_root(law, branches, j, roots);
        if (which < 0 || (fired && (fired[2 * j] || fired[2 * j + 1]))) {
            continue;
        }
        branches[j] = dt_program_flipped(law->program, j, which, branches[j]);
        any = true;
        if (fired) {
            fired[2 * j + which] = BY_FORCES;
        }
    }
    return any;
}

bool dt_branches_repair(dt_simulation *sim, dt_system *s)
{
    bool any = false;
    for (int l = 0; l < s->law_count; l++) {
        any = flip_law(sim, s, s->law[l], sim->roots.fired + dt_roots_place(sim, s->law[l])) || any;
    }
    return any;
}

/** Of a law. */
static bool is_wrong(dt_simulation *sim, dt_system *s, const dt_law *law, const int *fired)
{
    const int switches = law->program->switch_count;
    bool any = false, flipped = false;
    for (int j = 0; j < 2 * switches; j++) {
        flipped = flipped || fired[j] == BY_FORCES;
    }
    if (flipped) {
        dt_law_roots(s, law, sim->root_values);
    }
    for (int j = 0; j < switches && flipped && !any; j++) {
        any = (fired[2 * j] == BY_FORCES || fired[2 * j + 1] == BY_FORCES) &&
              wrong_root(law, dt_law_branches(s, law), j, sim->root_values) >= 0;
    }
    return any;
}

bool dt_branches_are_wrong(dt_simulation *sim, dt_system *s)
{
    bool any = false;
    for (int l = 0; l < s->law_count && !any; l++) {
        any = is_wrong(sim, s, s->law[l], sim->roots.fired + dt_roots_place(sim, s->law[l]));
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
            any = flip_law(sim, s, s->law[l], NULL) || any;
        }
        if (!any) {
            return status;
        }
    }
    return DETENT_ERROR_SOLVER;
}
