/*
 * Random trees, every joint of which is coupled to others before it by teeth or a freewheel: at no impact energy grows, what is lost is what
 * impulses took, no tooth gets through another, and no freewheel goes back.
 */
#include "support_runs.h"
#include "support_trees.h"
#include "support_variants.h"

#include <math.h>
#include <stdlib.h>

enum { JOINTS = 6, COUPLED = 3 };

/** What is known of a coupling without the library. */
typedef struct tie {
    int count, joint[COUPLED];
    double factor[COUPLED];
    double half; /**< of its gap; infinite: a freewheel */
    bool ahead;  /**< of a freewheel: the sum is not to grow; else not to fall */
} tie;

typedef struct sample {
    int joints, ties;
    tie tie[JOINTS];
} sample;

/** A joint before the first one, and no other one that is coupled. */
static int pick_other(support_random *random, const tie *own, int count)
{
    for (;;) {
        const int k = support_below(random, own->joint[0]);
        bool fresh = true;
        for (int i = 0; i < count; i++) {
            fresh = fresh && own->joint[i] != k;
        }
        if (fresh) {
            return k;
        }
    }
}

static void say_coupling(runs_text *text, support_random *random, sample *s)
{
    static const char *const words[] = {"backlash: 0.2", "backlash: 0.1, restitution: 0.5",
                                        "backlash: 0.3, restitution: 1", "drives: forward",
                                        "drives: backward"};
    static const double halves[] = {0.1, 0.05, 0.15, INFINITY, INFINITY};
    const int kind = support_below(random, 5);
    tie *own = &s->tie[s->ties];
    own->count = s->ties > 0 && support_chance(random, 0.4) ? 3 : 2;
    own->half = halves[kind];
    own->ahead = kind == 3; /* the factor of the first one is positive */
    runs_say(text, "  c%d: {type: differential, joints: [", s->ties);
    for (int i = 0; i < own->count; i++) {
        own->joint[i] = i == 0 ? s->ties + 1 : pick_other(random, own, i);
        own->factor[i] = i == 0                        ? 1
                         : support_chance(random, 0.5) ? support_spread(random, 0.2, 5)
                                                       : -support_spread(random, 0.2, 5);
        runs_say(text, "%sj%d", i ? ", " : "", own->joint[i]);
    }
    for (int i = 0; i < own->count; i++) {
        runs_say(text, "%s%.17g", i ? ", " : "], factors: [", own->factor[i]);
    }
    runs_say(text, "], %s}\n", words[kind]);
    s->ties++;
}

static void say_joint(runs_text *text, support_random *random, int i)
{
    char base[16] = "ground";
    const int parent = support_below(random, i + 1) - 1;
    if (parent >= 0) {
        snprintf(base, sizeof base, "b%d", parent);
    }
    runs_say(text,
             "  j%d: {type: revolute, base: %s, follower: b%d, axis: [%g, %g, %g], at: {base: "
             "[%g, %g, %g]}, initial: {velocity: %g}}\n",
             i, base, i, support_uniform(random, -1, 1), support_uniform(random, -1, 1),
             support_uniform(random, 0.2, 1), support_uniform(random, -0.5, 0.5),
             support_uniform(random, -0.5, 0.5), support_uniform(random, -0.5, 0.5),
             support_uniform(random, -4, 4));
}

/** Without forces: arms that turn. */
static detent_mechanism *make(support_random *random, sample *s)
{
    runs_text text = {0};
    *s = (sample){.joints = 2 + support_below(random, JOINTS - 1)};
    runs_say(&text, "detent: 1\ngravity: [0, 0, 0]\nbodies:\n");
    for (int i = 0; i < s->joints; i++) {
        runs_say(&text,
                 "  b%d: {mass: %g, center_of_mass: [%g, %g, %g], inertia: [0.1, 0.12, 0.15]}\n", i,
                 support_spread(random, 0.2, 5), support_uniform(random, -0.5, 0.5),
                 support_uniform(random, -0.5, 0.5), support_uniform(random, -0.5, 0.5));
    }
    runs_say(&text, "joints:\n");
    for (int i = 0; i < s->joints; i++) {
        say_joint(&text, random, i);
    }
    runs_say(&text, "couplings:\n");
    while (s->ties < s->joints - 1) {
        say_coupling(&text, random, s);
    }
    runs_say(&text, "outputs: [kinetic_energy(), impact_loss()");
    for (int i = 0; i < s->joints; i++) {
        runs_say(&text, ", position(j%d), velocity(j%d)", i, i);
    }
    runs_say(&text, "]\nsimulation: {end: 3, rtol: 1e-9}\n");
    detent_mechanism *m = runs_parse(text.text, NULL);
    free(text.text);
    return m;
}

static void check_ties(const sample *s, const double *x)
{
    for (int n = 0; n < s->ties; n++) {
        const tie *own = &s->tie[n];
        double e = 0, rate = 0, size = 0;
        for (int i = 0; i < own->count; i++) {
            const double *joint = x + 2 + 2 * own->joint[i];
            e += own->factor[i] * joint[0];
            rate += own->factor[i] * joint[1];
            size += fabs(own->factor[i] * joint[1]);
        }
        if (isfinite(own->half)) {
            assert_true(fabs(e) <= own->half + 1e-10);
        } else {
            assert_true((own->ahead ? rate : -rate) <= 1e-9 * (size + 1));
        }
    }
}

static void impacts_take_energy(void **state)
{
    support_random random = {20261128};
    const char *most = getenv("DETENT_TEST_IMPACTS");
    const size_t wanted = most ? strtoul(most, NULL, 10) : variants_are_few() ? 800 : 3000;
    size_t impacts = 0;
    UNUSED(state);
    for (size_t n = 0; impacts < wanted; n++) {
        sample s;
        detent_mechanism *m = make(&random, &s);
        detent_simulation *sim = variant_start(m, variant_at(n % VARIANTS));
        detent_error error;
        double before[2 + 2 * JOINTS], x[2 + 2 * JOINTS];
        const size_t count = 2 + 2 * (size_t)s.joints;
        runs_must(detent_read(sim, DETENT_OUTPUTS, before, count, &error), &error);
        const double first = before[0] + before[1];
        for (detent_status status = DETENT_EVENT; status == DETENT_EVENT;) {
            status = detent_advance(sim, 3, true, &error);
            if (status != DETENT_EVENT) {
                runs_must(status, &error);
            }
            runs_must(detent_read(sim, DETENT_OUTPUTS, x, count, &error), &error);
            assert_true(x[1] >= before[1] * (1 - 1e-14));
            assert_true(x[0] <= before[0] + 1e-8 * first);
            runs_near("balance", x[0] + x[1], first, 1e-6 * first);
            check_ties(&s, x);
            memcpy(before, x, sizeof x);
        }
        detent_statistics statistics = DETENT_INIT(detent_statistics);
        detent_get_statistics(sim, &statistics);
        impacts += statistics.impacts;
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impacts_take_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
