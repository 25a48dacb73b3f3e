/**
 * @file animate_poses.h
 * Poses of a record as key frames.
 */
#ifndef CLI_ANIMATE_POSES_H
#define CLI_ANIMATE_POSES_H

#include "record_file.h"

/**
 * Which rows of a record are key frames, and when, s since the first; both as long as the record has rows, of which there are `*count`. Where
 * there are too many, those at events and those where something changes (report_rows.h). False when memory is out.
 */
bool animate_choose_rows(const record_file *, size_t bodies, size_t *row, double *time,
                         size_t *count);
/** Quaternions w x y z in place to x y z w, of length one, the shorter way from each to the next. */
void animate_turn(double *values, size_t count);
/** A vector of the world, along the axes of a body whose rotation is `q` (w x y z). */
void animate_turn_back(const double q[4], const double w[3], double v[3]);

#endif
