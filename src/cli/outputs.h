/**
 * @file outputs.h
 * `detent outputs`: outputs of a run that is over, from its record.
 */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include "options.h"

/** Runs the command; returns the exit code. */
int outputs_command(const cli_options *);

#endif
