/**
 * @file report_text.h
 * Numbers and texts as the reports write them.
 */
#ifndef BENCH_REPORT_TEXT_H
#define BENCH_REPORT_TEXT_H

#include <stdio.h>

/** Room for one number; several live at once, so the caller brings it. */
typedef char bench_cell[24];

/** "-" where there is no number. */
const char *bench_number(bench_cell text, const char *format, double value);
const char *bench_error_text(bench_cell text, double error);

/** , "key": value; null where it is not finite. */
void bench_json_number(FILE *out, const char *key, double value);
void bench_json_text(FILE *out, const char *key, const char *text);

#endif
