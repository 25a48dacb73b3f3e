/*
 * Mechanisms of every day, each against something independent: an engaging clutch (formulas), an inertia with the friction of block libraries, a
 * ratchet, a door with closer and latch (plain programs).
 */
#include "support_plain.h"
#include "support_variants.h"

/* ---- clutch: between its events everything is a polynomial of t ---- */

/* Kinetic friction of the disks, summed up over time from 0 to t, while they are pressed together and after. */
static double impulse_of_grip(double t)
{
    const double most = 0.2 * 2 * 0.15 * 2000;
    return t < 0.2 ? 0 : t < 0.7 ? most * (t - 0.2) * (t - 0.2) : most * (0.25 + t - 0.7);
}

static void a_clutch_engages_and_slips(void **state)
{
    UNUSED(state);
    const double J = 0.2, L = 0.5, M = 40;
    /* equally fast: 100 + (M t - I)/J = I/L with I = 30 + 120 (t - 0.7) */
    const double joined = (100 + (1 / J + 1 / L) * (84 - 30)) / ((1 / J + 1 / L) * 120 - M / J),
                 speed = impulse_of_grip(joined) / L, pull = M / (J + L);
    /* what the load takes of the engine, against 150 (2.5 - t)/0.5 */
    const double parted = 2.5 - 0.5 * (pull * L) / 150, fast = speed + pull * (parted - joined),
                 load = fast + 120 / L * (2.5 - parted) * (2.5 - parted),
                 engine = fast + (M * (3 - parted) - 120 * (2.5 - parted) * (2.5 - parted)) / J;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_load("clutch.yaml", NULL);
        detent_simulation *sim = variant_start(m, v);
        runs_log log = {0};
        runs_record(sim, 1.5, &log);
        variant_check(v, "joined", runs_time_of(&log, 0, DETENT_LOCKED, 0), joined, 1e-9);
        variant_check(v, "together", runs_output(m, sim, "load"), speed + pull * (1.5 - joined),
                      1e-6);
        variant_check(v, "friction", runs_output(m, sim, "friction(clutch)"), pull * L, 1e-9);
        variant_check(v, "no slip", runs_velocity(m, sim, "clutch"), 0, 0);
        runs_record(sim, 3, &log);
        variant_check(v, "parted", runs_time_of(&log, 0, DETENT_WAIT, 0), parted, 1e-9);
        variant_check(v, "engine", runs_velocity(m, sim, "engine"), engine, 1e-6);
        variant_check(v, "load", runs_output(m, sim, "load"), load, 1e-6);
        runs_log_free(&log);
        runs_end(sim, m);
    }
}

/* ---- plain programs ---- */

/** Advances both, and compares some outputs with entries of y, every `grid` up to `end`. */
typedef struct race {
    const char *file;
    plain_rate rate;
    void (*settle)(double t, double *y,
                   const double *before); /**< after each step; NULL: nothing */
    size_t states;
    const char *output[3]; /**< names; NULL behind the last */
    size_t entry[3];
    double scale; /**< of the outputs: output = scale * entry */
    double step, grid, end, tolerance[3];
} race;

/** Every row of the plain program; free() it. Its rates are told the middle of the step, for what switches at its ends. */
static double *run_plain(const race *r, const double *start, size_t rows)
{
    const size_t steps = (size_t)lround(r->grid / r->step);
    double y[PLAIN_MOST] = {0}, before[PLAIN_MOST], *all = malloc(rows * sizeof y);
    assert_non_null(all);
    memcpy(y, start, r->states * sizeof *y);
    for (size_t n = 0; n < rows * steps; n++) {
        const double t = r->step * (double)n, middle = t + 0.5 * r->step;
        memcpy(before, y, sizeof y);
        plain_step(y, r->states, t, r->step, r->rate, &middle);
        if (r->settle) {
            r->settle(t + r->step, y, before);
        }
        if ((n + 1) % steps == 0) {
            memcpy(all + PLAIN_MOST * (n / steps), y, sizeof y);
        }
    }
    return all;
}

static void must_agree(const race *r, const double *start)
{
    const size_t rows = (size_t)lround(r->end / r->grid);
    double *plain = run_plain(r, start, rows);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_load(r->file, NULL);
        detent_simulation *sim = variant_start(m, v);
        for (size_t row = 0; row < rows; row++) {
            variant_advance(sim, v, (double)(row + 1) * r->grid);
            for (size_t i = 0; i < 3 && r->output[i]; i++) {
                variant_check(v, r->output[i], runs_output(m, sim, r->output[i]),
                              r->scale * plain[PLAIN_MOST * row + r->entry[i]], r->tolerance[i]);
            }
        }
        runs_end(sim, m);
    }
    free(plain);
}

/* Breakaway 25, Coulomb 20, at 0.1 rad/s. */
static void disk_rate(double t, const double *y, double *rate, const void *user)
{
    UNUSED(user);
    const double w = y[1], s = w / (0.1 * sqrt(2)),
                 friction =
                     sqrt(2 * exp(1)) * 5 * exp(-s * s) * s + 20 * tanh(w / 0.01) + 0.001 * w;
    rate[0] = w;
    rate[1] = 50 * (0.2 * t - y[0]) - friction;
}

static void an_inertia_with_friction(void **state)
{
    UNUSED(state);
    const double start[2] = {0};
    must_agree(&(race){.file = "inertia_with_friction.yaml",
                       .rate = disk_rate,
                       .states = 2,
                       .output = {"position(disk)", "velocity(disk)"},
                       .entry = {0, 1},
                       .scale = 1,
                       .step = 1e-4,
                       .grid = 0.25,
                       .end = 6,
                       .tolerance = {1e-8, 1e-7}},
               start);
}

/* The wheel, its speed, how far it has been. */
static void ratchet_rate(double t, const double *y, double *rate, const void *user)
{
    UNUSED(t);
    const double middle = *(const double *)user, pitch = 2 * acos(-1) / 24,
                 tooth = pitch * floor(y[2] / pitch), behind = tooth - y[0], give = 1 - 1.5 * y[1],
                 push = behind > 0 && give > 0 ? 2e5 * behind * give : 0,
                 pull = middle - floor(middle) < 0.4 ? 60 : 0;
    rate[0] = y[1];
    rate[1] = (pull - 25 + push - 8 * y[1]) / 1.2;
    rate[2] = y[0] > y[2] ? 2000 * (y[0] - y[2]) : 0;
}

static void a_ratchet_holds_its_teeth(void **state)
{
    UNUSED(state);
    const double start[3] = {0};
    must_agree(&(race){.file = "ratchet.yaml",
                       .rate = ratchet_rate,
                       .states = 3,
                       .output = {"position(wheel)"},
                       .entry = {0},
                       .scale = 1,
                       .step = 1e-6,
                       .grid = 0.05,
                       .end = 4,
                       .tolerance = {1e-8}},
               start);
}

static double line(double x, double x0, double x1, double y0, double y1)
{
    return x <= x0 ? y0 : x >= x1 ? y1 : y0 + (y1 - y0) * (x - x0) / (x1 - x0);
}

static double degrees(double angle)
{
    return angle * 180 / acos(-1);
}

/* All that turns the door beside the friction of its hinge: y is angle, speed, latched. */
static double door_torque(double t, const double *y)
{
    const double d = degrees(y[0]), deg = acos(-1) / 180;
    const double oil = d < 12   ? line(d, 8, 12, 6, 30)
                       : d < 75 ? 30
                                : line(d, 75, 90, 30, 60),
                 strike = d < 2 ? line(d, 0.8, 1.5, 0, 5) : line(d, 3, 3.5, 5, 0),
                 beyond = y[0] - 0.3 * deg;
    return -9 - 4 * y[0] - oil * y[1] + (t < 0.5 ? 0 : (1 - y[2]) * strike) +
           (beyond > 0 ? -y[2] * (2e4 * beyond + 100 * y[1]) : 0) + (t < 1 ? 45 : 0) +
           (t > 12 && t < 12.5 ? 30 : 0);
}

static void door_rate(double t, const double *y, double *rate, const void *user)
{
    const double middle = *(const double *)user;
    UNUSED(t);
    const double torque = door_torque(middle, y), J = 1.2 + 22 * 0.4 * 0.4;
    const bool rests = y[1] == 0 && (fabs(torque) <= 0.9 || (y[0] == 0 && torque < 0.9));
    const double way = y[1] != 0 ? (y[1] > 0) - (y[1] < 0) : (torque > 0) - (torque < 0);
    rate[0] = rests ? 0 : y[1];
    rate[1] = rests ? 0 : (torque - 0.6 * way) / J;
    rate[2] = middle < 0.5 && y[2] > 0                           ? -2000
              : middle >= 0.5 && degrees(y[0]) < 0.8 && y[2] < 1 ? 2000
                                                                 : 0;
}

/* It turns round in a step, comes to its frame, and its latch to one of its ends. */
static void door_settle(double t, double *y, const double *before)
{
    UNUSED(t);
    if (before[1] * y[1] < 0) {
        y[1] = 0;
    }
    if (y[0] < 0) {
        y[0] = 0;
        y[1] = y[1] < -1e-5 ? -0.2 * y[1] : 0;
    }
    y[2] = y[2] < 0 ? 0 : y[2] > 1 ? 1 : y[2];
}

static void a_door_closes_and_is_held(void **state)
{
    UNUSED(state);
    const double start[3] = {0, 0, 1};
    must_agree(&(race){.file = "door.yaml",
                       .rate = door_rate,
                       .settle = door_settle,
                       .states = 3,
                       .output = {"angle"},
                       .entry = {0},
                       .scale = degrees(1),
                       .step = 1e-5,
                       .grid = 0.1,
                       .end = 14,
                       .tolerance = {3e-4}},
               start);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clutch_engages_and_slips),
        cmocka_unit_test(an_inertia_with_friction),
        cmocka_unit_test(a_ratchet_holds_its_teeth),
        cmocka_unit_test(a_door_closes_and_is_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
