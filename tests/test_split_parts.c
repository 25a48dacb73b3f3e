/*
 * Joints at rest that share what holds loops: lifts of scissors, rings and four-bars side by side, in random sizes and with random joints locked.
 * Every part by itself, and the large ones by their motions, gives what dense matrices of all that is tied give for that part: the largest
 * share, the motion, the split of least norm; and the multipliers of a split balance what moves.
 */
#include "dynamics/closure.h"
#include "dynamics/closure_still.h"
#include "dynamics/split_parts.h"
#include "support_runs.h"
#include "support_trees.h"

enum { TRIALS = 40, MOST_PARTS = 6, MOST_STAGES = 30 };

typedef struct writer {
    runs_text page;
    support_random random;
    int lifts, rings;
} writer;

static double between(writer *w, double low, double high)
{
    return support_uniform(&w->random, low, high);
}

static void say_revolute(writer *w, const char *name, int of, int k, const char *base,
                         const char *follower, const double at[2], bool closes)
{
    runs_say(&w->page,
             "  %s%d_%d: {type: revolute, base: %s, follower: %s, axis: [0, 0, 1], at: {base: "
             "[%.17g, %.17g, 0], "
             "follower: [%.17g, %.17g, 0]}%s}\n",
             name, of, k, base, follower, at[0], at[1], at[0], at[1],
             closes ? ", closes: true" : "");
}

/** A lift of scissors whose bodies all have the frame of the ground where it stands; some of its joints are on a link of their own. */
static void say_lift(writer *w, int c, int stages, const bool *loose, double x)
{
    const double wide = between(w, 0.4, 1), high = between(w, 0.3, 0.9);
    char up[32], down[32], link[32], below_up[32] = "ground", below_down[32] = "ground";
    for (int k = 0; k < stages; k++) {
        const double left[2] = {x, k * high}, cross[2] = {x + wide / 2, (k + 0.5) * high},
                     right[2] = {x + wide, k * high},
                     beyond[2] = {x + wide + 0.2, (k + between(w, 0.1, 0.3)) * high};
        snprintf(up, sizeof up, "up%d_%d", c, k);
        snprintf(down, sizeof down, "down%d_%d", c, k);
        snprintf(link, sizeof link, "link%d_%d", c, k);
        say_revolute(w, "left", c, k, k == 0 ? "ground" : below_down, up, left, false);
        say_revolute(w, "cross", c, k, up, down, cross, false);
        if (loose[k]) {
            say_revolute(w, "extra", c, k, down, link, beyond, false);
        }
        if (k > 0) {
            say_revolute(w, "right", c, k, below_up, loose[k] ? link : down, right, true);
        } else {
            runs_say(&w->page,
                     "  foot%d: {type: custom, row: [p, r], base: ground, follower: %s, "
                     "axes: [[1, 0, 0], [0, 0, 1]], "
                     "at: {base: [%.17g, 0, 0], follower: [%.17g, 0, 0]}, closes: true}\n",
                     c, loose[k] ? link : down, right[0], right[0]);
        }
        snprintf(below_up, sizeof below_up, "up%d_%d", c, k);
        snprintf(below_down, sizeof below_down, "down%d_%d", c, k);
    }
}

static void say_ring(writer *w, int c, int links, double x)
{
    char base[32] = "ground", follower[32];
    for (int k = 0; k < links; k++) {
        const bool last = k + 1 == links;
        const double turn = 2 * 3.14159265358979 * k / links,
                     at[2] = {x + cos(turn) * between(w, 0.5, 1), sin(turn) * between(w, 0.5, 1)};
        snprintf(follower, sizeof follower, "bar%d_%d", c, k);
        say_revolute(w, "pin", c, k, last ? "ground" : base, last ? base : follower, at, last);
        snprintf(base, sizeof base, "bar%d_%d", c, k);
    }
}

static void say_bodies(writer *w, const char *name, int c, int count)
{
    for (int k = 0; k < count; k++) {
        runs_say(&w->page, "  %s%d_%d: {mass: 1, inertia: [1, 1, 1]}\n", name, c, k);
    }
}

static void say_stictions(writer *w, const char *name, int c, int from, int count)
{
    for (int k = from; k < count; k++) {
        const double limit = exp(between(w, -4, 1));
        runs_say(&w->page, "  %s%d_%d: {static: %.6g, kinetic: %.6g}\n", name, c, k, limit,
                 limit / 2);
    }
}

/** Up to six of them side by side: of a few joints, and of many. */
static void write(writer *w)
{
    int lift[MOST_PARTS], ring[MOST_PARTS];
    bool loose[MOST_PARTS][MOST_STAGES];
    w->lifts = 1 + (int)between(w, 0, 2.999);
    w->rings = 1 + (int)between(w, 0, 2.999);
    for (int c = 0; c < MOST_PARTS; c++) {
        lift[c] = (int)between(w, 6, MOST_STAGES);
        for (int k = 0; k < lift[c]; k++) {
            loose[c][k] = support_chance(&w->random, 0.1);
        }
        ring[c] = support_chance(&w->random, 0.3) ? 40 : 4 + (int)between(w, 0, 3);
    }
    runs_say(&w->page, "detent: 1\ngravity: [0, -9.81, 0]\nbodies:\n");
    for (int c = 0; c < w->lifts; c++) {
        say_bodies(w, "up", c, lift[c]);
        say_bodies(w, "down", c, lift[c]);
        for (int k = 0; k < lift[c]; k++) {
            if (loose[c][k]) {
                runs_say(&w->page, "  link%d_%d: {mass: 1, inertia: [1, 1, 1]}\n", c, k);
            }
        }
    }
    for (int c = 0; c < w->rings; c++) {
        say_bodies(w, "bar", c, ring[c] - 1);
    }
    runs_say(&w->page, "joints:\n");
    for (int c = 0; c < w->lifts; c++) {
        say_lift(w, c, lift[c], loose[c], 3 * c);
    }
    for (int c = 0; c < w->rings; c++) {
        say_ring(w, c, ring[c], -3 * (c + 1));
    }
    runs_say(&w->page, "stiction:\n");
    for (int c = 0; c < w->lifts; c++) {
        say_stictions(w, "left", c, 0, lift[c]);
        say_stictions(w, "cross", c, 0, lift[c]);
        say_stictions(w, "right", c, 1, lift[c]);
        for (int k = 0; k < lift[c]; k++) {
            if (loose[c][k]) {
                say_stictions(w, "extra", c, k, k + 1);
            }
        }
    }
    for (int c = 0; c < w->rings; c++) {
        say_stictions(w, "pin", c, 0, ring[c]);
    }
    runs_say(&w->page, "simulation: {end: 1 s}\n");
}

static void is_near(double one, double other, double by)
{
    if (!(fabs(one - other) <= by)) {
        fail_msg("%.17g is not %.17g, but for %g", one, other, by);
    }
}

typedef struct bench {
    dt_arena arena;
    detent_mechanism *mechanism;
    dt_system s;
    dt_split *parts, dense;
    double (*limits)[2];
    bool *counts;
    double *f, *m;
    signed char *way;
} bench;

static void open_bench(bench *b, writer *w)
{
    write(w);
    b->mechanism = runs_parse(w->page.text, NULL);
    free(w->page.text);
    w->page = (runs_text){0};
    dt_arena_init(&b->arena, NULL);
    assert_int_equal(dt_system_create(&b->arena, b->mechanism, &b->s, NULL), DETENT_OK);
    assert_int_equal(dt_closure_assemble(&b->s, NULL), DETENT_OK);
    b->parts = b->s.closure->split;
    assert_non_null(b->parts);
    assert_true(dt_split_take(&b->arena, &b->s, true, &b->dense));
    const size_t n = (size_t)b->mechanism->stiction_count;
    b->limits = dt_arena_alloc(&b->arena, n, sizeof *b->limits);
    b->counts = dt_arena_alloc(&b->arena, n, sizeof *b->counts);
    b->f = dt_arena_alloc(&b->arena, n, sizeof *b->f);
    b->way = dt_arena_alloc(&b->arena, n, sizeof *b->way);
    b->m = dt_arena_alloc(&b->arena, (size_t)b->s.closure->rows, sizeof *b->m);
}

static void close_bench(bench *b)
{
    dt_arena_free(&b->arena);
    detent_mechanism_destroy(b->mechanism);
}

/** Random modes, loads and limits; some of these are as narrow as nothing. */
static void set_out(bench *b, writer *w)
{
    const double locked = between(w, 0.3, 1.3), load = exp(between(w, -4, 3));
    for (int k = 0; k < b->mechanism->stiction_count; k++) {
        b->s.mode[k] = support_chance(&w->random, locked) ? DETENT_LOCKED : DETENT_UNLOCKED;
        b->s.direction[k] = 1;
        b->s.f[k] = load * between(w, -1, 1);
        b->limits[k][0] = -exp(between(w, -6, 1));
        b->limits[k][1] = exp(between(w, -6, 1));
        if (support_chance(&w->random, 0.05)) {
            b->limits[k][0] *= 1e-17;
            b->limits[k][1] *= 1e-17;
        }
    }
    dt_closure_choose(&b->s);
    dt_system_set_state(&b->s, 0, b->s.q, b->s.v);
}

/** What dense matrices say of the members of a part alone; counts which parts there are. */
static void compare_part(bench *b, const dt_split_part *part, const double *least, int many[3])
{
    dt_system *s = &b->s;
    memset(b->counts, 0, (size_t)b->mechanism->stiction_count * sizeof *b->counts);
    for (int i = 0; i < part->stictions; i++) {
        b->counts[part->stiction[i]] = true;
    }
    s->closure->split = &b->dense;
    dt_split_within(s, b->limits, b->counts);
    const dt_split *dense = s->closure->split;
    assert_int_equal(dense->columns, part->columns);
    assert_int_equal(dense->count, part->columns > 0 ? part->count : 0);
    if (part->columns > 0) {
        if (isinf(dense->used)) {
            assert_true(isinf(part->used));
        } else {
            /* shares are ratios of sums that cancel: of some hundred limits 1.3e-12 is seen, which hangs on how the BLAS sums up */
            is_near(part->used, dense->used, 4e-12 * (1 + dense->used));
        }
        many[part->by_motions ? part->motions->count > 1 : 2]++;
    }
    double most = 0;
    for (int i = 0; i < part->count && dense->used > 1; i++) {
        most = fmax(most, fabs(dense->motion[i]));
    }
    for (int i = 0; i < part->count && dense->used > 1; i++) {
        if (fabs(dense->motion[i]) > 1e-12 * most) { /* what is less is rounding of the matrices */
            assert_int_equal(b->parts->way[part->first + i], dense->way[i]);
        }
    }
    if (part->columns > 0 && dense->used < 1) {
        dt_split_take_least(&b->dense, b->dense.part);
        most = 0;
        for (int i = 0; i < part->count; i++) {
            most = fmax(most, fabs(dense->load[i]));
        }
        for (int i = 0; i < part->count; i++) {
            is_near(least[dense->member[i]], dense->f[dense->member[i]], 1e-12 * most);
        }
    }
    s->closure->split = b->parts;
}

static void parts_share_as_the_whole(void **state)
{
    int many[3] = {0}; /* parts with one motion, with several, by dense matrices */
    (void)state;
    for (int trial = 0; trial < TRIALS; trial++) {
        writer w = {.random = {(uint64_t)trial + 1}};
        bench b = {0};
        open_bench(&b, &w);
        for (int round = 0; round < 3; round++) {
            set_out(&b, &w);
            dt_split_within(&b.s, b.limits, NULL);
            double *least = b.f;
            for (int p = 0; p < b.parts->part_count; p++) {
                if (b.parts->part[p].columns > 0 && b.parts->part[p].used < 1) {
                    dt_split_take_least(b.parts, &b.parts->part[p]);
                }
            }
            memcpy(least, b.parts->f, (size_t)b.mechanism->stiction_count * sizeof *least);
            for (int p = 0; p < b.parts->part_count; p++) {
                compare_part(&b, &b.parts->part[p], least, many);
            }
        }
        close_bench(&b);
    }
    assert_true(many[0] > 10 && many[1] > TRIALS && many[2] > TRIALS);
}

/** G' times what a split adds to the multipliers is what it takes off the loads, and nothing along what moves. */
static void multipliers_balance(void **state)
{
    (void)state;
    for (int trial = 0; trial < TRIALS / 2; trial++) {
        writer w = {.random = {(uint64_t)trial + 100}};
        bench b = {0};
        open_bench(&b, &w);
        set_out(&b, &w);
        const dt_closure *c = b.s.closure;
        double most = 0;
        for (int k = 0; k < b.mechanism->stiction_count; k++) {
            most = fmax(most, fabs(b.s.f[k]));
        }
        memcpy(b.f, b.s.f, (size_t)b.mechanism->stiction_count * sizeof *b.f);
        memset(b.s.multiplier, 0, (size_t)c->rows * sizeof *b.s.multiplier);
        if (!dt_split_show(&b.s)) {
            close_bench(&b);
            continue;
        }
        memcpy(b.m, b.s.multiplier, (size_t)c->rows * sizeof *b.m);
        for (int i = 0; i < b.s.tree->node_count; i++) {
            const dt_node *node = &b.s.tree->nodes[i];
            const int k = b.mechanism->primitives[i].stiction;
            const int place = k >= 0 ? b.parts->place[k] : -1;
            for (int v = node->v; v < node->v + node->type->nv; v++) {
                double sum = 0, size = 0;
                for (int r = 0; r < c->rows; r++) {
                    const double term = dt_closure_entry(c, r, v) * b.m[r];
                    sum += term;
                    size += fabs(term);
                }
                if (place >= 0) {
                    is_near(sum, b.f[k] - b.s.f[k], 1e-11 * (size + most));
                } else if (!c->held[i]) {
                    is_near(sum, 0, 1e-11 * (size + most));
                }
            }
        }
        close_bench(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_share_as_the_whole),
        cmocka_unit_test(multipliers_balance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
