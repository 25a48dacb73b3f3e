/**
 * @file load.h
 * The mechanism that a command is about.
 */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include "options.h"

/**
 * Loads options->file, or standard input where that is "-", with the parameters of the command line.
 * DETENT_ERROR_ARGUMENT: only these are wrong, the file alone is a mechanism.
 */
detent_status load_mechanism(const cli_options *, detent_mechanism **mechanism,
                             detent_error *error);

/**
 * Of commands that load more than once: reads standard input, where that is the file, and keeps it in options->text. `*text` is
 * the caller's to free, also after an error.
 */
detent_status load_text(cli_options *, char **text, detent_error *error);

/** Prints the mechanism's warnings. */
void print_warnings(const cli_options *, const detent_mechanism *);

/**
 * Of a mechanism with loops or couplings, as it is assembled: what has been moved far, where nothing can move, or branches of the motion
 * meet.
 */
void print_start_warnings(const cli_options *, const detent_mechanism *, const detent_simulation *);

/** Of a simulation that begins: which given positions the assembly has moved far, the first few. `file`: that of the mechanism, for messages. */
void print_assembly_warnings(const char *file, const detent_simulation *);

/** The name of the file for messages. */
const char *name_of_file(const cli_options *);

#endif
