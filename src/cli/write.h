/**
 * @file write.h
 * `detent write`.
 */
#ifndef CLI_WRITE_H
#define CLI_WRITE_H

#include "options.h"

int write_command(const cli_options *);

#endif
