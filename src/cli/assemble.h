/**
 * @file assemble.h
 * `detent assemble`: the initial state with its loops closed.
 */
#ifndef CLI_ASSEMBLE_H
#define CLI_ASSEMBLE_H

#include "options.h"

/** Runs the command; returns the exit code. */
int assemble_command(const cli_options *);

#endif
