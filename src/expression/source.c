#include "expression/source.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Most bytes of a line that are shown on either side of the caret. */
enum { SHOWN = 100 };

/* The bytes 10xxxxxx of UTF-8 continue a character. */
static bool starts_character(char c)
{
    return ((unsigned char)c & 0xC0) != 0x80;
}

static size_t line_start(const dt_source_text *source, size_t offset)
{
    while (offset > 0 && source->text[offset - 1] != '\n') {
        offset--;
    }
    return offset;
}

dt_location dt_source_locate(const dt_source_text *source, size_t offset)
{
    dt_location place = source->where;
    place.line = place.line > 0 ? place.line : 1;
    place.column = place.column > 0 ? place.column : 1;
    for (size_t i = 0; i < offset; i++) {
        if (source->text[i] == '\n') {
            place.line++;
            place.column = 1;
        } else {
            place.column += starts_character(source->text[i]);
        }
    }
    return place;
}

/* Copies bytes from `from` to `to`, with blanks for control characters; returns the number of
 * characters. */
static int copy_shown(const dt_source_text *source, size_t from, size_t to, char *shown)
{
    int characters = 0;
    for (size_t i = from; i < to; i++) {
        char c = source->text[i];
        *shown++ = (unsigned char)c < ' ' || c == 127 ? ' ' : c;
        characters += starts_character(c);
    }
    *shown = '\0';
    return characters;
}

static void show(const dt_source_text *source, size_t offset, detent_error *error)
{
    char before[SHOWN + 8], after[SHOWN + 8];
    size_t start = line_start(source, offset);
    size_t end = offset + strcspn(source->text + offset, "\n");
    bool cut_front = offset - start > SHOWN;
    bool cut_back = end - offset > SHOWN;
    if (cut_front) {
        start = offset - SHOWN;
        while (start < offset && !starts_character(source->text[start])) {
            start++;
        }
    }
    if (cut_back) {
        end = offset + SHOWN;
        while (end > offset && !starts_character(source->text[end])) {
            end--;
        }
    }
    int column = copy_shown(source, start, offset, before) + (cut_front ? 3 : 0);
    copy_shown(source, offset, end, after);
    dt_error_detail(error, "%s%s%s%s\n%*s^", cut_front ? "..." : "", before, after,
                    cut_back ? "..." : "", column, "");
}

detent_status dt_source_fail(const dt_source_text *source, size_t offset, detent_error *error,
                             detent_status status, const char *format, ...)
{
    if (error) {
        char message[sizeof error->message];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(message, sizeof message, format, arguments);
        va_end(arguments);
        offset = offset < source->length ? offset : source->length;
        dt_location where = dt_source_locate(source, offset);
        dt_fail(error, status, &where, "%s", message);
        show(source, offset, error);
    }
    return status;
}
