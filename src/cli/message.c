#include "message.h"

#include "interrupt.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

const exit_code_text exit_code_texts[] = {
    {EXIT_DONE, "success"},
    {EXIT_USAGE,
     "the command line is wrong: options, their values, what --set makes of a good file"},
    {EXIT_BAD_FILE, "the mechanism file is wrong: syntax, units, names, topology"},
    {EXIT_IO, "a file could not be read or written"},
    {EXIT_NUMERIC, "numerical failure: the integrator could not proceed"},
    {EXIT_NO_STATE, "no consistent set of modes"},
    {EXIT_STORM, "event storm: more events per second than the bound"},
    {EXIT_MEMORY, "out of memory"},
    {EXIT_SIGNAL + 2, "interrupted (SIGINT); 129 and 143 after SIGHUP and SIGTERM"},
    {0, NULL},
};

int exit_code_of(detent_status status)
{
    switch (status) {
    case DETENT_OK:
    case DETENT_EVENT:
        return EXIT_DONE;
    case DETENT_NO_CONSISTENT_STATE:
        return EXIT_NO_STATE;
    case DETENT_EVENT_STORM:
        return EXIT_STORM;
    case DETENT_INTERRUPTED:
        return EXIT_SIGNAL + interrupt_signal();
    case DETENT_ERROR_ARGUMENT:
        return EXIT_USAGE;
    case DETENT_ERROR_MEMORY:
        return EXIT_MEMORY;
    case DETENT_ERROR_IO:
        return EXIT_IO;
    case DETENT_ERROR_SYNTAX:
    case DETENT_ERROR_MODEL:
        return EXIT_BAD_FILE;
    case DETENT_ERROR_NUMERIC:
    case DETENT_ERROR_SOLVER:
    case DETENT_ERROR_FUNCTION:
        return EXIT_NUMERIC;
    }
    return EXIT_NUMERIC;
}

void write_plain(FILE *stream, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        bool control = (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F;
        fputc(control ? '?' : c, stream);
    }
}

enum { LINE_SIZE = 2048 };

static void print_line(const char *head, const char *text)
{
    fputs(head, stderr);
    write_plain(stderr, text);
    fputc('\n', stderr);
}

void print_error(const char *format, ...)
{
    char text[LINE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_line("detent: error: ", text);
}

void print_note(const char *format, ...)
{
    char text[LINE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_line("detent: ", text);
}

detent_status report(detent_error *error, detent_status status, const char *format, ...)
{
    char text[LINE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_line("detent: error: ", text);
    if (error && !error->message[0]) {
        *error = (detent_error){.status = status};
        snprintf(error->message, sizeof error->message, "%.*s", (int)sizeof error->message - 1,
                 text);
    }
    return status;
}

detent_status flush_stdout(detent_error *error)
{
    bool failed = ferror(stdout) != 0;
    if (fflush(stdout) == 0 && !failed) {
        return DETENT_OK;
    }
    return report(error, DETENT_ERROR_IO, "cannot write to standard output: %s", strerror(errno));
}

void print_library_error(const detent_error *error)
{
    write_plain(stderr, error->file[0] ? error->file : "detent");
    if (error->line > 0) {
        fprintf(stderr, ":%d", error->line);
        if (error->column > 0) {
            fprintf(stderr, ":%d", error->column);
        }
    }
    fputs(": error: ", stderr);
    write_plain(stderr, error->message);
    fputc('\n', stderr);
    /* an outcome's detail may repeat what its message says */
    if (error->detail[0] && !strstr(error->message, error->detail)) {
        write_plain(stderr, error->detail);
        fputc('\n', stderr);
    }
}

void print_warning(const char *place, size_t place_length, const char *text)
{
    char cut[512];
    snprintf(cut, sizeof cut, "%.*s", (int)place_length, place);
    write_plain(stderr, cut);
    fputs(": warning: ", stderr);
    write_plain(stderr, text);
    fputc('\n', stderr);
}
