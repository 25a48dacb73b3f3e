/*
 * Time stepping where a joint that is held is light beside what hangs on it: a brake on a shaft of next to no inertia, a stop, a freewheel, the tooth of a
 * coupling. What holds is as stiff as all that moves with it asks for: closed forms, and the event-driven integrator, for shafts of 1e-9 ... 1e-3 of the rest.
 */
#include "support_runs.h"

#define HEAD                                                                        \
    "detent: 1\ngravity: [0, 0, 0]\nparameters: {J: 1e-9}\n"                        \
    "bodies: {m: {mass: 1, inertia: [1, 1, 1]}, l: {mass: 1, inertia: [1, 1, 1]}, " \
    "x: {mass: 0.1, inertia: [J, J, J]}}\njoints:\n"                                \
    "  jl: {type: revolute, base: ground, follower: l%s}\n"                         \
    "  cl: {type: revolute, base: ground, follower: x%s}\n"                         \
    "  jm: {type: revolute, base: ground, follower: m, force: \"%s\"}\n"

typedef struct light {
    const char *name, *jl, *cl, *motor, *rest;
    double end;
    const char *watched;
    double velocity; /* NAN: that of the event-driven integrator */
    double fast;     /* how far off in a step, at most, times its length */
} light;

static const light cases[] = {
    /* 2 t = 0.9 at 0.45 s, then (1 - 0.45^2) - 0.3 * 0.55, less the inertia of the shaft */
    {"brake", ", force: 2*t", "", "0",
     "couplings: {d: {type: gear, joints: [jl, cl], ratio: 1}}\n"
     "stiction: {cl: {kinetic: 0.3, static: 0.9}}\n",
     1, "jl", 0.6325, 1},
    /* 10 N m on two rotors of 1 kg m^2 whom the brake makes one */
    {"differential", "", "", "10",
     "couplings: {d: {type: differential, joints: [jl, jm, cl], factors: [-1, 1, 1]}}\n"
     "stiction: {cl: {kinetic: 20, static: 20}}\n",
     1, "jm", 5, 0},
    /* the stop is reached after 0.2 s with next to no momentum, from then on both move */
    {"stop", "", ", stops: {lower: {at: -0.2}}", "10",
     "couplings: {d: {type: differential, joints: [cl, jm, jl], factors: [1, 1, -1]}}\n", 2, "jm",
     NAN, 20},
    /* both by 10 sin(3 t), until pi/3; then the motor alone */
    {"one way", "", ", moves: forward", "10*sin(3*t)",
     "couplings: {d: {type: differential, joints: [cl, jm, jl], factors: [1, 1, -1]}}\n", 2, "jm",
     -3.200567620, 1},
    {"freewheel", "", "", "10*sin(3*t)",
     "couplings: {a: {type: gear, joints: [jm, cl], ratio: 0.5}, "
     "b: {type: gear, joints: [cl, jl], ratio: 1, drives: forward}}\n"
     "stiction: {jl: {kinetic: 0.5, static: 0.6}}\n",
     2, "jl", NAN, 2},
    {"freewheel and backlash", "", "", "10*sin(3*t)",
     "couplings: {a: {type: gear, joints: [jm, cl], ratio: 0.5, drives: forward}, "
     "b: {type: gear, joints: [cl, jl], ratio: 1, backlash: 0.1}}\n"
     "stiction: {jl: {kinetic: 0.5, static: 0.6}}\n",
     2, "jl", NAN, 2},
};

/* With steps of two lengths. */
static void compare(const detent_mechanism *m, const light *c, const char *inertia,
                    double tolerance)
{
    static const double steps[] = {1e-3, 2e-4};
    detent_settings settings = runs_settings(m, 1e-9, 0);
    detent_simulation *sim = runs_start(m, &settings);
    runs_advance(sim, c->end);
    const double exact = runs_velocity(m, sim, c->watched);
    detent_simulation_destroy(sim);
    if (!isnan(c->velocity)) {
        runs_near(c->name, exact, c->velocity, tolerance + 1e-6);
    }
    for (size_t n = 0; n < sizeof steps / sizeof *steps; n++) {
        settings.integrator = DETENT_INTEGRATOR_FIXED;
        settings.step = steps[n];
        sim = runs_start(m, &settings);
        runs_advance(sim, c->end);
        runs_near(inertia, runs_velocity(m, sim, c->watched), exact, c->fast * steps[n] + 1e-6);
        detent_simulation_destroy(sim);
    }
}

static void what_holds_is_as_stiff_as_it_has_to_be(void **state)
{
    static const char *const inertias[] = {"J=1e-9", "J=1e-7", "J=1e-5", "J=1e-3"};
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        for (size_t k = 0; k < sizeof inertias / sizeof *inertias; k++) {
            const light *c = &cases[n];
            char text[2000];
            snprintf(text, sizeof text, HEAD "%s", c->jl, c->cl, c->motor, c->rest);
            const char *const set[] = {inertias[k], NULL};
            detent_mechanism *m = runs_parse(text, set);
            compare(m, c, inertias[k], 20 * strtod(inertias[k] + 2, NULL));
            detent_mechanism_destroy(m);
        }
    }
}

/* A crank with a flywheel, 90 degrees from its dead centre, and a slider of a gram: 0.2 t = 10 * 0.01 gives way at 0.5 s; and a valve of 50 g driven by a cam. */
static void loops_and_cams_give_way_in_time(void **state)
{
    static const char *const texts[] = {
        "detent: 1\ngravity: [0, 0, 0]\nbodies:\n  c: {mass: 50, inertia: [5, 5, 5]}\n"
        "  p: {mass: 0.001, inertia: [1e-7, 1e-6, 1e-6], center_of_mass: [0.02, 0, 0]}\n"
        "  s: {mass: 0.001}\njoints:\n"
        "  c: {type: revolute, base: ground, follower: c, "
        "initial: {position: 90 deg, priority: exact}, force: 0.2*t}\n"
        "  j2: {type: revolute, base: c, follower: p, at: {base: [0.01, 0, 0]}, "
        "initial: {position: -104 deg}}\n"
        "  j3: {type: revolute, base: p, follower: s, at: {base: [0.04, 0, 0]}, "
        "initial: {position: 14 deg}}\n"
        "  x: {type: prismatic, base: ground, follower: s, axis: [1, 0, 0], "
        "initial: {position: 0.039}}\n"
        "stiction: {x: {kinetic: 8, static: 10}}\n",
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {shaft: {mass: 10, inertia: [2, 2, 2]}, valve: {mass: 0.05}}\njoints:\n"
        "  c: {type: revolute, base: ground, follower: shaft, force: 0.2*t}\n"
        "  v: {type: prismatic, base: ground, follower: valve}\n"
        "couplings: {cam: {type: cam, cam: c, follower: v, law: 0.005*sin(position(c))}}\n"
        "stiction: {v: {kinetic: 15, static: 20}}\n"};
    (void)state;
    for (size_t n = 0; n < 2; n++) {
        const light c = {
            .name = "in time", .end = 1, .watched = "c", .velocity = NAN, .fast = 0.05};
        detent_mechanism *m = runs_parse(texts[n], NULL);
        compare(m, &c, c.name, 0);
        detent_mechanism_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_holds_is_as_stiff_as_it_has_to_be),
        cmocka_unit_test(loops_and_cams_give_way_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
