/* libFuzzer: any bytes as a robot of URDF or MJCF. A good corpus to start from: tests/import, tests/fuzz/corpus/robot. */

#include "detent/detent.h"
#include "detent/import.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The result is a mechanism, or is refused like any other file; its YAML is sound in any case. */
static void read_result(const detent_imported *imported)
{
    detent_mechanism *mechanism = NULL;
    detent_error error = {0};
    size_t length;
    const char *text = detent_imported_text(imported, &length);
    const detent_status status =
        detent_mechanism_parse(text, length, "result", NULL, &mechanism, &error);
    if (status == DETENT_OK) {
        detent_mechanism_destroy(mechanism);
    } else if (status >= 0 || status == DETENT_ERROR_SYNTAX || error.line < 1 || error.column < 1 ||
               !error.message[0]) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    detent_import_options options = DETENT_INIT(detent_import_options);
    detent_imported *imported = NULL;
    detent_error error = {0};
    options.base = (detent_import_base)(size % 3);
    options.balance = size % 2 == 0;
    options.keyframe = size % 5 == 0 ? "k" : NULL;
    const detent_status status =
        detent_import_text((const char *)data, size, "fuzz", &options, &imported, &error);
    if (status == DETENT_OK) {
        read_result(imported);
        detent_imported_destroy(imported);
    } else if (status >= 0 || error.line < 1 || error.column < 1 || !error.message[0]) {
        abort(); /* every refusal has a place and a reason */
    }
    return 0;
}
