/*
 * Time stepping where somebody strikes what cannot give way: who is held by a freewheel, or touches his stop without load, takes part in the impact. Closed forms,
 * the event-driven integrator, and time stepping with steps of three lengths are to agree, and no step makes energy.
 */
#include "support_runs.h"

#define WHEELS                                                                                     \
    "detent: 1\ngravity: [0, 0, 0]\n"                                                              \
    "bodies: {a: {mass: 1, inertia: [0.2, 0.2, 0.2]}, b: {mass: 1, inertia: [0.05, 0.05, 0.05]}, " \
    "c: {mass: 1, inertia: [0.02, 0.02, 0.02]}}\n"                                                 \
    "joints:\n  a: {type: revolute, base: ground, follower: a, initial: {velocity: 1}}\n"
#define TEETH \
    "couplings: {teeth: {type: gear, joints: [a, b], ratio: 1, backlash: 0.1, restitution: 0.4}"
#define ALONE  "  c: {type: revolute, base: ground, follower: c}\n"
#define GEARED ", stage: {type: gear, joints: [c, b], ratio: 3}}\n"

typedef struct held {
    const char *name, *text;
    double velocity, position, loss; /* of `struck` at 0.08 s, and of the mechanism */
    double other;                    /* of b, or of the carriage */
    const char *struck, *holds;
    double fast; /* how fast it moves, so how far from its place it may be, in steps */
} held;

static const double end = 0.08;

/* Thrown back with 0.4 of 1 rad/s after half of the backlash: 0.05 - 0.4 * 0.03 rad, and 1/2 0.2 (1 - 0.16) J are lost. */
#define THROWN -0.4, 0.038, 0.084, 0, "a", "b", 1.4

static const held wheels[] = {
    {"a freewheel",
     WHEELS ALONE "  b: {type: revolute, base: ground, follower: b, moves: backward}\n" TEETH "}\n",
     THROWN},
    {"a loaded freewheel",
     WHEELS ALONE "  b: {type: revolute, base: ground, follower: b, moves: backward}\n" TEETH
                  "}\nstiction: {b: {kinetic: 0, static: 0, external: 0.3}}\n",
     THROWN},
    {"a stop",
     WHEELS ALONE
     "  b: {type: revolute, base: ground, follower: b, stops: {upper: {at: 0}}}\n" TEETH "}\n",
     THROWN},
    {"a loaded stop",
     WHEELS ALONE
     "  b: {type: revolute, base: ground, follower: b, stops: {upper: {at: 0}}}\n" TEETH
     "}\nstiction: {b: {kinetic: 0, static: 0, external: 0.3}}\n",
     THROWN},
    {"a freewheel at a gear",
     WHEELS "  b: {type: revolute, base: ground, follower: b}\n"
            "  c: {type: revolute, base: ground, follower: c, moves: backward}\n" TEETH GEARED,
     THROWN},
    {"a stop at a gear",
     WHEELS "  b: {type: revolute, base: ground, follower: b}\n"
            "  c: {type: revolute, base: ground, follower: c, stops: {upper: {at: 0, restitution: "
            "0.7}}}\n" TEETH GEARED,
     THROWN},
    {"a freewheel between wheels",
     WHEELS "  b: {type: revolute, base: ground, follower: b}\n"
            "  c: {type: revolute, base: ground, follower: c, moves: backward}\n" TEETH
            ", hub: {type: gear, joints: [b, c], ratio: 1, drives: forward}}\n",
     THROWN},
    /* b is thrown against the freewheel, and the teeth strike again at once, and again: the last impact throws nobody back. They meet after 0.05/1.3 s. */
    {"a freewheel that overruns",
     WHEELS ALONE "  b: {type: revolute, base: ground, follower: b, moves: backward, initial: "
                  "{velocity: -0.3}}\n" TEETH "}\n",
     0, 0.05 / 1.3, 0.10225, 0, "a", "b", 1},
};

/* Who comes down with 1 m/s through 0.05 m onto a carriage at its stop; the spring does next to nothing, but joints are coupled by it. */
#define CARRIAGE(ma, mb, at, spring)                                                          \
    "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: " ma "}, b: {mass: " mb "}}\n"         \
    "joints:\n"                                                                               \
    "  a: {type: prismatic, base: ground, follower: a, initial: {position: " at "}, "         \
    "stops: {lower: {at: " at "}}}\n"                                                         \
    "  b: {type: prismatic, base: a, follower: b, initial: {position: 0.05, velocity: -1}, "  \
    "stops: {lower: {at: 0, restitution: 0.4}}}\n"                                            \
    "springs: {s: {between: [{body: b}, {body: ground, at: [0, 0, 0.6]}], stiffness: " spring \
    "}}\n"

static const held carriages[] = {
    {"a carriage", CARRIAGE("1", "0.5", "0", "1e-9 N/m"), 0.4, 0.012, 0.21, 0, "b", "a", 1.4},
    {"a light carriage", CARRIAGE("1 g", "1000", "0.3", "1e-6 N/m"), 0.4, 0.012, 420, 0, "b", "a",
     1.4},
};

static void compare(const held *h, const detent_mechanism *m, detent_simulation *sim, double step)
{
    detent_statistics s = DETENT_INIT(detent_statistics);
    detent_get_statistics(sim, &s);
    runs_near(h->name, runs_velocity(m, sim, h->struck), h->velocity, 1e-7);
    runs_near(h->name, runs_velocity(m, sim, h->holds), h->other, 0);
    runs_near(h->name, runs_position(m, sim, h->struck), h->position, h->fast * step + 1e-7);
    runs_near(h->name, s.impact_loss, h->loss, 1e-7 * fabs(h->loss));
}

static void check(const held *h)
{
    static const double steps[] = {1e-3, 1e-4, 1e-5};
    detent_error error = {.message = ""};
    detent_mechanism *m = runs_parse(h->text, NULL);
    detent_settings settings = runs_settings(m, 0, 0);
    settings.integrator = DETENT_INTEGRATOR_IDA;
    detent_simulation *sim = runs_start(m, &settings);
    runs_advance(sim, end);
    compare(h, m, sim, 0);
    detent_simulation_destroy(sim);
    settings.integrator = DETENT_INTEGRATOR_FIXED;
    for (size_t n = 0; n < sizeof steps / sizeof *steps; n++) {
        settings.step = steps[n];
        sim = runs_start(m, &settings);
        double before = INFINITY, first = 0;
        for (double t = 0; t < end - 0.5 * steps[n];) {
            double energy[DETENT_ENERGY_KINETIC + 1];
            const detent_status status = detent_step(sim, &error);
            runs_must(status == DETENT_EVENT ? DETENT_OK : status, &error);
            runs_must(detent_read(sim, DETENT_ENERGIES, energy, DETENT_ENERGY_KINETIC + 1, &error),
                      &error);
            t = detent_time(sim);
            if (!(energy[DETENT_ENERGY_KINETIC] <= before + 1e-12 * first)) {
                fail_msg("%s, t = %g s: %.17g J after %.17g J", h->name, t,
                         energy[DETENT_ENERGY_KINETIC], before);
            }
            before = energy[DETENT_ENERGY_KINETIC];
            first = fmax(first, before);
        }
        compare(h, m, sim, steps[n]);
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

static void wheels_that_are_held_throw_back(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof wheels / sizeof *wheels; n++) {
        check(&wheels[n]);
    }
}

static void carriages_at_their_stops_throw_back(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof carriages / sizeof *carriages; n++) {
        check(&carriages[n]);
    }
}

/*
 * A wheel is thrown against a stop that it has not touched, within one step or not: the step is then one of several impacts, of which stops take what there is, and
 * friction, of which there is none, nothing.
 */
static void stops_take_what_there_is(void **state)
{
    static const char text[] = WHEELS ALONE
        "  b: {type: revolute, base: ground, follower: b, stops: {upper: {at: 1e-4, restitution: "
        "0.5}}}\n" TEETH "}\n";
    static const double steps[] = {1e-3, 3e-4, 1e-4, 3e-5};
    const double damper = 1e-7; /* of what dampers in place of modes leave */
    detent_mechanism *m = runs_parse(text, NULL);
    (void)state;
    for (size_t n = 0; n < sizeof steps / sizeof *steps; n++) {
        detent_statistics s = DETENT_INIT(detent_statistics);
        double energy[DETENT_ENERGY_KINETIC + 1];
        detent_settings settings = runs_settings(m, 0, 0);
        settings.integrator = DETENT_INTEGRATOR_FIXED;
        settings.step = steps[n];
        detent_simulation *sim = runs_start(m, &settings);
        runs_advance(sim, end);
        runs_must(detent_read(sim, DETENT_ENERGIES, energy, DETENT_ENERGY_KINETIC + 1, NULL), NULL);
        detent_get_statistics(sim, &s);
        runs_near("loss", s.impact_loss + energy[DETENT_ENERGY_KINETIC], 0.1, damper);
        runs_near("friction", s.friction_work, 0, damper);
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wheels_that_are_held_throw_back),
        cmocka_unit_test(carriages_at_their_stops_throw_back),
        cmocka_unit_test(stops_take_what_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
