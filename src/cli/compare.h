/**
 * @file compare.h
 * detent compare: one mechanism with one friction law after the other.
 */
#ifndef CLI_COMPARE_H
#define CLI_COMPARE_H

#include "options.h"

/** Returns the exit code: that of a failure only where no law could be compared. */
int compare_command(const cli_options *);

#endif
