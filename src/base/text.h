/**
 * @file text.h
 * Numbers as text, the same in every locale: the decimal point is a point.
 */
#ifndef DT_BASE_TEXT_H
#define DT_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/** Room for any number as text, its NUL included. */
#define DT_NUMBER_SIZE 32

/** Longest text taken for a number. */
#define DT_NUMBER_LENGTH_MAX 1023

/** Writes the shortest of 15, 16 or 17 significant digits that reads back as `value`; "nan", "inf"
 *  and "-inf" where it is not finite. Returns the length without the NUL. */
size_t dt_format_number(char text[DT_NUMBER_SIZE], double value);

/**
 * Reads all `length` bytes of `text`, which need no NUL, as one number: an optional sign, decimal
 * digits with at most one point and at least one digit, an optional exponent. No blanks,
 * hexadecimal digits, "inf" or "nan". True and the nearest double in `*value`; false, with `*value`
 * untouched, if it is no such number, is beyond the range of a double or longer than
 * DT_NUMBER_LENGTH_MAX. A number too small to be told from zero is zero.
 */
bool dt_parse_number(const char *text, size_t length, double *value);

#endif
