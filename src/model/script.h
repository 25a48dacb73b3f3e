/**
 * @file script.h
 * What a mechanism was made of: the definitions that the builder was given, in their order, so that a finished mechanism can be written as a file
 * again (format/writer.h). What follows from them is not among them: the stiction of a stop, the state of a friction law.
 *
 * Items are packed, since a mechanism may have millions: of each definition what is different in the one of its kind before, and every text once. A
 * link of a chain with stiction takes 45 bytes.
 */
#ifndef DT_MODEL_SCRIPT_H
#define DT_MODEL_SCRIPT_H

#include "base/arena.h"
#include "base/error.h"
#include "model/item.h"

#include <stdint.h>

typedef enum dt_global_kind {
    DT_GLOBAL_PARAMETER,
    DT_GLOBAL_INPUT,
    DT_GLOBAL_SIGNAL
} dt_global_kind;

/** A parameter, an input or a signal. */
typedef struct dt_script_global {
    dt_global_kind kind; /**< tunable parameters are parameters */
    const char *name,
        *text;    /**< the text of a constant or a signal; NULL: an input that was given as */
    double value; /**< this number */
    dt_dimension dimension;
} dt_script_global;

/** What was told of a primitive after its joint. */
typedef struct dt_script_change {
    const char *primitive;
    const char *force; /**< its force from then on; NULL: that stays */
    bool has_position, has_velocity;
    double position[4], velocity[3]; /**< initial, as in a definition */
} dt_script_change;

/** A growing row of bytes. */
typedef struct dt_bytes {
    unsigned char *at;
    size_t count, capacity;
} dt_bytes;

typedef struct dt_script {
    detent_settings settings; /**< as given: zero where a default stands in */
    const char *gravity[3];   /**< NULL: none */
    const char *description;  /**< NULL: none */
    const dt_script_global *globals;
    const dt_script_change *changes;
    int global_count, change_count;
    dt_bytes items;
    const char *letters; /**< all texts, one behind the other; text_count of them */
    size_t text_count;
    const char *refusal; /**< why no file can hold the mechanism; NULL: one can */
} dt_script;

/* ---- while it is built ---- */

/** Notes an item that was added. False when memory is out. */
bool dt_script_note(detent_mechanism *, int number, const void *definition, const dt_origin *);
/** Notes what was told of a primitive. */
bool dt_script_note_change(detent_mechanism *, const dt_script_change *change);
/** Notes why no file can hold the mechanism; the first reason is kept. */
bool dt_script_refuse(detent_mechanism *, const char *why);
/** Packs it into the mechanism's memory. */
bool dt_script_finish(detent_mechanism *);

/* ---- of a finished mechanism ---- */

/** Where somebody reads. */
typedef struct dt_script_reader {
    const detent_mechanism *m;
    struct dt_script_row *rows; /**< of each kind: what the last item says */
    const char **texts;         /**< all of them */
    size_t next;                /**< byte of the next item */
} dt_script_reader;

typedef struct dt_script_item {
    int number;             /**< of its kind */
    void *definition;       /**< once it is unpacked */
    const char *index_name; /**< of the repetition index in its expressions; NULL: none */
    int index;
} dt_script_item;

/** Before the first item, with memory of `arena`. Tables, which the mechanism has whole, are no items. False when memory is out. */
bool dt_script_begin(const detent_mechanism *, dt_arena *arena, dt_script_reader *reader);
/** Back before the first one. */
void dt_script_rewind(dt_script_reader *);
/** The next item, not unpacked. False: there is none. */
bool dt_script_next(dt_script_reader *, dt_script_item *item);
/** Its definition and index, in `arena`: of the last one that was asked for. False when memory is out. */
bool dt_script_unpack(const dt_script_reader *, dt_arena *arena, dt_script_item *item);

#endif
