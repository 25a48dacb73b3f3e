/*
 * Actuation: a law's force along a primitive of one freedom. It may read anything.
 */
#include "dynamics/element.h"

static const dt_law_role role[] = {DT_LAW_FORCE};

static const dt_program *program(const detent_mechanism *m, int i, int law)
{
    (void)law;
    return m->primitives[i].force;
}

static int node(const detent_mechanism *m, int i)
{
    (void)m;
    return i;
}

/** The direction of the friction of primitive i, which the law may read. */
static int direction(const dt_system *s, int i)
{
    const int k = s->mechanism->primitives[i].stiction;
    return k < 0 ? 0 : s->direction[k];
}

static void add_forces(dt_system *s)
{
    for (int i = 0; i < s->mechanism->primitive_count; i++) {
        if (dt_force_law(s, i)->program) {
            s->Q[s->tree->nodes[i].v] += dt_law_value(s, dt_force_law(s, i), direction(s, i));
        }
    }
}

static void add_rows(dt_linear_laws *linear, dt_system *s)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        if (!dt_force_law(s, i)->program) {
            continue;
        }
        const int k = s->mechanism->primitives[i].stiction;
        dt_row *row = &linear->row[s->tree->nodes[i].v];
        dt_slope Q;
        dt_linear_laws_slope(linear, s, dt_force_law(s, i), i, direction(s, i), &Q);
        dt_axpy6(row->sigma, -1, Q.F);
        row->q -= Q.q, row->v -= Q.v, row->a -= Q.a;
        if (k >= 0) {
            linear->friction[k].one_plus_Qf = 1 + Q.f;
        }
    }
}

static void add_changes(dt_tangent *t, dt_system *s, double *rows)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        if (dt_force_law(s, i)->program) {
            rows[s->tree->nodes[i].v] -= dt_tangent_law(t, s, dt_force_law(s, i), direction(s, i));
        }
    }
}

static bool prepare(dt_system *s, dt_remote *remote)
{
    (void)s;
    remote->factor = 1;
    return true;
}

static void inject(const dt_remote *remote, double u, const dt_law_changes *changes)
{
    changes->Q[remote->node] += u;
}

static void measure(const dt_law_sizes *sizes, dt_system *s, const dt_law *law)
{
    const int i = (int)law->owner;
    sizes->rows[s->tree->nodes[i].v] +=
        dt_law_size(sizes->forces, s, law, direction(s, i), sizes->gradient);
}

static double held(const dt_system *s, int i)
{
    const dt_program *law = dt_force_law(s, i)->program;
    return law ? law->constant : 0;
}

static bool varies(const dt_system *s, int i)
{
    return !dt_law_is_constant(dt_force_law(s, i));
}

/** |dF/dq|, of positions in the same unit. */
static double stiffness(dt_system *s, int i, double *gradient)
{
    const dt_law *law = dt_force_law(s, i);
    double sum = 0;
    if (dt_law_is_constant(law)) {
        return 0;
    }
    dt_law_gradient(s, law, 0, gradient);
    for (int k = 0; k < law->program->variable_count; k++) {
        const dt_variable read = law->program->variables[k];
        if (read.kind == DT_VARIABLE_POSITION &&
            s->tree->nodes[read.index].type->rotational == s->tree->nodes[i].type->rotational) {
            sum += dt_known(gradient[k]);
        }
    }
    return sum;
}

static void add_strength(dt_system *s, const dt_scale *scale, int i, int j, dt_strength *sum)
{
    const dt_law *law = dt_force_law(s, i);
    (void)j;
    if (law->program) {
        sum->force += dt_known(dt_law_value(s, law, 0));
        sum->stiffness += stiffness(s, i, scale->gradient);
        sum->rate += dt_law_time_slope(s, law, 0, scale->gradient);
    }
}

const dt_element_kind dt_actuation_element = {.items = DT_ITEMS_PRIMITIVES,
                                              .law_count = 1,
                                              .role = role,
                                              .may_lack = true,
                                              .program = program,
                                              .node = node,
                                              .add_forces = add_forces,
                                              .add_rows = add_rows,
                                              .add_changes = add_changes,
                                              .apart = true,
                                              .prepare = prepare,
                                              .inject = inject,
                                              .measure = measure,
                                              .held = held,
                                              .varies = varies,
                                              .add_strength = add_strength};
