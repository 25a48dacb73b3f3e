#include "write.h"

#include "help.h"
#include "load.h"
#include "message.h"

#include <stdlib.h>
#include <string.h>

/* On standard output. */
static detent_status print(const detent_mechanism *mechanism, detent_error *error)
{
    size_t length = 0;
    detent_status status = detent_mechanism_text(mechanism, NULL, 0, &length, error);
    char *text = status ? NULL : malloc(length + 1);
    if (!text) {
        return status ? status : report(error, DETENT_ERROR_MEMORY, "out of memory");
    }
    status = detent_mechanism_text(mechanism, text, length + 1, &length, error);
    if (!status) {
        fwrite(text, 1, length, stdout);
    }
    free(text);
    return status;
}

int write_command(const cli_options *options)
{
    const bool into_file = options->output && strcmp(options->output, "-") != 0;
    detent_mechanism *mechanism = NULL;
    detent_error error = {0};
    detent_status status = load_mechanism(options, &mechanism, &error);
    if (!status && !options->quiet) {
        print_warnings(options, mechanism);
    }
    if (!status) {
        status = into_file ? detent_mechanism_save(mechanism, options->output, &error)
                           : print(mechanism, &error);
    }
    if (status) {
        print_library_error(&error);
    }
    detent_mechanism_destroy(mechanism);
    return finish_stdout(status ? exit_code_of(status) : EXIT_DONE);
}
