/*
 * Couplings with a rigid backlash, in all variants: teeth that go to and fro, bounces that end in contact, teeth that are driven back and forth,
 * trains, friction beside; by formulas, and by a plain program that goes from event to event of motions with constant accelerations.
 */
#include "support_changes.h"
#include "support_trees.h"
#include "support_variants.h"

/* ---- two inertias ---- */

/** J1 = 1 and J2 = 2 at a ratio of 2: seen from the first one 1 and 1/2. */
static detent_mechanism *two(const char *words, const char *set)
{
    const char *const sets[] = {set, NULL};
    char text[1024];
    snprintf(
        text, sizeof text,
        "detent: 1\ngravity: [0, 0, 0]\nparameters: {e: 0.5, torque: 0}\n"
        "bodies: {rotor: {mass: 1, inertia: [1, 1, 1]}, table: {mass: 1, inertia: [1, 1, 2]}}\n"
        "joints:\n"
        "  motor: {type: revolute, base: ground, follower: rotor%s}\n"
        "  table: {type: revolute, base: ground, follower: table}\n"
        "couplings: {mesh: {type: gear, joints: [motor, table], ratio: 2, backlash: 0.2, "
        "restitution: e}}\n"
        "outputs: [velocity(motor), velocity(table), position(mesh), velocity(mesh), "
        "stop_force(mesh), kinetic_energy(), impact_loss(), position(motor), position(table)]\n"
        "simulation: {end: 10, rtol: 1e-11}\n",
        words);
    return runs_parse(text, sets);
}

/** Without torques: e' is turned over and halved whenever 0.2 rad are passed, and the momentum w1 + w2 (2 w2 is half of it) stays. */
static void teeth_go_to_and_fro(void **state)
{
    static const double hit[] = {0.1, 0.5, 1.3, 2.9};
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = two(", initial: {velocity: 1}", "e=0.5");
        detent_simulation *sim = variant_start(m, v);
        double slip = 1;
        for (size_t n = 0; n < 4; n++) {
            detent_error error;
            size_t count = 0;
            double x[9];
            assert_int_equal(detent_advance(sim, 10, true, &error), DETENT_EVENT);
            const detent_mode_change *change = last_event(sim, &count);
            assert_int_equal(count, 1);
            assert_int_equal(change->cause, DETENT_CAUSE_IMPACT);
            variant_check(v, "hit", change->time, hit[n], 1e-10);
            slip *= -0.5;
            runs_must(detent_read(sim, DETENT_OUTPUTS, x, 9, &error), &error);
            /* w1 + w2 = 1 in momenta of the first joint: w1 + 1/2 (2 w2) = 1, w1 - 2 w2 = slip */
            variant_check(v, "motor", x[0], (2 + slip) / 3, 1e-13);
            variant_check(v, "table", x[1], (1 - slip) / 3, 1e-13);
            assert_true(x[2] == (n % 2 ? -0.1 : 0.1));
            variant_check(v, "slip", x[3], slip, 1e-14);
            variant_check(v, "loss", x[6], (1 - slip * slip) / 6, 1e-13);
            variant_check(v, "energy", x[5] + x[6], 0.5, 1e-13);
        }
        runs_end(sim, m);
    }
}

/** A motor that pushes always closes the gap in the end: after all bounces, at the exact time, and then both go together. */
static void bounces_end_in_contact(void **state)
{
    static const char *const set[] = {"e=0", "e=0.2", "e=0.5", "e=0.6"};
    static const double e[] = {0, 0.2, 0.5, 0.6};
    UNUSED(state);
    for (size_t n = 0; n < sizeof e / sizeof *e; n++) {
        const double torque = 10, fall = sqrt(0.2 / torque), /* 0.1 rad at 10 rad/s^2 */
            rest = fall + 2 * fall * e[n] / (1 - e[n]);
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            const variant v = variant_at(k);
            detent_mechanism *m = two(", force: \"10\"", set[n]);
            detent_simulation *sim = variant_start(m, v);
            runs_log log = {0};
            double x[9];
            runs_record(sim, 10, &log);
            variant_check(v, "rests", runs_time_of(&log, 0, DETENT_LOCKED, 0), rest, 1e-9);
            variant_outputs(sim, v, 10, x, 9);
            assert_true(x[2] == 0.1 && x[3] == 0);
            /* the momentum, and where the middle of both is */
            variant_check(v, "motor", x[0], torque * 10 / 1.5, 1e-10);
            variant_check(v, "table", x[1], torque * 10 / 3, 1e-10);
            variant_check(v, "teeth", x[4], -torque / 3, 1e-12);
            variant_check(v, "place", x[7] + x[8], 0.5 * torque * 100, 1e-8);
            runs_log_free(&log);
            runs_end(sim, m);
        }
    }
}

/* ---- driven back and forth ---- */

/** The first t > from at which -A cos(w t) = a + b t, by bisection, in steps shorter than what the motion does. */
static double meet(double A, double w, double a, double b, double from)
{
    const double step = 0.01 / w;
    double low = from + step;
    const bool is_above = -A * cos(w * low) > a + b * low;
    while ((-A * cos(w * (low + step)) > a + b * (low + step)) == is_above) {
        low += step;
    }
    double high = low + step;
    for (int k = 0; k < 80; k++) {
        const double middle = 0.5 * (low + high);
        const bool same = (-A * cos(w * middle) > a + b * middle) == is_above;
        low = same ? middle : low;
        high = same ? high : middle;
    }
    return 0.5 * (low + high);
}

/**
 * The motor goes A (1 - cos(w t)), without restitution: a tooth takes the table along until it is fastest, 2 w2 = A w; then the table goes on alone,
 * until the other tooth is there.
 */
static void driven_back_and_forth(void **state)
{
    enum { TURNS = 5 };
    const double A = 0.5, w = 4, pi = acos(-1), b = 0.2;
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = two(", motion: \"0.5*(1 - cos(4*t))\"", "e=0");
        detent_simulation *sim = variant_start(m, v);
        runs_log log = {0};
        double hit = meet(A, w, 0.5 * b - A, 0, 0), leave = 0.5 * pi / w,
               slip = A * w * sin(w * hit), loss = 0.25 * slip * slip, x[9];
        runs_record(sim, 4.2, &log);
        for (size_t n = 0; n < TURNS; n++) {
            const double side = n % 2 ? -1 : 1;
            variant_check(v, "hits", runs_time_of(&log, 0, DETENT_LOCKED, n), hit, 1e-9);
            variant_check(v, "parts", /* at first it begins to move */
                          runs_time_of(&log, 0, DETENT_WAIT, n + 1), leave, 1e-8);
            /* from then on 2 q2 = A - side b/2 + side A w (t - leave) */
            hit = meet(A, w, -side * b - side * A * w * leave, side * A * w, leave);
            slip = A * w * sin(w * hit) - side * A * w;
            loss += hit < 4.2 ? 0.25 * slip * slip : 0;
            leave += pi / w;
        }
        variant_outputs(sim, v, 4.2, x, 9);
        variant_check(v, "loss", x[6], loss, 1e-8);
        runs_log_free(&log);
        runs_end(sim, m);
    }
}

/* ---- friction beside ---- */

/**
 * A torque that grows, t, closes the gap, t^3/6 = 0.1, and the impact moves the table, which 4 N m of friction stop (2 at the motor, that has 3/2 to
 * move now). It holds up to 6 N m, until t = 3.
 */
static void teeth_press_on_what_sticks(void **state)
{
    const double hit = cbrt(0.6), speed = 0.5 * hit * hit / 1.5,
                 /* 1.5 speed + (t^2 - hit^2)/2 - 2 (t - hit) = 0 */
        rest = 2 - sqrt(4 - 2 * (1.5 * speed - 0.5 * hit * hit + 2 * hit)), leave = 3;
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(
            "detent: 1\ngravity: [0, 0, 0]\n"
            "bodies: {rotor: {mass: 1, inertia: [1, 1, 1]}, table: {mass: 1, inertia: [1, 1, 2]}}\n"
            "joints:\n"
            "  motor: {type: revolute, base: ground, follower: rotor, force: \"t*(1 [N*m/s])\"}\n"
            "  table: {type: revolute, base: ground, follower: table}\n"
            "couplings: {mesh: {type: gear, joints: [motor, table], ratio: 2, backlash: 0.2}}\n"
            "stiction: {table: {kinetic: 4, static: 6}}\n"
            "outputs: [velocity(motor), velocity(table), stop_force(mesh), friction(table), "
            "impact_loss()]\n"
            "simulation: {end: 4, rtol: 1e-11}\n",
            NULL);
        detent_simulation *sim = variant_start(m, v);
        runs_log log = {0};
        double x[5];
        runs_record(sim, 4, &log);
        variant_check(v, "hit", runs_time_of(&log, 1, DETENT_LOCKED, 1), hit, 1e-9);
        variant_check(v, "rest", runs_time_of(&log, 0, DETENT_LOCKED, 1), rest, 1e-8);
        variant_check(v, "leave", runs_time_of(&log, 0, DETENT_WAIT, 0), leave, 1e-9);
        variant_outputs(sim, v, 4, x, 5);
        variant_check(v, "motor", x[0], 1, 1e-9);
        variant_check(v, "table", x[1], 0.5, 1e-9);
        /* together w' = 2 / 1.5 */
        variant_check(v, "tooth", x[2], -(4 - 2 / 1.5), 1e-9);
        variant_check(v, "friction", x[3], -4, 1e-9);
        variant_check(v, "loss", x[4], 0.125 * hit * hit * hit * hit / 3, 1e-9);
        runs_log_free(&log);
        detent_simulation_destroy(sim);
        sim = variant_start(m, v);
        variant_outputs(sim, v, 2.5, x, 5);
        assert_true(x[0] == 0 && x[1] == 0);
        variant_check(v, "held", x[3], -5, 1e-9);
        variant_check(v, "pushed", x[2], -2.5, 1e-9);
        runs_end(sim, m);
    }
}

/* ---- a train, by a plain program ---- */

enum { WHEELS = 4, GAPS = WHEELS - 1 };

/** Wheels in a row, seen from the first one; torques are constant. Gap i is between wheel i and i + 1: x_i - x_(i+1) within +- half of b. */
typedef struct train {
    double J[WHEELS], torque[WHEELS], x[WHEELS], v[WHEELS], a[WHEELS];
    double b[GAPS], e[GAPS];
    int side[GAPS]; /* 1, -1: closed there; 0: open */
} train;

/** Velocity steps that go with impulses or torques P at the gaps: wheel i has lost P_i and got P_(i-1). Pushes are positive in the direction of the side. */
static void apply(const train *t, const double *P, const double *given, double *change)
{
    for (int i = 0; i < WHEELS; i++) {
        change[i] = (given[i] - (i < GAPS ? P[i] : 0) + (i > 0 ? P[i - 1] : 0)) / t->J[i];
    }
}

/**
 * P at the gaps of a set so that the difference at each changes by `want`; 0 at the others. By elimination of the three rows:
 * a gap's own change is -(1/J_i + 1/J_(i+1)) P_i + P_(i-1)/J_i + P_(i+1)/J_(i+1) + given.
 */
static void solve_gaps(const train *t, int set, const double *want, const double *given, double *P)
{
    double A[GAPS][GAPS + 1] = {{0}};
    for (int i = 0; i < GAPS; i++) {
        const double other = given[i] / t->J[i] - given[i + 1] / t->J[i + 1];
        if (!(set & 1 << i)) {
            A[i][i] = 1;
            continue;
        }
        A[i][i] = -(1 / t->J[i] + 1 / t->J[i + 1]);
        if (i > 0) {
            A[i][i - 1] = 1 / t->J[i];
        }
        if (i + 1 < GAPS) {
            A[i][i + 1] = 1 / t->J[i + 1];
        }
        A[i][GAPS] = want[i] - other;
    }
    for (int i = 1; i < GAPS; i++) {
        const double part = A[i][i - 1] / A[i - 1][i - 1];
        for (int k = i - 1; k <= GAPS; k++) {
            A[i][k] -= part * A[i - 1][k];
        }
    }
    for (int i = GAPS - 1; i >= 0; i--) {
        P[i] = (A[i][GAPS] - (i + 1 < GAPS ? A[i][i + 1] * P[i + 1] : 0)) / A[i][i];
    }
}

/** Whether pushes are pushes, and who does not push gets no further beyond: s (after + e before) <= 0. */
static bool belongs(const train *t, int closed, int set, const double *P, const double *after,
                    const double *least)
{
    bool good = true;
    for (int i = 0; i < GAPS && good; i++) {
        const double s = t->side[i], gap = after[i] - after[i + 1];
        good = !(closed & 1 << i) || (set & 1 << i ? s * P[i] >= 0 : s * gap <= s * least[i]);
    }
    return good;
}

/** All impacts of an instant, of gaps that are closed and not on their way apart. */
static void strike(train *t)
{
    for (;;) {
        const double none[WHEELS] = {0};
        double want[GAPS] = {0}, least[GAPS] = {0}, P[GAPS], change[WHEELS], after[WHEELS];
        int closed = 0;
        bool due = false;
        for (int i = 0; i < GAPS; i++) {
            const double gap = t->v[i] - t->v[i + 1];
            if (t->side[i] != 0 && t->side[i] * gap >= -1e-11) {
                closed |= 1 << i;
                due = due || t->side[i] * gap > 1e-11;
                want[i] = -(1 + t->e[i]) * gap;
                least[i] = -t->e[i] * gap;
            }
        }
        if (!due) {
            return;
        }
        for (int set = 0; set < 1 << GAPS; set++) {
            if (set & ~closed) {
                continue;
            }
            solve_gaps(t, set, want, none, P);
            apply(t, P, none, change);
            for (int i = 0; i < WHEELS; i++) {
                after[i] = t->v[i] + change[i];
            }
            for (int i = 0; i < GAPS; i++) {
                least[i] += closed & 1 << i ? t->side[i] * 1e-12 : 0;
            }
            if (belongs(t, closed, set, P, after, least)) {
                break;
            }
        }
        memcpy(t->v, after, sizeof after);
    }
}

/** Accelerations, and which gaps stay closed. */
static void push(train *t)
{
    const double none[GAPS] = {0};
    double P[GAPS];
    int closed = 0;
    for (int i = 0; i < GAPS; i++) {
        const double gap = t->v[i] - t->v[i + 1];
        if (t->side[i] != 0 && fabs(gap) <= 1e-11) {
            closed |= 1 << i;
        } else if (t->side[i] * gap < 0) {
            t->side[i] = 0;
        }
    }
    for (int set = 0; set < 1 << GAPS; set++) {
        if (set & ~closed) {
            continue;
        }
        solve_gaps(t, set, none, t->torque, P);
        apply(t, P, t->torque, t->a);
        if (belongs(t, closed, set, P, t->a, none)) {
            for (int i = 0; i < GAPS; i++) {
                t->side[i] = set & 1 << i ? t->side[i] : 0;
            }
            return;
        }
    }
    fail_msg("no set of gaps belongs together");
}

/** When gap i comes to an end, from now, at most `within`. */
static double closes(const train *t, int i, double within, int *side)
{
    const double x = t->x[i] - t->x[i + 1], v = t->v[i] - t->v[i + 1], a = t->a[i] - t->a[i + 1];
    double first = within;
    for (int s = -1; s <= 1 && t->side[i] == 0; s += 2) {
        const double left = 0.5 * t->b[i] - s * x, w = s * v, c = 0.5 * s * a,
                     D = w * w + 4 * c * left;
        const double h = D < 0             ? INFINITY
                         : w > 0 || c <= 0 ? 2 * left / (w + sqrt(D))
                                           : (sqrt(D) - w) / (2 * c);
        if (h >= 0 && h < first && w + 2 * c * h > 0) {
            first = h;
            *side = s;
        }
    }
    return first;
}

/** On until `end`, from event to event. Bounces that are over within a ten-millionth of a second are none. */
static void run_train(train *t, double from, double end)
{
    while (from < end) {
        double h = end - from;
        int gap = -1, side = 0;
        push(t);
        for (int i = 0; i < GAPS; i++) {
            int own = 0;
            const double next = closes(t, i, h, &own);
            if (next < h) {
                h = next, gap = i, side = own;
            }
        }
        for (int i = 0; i < WHEELS; i++) {
            t->x[i] += h * (t->v[i] + 0.5 * h * t->a[i]);
            t->v[i] += h * t->a[i];
        }
        if (gap >= 0) {
            t->side[gap] = side;
            t->x[gap + 1] = t->x[gap] - 0.5 * side * t->b[gap]; /* to the last bit */
            if (h < 1e-7) {
                const double e = t->e[gap];
                t->e[gap] = 0;
                strike(t);
                t->e[gap] = e;
            } else {
                strike(t);
            }
        }
        from += h;
    }
}

/** Wheels of a ratio of 2 each, a motor that turns about every second, and a brake that always acts the same way. */
static void trains_rattle(void **state)
{
    static const double torque[] = {6, -9, 8, -5, 7};
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: [1, 1, 1]}\n  b: {mass: 1, inertia: [2, 2, 2]}\n"
        "  c: {mass: 1, inertia: [9, 9, 9]}\n  d: {mass: 1, inertia: [20, 20, 20]}\n"
        "joints:\n"
        "  a: {type: revolute, base: ground, follower: a, force: \"if(t < 1, 6, if(t < 2, -9, if(t "
        "< 3, 8, if(t < 4, -5, 7))))\"}\n"
        "  b: {type: revolute, base: ground, follower: b}\n"
        "  c: {type: revolute, base: ground, follower: c}\n"
        "  d: {type: revolute, base: ground, follower: d, force: -4}\n"
        "couplings:\n"
        "  ab: {type: gear, joints: [a, b], ratio: 2, backlash: 0.1, restitution: 0.4}\n"
        "  bc: {type: gear, joints: [b, c], ratio: 2, backlash: 0.2, restitution: 0}\n"
        "  cd: {type: gear, joints: [c, d], ratio: -2, backlash: 0.05, restitution: 0.6}\n"
        "outputs: [position(a), position(b), position(c), position(d), velocity(a), velocity(b), "
        "velocity(c), velocity(d)]\n"
        "simulation: {end: 5, rtol: 1e-11}\n";
    static const double ratio[WHEELS] = {1, 2, 4, -8};
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        train t = {.J = {1, 2 / 4.0, 9 / 16.0, 20 / 64.0},
                   .torque = {0, 0, 0, 4 / 8.0},
                   .b = {0.1, 0.4, 0.2},
                   .e = {0.4, 0, 0.6}};
        for (int n = 0; n < 5; n++) {
            double x[2 * WHEELS];
            t.torque[0] = torque[n];
            for (int part = 0; part < 2; part++) {
                const double from = n + 0.5 * part;
                run_train(&t, from, from + 0.5);
                variant_outputs(sim, v, from + 0.5, x, 2 * WHEELS);
                for (int i = 0; i < WHEELS; i++) {
                    variant_check(v, "place", ratio[i] * x[i], t.x[i], 1e-6);
                    variant_check(v, "speed", ratio[i] * x[WHEELS + i], t.v[i], 1e-6);
                }
            }
        }
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(teeth_go_to_and_fro),   cmocka_unit_test(bounces_end_in_contact),
        cmocka_unit_test(driven_back_and_forth), cmocka_unit_test(teeth_press_on_what_sticks),
        cmocka_unit_test(trains_rattle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
