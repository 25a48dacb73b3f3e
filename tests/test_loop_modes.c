/*
 * Small mechanisms with loops at random places, let go from rest with friction in several joints: who begins to move, how fast, and what friction
 * holds the others, against the trial of all sets of modes by dynamics of the test's own (support_rest.h).
 */
#include "support_rest.h"
#include "support_trees.h"
#include "support_variants.h"

#include <math.h>

typedef struct writer {
    support_random random;
    rest_scene scene;
    bool planar, cut[REST_JOINTS];
    const char *row[REST_JOINTS];
    char name[REST_RATES][16]; /* of freedoms; empty: of a ball */
} writer;

static double uniform(writer *w)
{
    return support_uniform(&w->random, -1, 1);
}

/* ---- what they are made of ---- */

static int add_body(writer *w)
{
    rest_body *b = &w->scene.body[w->scene.bodies];
    *b = (rest_body){.mass = support_uniform(&w->random, 0.5, 2)};
    for (int k = 0; k < 3; k++) {
        b->centre[k] = uniform(w);
        b->inertia[k] = support_uniform(&w->random, 0.3, 0.5);
        b->torque[k] = 4 * uniform(w);
    }
    return w->scene.bodies++;
}

/* Another freedom of the last joint; `with`: the one to whose axis its own is parallel or normal. */
static void add_rate(writer *w, bool turns, const rest_rate *with, bool parallel)
{
    rest_scene *s = &w->scene;
    rest_joint *j = &s->joint[s->joints - 1];
    rest_rate *r = &s->rate[s->rates];
    double e[3] = {0, 0, 1};
    if (!w->planar || !turns) {
        support_unit(&w->random, w->planar ? 2 : 3, e);
        e[2] = w->planar ? 0 : e[2];
    }
    if (with) {
        const double *b = with->axis, along = e[0] * b[0] + e[1] * b[1] + e[2] * b[2];
        double size = 0;
        for (int k = 0; k < 3; k++) {
            e[k] = parallel ? b[k] : e[k] - along * b[k];
            size += e[k] * e[k];
        }
        for (int k = 0; k < 3; k++) {
            e[k] /= sqrt(size);
        }
    }
    *r = (rest_rate){.turns = turns, .axis = {e[0], e[1], e[2]}};
    r->kinetic[0] = support_uniform(&w->random, 0.1, 3);
    r->kinetic[1] =
        support_chance(&w->random, 0.5) ? r->kinetic[0] : support_uniform(&w->random, 0.1, 3);
    r->ratio = support_chance(&w->random, 0.5) ? 1 : support_uniform(&w->random, 1, 1.5);
    s->rates++;
    j->count++;
}

/* "r", "p", and rows of them: "c" along one axis, "u" about two that are normal, "e" in a plane; "s": a ball. Its first freedom. */
static int add_joint(writer *w, int base, int follower, const char *row, bool cut)
{
    rest_scene *s = &w->scene;
    const int number = s->joints++, first = s->rates;
    w->row[number] = row;
    w->cut[number] = cut;
    s->joint[number] = (rest_joint){
        base, follower, first, 0, {uniform(w), uniform(w), w->planar ? 0 : uniform(w)}};
    static const struct {
        char type;
        const char *freedoms, *names[3];
    } rows[] = {
        {'r', "r", {""}},
        {'p', "p", {""}},
        {'c', "pr", {".p1", ".r1"}},
        {'u', "rr", {".r1", ".r2"}},
        {'e', "ppr", {".p1", ".p2", ".r1"}},
        {'s', "rrr", {NULL, NULL, NULL}},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        for (int f = 0; rows[k].type == row[0] && rows[k].freedoms[f]; f++) {
            const bool turns = rows[k].freedoms[f] == 'r';
            add_rate(w, turns, f > 0 && row[0] != 's' ? &s->rate[first] : NULL, row[0] == 'c');
            w->name[first + f][0] = '\0'; /* of a ball */
            if (rows[k].names[f]) {
                snprintf(w->name[first + f], sizeof w->name[0], "j%d%s", number, rows[k].names[f]);
            }
            if (row[0] == 's') {
                const double e[3] = {f == 0, f == 1, f == 2};
                memcpy(s->rate[first + f].axis, e, sizeof e);
            } else if (row[0] == 'e' && f == 2) { /* normal to the plane */
                const double *a = s->rate[first].axis, *b = s->rate[first + 1].axis;
                const double n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                                     a[0] * b[1] - a[1] * b[0]};
                memcpy(s->rate[first + f].axis, n, sizeof n);
            }
        }
    }
    return first;
}

/* A ring of new bodies from body `from` to body `to`, with these joints in a row; any of them is the one where it is cut. */
static void add_ring(writer *w, int from, int to, const char *const *rows, int joints)
{
    const int cut = support_below(&w->random, joints), bodies = w->scene.bodies;
    for (int k = 0; k + 1 < joints; k++) {
        (void)add_body(w);
    }
    for (int k = 0; k < cut; k++) {
        (void)add_joint(w, k == 0 ? from : bodies + k - 1, bodies + k, rows[k], false);
    }
    for (int k = joints - 1; k > cut; k--) {
        (void)add_joint(w, k + 1 == joints ? to : bodies + k, bodies + k - 1, rows[k], false);
    }
    const int base = cut == 0 ? from : bodies + cut - 1, /* the ground follows nobody */
        follower = cut + 1 == joints ? to : bodies + cut;
    (void)add_joint(w, follower < 0 ? follower : base, follower < 0 ? base : follower, rows[cut],
                    true);
}

static void couple(writer *w, int first, int second)
{
    rest_scene *s = &w->scene;
    if (!s->rate[first].turns) {
        const int swap = first;
        first = second;
        second = swap;
    }
    if (!s->rate[first].turns || w->name[first][0] == 0 || w->name[second][0] == 0) {
        return;
    }
    const double ratio =
        support_uniform(&w->random, 0.5, 2) * (support_chance(&w->random, 0.5) ? 1 : -1);
    s->coupling[s->couplings++] = s->rate[second].turns
                                      ? (rest_coupling){{first, second}, {1, -ratio}}
                                      : (rest_coupling){{first, second}, {-ratio, 1}};
}

/* ---- which mechanisms ---- */

#define ROWS(...) \
    (const char *const[]){__VA_ARGS__}, sizeof(const char *[]){__VA_ARGS__} / sizeof(char *)

static void make_slider_crank(writer *w)
{
    add_ring(w, -1, -1, ROWS("r", "r", "r", "p"));
}

static void make_five_bar(writer *w)
{
    add_ring(w, -1, -1, ROWS("r", "r", "r", "r", support_chance(&w->random, 0.5) ? "r" : "p"));
}

/* Two of its joints are geared, and a wheel beside it with one more. */
static void make_geared_five_bar(writer *w)
{
    make_five_bar(w);
    const int wheel = add_body(w), turn = add_joint(w, -1, wheel, "r", false),
              first = support_below(&w->random, 5),
              second = (first + 1 + support_below(&w->random, 4)) % 5;
    couple(w, first, second);
    couple(w, turn, second);
}

static void make_rssr(writer *w)
{
    add_ring(w, -1, -1, ROWS("r", "s", "s", "r"));
}

static void make_rscr(writer *w)
{
    add_ring(w, -1, -1, ROWS("r", "s", "c", "r"));
}

/* Seven to nine freedoms of all kinds in a ring. */
static void make_mixed_ring(writer *w)
{
    static const char *const all[] = {"r", "p", "c", "u", "e", "s"};
    static const int counts[] = {1, 1, 2, 2, 3, 3};
    const int wanted = 7 + support_below(&w->random, 3);
    const char *rows[9];
    int joints = 0, slides = 0;
    for (int sum = 0; sum < wanted;) {
        const int k = support_below(&w->random, 6), slide = k == 1 || k == 2 ? 1 : k == 4 ? 2 : 0;
        if (sum + counts[k] <= wanted && slides + slide <= 3) {
            rows[joints++] = all[k];
            sum += counts[k];
            slides += slide;
        }
    }
    add_ring(w, -1, -1, rows, joints);
}

/* A ring in the plane, and another between two of its bodies. */
static void make_two_rings(writer *w)
{
    add_ring(w, -1, -1, ROWS("r", "r", "r", "r", "r"));
    const int from = support_below(&w->random, 4);
    add_ring(w, from, support_chance(&w->random, 0.3) ? -1 : (from + 1) % 4,
             ROWS("r", support_chance(&w->random, 0.7) ? "r" : "p", "r"));
}

/* A ring on a body that an arm carries, geared to the arm or not. */
static void make_carried_ring(writer *w)
{
    const int arm = add_body(w), turn = add_joint(w, -1, arm, "r", false);
    add_ring(w, arm, arm, ROWS("r", "r", "r", support_chance(&w->random, 0.5) ? "r" : "p"));
    if (support_chance(&w->random, 0.5)) {
        couple(w, turn, 1 + support_below(&w->random, 3));
    }
}

/* Two rings in space, one of whose freedoms a screw or gear ties to one of the other's. */
static void make_tied_rings(writer *w)
{
    add_ring(w, -1, -1, ROWS("r", "s", "u", "r", "p"));
    const int other = w->scene.rates;
    add_ring(w, support_below(&w->random, 3), -1, ROWS("r", "s", "e", "r"));
    couple(w, support_below(&w->random, other), other + support_below(&w->random, 4));
}

/* ---- as a file ---- */

static void say_joint(const writer *w, int number, runs_text *page)
{
    const rest_joint *j = &w->scene.joint[number];
    const char type = w->row[number][0];
    const char *const row = type == 'c' ? "p, r" : type == 'u' ? "r, r" : "p, p, r";
    runs_say(page, "  j%d: {base: ", number);
    runs_say(page, j->base < 0 ? "ground" : "b%d", j->base);
    runs_say(page, j->follower < 0 ? ", follower: ground" : ", follower: b%d", j->follower);
    if (type == 's') {
        runs_say(page, ", type: spherical");
    } else if (j->count == 1) {
        const double *e = w->scene.rate[j->first].axis;
        runs_say(page, ", type: %s, axis: [%.17g, %.17g, %.17g]",
                 type == 'r' ? "revolute" : "prismatic", e[0], e[1], e[2]);
    } else {
        runs_say(page, ", type: custom, row: [%s], axes: [", row);
        for (int f = 0; f < j->count; f++) {
            const double *e = w->scene.rate[j->first + f].axis;
            runs_say(page, "%s[%.17g, %.17g, %.17g]", f ? ", " : "", e[0], e[1], e[2]);
        }
        runs_say(page, "]");
    }
    const double *p = j->point;
    runs_say(page, ", at: {base: [%.17g, %.17g, %.17g], follower: [%.17g, %.17g, %.17g]}%s}\n",
             p[0], p[1], p[2], p[0], p[1], p[2], w->cut[number] ? ", closes: true" : "");
}

static void say_coupling(const writer *w, int number, runs_text *page)
{
    const rest_coupling *c = &w->scene.coupling[number];
    const bool gear = w->scene.rate[c->rate[1]].turns, screw = !gear && number % 2;
    runs_say(page, "  c%d: {type: %s, joints: [%s, %s], %s: %.17g}\n", number,
             gear    ? "gear"
             : screw ? "screw"
                     : "rack",
             w->name[c->rate[0]], w->name[c->rate[1]],
             gear    ? "ratio"
             : screw ? "pitch"
                     : "radius",
             -(gear ? c->factor[1] : c->factor[0]) * (screw ? 2 * 3.14159265358979323846 : 1));
}

static void say_scene(const writer *w, runs_text *page)
{
    const rest_scene *s = &w->scene;
    runs_say(page, "detent: 1\ngravity: [%.17g, %.17g, %.17g]\nbodies:\n", s->gravity[0],
             s->gravity[1], s->gravity[2]);
    for (int b = 0; b < s->bodies; b++) {
        const rest_body *x = &s->body[b];
        runs_say(page,
                 "  b%d: {mass: %.17g, center_of_mass: [%.17g, %.17g, %.17g], inertia: [%.17g, "
                 "%.17g, %.17g]}\n",
                 b, x->mass, x->centre[0], x->centre[1], x->centre[2], x->inertia[0], x->inertia[1],
                 x->inertia[2]);
    }
    runs_say(page, "joints:\n");
    for (int j = 0; j < s->joints; j++) {
        say_joint(w, j, page);
    }
    runs_say(page, s->couplings ? "couplings:\n" : "");
    for (int c = 0; c < s->couplings; c++) {
        say_coupling(w, c, page);
    }
    runs_say(page, "loads:\n");
    for (int b = 0; b < s->bodies; b++) {
        const double *t = s->body[b].torque;
        runs_say(page, "  l%d: {body: b%d, torque: [%.17g, %.17g, %.17g]}\n", b, b, t[0], t[1],
                 t[2]);
    }
    runs_say(page, "stiction:\n");
    for (int k = 0; k < s->sticking; k++) {
        const rest_rate *r = &s->rate[s->stick[k]];
        runs_say(page,
                 "  %s: {kinetic: \"if(dir > 0, %.17g, %.17g)\", forward: %.17g, reverse: %.17g}\n",
                 w->name[s->stick[k]], r->kinetic[0], r->kinetic[1], -r->kinetic[0] * r->ratio,
                 r->kinetic[1] * r->ratio);
    }
    for (int what = 0; what < 2; what++) {
        runs_say(page, what ? ", " : "outputs: [");
        for (int k = 0; k < s->sticking; k++) {
            runs_say(page, "%s%s(%s)", k ? ", " : "", what ? "friction" : "acceleration",
                     w->name[s->stick[k]]);
        }
    }
    runs_say(page, "]\nsimulation: {end: 1}\n");
}

/* ---- comparison ---- */

typedef struct tally {
    int cases, left, resting, moving, partly, rounds, unique, freedoms[4], sticking;
} tally;

static void make(writer *w, void (*kind)(writer *), bool planar, uint64_t seed)
{
    *w = (writer){.random = {.state = seed}, .planar = planar};
    for (int k = 0; k < 3; k++) {
        w->scene.gravity[k] = 5 * uniform(w);
    }
    kind(w);
    const int most = 2 + support_below(&w->random, REST_STICKING - 1);
    int candidates[REST_RATES], count = 0;
    for (int f = 0; f < w->scene.rates; f++) {
        if (w->name[f][0]) {
            candidates[count++] = f;
        }
    }
    while (count > 0 && w->scene.sticking < most) {
        const int k = support_below(&w->random, count);
        w->scene.stick[w->scene.sticking++] = candidates[k];
        candidates[k] = candidates[--count];
    }
}

static void compare(const writer *w, const rest_answer *should, variant v, const char *text,
                    tally *seen)
{
    const int n = w->scene.sticking;
    double x[2 * REST_STICKING], size = 1, friction[REST_STICKING] = {0};
    detent_error error = {.message = ""};
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *sim = variant_start(m, v);
    runs_must(detent_read(sim, DETENT_OUTPUTS, x, 2 * (size_t)n, &error), &error);
    int moving = 0;
    for (int k = 0; k < n; k++) {
        size = fmax(size, fabs(should->acceleration[k]));
    }
    for (int k = 0; k < n; k++) {
        const rest_rate *r = &w->scene.rate[w->scene.stick[k]];
        const int is = should->direction[k];
        /* those at rest that share are inside their static limits with some split, not with this one in each round */
        const double factor = should->released[k] && should->unique ? 1 : r->ratio, f = x[n + k],
                     slack = 1e-9 * r->kinetic[f > 0];
        int direction;
        const detent_mode mode = detent_get_mode(sim, (size_t)k, &direction);
        bool good = (mode == DETENT_LOCKED) == (is == 0) &&
                    (is != 0 ? direction == is : x[k] == 0) &&
                    fabs(x[k] - should->acceleration[k]) <= 1e-8 * size;
        good = good && (is != 0 ? fabs(f + is * r->kinetic[is < 0]) <= slack
                                : f >= -r->kinetic[0] * factor - slack &&
                                      f <= r->kinetic[1] * factor + slack);
        if (!good) {
            fputs(text, stderr);
            fail_msg("%s, %s: a = %.17g instead of %.17g, mode %d, friction %.17g", variant_name(v),
                     w->name[w->scene.stick[k]], x[k], should->acceleration[k], (int)mode, f);
        }
        friction[k] = f;
        moving += is != 0;
    }
    const double open = rest_imbalance(should, friction);
    if (!(open <= 1e-8)) {
        fputs(text, stderr);
        fail_msg("%s: friction is out of balance by %g", variant_name(v), open);
    }
    seen->resting += moving == 0;
    seen->moving += moving == n;
    seen->partly += moving > 0 && moving < n;
    runs_end(sim, m);
}

static void let_go(const char *what, void (*kind)(writer *), bool planar)
{
    enum { CASES = 250 };
    tally seen = {0};
    for (int n = 0; n < CASES; n++) {
        static writer w;
        rest_answer should;
        runs_text page = {0};
        make(&w, kind, planar, 1000 * (uint64_t)(what[0] + what[1]) + (uint64_t)n);
        if (!rest_solve(&w.scene, &should)) {
            seen.left++;
            continue;
        }
        say_scene(&w, &page);
        compare(&w, &should, variant_at((size_t)n % VARIANTS), page.text, &seen);
        seen.rounds += should.rounds > 2;
        seen.unique += should.unique;
        seen.freedoms[should.freedoms < 3 ? should.freedoms : 3]++;
        seen.cases++;
        free(page.text);
    }
    if (runs_verbose()) {
        printf("%s: %d compared, %d left out; %d rest, %d move in all joints, %d in some; %d in "
               "more than one round; "
               "friction unique in %d; %d, %d, %d, %d with 0, 1, 2, more freedoms\n",
               what, seen.cases, seen.left, seen.resting, seen.moving, seen.partly, seen.rounds,
               seen.unique, seen.freedoms[0], seen.freedoms[1], seen.freedoms[2], seen.freedoms[3]);
    }
    assert_true(seen.left <= CASES / 10);
    assert_true(seen.resting + seen.partly >= CASES / 5 && seen.moving + seen.partly >= CASES / 5);
}

static void slider_cranks(void **state)
{
    (void)state;
    let_go("slider-cranks", make_slider_crank, true);
}

static void five_bars(void **state)
{
    (void)state;
    let_go("five-bars", make_five_bar, true);
}

static void geared_five_bars(void **state)
{
    (void)state;
    let_go("geared five-bars", make_geared_five_bar, true);
}

static void spatial_four_bars(void **state)
{
    (void)state;
    let_go("RSSR", make_rssr, false);
    let_go("RSCR", make_rscr, false);
}

static void mixed_rings(void **state)
{
    (void)state;
    let_go("mixed rings", make_mixed_ring, false);
}

static void two_rings(void **state)
{
    (void)state;
    let_go("two rings", make_two_rings, true);
}

static void carried_rings(void **state)
{
    (void)state;
    let_go("carried rings", make_carried_ring, true);
}

static void tied_rings(void **state)
{
    (void)state;
    let_go("tied rings in space", make_tied_rings, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slider_cranks),    cmocka_unit_test(five_bars),
        cmocka_unit_test(geared_five_bars), cmocka_unit_test(spatial_four_bars),
        cmocka_unit_test(mixed_rings),      cmocka_unit_test(two_rings),
        cmocka_unit_test(carried_rings),    cmocka_unit_test(tied_rings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
