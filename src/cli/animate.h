/**
 * @file animate.h
 * `detent animate`: a run as an animation that other programs show.
 */
#ifndef CLI_ANIMATE_H
#define CLI_ANIMATE_H

#include "options.h"

/** Runs the command; returns the exit code. */
int animate_command(const cli_options *);

#endif
