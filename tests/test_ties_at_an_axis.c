/*
 * What is tied at a point on the axis of a joint ties the body before the joint alone: the one behind it turns as if nothing were there. To rounding the
 * condition has something for the joint, too, and where the body before it is held it has nothing else: no pivot is to be made of that.
 */
#include "support_variants.h"

#define HINGE "axis: [0.465, -0.845, -0.32], initial: {position: 0.578, priority: exact}"
#define END   "{body: ground, at: [1, 1, 1.3]}"

static const char head[] = "detent: 1\ngravity: [0, -9.81, 0]\nsimulation: {end: 1, rtol: 1e-9}\n";
static const char door[] = "  door: {mass: 4.82, center_of_mass: [-0.176, -0.0241, -0.132], "
                           "inertia: [0.0217, 0.0137, 0.013]}\n";

/* What holds the body before the hinge: friction, a stop against which it is pulled, a motion; or nothing but the tie. */
static const struct {
    const char *joint, *section;
} holds[] = {{"", "stiction: {slide: {static: 1e4, kinetic: 1e4}}\n"},
             {", force: -1e3, stops: {lower: {at: 0}}", ""},
             {", speed: \"0*t\"", ""},
             {"", ""}};
enum { HOLDS = sizeof holds / sizeof *holds };

/* On `at` of a body, which is (0.718, 0.102, 0.069) in the frame of the ground. */
static void write_tie(char *text, size_t size, int tie, const char *body, const char *at)
{
    if (tie == 0) {
        snprintf(text, size,
                 "couplings: {s: {type: distance, length: 1.5496093055993179, between: "
                 "[{body: %s, at: %s}, %s]}}\n",
                 body, at, END);
    } else {
        snprintf(text, size,
                 "couplings: {s: {type: slot, between: [{body: %s, at: %s}, {body: ground, at: "
                 "{point: [0.718, 0.102, 0.069], rotation: {rpy: [-0.133, 0, 0.169]}}}], x: 1*u, "
                 "y: 0*u, from: -3, to: 3}}\n",
                 body, at);
    }
}

/* The angle of the hinge at the end, with what holds it and a tie; `hold` HOLDS: on the ground; `tie` -1: none. */
static double angle(int hold, int tie, const char *body, variant v)
{
    char text[4096], coupling[1024] = "";
    if (tie >= 0) {
        const bool is_door = strcmp(body, "door") == 0;
        write_tie(coupling, sizeof coupling, tie, body,
                  is_door ? "[0.186, -0.338, -0.128]" : "[0.408, -0.168, 0.202]");
    }
    if (hold == HOLDS) {
        snprintf(text, sizeof text,
                 "%sbodies:\n%sjoints:\n  low: {type: revolute, base: ground, follower: door, at: "
                 "{base: [0.532, 0.44, 0.197]}, %s}\n%s",
                 head, door, HINGE, coupling);
    } else {
        snprintf(text, sizeof text,
                 "%sbodies:\n  frame: {mass: 1}\n%sjoints:\n"
                 "  slide: {type: prismatic, base: ground, follower: frame, axis: [1, 0, 0], at: "
                 "{base: [0.31, 0.27, -0.133]}%s}\n"
                 "  low: {type: revolute, base: frame, follower: door, at: {base: [0.222, 0.17, "
                 "0.33]}, %s}\n%s%s",
                 head, door, holds[hold].joint, HINGE, holds[hold].section, coupling);
    }
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *s = variant_start(m, v);
    variant_advance(s, v, 1);
    const double is = runs_position(m, s, "low");
    detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
    return is;
}

static void the_body_behind_an_axis_turns_freely(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        const double free = angle(HOLDS, -1, NULL, v);
        runs_near("a door", free, -2.687764436, 1e-7);
        for (int tie = 0; tie < 2; tie++) {
            runs_near("tied, on the ground", angle(HOLDS, tie, "door", v), free, 1e-8);
            for (int hold = 0; hold < HOLDS; hold++) {
                runs_near("tied by itself", angle(hold, tie, "door", v), free, 1e-8);
                runs_near("tied by its frame", angle(hold, tie, "frame", v), free, 1e-8);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_body_behind_an_axis_turns_freely)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
