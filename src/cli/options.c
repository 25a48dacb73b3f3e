#include "options.h"

#include "message.h"
#include "nearest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const command *find_command(const char *name)
{
    for (const command *c = commands; c->name; c++) {
        if (strcmp(c->name, name) == 0) {
            return c;
        }
    }
    return NULL;
}

/* ---- values ---- */

static bool parse_number(const option *entry, const char *text, void *place)
{
    char *end;
    double value = strtod(text, &end);
    bool is_number = end != text && *end == '\0' && isfinite(value);
    if (!is_number || (entry->kind == OPTION_POSITIVE && value <= 0)) {
        print_error("option --%s: '%s' is not a finite number%s%s", entry->name, text,
                    strcmp(entry->argument, "TIME") == 0 ? " of seconds" : "",
                    entry->kind == OPTION_POSITIVE ? " above zero" : "");
        return false;
    }
    *(double *)place = value;
    return true;
}

static bool parse_choice(const option *entry, const char *text, void *place)
{
    for (int i = 0; entry->choices[i]; i++) {
        if (strcmp(entry->choices[i], text) == 0) {
            *(int *)place = i;
            return true;
        }
    }
    print_error("option --%s: '%s' is not one of %s", entry->name, text, entry->argument);
    return false;
}

/* Into a list that has room for it. */
static bool parse_pair(const option *entry, char *text, detent_parameter *list, size_t *count)
{
    char *equals = strchr(text, '=');
    if (!equals || equals == text) {
        print_error("option --%s: '%s' is not NAME=VALUE", entry->name, text);
        return false;
    }
    *equals = '\0';
    size_t i = 0;
    while (i < *count && strcmp(list[i].name, text) != 0) {
        i++;
    }
    list[i] = (detent_parameter){text, equals + 1};
    *count += i == *count;
    return true;
}

static bool store_value(const option *entry, char *text, cli_options *options)
{
    void *place = (char *)options + entry->place;
    switch (entry->kind) {
    case OPTION_FLAG:
        *(bool *)place = true;
        return true;
    case OPTION_TEXT:
        if (!*text) {
            print_error("option --%s: the %s is empty", entry->name, entry->argument);
            return false;
        }
        *(const char **)place = text;
        return true;
    case OPTION_NUMBER:
    case OPTION_POSITIVE:
        return parse_number(entry, text, place);
    case OPTION_CHOICE:
        return parse_choice(entry, text, place);
    case OPTION_PARAMETER:
        return parse_pair(entry, text, options->parameters, &options->parameter_count);
    case OPTION_KEY:
        return parse_pair(entry, text, options->law_keys, &options->law_key_count);
    case OPTION_PERHAPS:
        *(const char **)place = text;
        return true;
    }
    return false;
}

/* ---- options ---- */

/* Of several options of one name that of the command. */
static const option *find_option(const char *name, size_t length, const command *c)
{
    const option *found = NULL;
    for (const option *entry = option_table; entry->name; entry++) {
        const bool is_named =
            strlen(entry->name) == length && strncmp(entry->name, name, length) == 0;
        if (is_named && (!found || (c && entry->commands & c->bit))) {
            found = entry;
        }
    }
    return found;
}

static const option *find_letter(char letter, const command *c)
{
    const option *found = NULL;
    for (const option *entry = option_table; entry->name; entry++) {
        if (entry->letter == letter && (!found || (c && entry->commands & c->bit))) {
            found = entry;
        }
    }
    return found;
}

/* What is no option, but a command that does it. */
static const command *find_command_of(const char *text, size_t length)
{
    const command *of = commands;
    while (of->name && !(strlen(of->name) == length && strncmp(of->name, text, length) == 0)) {
        of++;
    }
    return of->name ? of : NULL;
}

static bool unknown_option(const char *text, size_t length)
{
    char name[32] = "";
    const option *nearest = NULL;
    if (length < sizeof name) {
        memcpy(name, text, length);
        name[length] = '\0';
    }
    for (const option *entry = option_table; entry->name; entry++) {
        bool nearer =
            !nearest || edit_distance(name, entry->name) < edit_distance(name, nearest->name);
        if (is_near(name, entry->name) && nearer) {
            nearest = entry;
        }
    }
    const command *of = find_command_of(text, length);
    if (of) {
        print_error("unknown option '--%s'; that is a command: 'detent %s %s'%s", of->name,
                    of->name, of->argument ? of->argument : "",
                    strcmp(of->name, "plot") == 0 ? ", or a page with --report" : "");
    } else if (nearest) {
        print_error("unknown option '--%.*s'; did you mean '--%s'?", (int)length, text,
                    nearest->name);
    } else {
        print_error("unknown option '--%.*s'; see 'detent help'", (int)length, text);
    }
    return false;
}

/* Whether a text ends as the path of such an option does, whose argument is "[PATH.nc]", and is more than that. */
static bool is_path_of(const option *entry, const char *text)
{
    const char *ending = strchr(entry->argument, '.');
    const size_t length = strlen(ending) - 1, whole = strlen(text);
    return whole > length && strncmp(text + whole - length, ending, length) == 0;
}

/* An option from its table entry and the value that stands with it, or else the next argument. */
static bool take_option(const option *entry, char *value, int argc, char **argv, int *i,
                        cli_options *options)
{
    if (entry->kind == OPTION_FLAG && value) {
        print_error("option --%s takes no value", entry->name);
        return false;
    }
    if (entry->kind == OPTION_PERHAPS && !value) {
        static char none[] = "";
        value = *i + 1 < argc && is_path_of(entry, argv[*i + 1]) ? argv[++*i] : none;
    }
    if (entry->kind != OPTION_FLAG && !value) {
        if (*i + 1 >= argc) {
            print_error("option --%s needs a value: --%s %s", entry->name, entry->name,
                        entry->argument);
            return false;
        }
        value = argv[++*i];
    }
    if (!options->command && !(entry->commands & ANY_COMMAND)) {
        print_error("option --%s stands before the command; it belongs behind it", entry->name);
        return false;
    }
    if (options->command && !(entry->commands & options->command->bit)) {
        print_error("'detent %s' has no option --%s", options->command->name, entry->name);
        return false;
    }
    return store_value(entry, value, options);
}

static bool take_long(int argc, char **argv, int *i, cli_options *options)
{
    char *name = argv[*i] + 2;
    size_t length = strcspn(name, "=");
    const option *entry = find_option(name, length, options->command);
    if (!entry) {
        return unknown_option(name, length);
    }
    char *value = name[length] ? name + length + 1 : NULL;
    return take_option(entry, value, argc, argv, i, options);
}

/* -q, -o PATH, -oPATH; letters of flags do not run together. */
static bool take_short(int argc, char **argv, int *i, cli_options *options)
{
    char *text = argv[*i];
    const option *entry = find_letter(text[1], options->command);
    if (!entry || (entry->kind == OPTION_FLAG && text[2])) {
        print_error("unknown option '%s'; see 'detent help'", text);
        return false;
    }
    return take_option(entry, text[2] ? text + 2 : NULL, argc, argv, i, options);
}

/* ---- arguments ---- */

static bool take_command(const char *name, cli_options *options)
{
    options->command = find_command(name);
    if (options->command) {
        return true;
    }
    const command *nearest = NULL;
    for (const command *c = commands; c->name && !nearest; c++) {
        nearest = is_near(name, c->name) ? c : NULL;
    }
    if (nearest) {
        print_error("unknown command '%s'; did you mean '%s'?", name, nearest->name);
    } else if (strpbrk(name, "./\\")) {
        print_error("unknown command '%s'; to simulate a mechanism: detent run %s", name, name);
    } else {
        print_error("unknown command '%s'; see 'detent help'", name);
    }
    return false;
}

static bool take_argument(const char *text, cli_options *options)
{
    if (!options->command) {
        return take_command(text, options);
    }
    const char *argument = options->command->argument;
    const bool takes_several = argument && strstr(argument, "...") != NULL;
    if (!argument || (options->file && !takes_several)) {
        print_error("'detent %s': unexpected argument '%s'", options->command->name, text);
        return false;
    }
    options->file = options->file ? options->file : text;
    options->files[options->file_count++] = text;
    return true;
}

static bool is_complete(const cli_options *options)
{
    if (options->help || options->version) {
        return true;
    }
    if (!options->command) {
        print_error("a command is missing; see 'detent help'");
        return false;
    }
    if (options->command->argument_required && !options->file) {
        print_error("'detent %s': %s is missing", options->command->name,
                    options->command->argument);
        return false;
    }
    return true;
}

bool parse_options(int argc, char **argv, cli_options *options)
{
    *options = (cli_options){.end = NAN,
                             .interval = NAN,
                             .rtol = NAN,
                             .atol = NAN,
                             .max_step = NAN,
                             .at = NAN,
                             .from = NAN,
                             .to = NAN,
                             .step = NAN,
                             .max_solves = NAN,
                             .velocity = NAN,
                             .stretch = NAN,
                             .moved = NAN,
                             .max_data = NAN,
                             .font = NAN,
                             .linear_solver = -1,
                             .locked_joints = -1,
                             .integrator = -1};
    options->parameters = malloc((size_t)(argc + 1) * sizeof *options->parameters);
    options->law_keys = malloc((size_t)(argc + 1) * sizeof *options->law_keys);
    options->files = malloc((size_t)(argc + 1) * sizeof *options->files);
    if (!options->parameters || !options->law_keys || !options->files) {
        print_error("out of memory");
        return false;
    }
    bool only_arguments = false;
    for (int i = 1; i < argc; i++) {
        char *text = argv[i];
        bool good;
        if (only_arguments || text[0] != '-' || text[1] == '\0') {
            good = take_argument(text, options);
        } else if (strcmp(text, "--") == 0) {
            good = only_arguments = true;
        } else if (text[1] == '-') {
            good = take_long(argc, argv, &i, options);
        } else {
            good = take_short(argc, argv, &i, options);
        }
        if (!good) {
            return false;
        }
    }
    return is_complete(options);
}
