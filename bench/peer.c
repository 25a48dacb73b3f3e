#include "peer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The next field of the line, cut into `text`; the rest of the line. */
static const char *take(const char *line, char *text, size_t size)
{
    const size_t length = strcspn(line, "\t\n");
    snprintf(text, size, "%.*s", (int)length, line);
    return line[length] == '\t' ? line + length + 1 : line + length;
}

static const char *take_number(const char *line, double *value)
{
    char text[64];
    line = take(line, text, sizeof text);
    *value = strtod(text, NULL);
    return line;
}

static bool read_line(bench_peer_run *run, const char *line)
{
    char text[64];
    double count = 0, n = 0;
    *run = (bench_peer_run){.error = NAN, .dial = NAN, .setup = NAN, .cpu = NAN};
    line = take(line, run->engine, sizeof run->engine);
    line = take(line, run->setting, sizeof run->setting);
    line = take(line, run->workload, sizeof run->workload);
    line = take_number(line, &n);
    run->n = (size_t)n;
    line = take(line, text, sizeof text);
    if (!strcmp(text, "-")) {
        take(line, run->reason, sizeof run->reason);
        return run->reason[0] != 0;
    }
    run->dial = strtod(text, NULL);
    line = take_number(line, &run->setup);
    line = take_number(line, &run->cpu);
    line = take_number(line, &count);
    run->values = calloc((size_t)count + 1, sizeof *run->values);
    for (; run->values && run->count < (size_t)count; run->count++) {
        line = take_number(line, &run->values[run->count]);
    }
    return run->cpu > 0;
}

size_t bench_read_peers(const char *path, bench_peer_run **runs)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0, count = 0;
    *runs = NULL;
    while (file && getline(&line, &capacity, file) > 0) {
        bench_peer_run *longer = realloc(*runs, (count + 1) * sizeof **runs);
        if (!longer) {
            break;
        }
        *runs = longer;
        if (read_line(&longer[count], line)) {
            count++;
        } else {
            free(longer[count].values);
        }
    }
    free(line);
    if (file) {
        fclose(file);
    }
    return count;
}

void bench_peers_free(bench_peer_run *runs, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        free(runs[k].values);
    }
    free(runs);
}

void bench_judge_peers(bench_peer_run *runs, size_t count, const bench_workload *workload, size_t n,
                       const bench_reference *reference)
{
    for (size_t k = 0; k < count; k++) {
        bench_peer_run *run = &runs[k];
        if (run->n != n || strcmp(run->workload, workload->name) || !run->values) {
            continue;
        }
        if (workload->compared == BENCH_MOVEMENT) {
            run->error = 0;
            for (size_t i = 0; i < run->count; i++) {
                run->error = fmax(run->error, fabs(run->values[i]));
            }
        } else if (reference->independent) {
            run->error = bench_difference(run->values, run->count, reference->independent,
                                          reference->independent_count);
        } else {
            run->error =
                bench_difference(run->values, run->count, reference->own, reference->own_count);
        }
    }
}
