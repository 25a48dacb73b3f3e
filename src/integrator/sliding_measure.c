/* Where a switch that slides, or may, is and where it goes: its distance d from the border, the derivatives of d, what can be told of it. */
#include "integrator/sliding.h"

#include "dynamics/closure_still.h"
#include "dynamics/course.h"
#include "integrator/core.h"
#include "integrator/switches.h"
#include "integrator/weights.h"

#include <float.h>
#include <math.h>

static const double least_width = 1e4; /* in roundings of d */

bool dt_sliding_may(const dt_law *law, int j)
{
    return dt_program_jumps(law->program, j) && !dt_program_is_timed(law->program, j);
}

void dt_sliding_put_back(const dt_simulation *sim, const dt_slide *slide)
{
    dt_law_branches(sim->sliding.system, slide->law)[slide->index] = slide->plain;
}

/* Whether a joint without a stiction is held by others to which it is tied; or may be, as long as modes are sought. */
static bool is_held_by_others(const dt_simulation *sim, int node)
{
    const dt_system *s = sim->sliding.system;
    const dt_still *still = s->closure ? s->closure->still : NULL;
    bool any = false;
    if (!still || still->cluster[node] < 0 || s->v[s->tree->nodes[node].v] != 0) {
        return false;
    }
    for (int k = 0; k < s->mechanism->stiction_count && !any; k++) {
        const int other = s->mechanism->stictions[k].primitive;
        any = still->cluster[other] == still->cluster[node] && s->v[s->tree->nodes[other].v] == 0;
    }
    return any && (sim->sliding.way == DT_SLIDING_RULE || dt_still_holds(still, node));
}

/* Whether the joint of a velocity rests, or moves as prescribed: no weight changes that as long as it stays locked. */
static bool is_at_rest(const dt_simulation *sim, int node)
{
    const dt_system *s = sim->sliding.system;
    const int stiction = s->mechanism->primitives[node].stiction;
    if (dt_is_prescribed(s, node)) {
        return true;
    }
    if (stiction < 0) {
        return is_held_by_others(sim, node);
    }
    return sim->sliding.way == DT_SLIDING_RULE ? s->v[s->tree->nodes[node].v] == 0
                                               : s->mode[stiction] == DETENT_LOCKED;
}

/* Adds what a variable has to do with d; false where it is none that d may follow from. */
static bool add_variable(const dt_simulation *sim, dt_variable variable, double gradient,
                         dt_slide *slide)
{
    dt_system *s = sim->sliding.system;
    if (gradient == 0) {
        return true;
    }
    if (!dt_course_is_known(variable)) {
        return dt_variable_is(variable, DT_OF_INPUTS | DT_OF_EVENTS); /* as it is between events */
    }
    slide->speed += gradient * dt_course_rate(s, variable, s->a, NULL);
    if (dt_variable_is(variable, DT_OF_TIME)) {
        return true;
    }
    const double value = dt_system_variable(s, variable, -1);
    slide->terms += fabs(gradient * value);
    slide->tolerance += fabs(gradient) * dt_tolerance(sim, variable, value);
    if (dt_variable_is(variable, DT_OF_POSITIONS)) {
        slide->told += fabs(gradient) * dt_position_told(sim, variable.index);
        return true;
    }
    slide->order = 1;
    slide->rests = slide->rests && dt_variable_is(variable, DT_OF_VELOCITIES) &&
                   is_at_rest(sim, dt_system_place(s, variable.index));
    return true;
}

/* A variable along the motion, with two derivatives. */
static void fill_slot(const dt_simulation *sim, const dt_slide *slide, dt_variable variable,
                      dt_series *slot)
{
    dt_system *s = sim->sliding.system;
    dt_series_constant(dt_system_variable(s, variable, dt_law_stiction(s, slide->law)), 2, slot);
    if (dt_variable_is(variable, DT_OF_TIME | DT_OF_POSITIONS)) {
        slot->c[1] = dt_interval_point(dt_course_rate(s, variable, s->a, NULL));
    }
    if (dt_variable_is(variable, DT_OF_POSITIONS)) {
        const double a = s->a[s->tree->nodes[dt_system_place(s, variable.index)].v];
        slot->c[2] = dt_interval_point(0.5 * a);
    }
}

/* d'' of a switch that reads positions, t and inputs: its Taylor series (series.h), of the order 2. */
static double second_rate(dt_simulation *sim, const dt_slide *slide)
{
    const dt_sliding *sl = &sim->sliding;
    const dt_program *p = slide->law->program;
    const int upper = dt_program_is_integer(p, slide->index) ? slide->border : 1;
    dt_series roots[2];
    for (int k = 0; k < p->variable_count; k++) {
        fill_slot(sim, slide, p->variables[k], &sl->slots[k]);
    }
    dt_program_enclose(p, sl->slots, dt_law_branches(sl->system, slide->law), 2, false,
                       sl->registers);
    dt_program_enclose_roots(p, slide->index, upper, 2, sl->registers, roots);
    return roots[0].c[2].lo + roots[0].c[2].hi; /* 2 c2 in the middle */
}

/* The part of d' that positions make, and the part of d that velocities make, m or whatever d is. */
static double speed_of_positions(const dt_simulation *sim, const dt_slide *slide,
                                 double *by_velocities)
{
    const dt_program *p = slide->law->program;
    dt_system *s = sim->sliding.system;
    const double *gradient = sim->sliding.gradient;
    double speed = 0;
    *by_velocities = 0;
    for (int k = 0; k < p->variable_count; k++) {
        const dt_variable of = p->variables[k];
        if (gradient[k] == 0) {
            continue;
        }
        if (dt_variable_is(of, DT_OF_POSITIONS)) {
            speed += gradient[k] * dt_course_rate(s, of, s->a, NULL);
        } else if (dt_variable_is(of, DT_OF_VELOCITIES)) {
            *by_velocities += fabs(gradient[k] * dt_system_variable(s, of, -1));
        } else if (dt_variable_is(of, DT_OF_TIME | DT_OF_STATES | DT_OF_PAST)) {
            *by_velocities = INFINITY;
        }
    }
    return speed;
}

/*
 * d = x + v |v| / (2 a), the switching curve of a time-optimal relay: near its end velocities have no more part in d than
 * can be told, and no force decides d'. What is left is a swing about a border of positions, of the order 2, if it is small.
 */
static void forget_velocities(dt_simulation *sim, dt_slide *slide)
{
    double by_velocities;
    const double speed = speed_of_positions(sim, slide, &by_velocities),
                 rate = second_rate(sim, slide);
    const double most = 2 * fabs(rate) * slide->told;
    slide->ends = slide->told > 0 && by_velocities <= slide->told && speed * speed <= most &&
                  slide->speed * slide->speed <= most;
    if (slide->ends) {
        slide->order = 2;
        slide->speed = speed;
    }
}

/* d, its derivatives and its tolerance at the system's state and accelerations. */
bool dt_sliding_measure(dt_simulation *sim, dt_slide *slide)
{
    const dt_program *p = slide->law->program;
    double *gradient = sim->sliding.gradient;
    bool known = true;
    slide->distance =
        dt_law_switch_gradient(sim->sliding.system, slide->law, slide->index, gradient) -
        slide->border;
    slide->speed = slide->told = slide->terms = 0;
    slide->order = 2;
    slide->rests = true;
    slide->tolerance = least_width * DBL_EPSILON * fabs(slide->distance + slide->border);
    for (int k = 0; k < p->variable_count && known; k++) {
        known = add_variable(sim, p->variables[k], gradient[k], slide);
    }
    if (known && slide->order == 1 && slide->told > 0) {
        forget_velocities(sim, slide);
    }
    slide->rests = slide->rests && slide->order == 1;
    slide->rate =
        slide->order == 1 || slide->returns || !known ? slide->speed : second_rate(sim, slide);
    return known && isfinite(slide->rate);
}

void dt_sliding_measure_all(dt_simulation *sim)
{
    for (int i = 0; i < sim->sliding.count; i++) {
        dt_sliding_measure(sim, &sim->sliding.of[i]);
    }
}

/*
 * Where a border is itself a solution of one branch, as the switching curve of a time-optimal relay is, d' is nothing but
 * the error of the integrator there, and the switch comes back over and over: each time a bit later, up to the tolerance.
 */
double dt_sliding_slack(const dt_simulation *sim, const dt_slide *slide)
{
    static const int often = 10;
    const int more = dt_switch_times_fired(sim, slide->law) - often;
    return fmax(0, -slide->side * slide->distance) +
           fmin(ldexp(1e-3 * slide->tolerance, more > 0 ? more : 0), slide->tolerance);
}
