/**
 * @file run.h
 * `detent run`: simulates a mechanism and writes its results.
 */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "options.h"

int run_command(const cli_options *);

#endif
