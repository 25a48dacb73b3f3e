#include "number.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Small whole numbers, which tables are full of, need no library. */
static size_t small_integer_text(char text[NUMBER_SIZE], double value)
{
    char digits[NUMBER_SIZE];
    size_t count = 0, length = 0;
    unsigned rest = (unsigned)fabs(value);
    do {
        digits[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0) {
        text[length++] = '-';
    }
    while (count > 0) {
        text[length++] = digits[--count];
    }
    text[length] = '\0';
    return length;
}

/* Where the value has a text of 15 digits or less, 15 digits give it: trailing zeros are dropped. Close to zero, where
 * doubles have fewer digits, the search starts at one. */
size_t number_text(char text[NUMBER_SIZE], double value)
{
    if (!isfinite(value)) {
        const char *word = isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
        memcpy(text, word, strlen(word) + 1);
        return strlen(word);
    }
    if (fabs(value) < 1e6 && value == floor(value) && !(value == 0 && signbit(value))) {
        return small_integer_text(text, value);
    }
    int digits = fabs(value) < DBL_MIN ? 1 : DBL_DIG;
    int length = snprintf(text, NUMBER_SIZE, "%.*g", digits, value);
    while (digits < DBL_DECIMAL_DIG && strtod(text, NULL) != value) {
        length = snprintf(text, NUMBER_SIZE, "%.*g", ++digits, value);
    }
    return (size_t)length;
}

void write_number(FILE *stream, double value)
{
    char text[NUMBER_SIZE];
    fwrite(text, 1, number_text(text, value), stream);
}
