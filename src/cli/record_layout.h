/**
 * @file record_layout.h
 * What is in a record: one table of dimensions and one of what each row has, for the writer and for readers.
 */
#ifndef CLI_RECORD_LAYOUT_H
#define CLI_RECORD_LAYOUT_H

#include "store.h"

/** Of the files that this program writes; readers take no later one. */
enum { RECORD_FORMAT = 1 };

typedef enum record_dimension {
    RECORD_TIME,
    RECORD_EVENT,
    RECORD_INSTANT,
    RECORD_STORY,
    RECORD_BODY,
    RECORD_JOINT,
    RECORD_COORDINATE,
    RECORD_FREEDOM,
    RECORD_STICTION,
    RECORD_STATE,
    RECORD_INPUT,
    RECORD_OUTPUT,
    RECORD_HELD,
    RECORD_XYZ,
    RECORD_WXYZ,
    RECORD_DIMENSIONS,
    RECORD_NONE = RECORD_DIMENSIONS /**< one number a row, or one an item */
} record_dimension;

extern const char *const record_dimension_names[RECORD_DIMENSIONS];

/** What a row has: a part of a quantity, a variable of the file. */
typedef struct record_part {
    const char *name;
    detent_quantity quantity;
    record_dimension items, components;
    size_t first,
        stride; /**< of the quantity: number `first + i stride + c` is component c of item i */
    store_type type;
    const char *unit;  /**< NULL: that of its items, per second as often as `rate` says */
    int rate;          /**< and 3: force along them */
    const char *title; /**< long_name */
} record_part;

enum { RECORD_PARTS = 27 };
extern const record_part record_parts[RECORD_PARTS];

/** How many of a dimension a mechanism has; 0 of one that grows. */
size_t record_count(const detent_mechanism *, record_dimension);
/** The unit of an item of a dimension, see record_part.rate; "": none or unknown. */
const char *record_unit(const detent_mechanism *, record_dimension, size_t index, int rate);

/** Words of flag_meanings, in the order of detent_mode and detent_cause. */
extern const char record_modes[], record_causes[];
/** The attributes flag_values and flag_meanings: words with blanks between them, for 0, 1 ... */
void record_flags(store *, int variable, const char *meanings);

#endif
