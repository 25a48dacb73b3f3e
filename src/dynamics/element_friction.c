/*
 * Friction along primitives of one freedom: an unknown f of its own where the joint is locked, -s FK where it moves in
 * direction s. The limits of static friction, and what is compared with them, are laws of its own, too.
 */
#include "dynamics/element.h"

static const dt_law_role role[] = {[DT_STICTION_KINETIC] = DT_LAW_KINETIC,
                                   [DT_STICTION_MAGNITUDE] = DT_LAW_MAGNITUDE,
                                   [DT_STICTION_FORWARD] = DT_LAW_FORWARD,
                                   [DT_STICTION_REVERSE] = DT_LAW_REVERSE,
                                   [DT_STICTION_TEST] = DT_LAW_TEST};
enum { LAWS = sizeof role / sizeof *role };

_Static_assert(LAWS == DT_STICTION_TEST + 1, "they have names");

static const dt_program *program(const detent_mechanism *m, int k, int law)
{
    const dt_friction *of = m->stictions[k].friction;
    const dt_program *const programs[LAWS] = {[DT_STICTION_KINETIC] = of->kinetic,
                                              [DT_STICTION_MAGNITUDE] = of->magnitude,
                                              [DT_STICTION_FORWARD] = of->forward,
                                              [DT_STICTION_REVERSE] = of->reverse,
                                              [DT_STICTION_TEST] = of->test};
    return programs[law];
}

static int node(const detent_mechanism *m, int k)
{
    return m->stictions[k].primitive;
}

/* Whether stiction k is not locked, and its friction follows its law. */
static bool follows_law(dt_system *s, int k)
{
    return s->mode[k] != DETENT_LOCKED && !dt_system_is_given(s, k);
}

/* The slopes of s FK of joint k, K being those of FK. */
static void set_friction(dt_linear_laws *linear, int k, double direction, const dt_slope *K)
{
    linear->w[k] = linear->one_plus_Qf[k] / (1 + direction * K->f);
    if (linear->friction) {
        linear->friction[k] = (dt_friction_slope){.q = direction * K->q,
                                                  .v = direction * K->v,
                                                  .a = direction * K->a,
                                                  .f = direction * K->f};
    }
    for (int r = 0; r < 6 && linear->K_F; r++) {
        linear->K_F[k][r] = direction * K->F[r];
    }
}

static void add_row(const dt_linear_laws *linear, int k, int j)
{
    const double w = linear->w[k];
    dt_row *row = &linear->row[j];
    if (linear->K_F) {
        dt_axpy6(linear->sigma[j], w, linear->K_F[k]);
    }
    if (linear->friction) {
        const dt_friction_slope *friction = &linear->friction[k];
        row->q += w * friction->q, row->v += w * friction->v, row->a += w * friction->a;
    }
}

static void add_rows(dt_linear_laws *linear, dt_system *s)
{
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int i = s->mechanism->stictions[k].primitive;
        dt_slope K;
        if (s->mode[k] == DETENT_LOCKED) {
            continue;
        }
        if (dt_system_is_given(s, k)) {
            memset(&K, 0, sizeof K);
            set_friction(linear, k, 0, &K);
            continue;
        }
        int direction;
        double factor;
        const dt_law *law = dt_system_moving_law(s, k, &direction, &factor);
        dt_linear_laws_slope(linear, s, law, i, direction, &K);
        set_friction(linear, k, factor, &K);
        add_row(linear, k, s->tree->nodes[i].v);
    }
}

static void friction_rows(dt_tangent *t, dt_system *s, double *rows, double *friction)
{
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int i = s->mechanism->stictions[k].primitive, v = s->tree->nodes[i].v;
        if (dt_is_prescribed(s, i)) {
            continue;
        }
        rows[v] -= t->df[k];
        friction[k] = s->mode[k] == DETENT_LOCKED ? t->da[v] : t->df[k];
        if (follows_law(s, k)) {
            int direction;
            double factor;
            const dt_law *law = dt_system_moving_law(s, k, &direction, &factor);
            friction[k] += factor * dt_tangent_law(t, s, law, direction);
        }
    }
}

static bool prepare(dt_system *s, dt_remote *remote)
{
    const int k = (int)remote->law->owner;
    int direction;
    double factor;
    const dt_law *law = dt_system_moving_law(s, k, &direction, &factor);
    remote->factor = factor;
    return law == remote->law && follows_law(s, k);
}

static void inject(const dt_remote *remote, double u, const dt_law_changes *changes)
{
    changes->K[remote->law->owner] += u;
}

static void measure(const dt_law_sizes *sizes, dt_system *s, const dt_law *law)
{
    const int k = (int)law->owner;
    if (law->role == DT_LAW_KINETIC && s->mode[k] != DETENT_LOCKED) {
        sizes->friction[k] += dt_law_size(sizes->forces, s, law, s->direction[k], sizes->gradient);
    }
}

/* Whether the limits may change, or kinetic friction has a switch. */
static bool varies(const dt_system *s, int i)
{
    const int k = s->mechanism->primitives[i].stiction;
    if (k < 0) {
        return false;
    }
    const dt_program *kinetic = dt_stiction_law(s, k, DT_STICTION_KINETIC)->program;
    return dt_stiction_law(s, k, DT_STICTION_TEST)->program ||
           !dt_law_is_constant(dt_stiction_law(s, k, DT_STICTION_MAGNITUDE)) ||
           !dt_law_is_constant(dt_stiction_law(s, k, DT_STICTION_FORWARD)) ||
           !dt_law_is_constant(dt_stiction_law(s, k, DT_STICTION_REVERSE)) ||
           (kinetic && kinetic->switch_count > 0);
}

static void take_powers(dt_system *s, dt_joint_powers *joints)
{
    for (int i = joints->first; i < joints->end; i++) {
        const int k = s->mechanism->primitives[i].stiction;
        if (k >= 0 && !dt_is_prescribed(s, i)) {
            joints->power[DT_WORK_FRICTION] += s->f[k] * s->v[s->tree->nodes[i].v];
        }
    }
}

/* Kinetic friction at the start; where that is nothing, the limits. */
static double strength(dt_system *s, int k)
{
    double limits[2];
    const double kinetic = dt_known(dt_system_kinetic(s, k, 1));
    if (kinetic > 0) {
        return kinetic;
    }
    dt_system_limits(s, k, limits);
    return fmin(dt_known(limits[0]), dt_known(limits[1]));
}

static void add_strength(dt_system *s, const dt_scale *scale, int i, int j, dt_strength *sum)
{
    const int k = s->mechanism->primitives[i].stiction;
    (void)j;
    if (k >= 0) {
        sum->friction += strength(s, k);
        sum->damping += dt_law_damping(s, scale, dt_stiction_law(s, k, DT_STICTION_KINETIC), i, 1);
    }
}

const dt_element_kind dt_friction_element = {.items = DT_ITEMS_STICTIONS,
                                             .law_count = LAWS,
                                             .role = role,
                                             .program = program,
                                             .node = node,
                                             .add_friction_rows = add_rows,
                                             .friction_rows = friction_rows,
                                             .prepare = prepare,
                                             .inject = inject,
                                             .measure = measure,
                                             .take_powers = take_powers,
                                             .add_strength = add_strength,
                                             .varies = varies};
