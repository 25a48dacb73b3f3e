/**
 * @file support_range.h
 * Ranges of joints of one mechanism, and four-bars by the cosine law.
 */
#ifndef SUPPORT_RANGE_H
#define SUPPORT_RANGE_H

#include "detent/analysis.h"
#include "support_runs.h"

enum { RANGE_MOST = 16 };
static const double range_pi = 3.14159265358979323846;

/** A mechanism, and the range that was found last. */
typedef struct range_bench {
    detent_mechanism *m;
    detent_analysis *analysis;
    detent_range range;
    detent_joint_range joints[RANGE_MOST];
} range_bench;

range_bench range_begin(const char *text);
void range_end(range_bench *b);
size_t range_index(const range_bench *b, const char *name);

/** Finds the range of a joint; the analysis is left as it is, to the last bit. */
void range_drive(range_bench *b, const char *name, double from, double to);

/** detent_find_range(), and what became of each joint: `joints` as many as there are. */
detent_status range_find(detent_analysis *, size_t primitive, double from, double to,
                         detent_range *, detent_joint_range *joints, detent_error *);

/** Fails unless they are equal but for whole turns. */
void range_same_angle(const char *what, double value, double expected);

/* ---- four-bars: lengths of ground, crank, rod, rocker ---- */

/** Its joints are a (crank), b (rod), d (rocker) and c, which closes it. */
range_bench range_four_bar(const double l[4], double crank, double rod, double rocker);

/** The angle opposite to c in a triangle. */
double range_angle_in(double a, double b, double c);

/** dq_d/dq_a of the four-bar with the rod above, at a crank angle. */
double range_ratio_at(const double l[4], double angle);

#endif
