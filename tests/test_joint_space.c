/* The equation of motion by its parts, against each other, differences and runs. */
#include "test_api_fixture.h"

#include "detent/analysis.h"
#include "support_trees.h"

enum { MOST = 40 };

static const char *const tree_text =
    "detent: 1\n"
    "gravity: [1, -9.81, 2]\n"
    "bodies:\n"
    "  base: {mass: 3, center_of_mass: [0.1, 0.2, 0.3], inertia: [0.3, 0.4, 0.5]}\n"
    "  arm: {mass: 2, center_of_mass: [0.3, 0, 0.1], inertia: [0.1, 0.2, 0.25]}\n"
    "  hand: {mass: 1, center_of_mass: [0.1, 0.1, 0], inertia: [0.02, 0.03, 0.04]}\n"
    "  ball: {mass: 0.7, center_of_mass: [0, 0.2, 0], inertia: [0.01, 0.01, 0.01]}\n"
    "  cart: {mass: 5}\n"
    "joints:\n"
    "  free: {type: free, base: ground, follower: base}\n"
    "  elbow: {type: revolute, base: base, follower: arm, axis: [1, 2, 3], armature: 0.3, at: "
    "{base: "
    "[0.5, 0.1, 0]}}\n"
    "  wrist: {type: universal, base: arm, follower: hand, at: {base: [0.6, 0, 0], follower: [0, "
    "0.1, "
    "0]}}\n"
    "  socket: {type: spherical, base: arm, follower: ball, at: {base: [0.3, 0.3, 0]}}\n"
    "  rail: {type: prismatic, base: ground, follower: cart, axis: [1, 1, 0], armature: 2}\n";

typedef struct bench {
    detent_mechanism *m;
    detent_analysis *n;
    size_t nq, nv;
} bench;

static bench begin(void)
{
    detent_error e;
    bench b;
    must(detent_mechanism_parse(tree_text, strlen(tree_text), "tree", NULL, &b.m, &e), &e);
    must(detent_analysis_create(b.m, NULL, &b.n, &e), &e);
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_mechanism_get_info(b.m, &info);
    b.nq = info.coordinates;
    b.nv = info.freedoms;
    assert_true(b.nq <= MOST && b.nv <= MOST);
    return b;
}

static void end(bench *b)
{
    detent_analysis_destroy(b->n);
    detent_mechanism_destroy(b->m);
}

static void random_state(const bench *b, support_random *r, double *q, double *v)
{
    detent_error e;
    for (size_t k = 0; k < b->nq; k++) {
        q[k] = support_uniform(r, -1, 1);
    }
    for (size_t k = 0; k < b->nv; k++) {
        v[k] = support_uniform(r, -2, 2);
    }
    must(detent_analysis_set_state(b->n, 0, q, v, NULL, &e), &e);
    must(detent_analysis_get_state(b->n, NULL, q, v, &e), &e); /* quaternions of length 1 */
}

static void near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.17g instead of %.17g", value, expected);
    }
}

/* M a + h is inverse dynamics, that of the whole engine too, where nothing else acts; M is symmetric and positive. */
static void mass_and_bias(void **state)
{
    UNUSED(state);
    detent_error e;
    bench b = begin();
    support_random r = {4};
    double q[MOST], v[MOST], a[MOST], M[MOST * MOST], h[MOST], g[MOST], tau[MOST], low[MOST],
        high[MOST];
    for (int n = 0; n < 100; n++) {
        random_state(&b, &r, q, v);
        must(detent_mass_matrix(b.n, M, &e), &e);
        must(detent_bias_forces(b.n, h, &e), &e);
        for (size_t k = 0; k < b.nv; k++) {
            a[k] = support_uniform(&r, -5, 5);
        }
        must(detent_inverse_dynamics(b.n, a, tau, &e), &e);
        must(detent_inverse(b.n, a, NULL, low, high, &e), &e);
        double energy = 0;
        for (size_t i = 0; i < b.nv; i++) {
            double sum = h[i];
            for (size_t j = 0; j < b.nv; j++) {
                sum += M[i * b.nv + j] * a[j];
                energy += a[i] * M[i * b.nv + j] * a[j];
                near(M[i * b.nv + j], M[j * b.nv + i], 1e-13);
            }
            near(sum, tau[i], 1e-11);
            near(low[i], tau[i], 1e-11);
            assert_true(low[i] == high[i]);
        }
        assert_true(energy > 0);
        must(detent_gravity_forces(b.n, g, &e), &e);
        must(detent_analysis_set_state(b.n, 0, q, NULL, NULL, &e), &e);
        must(detent_bias_forces(b.n, h, &e), &e);
        assert_memory_equal(g, h, b.nv * sizeof *g);
    }
    end(&b);
}

/* J v is the velocity of the point, J' F balances its weight; dJ/dt by differences along the motion. */
static void jacobians(void **state)
{
    UNUSED(state);
    detent_error e;
    bench b = begin();
    support_random r = {5};
    double q[MOST], v[MOST], g[MOST], J[6 * MOST], later[6 * MOST], rate[6];
    static const char *const names[] = {"base", "arm", "hand", "ball", "cart"};
    static const double mass[] = {3, 2, 1, 0.7, 5},
                        center[][3] = {{0.1, 0.2, 0.3},
                                       {0.3, 0, 0.1},
                                       {0.1, 0.1, 0},
                                       {0, 0.2, 0},
                                       {0, 0, 0}},
                        gravity[] = {1, -9.81, 2};
    for (int n = 0; n < 50; n++) {
        double balance[MOST] = {0};
        random_state(&b, &r, q, v);
        must(detent_gravity_forces(b.n, g, &e), &e);
        for (size_t k = 0; k < 5; k++) {
            const size_t body = (size_t)detent_find(b.m, DETENT_BODY, names[k]);
            must(detent_body_jacobian(b.n, body, center[k], J, &e), &e);
            for (size_t j = 0; j < b.nv; j++) {
                for (size_t c = 0; c < 3; c++) {
                    balance[j] -= J[c * b.nv + j] * mass[k] * gravity[c];
                }
            }
        }
        for (size_t j = 0; j < b.nv; j++) {
            near(balance[j], g[j], 1e-11);
        }
        const size_t hand = (size_t)detent_find(b.m, DETENT_BODY, "hand");
        static const double tip[3] = {0.2, -0.1, 0.4};
        must(detent_body_jacobian_rate(b.n, hand, tip, rate, &e), &e);
        double speed[2][6];
        for (int side = 0; side < 2; side++) { /* a step along the motion, velocities held */
            const double step = side ? 1e-5 : -1e-5;
            double moved[MOST];
            memcpy(moved, q, sizeof moved);
            for (size_t i = 0; i < detent_count(b.m, DETENT_PRIMITIVE); i++) {
                detent_primitive_info p = DETENT_INIT(detent_primitive_info);
                detent_get_primitive(b.m, i, &p);
                double *own = moved + p.first_coordinate;
                const double *w = v + p.first_freedom;
                if (p.coordinates == p.freedoms) {
                    own[0] += step * w[0];
                    continue;
                }
                /* q' = q (0, w) / 2, and q'' = -q |w|^2 / 4 at constant w */
                const double *o = q + p.first_coordinate,
                             square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2],
                             shrink = 1 - step * step * square / 8;
                own[0] = shrink * o[0] - step / 2 * (o[1] * w[0] + o[2] * w[1] + o[3] * w[2]);
                own[1] = shrink * o[1] + step / 2 * (o[0] * w[0] + o[2] * w[2] - o[3] * w[1]);
                own[2] = shrink * o[2] + step / 2 * (o[0] * w[1] + o[3] * w[0] - o[1] * w[2]);
                own[3] = shrink * o[3] + step / 2 * (o[0] * w[2] + o[1] * w[1] - o[2] * w[0]);
            }
            must(detent_analysis_set_state(b.n, 0, moved, v, NULL, &e), &e);
            must(detent_body_jacobian(b.n, hand, tip, later, &e), &e);
            for (size_t c = 0; c < 6; c++) {
                speed[side][c] = 0;
                for (size_t j = 0; j < b.nv; j++) {
                    speed[side][c] += later[c * b.nv + j] * v[j];
                }
            }
        }
        for (size_t c = 0; c < 6; c++) {
            near((speed[1][c] - speed[0][c]) / 2e-5, rate[c], 1e-7);
        }
    }
    end(&b);
}

/* At the present state of a run, with what it is pushed by: M a + h is the forces that it has. */
static void of_a_run(void **state)
{
    UNUSED(state);
    detent_error e;
    bench b = begin();
    detent_simulation *s = simulate(b.m);
    must(detent_advance(s, 0.3, false, &e), &e);
    must(detent_analysis_take_state(b.n, s, &e), &e);
    double a[MOST], tau[MOST], q[2][MOST], t;
    must(detent_read(s, DETENT_ACCELERATIONS, a, b.nv, &e), &e);
    must(detent_inverse_dynamics(b.n, a, tau, &e), &e);
    for (size_t k = 0; k < b.nv; k++) {
        near(tau[k], 0, 1e-10);
    }
    must(detent_analysis_get_state(b.n, &t, q[0], NULL, &e), &e);
    must(detent_read(s, DETENT_POSITIONS, q[1], b.nq, &e), &e);
    assert_true(t == 0.3);
    assert_memory_equal(q[0], q[1], b.nq * sizeof(double));
    detent_simulation_destroy(s);
    end(&b);
}

static void arguments(void **state)
{
    UNUSED(state);
    detent_error e;
    bench b = begin();
    detent_mechanism *links = load_two_links();
    detent_simulation *other = simulate(links);
    double x[6 * MOST];
    static const double point[3] = {0};
    expect_argument_error(detent_mass_matrix(NULL, x, &e), &e, "analysis");
    expect_argument_error(detent_mass_matrix(b.n, NULL, &e), &e, "place");
    expect_argument_error(detent_bias_forces(b.n, NULL, &e), &e, "place");
    expect_argument_error(detent_gravity_forces(NULL, x, &e), &e, "analysis");
    expect_argument_error(detent_inverse_dynamics(b.n, NULL, x, &e), &e, "accelerations");
    expect_argument_error(detent_body_jacobian(b.n, 5, point, x, &e), &e, "body 5");
    expect_argument_error(detent_body_jacobian(b.n, 0, NULL, x, &e), &e, "point");
    expect_argument_error(detent_body_jacobian_rate(b.n, 0, point, NULL, &e), &e, "place");
    expect_argument_error(detent_analysis_take_state(b.n, NULL, &e), &e, "simulation");
    expect_argument_error(detent_analysis_take_state(b.n, other, &e), &e, "different mechanisms");
    detent_simulation_destroy(other);
    detent_mechanism_destroy(links);
    end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_and_bias),
        cmocka_unit_test(jacobians),
        cmocka_unit_test(of_a_run),
        cmocka_unit_test(arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
