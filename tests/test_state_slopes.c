/*
 * Newton's step with states: the elimination along the tree is LAPACK's solution with the full Jacobian, whatever reads
 * whatever, and it does to the residuals what the step says, by differences that share nothing with either.
 */
#include "support_runs.h"

#include "dynamics/newton.h"
#include "model/mechanism.h"

static const char chain[] =
    "detent: 1\ngravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  a: {mass: 1, center_of_mass: [0.3, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"
    "  b: {mass: 2, center_of_mass: [0.2, 0.1, 0], inertia: [0.1, 0.2, 0.1]}\n"
    "  c: {mass: 1.5, center_of_mass: [0.2, 0, 0.1], inertia: [0.2, 0.1, 0.1]}\n"
    "  d: {mass: 1}\n"
    "joints:\n"
    "  one: {type: revolute, base: ground, follower: a, force: \"%s\"}\n"
    "  two: {type: revolute, base: a, follower: b, at: {base: [0.6, 0, 0]}, axis: [0, 0.6, 0.8]}\n"
    "  three: {type: prismatic, base: b, follower: c, at: {base: [0.5, 0, 0]}, axis: [1, 0, 0]}\n"
    "  four: {type: prismatic, base: ground, follower: d, axis: [1, 0, 0], force: \"%s\"}\n"
    "stiction: {two: {kinetic: \"%s\", static: 9}, three: {kinetic: 1, static: 2, external: "
    "\"%s\"}}\n"
    "loads: {push: {body: c, force: [\"%s\", 0, 0]}}\n"
    "signals:\n"
    "  q1: position(one)\n"
    "  v1: velocity(one)*1 [s]\n"
    "  q2: position(two)\n"
    "  v2: velocity(two)*1 [s]\n"
    "  q3: position(three)/1 [m]\n"
    "  v3: velocity(three)*1 [s/m]\n"
    "  q4: position(four)/1 [m]\n"
    "  v4: velocity(four)*1 [s/m]\n"
    "  a3: acceleration(three)*1 [s^2/m]\n"
    "  f2: force(two)/1 [N*m]\n"
    "  f3: friction(three)/1 [N]\n"
    "  n2: reaction_force(two)/1 [N]\n"
    "states:\n"
    "  u: {derivative: \"%s\", initial: 0.3}\n"
    "  w: {derivative: \"%s\", initial: -0.2}\n"
    "  yy: {derivative: \"%s\", initial: 0.7}\n"
    "  zz: {derivative: \"%s\", initial: 0.1}\n";

/* What acts along one and four, on two and three, on c; the derivatives of u, w, y, z. */
static const char *const laws[][9] = {
    {"u", "0", "1", "0", "0", "v1", "1", "0", "0"},
    {"-3*u", "w", "1", "yy", "0", "v1 - 5*u", "q4*2", "sin(yy) + w", "t*1 [1/s]"},
    {"u*w", "zz", "2 + abs(yy)", "-u", "zz^2", "w - u*q2", "u + v3", "v2 - yy", "v4*q1 - zz"},
    {"yy", "yy", "2 + 0.1*abs(zz)", "yy", "yy", "w", "yy", "zz", "u + q3 - v2"},
    {"w", "u", "3", "zz", "0", "f2*0.1 - u", "a3 - w", "n2*0.05 - yy", "0.2*f3 - zz"}};

typedef struct bench {
    detent_mechanism *mechanism;
    dt_arena arena;
    dt_system system;
    int length[5], count; /* of q, v, f, z */
} bench;

static uint64_t seed;

static double uniform(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / 4503599627370496.0 - 1;
}

static void begin(bench *b, size_t set)
{
    char text[4096];
    const char *const *l = laws[set];
    snprintf(text, sizeof text, chain, l[0], l[1], l[2], l[3], l[4], l[5], l[6], l[7], l[8]);
    b->mechanism = runs_parse(text, NULL);
    dt_arena_init(&b->arena, NULL);
    assert_int_equal(dt_system_create(&b->arena, b->mechanism, &b->system, NULL), DETENT_OK);
    b->length[0] = b->system.tree->nq;
    b->length[1] = b->system.tree->nv;
    b->length[2] = b->mechanism->stiction_count;
    b->length[3] = b->mechanism->state_count;
    b->count = b->length[0] + b->length[1] + b->length[2] + b->length[3];
}

static dt_unknowns unknowns(const bench *b, double *x)
{
    double *v = x + b->length[0], *f = v + b->length[1];
    return (dt_unknowns){.q = x, .v = v, .f = f, .z = f + b->length[2]};
}

/** The residuals at the unknowns x, whose rates are xp. */
static void residual(bench *b, double *x, double *xp, double *out)
{
    dt_system *s = &b->system;
    const dt_unknowns y = unknowns(b, x), yp = unknowns(b, xp), r = unknowns(b, out);
    memcpy(s->z, y.z, (size_t)b->length[3] * sizeof *s->z);
    dt_system_set_state(s, 0.4, y.q, y.v);
    dt_system_set_acceleration(s, yp.v, y.f);
    dt_system_forces(s);
    for (int i = 0; i < s->tree->node_count; i++) {
        const int k = b->mechanism->primitives[i].stiction;
        r.q[i] = yp.q[i] - s->v[i];
        r.v[i] = s->tau[i] - s->Q[i] - (k < 0 ? 0 : s->f[k]);
        if (k >= 0) {
            r.f[k] =
                s->mode[k] == DETENT_LOCKED ? s->a[i] : s->f[k] - dt_system_moving_friction(s, k);
        }
    }
    for (int k = 0; k < b->length[3]; k++) {
        r.z[k] = yp.z[k] - dt_law_value(s, dt_rate_law(s, k), 0);
    }
}

static double largest(const double *x, int count)
{
    double most = 0;
    for (int k = 0; k < count; k++) {
        most = fmax(most, fabs(x[k]));
    }
    return most;
}

/** F(x + h d, x' + h c d) changes by -h r at first. */
static void check_by_differences(bench *b, const double *x, const double *xp, const double *r,
                                 const double *d, double c)
{
    double side[2][40], moved[40], rate[40];
    const double h = 1e-6 / largest(d, b->count) / fmax(1, c);
    for (int k = 0; k < 2; k++) {
        for (int j = 0; j < b->count; j++) {
            moved[j] = x[j] + (k ? h : -h) * d[j];
            rate[j] = xp[j] + (k ? h : -h) * c * d[j];
        }
        residual(b, moved, rate, side[k]);
    }
    for (int j = 0; j < b->count; j++) {
        const double change = (side[1][j] - side[0][j]) / (2 * h);
        if (!(fabs(change + r[j]) <= 1e-5 * (1 + largest(d, b->count) * 10))) {
            fail_msg("row %d: %.12g instead of %.12g", j, change, -r[j]);
        }
    }
}

static void compare(size_t set, bool locked, double c)
{
    bench b;
    begin(&b, set);
    dt_system *s = &b.system;
    double x[40], xp[40], r[40], d[2][40], at[40];
    for (int j = 0; j < b.count; j++) {
        x[j] = uniform();
        xp[j] = uniform();
        r[j] = uniform();
    }
    s->mode[0] = s->mode[1] = DETENT_UNLOCKED;
    s->direction[0] = 1, s->direction[1] = -1;
    if (locked) {
        s->mode[1] = DETENT_LOCKED;
        s->direction[1] = 0;
        x[b.length[0] + 2] = 0;
        xp[b.length[0] + 2] = 0;
        xp[2] = 0;
    }
    dt_system_update_branches(s);
    residual(&b, x, xp, at);
    for (int which = 0; which < 2; which++) {
        dt_newton *newton = dt_newton_create(
            &b.arena, s, which ? DETENT_LINEAR_SOLVER_DENSE : DETENT_LINEAR_SOLVER_TREE);
        assert_non_null(newton);
        assert_int_equal(dt_newton_factor(newton, s, DT_NEWTON_STEP, c, NULL), DETENT_OK);
        const dt_unknowns right = unknowns(&b, r), left = unknowns(&b, d[which]);
        dt_newton_solve(newton, s, &right, &left);
    }
    for (int j = 0; j < b.count; j++) {
        if (!(fabs(d[0][j] - d[1][j]) <= 1e-9 * (1 + largest(d[1], b.count)))) {
            fail_msg("laws %zu, c %g, unknown %d: %.17g, dense %.17g", set, c, j, d[0][j], d[1][j]);
        }
    }
    check_by_differences(&b, x, xp, r, d[0], c);
    dt_arena_free(&b.arena);
    detent_mechanism_destroy(b.mechanism);
}

static void steps_with_states(void **state)
{
    UNUSED(state);
    static const double c[] = {5, 50, 2000};
    for (size_t set = 0; set < sizeof laws / sizeof *laws; set++) {
        seed = 77 + set;
        for (size_t k = 0; k < 60; k++) {
            compare(set, k % 2, c[k % 3]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_with_states)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
