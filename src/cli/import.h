/**
 * @file import.h
 * `detent import`: a robot as a mechanism file.
 */
#ifndef CLI_IMPORT_H
#define CLI_IMPORT_H

#include "options.h"

/** Runs the command; returns the exit code. */
int import_command(const cli_options *);

#endif
