/**
 * @file report.h
 * The results as a table for the terminal, as Markdown, as JSON, and as data for gnuplot.
 */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "inside.h"
#include "micro.h"
#include "peer.h"
#include "reference_values.h"

#include <stdio.h>

/** What is known of one workload in one size beside its runs. */
typedef struct bench_case {
    const bench_workload *workload;
    size_t n;
    double own_agreement, independent_agreement; /**< of the references; NAN where there is none */
    char how[48];                                /**< our own two runs */
} bench_case;

typedef struct bench_results {
    size_t case_count, run_count, peer_count, dynamics_count, search_count, hold_count, step_count,
        setup_count, law_count, control_count, order_count;
    bench_case *cases;
    bench_run *runs; /**< by workload, n, integrator, rtol */
    bench_peer_run *peers;
    bench_dynamics *dynamics;
    bench_search *searches;
    bench_hold *holds;
    bench_step *steps;
    bench_setup *setups;
    bench_law *laws;
    bench_control *controls;
    bench_order *orders;
} bench_results;

/** Growth of CPU with n, n >= 10, from the runs of one workload with one integrator. */
typedef struct bench_growth {
    const bench_workload *workload;
    detent_integrator integrator;
    double rtol;  /**< the one that was run in most sizes, then the one nearest to 1e-7 */
    size_t sizes; /**< runs that it is fitted to */
    const bench_run *runs[BENCH_MOST_SIZES];
    double cpu, cpu_per_event, events; /**< exponents; NAN with fewer than two sizes */
} bench_growth;
bench_growth bench_fit_growth(const bench_results *results, const bench_workload *workload,
                              detent_integrator integrator);
/** NAN where there are none, and where nothing moves. */
double bench_cpu_per_event(const bench_run *run);

/** CPU of the default integrator over that of the better one of those named, at the error that the default has. */
typedef struct bench_default {
    const bench_workload *workload;
    size_t n, runs;         /**< runs: tolerances that it was judged at */
    double mean, most;      /**< geometric mean of them; NAN without any */
    double same;            /**< the mean over that of the better one at the same tolerance */
    double rtol;            /**< where it is the most */
    detent_integrator best; /**< there */
} bench_default;
bench_default bench_judge_default(const bench_results *results, const bench_workload *workload,
                                  size_t n);

/** Header, then one line a run, as they come. */
void bench_print_header(FILE *out);
void bench_print_run(FILE *out, const bench_run *run);
void bench_print_growth(FILE *out, const bench_results *results);
void bench_print_defaults(FILE *out, const bench_results *results);
void bench_print_hold(FILE *out, const bench_hold *hold);
void bench_print_step(FILE *out, const bench_results *results, const bench_step *step);
void bench_print_setup(FILE *out, const bench_setup *setup);
void bench_print_law(FILE *out, const bench_results *results, const bench_law *law);
void bench_print_order(FILE *out, const bench_order *order);
void bench_print_control(FILE *out, const bench_results *results, const bench_control *control);
/** CPU of a step over that of 10 joints with the same integrator; NAN where that was not run. */
double bench_step_ratio(const bench_results *results, const bench_step *step);
void bench_write_markdown(FILE *out, const bench_results *results);
void bench_write_json(FILE *out, const bench_results *results);
/** Parts of the two reports: bench/report_growth.c, report_default.c, report_peers.c, report_micro.c, report_laws.c, report_control.c, report_order.c,
 * report_extras.c.
 */
void bench_write_growth_markdown(FILE *out, const bench_results *results);
void bench_write_growth_json(FILE *out, const bench_results *results);
void bench_write_defaults_markdown(FILE *out, const bench_results *results);
void bench_write_defaults_json(FILE *out, const bench_results *results);
void bench_write_micro_markdown(FILE *out, const bench_results *results);
void bench_write_micro_json(FILE *out, const bench_results *results);
void bench_write_laws_markdown(FILE *out, const bench_results *results);
void bench_write_laws_json(FILE *out, const bench_results *results);
void bench_write_orders_markdown(FILE *out, const bench_results *results);
void bench_write_orders_json(FILE *out, const bench_results *results);
void bench_write_control_markdown(FILE *out, const bench_results *results);
void bench_write_control_json(FILE *out, const bench_results *results);
void bench_write_peers_markdown(FILE *out, const bench_results *results);
void bench_write_peers_json(FILE *out, const bench_results *results);
void bench_write_extras_markdown(FILE *out, const bench_results *results);
void bench_write_extras_json(FILE *out, const bench_results *results);

/** Forward dynamics, "dynamics-...": no run in time. */
bool bench_is_dynamics(const char *workload);
/** Lines of the workload `control`: "control-...", see bench/peer.h. */
bool bench_is_control(const char *workload);
/** Holds the positions of other engines in `control` against our reference. */
void bench_judge_control(bench_results *results);
/** Holds the accelerations of other engines against ours. */
void bench_judge_dynamics(bench_results *results, const bench_dynamics *dynamics);
void bench_print_dynamics(FILE *out, const bench_results *results, const bench_dynamics *dynamics);
void bench_print_search(FILE *out, const bench_search *search);
/** Data for gnuplot: n, s of one evaluation; a block each engine and mechanism. */
bool bench_write_dynamics_plot(FILE *out, const bench_results *results);

/**
 * For bench/plot.gp: precision-WORKLOAD.dat (cpu, error; a block each n and peer), growth.dat (n,
 * cpu; a block each workload and integrator), growth-event.dat (n, cpu per event), dynamics.dat, in
 * that folder.
 */
bool bench_write_plots(const char *folder, const bench_results *results);

#endif
