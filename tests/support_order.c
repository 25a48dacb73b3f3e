#include "support_order.h"

#include "support_variants.h"

enum { FIRST_HALVINGS = 6, HALF_HALVINGS = 5, FEW_HALVINGS = 3 };

void order_fill(const detent_mechanism *m, const detent_settings *settings, size_t rows, double end,
                order_table *t)
{
    detent_error error = {.message = ""};
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_mechanism_get_info(m, &info);
    detent_simulation *sim = runs_start(m, settings);
    *t = (order_table){.rows = rows, .outputs = info.outputs};
    assert_true(rows <= ORDER_MOST_ROWS && info.outputs <= ORDER_MOST_OUTPUTS);
    for (size_t k = 0; k < rows; k++) {
        runs_advance(sim, end * (double)(k + 1) / (double)rows);
        runs_must(detent_read(sim, DETENT_OUTPUTS, t->value[k], info.outputs, &error), &error);
    }
    detent_simulation_destroy(sim);
}

double order_distance(const order_table *a, const order_table *b)
{
    double sum = 0;
    for (size_t k = 0; k < a->rows; k++) {
        for (size_t j = 0; j < a->outputs; j++) {
            sum += fabs(a->value[k][j] - b->value[k][j]);
        }
    }
    return sum / (double)a->rows;
}

void order_say(double step, double error)
{
    if (runs_verbose()) {
        print_message("step %-12g error %g\n", step, error);
    }
}

double order_of(const detent_mechanism *m, detent_integrator integrator,
                detent_locked_joints locked, double longest, int halvings, const order_table *exact,
                double end, double *last)
{
    static order_table now;
    double h[ORDER_MOST_HALVINGS], error[ORDER_MOST_HALVINGS];
    detent_settings settings = runs_settings(m, 0, 0);
    settings.integrator = integrator;
    settings.locked_joints = locked;
    assert_true(halvings <= ORDER_MOST_HALVINGS);
    for (int k = 0; k < halvings; k++) {
        settings.step = h[k] = longest / (double)(1 << k);
        order_fill(m, &settings, exact->rows, end, &now);
        error[k] = order_distance(&now, exact);
        order_say(h[k], error[k]);
    }
    *last = error[halvings - 1];
    return runs_slope(h, error, (size_t)halvings);
}

void order_check_first(detent_mechanism *m, double end, double longest)
{
    static const double lengths[] = {1, 0.87, 0.74, 0.61};
    static order_table exact, now;
    double h[FIRST_HALVINGS], error[FIRST_HALVINGS];
    detent_settings tight = runs_settings(m, 1e-10, 0), settings = runs_settings(m, 0, 0);
    order_fill(m, &tight, ORDER_MOST_ROWS / 2, end, &exact);
    settings.integrator = DETENT_INTEGRATOR_FIXED;
    const bool few = variants_are_few();
    const int halvings = few ? FEW_HALVINGS : variants_are_half() ? HALF_HALVINGS : FIRST_HALVINGS;
    for (int k = 0; k < halvings; k++) {
        h[k] = longest / (double)(1 << k);
        error[k] = 0;
        for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++) {
            settings.step = h[k] * lengths[n];
            order_fill(m, &settings, exact.rows, end, &now);
            error[k] += order_distance(&now, &exact) * (double)sizeof *lengths / sizeof lengths;
        }
        order_say(h[k], error[k]);
    }
    if (few) { /* too few for an order */
        assert_true(error[halvings - 1] < error[0]);
    } else {
        const double slope = runs_slope(h, error, (size_t)halvings);
        runs_near("no less than first order", fmin(slope, 1), 1, 0.15);
    }
    assert_true(error[halvings - 1] > 1e-9); /* an error is left to tell an order from */
    detent_mechanism_destroy(m);
}
