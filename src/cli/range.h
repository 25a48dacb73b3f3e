/**
 * @file range.h
 * `detent range`: how far joints move when one is driven.
 */
#ifndef CLI_RANGE_H
#define CLI_RANGE_H

#include "options.h"

/** Runs the command; returns the exit code. */
int range_command(const cli_options *);

#endif
