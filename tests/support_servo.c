#include "support_servo.h"

const double servo_static = 2000, servo_dynamic = 1200, servo_band = 1e-4, servo_mass = 10,
             servo_rate = 0.25e-3;

static detent_mechanism *load(servo_case c)
{
    char path[512];
    detent_mechanism *m;
    detent_error error;
    const detent_parameter ramp[] = {{"step", "0 mm"}, {"ramp", "0.25 mm/s"}};
    const detent_law_choice law = {
        .size = sizeof law, .primitive = "piston", .law = c.law, .velocity = 1e-4, .stretch = 1e-6};
    const detent_law_choice *choice = &law;
    const detent_load_options options = {.size = sizeof options,
                                         .parameters = ramp,
                                         .parameter_count = c.ramp ? 2 : 0,
                                         .laws = &choice,
                                         .law_count = 1};
    snprintf(path, sizeof path, "%s/mechanisms/servo.yaml", DETENT_SOURCE_DIR);
    runs_must(detent_mechanism_load(path, &options, &m, &error), &error);
    return m;
}

static void take_row(const detent_mechanism *m, detent_simulation *sim, servo_signals *s, size_t k)
{
    s->t[k] = detent_time(sim);
    s->x[k] = runs_position(m, sim, "piston");
    s->v[k] = runs_velocity(m, sim, "piston");
    s->active[k] = runs_output(m, sim, "active");
}

servo_signals servo_run(servo_case c)
{
    detent_mechanism *m = load(c);
    detent_settings settings = runs_settings(m, c.rtol, 0);
    settings.end = c.end;
    if (c.step > 0) {
        settings.integrator = DETENT_INTEGRATOR_EULER;
        settings.step = c.step;
    }
    servo_signals s = {.rows = (size_t)lround(c.end / c.grid) + 1};
    double *room = malloc(4 * s.rows * sizeof *room);
    assert_non_null(room);
    s.t = room;
    s.x = room + s.rows;
    s.v = room + 2 * s.rows;
    s.active = room + 3 * s.rows;
    detent_simulation *sim = runs_start(m, &settings);
    take_row(m, sim, &s, 0);
    for (size_t k = 1; k < s.rows; k++) {
        runs_record(sim, k + 1 < s.rows ? (double)k * c.grid : c.end, &s.log);
        take_row(m, sim, &s, k);
    }
    runs_end(sim, m);
    return s;
}

void servo_free(servo_signals *s)
{
    free(s->t);
    runs_log_free(&s->log);
    *s = (servo_signals){0};
}

size_t servo_first_moved(const servo_signals *s, double way)
{
    size_t k = 0;
    while (k < s->rows && fabs(s->x[k] - s->x[0]) <= way) {
        k++;
    }
    assert_true(k < s->rows);
    return k;
}

size_t servo_rest(const servo_signals *s)
{
    size_t k = s->rows;
    while (k > 0 && s->v[k - 1] == 0) {
        k--;
    }
    return k;
}

size_t servo_stops(const servo_signals *s, size_t from)
{
    size_t count = 0;
    for (size_t k = from + 1; k < s->rows; k++) {
        count += s->v[k] == 0 && s->v[k - 1] != 0;
    }
    return count;
}
