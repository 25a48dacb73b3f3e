/* A control loop a thousand times a second: one step of the mechanism, positions and velocities read, an input set. A motor turns an arm whose bearing
 * sticks, by way of a gear; a regulator with integral action brings it up, and holds it there, exactly at rest. Exits with 1 where something is not as it
 * should be. */

#include "detent/detent.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char mechanism_text[] =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies: {arm: {mass: 2 kg, center_of_mass: [0.3, 0, 0], inertia: [0.01, 0.06, 0.06]}}\n"
    "inputs: {torque: 0}\n"
    "joints: {shoulder: {type: revolute, base: ground, follower: arm, armature: 0.1, "
    "initial: {position: -1.2}}}\n"
    "stiction: {shoulder: {external: torque, static: 1.5 N*m, kinetic: 1 N*m}}\n"
    "simulation: {end: 5 s, integrator: {type: fixed, step: 1 ms}}\n";

static void check(detent_status status, const detent_error *error)
{
    if (status < 0) {
        fprintf(stderr, "%s: %s\n", detent_status_text(status), error->message);
        exit(1);
    }
}

int main(void)
{
    detent_error error = {.message = ""};
    detent_mechanism *mechanism = NULL;
    detent_simulation *simulation = NULL;
    check(detent_mechanism_parse(mechanism_text, sizeof mechanism_text - 1, "arm", NULL, &mechanism,
                                 &error),
          &error);
    check(detent_simulation_create(mechanism, NULL, &simulation, &error), &error);
    const double target = 0.5;
    double angle = 0, speed = 0, sum = 0;
    size_t locks = 0;
    for (int k = 0; k < 5000; k++) {
        check(detent_read(simulation, DETENT_POSITIONS, &angle, 1, &error), &error);
        check(detent_read(simulation, DETENT_VELOCITIES, &speed, 1, &error), &error);
        const double away = target - angle;
        sum += fabs(away) > 0.01 ? 1e-3 * away : 0; /* else friction and it would hunt */
        check(detent_set_input(simulation, 0, 40 * away + 30 * sum - 6 * speed, &error), &error);
        check(detent_step(simulation, &error), &error);
        detent_mode_change change = DETENT_INIT(detent_mode_change);
        for (size_t n = 0; detent_get_mode_change(simulation, n, &change) == DETENT_OK; n++) {
            locks += change.to == DETENT_LOCKED;
        }
    }
    check(detent_read(simulation, DETENT_POSITIONS, &angle, 1, &error), &error);
    check(detent_read(simulation, DETENT_VELOCITIES, &speed, 1, &error), &error);
    detent_statistics statistics = DETENT_INIT(detent_statistics);
    check(detent_get_statistics(simulation, &statistics), &error);
    printf("t = %.9g s: the arm is at %.4f rad, and turns by %g rad/s; it has locked %zu times\n",
           detent_time(simulation), angle, speed, locks);
    printf("%zu steps, at most %zu solves each, %zu unsettled\n", statistics.steps,
           statistics.max_search_solves, statistics.unsettled);
    const bool good = fabs(angle - target) < 0.02 && speed == 0;
    detent_simulation_destroy(simulation);
    detent_mechanism_destroy(mechanism);
    return good ? 0 : 1;
}
