/**
 * @file scope_parts.h
 * What scope.c, scope_reading.c and scope_symbol.c share: the scope of one law while it is parsed.
 */
#ifndef DT_MODEL_SCOPE_PARTS_H
#define DT_MODEL_SCOPE_PARTS_H

#include "model/record.h"

/** The scope of one law. */
typedef struct dt_law_scope {
    detent_mechanism *m;
    const dt_law_record *law;
    bool used_index; /**< the value is that of one copy only */
    bool strict;     /**< no phantoms */
    bool out_of_memory;
    char refused[128]; /**< the last name or function that is known but may not be used here */
    char reason[400];  /**< and why */
} dt_law_scope;

/** The index of an item that does not exist. */
enum { DT_PHANTOM = -2 };

/* scope_symbol.c */

extern const dt_symbol dt_unknown_symbol;

/** An unknown symbol, with the reason: `name` is what the parser will complain about. */
dt_symbol dt_scope_refuse(dt_law_scope *f, const char *name, const char *format, ...)
    DT_PRINTF_LIKE(3, 4);
const char *dt_use_text(dt_use use);
dt_symbol dt_scope_variable(dt_variable_kind kind, int index, dt_dimension dimension);
dt_symbol dt_scope_state(const dt_law_scope *f, int index);
/** For an item that does not exist: in a law of a chain, at one of its ends, that of a phantom; else unknown. */
dt_symbol dt_scope_phantom(const dt_law_scope *f, dt_variable_kind kind, const char *item);
/** `before`: what it was before the instant. */
dt_symbol dt_scope_sampled(const dt_law_scope *f, int index, bool before);

/** delay.c: what a sampled value was `number` instants before this one. */
dt_symbol dt_scope_delay(dt_law_scope *f, int sampled, int number);

/** dead_time.c: what a value was some time ago (dt_scope.delay); `context`: dt_law_scope. */
dt_symbol dt_scope_dead_time(void *context, const dt_delayed *delayed);

/** rest.c: the time for which a primitive has been at rest. */
dt_symbol dt_scope_rest(dt_law_scope *f, const char *function, int primitive);
/** What a variable of stiction is for a joint that has none, NAN where it has to have one. */
double dt_scope_frictionless(const dt_law_scope *f, dt_variable_kind kind, int primitive);

/** scope_reading.c: a reading of an item (dt_scope.reading); `context`: dt_law_scope. */
const struct dt_curve *dt_scope_table(void *context,
                                      const char *name); /**< table.c: dt_scope.table */
/** callback.c: dt_scope.callback */
const dt_callback *dt_scope_callback(void *context, const char *name, const char **nearest);
dt_symbol dt_scope_reading(void *context, const dt_reading *reading);
bool dt_scope_is_function(const char *function);
/** The item of a reading with the nearest name, or NULL. */
const char *dt_scope_nearest(const dt_law_scope *f, const char *function, const char *item);

/* scope_tie.c */

/** An item of an element that ties, and of which the variable `reading` is read (-1: no matter), by its name, in its list; -1: there is none. */
int dt_find_tying(detent_mechanism *m, int reading, const char *item, const dt_item_list **list);
/** The first row of conditions of a loop, by the joint where it is cut, of a coupling or an item that ties; -1: there is none. */
int dt_find_tie(detent_mechanism *m, const char *item);

#endif
