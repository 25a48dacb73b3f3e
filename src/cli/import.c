#include "import.h"

#include "detent/import.h"
#include "load.h"
#include "message.h"
#include "nearest.h"
#include "output_file.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word;
    detent_import_part part;
} parts[] = {{"limits", DETENT_IMPORT_LIMITS},
             {"friction", DETENT_IMPORT_FRICTION},
             {"damping", DETENT_IMPORT_DAMPING},
             {"armature", DETENT_IMPORT_ARMATURE},
             {"actuators", DETENT_IMPORT_ACTUATORS}};

/* The words of --without. */
static bool read_parts(const char *words, unsigned *without)
{
    while (words && *words) {
        const size_t length = strcspn(words, ",");
        size_t k = 0;
        while (k < sizeof parts / sizeof *parts &&
               (strlen(parts[k].word) != length || strncmp(parts[k].word, words, length) != 0)) {
            k++;
        }
        if (k == sizeof parts / sizeof *parts) {
            print_error("option --without: '%.*s' is not one of limits, friction, damping, "
                        "armature, actuators",
                        (int)length, words);
            return false;
        }
        *without |= (unsigned)parts[k].part;
        words += length + (words[length] == ',');
    }
    return true;
}

static detent_status read_source(const cli_options *options, unsigned without,
                                 detent_imported **imported, detent_error *error)
{
    detent_import_options chosen = DETENT_INIT(detent_import_options);
    chosen.base = (detent_import_base)options->base;
    chosen.without = without;
    chosen.balance = options->balance;
    chosen.keyframe = options->keyframe;
    if (strcmp(options->file, "-") != 0) {
        return detent_import_file(options->file, &chosen, imported, error);
    }
    cli_options of_text = *options;
    char *text = NULL;
    detent_status status = load_text(&of_text, &text, error);
    if (!status) {
        status = detent_import_text(of_text.text, of_text.text_length, "<stdin>", &chosen, imported,
                                    error);
    }
    free(text);
    return status;
}

/* Joints whose places in the source closing its loops moves far. Whether they close at all is for 'detent check' to say. */
static void tell_assembly(const cli_options *options, const detent_mechanism *mechanism)
{
    detent_simulation *simulation = NULL;
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_mechanism_get_info(mechanism, &info);
    if (info.ties > 0 &&
        detent_simulation_create(mechanism, NULL, &simulation, NULL) == DETENT_OK) {
        print_assembly_warnings(options->output ? options->output : "<result>", simulation);
    }
    detent_simulation_destroy(simulation);
}

/* What is not in the result, and whether it is a mechanism as it stands. */
static detent_status tell(const cli_options *options, const detent_imported *imported,
                          detent_error *error)
{
    const char *note;
    int line;
    size_t length;
    detent_mechanism *mechanism = NULL;
    const char *source = strcmp(options->file, "-") == 0 ? "<stdin>" : options->file;
    for (size_t k = 0; (note = detent_imported_note(imported, k, &line)) != NULL; k++) {
        if (line > 0) {
            fprintf(stderr, "%s:%d: note: ", source, line);
        } else {
            fprintf(stderr, "%s: note: ", source);
        }
        write_plain(stderr, note);
        fputc('\n', stderr);
    }
    const char *text = detent_imported_text(imported, &length);
    const detent_status status = detent_mechanism_parse(
        text, length, options->output ? options->output : "<result>", NULL, &mechanism, error);
    if (!status) {
        tell_assembly(options, mechanism);
    }
    detent_mechanism_destroy(mechanism);
    if (status) {
        print_library_error(error);
    }
    if (status && status != DETENT_ERROR_MEMORY) {
        print_note("the result is a file to be completed: 'detent check' says the same of it");
    }
    return status == DETENT_ERROR_MEMORY ? status : DETENT_OK;
}

static detent_status write_result(const cli_options *options, const detent_imported *imported,
                                  detent_error *error)
{
    size_t length;
    const char *text = detent_imported_text(imported, &length);
    if (!options->output || strcmp(options->output, "-") == 0) {
        fwrite(text, 1, length, stdout);
        return flush_stdout(error);
    }
    output_file file = {0};
    const bool is_device = output_file_is_device(options->output);
    if (!is_device && strcmp(options->file, "-") != 0 &&
        output_file_is_same(options->output, options->file)) {
        return report(error, DETENT_ERROR_ARGUMENT,
                      "the result would replace %s, which it is made from; use another --output",
                      options->file);
    }
    detent_status status = is_device ? output_file_open_device(&file, options->output, error)
                                     : output_file_open(&file, options->output, "", error);
    if (status) {
        return status;
    }
    fwrite(text, 1, length, file.stream);
    status = output_file_finish(&file, DETENT_OK, error);
    output_file_release(&file);
    return status;
}

int import_command(const cli_options *options)
{
    detent_imported *imported = NULL;
    detent_error error = {0};
    unsigned without = 0;
    if (!read_parts(options->without, &without)) {
        return EXIT_USAGE;
    }
    detent_status status = read_source(options, without, &imported, &error);
    if (status) {
        print_library_error(&error);
        return exit_code_of(status);
    }
    if (!options->quiet) {
        status = tell(options, imported, &error);
        error = (detent_error){0};
    }
    status = status ? status : write_result(options, imported, &error);
    detent_imported_destroy(imported);
    return exit_code_of(status);
}
