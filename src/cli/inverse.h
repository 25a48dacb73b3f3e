/**
 * @file inverse.h
 * `detent inverse`.
 */
#ifndef CLI_INVERSE_H
#define CLI_INVERSE_H

#include "options.h"

int inverse_command(const cli_options *);

#endif
