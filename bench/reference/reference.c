/* Computes bench/reference/values.json: the ends of some workloads, each at two tolerances, the tighter
 * one's values and how far the two agree. Prints it; arguments name workloads and sizes to do only
 * those: bench-reference chain 10 chain 30. With --peer it prints lines of bench/peer.h instead: it is
 * the simplest program that solves the task, and other engines have to beat it too. */

#include "loops.h"
#include "rods.h"
#include "sticky_loop.h"
#include "train.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct reference_case {
    const char *workload;
    size_t n;
    double end, friction, loose, tight;
} reference_case;

static const reference_case cases[] = {
    {"pendulum", 2, 20, 0, 1e-12, 1e-13},       {"chain", 10, 1, 1, 1e-12, 1e-13},
    {"chain", 30, 1, 1, 1e-12, 1e-13},          {"chain", 100, 1, 1, 1e-11, 1e-12},
    {"chain", 300, 1, 1, 1e-10, 1e-11},         {"loose-chain", 10, 1, 0.1, 1e-12, 1e-13},
    {"loose-chain", 30, 1, 0.1, 1e-12, 1e-13},  {"train", 5, 60, 0, 1e-13, 1e-14},
    {"train", 10, 60, 0, 1e-13, 1e-14},         {"train", 30, 20, 0, 1e-13, 1e-14},
    {"train", 100, 20, 0, 1e-13, 1e-14},        {"four-bar", 1, 10, 0, 1e-13, 1e-14},
    {"scissor", 1, 0.5, 0, 1e-13, 1e-14},       {"scissor", 10, 0.5, 0, 1e-13, 1e-14},
    {"scissor", 30, 3, 0, 1e-13, 1e-14},        {"scissor", 100, 3, 0, 1e-13, 1e-14},
    {"sticky-four-bar", 1, 6, 0, 1e-13, 1e-14}, {"geared", 2, 10, 0, 1e-13, 1e-14},
    {"geared", 10, 10, 0, 1e-13, 1e-14},        {"geared", 30, 10, 0, 1e-13, 1e-14},
    {"geared", 100, 10, 0, 1e-13, 1e-14},
};
enum { CASES = sizeof cases / sizeof *cases };

/* One run; the values go to `values`, whose length is returned (0: it failed). */
static size_t run_rods(const reference_case *c, double tolerance, double *values, dopri_work *tally)
{
    const bool pendulum = !strcmp(c->workload, "pendulum");
    const double size = pendulum ? 1.0 : 1.0 / (double)c->n;
    double *limit = calloc(c->n, sizeof *limit), *y = calloc(2 * c->n, sizeof *y);
    rods r = {0};
    size_t count = 0;
    for (size_t i = 0; limit && i < c->n; i++) {
        limit[i] = pendulum ? (i ? 0.5 : 1.0) : c->friction;
    }
    if (limit && y && rods_create(&r, c->n, size, size, limit)) {
        const problem p = rods_problem(&r);
        if (integrate(&p, y, c->end, tolerance, 0.01, tally)) {
            count = 2;
            memcpy(values, y, 2 * sizeof *values);
            if (!pendulum) {
                rods_tip(&r, y, values);
            }
        }
        rods_free(&r);
    }
    free(limit);
    free(y);
    return count;
}

static size_t run_train(const reference_case *c, double tolerance, double *values,
                        dopri_work *tally)
{
    train a;
    double *y = calloc(2 * c->n, sizeof *y);
    size_t count = 0;
    if (y && train_create(&a, c->n)) {
        const problem p = train_problem(&a);
        train_start(&a, y);
        if (integrate(&p, y, c->end, tolerance, 0.05, tally)) {
            count = c->n;
            memcpy(values, y, c->n * sizeof *values);
        }
        train_free(&a);
    }
    free(y);
    return count;
}

static size_t run_freedom(const problem *p, double start, const reference_case *c, double tolerance,
                          double *values, dopri_work *tally)
{
    double y[2] = {start, 0};
    const bool good = integrate(p, y, c->end, tolerance, 0.05, tally);
    values[0] = y[0];
    return good ? 1 : 0;
}

static size_t run_loop(loop l, const reference_case *c, double tolerance, double *values,
                       dopri_work *tally)
{
    const problem p = loop_problem(&l);
    return run_freedom(&p, l.start, c, tolerance, values, tally);
}

static size_t run_sticky_loop(const reference_case *c, double tolerance, double *values,
                              dopri_work *tally)
{
    sticky_loop l = {0};
    const problem p = sticky_loop_problem(&l);
    return run_freedom(&p, four_bar_loop().start, c, tolerance, values, tally);
}

static size_t run_case(const reference_case *c, double tolerance, double *values, dopri_work *tally)
{
    if (!strcmp(c->workload, "four-bar")) {
        return run_loop(four_bar_loop(), c, tolerance, values, tally);
    }
    if (!strcmp(c->workload, "sticky-four-bar")) {
        return run_sticky_loop(c, tolerance, values, tally);
    }
    if (!strcmp(c->workload, "scissor")) {
        return run_loop(scissor_loop(c->n), c, tolerance, values, tally);
    }
    if (!strcmp(c->workload, "geared")) {
        return run_loop(geared_loop(c->n), c, tolerance, values, tally);
    }
    return strcmp(c->workload, "train") ? run_rods(c, tolerance, values, tally)
                                        : run_train(c, tolerance, values, tally);
}

static bool print_case(const reference_case *c, bool first)
{
    double *values = calloc(2 * c->n + 4, sizeof *values), *loose = values + c->n + 2;
    dopri_work tally[2];
    if (!values) {
        return false;
    }
    const size_t count = run_case(c, c->loose, loose, &tally[0]);
    const bool good = count && run_case(c, c->tight, values, &tally[1]) == count;
    double difference = 0;
    for (size_t k = 0; good && k < count; k++) {
        difference = fmax(difference, fabs(values[k] - loose[k]));
    }
    if (good) {
        printf("%s\n{\"workload\": \"%s\", \"n\": %zu, \"end\": %g, \"tolerances\": [%g, %g], "
               "\"steps\": [%zu, %zu], \"events\": [%zu, %zu], \"agreement\": %.2g, \"values\": [",
               first ? "" : ",", c->workload, c->n, c->end, c->loose, c->tight, tally[0].steps,
               tally[1].steps, tally[0].events, tally[1].events, difference);
        for (size_t k = 0; k < count; k++) {
            printf("%s%.16g", k ? ", " : "", values[k]);
        }
        printf("]}");
        fflush(stdout);
    }
    free(values);
    return good;
}

static void print_peer(const reference_case *c, double tolerance)
{
    double *values = calloc(2 * c->n + 4, sizeof *values);
    dopri_work tally;
    struct timespec begin, end;
    if (!values) {
        return;
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    const size_t count = run_case(c, tolerance, values, &tally);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    printf("plain\tdense\t%s\t%zu\t%g\t0\t%.9g\t%zu", c->workload, c->n, tolerance,
           (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec),
           count);
    for (size_t k = 0; k < count; k++) {
        printf("\t%.16g", values[k]);
    }
    printf("\n");
    fflush(stdout);
    free(values);
}

/* The usual sizes, at tolerances of common use. */
static void print_peers(void)
{
    for (int k = 0; k < CASES; k++) {
        for (double tolerance = 1e-6; cases[k].n <= 100 && tolerance > 1e-11; tolerance *= 1e-2) {
            print_peer(&cases[k], tolerance);
        }
    }
}

static bool is_wanted(const reference_case *c, int count, char **arguments)
{
    for (int k = 1; k + 1 < count; k += 2) {
        if (!strcmp(arguments[k], c->workload) && strtoul(arguments[k + 1], NULL, 10) == c->n) {
            return true;
        }
    }
    return count < 3 && c->n <= 100; /* larger ones take minutes: only by name */
}

int main(int count, char **arguments)
{
    bool first = true, good = true;
    if (count == 2 && !strcmp(arguments[1], "--peer")) {
        print_peers();
        return 0;
    }
    printf(
        "{\"how\": \"bench-reference (bench/reference): Lagrange's equations with a full mass "
        "matrix, Dormand-Prince 5(4) with these absolute tolerances a step, each trial of an "
        "event's time a step of its own. The values are those of the second tolerance; agreement "
        "is the largest "
        "difference from those of the first. W2 and the train: coordinates in rad and m; chains: "
        "the tip in m; closed loops: one equation in the one freedom they have, its angle in "
        "rad.\",\n\"cases\": [");
    for (int k = 0; k < CASES; k++) {
        if (is_wanted(&cases[k], count, arguments)) {
            if (print_case(&cases[k], first)) {
                first = false;
            } else {
                fprintf(stderr, "reference: %s %zu failed\n", cases[k].workload, cases[k].n);
                good = false;
            }
        }
    }
    printf("\n]}\n");
    return good ? 0 : 1;
}
