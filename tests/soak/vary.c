/*
 * A reader that knows just enough YAML: keys, what stands in quotes, brackets and braces, and comments.
 *
 * What is to change alike stands in one mapping. Mappings are numbered, `mapping[depth]` is the one in the braces that
 * are open; without braces one begins where a key has no value on its line.
 * A bracket is of the mapping that it stands in.
 */
#include "vary.h"

#include "chance.h"

#include <ctype.h>
#include <string.h>

enum { DEPTH = 32 };

typedef struct varier {
    const char *at;
    char *text;
    size_t length, capacity;
    chance chance;
    uint64_t seed;
    double size;
    int depth;
    uint64_t mappings, mapping[DEPTH];
} varier;

static void put(varier *w, const char *text, size_t length)
{
    if (w->length + length < w->capacity) {
        memcpy(w->text + w->length, text, length);
        w->length += length;
        w->text[w->length] = '\0';
    }
}

static void copy(varier *w, size_t length)
{
    put(w, w->at, length);
    w->at += length;
}

/* ---- what changes ---- */

typedef enum manner { NOT, BY_ITSELF, WITH_MAPPING } manner;

static manner manner_of(const char *key, size_t length)
{
    static const struct {
        const char *name;
        manner how;
    } keys[] = {{"mass", WITH_MAPPING},    {"inertia", WITH_MAPPING}, {"velocity", WITH_MAPPING},
                {"kinetic", WITH_MAPPING}, {"static", WITH_MAPPING},  {"forward", WITH_MAPPING},
                {"reverse", WITH_MAPPING}, {"stiffness", BY_ITSELF},  {"damping", BY_ITSELF},
                {"armature", BY_ITSELF},   {"force", BY_ITSELF},      {"torque", BY_ITSELF},
                {"motion", BY_ITSELF},     {"speed", BY_ITSELF},      {"external", BY_ITSELF}};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        if (strlen(keys[k].name) == length && memcmp(keys[k].name, key, length) == 0) {
            return keys[k].how;
        }
    }
    return NOT;
}

static double factor(varier *w, manner how)
{
    chance own = {w->seed * 1000003u + w->mapping[w->depth]};
    return 1 + w->size * chance_in(how == WITH_MAPPING ? &own : &w->chance, -1, 1);
}

/* A number, one with a unit, or a formula. */
static void put_changed(varier *w, size_t length, double by)
{
    char number[40], *end;
    const double x = strtod(w->at, &end);
    const char *rest = end + strspn(end, " ");
    const bool formula = end == w->at || (rest < w->at + length && strchr("+-*/^<>(", *rest));
    if (formula) {
        put(w, number, (size_t)snprintf(number, sizeof number, "%.17g*(", by));
        copy(w, length);
        put(w, ")", 1);
    } else {
        put(w, number, (size_t)snprintf(number, sizeof number, "%.17g", x * by));
        const size_t used = (size_t)(end - w->at);
        w->at = end;
        copy(w, length - used);
    }
}

/* ---- reading ---- */

static void open_bracket(varier *w)
{
    if (w->depth + 1 < DEPTH) {
        w->depth++;
        w->mapping[w->depth] = *w->at == '{' ? ++w->mappings : w->mapping[w->depth - 1];
    }
    copy(w, 1);
}

static void close_bracket(varier *w)
{
    w->depth -= w->depth > 0;
    copy(w, 1);
}

/* The length of a value that is neither in quotes nor in brackets. */
static size_t plain_length(const varier *w)
{
    size_t length = strcspn(w->at, w->depth > 0 ? ",[]{}\n" : "\n");
    for (size_t k = 1; k < length; k++) {
        length = w->at[k] == '#' && w->at[k - 1] == ' ' ? k : length;
    }
    while (length > 0 && isspace((unsigned char)w->at[length - 1])) {
        length--;
    }
    return length;
}

static void change_value(varier *w, manner how);

/* The values of a list, one after the other. */
static void change_list(varier *w, manner how)
{
    const int outside = w->depth;
    open_bracket(w);
    while (*w->at && w->depth > outside) {
        const char *before = w->at;
        copy(w, strspn(w->at, " \n,"));
        if (*w->at == ']') {
            close_bracket(w);
        } else {
            change_value(w, how);
            copy(w, w->at == before); /* nothing that is known */
        }
    }
}

static void change_value(varier *w, manner how)
{
    copy(w, strspn(w->at, " "));
    if (*w->at == '"' || *w->at == '\'') {
        const char quote[2] = {*w->at, '\0'};
        copy(w, 1);
        put_changed(w, strcspn(w->at, quote), factor(w, how));
        copy(w, *w->at == *quote);
    } else if (*w->at == '[') {
        change_list(w, how);
    } else if (*w->at && !strchr("{}#|>&*\n", *w->at)) {
        put_changed(w, plain_length(w), factor(w, how));
    }
}

/* A key, and its value if that is to change. */
static void read_key(varier *w, size_t length)
{
    const manner how = manner_of(w->at, length);
    copy(w, length + 1);
    const size_t blank = strspn(w->at, " ");
    if (w->depth == 0 && (w->at[blank] == '\n' || w->at[blank] == '#')) {
        w->mapping[0] = ++w->mappings;
    }
    if (how != NOT) {
        change_value(w, how);
    }
}

/* One piece of the file; `before` is what stands before it. */
static void read_piece(varier *w, char before)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.";
    const size_t word = strspn(w->at, letters);
    if (*w->at == '#' && isspace((unsigned char)before)) {
        copy(w, strcspn(w->at, "\n"));
    } else if (*w->at == '"' || *w->at == '\'') {
        const char quote[2] = {*w->at, '\0'};
        copy(w, 1);
        copy(w, strcspn(w->at, quote));
        copy(w, *w->at == *quote);
    } else if (*w->at == '{' || *w->at == '[') {
        open_bracket(w);
    } else if (*w->at == '}' || *w->at == ']') {
        close_bracket(w);
    } else if (word > 0 && w->at[word] == ':') {
        read_key(w, word);
    } else {
        copy(w, word > 0 ? word : 1);
    }
}

void vary(const char *file, uint64_t seed, double size, char *text, size_t capacity)
{
    varier w = {.at = file,
                .text = text,
                .capacity = capacity,
                .chance = {seed},
                .seed = seed,
                .size = size};
    text[0] = '\0';
    while (*w.at) {
        read_piece(&w, w.at > file ? w.at[-1] : '\n');
    }
}
