/*
 * Friction in loops that follows what their joints transmit: four-bars and slider-cranks whose bearings all rub by the force that
 * they carry. Against a planar solution of its own (support_closed_chain.h): accelerations and forces in motion, the
 * torque at which everything begins to move, how joints at rest share what holds them, which of the sets of modes is
 * consistent. And the same motion whichever joint is cut, in whatever order the file has them, in all variants.
 */
#include "support_changes.h"
#include "support_closed_chain.h"
#include "support_trees.h"
#include "support_variants.h"

static closed_chain random_chain(support_random *random, bool slides)
{
    closed_chain c;
    double angle[CHAIN_BODIES];
    do {
        c = (closed_chain){.slides = slides,
                           .length = {support_uniform(random, 0.2, 0.4),
                                      support_uniform(random, 0.6, 1),
                                      support_uniform(random, 0.5, 0.9)},
                           .foot = support_uniform(random, 0.6, 0.9),
                           .ratio = support_uniform(random, 1, 1.6),
                           .angle = support_uniform(random, -3.14, 3.14),
                           .gravity = 9.81};
    } while (!chain_closes(&c, angle) || fabs(sin(c.angle)) < 0.1);
    for (int b = 0; b < CHAIN_BODIES; b++) {
        c.mass[b] = support_uniform(random, 0.3, 3);
        c.inertia[b] = support_uniform(random, 0.01, 0.1) * c.mass[b];
        c.centre[b][0] = slides && b == 2 ? 0 : support_uniform(random, 0.2, 0.8) * c.length[b];
        c.centre[b][1] = slides && b == 2 ? 0 : support_uniform(random, -0.1, 0.1);
    }
    for (int j = 0; j < CHAIN_JOINTS; j++) {
        c.kinetic[j] = slides && j == 3 ? support_uniform(random, 0.02, 0.3)
                                        : support_uniform(random, 0.002, 0.025);
    }
    return c;
}

static const char outputs[] =
    "outputs: [acceleration(shaft), friction(shaft), friction(pin), friction(wrist), "
    "friction(foot), "
    "reaction_force(shaft), reaction_force(pin), reaction_force(wrist), normal_force(foot), "
    "velocity(shaft)]\n"
    "simulation: {end: %.17g, rtol: 1e-10}\n";
enum { OUTPUTS = 10 };

/** Acceleration of the crank, frictions along the ring, forces that joints carry. */
typedef struct reading {
    double acceleration, friction[CHAIN_JOINTS], carried[CHAIN_JOINTS], speed;
} reading;

static detent_simulation *start(const closed_chain *c, variant v, size_t how, const char *torque,
                                double end, detent_mechanism **m, int sign[CHAIN_JOINTS])
{
    char text[8192], more[1024];
    snprintf(more, sizeof more, outputs, end);
    chain_write(text, sizeof text, c, (int)(how % CHAIN_JOINTS), (int)(how / 4 % CHAIN_JOINTS),
                how / 16 % 2 == 1, 0, 0, torque, more, sign);
    *m = runs_parse(text, NULL);
    return variant_start(*m, v);
}

static reading read_all(detent_simulation *sim, const int sign[CHAIN_JOINTS])
{
    reading r;
    double x[OUTPUTS];
    detent_error error;
    runs_must(detent_read(sim, DETENT_OUTPUTS, x, OUTPUTS, &error), &error);
    r.acceleration = sign[0] * x[0];
    r.speed = sign[0] * x[9];
    for (int j = 0; j < CHAIN_JOINTS; j++) {
        r.friction[j] = sign[j] * x[1 + j];
        r.carried[j] = x[5 + j];
    }
    return r;
}

static void compare(variant v, const reading *is, const chain_state *should, double tolerance)
{
    double most = 0;
    for (int j = 0; j < CHAIN_JOINTS; j++) {
        most = fmax(most, should->carried[j]);
    }
    variant_check(v, "acceleration", is->acceleration, should->acceleration,
                  tolerance * (1 + fabs(should->acceleration)));
    for (int j = 0; j < CHAIN_JOINTS; j++) {
        variant_check(v, chain_joint[j], is->carried[j], should->carried[j], tolerance * most);
        variant_check(v, "friction", is->friction[j], should->friction[j], tolerance * most);
    }
}

/* ---- in motion ---- */

static void accelerations_and_forces_in_motion(void **state)
{
    support_random random = {5};
    (void)state;
    for (size_t k = 0; k < 96; k++) {
        const variant v = variant_at(k % VARIANTS);
        closed_chain c = random_chain(&random, k % 2 == 1);
        char torque[96];
        int sign[CHAIN_JOINTS];
        detent_mechanism *m;
        c.speed = support_uniform(&random, 0.5, 6) * (support_chance(&random, 0.5) ? 1 : -1);
        c.torque = support_uniform(&random, -10, 10);
        snprintf(torque, sizeof torque, "%.17g", c.torque);
        const chain_state should = chain_moves(&c, c.speed > 0 ? 1 : -1, 1);
        detent_simulation *sim = start(&c, v, k, torque, 1, &m, sign);
        const reading is = read_all(sim, sign);
        assert_true(should.settles);
        compare(v, &is, &should, 1e-10);
        runs_end(sim, m);
    }
}

/* ---- at rest ---- */

/** Torques that hold, and that do not: the only consistent set of modes, and its state. */
static void at_rest(void **state)
{
    support_random random = {11};
    int held = 0, moved = 0;
    (void)state;
    for (size_t k = 0; k < 192; k++) {
        const variant v = variant_at(k % VARIANTS);
        closed_chain c = random_chain(&random, k % 2 == 1);
        chain_state begins;
        char torque[96];
        int sign[CHAIN_JOINTS];
        detent_mechanism *m;
        const double low = chain_breaks(&c, -1, &begins);
        const double high = chain_breaks(&c, 1, &begins), width = high - low;
        assert_true(begins.settles && width > 0);
        do {
            c.torque = support_uniform(&random, low - width, high + width);
        } while (fmin(fabs(c.torque - low), fabs(c.torque - high)) < 1e-3 * width);
        snprintf(torque, sizeof torque, "%.17g", c.torque);
        detent_simulation *sim = start(&c, v, k, torque, 1, &m, sign);
        const reading is = read_all(sim, sign);
        if (c.torque > low && c.torque < high) {
            const chain_state should = chain_rests(&c);
            held++;
            assert_true(is.acceleration == 0 && should.settles);
            compare(v, &is, &should, 1e-9);
        } else {
            const int side = c.torque > high ? 1 : -1;
            const chain_state should = chain_moves(&c, side, 1);
            moved++;
            assert_true(should.settles && side * should.acceleration > 0);
            compare(v, &is, &should, 1e-10);
        }
        runs_end(sim, m);
    }
    assert_true(held > 30 && moved > 60);
}

/** A torque that grows: when the chain gives way, who does, and how it starts. */
static void breaks_away_at_its_torque(void **state)
{
    support_random random = {23};
    (void)state;
    for (size_t k = 0; k < 48; k++) {
        const variant v = variant_at(k % VARIANTS);
        closed_chain c = random_chain(&random, k % 2 == 1);
        const int side = support_chance(&random, 0.5) ? 1 : -1;
        chain_state begins;
        char torque[96];
        int sign[CHAIN_JOINTS];
        size_t changes;
        detent_mechanism *m;
        detent_error error;
        const double other = chain_breaks(&c, -side, &begins);
        const double breaks = chain_breaks(&c, side, &begins), slope = fabs(breaks - other);
        const double from = breaks - side * 0.6 * slope; /* 0.6 s later */
        snprintf(torque, sizeof torque, "\"%.17g [N*m] + %.17g [N*m]*t/1 [s]\"", from,
                 side * slope);
        detent_simulation *sim = start(&c, v, k, torque, 1, &m, sign);
        assert_int_equal(detent_advance(sim, 1, true, &error), DETENT_EVENT);
        variant_check(v, "time", last_event(sim, &changes)->time, 0.6, 1e-9);
        assert_int_equal(changes, CHAIN_JOINTS);
        const reading is = read_all(sim, sign);
        c.torque = breaks;
        const chain_state should = chain_moves(&c, side, 1);
        compare(v, &is, &should, 1e-7 * (1 + slope / c.inertia[0]) / 100);
        runs_end(sim, m);
    }
}

/* ---- beside a stop ---- */

/**
 * A parallelogram that leaves the stop of its one crank, whose bearing rubs by what it carries, against friction of the pin of the other one.
 * With c of that, the coupler, d long, carries c/d across and x along; the cranks, h long, have h x = mu sqrt(x^2 + (c/d)^2), and the
 * torque that takes them away is c + h x.
 */
static detent_mechanism *stopped_parallelogram(double mu, double c, double fall)
{
    runs_text text = {0};
    runs_say(&text, "detent: 1\ngravity: [0, 0, 0]\nbodies:\n"
                    "  crank: {mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
                    "  rod: {mass: 2, inertia: [0.1, 0.1, 0.1]}\n"
                    "  rocker: {mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
                    "joints:\n"
                    "  shaft: {type: revolute, base: ground, follower: crank, axis: [0, 0, 1], "
                    "stops: {upper: {at: 0}}}\n"
                    "  wrist: {type: revolute, base: crank, follower: rod, axis: [0, 0, 1], "
                    "at: {base: [0, 0.4, 0]}}\n"
                    "  pin: {type: revolute, base: rod, follower: rocker, axis: [0, 0, 1], "
                    "at: {base: [0.6, 0, 0], follower: [0, 0.4, 0]}}\n");
    runs_say(&text,
             "  foot: {type: revolute, base: ground, follower: rocker, axis: [0, 0, 1], "
             "at: {base: [0.6, 0, 0]}, force: \"1 - %.17g*t\"}\n"
             "stiction:\n"
             "  shaft: {static: \"%.17g*reaction_force(shaft)\", "
             "kinetic: \"%.17g*reaction_force(shaft)\"}\n"
             "  pin: {static: %.17g, kinetic: %.17g}\n"
             "simulation: {end: 2, rtol: 1e-8}\n",
             fall, mu, mu, c, c);
    detent_mechanism *m = runs_parse(text.text, NULL);
    free(text.text);
    return m;
}

static void leaves_its_stop_at_its_torque(void **state)
{
    static const double h = 0.4, d = 0.6;
    support_random random = {29};
    (void)state;
    for (size_t k = 0; k < 96; k++) {
        const variant v = variant_at(k % VARIANTS);
        const double mu = pow(10, support_uniform(&random, -3, -1)),
                     c = support_uniform(&random, 0.05, 0.5),
                     turns = c + h * mu * (c / d) / sqrt(h * h - mu * mu);
        size_t changes;
        detent_error error;
        detent_mechanism *m = stopped_parallelogram(mu, c, 1 + turns); /* after a second */
        detent_simulation *sim = variant_start(m, v);
        assert_int_equal(detent_advance(sim, 2, true, &error), DETENT_EVENT);
        variant_check(v, "time", last_event(sim, &changes)->time, 1, 1e-12);
        assert_int_equal(changes, 2);
        variant_advance(sim, v, 1.1);
        assert_true(runs_velocity(m, sim, "shaft") < 0);
        runs_end(sim, m);
    }
}

/* ---- runs ---- */

static closed_chain usual(bool slides)
{
    return (closed_chain){.slides = slides,
                          .length = {0.3, 0.8, 0.6},
                          .foot = 0.7,
                          .mass = {1, 0.7, 2},
                          .inertia = {0.02, 0.04, 0.05},
                          .centre = {{0.15, 0}, {0.4, 0.05}, {slides ? 0 : 0.3, 0}},
                          .kinetic = {0.02, 0.025, 0.015, slides ? 0.3 : 0.02},
                          .ratio = 1.3,
                          .angle = 0.7,
                          .speed = 3,
                          .gravity = 9.81};
}

/** Event by event, and at the end: the same in whatever way it was made. */
static void same_run(bool slides, double offset, double across)
{
    static const double end = 1.6;
    const closed_chain c = usual(slides);
    runs_log first = {.count = 0};
    reading at_first = {.speed = 0};
    int first_sign[CHAIN_JOINTS] = {0};
    size_t number[CHAIN_JOINTS] = {0}; /* of the stictions of the first one */
    for (size_t k = 0; k < 2 * VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k / 2);
        const size_t how = (k + k / 4) % 4 + 4 * (k / 2 % 4) + 16 * (k / 8 % 2);
        char text[8192], more[1024];
        int sign[CHAIN_JOINTS];
        runs_log log = {.count = 0};
        snprintf(more, sizeof more, outputs, end);
        chain_write(text, sizeof text, &c, (int)(how % 4), (int)(how / 4 % 4), how / 16 == 1,
                    offset, across,
                    slides ? "\"6 [N*m]*sin(3*t/1 [s])\"" : "\"2.5 [N*m]*sin(2*t/1 [s])\"", more,
                    sign);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        runs_record(sim, end, &log);
        const reading is = read_all(sim, sign);
        if (k == 0) {
            first = log;
            at_first = is;
            memcpy(first_sign, sign, sizeof sign);
            assert_true(runs_count_turns(&first) > 5);
            runs_end(sim, m);
            continue;
        }
        /* stictions are numbered as the file lists them, from joint how / 4 % 4 on; in the first one from 0 */
        for (size_t j = 0; j < CHAIN_JOINTS; j++) {
            number[(j + how / 4 % 4) % 4] = j;
        }
        size_t at = 0;
        for (size_t n = 0; n < first.count; n++) {
            const detent_mode_change *should = &first.change[n], *found = NULL;
            if (!runs_is_turn(should)) {
                continue;
            }
            for (at = 0; at < log.count && !found; at++) {
                const detent_mode_change *now = &log.change[at];
                const int s = sign[should->stiction] * first_sign[should->stiction];
                if (now->stiction == number[should->stiction] && now->to == should->to &&
                    now->to_direction == s * should->to_direction &&
                    fabs(now->time - should->time) < 1e-6) {
                    found = now;
                }
            }
            if (!found) {
                fail_msg("%s, cut %zu, order %zu: no change of '%s' at %.9g", variant_name(v),
                         how % 4, how / 4, chain_joint[should->stiction], should->time);
            }
        }
        assert_int_equal(runs_count_turns(&log), runs_count_turns(&first));
        variant_check(v, "speed", is.speed, at_first.speed, 1e-6);
        for (int j = 0; j < CHAIN_JOINTS; j++) {
            variant_check(v, chain_joint[j], is.carried[j], at_first.carried[j], 1e-5);
            variant_check(v, "friction", is.friction[j], at_first.friction[j], 1e-6);
        }
        runs_log_free(&log);
        runs_end(sim, m);
    }
    runs_log_free(&first);
}

static void four_bars_do_not_depend_on_their_cut(void **state)
{
    (void)state;
    same_run(false, 0, 0);
}

static void slider_cranks_do_not_depend_on_their_cut(void **state)
{
    (void)state;
    same_run(true, 0, 0);
}

/** Bodies side by side, and gravity across: joints press against each other out of the plane, by more than is determined. */
static void nor_do_loops_that_are_loaded_across(void **state)
{
    (void)state;
    same_run(false, 0.05, 3);
    same_run(true, 0.05, 3);
}

/** Friction of a joint that moves and follows what locked joints of its cluster share: an outcome, with their names. */
static void what_is_shared_is_not_followed_in_motion(void **state)
{
    char text[8192];
    FILE *file = fopen(DETENT_SOURCE_DIR "/tests/found/loop_beside_a_moving_one.yaml", "r");
    (void)state;
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    for (char *at = text; (at = strstr(at, "reaction_force(e)")) != NULL; at++) {
        at[strlen("reaction_force(")] = 'b'; /* of the loop that rests */
    }
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        detent_mechanism *m = runs_parse(text, NULL);
        const detent_settings settings = variant_settings(m, variant_at(k));
        const detent_simulation_options options = {.size = sizeof options, .settings = &settings};
        detent_simulation *sim = NULL;
        detent_error error;
        assert_int_equal(detent_simulation_create(m, &options, &sim, &error),
                         DETENT_NO_CONSISTENT_STATE);
        assert_non_null(strstr(error.message, "not unique: 'e' those of 'b'"));
        assert_null(sim);
        detent_mechanism_destroy(m);
    }
}

/** Lengths, masses and times in other units, powers of two: the same run to the last bit. */
static closed_chain in_units(bool slides, const double unit[3])
{
    closed_chain c = usual(slides);
    const double L = unit[0], M = unit[1], T = unit[2];
    for (int b = 0; b < CHAIN_BODIES; b++) {
        c.length[b] *= L;
        c.mass[b] *= M;
        c.inertia[b] *= M * L * L;
        c.centre[b][0] *= L;
        c.centre[b][1] *= L;
    }
    for (int j = 0; j < CHAIN_JOINTS; j++) {
        c.kinetic[j] *= slides && j == 3 ? 1 : L;
    }
    c.foot *= L;
    c.speed /= T;
    c.gravity *= L / (T * T);
    return c;
}

static void the_same_in_other_units(void **state)
{
    static const double units[][3] = {{1, 1, 1}, {0x1p-9, 0x1p-12, 0x1p-3}};
    (void)state;
    for (size_t k = 0; k < VARIANTS; k++) {
        const variant v = variant_at(k);
        runs_log log[2] = {{.count = 0}};
        for (int u = 0; u < 2; u++) {
            const double *unit = units[u], T = unit[2], end = 1.2 * T;
            const closed_chain c = in_units(k / 2 % 2 == 1, unit);
            const double M = unit[1] * unit[0] * unit[0] / (T * T);
            char text[8192], more[1024], torque[96];
            int sign[CHAIN_JOINTS];
            snprintf(more, sizeof more, outputs, end);
            snprintf(torque, sizeof torque, "\"%.17g [N*m]*sin(%.17g*t/1 [s])\"", 4 * M, 2 / T);
            chain_write(text, sizeof text, &c, (int)(k % 4), 0, false, 0.05 * unit[0],
                        3 * unit[0] / (T * T), torque, more, sign);
            detent_mechanism *m = runs_parse(text, NULL);
            detent_simulation *sim = variant_start(m, v);
            runs_record(sim, end, &log[u]);
            assert_int_equal(log[u].count, log[0].count);
            for (size_t n = 0; n < log[u].count; n++) {
                variant_check(v, "time", log[u].change[n].time / T, log[0].change[n].time, 0);
                assert_int_equal(log[u].change[n].stiction, log[0].change[n].stiction);
                assert_int_equal(log[u].change[n].to, log[0].change[n].to);
            }
            runs_end(sim, m);
        }
        for (int u = 0; u < 2; u++) {
            runs_log_free(&log[u]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accelerations_and_forces_in_motion),
        cmocka_unit_test(at_rest),
        cmocka_unit_test(breaks_away_at_its_torque),
        cmocka_unit_test(leaves_its_stop_at_its_torque),
        cmocka_unit_test(four_bars_do_not_depend_on_their_cut),
        cmocka_unit_test(slider_cranks_do_not_depend_on_their_cut),
        cmocka_unit_test(nor_do_loops_that_are_loaded_across),
        cmocka_unit_test(what_is_shared_is_not_followed_in_motion),
        cmocka_unit_test(the_same_in_other_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
