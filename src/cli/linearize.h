/**
 * @file linearize.h
 * `detent linearize`.
 */
#ifndef CLI_LINEARIZE_H
#define CLI_LINEARIZE_H

#include "options.h"

int linearize_command(const cli_options *);

#endif
