/*
 * What copies of bodies lend each other (model/lend.c) on random graphs of bodies in a plane and in space, many of which are
 * point masses, thin, or without mass: the inertia of the tree is positive in every pose; half as much does as well, and
 * changes no acceleration; units of mass and length scale it exactly.
 */
#include "api/handle.h"
#include "dynamics/crba.h"
#include "model/mechanism.h"
#include "support_runs.h"
#include "support_trees.h"

enum { GRAPHS = 3000, MOST = 128 };

typedef struct writer {
    runs_text page;
    support_random random;
    bool planar;
    int bodies, joints;
    double kilogram, metre;
} writer;

static void say_body(writer *w)
{
    const int kind = support_below(&w->random, 4); /* no mass, a point, thin, thick */
    const double m = support_spread(&w->random, 0.1, 10) * w->kilogram;
    const double l = support_spread(&w->random, 0.1, 1) * w->metre;
    double c[3];
    for (int k = 0; k < 3; k++) {
        c[k] = support_uniform(&w->random, -1, 1) * w->metre;
    }
    c[2] = w->planar ? 0 : c[2];
    runs_say(&w->page, "  b%d: {mass: %.17g", w->bodies, kind == 0 ? 0 : m);
    if (kind > 0) {
        runs_say(&w->page, ", center_of_mass: [%.17g, %.17g, %.17g]", c[0], c[1], c[2]);
    }
    if (kind > 1) {
        runs_say(&w->page, ", inertia: [%.17g, %.17g, %.17g]", kind == 2 ? 0 : m * l * l, m * l * l,
                 m * l * l);
    }
    runs_say(&w->page, "}\n");
    w->bodies++;
}

/* All bodies stand as the ground does: there every loop is closed. */
static void say_joint(writer *w, int base, int follower, bool cut)
{
    static const char *const types[] = {"revolute",  "prismatic", "revolute",   "universal",
                                        "spherical", "planar",    "cylindrical"};
    const char *type = types[support_below(&w->random, w->planar ? 3 : 7)];
    double p[3], axis[3];
    for (int k = 0; k < 3; k++) {
        p[k] = support_uniform(&w->random, -1, 1) * w->metre;
        axis[k] = support_uniform(&w->random, -1, 1);
    }
    if (w->planar) {
        p[2] = 0;
        axis[2] = type == types[1] ? 0 : 1;
        axis[0] *= type == types[1];
        axis[1] *= type == types[1];
    }
    runs_say(&w->page, "  j%d: {%stype: %s, base: ", w->joints++, cut ? "closes: true, " : "",
             type);
    if (base < 0) {
        runs_say(&w->page, "ground");
    } else {
        runs_say(&w->page, "b%d", base);
    }
    runs_say(&w->page,
             ", follower: b%d, at: {base: [%.17g, %.17g, %.17g], follower: [%.17g, %.17g, %.17g]}",
             follower, p[0], p[1], p[2], p[0], p[1], p[2]);
    if (strcmp(type, "revolute") == 0 || strcmp(type, "prismatic") == 0 ||
        strcmp(type, "cylindrical") == 0) {
        runs_say(&w->page, ", axis: [%.17g, %.17g, %.17g]", axis[0], axis[1], axis[2]);
    }
    if ((type == types[0] || type == types[1]) && support_chance(&w->random, 0.1) && !cut) {
        runs_say(&w->page, ", motion: \"0.1*t\"");
    } else if (type == types[0]) {
        runs_say(&w->page, ", initial: {velocity: %.17g}", support_uniform(&w->random, -1, 1));
    }
    runs_say(&w->page, "}\n");
}

/** To be freed. */
static char *write_graph(int seed, double kilogram, double metre)
{
    writer w = {
        .random = {(uint64_t)seed}, .planar = seed % 2, .kilogram = kilogram, .metre = metre};
    const int count = 2 + support_below(&w.random, 5), cuts = 1 + support_below(&w.random, 2);
    runs_say(&w.page, "detent: 1\ngravity: [0, %.17g, 0]\nbodies:\n", -9.81 * metre);
    for (int k = 0; k < count; k++) {
        say_body(&w);
    }
    runs_say(&w.page, "joints:\n");
    for (int k = 0; k < count; k++) {
        const int base = support_below(&w.random, 3) ? k - 1 : support_below(&w.random, k + 1) - 1;
        say_joint(&w, base, k, false);
    }
    for (int k = 0; k < cuts; k++) {
        const int follower = support_below(&w.random, count);
        const int base = support_below(&w.random, follower + 1) - 1;
        say_joint(&w, base, follower, true);
    }
    runs_say(&w.page, "simulation: {end: 1}\n");
    return w.page.text;
}

/** NULL where it is refused. */
static detent_mechanism *read_graph(int seed, double kilogram, double metre)
{
    char *text = write_graph(seed, kilogram, metre);
    detent_mechanism *m = NULL;
    detent_mechanism_parse(text, strlen(text), "inline.yaml", NULL, &m, NULL);
    free(text);
    return m;
}

/**
 * Whether M is positive but for rounding; prescribed freedoms are left out. Trees that have no inertia in any pose, by rounding
 * alone, may pass for others.
 */
static bool is_positive(const detent_mechanism *m, double *M)
{
    const int n = m->tree.nv;
    for (int k = 0; k < m->tree.node_count; k++) {
        for (int v = m->tree.nodes[k].v; m->primitives[k].motion && v == m->tree.nodes[k].v; v++) {
            for (int c = 0; c < n; c++) {
                M[v * n + c] = M[c * n + v] = v == c;
            }
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        M[k * n + k] *= 1 + 1e-10;
        for (int j = n - 1; j > k; j--) {
            double sum = M[k * n + j];
            for (int i = j + 1; i < n; i++) {
                sum -= M[k * n + i] * M[j * n + i];
            }
            M[k * n + j] = sum / M[j * n + j];
            M[k * n + k] -= M[k * n + j] * M[k * n + j];
        }
        if (!(M[k * n + k] > 0)) {
            return false;
        }
        M[k * n + k] = sqrt(M[k * n + k]);
    }
    return true;
}

/** Open poses, anywhere. */
static void check_positive(const detent_mechanism *m, int seed)
{
    support_random random = {(uint64_t)seed + 77};
    dt_arena arena;
    dt_arena_init(&arena, NULL);
    dt_motion *motion = dt_motion_create(&arena, &m->tree);
    dt_reference *part = dt_arena_alloc(&arena, (size_t)m->tree.part_count, sizeof *part);
    dt_inertia *composite = dt_arena_alloc(&arena, (size_t)m->tree.node_count, sizeof *composite);
    double q[4 * MOST], *M = dt_arena_alloc(&arena, MOST * MOST, sizeof *M);
    assert_true(m->tree.nq <= 4 * MOST && m->tree.nv <= MOST);
    for (int pose = 0; pose < 40; pose++) {
        support_random_pose(&m->tree, &random, q);
        dt_motion_pose(&m->tree, q, motion, part);
        dt_crba(&m->tree, motion, composite, M);
        if (!is_positive(m, M)) {
            fail_msg("graph %d has no positive inertia in pose %d", seed, pose);
        }
    }
    dt_arena_free(&arena);
}

static void positive_in_every_pose(void **state)
{
    int lent = 0, refused = 0;
    (void)state;
    for (int seed = 0; seed < GRAPHS; seed++) {
        detent_mechanism *m = read_graph(seed, 1, 1);
        refused += !m;
        if (m && m->tree.lent) {
            lent++;
            check_positive(m, seed);
        }
        detent_mechanism_destroy(m);
    }
    print_message("%d graphs: %d lend, %d are refused\n", GRAPHS, lent, refused);
    assert_true(lent > GRAPHS / 20);
}

/** Whether ghosts and originals move as one: not where prescribed motions contradict a loop. */
static bool is_closed(detent_simulation *sim)
{
    dt_system *s;
    detent_error error;
    runs_must(dt_handle_system(sim, false, DT_LEVEL_FORCES, &s, &error), &error);
    double worst = 0;
    for (int l = 0; l < s->mechanism->loop_count; l++) {
        const int *node = s->mechanism->loops[l].node;
        for (int k = 0; k < 6; k++) {
            worst = fmax(worst, fabs(s->motion[node[0]].V[k] - s->motion[node[1]].V[k]));
            worst = fmax(worst, fabs(s->A[node[0]][k] - s->A[node[1]][k]));
        }
    }
    return worst < 1e-7;
}

/** False where it has none: loops that cannot move as prescribed. */
static bool read_accelerations(const detent_mechanism *m, detent_linear_solver solver, double *a)
{
    detent_error error;
    detent_simulation *sim = NULL;
    detent_settings settings = runs_settings(m, 0, 0);
    settings.linear_solver = solver;
    const detent_simulation_options options = {.size = sizeof options, .settings = &settings};
    if (detent_simulation_create(m, &options, &sim, &error) != DETENT_OK) {
        return false;
    }
    runs_must(detent_read(sim, DETENT_ACCELERATIONS, a, (size_t)m->tree.nv, &error), &error);
    const bool closed = is_closed(sim);
    detent_simulation_destroy(sim);
    return closed;
}

/** The loan is nobody's inertia: with half of it, which is enough as well, and by the other solver, all moves as before. */
static void size_of_loans_does_not_matter(void **state)
{
    int compared = 0;
    (void)state;
    for (int seed = 0; seed < GRAPHS; seed++) {
        const detent_error none = {.message = "no accelerations with half of the loans"};
        double a[MOST], b[MOST], size = 1;
        detent_mechanism *m = read_graph(seed, 1, 1);
        if (m && m->tree.lent && read_accelerations(m, DETENT_LINEAR_SOLVER_TREE, a)) {
            dt_inertia *half = dt_arena_alloc(&m->arena, (size_t)m->tree.node_count, sizeof *half);
            for (int i = 0; i < m->tree.node_count; i++) {
                double *to = &half[i].m;
                const double *from = &m->tree.lent[i].m;
                for (size_t k = 0; k < sizeof *half / sizeof *to; k++) {
                    to[k] = 0.5 * from[k];
                }
            }
            m->tree.lent = half;
            runs_must(read_accelerations(m, DETENT_LINEAR_SOLVER_DENSE, b) ? DETENT_OK
                                                                           : DETENT_ERROR_SOLVER,
                      &none);
            for (int k = 0; k < m->tree.nv; k++) {
                size = fmax(size, fabs(a[k]));
            }
            for (int k = 0; k < m->tree.nv; k++) {
                if (!(fabs(a[k] - b[k]) <= 1e-6 * size)) {
                    fail_msg("graph %d: %.17g, with half of the loans %.17g", seed, a[k], b[k]);
                }
            }
            compared++;
        }
        detent_mechanism_destroy(m);
    }
    print_message("%d compared\n", compared);
    assert_true(compared > GRAPHS / 40);
}

static void units_scale_it_exactly(void **state)
{
    int compared = 0;
    (void)state;
    for (int seed = 0; seed < GRAPHS; seed++) {
        detent_mechanism *one = read_graph(seed, 1, 1), *other = read_graph(seed, 8, 4);
        assert_int_equal(!one, !other);
        for (int i = 0; one && one->tree.lent && i < one->tree.node_count; i++) {
            const dt_inertia *I = &one->tree.lent[i], *J = &other->tree.lent[i];
            assert_true(J->m == 8 * I->m);
            for (int k = 0; k < 3; k++) {
                assert_true(J->h[k] == 32 * I->h[k]);
            }
            for (int k = 0; k < 6; k++) {
                assert_true(J->J[k] == 128 * I->J[k]);
            }
            compared++;
        }
        detent_mechanism_destroy(one);
        detent_mechanism_destroy(other);
    }
    assert_true(compared > GRAPHS / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positive_in_every_pose),
        cmocka_unit_test(size_of_loans_does_not_matter),
        cmocka_unit_test(units_scale_it_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
