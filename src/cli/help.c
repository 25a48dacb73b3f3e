#include "help.h"

#include "message.h"

#include <stdio.h>
#include <string.h>

enum { OPTION_WIDTH = 28 };

int finish_stdout(int code)
{
    return flush_stdout(NULL) && code == EXIT_DONE ? EXIT_IO : code;
}

static void print_option(const option *entry)
{
    char head[64];
    int width =
        snprintf(head, sizeof head, "  %c%c%c --%s%s%s", entry->letter ? '-' : ' ',
                 entry->letter ? entry->letter : ' ', entry->letter ? ',' : ' ', entry->name,
                 entry->argument ? " " : "", entry->argument ? entry->argument : "");
    printf("%s%*s", head, width < OPTION_WIDTH ? OPTION_WIDTH - width : 0, "");
    if (width >= OPTION_WIDTH) {
        printf("\n%*s", OPTION_WIDTH, "");
    }
    for (const char *c = entry->help; *c; c++) {
        putchar(*c);
        if (*c == '\n') {
            printf("%*s", OPTION_WIDTH, "");
        }
    }
    putchar('\n');
}

static void print_command_help(const command *c)
{
    printf("usage: detent %s%s%s%s\n\n%s\n\noptions:\n", c->name,
           c->argument_required ? " [OPTION]..." : "", c->argument ? " " : "",
           c->argument ? c->argument : "", c->text);
    for (const option *entry = option_table; entry->name; entry++) {
        if (entry->commands & c->bit) {
            print_option(entry);
        }
    }
}

static void print_overview(void)
{
    puts("detent: simulate mechanisms whose joints really stick\n\n"
         "usage: detent COMMAND [OPTION]... [FILE]\n\ncommands:");
    for (const command *c = commands; c->name; c++) {
        printf("  %-11s %-21s %s\n", c->name, c->argument ? c->argument : "", c->summary);
    }
    puts("\nOptions of a command: detent help COMMAND\n\nexit codes:");
    for (const exit_code_text *entry = exit_code_texts; entry->text; entry++) {
        printf("  %3d  %s\n", entry->code, entry->text);
    }
}

int help_command(const cli_options *options)
{
    const char *name = options->command && options->command->run != help_command
                           ? options->command->name
                           : options->file;
    if (!name) {
        print_overview();
        return finish_stdout(EXIT_DONE);
    }
    const command *c = find_command(name);
    if (!c) {
        print_error("there is no command '%s'; see 'detent help'", name);
        return EXIT_USAGE;
    }
    print_command_help(c);
    return finish_stdout(EXIT_DONE);
}

int version_command(const cli_options *options)
{
    (void)options;
    printf("detent %s\n", detent_version());
    return finish_stdout(EXIT_DONE);
}
