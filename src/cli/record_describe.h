/**
 * @file record_describe.h
 * What is the same in all rows of a record.
 */
#ifndef CLI_RECORD_DESCRIBE_H
#define CLI_RECORD_DESCRIBE_H

#include "record.h"
#include "record_layout.h"

/** Defines the dimensions, numbers of which are put into `dimension` (-1: none of them), and writes it. False when memory is out. */
bool record_describe(store *, const record_source *, int dimension[RECORD_DIMENSIONS]);

#endif
