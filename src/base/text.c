/* The C library reads and writes with the decimal point of the locale, which is the host program's
 * business and may change by thread. Here the text is checked and the point is translated; the
 * digits are the library's work. */

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINT_SIZE = 16 };

/* The decimal point of the current locale: what stands between the digits of 1.5. Returns its
 * length. */
static size_t locale_point(char point[POINT_SIZE])
{
    char text[POINT_SIZE];
    int length = snprintf(text, sizeof text, "%.1f", 1.5);
    if (length < 3 || length >= POINT_SIZE) {
        memcpy(point, ".", 2);
        return 1;
    }
    size_t point_length = (size_t)length - 2;
    memcpy(point, text + 1, point_length);
    point[point_length] = '\0';
    return point_length;
}

size_t dt_format_number(char text[DT_NUMBER_SIZE], double value)
{
    if (!isfinite(value)) {
        const char *word = isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
        return (size_t)snprintf(text, DT_NUMBER_SIZE, "%s", word);
    }
    int length = 0;
    for (int digits = 15; digits <= 17; digits++) {
        length = snprintf(text, DT_NUMBER_SIZE, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    char point[POINT_SIZE];
    size_t point_length = locale_point(point);
    char *found = strstr(text, point);
    if (found) {
        char *rest = found + point_length;
        *found = '.';
        memmove(found + 1, rest, strlen(rest) + 1);
        length -= (int)point_length - 1;
    }
    return (size_t)length;
}

static size_t skip_digits(const char *text, size_t length, size_t i)
{
    while (i < length && text[i] >= '0' && text[i] <= '9') {
        i++;
    }
    return i;
}

static size_t skip_sign(const char *text, size_t length, size_t i)
{
    return i < length && (text[i] == '+' || text[i] == '-') ? i + 1 : i;
}

/* Whether the text is [+-] digits [. digits] [e [+-] digits], with a digit before or behind the
 * point. */
static bool is_number(const char *text, size_t length)
{
    size_t start = skip_sign(text, length, 0);
    size_t i = skip_digits(text, length, start);
    size_t digits = i - start;
    if (i < length && text[i] == '.') {
        start = i + 1;
        i = skip_digits(text, length, start);
        digits += i - start;
    }
    if (digits == 0) {
        return false;
    }
    if (i < length && (text[i] == 'e' || text[i] == 'E')) {
        start = skip_sign(text, length, i + 1);
        i = skip_digits(text, length, start);
        if (i == start) {
            return false;
        }
    }
    return i == length;
}

bool dt_parse_number(const char *text, size_t length, double *value)
{
    if (length > DT_NUMBER_LENGTH_MAX || !is_number(text, length)) {
        return false;
    }
    char copy[DT_NUMBER_LENGTH_MAX + POINT_SIZE + 1];
    char *end = copy;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '.') {
            char point[POINT_SIZE];
            size_t point_length = locale_point(point);
            memcpy(end, point, point_length);
            end += point_length;
        } else {
            *end++ = text[i];
        }
    }
    *end = '\0';
    double number = strtod(copy, NULL);
    if (!isfinite(number)) {
        return false;
    }
    *value = number;
    return true;
}
