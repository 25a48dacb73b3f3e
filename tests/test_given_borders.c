/*
 * What is given to laws, sampled values and inputs, jumps onto borders of switches to the last bit: counters, relays and states of machines do. There the side is that
 * of the comparison as it is written, in every integrator.
 */
#include "support_variants.h"

/* Forces as functions of the integer n; each as C computes it. */
static double over(double n)
{
    return n > 3 ? 1 : -1;
}

static double at_least(double n)
{
    return n >= 3 ? 1 : -1;
}

static double below(double n)
{
    return n < 3 ? 1 : -1;
}

static double at_most(double n)
{
    return n <= 3 ? 1 : -1;
}

static double signed_by(double n)
{
    return (n > 3) - (n < 3);
}

static double even(double n)
{
    return fmod(n, 2) > 0.5 ? 1 : -1;
}

static double rounded(double n)
{
    return floor(n / 2) - ceil(n / 3) + floor(n / 2 + 0.5);
}

static double within(double n)
{
    return fmin(fmax(n - 3, -1), 1) + fabs(n - 3);
}

static const struct {
    const char *text;
    double (*value)(double n);
} laws[] = {
    {"if(n > 3, 1, -1)", over},
    {"if(n >= 3, 1, -1)", at_least},
    {"if(n < 3, 1, -1)", below},
    {"if(n <= 3, 1, -1)", at_most},
    {"sign(n - 3)", signed_by},
    {"if(mod(n, 2) > 0.5, 1, -1)", even},
    {"floor(n/2) - ceil(n/3) + round(n/2)", rounded},
    {"saturate(n - 3, -1, 1) + abs(n - 3)", within},
};
enum { LAWS = sizeof laws / sizeof *laws };

/* Up and down through the border at 3. */
static const double way[] = {1, 2, 3, 4, 5, 4, 3, 2, 1, 3, 5, 3, 3, 1, 0, 3};
enum { WAY = sizeof way / sizeof *way };

static detent_mechanism *parse(size_t law, const char *given)
{
    runs_text text = {0};
    runs_say(&text,
             "detent: 1\ngravity: [0, 0, 0]\n%s"
             "bodies: {a: {mass: 1}, b: {mass: 1}}\n"
             "joints:\n"
             "  x: {type: prismatic, base: ground, follower: a, force: \"%s\"}\n"
             "  y: {type: prismatic, base: ground, follower: b}\n"
             "stiction: {y: {external: \"3*(%s)\", kinetic: 0.5, static: 0.5}}\n"
             "outputs: [velocity(x), force(x), velocity(y)]\n"
             "simulation: {end: 2, rtol: 1e-9}\n",
             given, laws[law].text, laws[law].text);
    detent_mechanism *m = runs_parse(text.text, NULL);
    free(text.text);
    return m;
}

/* Both velocities after 0.1 s more at n. */
static void go_on(size_t law, double n, double *v, double *w)
{
    const double force = laws[law].value(n), h = 0.1, push = 3 * force, mu = 0.5;
    *v += h * force;
    const double side = *w != 0            ? copysign(1, *w)
                        : fabs(push) <= mu ? 0
                                           : copysign(1, push),
                 free_end = *w + h * (push - side * mu);
    if (side * free_end >= 0) {
        *w = free_end;
        return;
    }
    const double left = h - *w / (side * mu - push); /* it turns round, or stays */
    *w = fabs(push) <= mu ? 0 : left * (push + side * mu);
}

/* Velocities are continuous: at the end of n. `force`: NULL where the next one may be there already. */
static void check(variant v, size_t law, const double is[3], double velocity, double other,
                  const double *force)
{
    variant_check(v, laws[law].text, is[0], velocity, 1e-8);
    variant_check(v, laws[law].text, is[2], other, 1e-7);
    if (force) {
        variant_check(v, laws[law].text, is[1], *force, 1e-12);
    }
}

/* One value for each instant, by a table. */
static void samples_come_onto_borders(void **state)
{
    UNUSED(state);
    runs_text given = {0};
    runs_say(&given, "tables: {way: {of: [0");
    for (int k = 1; k < WAY; k++) {
        runs_say(&given, ", %d", k);
    }
    runs_say(&given, "], is: [%g", way[0]);
    for (int k = 1; k < WAY; k++) {
        runs_say(&given, ", %g", way[k]);
    }
    runs_say(&given, "]}}\nsampled: {n: {every: 0.1, value: \"way(round(10*t))\"}}\n");
    for (size_t law = 0; law < LAWS; law++) {
        detent_mechanism *m = parse(law, given.text);
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            const variant v = variant_at(k);
            detent_simulation *sim = variant_start(m, v);
            double is[3], velocity = 0, other = 0;
            for (int n = 0; n < WAY; n++) {
                go_on(law, way[n], &velocity, &other);
                variant_outputs(sim, v, 0.1 * (n + 1), is, 3);
                check(v, law, is, velocity, other, NULL);
            }
            runs_end(sim, NULL);
        }
        runs_end(NULL, m);
    }
    free(given.text);
}

static void inputs_come_onto_borders(void **state)
{
    UNUSED(state);
    for (size_t law = 0; law < LAWS; law++) {
        detent_mechanism *m = parse(law, "inputs: {n: 1}\n");
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            const variant v = variant_at(k);
            detent_simulation *sim = variant_start(m, v);
            double is[3], velocity = 0, other = 0;
            for (int n = 0; n < WAY; n++) {
                detent_error error;
                runs_must(detent_set_input(sim, 0, way[n], &error), &error);
                go_on(law, way[n], &velocity, &other);
                const double force = laws[law].value(way[n]);
                variant_outputs(sim, v, 0.1 * (n + 1), is, 3);
                check(v, law, is, velocity, other, &force);
            }
            runs_end(sim, NULL);
        }
        runs_end(NULL, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_come_onto_borders),
        cmocka_unit_test(inputs_come_onto_borders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
