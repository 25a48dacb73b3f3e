/* Counting, and writing down. */
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void report_count(report *r, const verdict *v)
{
    r->tried++;
    r->runs += v->runs;
    r->count[v->kind]++;
    r->sensitive += v->sensitive;
    r->slow += v->slow;
    r->held += v->held;
    if (v->kind == VERDICT_FINE) {
        r->worst = fmax(r->worst, v->worst);
    }
}

bool report_is_failure(const verdict *v)
{
    return v->kind != VERDICT_FINE && v->kind != VERDICT_PROVED;
}

static int find_class(report *r, const verdict *v)
{
    char name[160];
    verdict_class(v, name, sizeof name);
    name[90] = '\0';
    for (int k = 0; k < r->classes; k++) {
        if (strcmp(r->of[k].name, name) == 0) {
            return k;
        }
    }
    if (r->classes == REPORT_CLASSES) {
        return REPORT_CLASSES - 1;
    }
    memcpy(r->of[r->classes].name, name, sizeof name);
    return r->classes++;
}

long report_class(report *r, const verdict *v)
{
    return r->of[find_class(r, v)].count++;
}

void report_write(report *r, const sketch *s, uint64_t number, const verdict *v)
{
    char path[512], *text = malloc(SKETCH_TEXT);
    const int class = find_class(r, v);
    snprintf(r->of[class].file, sizeof r->of[class].file, "%llu_%llu.yaml",
             (unsigned long long)r->seed, (unsigned long long)number);
    snprintf(path, sizeof path, "%s/%s", r->folder, r->of[class].file);
    FILE *file = fopen(path, "w");
    if (!file || !text) {
        perror(path);
        exit(2);
    }
    sketch_write(s, 0, 0, text, SKETCH_TEXT);
    fprintf(file, "# %s (%s)\n# %s\n# seed %llu, mechanism %llu\n%s", verdict_name(v->kind),
            v->variant, v->words, (unsigned long long)r->seed, (unsigned long long)number, text);
    fclose(file);
    free(text);
    printf("%s: %s (%s): %s\n", path, verdict_name(v->kind), v->variant, v->words);
    fflush(stdout);
}

long report_print(const report *r)
{
    long failures = 0;
    printf("\nseed %llu: %ld mechanisms tried, %ld runs compared, %ld of the mechanisms sensitive; "
           "otherwise %.3g tolerances apart at most; %ld have slow runs that were cut short; "
           "accelerations of %ld were held to dynamics of the program's own\n",
           (unsigned long long)r->seed, r->tried, r->runs, r->sensitive, r->worst, r->slow,
           r->held);
    for (int kind = VERDICT_FINE; kind < VERDICT_KINDS; kind++) {
        printf("%6ld %s\n", r->count[kind], verdict_name((verdict_kind)kind));
        failures += kind == VERDICT_FINE || kind == VERDICT_PROVED ? 0 : r->count[kind];
    }
    if (r->classes > 0) {
        printf("classes:\n");
    }
    for (int k = 0; k < r->classes; k++) {
        printf("%6ld %s [%s]\n", r->of[k].count, r->of[k].name, r->of[k].file);
    }
    return failures;
}
