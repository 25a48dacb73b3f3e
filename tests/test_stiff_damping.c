/*
 * A block that is damped ever more strongly, against the exact solution. Inertia soon has no part in it:
 *
 *   m v' + c v = A sin t,   v = A (c sin t - m cos t + m e) / (c^2 + m^2),   e = exp(-c t / m)
 *   x = A (c (1 - cos t) - m sin t + (m^2 / c) (1 - e)) / (c^2 + m^2)
 *
 * with A as large as it takes to move it as far in any case.
 */
#include "support_variants.h"

static const double mass = 2, rtol = 1e-6, end = 10;

/* Who damps. */
static const char *const forms[] = {
    "joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0], damping: "
    "C}}\n"
    "loads: {push: {body: block, force: [\"A*sin(t)\", 0, 0]}}\n",
    "joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0], force: "
    "\"A*sin(t) - C*velocity(slide)\"}}\n",
    "joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0], damping: "
    "C/4, "
    "force: \"A*sin(t) - 0.75*C*velocity(slide)\"}}\n",
    "joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}}\n"
    "stiction: {slide: {kinetic: \"C*abs(velocity(slide))\", static: 0, external: "
    "\"A*sin(t)\"}}\n"};
enum { FORMS = sizeof forms / sizeof *forms };

static void check(size_t form, double damping, double longer, variant v)
{
    char text[1024];
    snprintf(text, sizeof text,
             "detent: 1\n"
             "gravity: [0, 0, 0]\n"
             "parameters: {C: %.17g, A: 0.4*C}\n"
             "bodies: {block: {mass: %.17g}}\n"
             "%ssimulation: {end: 1}\n",
             damping, mass, forms[form]);
    detent_mechanism *m = runs_parse(text, NULL);
    detent_settings settings = variant_settings(m, v);
    settings.rtol = rtol;
    settings.end = longer * end;
    detent_simulation *sim = runs_start(m, &settings);
    for (double t = 0.5; t <= end; t += 0.5) {
        const double e = exp(-damping * t / mass),
                     a = 0.4 * damping / (damping * damping + mass * mass);
        variant_advance(sim, v, t);
        variant_check(
            v, "position", runs_position(m, sim, "slide"),
            a * (damping * (1 - cos(t)) - mass * sin(t) + mass * mass / damping * (1 - e)),
            2 * rtol);
        variant_check(v, "velocity", runs_velocity(m, sim, "slide"),
                      a * (damping * sin(t) - mass * cos(t) + mass * e), 2 * rtol);
    }
    runs_end(sim, m);
}

static void damped_block(void **test)
{
    UNUSED(test);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        for (int power = 2; power <= 12; power++) {
            if (v.integrator == DETENT_INTEGRATOR_ERK && power > 4) {
                break; /* explicit steps are no longer than m / c */
            }
            for (size_t form = 0; form < FORMS; form++) {
                check(form, pow(10, power), power % 2 ? 1 : 1e5, v);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damped_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
