/* libFuzzer: any bytes as a mechanism file; one that is read is written, reads as the same mechanism, and writes the same text. A good corpus to start
 * from: tests/corpus/good, tests/corpus/bad. */

#include "support_written.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    detent_mechanism *mechanism = NULL;
    detent_error error = {0};
    detent_status status =
        detent_mechanism_parse((const char *)data, size, "fuzz", NULL, &mechanism, &error);
    if (status == DETENT_OK) {
        const char *difference = written_differs(mechanism, NULL);
        if (difference && !strstr(difference, "64 MiB")) {
            fprintf(stderr, "written and read: %s\n", difference);
            abort();
        }
        detent_mechanism_destroy(mechanism);
    } else if (status >= 0 || error.line < 1 || error.column < 1 || !error.message[0]) {
        abort(); /* every refusal has a place and a reason */
    }
    return 0;
}
