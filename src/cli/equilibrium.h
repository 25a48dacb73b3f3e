/**
 * @file equilibrium.h
 * The command that prints a position of rest, and what static friction holds there.
 */
#ifndef CLI_EQUILIBRIUM_H
#define CLI_EQUILIBRIUM_H

#include "options.h"

/** `detent equilibrium`; returns the exit code. */
int equilibrium_command(const cli_options *);

#endif
