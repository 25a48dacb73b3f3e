#include "support_range.h"

range_bench range_begin(const char *text)
{
    range_bench b = {.m = runs_parse(text, NULL)};
    detent_error error;
    runs_must(detent_analysis_create(b.m, NULL, &b.analysis, &error), &error);
    return b;
}

void range_end(range_bench *b)
{
    detent_analysis_destroy(b->analysis);
    detent_mechanism_destroy(b->m);
}

size_t range_index(const range_bench *b, const char *name)
{
    return (size_t)detent_find(b->m, DETENT_PRIMITIVE, name);
}

detent_status range_find(detent_analysis *analysis, size_t primitive, double from, double to,
                         detent_range *range, detent_joint_range *joints, detent_error *error)
{
    if (range) {
        range->size = sizeof *range;
    }
    const detent_status status = detent_find_range(analysis, primitive, from, to, range, error);
    if (!status) {
        detent_joint_range one = DETENT_INIT(detent_joint_range);
        for (size_t k = 0; detent_get_joint_range(analysis, k, &one) == DETENT_OK; k++) {
            joints[k] = one;
        }
    }
    return status;
}

void range_drive(range_bench *b, const char *name, double from, double to)
{
    double q[2][RANGE_MOST], v[2][RANGE_MOST];
    detent_error error;
    detent_analysis_get_state(b->analysis, NULL, q[0], v[0], NULL);
    runs_must(range_find(b->analysis, range_index(b, name), from, to, &b->range, b->joints, &error),
              &error);
    detent_analysis_get_state(b->analysis, NULL, q[1], v[1], NULL);
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_mechanism_get_info(b->m, &info);
    assert_memory_equal(q[0], q[1], info.coordinates * sizeof **q);
    assert_memory_equal(v[0], v[1], info.freedoms * sizeof **v);
}

void range_same_angle(const char *what, double value, double expected)
{
    runs_near(what, remainder(value - expected, 2 * range_pi), 0, 1e-9);
}

range_bench range_four_bar(const double l[4], double crank, double rod, double rocker)
{
    char text[2048];
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, 0, 0]\nbodies:\n"
             "  crank: {mass: 1, inertia: [0.01, 0.1, 0.1]}\n"
             "  rod: {mass: 1, inertia: [0.01, 0.1, 0.1]}\n"
             "  rocker: {mass: 1, inertia: [0.01, 0.1, 0.1]}\n"
             "joints:\n"
             "  a: {type: revolute, base: ground, follower: crank, initial: {position: %.17g, "
             "priority: exact}}\n"
             "  b: {type: revolute, base: crank, follower: rod, at: {base: [%.17g, 0, 0]}, "
             "initial: {position: %.17g}}\n"
             "  d: {type: revolute, base: ground, follower: rocker, at: {base: [%.17g, 0, 0]}, "
             "initial: {position: %.17g}}\n"
             "  c: {type: revolute, base: rocker, follower: rod, at: {base: [%.17g, 0, 0], "
             "follower: [%.17g, 0, 0]}}\n",
             crank, l[1], rod, l[0], rocker, l[3], l[2]);
    return range_begin(text);
}

double range_angle_in(double a, double b, double c)
{
    return acos((a * a + b * b - c * c) / (2 * a * b));
}

double range_ratio_at(const double l[4], double angle)
{
    const double x = l[0] - l[1] * cos(angle), y = -l[1] * sin(angle), d = hypot(x, y);
    const double rod = atan2(y, x) + acos((l[2] * l[2] + d * d - l[3] * l[3]) / (2 * l[2] * d));
    const double rocker =
        atan2(l[1] * sin(angle) + l[2] * sin(rod), l[1] * cos(angle) + l[2] * cos(rod) - l[0]);
    return l[1] * sin(angle - rod) / (l[3] * sin(rocker - rod));
}
