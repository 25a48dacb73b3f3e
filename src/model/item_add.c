/* Adding an item of any kind: what its keys say is checked and copied by them. The record stands at the end of its list while
 * that is done; the name is entered last, so that an item that was refused can be given again, corrected. */

#include "model/record.h"

#include <string.h>

/* The field of a key in a definition. */
static void *field_of(const dt_key *key, void *definition)
{
    return (char *)definition + key->offset;
}

detent_status dt_refuse_item(const dt_builder *b, const dt_item_kind *kind, const void *record,
                             const char *key, const char *why, detent_error *error)
{
    const dt_location where = dt_locate(b, dt_record_origin(kind, record), NULL, key, -1);
    return dt_fail(error, DETENT_ERROR_MODEL, &where, "%s '%s': %s", kind->what,
                   dt_record_name(record), why);
}

static int count_words(const char *const *words)
{
    int count = 0;
    while (words[count]) {
        count++;
    }
    return count;
}

/* The first of some numbers that is negative; -1: none. */
static int find_negative(const double *numbers, int count)
{
    int first = 0;
    while (first < count && !(numbers[first] < 0.0)) {
        first++;
    }
    return first < count ? first : -1;
}

/* Whether a value is one that its key takes. */
static bool fits(const dt_key *key, const void *record, const double *numbers, int count)
{
    switch (key->kind) {
    case DT_VALUE_SIZE:
    case DT_VALUE_SIZE_VECTOR:
        return find_negative(numbers, count) < 0 && dt_is_finite(numbers, count);
    case DT_VALUE_POSITIVE: /* 0: it is not given */
        return (*numbers > 0.0 || !key->required) && dt_is_finite(numbers, count);
    case DT_VALUE_CHOICE: {
        const int choice = *(const int *)(const void *)((const char *)record + key->offset);
        return choice >= 0 && choice < count_words(key->extra);
    }
    default:
        return dt_is_finite(numbers, count);
    }
}

static detent_status check_key(const dt_builder *b, const dt_item_kind *kind, const dt_key *key,
                               void *record, detent_error *error)
{
    const double *numbers;
    const int count = dt_key_numbers(key, record, &numbers);
    if (fits(key, record, numbers, count)) {
        return DETENT_OK; /* places take time to find */
    }
    const char *name = dt_record_name(record);
    const int negative = find_negative(numbers, count);
    const dt_location where = dt_locate(b, dt_record_origin(kind, record), NULL, key->name,
                                        key->kind == DT_VALUE_SIZE_VECTOR ? negative : -1);
    if (key->kind == DT_VALUE_CHOICE) {
        return dt_fail(error, DETENT_ERROR_MODEL, &where, "%s '%s': there is no %s %d", kind->what,
                       name, key->name, *(const int *)field_of(key, record));
    }
    const char *words = !dt_key_is_ends(key) && key->extra ? key->extra : key->name;
    const detent_status status = dt_check_finite(numbers, count, name, words, &where, error);
    return status ? status
                  : dt_fail(error, DETENT_ERROR_MODEL, &where, "%s '%s': '%s' is %s", kind->what,
                            name, key->name, negative >= 0 ? "negative" : "zero");
}

/* Whether the texts of a required key are there: callers from C may have left some out. */
static detent_status check_texts(const dt_builder *b, const dt_item_kind *kind, const dt_key *key,
                                 void *record, detent_error *error)
{
    const char *const *texts = field_of(key, record);
    for (int k = 0; k < dt_key_texts(key) && key->required; k++) {
        if (!texts[k]) {
            const dt_location where = dt_locate(b, dt_record_origin(kind, record), NULL, NULL, -1);
            return dt_fail(error, DETENT_ERROR_MODEL, &where, "%s '%s' needs the key '%s'",
                           kind->what, dt_record_name(record), key->name);
        }
    }
    return DETENT_OK;
}

/* Expressions of a kind that composes others of them: so that they may stand in these. */
static bool copy_texts(dt_builder *b, const dt_item_kind *kind, const dt_key *key, void *record)
{
    const bool composes = kind->text || kind->derivative || kind->stiction;
    const char **texts = field_of(key, record);
    bool ok = true;
    for (int k = 0; k < dt_key_texts(key) && ok; k++) {
        ok = dt_copy_text(&b->arena, texts[k], &texts[k]);
        if (ok && texts[k] && composes && key->kind == DT_VALUE_EXPRESSION) {
            texts[k] = dt_expression_part(&b->arena, texts[k], b->units);
            ok = texts[k] != NULL;
        }
    }
    return ok;
}

void dt_forget_texts(const dt_item_kind *kind, void *definition)
{
    for (const dt_key *key = kind->keys; key && key->name; key++) {
        const char **texts = field_of(key, definition);
        for (int k = 0; k < dt_key_texts(key); k++) {
            texts[k] = texts[k] && key->kind == DT_VALUE_EXPRESSION ? "" : NULL;
        }
    }
}

const char *dt_item_joint(const dt_item_kind *kind, const void *record)
{
    const char *name = kind->names_joint ? dt_record_name(record) : NULL;
    for (const dt_key *key = kind->keys; key->name && !name; key++) {
        name = dt_record_joint(key, record);
    }
    return name;
}

/* The type of the joint that an item is along; NULL: it is along none, or that is not there yet. */
static const dt_primitive_type *type_of_joint(const detent_mechanism *m, const dt_item_kind *kind,
                                              const void *record)
{
    const char *joint = dt_item_joint(kind, record);
    return joint ? dt_builder_primitive_type(m, joint) : NULL;
}

detent_status dt_check_whole(const detent_mechanism *m, const dt_item_kind *kind,
                             const void *record, detent_error *error)
{
    const dt_primitive_type *type = type_of_joint(m, kind, record);
    const char *key = NULL, *why = NULL;
    if (kind->fault && (type || !dt_item_joint(kind, record))) {
        why = kind->fault(record, type && type->rotational, &key);
    }
    return why ? dt_refuse_item(m->builder, kind, record, key, why, error) : DETENT_OK;
}

/* How many points its name may have: that of a primitive, or of a state that follows from such a name. */
static int points_of(const dt_item_kind *kind, int number, const void *record)
{
    const bool follows = number == DT_ITEM_state && ((const dt_state_record *)record)->is_of_item;
    return follows || kind->parts ? 2 : kind->names_joint;
}

static detent_status take(detent_mechanism *m, const dt_item_kind *kind, int number, void *record,
                          detent_error *error)
{
    dt_builder *b = m->builder;
    const dt_origin *origin = dt_record_origin(kind, record);
    const dt_location where = dt_locate(b, origin, NULL, NULL, -1);
    detent_status status = dt_check_path(kind->what, dt_record_name(record),
                                         points_of(kind, number, record), &where, error);
    for (const dt_key *key = kind->keys; key->name && !status && !kind->checks_itself; key++) {
        status = check_key(b, kind, key, record, error);
        status = status ? status : check_texts(b, kind, key, record, error);
    }
    status = status ? status : dt_check_whole(m, kind, record, error);
    status = status || !kind->take ? status : kind->take(m, record, error);
    for (const dt_key *key = kind->keys; key->name && !status; key++) {
        status = copy_texts(b, kind, key, record) ? DETENT_OK : dt_out_of_memory(error);
    }
    return status ? status
                  : dt_enter_name(m, kind->names_joint ? &b->arena : &m->arena, kind->what,
                                  dt_record_name(record), dt_names_of(m, number),
                                  b->items[number].list.count - 1, origin,
                                  &((dt_item_head *)record)->name, error);
}

int dt_item_states_of(const dt_item_kind *kind, const void *definition)
{
    const bool several = kind->states && kind->states->count;
    return !kind->derivative ? 0 : several ? kind->states->count(definition) : 1;
}

const char *dt_item_state_name(dt_arena *arena, const dt_item_kind *kind, const void *definition,
                               const char *name, int k)
{
    const dt_item_states *states = kind->states;
    return !states ? name
           : dt_item_states_of(kind, definition) == 1
               ? dt_arena_printf(arena, "%s.%s", name, states->suffix)
               : dt_arena_printf(arena, "%s.%s[%d]", name, states->suffix, k + 1);
}

/* What a state of an item measures. */
static dt_dimension state_dimension(const detent_mechanism *m, const dt_item_kind *kind,
                                    const void *record)
{
    const dt_primitive_type *type = kind->states ? type_of_joint(m, kind, record) : NULL;
    return type ? *dt_quantity_dimension(kind->states->quantity, type->rotational)
                : dt_dimension_unknown;
}

static detent_status add_state(detent_mechanism *m, const dt_item_kind *kind, const void *record,
                               int k, detent_error *error)
{
    dt_arena *arena = &m->builder->arena;
    const dt_item_states *states = kind->states;
    const char *own = dt_record_name(record), *text = kind->derivative(arena, record, k),
               *name = dt_item_state_name(arena, kind, record, own, k);
    const dt_state_definition state = {
        .def = {.name = name,
                .derivative = text,
                .nominal = states && states->nominal ? states->nominal(record, k) : 0},
        .dimension = state_dimension(m, kind, record),
        .is_of_item = true};
    return text && name
               ? dt_add_item(m, DT_ITEM_state, &state, dt_record_origin(kind, record), error)
               : dt_out_of_memory(error);
}

static detent_status add_stiction(detent_mechanism *m, const dt_item_kind *kind, const void *record,
                                  detent_error *error)
{
    detent_stiction_def def = {.primitive = dt_record_name(record)};
    if (!kind->stiction || !kind->stiction(&m->builder->arena, record, &def)) {
        return DETENT_OK;
    }
    dt_builder_keep_force(m, def.primitive);
    return def.kinetic && def.static_limit
               ? dt_add_item(m, DT_ITEM_stiction, &def, dt_record_origin(kind, record), error)
               : dt_out_of_memory(error);
}

/* What an item brings along. */
static detent_status add_parts(detent_mechanism *m, const dt_item_kind *kind, const void *record,
                               detent_error *error)
{
    detent_status status = add_stiction(m, kind, record, error);
    for (int k = 0; k < dt_item_states_of(kind, record) && !status; k++) {
        status = add_state(m, kind, record, k, error);
    }
    return status;
}

detent_status dt_add_item(detent_mechanism *m, int number, const void *definition,
                          const dt_origin *origin, detent_error *error)
{
    const dt_item_kind *kind = dt_item_kind_of(m->source, number);
    if (kind->add) {
        return kind->add(m, definition, origin, error);
    }
    dt_builder *b = m->builder;
    dt_list *list = &b->items[number].list;
    char *record = dt_list_add(&b->arena, list, dt_record_size(kind));
    if (!record) {
        return dt_out_of_memory(error);
    }
    const dt_origin from = dt_origin_or_none(origin);
    memcpy(record, definition, kind->size);
    memcpy(record + kind->size, &from, sizeof from);
    detent_status status = take(m, kind, number, record, error);
    status = status ? status : add_parts(m, kind, record, error);
    list->count -= status != DETENT_OK;
    if (number < DT_ITEM_KINDS) {
        *(int *)(void *)((char *)m + kind->counter) = list->count;
    }
    return status;
}

detent_status dt_builder_add(detent_mechanism *m, int number, const void *definition,
                             const dt_origin *origin, detent_error *error)
{
    const detent_status status = dt_add_item(m, number, definition, origin, error);
    return status || dt_script_note(m, number, definition, origin) ? status
                                                                   : dt_out_of_memory(error);
}
