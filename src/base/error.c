#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Removes what is left of a UTF-8 character whose end was cut off. */
static void trim_cut_character(char *text, size_t length)
{
    size_t start = length;
    while (start > 0 && length - start < 3 && ((unsigned char)text[start - 1] & 0xC0) == 0x80) {
        start--;
    }
    if (start == 0 || (unsigned char)text[start - 1] < 0xC0) {
        return;
    }
    unsigned char lead = (unsigned char)text[start - 1];
    size_t expected = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (length - (start - 1) < expected) {
        text[start - 1] = '\0';
    }
}

/* The formatted text, cut to `size` bytes with its NUL. It is built aside: an argument may be the
 * target. */
static void write_text(char *target, size_t size, const char *format, va_list arguments)
{
    char text[sizeof(((detent_error *)0)->message)];
    int length = vsnprintf(text, size, format, arguments);
    if (length < 0) {
        text[0] = '\0';
    } else if ((size_t)length >= size) {
        trim_cut_character(text, size - 1);
    }
    memcpy(target, text, strlen(text) + 1);
}

static void write_file(char *target, size_t size, const char *file)
{
    size_t length = file ? strlen(file) : 0;
    bool cut = length >= size;
    length = cut ? size - 1 : length;
    if (length) {
        memmove(target, file, length);
    }
    target[length] = '\0';
    if (cut) {
        trim_cut_character(target, length);
    }
}

detent_status dt_fail(detent_error *error, detent_status status, const dt_location *where,
                      const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        write_text(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
        write_file(error->file, sizeof error->file, where ? where->file : NULL);
        error->detail[0] = '\0';
        error->line = where ? where->line : 0;
        error->column = where ? where->column : 0;
        error->status = status;
    }
    return status;
}

void dt_error_detail(detent_error *error, const char *format, ...)
{
    if (error) {
        _Static_assert(sizeof error->detail <= sizeof error->message,
                       "write_text() has room for a message");
        va_list arguments;
        va_start(arguments, format);
        write_text(error->detail, sizeof error->detail, format, arguments);
        va_end(arguments);
    }
}
