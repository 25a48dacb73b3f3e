#include "animate.h"

#include "animate_scene.h"
#include "help.h"
#include "message.h"
#include "output_file.h"
#include "results.h"

#include <stdlib.h>
#include <string.h>

static const char suffix[] = ".glb";

/* --output, or NAME in the current directory, without the ending. The caller's to free. */
static char *base_of(const cli_options *o)
{
    const size_t tail = sizeof suffix - 1, length = o->output ? strlen(o->output) : 0;
    if (!o->output) {
        return results_base_in("", o->file);
    }
    const size_t kept =
        length > tail && strcmp(o->output + length - tail, suffix) == 0 ? length - tail : length;
    char *base = malloc(kept + 1);
    if (base) {
        memcpy(base, o->output, kept);
        base[kept] = '\0';
    }
    return base;
}

int animate_command(const cli_options *options)
{
    detent_error error = {0};
    record_file record = {0};
    output_file file = {0};
    char *base = base_of(options);
    detent_status status =
        base ? store_available(&error) : report(&error, DETENT_ERROR_MEMORY, "out of memory");
    status = status ? status : record_file_open(&record, options->file, &error);
    status = status ? status : output_file_open(&file, base, suffix, &error);
    if (!status) {
        status = animate_scene_write(&record, file.stream, &error);
        status = output_file_finish(&file, status, &error);
        if (!status && !options->quiet) {
            printf("%s\n", file.path);
        }
    }
    if (record.store) {
        record_file_close(&record);
    }
    output_file_release(&file);
    free(base);
    return finish_stdout(status ? exit_code_of(status) : EXIT_DONE);
}
