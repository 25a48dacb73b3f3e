#include "support_functions.h"

/* ---- the functions ---- */

trip function_trip;

/* Kinetic friction of a speed and a load. */
static int rub(void *user, const double *x, double *value, double *slope)
{
    UNUSED(user);
    *value = 0.4 + 0.05 * exp(-x[0]) + 0.01 * x[1];
    slope[0] = -0.05 * exp(-x[0]);
    slope[1] = 0.01;
    return 0;
}

static int grip(void *user, const double *x, double *value, double *slope)
{
    UNUSED(user);
    *value = 0.6 + 0.015 * x[0];
    slope[0] = 0.015;
    return 0;
}

/* Actuation of time and place. */
static int drive(void *user, const double *x, double *value, double *slope)
{
    UNUSED(user);
    *value = 3 * sin(2 * x[0]) - 0.5 * x[1];
    slope[0] = 6 * cos(2 * x[0]);
    slope[1] = -0.5;
    return 0;
}

static int wind(void *user, const double *x, double *value, double *slope)
{
    UNUSED(user);
    *value = -0.2 * x[0] * x[0] * x[0];
    slope[0] = -0.6 * x[0] * x[0];
    return 0;
}

/* A normal force of a place and a state. */
static int press(void *user, const double *x, double *value, double *slope)
{
    UNUSED(user);
    *value = 5 + 2 * (x[0] * x[0]) + x[1];
    slope[0] = 4 * x[0];
    slope[1] = 1;
    return 0;
}

/* The rate of a state that follows a square. */
static int lag(void *user, const double *x, double *value, double *slope)
{
    UNUSED(user);
    *value = (x[1] * x[1] - x[0]) / 0.2;
    slope[0] = -1 / 0.2;
    slope[1] = 2 * x[1] / 0.2;
    return 0;
}

static int far(void *user, const double *x, double *value, double *slope)
{
    UNUSED(user);
    *value = sqrt(1 + x[0] * x[0] + x[1] * x[1]);
    slope[0] = x[0] / *value;
    slope[1] = x[1] / *value;
    return 0;
}

static int fall(void *user, const double *x, double *value, double *slope)
{
    trip *t = user;
    const bool fails = x[0] > t->after;
    *value = fails ? t->value : 0;
    slope[0] = 0;
    t->failed += fails;
    return fails ? t->returned : 0;
}

#define OF(name, count)                                               \
    {                                                                 \
        .size = sizeof(detent_function_def), #name, count, name, NULL \
    }
static const detent_function_def functions[] = {
    OF(rub, 2),   OF(grip, 1),
    OF(drive, 2), OF(wind, 1),
    OF(press, 2), OF(lag, 2),
    OF(far, 2),   {sizeof(detent_function_def), "trip", 1, fall, &function_trip},
};
#undef OF

/* ---- the mechanism ---- */

const char *const functions_places[] = {"gravity",  "signal", "kinetic",  "static",
                                        "external", "load",   "friction", "state",
                                        "sample",   "delay",  NULL};

static const struct {
    const char *place, *function, *formula;
} laws[] = {
    {"gravity", "-9.81", "-9.81"},
    {"signal", "far(position(arm), position(cart))",
     "sqrt(1 + position(arm)*position(arm) + position(cart)*position(cart)/1 [m^2])"},
    {"kinetic", "rub(dir*velocity(arm), reaction_force(arm))",
     "0.4 + 0.05*exp(-dir*velocity(arm)/1 [rad/s]) + 0.01 [m]*reaction_force(arm)"},
    {"static", "grip(reaction_force(arm))", "0.6 + 0.015 [m]*reaction_force(arm)"},
    {"external", "drive(t, position(arm))", "3*sin(2*t) - 0.5 [N*m]*position(arm)"},
    {"load", "wind(velocity(cart))",
     "-0.2 [N*s^3/m^3]*velocity(cart)*velocity(cart)*velocity(cart)"},
    {"friction", "press(position(cart), z)", "5 + 2 [N/m^2]*(position(cart)*position(cart)) + z"},
    {"state", "lag(z, velocity(arm))", "(velocity(arm)*velocity(arm) - z)/0.2"},
    {"sample", "far(z, t)", "sqrt(1 + z*z + t*t/1 [s^2])"},
    {"delay", "far(position(arm), 2)", "sqrt(1 + position(arm)*position(arm) + 2*2)"},
};

/* The law of a place. */
static void write_law(char text[200], const char *place, bool as_functions, const char *at,
                      const char *more)
{
    size_t k = 0;
    while (strcmp(laws[k].place, place) != 0) {
        k++;
    }
    snprintf(text, 200, "%s%s%s", as_functions ? laws[k].function : laws[k].formula,
             strcmp(at, place) == 0 ? " + " : "", strcmp(at, place) == 0 ? more : "");
}

static const char *write(bool as_functions, bool remembers, const char *at, const char *more)
{
    static char text[5000];
    char law[10][200];
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        write_law(law[k], laws[k].place, as_functions, at, more);
    }
    snprintf(
        text, sizeof text,
        "detent: 1\n"
        "gravity: [0, \"%s\", 0]\n"
        "signals: {distance: \"%s\"}\n"
        "bodies:\n"
        "  cart: {mass: 1}\n"
        "  arm: {mass: 0.5, center_of_mass: [0, -0.3, 0], inertia: [0.02, 0.02, 0.02]}\n"
        "  hand: {mass: 0.1, center_of_mass: [0, -0.1, 0], inertia: [0.01, 0.01, 0.01]}\n"
        "joints:\n"
        "  cart: {type: prismatic, base: ground, follower: cart, axis: [1, 0, 0], force: "
        "\"-0.4 [N]*distance\", initial: {velocity: 1}, friction: {law: stribeck, coulomb: 0.1, "
        "breakaway: 0.15, breakaway_velocity: 0.2, normal_force: \"%s\"}}\n"
        "  arm: {type: revolute, base: cart, follower: arm, initial: {position: 0.5}}\n"
        "  hand: {type: revolute, base: arm, follower: hand, at: {base: [0, -0.6, 0]}}\n"
        "stiction:\n"
        "  arm: {kinetic: \"%s\", static: \"%s\", external: \"%s\"}\n"
        "  hand: {kinetic: 3, static: \"%s + 4\"}\n"
        "loads: {wind: {body: cart, force: [\"%s\", 0, 0]}}\n"
        "states: {z: {derivative: \"%s\", initial: 0.1}}\n"
        "sampled: {h: {value: \"%s\", every: 50 ms}}\n"
        "outputs: [position(cart), position(arm), velocity(arm), z, distance, h, \"%s(%s%s)\"]\n"
        "simulation: {end: 3, rtol: 1e-7}\n",
        law[0], law[1], law[6], law[2], law[3], law[4], law[3], law[5], law[7], law[8],
        remembers ? "delay" : "", law[9], remembers ? ", 0.1" : "");
    return text;
}

const char *functions_text(bool as_functions, bool remembers)
{
    return write(as_functions, remembers, "", "");
}

const char *functions_text_with(const char *place, const char *more, bool remembers)
{
    return write(true, remembers, place, more);
}

detent_status functions_try(const char *text, detent_mechanism **mechanism, detent_error *error)
{
    return functions_try_in(text, NULL, mechanism, error);
}

detent_status functions_try_in(const char *text, const detent_allocator *allocator,
                               detent_mechanism **mechanism, detent_error *error)
{
    const detent_function_def *list[FUNCTIONS];
    assert_int_equal(sizeof functions / sizeof *functions, FUNCTIONS);
    for (size_t k = 0; k < FUNCTIONS; k++) {
        list[k] = &functions[k];
    }
    const detent_load_options options = {.size = sizeof options,
                                         .allocator = allocator,
                                         .functions = list,
                                         .function_count = FUNCTIONS};
    return detent_mechanism_parse(text, strlen(text), "inline.yaml", &options, mechanism, error);
}

detent_mechanism *functions_parse(const char *text)
{
    detent_error error;
    detent_mechanism *mechanism = NULL;
    function_trip = (trip){.after = INFINITY};
    runs_must(functions_try(text, &mechanism, &error), &error);
    return mechanism;
}
