/* Adding an item of any kind: what its keys say is checked and copied by them. The record stands at the end of its list while
 * that is done; the name is entered last, so that an item that was refused can be given again, corrected. */

#include "model/record.h"

#include <string.h>

/* The field of a key in a definition. */
static void *field_of(const dt_key *key, void *definition)
{
    return (char *)definition + key->offset;
}

/* How many numbers the field of a key is. */
static int count_numbers(const dt_key *key)
{
    switch (key->kind) {
    case DT_VALUE_NUMBER:
    case DT_VALUE_SIZE:
    case DT_VALUE_POSITIVE:
        return 1;
    case DT_VALUE_VECTOR:
        return 3;
    case DT_VALUE_ROTATION:
        return 4;
    case DT_VALUE_INERTIA:
    case DT_VALUE_ENDS: /* points */
        return 6;
    default:
        return 0;
    }
}

int dt_key_numbers(const dt_key *key, const void *definition, const double **numbers)
{
    const void *field = (const char *)definition + key->offset;
    *numbers = key->kind == DT_VALUE_ENDS ? ((const dt_ends *)field)->point[0] : field;
    return count_numbers(key);
}

bool dt_key_is_plain(const dt_key *key)
{
    return count_numbers(key) > 0 || dt_key_is_word(key) || key->kind == DT_VALUE_EXPRESSION ||
           key->kind == DT_VALUE_JOINT;
}

/* How many texts it is. */
static int texts_of(const dt_key *key)
{
    switch (key->kind) {
    case DT_VALUE_TEXT:
    case DT_VALUE_EXPRESSION:
    case DT_VALUE_REFERENCE:
    case DT_VALUE_JOINT:
        return 1;
    case DT_VALUE_ENDS: /* bodies */
        return 2;
    case DT_VALUE_EXPRESSIONS:
        return 3;
    default:
        return 0;
    }
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

/* Whether a value is one that its key takes. */
static bool fits(const dt_key *key, const void *record, const double *numbers, int count)
{
    switch (key->kind) {
    case DT_VALUE_SIZE:
        return *numbers >= 0.0 && dt_is_finite(numbers, count);
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
    const dt_location where = dt_locate(b, dt_record_origin(kind, record), NULL, key->name, -1);
    if (key->kind == DT_VALUE_CHOICE) {
        return dt_fail(error, DETENT_ERROR_MODEL, &where, "%s '%s': there is no %s %d", kind->what,
                       name, key->name, *(const int *)field_of(key, record));
    }
    const char *words = key->kind != DT_VALUE_ENDS && key->extra ? key->extra : key->name;
    const detent_status status = dt_check_finite(numbers, count, name, words, &where, error);
    return status ? status
                  : dt_fail(error, DETENT_ERROR_MODEL, &where, "%s '%s': '%s' is %s", kind->what,
                            name, key->name, *numbers < 0.0 ? "negative" : "zero");
}

/* Whether the texts of a required key are there: callers from C may have left some out. */
static detent_status check_texts(const dt_builder *b, const dt_item_kind *kind, const dt_key *key,
                                 void *record, detent_error *error)
{
    const char *const *texts = field_of(key, record);
    for (int k = 0; k < texts_of(key) && key->required; k++) {
        if (!texts[k]) {
            const dt_location where = dt_locate(b, dt_record_origin(kind, record), NULL, NULL, -1);
            return dt_fail(error, DETENT_ERROR_MODEL, &where, "%s '%s' needs the key '%s'",
                           kind->what, dt_record_name(record), key->name);
        }
    }
    return DETENT_OK;
}

static bool copy_texts(dt_builder *b, const dt_key *key, void *record)
{
    const char **texts = field_of(key, record);
    bool ok = true;
    for (int k = 0; k < texts_of(key) && ok; k++) {
        ok = dt_copy_text(&b->arena, texts[k], &texts[k]);
    }
    return ok;
}

void dt_forget_texts(const dt_item_kind *kind, void *definition)
{
    for (const dt_key *key = kind->keys; key && key->name; key++) {
        const char **texts = field_of(key, definition);
        for (int k = 0; k < texts_of(key); k++) {
            texts[k] = NULL;
        }
    }
}

static detent_status take(detent_mechanism *m, const dt_item_kind *kind, int number, void *record,
                          detent_error *error)
{
    dt_builder *b = m->builder;
    const dt_origin *origin = dt_record_origin(kind, record);
    const dt_location where = dt_locate(b, origin, NULL, NULL, -1);
    detent_status status = dt_check_name(kind->what, dt_record_name(record), &where, error);
    for (const dt_key *key = kind->keys; key->name && !status && !kind->checks_itself; key++) {
        status = check_key(b, kind, key, record, error);
        status = status ? status : check_texts(b, kind, key, record, error);
    }
    status = status || !kind->take ? status : kind->take(m, record, error);
    for (const dt_key *key = kind->keys; key->name && !status; key++) {
        status = copy_texts(b, key, record) ? DETENT_OK : dt_out_of_memory(error);
    }
    return status ? status
                  : dt_enter_name(m, kind->names_joint ? &b->arena : &m->arena, kind->what,
                                  dt_record_name(record), dt_names_of(m, number),
                                  b->items[number].list.count - 1, origin, (const char **)record,
                                  error);
}

/* The state that an item has, called like it. */
static detent_status add_state(detent_mechanism *m, const dt_item_kind *kind, const void *record,
                               detent_error *error)
{
    const char *text = kind->derivative(&m->builder->arena, record);
    const dt_state_definition state = {.def = {.name = dt_record_name(record), .derivative = text},
                                       .dimension = kind->state_dimension ? *kind->state_dimension
                                                                          : dt_dimension_unknown};
    return text ? dt_builder_add(m, DT_ITEM_state, &state, dt_record_origin(kind, record), error)
                : dt_out_of_memory(error);
}

detent_status dt_builder_add(detent_mechanism *m, int number, const void *definition,
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
    if (!status && kind->derivative) {
        status = add_state(m, kind, record, error);
    }
    list->count -= status != DETENT_OK;
    if (number < DT_ITEM_KINDS) {
        *(int *)(void *)((char *)m + kind->counter) = list->count;
    }
    return status;
}
