/**
 * @file help.h
 * `detent help` and `detent version`.
 */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "options.h"

int help_command(const cli_options *);
int version_command(const cli_options *);

/** Flushes standard output. EXIT_IO after saying so if what was printed did not arrive, else `code`. */
int finish_stdout(int code);

#endif
