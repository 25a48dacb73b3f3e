#include "dynamics/course.h"
#include "dynamics/history.h"

typedef double (*rate_of)(dt_system *, int i, const double *a, const double *z);

static double rate_time(dt_system *s, int i, const double *a, const double *z)
{
    (void)s, (void)i, (void)a, (void)z;
    return 1;
}

static double rate_position(dt_system *s, int i, const double *a, const double *z)
{
    (void)a, (void)z;
    return s->v[s->tree->nodes[dt_system_place(s, i)].v];
}

static double rate_velocity(dt_system *s, int i, const double *a, const double *z)
{
    (void)z;
    return a[s->tree->nodes[dt_system_place(s, i)].v];
}

static double rate_state(dt_system *s, int i, const double *a, const double *z)
{
    (void)a;
    return z ? z[i] : dt_law_value(s, dt_rate_law(s, i), 0);
}

static double rate_delayed(dt_system *s, int i, const double *a, const double *z)
{
    (void)a, (void)z;
    return s->history ? dt_history_rate(s->history, i, s->time) : 0;
}

/* what changes at events alone, what follows forces, and what no law reads */
#define rate_input          NULL
#define rate_direction      NULL
#define rate_mode           NULL
#define rate_rest_time      NULL
#define rate_acceleration   NULL
#define rate_friction       NULL
#define rate_force          NULL
#define rate_reaction_norm  NULL
#define rate_reaction_part  NULL
#define rate_normal_force   NULL
#define rate_bearing        NULL
#define rate_tension        NULL
#define rate_multiplier     NULL
#define rate_point          NULL
#define rate_rotation       NULL
#define rate_rpy            NULL
#define rate_quaternion     NULL
#define rate_kinetic        NULL
#define rate_potential      NULL
#define rate_body_kinetic   NULL
#define rate_body_potential NULL
#define rate_account        NULL
#define rate_open           NULL
#define rate_tie_open       NULL
#define rate_item           NULL

static const rate_of rates[DT_VARIABLE_KINDS] = {
#define RATE(kind, function, component, measure, subject, traits, family, part) \
    [DT_VARIABLE_##kind] = rate_##family,
    DT_VARIABLE_TABLE(RATE)
#undef RATE
};

bool dt_course_is_known(dt_variable variable)
{
    return rates[variable.kind] != NULL;
}

double dt_course_rate(dt_system *s, dt_variable variable, const double *a, const double *z)
{
    const rate_of rate = rates[variable.kind];
    return rate ? rate(s, variable.index, a, z) : 0;
}
