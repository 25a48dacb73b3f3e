/**
 * @file plot.h
 * `detent plot`: outputs of runs over time, as a picture.
 */
#ifndef CLI_PLOT_H
#define CLI_PLOT_H

#include "options.h"

/** Runs the command; returns the exit code. */
int plot_command(const cli_options *);

#endif
