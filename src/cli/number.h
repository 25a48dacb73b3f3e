/**
 * @file number.h
 * Numbers as text.
 */
#ifndef CLI_NUMBER_H
#define CLI_NUMBER_H

#include <stddef.h>
#include <stdio.h>

#define NUMBER_SIZE 32

/** The shortest decimal text that reads back as `value`; "nan", "inf", "-inf" where it is not finite. Returns the length. */
size_t number_text(char text[NUMBER_SIZE], double value);

/** Writes that text. */
void write_number(FILE *stream, double value);

#endif
