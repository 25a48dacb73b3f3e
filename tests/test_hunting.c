/*
 * A sampled PID controller on a sticky slide (mechanisms/hunting.yaml): it hunts, as a program of fixed steps says that knows nothing of the library;
 * between two samples the force is constant, so its steps are exact. Without friction it does not.
 */
#include "support_changes.h"
#include "support_variants.h"

/* ---- the program ---- */

typedef struct slide {
    double x, v, integral, force;
} slide;

enum { MOST_STARTS = 200 };

typedef struct hunt {
    size_t starts;             /* from rest */
    double start[MOST_STARTS]; /* s */
    double place[MOST_STARTS]; /* m: where it stood */
    double x;                  /* in the end */
} hunt;

static const double mass = 2, period = 1e-3, target = 0.01, kp = 1000, ki = 3000, kd = 20;

static double towards(double x)
{
    return (x > 0) - (x < 0);
}

/* What is left of a step; a slide that comes to rest in it goes on from there. */
static void move(slide *s, double dt, double fs, double fk)
{
    for (int part = 0; part < 3 && dt > 0; part++) {
        const double way = s->v != 0             ? towards(s->v)
                           : fabs(s->force) > fs ? towards(s->force)
                                                 : 0,
                     a = (s->force - way * fk) / mass;
        if (way == 0) {
            return;
        }
        const double stop = s->v * a < 0 ? -s->v / a : dt, now = fmin(stop, dt);
        s->x += now * (s->v + 0.5 * now * a);
        s->v = stop < dt ? 0 : s->v + now * a;
        dt -= now;
    }
}

static hunt run_plain(double end, double fs, double fk)
{
    slide s = {0};
    hunt h = {0};
    const size_t steps = (size_t)lround(end / period);
    for (size_t k = 0; k < steps; k++) {
        const double error = target - s.x;
        s.integral += ki * period * error;
        s.force = kp * error + s.integral - kd * s.v;
        if (s.v == 0 && fabs(s.force) > fs) {
            assert_true(h.starts < MOST_STARTS);
            h.start[h.starts] = (double)k * period;
            h.place[h.starts++] = s.x;
        }
        move(&s, period, fs, fk);
    }
    h.x = s.x;
    return h;
}

/* ---- the library ---- */

static hunt run(variant v, const char *const set[], double end)
{
    detent_mechanism *m = runs_load("hunting.yaml", set);
    detent_settings settings = variant_settings(m, v);
    settings.rtol = 1e-13;
    detent_simulation *sim = runs_start(m, &settings);
    hunt h = {0};
    while (detent_time(sim) < end) {
        detent_error error;
        const detent_status status = detent_advance(sim, end, true, &error);
        size_t count;
        const detent_mode_change *c = last_event(sim, &count);
        if (status != DETENT_EVENT) {
            runs_must(status, &error);
        }
        for (size_t k = 0; k < count && status == DETENT_EVENT; k++) {
            if (c[k].from == DETENT_LOCKED && h.starts < MOST_STARTS) {
                h.start[h.starts] = c[k].time;
                h.place[h.starts++] = runs_position(m, sim, "slide");
            }
        }
    }
    h.x = runs_position(m, sim, "slide");
    runs_end(sim, m);
    return h;
}

/* ---- the tests ---- */

/* Of the last `cycles`: the mean time between two starts in the same direction, half the mean way between two starts. */
static double mean_period(const hunt *h, size_t cycles)
{
    return (h->start[h->starts - 1] - h->start[h->starts - 1 - 2 * cycles]) / (double)cycles;
}

static double mean_amplitude(const hunt *h, size_t cycles)
{
    double sum = 0;
    for (size_t n = h->starts - 2 * cycles; n < h->starts; n++) {
        assert_true((h->place[n] - target) * (h->place[n - 1] - target) < 0);
        sum += 0.5 * fabs(h->place[n] - h->place[n - 1]);
    }
    return sum / (2 * (double)cycles);
}

/* It sets out at a sample, with what the force has beyond its limit by then; so each start makes seven times as much of an error as there was before,
 * as long as it is small beside what the force changes by in a sample. The first starts are those of the program one by one, the others on
 * the mean. */
static void it_hunts(void **state)
{
    UNUSED(state);
    enum { ALIKE = 4, CYCLES = 5 };
    const double end = 30;
    const hunt should = run_plain(end, 6, 4);
    assert_true(should.starts > 2 * CYCLES + 3);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        const hunt is = run(v, NULL, end);
        for (size_t n = 0; n < ALIKE; n++) {
            /* its first start is none from rest: at the first sample it is pulled already */
            variant_check(v, "when it starts", is.start[n], should.start[n + 1], 1e-9);
            variant_check(v, "where it stood", is.place[n], should.place[n + 1], 1e-9);
        }
        const double period_should = mean_period(&should, CYCLES),
                     amplitude_should = mean_amplitude(&should, CYCLES);
        variant_check(v, "period", mean_period(&is, CYCLES), period_should, 2e-3 * period_should);
        variant_check(v, "amplitude", mean_amplitude(&is, CYCLES), amplitude_should,
                      2e-3 * amplitude_should);
        assert_true(mean_amplitude(&is, CYCLES) > 1e-3);
    }
}

static void without_friction_it_does_not(void **state)
{
    UNUSED(state);
    static const char *const none[] = {"static=0", "kinetic=0", NULL};
    const double end = 6;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        variant_check(v, "friction 0: where it ends", run(v, none, end).x, target, 1e-9);
        variant_check(v, "as the program says", run_plain(end, 0, 0).x, target, 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_hunts),
        cmocka_unit_test(without_friction_it_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
