/*
 * Friction that follows the reactions which it causes may have several solutions at the same modes, or none: two
 * branches of solutions meet and end in a fold. There the determinant of the equations of motion is zero, and its sign
 * is another one on the other branch, so that a step that lands on the other branch shows.
 *
 * So every step ends on the branch it began on, or it is made again, shorter. The sign is that of a factorisation
 * at its end: the last one of the explicit stepper's own, one more for the implicit stepper, whose own is of the step.
 * Only where a law that acts in the interval reads what the accelerations decide is there anything to be watched.
 */
#include "integrator/fold.h"
#include "dynamics/closure.h"
#include "integrator/blocks.h"
#include "integrator/core.h"
#include "integrator/sliding.h"

bool dt_law_follows_forces(const dt_law *law)
{
    for (int k = 0; law->program && k < law->program->variable_count; k++) {
        if (dt_variable_is(law->program->variables[k], DT_OF_FORCES)) {
            return true;
        }
    }
    return false;
}

bool dt_fold_create(dt_arena *arena, dt_simulation *sim)
{
    if (dt_newton_is_explicit(sim->core_newton)) { /* nothing is ever watched */
        return true;
    }
    sim->fold.a = dt_arena_alloc(arena, (size_t)sim->nv, sizeof *sim->fold.a);
    sim->fold.f = dt_arena_alloc(arena, (size_t)sim->ns, sizeof *sim->fold.f);
    sim->fold.m = dt_arena_alloc(arena, (size_t)dt_tie_rows(sim->mechanism), sizeof *sim->fold.m);
    return sim->fold.a && sim->fold.f && sim->fold.m;
}

/* The sign of the determinant at the core's readings; 0 where it says nothing. */
static int sign_now(dt_simulation *sim, bool *met)
{
    dt_newton *newton = sim->core_newton;
    return dt_newton_is_explicit(newton) ? 0 : dt_newton_sign_now(newton, sim->core, met);
}

/* Whether the law is in the equations of the present modes, and reads what they decide. */
static bool follows(const dt_system *s, const dt_law *law)
{
    return dt_law_is(law, DT_LAW_IS_ANSWER) && dt_law_follows_forces(law) &&
           (!dt_law_is(law, DT_LAW_IS_RUBBING) || s->mode[law->owner] != DETENT_LOCKED);
}

static bool may_fold(const dt_simulation *sim)
{
    const dt_system *s = sim->core;
    bool any = false;
    for (int l = 0; l < s->law_count && !any; l++) {
        any = follows(s, s->law[l]);
    }
    return any && !dt_newton_is_explicit(sim->core_newton);
}

/* A solution of the core's. */
static void keep(dt_simulation *sim, const double *a, const double *f, const double *m)
{
    const dt_system *s = sim->core;
    memcpy(sim->fold.a, a, (size_t)s->tree->nv * sizeof *a);
    memcpy(sim->fold.f, f, (size_t)s->mechanism->stiction_count * sizeof *f);
    memcpy(sim->fold.m, m, (size_t)dt_tie_rows(s->mechanism) * sizeof *m);
}

void dt_fold_restart(dt_simulation *sim)
{
    dt_fold *fold = &sim->fold;
    fold->sign = sign_now(sim, NULL);
    fold->sign_at_end = 0;
    fold->recalls = false;
    fold->watched = fold->sign != 0 && may_fold(sim);
    if (fold->watched) {
        keep(sim, sim->core->a, sim->core->f, sim->core->multiplier);
    }
}

bool dt_fold_is_passed(dt_simulation *sim)
{
    return sim->fold.sign != 0 && sign_now(sim, NULL) == -sim->fold.sign;
}

void dt_fold_note_end(dt_simulation *sim, bool factored)
{
    if (!sim->fold.watched) {
        return;
    }
    if (!factored) {
        sim->fold.sign_at_end = sign_now(sim, NULL);
        return;
    }
    const int sign = dt_newton_sign(sim->core_newton, sim->core);
    bool met = false;
    const int told = sign == sim->fold.sign ? sign : sign_now(sim, &met);
    sim->fold.sign_at_end = met ? told : sign;
}

bool dt_fold_has_turned(dt_simulation *sim, int sign)
{
    if (!sim->fold.watched || sign == 0 || sim->fold.sign == sign) {
        return false;
    }
    sim->fold.sign = sign;
    return true;
}

bool dt_fold_is_jumped(const dt_simulation *sim)
{
    return sim->fold.watched && sim->fold.sign_at_end == -sim->fold.sign;
}

void dt_fold_go_on(dt_simulation *sim)
{
    if (sim->fold.watched) {
        sim->fold.recalls = false;
        keep(sim, dt_v_of(sim, sim->yp), dt_known_friction(sim), dt_known_multipliers(sim));
    }
}

void dt_fold_go_back(dt_simulation *sim)
{
    sim->fold.recalls = sim->fold.watched;
}

/* Told by the stepper that is there, and not by the leap that is to come: who reads where that begins may do it before or after it is known. */
bool dt_fold_crosses(const dt_simulation *sim)
{
    return sim->fold.watched && dt_solver_kind(sim->solver) == DT_STEPPER_LEAP && !sim->leap.hops;
}

/*
 * Over a position where branches of the motion meet (leap.c) the pivot p of what is tied passes through zero, and with it
 * changes the side that multipliers push to, if friction follows them: p m = r - c |m| has the stable solutions m = r / (p + c)
 * before it and m = r / (p - c) after it, c > 0. Friction goes on as it was, so it leads from one to the other: with the one that is
 * known the multipliers are those of the right side, and from there on the laws decide. From the multipliers of the other side
 * the other solution is found, which is left at once (stiction/stable.c).
 */
bool dt_fold_leads_across(dt_simulation *sim)
{
    sim->core->pinned = sim->guess.kept_f;
    const detent_status status = dt_solve_accelerations(sim->core_newton, sim->core, NULL, NULL);
    sim->core->pinned = NULL;
    return status == DETENT_OK && dt_system_is_finite(sim->core);
}

void dt_fold_guess(dt_simulation *sim, double t)
{
    dt_system *s = sim->core;
    const bool recalls = sim->fold.recalls && t == sim->reached;
    const double *m = recalls ? sim->fold.m : dt_known_multipliers(sim);
    memcpy(s->multiplier, m, (size_t)dt_tie_rows(s->mechanism) * sizeof *m);
    dt_closure_put_off(s);
    dt_system_set_acceleration(s, recalls ? sim->fold.a : dt_v_of(sim, sim->yp),
                               recalls ? sim->fold.f : dt_known_friction(sim));
}

void dt_fold_start(dt_simulation *sim, double t)
{
    dt_fold_guess(sim, t);
    if (dt_fold_crosses(sim) && !dt_fold_leads_across(sim)) {
        dt_fold_guess(sim, t);
    }
}
