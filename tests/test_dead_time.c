/*
 * A dead time of what is continuous, as docs/controllers.md builds it of sampled values with straight lines between them: a mass that is drawn back by where
 * it was, x'' = -k x(t - T), x = 1 up to t = 0, whose solution is that of the method of steps,
 *
 *   x(t) = sum over n of (-k)^n (t - (n - 1) T)^(2n) / (2n)!,   as long as t > (n - 1) T
 */
#include "support_variants.h"

static const double stiffness = 20, late = 0.25;

static double place(double t)
{
    double sum = 0, factor = 1;
    for (int n = 0; n == 0 || t > (n - 1) * late; n++) {
        factor *= n == 0 ? 1 : -stiffness / (2.0 * n * (2 * n - 1));
        sum += n == 0 ? 1 : factor * pow(t - (n - 1) * late, 2 * n);
    }
    return sum;
}

/** How far the mass is off at most, with so many samples in the dead time. */
static double off(variant v, int samples)
{
    char count[32];
    snprintf(count, sizeof count, "n=%d", samples);
    const char *const set[] = {count, NULL};
    detent_mechanism *m = runs_parse(
        "detent: 1\ngravity: [0, 0, 0]\n"
        "parameters: {T: 0.25 s, n: 5, p: T/n}\n"
        "bodies: {a: {mass: 1}}\n"
        "sampled:\n"
        "  line: {every: p, value: position(slide), initial: 1 m}\n"
        "  then: {every: p, value: \"previous(line, n)\", initial: 1 m}\n"
        "  next: {every: p, value: \"previous(line, n - 1)\", initial: 1 m}\n"
        "  since: {every: p, value: t}\n"
        "signals: {late: then + (next - then)*(t - since)/p}\n"
        "joints: {slide: {type: prismatic, base: ground, follower: a, initial: {position: 1 m}, "
        "force: \"-20 [N/m]*late\"}}\n"
        "outputs: [position(slide), late]\n"
        "simulation: {end: 2, rtol: 1e-10}\n",
        set);
    detent_simulation *sim = variant_start(m, v);
    double most = 0, is[2];
    for (int k = 1; k <= 40; k++) {
        const double t = 0.05 * k;
        variant_outputs(sim, v, t, is, 2);
        most = fmax(most, fabs(is[0] - place(t)));
        /* itself off by a straight line's error, and by that of the motion */
        variant_check(v, "what it was", is[1], place(t - late), most + 0.02);
    }
    runs_end(sim, m);
    return most;
}

static void it_is_of_second_order(void **state)
{
    UNUSED(state);
    enum { HALVINGS = 5 };
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        double samples[HALVINGS + 1], error[HALVINGS + 1];
        for (int h = 0; h <= HALVINGS; h++) {
            samples[h] = 5 << h;
            error[h] = off(v, 5 << h);
        }
        if (runs_verbose()) {
            printf("%s: off by %.2g with %g samples, by %.2g with %g\n", variant_name(v), error[0],
                   samples[0], error[HALVINGS], samples[HALVINGS]);
        }
        variant_check(v, "order", runs_slope(samples, error, HALVINGS + 1), -2, 0.05);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_of_second_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
