/*
 * Joints of a loop at rest whose limits follow what they share: where the split magnifies rounding, so that limits settle to nine
 * digits and no better, they are held, and readings say so whenever they are asked.
 */
#include "support_variants.h"

static void reads_margins(void **state)
{
    (void)state;
    enum { JOINTS = 8 };
    detent_mechanism *m = runs_load("../tests/shares/blurred.yaml", NULL);
    detent_settings settings = DETENT_INIT(detent_settings);
    detent_mechanism_get_settings(m, &settings);
    settings.integrator = DETENT_INTEGRATOR_IDA;
    settings.locked_joints = DETENT_LOCKED_JOINTS_CONSTRAIN;
    detent_simulation *s = runs_start(m, &settings);
    detent_error error;
    for (double t = 6; t < settings.end; t += 6) {
        double margin[JOINTS];
        runs_advance(s, t);
        runs_must(detent_read(s, DETENT_MARGINS, margin, JOINTS, &error), &error);
        for (int k = 0; k < JOINTS; k++) {
            assert_true(isfinite(margin[k]));
        }
    }
    runs_end(s, m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_margins)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
