/*
 * Drives whose controllers are states: a robot's axis against the same with a dummy body for every state, as it had to be built without them; a motor axis
 * with an elastic gear, backlash and PID against a plain program.
 */
#include "support_plain.h"
#include "support_variants.h"

/* ---- dummy bodies ---- */

/* mechanisms/robot_drive.yaml with masses of 1 kg on rails instead of states: what was a state is a velocity, its derivative a force. */
static const char dummies_text[] =
    "detent: 1\ngravity: [0, -9.81, 0]\n"
    "parameters: {ratio: 100, second: 1 s, per_speed: 1 s/m, newton: 1 N, newton_meter: 1 N*m}\n"
    "signals:\n"
    "  motor_speed: velocity(motor)*second\n"
    "  arm_speed: velocity(arm)*second\n"
    "  speed_part: velocity(a)*per_speed\n"
    "  current_part: velocity(b)*per_speed\n"
    "  current: velocity(c)*per_speed\n"
    "  bristle: velocity(d)*per_speed\n"
    "  speed_error: \"40*ramp(t, 0.1 s, 0.3 s) - motor_speed\"\n"
    "  current_error: 0.12*speed_error + speed_part - current\n"
    "  drive_voltage: 8*current_error + current_part\n"
    "  curve: \"20 + 8*exp(-(arm_speed/0.02)^2)\"\n"
    "  bristle_rate: \"arm_speed - 3e5*abs(arm_speed)*bristle/curve\"\n"
    "  rubbing: 3e5*bristle + 400*bristle_rate + 12*arm_speed\n"
    "  gear: 8000*(position(motor)/ratio - position(arm)) + 15*(motor_speed/ratio - arm_speed)\n"
    "bodies:\n"
    "  rotor: {mass: 0.5 kg, inertia: [2e-4, 2e-4, 2e-4]}\n"
    "  arm: {mass: 6 kg, center_of_mass: [0.3, 0, 0], inertia: [0.05, 0.2, 0.2]}\n"
    "  first: {mass: 1}\n  second_one: {mass: 1}\n  third: {mass: 1}\n  fourth: {mass: 1}\n"
    "joints:\n"
    "  motor: {type: revolute, base: ground, follower: rotor, initial: {position: -60 deg*ratio}, "
    "force: (0.1*current - gear/ratio)*newton_meter}\n"
    "  arm: {type: revolute, base: ground, follower: arm, initial: {position: -60 deg}, "
    "force: (gear - rubbing)*newton_meter}\n"
    "  a: {type: prismatic, base: ground, follower: first, axis: [1, 0, 0], force: "
    "1.5*speed_error*newton}\n"
    "  b: {type: prismatic, base: ground, follower: second_one, axis: [1, 0, 0], force: "
    "2500*current_error*newton}\n"
    "  c: {type: prismatic, base: ground, follower: third, axis: [1, 0, 0], force: (drive_voltage "
    "- "
    "1.2*current - 0.1*motor_speed)/4e-3*newton}\n"
    "  d: {type: prismatic, base: ground, follower: fourth, axis: [1, 0, 0], force: "
    "bristle_rate*newton}\n"
    "outputs:\n"
    "  - velocity(motor)\n  - position(arm)\n  - velocity(arm)\n  - {c_current: current}\n"
    "  - {c_voltage: drive_voltage}\n  - {c_friction: rubbing}\n"
    "simulation: {end: 1}\n";

enum { OUTPUTS = 6, ROWS = 50 };

static void run_drive(detent_mechanism *m, variant v, double rtol, double values[ROWS][OUTPUTS])
{
    detent_settings settings = variant_settings(m, v);
    settings.rtol = rtol;
    detent_simulation *sim = runs_start(m, &settings);
    for (int row = 0; row < ROWS; row++) {
        variant_outputs(sim, v, (row + 1) / (double)ROWS, values[row], OUTPUTS);
    }
    detent_simulation_destroy(sim);
}

static void states_do_what_dummy_bodies_did(void **state)
{
    UNUSED(state);
    static const char *const name[OUTPUTS] = {
        "speed of the motor", "angle", "speed", "current", "voltage", "friction"};
    static double is[ROWS][OUTPUTS], should[ROWS][OUTPUTS];
    detent_mechanism *states = runs_load("robot_drive.yaml", NULL),
                     *dummies = runs_parse(dummies_text, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        double most[OUTPUTS] = {0};
        run_drive(states, v, 1e-12, is);
        run_drive(dummies, v, 1e-12, should);
        for (int row = 0; row < ROWS; row++) {
            for (int i = 0; i < OUTPUTS; i++) {
                most[i] = fmax(most[i], fabs(should[row][i]));
            }
        }
        for (int row = 0; row < ROWS; row++) {
            for (int i = 0; i < OUTPUTS; i++) {
                variant_check(v, name[i], is[row][i] / most[i], should[row][i] / most[i], 1e-9);
            }
        }
    }
    detent_mechanism_destroy(states);
    detent_mechanism_destroy(dummies);
}

/* ---- the motor axis ---- */

enum { MOTOR, MOTOR_SPEED, TABLE, TABLE_SPEED, INTEGRAL, FILTERED, ENTRIES };

static double clamp(double x, double most)
{
    return x > most ? most : x < -most ? -most : x;
}

/* Beyond the backlash teeth push and do not pull. */
static double gear_force(const double *y)
{
    const double half = 2 * acos(-1) / 180, e = y[MOTOR] - 20 * y[TABLE],
                 rate = y[MOTOR_SPEED] - 20 * y[TABLE_SPEED],
                 push = fabs(e) <= half ? 0 : 10 * (fabs(e) - half) + 0.01 * (e > 0 ? rate : -rate);
    return push > 0 ? (e > 0 ? push : -push) : 0;
}

static double ramp(double t, double from, double to)
{
    return t < from ? 0 : t > to ? 1 : (t - from) / (to - from);
}

static void axis_rate(double t, const double *y, double *rate, const void *user)
{
    const double way = *(const double *)user;
    const double command = 0.5 * (ramp(t, 0, 0.5) - ramp(t, 2, 2.5)), error = command - y[TABLE],
                 filtering = (error - y[FILTERED]) / 5e-3,
                 torque = clamp((60 * error + y[INTEGRAL] + 6 * filtering) / 20, 0.2),
                 gear = gear_force(y), push = 20 * gear;
    rate[MOTOR] = y[MOTOR_SPEED];
    rate[MOTOR_SPEED] = (torque - gear - 2e-4 * y[MOTOR_SPEED]) / 1e-4;
    rate[TABLE] = y[TABLE_SPEED];
    rate[TABLE_SPEED] = way == 0 ? 0 : (push - 2 * way) / 0.2;
    rate[INTEGRAL] = 150 * error;
    rate[FILTERED] = filtering;
}

/** Until `end`, rows every `grid`. */
static void run_axis(double dt, double grid, size_t rows, double (*row)[ENTRIES])
{
    double y[ENTRIES] = {0};
    const size_t steps = (size_t)lround(grid / dt);
    for (size_t n = 0; n < rows * steps; n++) {
        const double speed = y[TABLE_SPEED], push = 20 * gear_force(y),
                     way = speed != 0       ? (speed > 0) - (speed < 0)
                           : fabs(push) > 3 ? (push > 0) - (push < 0)
                                            : 0; /* through the step */
        plain_step(y, ENTRIES, dt * (double)n, dt, axis_rate, &way);
        if (speed * y[TABLE_SPEED] < 0) {
            y[TABLE_SPEED] = 0;
        }
        y[INTEGRAL] = clamp(y[INTEGRAL], 10);
        if ((n + 1) % steps == 0) {
            memcpy(row[n / steps], y, sizeof y);
        }
    }
}

static void an_axis_with_backlash(void **state)
{
    UNUSED(state);
    enum { AXIS_ROWS = 70 };
    const double grid = 0.05;
    static double should[AXIS_ROWS][ENTRIES];
    run_axis(1e-6, grid, AXIS_ROWS, should);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_load("motor_axis.yaml", NULL);
        detent_simulation *sim = variant_start(m, v);
        for (size_t n = 0; n < AXIS_ROWS; n++) {
            variant_advance(sim, v, (double)(n + 1) * grid);
            variant_check(v, "table", runs_position(m, sim, "table"), should[n][TABLE], 1e-6);
            variant_check(v, "motor", runs_position(m, sim, "motor"), should[n][MOTOR], 1e-5);
            variant_check(v, "integral", runs_output(m, sim, "integral"), should[n][INTEGRAL],
                          1e-4);
        }
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_do_what_dummy_bodies_did),
        cmocka_unit_test(an_axis_with_backlash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
