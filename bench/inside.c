/* The one file of the benchmark that sees the inside of the library. */

#include "inside.h"

#include "clock.h"
#include "workload.h"

#include "dynamics/aba.h"
#include "model/mechanism.h"
#include "stiction/mode_search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- forward dynamics ---- */

typedef struct evaluation {
    const dt_tree *tree;
    const double *q, *v;
    dt_motion *motion;
    dt_reference *reference; /* of each part of the tree */
    dt_aba aba;
    const unsigned char *held;
    dt_aba_load load;
    double *a;
} evaluation;

static void evaluate(void *argument)
{
    evaluation *e = argument;
    dt_motion_pose(e->tree, e->q, e->motion, e->reference);
    dt_motion_velocity(e->tree, e->v, e->motion);
    dt_aba_factor(e->tree, e->motion, e->held, NULL, &e->aba);
    dt_aba_solve(e->tree, e->motion, &e->load, &e->aba, e->a, NULL);
}

/* The rod, from 0, on the freedom v: the mechanism has an order of its own. */
static size_t rod_of(const detent_mechanism *mechanism, size_t v)
{
    return strtoul(mechanism->primitives[v].name + strlen("joint"), NULL, 10) - 1;
}

static bool prepare(evaluation *e, dt_arena *arena, const detent_mechanism *mechanism)
{
    const size_t n = (size_t)mechanism->tree.nv;
    double *q = dt_arena_alloc(arena, n, sizeof *q), *v = dt_arena_alloc(arena, n, sizeof *v);
    *e = (evaluation){.tree = &mechanism->tree,
                      .q = q,
                      .v = v,
                      .motion = dt_motion_create(arena, &mechanism->tree),
                      .reference = dt_arena_alloc(arena, (size_t)mechanism->tree.part_count,
                                                  sizeof(dt_reference)),
                      .held = dt_arena_alloc(arena, n, 1),
                      .load = {.tau = dt_arena_alloc(arena, n, sizeof(double)),
                               .bias = true,
                               .gravity = {0, -9.81, 0}},
                      .a = dt_arena_alloc(arena, n, sizeof(double))};
    if (!q || !v || !e->motion || !e->reference || !e->held || !e->load.tau || !e->a ||
        !dt_aba_create(arena, e->tree, &e->aba)) {
        return false;
    }
    double *given_q = dt_arena_alloc(arena, n, sizeof *q);
    double *given_v = dt_arena_alloc(arena, n, sizeof *v);
    if (!given_q || !given_v) {
        return false;
    }
    bench_dynamics_state(n, given_q, given_v);
    for (size_t k = 0; k < n; k++) {
        q[k] = given_q[rod_of(mechanism, k)];
        v[k] = given_v[rod_of(mechanism, k)];
    }
    return true;
}

void bench_measure_dynamics(bench_dynamics *dynamics, const char *name, size_t n)
{
    detent_mechanism *mechanism = NULL;
    dt_arena arena;
    evaluation e;
    bench_rod *rods = calloc(n + 1, sizeof *rods);
    *dynamics = (bench_dynamics){.name = name,
                                 .n = n,
                                 .status = DETENT_ERROR_MEMORY,
                                 .accelerations = calloc(n, sizeof(double))};
    dt_arena_init(&arena, NULL);
    if (!strcmp(name, "dynamics-arm") && dynamics->accelerations) {
        dynamics->status = bench_load(bench_find_workload("arm"), n, &mechanism, NULL);
    } else if (rods && dynamics->accelerations) {
        if (!strcmp(name, "dynamics-tree")) {
            bench_tree_rods(rods, n);
        } else {
            bench_chain_rods(rods, n, 1.0 / (double)n, 1.0 / (double)n, 1);
        }
        bench_thicken_rods(rods, n);
        dynamics->status = bench_build_rods(rods, n, &mechanism, NULL);
    }
    if (!dynamics->status && prepare(&e, &arena, mechanism)) {
        if (!strcmp(name, "dynamics-arm")) {
            memcpy(e.load.gravity, (const double[]){0, 0, -9.81}, sizeof e.load.gravity);
        }
        dynamics->cpu = bench_per_call(evaluate, &e);
        for (size_t k = 0; k < n; k++) {
            dynamics->accelerations[rod_of(mechanism, k)] = e.a[k];
        }
    } else if (!dynamics->status) {
        dynamics->status = DETENT_ERROR_MEMORY;
    }
    dt_arena_free(&arena);
    detent_mechanism_destroy(mechanism);
    free(rods);
}

/* ---- first search ---- */

static detent_status search_once(const detent_mechanism *mechanism, const double *q,
                                 dt_search_result *result, double *cpu, detent_error *error)
{
    dt_arena arena;
    dt_system system;
    const dt_search_request request = {0};
    dt_arena_init(&arena, NULL);
    detent_status status = dt_system_create(&arena, mechanism, &system, error);
    if (!status) {
        dt_newton *newton = dt_newton_create(&arena, &system, DETENT_LINEAR_SOLVER_TREE);
        dt_search *search = dt_search_create(&arena, &system, false);
        if (newton && search) {
            const double begin = bench_cpu_time();
            dt_system_set_state(&system, 0, q, system.v);
            status = dt_search_run(search, &system, newton, &request, result, error);
            *cpu = bench_cpu_time() - begin;
        } else {
            status = DETENT_ERROR_MEMORY;
        }
    }
    dt_arena_free(&arena);
    return status;
}

static void shape(bench_rod *rods, int kind, size_t n, size_t number, double *q)
{
    memset(q, 0, n * sizeof *q);
    if (kind == 3) {
        bench_push_rods(rods, n, number, q);
    } else if (kind == 2) {
        bench_tree_rods(rods, n);
    } else {
        bench_chain_rods(rods, n, 1.0 / (double)n, 1.0 / (double)n, kind ? 0.1 : 1);
    }
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static void measure_case(bench_search *search, int kind, size_t number, bench_rod *rods, double *q,
                         double times[3])
{
    detent_mechanism *mechanism = NULL;
    detent_error error = {0};
    dt_search_result result = {0};
    double cpu = 0;
    shape(rods, kind, search->n, number, q);
    const double begin = bench_cpu_time();
    detent_status status = bench_build_rods(rods, search->n, &mechanism, &error);
    times[0] = bench_cpu_time() - begin;
    for (int k = 0; k < (search->cases > 1 ? 1 : 3) && !status; k++) { /* the fastest of three */
        status = search_once(mechanism, q, &result, &cpu, &error);
        times[1] = k && times[1] < cpu ? times[1] : cpu;
    }
    times[2] = (double)result.solves;
    search->most_rounds = larger(search->most_rounds, result.rounds);
    search->most_solves = larger(search->most_solves, result.solves);
    search->interior_points += result.interior_points;
    search->most_cpu = times[1] > search->most_cpu ? times[1] : search->most_cpu;
    if (status && !search->failed++) {
        snprintf(search->message, sizeof search->message, "%.199s", error.message);
    }
    detent_mechanism_destroy(mechanism);
}

void bench_measure_search(bench_search *search, int kind, size_t n)
{
    static const char *const names[BENCH_SEARCHES] = {"chain, 1 N m", "chain, 0.1 N m",
                                                      "random tree", "pushed chains"};
    double setup[BENCH_LOAD_CASES], cpu[BENCH_LOAD_CASES], solves[BENCH_LOAD_CASES], times[3];
    bench_rod *rods = calloc(n + 1, sizeof *rods);
    double *q = calloc(n, sizeof *q);
    *search = (bench_search){.name = names[kind], .n = n, .cases = kind == 3 ? 20 : 1};
    for (size_t k = 0; k < search->cases && rods && q; k++) {
        memset(times, 0, sizeof times);
        measure_case(search, kind, k, rods, q, times);
        setup[k] = times[0];
        cpu[k] = times[1];
        solves[k] = times[2];
    }
    if (rods && q) {
        search->setup = bench_median(setup, search->cases);
        search->cpu = bench_median(cpu, search->cases);
        search->solves = (size_t)bench_median(solves, search->cases);
    }
    free(rods);
    free(q);
}
