#include "support_four_bar.h"

#include <math.h>
#include <stdio.h>

/** Angles of crank, rod and rocker in the world where the crank stands at `angle`, the rod above. */
void support_four_bar(double angle, double world[3])
{
    const double x = ground - crank * cos(angle), y = -crank * sin(angle), d = hypot(x, y);
    world[0] = angle;
    world[1] = atan2(y, x) + acos((rod * rod + d * d - rocker * rocker) / (2 * rod * d));
    world[2] = atan2(crank * sin(angle) + rod * sin(world[1]),
                     crank * cos(angle) + rod * cos(world[1]) - ground);
}

static const char bodies[] =
    "detent: 1\ngravity: [0, %g, 0]\n"
    "bodies:\n"
    "  crank: {mass: 1, center_of_mass: [0.15, 0, 0.1], inertia: [0.001, 0.01, 0.01]}\n"
    "  rod: {mass: 2, center_of_mass: [0.4, 0.05, 0], inertia: [0.001, 0.1, 0.1]}\n"
    "  rocker: {mass: 1.5, center_of_mass: [0.3, 0, -0.2], inertia: [0.001, 0.05, 0.05]}\n"
    "joints:\n";

/* Which joint is cut: 0 the pin of the rod on the crank, 1 that on the rocker, 2 the rocker's foot. */
void support_write_four_bar(char *text, size_t size, int cut, double gravity, double angle,
                            double speed, const char *more)
{
    const char *const mark = "closes: true, ", *const none = "";
    double w[3];
    support_four_bar(angle, w);
    int n = snprintf(text, size, bodies, gravity);
    n += snprintf(text + n, size - (size_t)n,
                  "  a: {type: revolute, base: ground, follower: crank, initial: {position: %.17g, "
                  "velocity: %.17g}}\n"
                  "  b: {%stype: revolute, base: crank, follower: rod, at: {base: [0.3, 0, 0]}, "
                  "initial: {position: %.17g}}\n",
                  w[0], speed, cut == 0 ? mark : none, w[1] - w[0]);
    if (cut < 2) {
        n += snprintf(text + n, size - (size_t)n,
                      "  d: {type: revolute, base: ground, follower: rocker, at: {base: [0.9, 0, "
                      "0]}, initial: {position: %.17g}}\n"
                      "  c: {%stype: revolute, base: rocker, follower: rod, at: {base: [0.6, 0, "
                      "0], follower: [0.8, 0, 0]}, initial: {position: %.17g}}\n",
                      w[2], cut == 1 ? mark : none, w[1] - w[2]);
    } else {
        n += snprintf(text + n, size - (size_t)n,
                      "  c: {type: revolute, base: rod, follower: rocker, at: {base: [0.8, 0, 0], "
                      "follower: [0.6, 0, 0]}, initial: {position: %.17g}}\n"
                      "  d: {%stype: revolute, base: ground, follower: rocker, at: {base: [0.9, 0, "
                      "0]}, initial: {position: %.17g}}\n",
                      w[2] - w[1], mark, w[2]);
    }
    snprintf(text + n, size - (size_t)n, "%s", more);
}
