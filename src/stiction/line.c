#include "stiction/line.h"

#include <stdarg.h>
#include <stdio.h>

void dt_line_add(dt_line *line, const char *format, ...)
{
    const size_t left = sizeof line->text - line->length;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line->text + line->length, left, format, arguments);
    va_end(arguments);
    if (length > 0) {
        line->length += (size_t)length < left ? (size_t)length : left - 1;
    }
}

bool dt_line_next(dt_line *line)
{
    if (line->names++ >= DT_LINE_NAMES) {
        return false;
    }
    if (line->names > 1) {
        dt_line_add(line, ", ");
    }
    return true;
}

void dt_line_close(dt_line *line)
{
    if (line->names > DT_LINE_NAMES) {
        const size_t others = line->names - DT_LINE_NAMES;
        dt_line_add(line, " and %zu other%s", others, others == 1 ? "" : "s");
    }
    line->names = 0;
}
