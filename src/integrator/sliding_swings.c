/*
 * Swings about the border of a law of positions.
 *
 * `-F*sign(position(a))`: forces decide d'', not d'. Where both branches drive the state back, it swings across the border,
 *
 *   x = d'^2 / (2 |d''|)
 *
 * beyond it; with damping ever less and ever faster, with dry friction in a finite time. Swings within rtol of the nominal
 * positions cannot be told from rest on the border. There the law itself stops them, by an impulse p of each switch that acts as its force on the upper branch less that on the lower one:
 *
 *   M dv = sum b p,   J dv = -d',
 *
 * and from then on the state stays, the weights being those with d'' = 0 (a sliding mode of the second order: A. F. Filippov,
 * 1988; A. Levant, "Sliding order and sliding accuracy in sliding mode control", Int. J. Control 58, 1993). The matrix J M^-1 b
 * is that of Newton's step, and accelerations are linear in the weights, so dv is a difference of two of them. The energy that
 * is lost is the work of the law over x, at most.
 *
 * So ends the curve of a time-optimal relay, d = x + v |v| / (2 a), too: where velocities have no more part in d than can be told,
 * it is a border of positions (sliding.c).
 */
#include "integrator/core.h"
#include "integrator/sliding.h"
#include "integrator/source.h"
#include "integrator/switches.h"

#include <math.h>

static const double share = 0.25; /* of a weight, by which accelerations are compared */

/* The variable of a switch that reads one position and no other; NULL where it reads several. */
static const dt_node *only_joint(const dt_simulation *sim, const dt_slide *slide)
{
    const dt_program *p = slide->law->program;
    const dt_system *s = sim->sliding.system;
    const dt_node *node = NULL;
    dt_law_switch_gradient(sim->sliding.system, slide->law, slide->index, sim->sliding.gradient);
    for (int k = 0; k < p->variable_count; k++) {
        if (sim->sliding.gradient[k] != 0 &&
            !(slide->ends && dt_variable_is(p->variables[k], DT_OF_VELOCITIES))) {
            if (!dt_variable_is(p->variables[k], DT_OF_POSITIONS) || node) {
                return NULL;
            }
            node = &s->tree->nodes[dt_system_place(s, p->variables[k].index)];
        }
    }
    return node;
}

bool dt_sliding_sticks(const dt_simulation *sim, const dt_slide *slide)
{
    const dt_system *s = sim->sliding.system;
    const dt_node *node = only_joint(sim, slide);
    bool any = false;
    for (int k = 0; k < sim->ns && !any; k++) {
        const dt_node *own = &s->tree->nodes[sim->mechanism->stictions[k].primitive];
        any = s->v[own->v] == 0 && (!node || node == own);
    }
    return any;
}

/* ---- which swings end ---- */

/* Whether a swing at that d'' goes no further than what can be told. */
static bool is_small(const dt_slide *slide, double rate)
{
    return slide->speed * slide->speed <= 2 * fabs(rate) * slide->told;
}

/* Whether both branches drive switch i back, and neither swing goes too far. The others keep their weights. */
static bool ends(dt_simulation *sim, int i)
{
    dt_slide *slide = &sim->sliding.of[i];
    const double low = dt_sliding_rate_at(sim, i, 0), high = dt_sliding_rate_at(sim, i, 1);
    slide->weight = 0.5;
    return low > 0 && high < 0 && is_small(slide, low) && is_small(slide, high);
}

void dt_sliding_pass_swings(dt_simulation *sim)
{
    const dt_sliding *sl = &sim->sliding;
    for (int i = sl->count - 1; i >= 0; i--) {
        if (sl->of[i].swings && !is_small(&sl->of[i], sl->of[i].rate)) {
            dt_sliding_remove(sim, i);
        }
    }
}

static bool any_swings(const dt_sliding *sl)
{
    bool any = false;
    for (int i = 0; i < sl->count && !any; i++) {
        any = sl->of[i].swings;
    }
    return any;
}

/* ---- the impulse ---- */

/* Velocities without the speed of swings, from accelerations with other weights. */
static bool take_speed(dt_simulation *sim)
{
    dt_sliding *sl = &sim->sliding;
    dt_system *s = sl->system;
    double most = 0;
    if (!dt_sliding_make_matrix(sim)) {
        return false;
    }
    for (int i = 0; i < sl->count; i++) {
        sl->move[i] = sl->of[i].swings ? -sl->of[i].speed : 0;
    }
    if (!dt_sliding_solve(sl, &sl->now) || !dt_sliding_try(sim)) {
        return false;
    }
    for (int i = 0; i < sl->count; i++) {
        most = fmax(most, fabs(sl->move[i]));
    }
    const double part = most > 0 ? share / most : 0;
    memcpy(sl->impulse, s->a, (size_t)sim->nv * sizeof *s->a);
    for (int i = 0; i < sl->count; i++) {
        sl->of[i].weight += part * sl->move[i];
    }
    const bool solved = part > 0 && dt_sliding_try(sim);
    for (int i = 0; i < sl->count; i++) {
        sl->of[i].weight -= part * sl->move[i];
    }
    for (int j = 0; j < sim->nv && solved; j++) {
        s->v[j] += (s->a[j] - sl->impulse[j]) / part;
    }
    return solved;
}

/* Whether what has been stopped is driven back from both sides now: a law that reads velocities may have lost its jump. */
static bool stays(dt_simulation *sim)
{
    bool all = true;
    for (int i = 0; i < sim->sliding.count && all; i++) {
        dt_slide *slide = &sim->sliding.of[i];
        if (slide->swings) {
            const double low = dt_sliding_rate_at(sim, i, 0), high = dt_sliding_rate_at(sim, i, 1);
            all = (low > 0 && high < 0) ||
                  (low == 0 && high == 0 && dt_sliding_sticks(sim, slide)); /* the search decides */
            slide->weight = 0.5;
        }
    }
    return all;
}

/* Joints that are alone in what swings rest exactly; friction opposes the motion that is left of the others. */
static void set_rest(dt_simulation *sim)
{
    const dt_sliding *sl = &sim->sliding;
    dt_system *s = &sim->system;
    for (int i = 0; i < sl->count; i++) {
        const dt_node *node = sl->of[i].swings ? only_joint(sim, &sl->of[i]) : NULL;
        if (node) {
            s->v[node->v] = 0;
        }
    }
    for (int k = 0; k < sim->ns; k++) {
        const double v = *dt_velocity_of(sim, k);
        if (s->direction[k] * v < 0) {
            dt_set_mode(s, k, DETENT_WAIT, v > 0 ? 1 : -1);
        }
    }
}

static double kinetic_energy(dt_system *s)
{
    double kinetic, potential;
    dt_system_set_state(s, s->time, s->q, s->v);
    dt_system_energy(s, &kinetic, &potential);
    return kinetic;
}

/* Those that end, from both sides of their borders; false where none does. */
static bool any_ends(dt_simulation *sim)
{
    dt_sliding *sl = &sim->sliding;
    for (int i = 0; i < sl->count; i++) {
        sl->of[i].weight = sl->of[i].swings ? 0.5 : sl->of[i].weight;
    }
    for (int i = sl->count - 1; i >= 0; i--) {
        if (sl->of[i].swings && !ends(sim, i)) {
            dt_sliding_remove(sim, i);
        }
    }
    return any_swings(sl);
}

/* Everything as it was: nobody is stopped. */
static void go_on(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    dt_trial_restore(sim, &sim->sliding.before);
    for (int i = sim->sliding.count - 1; i >= 0; i--) {
        if (sim->sliding.of[i].swings) {
            dt_sliding_remove(sim, i);
        }
    }
    dt_system_set_state(s, s->time, s->q, s->v);
    dt_system_set_acceleration(s, s->a, s->f);
    dt_system_forces(s);
}

void dt_sliding_stop_swings(dt_simulation *sim)
{
    dt_sliding *sl = &sim->sliding;
    dt_system *s = &sim->system;
    sl->stopped = false;
    if (!any_swings(sl)) {
        return;
    }
    dt_trial_keep(sim, &sl->before);
    dt_switches_note(sim);
    const double energy = kinetic_energy(s);
    sl->stopped = any_ends(sim) && take_speed(sim);
    if (sl->stopped) {
        set_rest(sim);
        sl->lost = energy - kinetic_energy(s);
        dt_sources_jump(sim);
        dt_system_set_state(s, s->time, s->q, s->v);
        sl->stopped = stays(sim);
    }
    if (!sl->stopped) {
        go_on(sim);
    }
}
