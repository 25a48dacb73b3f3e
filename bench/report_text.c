#include "report_text.h"

#include <math.h>

const char *bench_number(bench_cell text, const char *format, double value)
{
    if (isnan(value)) {
        return "-";
    }
    snprintf(text, sizeof(bench_cell), format, value);
    return text;
}

const char *bench_error_text(bench_cell text, double error)
{
    return error == 0 ? "0" : bench_number(text, "%.1e", error);
}

void bench_json_number(FILE *out, const char *key, double value)
{
    if (isfinite(value)) {
        fprintf(out, ", \"%s\": %.6g", key, value);
    } else {
        fprintf(out, ", \"%s\": null", key);
    }
}

void bench_json_text(FILE *out, const char *key, const char *text)
{
    fprintf(out, ", \"%s\": \"", key);
    for (; *text; text++) {
        if ((unsigned char)*text < ' ') {
            fputc(' ', out);
        } else {
            fprintf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
        }
    }
    fputc('"', out);
}
