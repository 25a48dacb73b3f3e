/**
 * @file options.h
 * The command line: one table of commands and one of options, which are read by the parser and by `detent help`.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "detent/detent.h"

typedef struct cli_options {
    const struct command *command;
    const char *file;   /**< the argument of the command, or NULL */
    const char **files; /**< all of them, of a command that takes several */
    size_t file_count;
    const char *output;  /**< NULL: named after the mechanism file */
    const char *outputs; /**< names with commas between them; NULL: all */
    /** Paths, "" where none is given; NULL: not asked for. */
    const char *record, *report;
    const char *write;  /**< the path of a copy of the file, or NULL */
    const char *motion; /**< a table; NULL: none */
    const char *driven; /**< names of joints with commas between them, or NULL */
    /** Names of inputs and parameters with commas between them, or NULL. */
    const char *held_inputs;
    /** Of commands, not of options: which of these parameters are inputs. */
    const char *const *tunable;
    size_t tunable_count;
    const detent_law_choice *const *choices; /**< likewise: friction laws of joints */
    size_t choice_count;
    const char *text; /**< likewise: what standard input held, where it has been read before */
    size_t text_length;
    detent_parameter *parameters; /**< in the order given; a later one wins */
    size_t parameter_count;
    detent_parameter *law_keys; /**< keys of friction laws, likewise */
    size_t law_key_count;
    const char *laws, *joints; /**< names with commas between them; NULL: all */
    const char *signal;        /**< the output that commands, or NULL */
    double end, interval, rtol, atol, max_step, max_solves, at, from, to, step, velocity, stretch,
        moved, max_data, font; /**< NaN where not given */
    int integrator;            /**< detent_integrator, or -1 */
    int linear_solver;         /**< detent_linear_solver, or -1 */
    int locked_joints;         /**< detent_locked_joints, or -1 */
    int events_format;         /**< 0: csv, 1: jsonl */
    int base;                  /**< detent_import_base */
    const char *without;       /**< words with commas between them, or NULL */
    const char *keyframe;      /**< NULL: none */
    const char *picture;       /**< its size, or NULL */
    bool balance;
    bool records; /**< of each run */
    bool trace_search, hold, stiction, branches, json, quiet, help, version;
} cli_options;

/** A command of the program. */
typedef struct command {
    const char *name;
    const char *argument; /**< in help; NULL: takes none; one that ends in ...: several */
    bool argument_required;
    unsigned bit;        /**< in option.commands */
    const char *summary; /**< one line */
    const char *text;    /**< more of them */
    int (*run)(const cli_options *);
} command;

/** Ended by one without name. */
extern const command commands[];

/** The bit of options that make sense without a command. */
#define ANY_COMMAND 0x8000u

typedef enum option_kind {
    OPTION_FLAG,
    OPTION_TEXT,
    OPTION_NUMBER,    /**< finite */
    OPTION_POSITIVE,  /**< finite and above zero */
    OPTION_CHOICE,    /**< the index of one of `choices` */
    OPTION_PARAMETER, /**< NAME=VALUE, of the file */
    OPTION_KEY,       /**< the same, of a friction law */
    OPTION_PERHAPS /**< a text, or nothing: with =, or what follows where it ends as `argument` does */
} option_kind;

/** An option of the program. */
typedef struct option {
    const char *name; /**< without the dashes */
    char letter;      /**< 0: none */
    option_kind kind;
    const char *argument;       /**< in help */
    unsigned commands;          /**< bits of the commands that take it, and perhaps ANY_COMMAND */
    size_t place;               /**< offset in `options` */
    const char *const *choices; /**< OPTION_CHOICE: ended by NULL */
    const char *help;
} option;

/** Ended by one without name. */
extern const option option_table[];

/**
 * Reads the command line; splits NAME=VALUE in place. True, or false after saying what is wrong.
 * `options->parameters`, `options->law_keys` and `options->files` are the caller's to free in both cases.
 */
bool parse_options(int argc, char **argv, cli_options *options);

/** The command of that name, or NULL. */
const command *find_command(const char *name);

#endif
