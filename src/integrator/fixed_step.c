/*
 * Steps of fixed length (solver/stepper_fixed.c).
 *
 * Switches. Between events a law follows recorded branches, so that it is smooth. Here every evaluation takes it as it is written: the
 * branches are set anew to what the readings call for, in every stage. Two kinds stay as they are through a step: those that t alone
 * decides, for steps end at their instants (instants.c), and the stage at that end belongs to the time before; and those of the stops of
 * states, which say who is held (state_stops.c) and are settled at the ends of steps. A switch that forces decide starts as the evaluation
 * before has left it, and follows the forces that are found with it, some times at most; what readers find is not kept.
 *
 * Stictions keep their modes through a step; at its end the root functions below zero make an event (event.c), with the velocities that
 * have turned set to zero first (fixed_stop.c).
 */
#include "integrator/fixed_step.h"

#include "integrator/blocks.h"
#include "integrator/core.h"
#include "integrator/fold.h"
#include "integrator/instants.h"

#include <math.h>
#include <string.h>

/*
 * How often forces and the branches that they decide are taken in turns: of all switches at once; and then, as those of several laws may
 * chase each other so, the first one alone that disagrees. Where every law is against what it reads that ends (K. G. Murty, Opsearch 11 (1974) 37).
 */
static const int most_turns = 10;

/* ---- set-up ---- */

/* Which switches are not taken anew. */
static void find_kept(dt_simulation *sim)
{
    dt_fixed_steps *x = &sim->fixed;
    const dt_system *s = &sim->system;
    for (int l = 0; l < s->law_count; l++) {
        const dt_law *law = s->law[l];
        for (int j = 0; j < law->program->switch_count; j++) {
            x->keep[law->branch + j] = dt_instants_is_known(law, j);
        }
    }
    for (int k = 0; k < sim->mechanism->state_count; k++) {
        const dt_state *state = &sim->mechanism->states[k];
        for (int side = 0; side < 2; side++) {
            if (state->stop_switch[side] >= 0) {
                x->keep[dt_rate_law(s, k)->branch + state->stop_switch[side]] = true;
                x->projects = true;
                x->stops_follow = x->stops_follow || dt_law_follows_forces(dt_rate_law(s, k));
            }
        }
    }
    for (int l = 0; l < s->law_count; l++) {
        const dt_law *law = s->law[l];
        for (int j = 0; j < law->program->switch_count; j++) {
            const bool anew = !x->keep[law->branch + j];
            x->switches = x->switches || anew;
            x->forces_decide = x->forces_decide || (anew && dt_law_follows_forces(law));
        }
    }
}

static bool has_rotations(const dt_tree *tree)
{
    bool any = false;
    for (int i = 0; i < tree->node_count && !any; i++) {
        any = tree->nodes[i].type->normalize != NULL;
    }
    return any;
}

bool dt_fixed_create(dt_arena *arena, dt_simulation *sim)
{
    dt_fixed_steps *x = &sim->fixed;
    const size_t nv = (size_t)sim->nv, ns = (size_t)sim->ns,
                 rows = (size_t)dt_tie_rows(sim->mechanism),
                 branches = (size_t)sim->system.branch_count;
    if (!x->exists) {
        return true;
    }
#define TAKE(member, count) \
    ((x->member = dt_arena_alloc(arena, (count), sizeof *x->member)) != NULL)
    if (!(TAKE(keep, branches) && TAKE(before, branches) && TAKE(of_forces, branches) &&
          TAKE(r_v, nv) && TAKE(r_f, ns) && TAKE(r_m, rows) && TAKE(d_v, nv) && TAKE(d_f, ns) &&
          TAKE(d_m, rows) && TAKE(v, nv) && TAKE(v_before, nv) && TAKE(may_stop, ns) &&
          TAKE(stops, ns) && TAKE(alone, ns) && TAKE(mode, ns) && TAKE(direction, ns) &&
          TAKE(yielded, ns) && TAKE(ending, (size_t)dt_blocks_length(&sim->system)))) {
        return false;
    }
#undef TAKE
    x->ending_time = NAN;
    x->projects = sim->system.closure != NULL || has_rotations(sim->system.tree);
    find_kept(sim);
    return true;
}

/* ---- laws as they are written ---- */

/* Of one law, all or the first that disagrees; whether one has changed. */
static bool take_switches(dt_simulation *sim, const dt_law *law, bool all)
{
    dt_fixed_steps *x = &sim->fixed;
    dt_branch *branches = dt_law_branches(sim->core, law), *before = x->before + law->branch;
    const int count = law->program->switch_count;
    bool changed = false;
    memcpy(before, branches, (size_t)count * sizeof *before);
    dt_law_settle(sim->core, law, x->keep + law->branch);
    for (int j = 0; j < count; j++) {
        if (changed && !all) {
            branches[j] = before[j];
        }
        changed = changed || before[j].side != branches[j].side;
    }
    return changed;
}

/* Switches that the readings of a state decide, and those that forces do as an evaluation has left them. */
static void take_all_switches(dt_simulation *sim)
{
    const dt_system *s = sim->core;
    for (int l = 0; l < s->law_count && sim->fixed.switches; l++) {
        const dt_law *law = s->law[l];
        const int count = law->program->switch_count;
        if (count > 0 && !dt_law_follows_forces(law)) {
            take_switches(sim, law, true);
            continue;
        }
        for (int j = 0; j < count; j++) {
            if (!sim->fixed.keep[law->branch + j]) {
                dt_law_branches(s, law)[j] = sim->fixed.of_forces[law->branch + j];
            }
        }
    }
}

void dt_fixed_take_switches(dt_simulation *sim)
{
    const dt_system *s = sim->core;
    for (int l = 0; l < s->law_count && sim->fixed.switches; l++) {
        if (s->law[l]->program->switch_count > 0) {
            take_switches(sim, s->law[l], true);
        }
    }
}

/* Of one stiction those that follow forces: as laws are written, or as they were before that. */
static void take_switches_of(dt_simulation *sim, int stiction, bool back)
{
    const dt_system *s = sim->core;
    for (int l = 0; l <= DT_STICTION_TEST; l++) {
        const dt_law *law = dt_stiction_law(s, stiction, l);
        if (!law->program || law->program->switch_count == 0 || !dt_law_follows_forces(law)) {
            continue;
        }
        if (back) {
            memcpy(dt_law_branches(s, law), sim->fixed.before + law->branch,
                   (size_t)law->program->switch_count * sizeof(dt_branch));
        } else {
            take_switches(sim, law, true);
        }
    }
}

void dt_fixed_take_switches_of(dt_simulation *sim, int stiction)
{
    take_switches_of(sim, stiction, false);
}

void dt_fixed_put_switches_back(dt_simulation *sim, int stiction)
{
    take_switches_of(sim, stiction, true);
}

/* Switches that forces decide, all or the first that disagrees; whether one has changed. */
static bool follow_forces(dt_simulation *sim, bool all)
{
    const dt_system *s = sim->core;
    bool changed = false;
    for (int l = 0; l < s->law_count && (all || !changed); l++) {
        const dt_law *law = s->law[l];
        if (law->program->switch_count > 0 && dt_law_follows_forces(law)) {
            changed = take_switches(sim, law, all) || changed;
        }
    }
    return changed;
}

void dt_fixed_keep_switches(dt_simulation *sim)
{
    const dt_system *s = &sim->system;
    memcpy(sim->fixed.of_forces, s->branches, (size_t)s->branch_count * sizeof *s->branches);
}

detent_status dt_fixed_accelerations(dt_simulation *sim, dt_fixed_solver solve, detent_error *error)
{
    take_all_switches(sim);
    detent_status status = solve(sim, error);
    const int most = sim->fixed.forces_decide ? most_turns * (1 + sim->core->branch_count) : 0;
    for (int turn = 0; turn < most && status == DETENT_OK && follow_forces(sim, turn < most_turns);
         turn++) {
        status = solve(sim, error);
    }
    return status;
}

/* ---- rotations, and who is refused ---- */

void dt_fixed_normalize(const dt_simulation *sim, double *y)
{
    const dt_tree *tree = sim->core->tree;
    for (int i = 0; i < tree->node_count; i++) {
        if (tree->nodes[i].type->normalize) {
            tree->nodes[i].type->normalize(dt_q_in(sim, y) + tree->nodes[i].q);
        }
    }
}

detent_status dt_fixed_check(const dt_simulation *sim, detent_error *error)
{
    for (int k = 0; k < sim->ns && !sim->fixed.exists; k++) {
        const dt_stiction *stiction = &sim->mechanism->stictions[k];
        const dt_fixed_law *law = stiction->friction->fixed_law;
        if (law) {
            return dt_fail(error, DETENT_ERROR_ARGUMENT, &law->where,
                           "the friction law '%s' of '%s' decides once a step what sticks: it is "
                           "for an integrator of fixed step, euler or rk4 ('integrator: {type: "
                           "euler, step: 10 us}'); 'stiction' sticks exactly with all of them",
                           law->word, sim->mechanism->primitives[stiction->primitive].name);
        }
    }
    return DETENT_OK;
}
