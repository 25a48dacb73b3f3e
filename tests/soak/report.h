/**
 * @file report.h
 * What a soak came to: counts, classes of failures, files.
 */
#ifndef SOAK_REPORT_H
#define SOAK_REPORT_H

#include "judge.h"
#include "sketch.h"

enum { REPORT_CLASSES = 200 };

typedef struct report {
    const char *folder; /**< where files of failures go */
    uint64_t seed;
    long tried, runs, sensitive, slow, held;
    long count[VERDICT_KINDS];
    double worst;
    int classes;
    struct {
        char name[160];
        long count;
        char file[64]; /**< of the first of them */
    } of[REPORT_CLASSES];
} report;

/** Counts a verdict. */
void report_count(report *, const verdict *);
/** Whether it is a failure. */
bool report_is_failure(const verdict *);
/** How many of its class there were before; it is counted. */
long report_class(report *, const verdict *);
/** Writes the file of a failure, says so. */
void report_write(report *, const sketch *, uint64_t number, const verdict *);
/** Prints the counts; returns the number of failures. */
long report_print(const report *);

#endif
