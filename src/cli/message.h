/**
 * @file message.h
 * What the program says on the standard error stream, and what it exits with.
 */
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include "detent/detent.h"

#include <stdio.h>

#if defined(__GNUC__) || defined(__clang__)
#define PRINTF_LIKE(format_at, first_at) __attribute__((format(printf, format_at, first_at)))
#else
#define PRINTF_LIKE(format_at, first_at)
#endif

/** Exit codes; docs/command-line.md and `detent help` list them too. */
enum exit_code {
    EXIT_DONE = 0,
    EXIT_USAGE = 1,
    EXIT_BAD_FILE = 2,
    EXIT_IO = 3,
    EXIT_NUMERIC = 4,
    EXIT_NO_STATE = 5,
    EXIT_STORM = 6,
    EXIT_MEMORY = 7,
    EXIT_SIGNAL = 128 /**< and the number of the signal: 130 for SIGINT */
};

typedef struct exit_code_text {
    int code;
    const char *text;
} exit_code_text;

/** All of them in words, ended by a NULL text. */
extern const exit_code_text exit_code_texts[];

/** The exit code for a status of the library. */
int exit_code_of(detent_status status);

/** Prints "detent: error: TEXT". */
void print_error(const char *format, ...) PRINTF_LIKE(1, 2);

/**
 * Prints the same and keeps it in `error`, unless that holds one already; NULL: nobody asks later.
 * Returns `status`.
 */
detent_status report(detent_error *error, detent_status status, const char *format, ...)
    PRINTF_LIKE(3, 4);

/** Hands what was printed to the system. DETENT_ERROR_IO, reported, where it did not arrive. */
detent_status flush_stdout(detent_error *error);

/** Prints "detent: TEXT". */
void print_note(const char *format, ...) PRINTF_LIKE(1, 2);

/** Prints an error of the library as "FILE:LINE:COLUMN: error: MESSAGE" and its detail below. */
void print_library_error(const detent_error *error);

/** Prints "PLACE: warning: TEXT". */
void print_warning(const char *place, size_t place_length, const char *text);

/** Writes text from a file without the control characters that a terminal would obey. */
void write_plain(FILE *stream, const char *text);

#endif
