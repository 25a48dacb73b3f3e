#include "dynamics/law_size.h"
#include "dynamics/arm.h"

#include "dynamics/slope.h"
#include "model/multiplier.h"

bool dt_law_reads_wrenches(const dt_law *law)
{
    return dt_program_reads(law->program, DT_OF_WRENCH);
}

/* Of a norm that is zero, which has no slope: any direction. */
static double size_of_any(const dt_force_size *size, const dt_system *s, dt_variable variable)
{
    const int node = dt_system_place(s, variable.index);
    const double *w = size->wrench[node], force = w[3] + w[4] + w[5];
    double r[3];
    dt_arm(s, node, r);
    const double arm = fabs(r[0]) + fabs(r[1]) + fabs(r[2]);
    return dt_reading_reach(s, variable, force, w[0] + w[1] + w[2] + arm * force);
}

/*
 * Of what a coupling does: the sum of what else acts along its first joint, so of the size of what that transmits; of a slot's contact, whose
 * direction is its own, of the size of all forces there.
 */
static double size_of_coupling(const dt_force_size *size, const dt_system *s, dt_variable variable)
{
    const dt_multiplier of = dt_multiplier_of(s->mechanism, variable);
    const double *w = size->wrench[of.node], *S = s->motion[of.node].S[0];
    double sum = fabs(dt_system_variable(s, variable, -1));
    for (int c = 0; c < 6; c++) {
        sum += of.along ? fabs(S[c]) * w[c] : c < 3 ? 0 : w[c];
    }
    return sum;
}

/* The size of what is read of a joint, for a slope of one. */
static double size_of_reading(const dt_force_size *size, const dt_system *s, dt_variable variable)
{
    const int node = dt_system_place(s, variable.index);
    dt_slope slope = {.F = {0}};
    double sum = 0;
    dt_slope_add(s, variable, 1, &slope);
    for (int c = 0; c < 6; c++) {
        sum += fabs(slope.F[c]) * size->wrench[node][c];
    }
    return sum > 0 ? sum : size_of_any(size, s, variable);
}

double dt_law_size(const dt_force_size *size, dt_system *s, const dt_law *law, int direction,
                   double *gradient)
{
    if (!dt_program_reads(law->program, DT_OF_FORCES)) {
        return 0;
    }
    double sum = fabs(dt_law_gradient(s, law, direction, gradient)); /* its own value is rounded */
    for (int k = 0; k < law->program->variable_count; k++) {
        const dt_variable variable = law->program->variables[k];
        if (gradient[k] == 0 || !dt_variable_is(variable, DT_OF_FORCES)) {
            continue;
        }
        const double read = dt_variable_is(variable, DT_OF_WRENCH)
                                ? size_of_reading(size, s, variable)
                            : dt_variable_is(variable, DT_OF_COUPLINGS)
                                ? size_of_coupling(size, s, variable)
                                : fabs(dt_system_variable(s, variable, dt_law_stiction(s, law)));
        sum += fabs(gradient[k]) * read;
    }
    return sum;
}
