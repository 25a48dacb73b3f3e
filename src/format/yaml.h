/**
 * @file yaml.h
 * A YAML text as a tree, each node with its place. A strict subset: one document; no anchors, aliases, tags or merge
 * keys; keys are texts, none twice in a mapping; nesting is bounded.
 */
#ifndef DT_FORMAT_YAML_H
#define DT_FORMAT_YAML_H

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>

typedef enum dt_yaml_kind { DT_YAML_SCALAR, DT_YAML_SEQUENCE, DT_YAML_MAPPING } dt_yaml_kind;

/** How a scalar was written: it decides where its characters stand. */
typedef enum dt_yaml_style { DT_YAML_PLAIN, DT_YAML_QUOTED, DT_YAML_BLOCK } dt_yaml_style;

typedef struct dt_yaml_node {
    dt_yaml_kind kind;
    dt_yaml_style style;
    int line, column; /**< of the first character of the text, or of the collection; from 1 */
    const char *key;  /**< in a mapping; else NULL */
    int key_line, key_column;
    const char *text; /**< scalar; NUL-terminated and without other NUL */
    /** scalar: its characters do not stand in the file one behind the other as in `text` */
    bool bent;
    int count; /**< children */
    const struct dt_yaml_node *first,
        *next; /**< children of a collection; the next child of the parent */
} dt_yaml_node;

/** Most bytes that are read. */
#define DT_YAML_SIZE_MAX (64u << 20)
/** Deepest nesting of collections. */
#define DT_YAML_DEPTH_MAX 32

/**
 * Parses `length` bytes that are called `file` in messages. The tree lives in `arena`.
 * DETENT_ERROR_SYNTAX: not YAML; DETENT_ERROR_MODEL: not in the subset; DETENT_ERROR_MEMORY.
 */
detent_status dt_yaml_parse(dt_arena *arena, const char *text, size_t length, const char *file,
                            const dt_yaml_node **root, detent_error *error);

/** The child with this key, or NULL. */
const dt_yaml_node *dt_yaml_find(const dt_yaml_node *mapping, const char *key);

/** By the rules of YAML 1.2's core schema: a plain `no` is a text, a plain `true`, `null` or `1e3` is none. */
bool dt_yaml_is_text(const dt_yaml_node *node);

/** By the same rules: .nan, .inf, -.inf, which no number of a mechanism can be. */
bool dt_yaml_is_not_finite(const char *text);

/* ---- writing ---- */

/** A text that is being written: one mapping. */
typedef struct dt_yaml_pen dt_yaml_pen;

/**
 * Begins one, in memory of `arena`; libyaml takes its own from malloc. `take` gets the bytes and says whether they arrived; after one that
 * did not nothing more is written. NULL: memory is out.
 */
dt_yaml_pen *dt_yaml_pen_begin(dt_arena *arena, bool (*take)(void *user, const char *bytes, size_t),
                               void *user);
/**
 * Writes a key and what it holds, node->kind, node->text and so on; `line`, of a collection: that it stands on one line, between brackets or braces. A plain
 * scalar is written as plain as YAML allows: that it is to be a text is the caller's business (DT_YAML_QUOTED).
 */
void dt_yaml_pen_put(dt_yaml_pen *, const dt_yaml_node *node);
/** Opens a collection under a key, closed by the next call of the other. */
void dt_yaml_pen_open(dt_yaml_pen *, const char *key, dt_yaml_kind kind);
void dt_yaml_pen_close(dt_yaml_pen *, dt_yaml_kind kind);
/** The end. False: not all has been written. */
bool dt_yaml_pen_end(dt_yaml_pen *);

#endif
