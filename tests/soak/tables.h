/**
 * @file tables.h
 * The tables of a sketch, for kinds of items that have one of their own.
 */
#ifndef SOAK_TABLES_H
#define SOAK_TABLES_H

#include "make.h"

/** The table of a cam that turns, w3: once in a turn, between -1 and 1. It is written where it is made. */
enum { TABLES_CAM = 3 };
void tables_make_cam(sketch *, chance *);

/** The value of a table of one variable, and its slope (NULL: not wanted). */
double tables_value(const sketch *, int table, double x, double *slope);

#endif
