/**
 * @file item_table.h
 * The kinds of items that a mechanism is made of: a row each, and nobody else lists them.
 */
#ifndef DT_MODEL_ITEM_TABLE_H
#define DT_MODEL_ITEM_TABLE_H

/* clang-format off */
/**
 * Those that the model itself knows, in the order in which files are read and people are told: dt_NAME_item. Those of
 * elements that are none of these (dt_item_source) stand at ADDED.
 */
#define DT_ITEM_TABLE(ROW, ADDED) \
    ROW(function) \
    ROW(table) \
    ROW(body) \
    ROW(joint) \
    ROW(primitive) \
    ROW(stiction) \
    ROW(load) \
    ROW(point) \
    ADDED \
    ROW(coupling) \
    ROW(loop) \
    ROW(state) \
    ROW(sampled) \
    ROW(input) \
    ROW(output) \
    ROW(warning)
/* clang-format on */

#define DT_ITEM_NUMBER(name) DT_ITEM_##name,
enum { DT_ITEM_TABLE(DT_ITEM_NUMBER, ) DT_ITEM_KINDS };
#undef DT_ITEM_NUMBER

/** How many of them stand before those of elements. */
enum { DT_ITEMS_BEFORE = DT_ITEM_coupling };

#endif
