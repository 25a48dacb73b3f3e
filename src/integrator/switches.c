/* What is known of the switches of laws, whoever asks: which are watched, how often they have fired, what they compare. */
#include "integrator/switches.h"

#include "integrator/core.h"

#include <math.h>

bool dt_switch_any_watched(const dt_law *law)
{
    bool any = false;
    for (int j = 0; j < law->program->switch_count && !any; j++) {
        any = !dt_instants_is_known(law, j);
    }
    return any;
}

int dt_switch_times_fired(const dt_simulation *sim, const dt_law *law)
{
    const dt_system *whole = &sim->system;
    int times = 0;
    for (int l = 0; l < whole->law_count && times == 0; l++) {
        times = whole->law[l]->branch == law->branch && whole->law[l]->program->switch_count > 0
                    ? sim->storm.times[DT_SOURCE_SWITCH][l]
                    : 0;
    }
    return times;
}

static double size_of(dt_simulation *sim, dt_system *s, const dt_law *law, int j, int traits)
{
    const dt_program *p = law->program;
    double *gradient = sim->roots.gradient, sum = 0;
    dt_law_switch_gradient(s, law, j, gradient);
    for (int k = 0; k < p->variable_count; k++) {
        const double size = dt_variable_is(p->variables[k], traits)
                                ? dt_scale_variable(&sim->scale, sim->mechanism, p->variables[k])
                                : 0;
        sum += gradient[k] != 0 ? fabs(gradient[k]) * size : 0;
    }
    return sum;
}

double dt_switch_size(dt_simulation *sim, dt_system *s, const dt_law *law, int j)
{
    return size_of(sim, s, law, j, DT_OF_FORCES);
}

double dt_switch_size_of_motion(dt_simulation *sim, dt_system *s, const dt_law *law, int j)
{
    return size_of(sim, s, law, j, DT_OF_FORCES) > 0
               ? 0
               : size_of(sim, s, law, j, DT_OF_POSITIONS | DT_OF_VELOCITIES);
}

/* What the force of a law ordinarily is, N or N m; INFINITY where nobody knows, or it is none. */
static double ordinary(const dt_simulation *sim, const dt_law *law)
{
    const dt_scale *scale = &sim->scale;
    const int node = dt_law_own_node(&sim->system, law);
    const bool is_load = dt_law_is(law, DT_LAW_IS_BODILY) && dt_law_is(law, DT_LAW_IS_ANSWER);
    const double force = node >= 0            ? scale->force[sim->mechanism->tree.nodes[node].v]
                         : !is_load           ? 0
                         : law->component < 3 ? scale->energy / scale->length
                                              : scale->energy;
    return force > 0 ? force : INFINITY;
}

/* The gradient of a law with a switch of it on one side. */
static void slopes_on(dt_system *s, const dt_law *law, int j, int side, double *gradient)
{
    dt_branch *branch = &dt_law_branches(s, law)[j];
    const dt_branch plain = *branch;
    const int stiction = dt_law_stiction(s, law);
    branch->side = side;
    dt_law_gradient(s, law, stiction < 0 ? 0 : s->direction[stiction], gradient);
    *branch = plain;
}

/* By how much a continuous law is wrong for every unit by which a switch of it is on the wrong side: the change of its slope there. */
static double effect_of(dt_simulation *sim, dt_system *s, const dt_law *law, int j)
{
    double *border = sim->roots.gradient, *below = sim->roots.sides[0],
           *above = sim->roots.sides[1], most = 0;
    dt_law_switch_gradient(s, law, j, border);
    slopes_on(s, law, j, -1, below);
    slopes_on(s, law, j, 1, above);
    for (int k = 0; k < law->program->variable_count; k++) {
        most = border[k] != 0 ? fmax(most, fabs((above[k] - below[k]) / border[k])) : most;
    }
    return most;
}

double dt_switch_tolerance(dt_simulation *sim, dt_system *s, const dt_law *law, int j,
                           double tolerance)
{
    const int side = dt_law_branches(s, law)[j].side;
    const bool bends = (side == 1 || side == -1) && !dt_program_jumps(law->program, j) &&
                       !dt_program_is_integer(law->program, j);
    const double size = dt_switch_size(sim, s, law, j),
                 effect = bends && size > 0 ? effect_of(sim, s, law, j) : 0;
    return tolerance * (effect > 0 ? fmin(size, ordinary(sim, law) / effect) : size);
}

bool dt_switch_follows_velocities(const dt_law *law)
{
    return law->program->switch_count > 0 && dt_program_reads(law->program, DT_OF_VELOCITIES);
}

void dt_switches_note(dt_simulation *sim)
{
    for (int l = 0; l < sim->system.law_count; l++) {
        const dt_law *law = sim->system.law[l];
        if (dt_switch_follows_velocities(law)) {
            dt_law_roots(&sim->system, law, &sim->branches.before[law->branch][0]);
        }
    }
}
