/*
 * The script of a mechanism (script.h). A definition is a row of scalars, 64 bits each: those of its fields, in the order of the table of fields; a struct
 * that is pointed to has its own whether it is there or not, so that the row of a kind has one length. Of an item there is the number of its kind, one
 * byte, and what is different in the row of the last item of that kind: how many places farther on (seven bits a byte), and the bits of a number, or
 * the difference of an integer. A zero ends it. Packing and unpacking walk the same way.
 */
#include "model/script.h"

#include "model/record.h"

#include <string.h>

enum { MOST_BYTES_OF_INTEGER = 10, NUMBER_BYTES = 8 };

/* What stands at a place. */
typedef enum scalar_kind { SCALAR_NUMBER, SCALAR_INTEGER } scalar_kind;

/* What goes on while a definition is walked through. */
typedef struct packing {
    detent_mechanism *m;      /* packing: its builder knows the texts; else NULL */
    const char *const *texts; /* unpacking */
    dt_arena *arena; /* unpacking: of what definitions point to; NULL: places are only counted */
    uint64_t *values;
    unsigned char *kinds;   /* scalar_kind of each place, or NULL */
    const dt_inner *passed; /* a struct that was not there, ... */
    unsigned passed_places; /* ... and its places */
    unsigned place;
    bool ok;
} packing;

/* What the last item of a kind says, and room for the next one. */
typedef struct dt_script_row {
    unsigned places;
    uint64_t *values, *now;
    unsigned char *kinds; /* scalar_kind of each place */
} dt_script_row;

/* ---- scalars ---- */

/* The next place; NULL: it is only counted. */
static uint64_t *next_value(packing *p, scalar_kind kind)
{
    if (p->kinds) {
        p->kinds[p->place] = (unsigned char)kind;
    }
    return p->values ? &p->values[p->place++] : (p->place++, NULL);
}

static void walk_number(packing *p, double *number)
{
    uint64_t *value = next_value(p, SCALAR_NUMBER);
    if (value && number && p->m) {
        memcpy(value, number, sizeof *value);
    } else if (value && number) {
        memcpy(number, value, sizeof *value);
    }
}

static void walk_word(packing *p, int *word)
{
    uint64_t *value = next_value(p, SCALAR_INTEGER);
    if (value && word && p->m) {
        *value = (uint64_t)(int64_t)*word;
    } else if (value && word) {
        *word = (int)(int64_t)*value;
    }
}

/* The number of a text, from 1. */
static uint64_t number_of(packing *p, const char *text)
{
    dt_builder *b = p->m->builder;
    int number = dt_name_map_get(&b->script_texts, text);
    if (number < 0) {
        const char **place = dt_list_add(&b->arena, &b->script_letters, sizeof *place);
        p->ok = p->ok && place && dt_copy_text(&b->arena, text, place);
        number = b->script_letters.count - 1;
        p->ok = p->ok && dt_name_map_put(&b->script_texts, *place, number) == DETENT_OK;
    }
    return (uint64_t)number + 1;
}

static void walk_text(packing *p, const char **text)
{
    uint64_t *value = next_value(p, SCALAR_INTEGER);
    if (value && text && p->m) {
        *value = *text ? number_of(p, *text) : 0;
    } else if (value && text) {
        *text = *value > 0 ? p->texts[*value - 1] : NULL;
    }
}

/* Eight bits an exponent, and what else is known. */
static void walk_dimension(packing *p, dt_dimension *dimension)
{
    uint64_t *value = next_value(p, SCALAR_INTEGER);
    if (value && dimension && p->m) {
        *value = (uint64_t)dimension->known | (uint64_t)dimension->no_angle << 1 |
                 (uint64_t)(dimension->angle + 1) << 2;
        for (int k = 0; k < 7; k++) {
            *value |= (uint64_t)(unsigned char)dimension->exponent[k] << (8 + 8 * k);
        }
    } else if (value && dimension) {
        dimension->known = *value & 1;
        dimension->no_angle = *value >> 1 & 1;
        dimension->angle = (signed char)((int)(*value >> 2 & 3) - 1);
        for (int k = 0; k < 7; k++) {
            dimension->exponent[k] = (signed char)(unsigned char)(*value >> (8 + 8 * k));
        }
    }
}

/* ---- definitions ---- */

static void walk(packing *p, const dt_key *fields, void *base);

/* A struct that is pointed to, or is not there. */
static void walk_inner(packing *p, const dt_inner *inner, void **place)
{
    uint64_t *value = next_value(p, SCALAR_INTEGER);
    if (value && place && p->m) {
        *value = *place != NULL;
    } else if (value && place && *value) {
        *place = dt_arena_one(p->arena, inner->size);
        p->ok = p->ok && *place;
    }
    const unsigned first = p->place;
    if (place && *place) {
        walk(p, inner->table.keys, *place);
    } else if (p->values && p->passed == inner) { /* rows begin as 0 */
        p->place += p->passed_places;
    } else {
        walk(p, inner->table.keys, NULL);
        p->passed = inner;
        p->passed_places = p->place - first;
    }
}

/* `base` NULL: the places are passed over. */
static void walk(packing *p, const dt_key *fields, void *base)
{
    for (const dt_key *key = fields; key->name; key++) {
        static const double none[256]; /* of any definition */
        char *field = base ? (char *)base + key->offset : NULL;
        const double *numbers = NULL;
        const int count = dt_key_numbers(key, base ? base : (const void *)none, &numbers);
        for (int k = 0; k < dt_key_texts(key); k++) {
            walk_text(p, field ? (const char **)(void *)field + k : NULL);
        }
        for (int k = 0; k < count; k++) {
            walk_number(p, base ? (double *)(size_t)&numbers[k] : NULL);
        }
        if (dt_key_is_word(key)) {
            walk_word(p, (void *)field);
        } else if (key->kind == DT_VALUE_INNER) {
            walk_inner(p, key->extra, (void *)field);
        } else if (key->kind == DT_VALUE_MAPPING || key->kind == DT_VALUE_FRAME) {
            walk(p, ((const dt_table *)key->extra)->keys, field);
        }
    }
}

static void walk_item(packing *p, const dt_item_kind *kind, void *definition,
                      const char **index_name, int *index)
{
    walk_text(p, index_name);
    walk_word(p, index);
    walk_text(p, definition ? &((dt_item_head *)definition)->name : NULL);
    if (kind->dimension > 0) {
        walk_dimension(p, definition ? (void *)((char *)definition + kind->dimension) : NULL);
    }
    walk(p, kind->fields ? kind->fields : kind->keys, definition);
}

static unsigned count_places(const dt_item_kind *kind)
{
    packing p = {.ok = true};
    walk_item(&p, kind, NULL, NULL, NULL);
    return p.place;
}

/* Of each kind, none made yet; NULL when memory is out. */
static dt_script_row *make_rows(dt_arena *arena, const dt_item_source *source)
{
    return dt_arena_alloc(arena, (size_t)dt_item_positions(source), sizeof(dt_script_row));
}

/* A row that is 0. False when memory is out. */
static bool make_row(dt_arena *arena, const dt_item_kind *kind, dt_script_row *row)
{
    row->places = count_places(kind);
    row->values = dt_arena_alloc(arena, 2 * (size_t)row->places, sizeof *row->values);
    row->kinds = dt_arena_alloc(arena, row->places, 1);
    if (!row->values || !row->kinds) {
        return false;
    }
    row->now = row->values + row->places;
    packing p = {.kinds = row->kinds, .ok = true};
    walk_item(&p, kind, NULL, NULL, NULL);
    return true;
}

/* ---- bytes ---- */

static bool append(dt_arena *arena, dt_bytes *bytes, const void *more, size_t count)
{
    if (bytes->count + count > bytes->capacity) {
        const size_t capacity = 2 * (bytes->count + count) + 256;
        unsigned char *at = dt_arena_grow(arena, bytes->at, bytes->count, capacity, 1);
        if (!at) {
            return false;
        }
        bytes->at = at;
        bytes->capacity = capacity;
    }
    memcpy(bytes->at + bytes->count, more, count);
    bytes->count += count;
    return true;
}

static bool append_integer(dt_arena *arena, dt_bytes *bytes, uint64_t value)
{
    unsigned char text[MOST_BYTES_OF_INTEGER];
    size_t count = 0;
    for (; value >= 0x80; value >>= 7) {
        text[count++] = (unsigned char)(value | 0x80);
    }
    text[count++] = (unsigned char)value;
    return append(arena, bytes, text, count);
}

static uint64_t get_integer(const unsigned char **at)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const unsigned char byte = *(*at)++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            return value;
        }
    }
}

/* Small differences, of either sign, as small integers. */
static uint64_t fold_sign(uint64_t difference)
{
    return difference << 1 ^ (difference >> 63 ? UINT64_MAX : 0);
}

static uint64_t unfold_sign(uint64_t folded)
{
    return folded >> 1 ^ (folded & 1 ? UINT64_MAX : 0);
}

/* What is different in a row. */
static bool append_changes(dt_arena *arena, dt_bytes *bytes, const dt_script_row *row)
{
    const uint64_t *now = row->now, *before = row->values;
    unsigned last = 0;
    bool ok = true;
    for (unsigned k = 0; k < row->places && ok; k++) {
        if (now[k] != before[k]) {
            ok = append_integer(arena, bytes, k + 1 - last) &&
                 (row->kinds[k] == SCALAR_NUMBER
                      ? append(arena, bytes, &now[k], NUMBER_BYTES)
                      : append_integer(arena, bytes, fold_sign(now[k] - before[k])));
            last = k + 1;
        }
    }
    return ok && append_integer(arena, bytes, 0);
}

/* Takes over what is different; returns the first byte behind. */
static const unsigned char *take_changes(const unsigned char *at, dt_script_row *row)
{
    unsigned place = 0;
    for (uint64_t ahead; (ahead = get_integer(&at)) > 0;) {
        place += (unsigned)ahead;
        if (row->kinds[place - 1] == SCALAR_NUMBER) {
            memcpy(&row->values[place - 1], at, NUMBER_BYTES);
            at += NUMBER_BYTES;
        } else {
            row->values[place - 1] += unfold_sign(get_integer(&at));
        }
    }
    return at;
}

/* ---- while it is built ---- */

/* Packs an item behind the others. */
static bool pack(detent_mechanism *m, int number, const void *definition, const char *index_name,
                 int index)
{
    dt_builder *b = m->builder;
    const dt_item_kind *kind = dt_item_kind_of(m->source, number);
    if (!b->script_rows) {
        b->script_rows = make_rows(&b->arena, m->source);
    }
    dt_script_row *row = b->script_rows ? &b->script_rows[number] : NULL;
    if (!row || (!row->values && !make_row(&b->arena, kind, row))) {
        return false;
    }
    packing p = {.m = m, .values = row->now, .ok = true};
    memset(row->now, 0, row->places * sizeof *row->now);
    walk_item(&p, kind, (void *)(size_t)definition, &index_name, &index); /* which only reads it */
    const unsigned char head = (unsigned char)number;
    const size_t start = b->script.count;
    const bool ok = p.ok && append(&b->arena, &b->script, &head, 1) &&
                    append_changes(&b->arena, &b->script, row);
    if (ok) {
        memcpy(row->values, row->now, row->places * sizeof *row->now);
    } else {
        b->script.count = start;
    }
    return ok;
}

bool dt_script_note(detent_mechanism *m, int number, const void *definition,
                    const dt_origin *origin)
{
    const char *index_name = origin ? origin->index_name : NULL;
    /* tables the mechanism has whole, functions a file does not have */
    return number == DT_ITEM_table || number == DT_ITEM_function ||
           pack(m, number, definition, index_name, index_name ? origin->index : 0);
}

bool dt_script_note_change(detent_mechanism *m, const dt_script_change *change)
{
    dt_builder *b = m->builder;
    dt_script_change *place = dt_list_add(&b->arena, &b->script_changes, sizeof *place);
    if (place) {
        *place = *change;
    }
    return place && dt_copy_text(&m->arena, change->primitive, &place->primitive) &&
           dt_copy_text(&m->arena, change->force, &place->force);
}

bool dt_script_refuse(detent_mechanism *m, const char *why)
{
    dt_builder *b = m->builder;
    return b->script_refusal || dt_copy_text(&m->arena, why, &b->script_refusal);
}

/* ---- when it is finished ---- */

/* Into the memory of the mechanism. */
static void *keep(dt_arena *arena, const void *from, size_t count, size_t size)
{
    void *copy = dt_arena_alloc(arena, count, size);
    if (copy && count > 0) {
        memcpy(copy, from, count * size);
    }
    return copy;
}

static bool keep_texts(detent_mechanism *m)
{
    const dt_list *all = &m->builder->script_letters;
    size_t length = 0;
    for (int k = 0; k < all->count; k++) {
        length += strlen(*DT_AT(*all, const char *, k)) + 1;
    }
    char *letters = dt_arena_alloc(&m->arena, length, 1);
    size_t at = 0;
    for (int k = 0; k < all->count && letters; k++) {
        const char *text = *DT_AT(*all, const char *, k);
        const size_t bytes = strlen(text) + 1;
        memcpy(letters + at, text, bytes);
        at += bytes;
    }
    m->script.letters = letters;
    m->script.text_count = (size_t)all->count;
    return letters != NULL;
}

static bool keep_globals(detent_mechanism *m)
{
    const dt_list *all = &m->builder->globals;
    dt_script_global *globals = dt_arena_alloc(&m->arena, (size_t)all->count, sizeof *globals);
    bool ok = globals != NULL;
    for (int k = 0; k < all->count && ok; k++) {
        const dt_global *of = DT_AT(*all, dt_global, k);
        globals[k] = (dt_script_global){.kind = of->is_tunable ? DT_GLOBAL_PARAMETER : of->kind,
                                        .name = of->name, /* which the mechanism has */
                                        .value = of->value,
                                        .dimension = of->dimension};
        ok = dt_copy_text(&m->arena, of->text, &globals[k].text);
    }
    m->script.globals = globals;
    m->script.global_count = all->count;
    return ok;
}

bool dt_script_finish(detent_mechanism *m)
{
    dt_builder *b = m->builder;
    dt_script *script = &m->script;
    bool ok = keep_texts(m) && keep_globals(m) &&
              dt_copy_text(&m->arena, b->description, &script->description);
    for (int k = 0; k < 3 && ok; k++) {
        ok = dt_copy_text(&m->arena, b->gravity[k], &script->gravity[k]);
    }
    script->settings = b->settings;
    script->refusal = b->script_refusal;
    script->change_count = b->script_changes.count;
    script->changes = keep(&m->arena, b->script_changes.items, (size_t)script->change_count,
                           sizeof *script->changes);
    script->items = (dt_bytes){keep(&m->arena, b->script.at, b->script.count, 1), b->script.count,
                               b->script.count};
    return ok && script->changes && script->items.at;
}

/* ---- of a finished mechanism ---- */

bool dt_script_begin(const detent_mechanism *m, dt_arena *arena, dt_script_reader *reader)
{
    const int kinds = dt_item_positions(m->source);
    *reader = (dt_script_reader){
        .m = m,
        .rows = make_rows(arena, m->source),
        .texts = dt_arena_alloc(arena, m->script.text_count, sizeof *reader->texts)};
    bool ok = reader->rows && reader->texts;
    const char *text = m->script.letters;
    for (size_t k = 0; k < m->script.text_count && ok; k++) {
        reader->texts[k] = text;
        text += strlen(text) + 1;
    }
    for (int number = 0; number < kinds && ok; number++) {
        const dt_item_kind *kind = dt_item_kind_of(m->source, number);
        ok = !kind || !(kind->fields || kind->keys) || make_row(arena, kind, &reader->rows[number]);
    }
    return ok;
}

void dt_script_rewind(dt_script_reader *reader)
{
    const int kinds = dt_item_positions(reader->m->source);
    for (int number = 0; number < kinds; number++) {
        dt_script_row *row = &reader->rows[number];
        if (row->values) {
            memset(row->values, 0, row->places * sizeof *row->values);
        }
    }
    reader->next = 0;
}

bool dt_script_next(dt_script_reader *reader, dt_script_item *item)
{
    const dt_bytes *all = &reader->m->script.items;
    if (reader->next >= all->count) {
        return false;
    }
    const unsigned char *at = all->at + reader->next;
    *item = (dt_script_item){.number = *at};
    reader->next = (size_t)(take_changes(at + 1, &reader->rows[item->number]) - all->at);
    return true;
}

bool dt_script_unpack(const dt_script_reader *reader, dt_arena *arena, dt_script_item *item)
{
    const dt_item_kind *kind = dt_item_kind_of(reader->m->source, item->number);
    packing p = {.texts = reader->texts,
                 .arena = arena,
                 .values = reader->rows[item->number].values,
                 .ok = true};
    item->definition = dt_arena_one(arena, kind->size);
    if (!item->definition) {
        return false;
    }
    walk_item(&p, kind, item->definition, &item->index_name, &item->index);
    return p.ok;
}
