/**
 * @file check.h
 * `detent check`: validates a mechanism and prints what was understood.
 */
#ifndef CLI_CHECK_H
#define CLI_CHECK_H

#include "options.h"

int check_command(const cli_options *);

#endif
