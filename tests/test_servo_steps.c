/*
 * The servo with steps of fixed length against a plain program of the paper's algorithm (L. Borello, M. Dalla Vedova 2014, Table I), which knows
 * nothing of the library; and Borello's law, as the steps become shorter, against stiction, the constraint.
 */
#include "support_servo.h"

/* ---- the plain program ---- */

typedef struct plain {
    double t, x, v, flapper, flapper_rate, spool;
} plain;

static double limit(double x, double most)
{
    return x > most ? most : x < -most ? -most : x;
}

static double sign(double x)
{
    return (x > 0) - (x < 0);
}

static double friction(const char *law, double v, double h)
{
    const double FS = 2000, FD = 1200, e = 1e-4;
    if (strcmp(law, "sign") == 0) {
        return FD * sign(v);
    }
    if (strcmp(law, "hyperviscous") == 0) {
        return limit(FD * v / e, FD);
    }
    if (strcmp(law, "quinn") == 0) {
        return fabs(v) > e ? FD * sign(v) : FD * v / e + (1 - fabs(v) / e) * limit(h, FD);
    }
    if (strcmp(law, "none") == 0) {
        return 0;
    }
    return v == 0 ? limit(h, FS) : FD * sign(v); /* karnopp, borello */
}

/* What acts on the piston beside friction. */
static double active_force(const plain *s)
{
    const double GPS = 4.8e10, GQS = 0.3, AJ = 1e-3, Psup = 20e6, CJ = 2e3;
    const double pressure = limit(GPS * (s->spool - AJ * s->v / GQS), Psup);
    return AJ * pressure - CJ * s->v;
}

static plain plain_step(plain s, const char *law, bool ramp, double h)
{
    const double w = 1200, d = 0.7, stop = 60e-6;
    const double command = ramp ? 0.25e-3 * s.t : 1e-3, current = 100 * (command - s.x),
                 target = 5e-4 * current - 0.15 * s.spool,
                 beyond = s.flapper - limit(s.flapper, stop), active = active_force(&s);
    plain next = s;
    next.x += h * s.v;
    next.flapper += h * s.flapper_rate;
    next.flapper_rate +=
        h * (w * w * (target - s.flapper - 100 * beyond) - 2 * d * w * s.flapper_rate);
    next.spool += h * 800 * s.flapper;
    next.v += h * (active - friction(law, s.v, active)) / 10;
    if (strcmp(law, "borello") == 0 && s.v * next.v < 0) {
        next.v = 0;
    }
    if (strcmp(law, "karnopp") == 0 && (fabs(next.v) <= 1e-4 || s.v * next.v < 0)) {
        next.v = 0;
    }
    return next;
}

/* ---- against it ---- */

static void steps_are_those_of_the_plain_program(void **state)
{
    UNUSED(state);
    static const char *const laws[] = {"none",  "sign",    "hyperviscous",
                                       "quinn", "karnopp", "borello"};
    const double h = 1e-6; /* below 2 m e / FD, with longer ones the hyperviscous law chatters */
    for (size_t l = 0; l < sizeof laws / sizeof *laws; l++) {
        for (int ramp = 0; ramp < 2; ramp++) {
            const servo_case c = {.law = laws[l],
                                  .step = h,
                                  .ramp = ramp,
                                  .end = ramp ? 0.6 : 0.06,
                                  .grid = ramp ? 1e-3 : 1e-4};
            servo_signals s = servo_run(c);
            const size_t steps = (size_t)lround(c.grid / h);
            plain p = {0};
            double farthest = 0, fastest = 0;
            for (size_t k = 1; k < s.rows; k++) {
                for (size_t n = 0; n < steps; n++) {
                    p = plain_step(p, laws[l], ramp, h);
                    p.t = h * (double)((k - 1) * steps + n + 1);
                }
                farthest = fmax(farthest, fabs(s.x[k] - p.x));
                fastest = fmax(fastest, fabs(s.v[k] - p.v));
            }
            char what[64];
            snprintf(what, sizeof what, "%s, case %d: position", laws[l], ramp + 1);
            runs_near(what, farthest, 0, 1e-14);
            snprintf(what, sizeof what, "%s, case %d: velocity", laws[l], ramp + 1);
            runs_near(what, fastest, 0, 1e-10);
            servo_free(&s);
        }
    }
}

/* ---- the order ---- */

enum { HALVINGS = 6 };

/* The mean distance over the rows. */
static double mean_distance(const servo_signals *a, const servo_signals *b)
{
    double sum = 0;
    assert_int_equal(a->rows, b->rows);
    for (size_t k = 0; k < a->rows; k++) {
        sum += fabs(a->x[k] - b->x[k]);
    }
    return sum / (double)a->rows;
}

static void borello_converges_to_the_constraint(void **state)
{
    UNUSED(state);
    for (int ramp = 0; ramp < 2; ramp++) {
        servo_case c = {.law = "stiction",
                        .ramp = ramp,
                        .end = ramp ? 0.64 : 0.064,
                        .grid = ramp ? 3.2e-3 : 0.32e-3,
                        .rtol = 1e-11};
        servo_signals exact = servo_run(c);
        double h[HALVINGS + 1], error[HALVINGS + 1];
        c.law = "borello";
        for (int k = 0; k <= HALVINGS; k++) {
            c.step = h[k] = 3.2e-5 * pow(0.5, k);
            servo_signals s = servo_run(c);
            error[k] = mean_distance(&s, &exact);
            servo_free(&s);
        }
        runs_near(ramp ? "order of case 2" : "order of case 1", runs_slope(h, error, HALVINGS + 1),
                  1, 0.02);
        servo_free(&exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_the_plain_program),
        cmocka_unit_test(borello_converges_to_the_constraint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
