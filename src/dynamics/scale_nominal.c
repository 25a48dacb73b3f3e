/* What is ordinarily read, by the scales of a mechanism: scale.h. */
#include "dynamics/scale.h"

#include "model/multiplier.h"

double dt_scale_position(const dt_scale *scale, const detent_mechanism *m, int node)
{
    const double given = dt_nominal_position(m, node);
    return given > 0 ? given : m->tree.nodes[node].type->rotational ? 1 : scale->length;
}

double dt_scale_velocity(const dt_scale *scale, const detent_mechanism *m, int node)
{
    const double given = dt_nominal_velocity(m, node);
    return given > 0 ? given : dt_scale_position(scale, m, node) / scale->time;
}

/* What a variable of a family is, by its index and its part. */
typedef double (*nominal_of)(const dt_scale *, const detent_mechanism *, int i, int part);

static double nominal_time(const dt_scale *scale, const detent_mechanism *m, int i, int part)
{
    (void)m, (void)i, (void)part;
    return scale->time;
}

static double nominal_position(const dt_scale *scale, const detent_mechanism *m, int i, int part)
{
    (void)part;
    return dt_scale_position(scale, m, i);
}

static double nominal_velocity(const dt_scale *scale, const detent_mechanism *m, int i, int part)
{
    (void)part;
    return dt_scale_velocity(scale, m, i);
}

static double nominal_acceleration(const dt_scale *scale, const detent_mechanism *m, int i,
                                   int part)
{
    (void)part;
    return dt_scale_velocity(scale, m, i) / scale->time;
}

static double nominal_state(const dt_scale *scale, const detent_mechanism *m, int i, int part)
{
    (void)m, (void)part;
    return scale->state[i];
}

static double nominal_contact(const dt_scale *scale, const detent_mechanism *m, int i, int part)
{
    (void)m, (void)i, (void)part;
    return scale->energy / scale->length;
}

/* Along a primitive: a force or a torque. */
static double nominal_force(const dt_scale *scale, const detent_mechanism *m, int i, int part)
{
    return m->tree.nodes[i].type->rotational ? scale->energy : nominal_contact(scale, m, i, part);
}

/* What a condition does along the primitive that it is told for, or between bodies. */
static double nominal_multiplier(const dt_scale *scale, const detent_mechanism *m, int i, int part)
{
    const dt_multiplier of = dt_multiplier_of(m, (dt_variable){.index = i});
    return of.along ? nominal_force(scale, m, of.node, part) : nominal_contact(scale, m, i, part);
}

/* Parts 0 and 1: a force and a torque. */
static double nominal_reaction_norm(const dt_scale *scale, const detent_mechanism *m, int i,
                                    int part)
{
    return part == 0 ? nominal_contact(scale, m, i, 0) : scale->energy;
}

static double nominal_reaction_part(const dt_scale *scale, const detent_mechanism *m, int i,
                                    int part)
{
    return part < 3 ? nominal_contact(scale, m, i, 0) : scale->energy;
}

#define nominal_friction     nominal_force
#define nominal_normal_force nominal_contact
#define nominal_bearing      nominal_contact
#define nominal_tension      nominal_contact

/* what no law reads, or nobody has told */
#define nominal_input          NULL
#define nominal_direction      NULL
#define nominal_mode           NULL
#define nominal_delayed        NULL
#define nominal_rest_time      NULL
#define nominal_point          NULL
#define nominal_rotation       NULL
#define nominal_rpy            NULL
#define nominal_quaternion     NULL
#define nominal_kinetic        NULL
#define nominal_potential      NULL
#define nominal_body_kinetic   NULL
#define nominal_body_potential NULL
#define nominal_account        NULL
#define nominal_open           NULL
#define nominal_tie_open       NULL
#define nominal_item           NULL

static const struct {
    nominal_of nominal;
    int part;
} nominals[DT_VARIABLE_KINDS] = {
#define NOMINAL(kind, function, component, measure, subject, traits, family, part) \
    [DT_VARIABLE_##kind] = {nominal_##family, part},
    DT_VARIABLE_TABLE(NOMINAL)
#undef NOMINAL
};

double dt_scale_variable(const dt_scale *scale, const detent_mechanism *m, dt_variable variable)
{
    const nominal_of nominal = nominals[variable.kind].nominal;
    return nominal ? nominal(scale, m, variable.index, nominals[variable.kind].part) : 0;
}
