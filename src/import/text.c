#include "import/text.h"

#include "base/text.h"

#include <stdarg.h>

size_t dt_plain_character(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    if (at[0] < 0x80) {
        return at[0] >= ' ' && at[0] != 0x7F;
    }
    const size_t length = at[0] >= 0xF0 ? 4 : at[0] >= 0xE0 ? 3 : 2;
    unsigned long code = at[0] & (0x7Fu >> length);
    for (size_t k = 1; k < length; k++) {
        if ((at[k] & 0xC0) != 0x80) {
            return 0;
        }
        code = code << 6 | (at[k] & 0x3Fu);
    }
    const bool is_good = at[0] >= 0xC0 && code >= 0xA0 && code <= 0x10FFFF &&
                         code >= (length == 4   ? 0x10000u
                                  : length == 3 ? 0x800u
                                                : 0x80u) &&
                         !(code >= 0xD800 && code < 0xE000) && code != 0x2028 && code != 0x2029 &&
                         code != 0xFEFF && code != 0xFFFE && code != 0xFFFF;
    return is_good ? length : 0;
}

void dt_put_bytes(dt_growing_text *out, const char *bytes, size_t length)
{
    if (out->failed) {
        return;
    }
    if (out->length + length + 1 > out->room) {
        const size_t wider = 2 * out->room + length + 4096;
        char *text = dt_arena_grow(out->arena, out->text, out->room, wider, 1);
        out->failed = text == NULL;
        if (!text) {
            return;
        }
        out->text = text;
        out->room = wider;
    }
    memcpy(out->text + out->length, bytes, length);
    out->length += length;
    out->text[out->length] = '\0';
}

void dt_put(dt_growing_text *out, const char *text)
{
    dt_put_bytes(out, text, strlen(text));
}

void dt_put_all(dt_growing_text *out, const char *first, ...)
{
    va_list arguments;
    va_start(arguments, first);
    for (const char *text = first; text; text = va_arg(arguments, const char *)) {
        dt_put(out, text);
    }
    va_end(arguments);
}

void dt_put_number(dt_growing_text *out, double value)
{
    char text[DT_NUMBER_SIZE];
    dt_put_bytes(out, text, dt_format_number(text, value));
}

void dt_put_row(dt_growing_text *out, const double *values, int count)
{
    dt_put(out, "[");
    for (int k = 0; k < count; k++) {
        dt_put(out, k ? ", " : "");
        dt_put_number(out, values[k] == 0 ? 0 : values[k]); /* no -0 */
    }
    dt_put(out, "]");
}

/* Text of the source, on one line. */
static void put_plain(dt_growing_text *out, const char *text, bool is_quoted)
{
    while (*text) {
        const size_t length = dt_plain_character(text);
        if (is_quoted && (*text == '"' || *text == '\\')) {
            dt_put(out, "\\");
        }
        dt_put_bytes(out, length ? text : " ", length ? length : 1);
        text += length ? length : 1;
    }
}

void dt_put_remark(dt_growing_text *out, const char *text)
{
    put_plain(out, text, false);
}

void dt_put_quoted(dt_growing_text *out, const char *text)
{
    dt_put(out, "\"");
    put_plain(out, text, true);
    dt_put(out, "\"");
}
