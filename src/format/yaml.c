/* libyaml's events become a tree. This is the only file that reads by libyaml; yaml_pen.c writes by it.
 *
 * The events rather than libyaml's own documents: whatever the subset refuses is refused where it stands, before
 * anything is built from it, and nesting is checked before libyaml, whose time is quadratic in it, gets deep.
 * libyaml takes its working memory (some buffers, the tokens it looks ahead) from malloc; the tree is ours. */

#include "format/yaml.h"

#include "base/name_map.h"
#include "base/text.h"

#include <limits.h>
#include <string.h>
#include <yaml.h>

/* A collection under construction. */
typedef struct yaml_level {
    dt_yaml_node *node, *last;
    dt_name_map keys; /* of a mapping with many keys */
    const char *key;  /* read, its value not yet */
    int key_line, key_column;
} yaml_level;

enum { MANY_KEYS = 16 };

typedef struct dt_composer {
    yaml_parser_t parser;
    dt_arena *arena;
    const char *text, *file;
    size_t length;
    yaml_level levels[DT_YAML_DEPTH_MAX];
    int depth;
    dt_yaml_node *root;
    size_t cursor; /* start of line `cursor_line` */
    int cursor_line;
    detent_error *error;
} dt_composer;

static dt_location place(const dt_composer *c, yaml_mark_t mark)
{
    int line = mark.line < INT_MAX ? (int)mark.line + 1 : INT_MAX;
    int column = mark.column < INT_MAX ? (int)mark.column + 1 : INT_MAX;
    return (dt_location){c->file, line, column};
}

static detent_status refuse(const dt_composer *c, yaml_mark_t mark, const char *reason)
{
    dt_location where = place(c, mark);
    return dt_fail(c->error, DETENT_ERROR_MODEL, &where, "%s", reason);
}

static detent_status out_of_memory(const dt_composer *c)
{
    return dt_fail(c->error, DETENT_ERROR_MEMORY, NULL, "out of memory");
}

/* Line and column of a byte, for errors that libyaml's decoder finds. */
static dt_location place_of_byte(const dt_composer *c, size_t offset)
{
    dt_location where = {c->file, 1, 1};
    for (size_t i = 0; i < offset && i < c->length; i++) {
        if (c->text[i] == '\n') {
            where.line++;
            where.column = 1;
        } else if (((unsigned char)c->text[i] & 0xC0) != 0x80) {
            where.column++;
        }
    }
    return where;
}

/* Whether a tab stands at the mark. libyaml does not say so, or not in words that help. */
static bool is_tab(const dt_composer *c, yaml_mark_t mark)
{
    size_t i = 0;
    for (size_t characters = 0; i < c->length; i++) {
        bool starts = ((unsigned char)c->text[i] & 0xC0) != 0x80;
        if (starts && characters++ == mark.index) {
            break;
        }
    }
    return i < c->length && c->text[i] == '\t';
}

static detent_status fail_syntax(const dt_composer *c)
{
    const yaml_parser_t *parser = &c->parser;
    const char *problem = parser->problem ? parser->problem : "cannot be read";
    if (parser->error == YAML_MEMORY_ERROR) {
        return out_of_memory(c);
    }
    if (parser->error == YAML_READER_ERROR) {
        dt_location where = place_of_byte(c, parser->problem_offset);
        return dt_fail(c->error, DETENT_ERROR_SYNTAX, &where,
                       "not YAML: %s; a mechanism file is a text in UTF-8", problem);
    }
    dt_location where = place(c, parser->problem_mark);
    if (is_tab(c, parser->problem_mark)) {
        return dt_fail(c->error, DETENT_ERROR_SYNTAX, &where,
                       "tabs are not allowed for indentation: use spaces");
    }
    if (strstr(problem, "expected ':'")) { /* found behind it; the key that lacks it is meant */
        where = place(c, parser->context_mark);
    }
    bool flow = strstr(problem, "',' or") != NULL;
    return dt_fail(
        c->error, DETENT_ERROR_SYNTAX, &where, "not YAML: %s%s%s%s", problem,
        parser->context ? " " : "", parser->context ? parser->context : "",
        flow ? " (between braces or brackets, a text with commas or brackets needs quotes)" : "");
}

static detent_status check_new_key(dt_composer *c, yaml_level *level, const char *key,
                                   yaml_mark_t mark)
{
    const dt_yaml_node *mapping = level->node;
    detent_status status = DETENT_OK;
    if (mapping->count < MANY_KEYS) {
        status = dt_yaml_find(mapping, key) ? DETENT_ERROR_MODEL : DETENT_OK;
    } else {
        if (mapping->count == MANY_KEYS) {
            dt_name_map_init(&level->keys, c->arena);
            for (const dt_yaml_node *child = mapping->first; child && !status;
                 child = child->next) {
                status = dt_name_map_put(&level->keys, child->key, 0);
            }
        }
        status = status ? status : dt_name_map_put(&level->keys, key, 0);
    }
    if (status == DETENT_ERROR_MODEL) {
        dt_location where = place(c, mark);
        return dt_fail(c->error, status, &where, "the key '%s' stands twice in this mapping", key);
    }
    return status ? out_of_memory(c) : DETENT_OK;
}

static detent_status add_key(dt_composer *c, yaml_level *level, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    if (strcmp(text, "<<") == 0 && event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE) {
        return refuse(c, event->start_mark, "merge keys (<<) are not part of this format");
    }
    if (!*text) {
        return refuse(c, event->start_mark, "a key is empty");
    }
    level->key = dt_arena_copy(c->arena, text, event->data.scalar.length);
    if (!level->key) {
        return out_of_memory(c);
    }
    dt_location where = place(c, event->start_mark);
    level->key_line = where.line;
    level->key_column = where.column;
    return check_new_key(c, level, level->key, event->start_mark);
}

/* Hangs a new node into the open collection, or makes it the root. NULL when memory is out. */
static dt_yaml_node *add_node(dt_composer *c, dt_yaml_kind kind, yaml_mark_t mark)
{
    dt_yaml_node *node = dt_arena_one(c->arena, sizeof *node);
    dt_location where = place(c, mark);
    if (!node) {
        return NULL;
    }
    node->kind = kind;
    node->line = where.line;
    node->column = where.column;
    if (c->depth == 0) {
        c->root = node;
        return node;
    }
    yaml_level *level = &c->levels[c->depth - 1];
    node->key = level->key;
    node->key_line = level->key_line;
    node->key_column = level->key_column;
    level->key = NULL;
    if (level->last) {
        level->last->next = node;
    } else {
        level->node->first = node;
    }
    level->last = node;
    level->node->count++;
    return node;
}

/* The first byte of a line; lines are asked for in ascending order. */
static size_t line_start(dt_composer *c, int line)
{
    while (c->cursor_line < line && c->cursor < c->length) {
        c->cursor_line += c->text[c->cursor++] == '\n';
    }
    return c->cursor;
}

static size_t count_characters(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++) {
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    }
    return count;
}

/* The first character of a block stands on a line behind that of its | or >. */
static void find_block(dt_composer *c, dt_yaml_node *node)
{
    size_t i = line_start(c, node->line + 1);
    int line = node->line + 1, column = 1;
    for (; i < c->length && strchr(" \t\r\n", c->text[i]); i++) {
        line += c->text[i] == '\n';
        column = c->text[i] == '\n' ? 1 : column + 1;
    }
    node->line = line;
    node->column = column;
}

/* Where the first character of a scalar stands, rather than its quote or its | or >, and whether
 * the others follow it. */
static void find_characters(dt_composer *c, const yaml_event_t *event, dt_yaml_node *node)
{
    yaml_scalar_style_t style = event->data.scalar.style;
    size_t width = event->end_mark.column - event->start_mark.column;
    size_t characters =
        count_characters((const char *)event->data.scalar.value, event->data.scalar.length);
    if (style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE) {
        node->style = DT_YAML_BLOCK;
        node->bent = true;
        if (characters > 0) {
            find_block(c, node);
        }
        return;
    }
    if (style == YAML_SINGLE_QUOTED_SCALAR_STYLE || style == YAML_DOUBLE_QUOTED_SCALAR_STYLE) {
        node->style = DT_YAML_QUOTED;
        node->column++;
        width -= 2;
    }
    node->bent = event->start_mark.line != event->end_mark.line || width != characters;
}

static detent_status add_scalar(dt_composer *c, const yaml_event_t *event)
{
    yaml_level *level = c->depth > 0 ? &c->levels[c->depth - 1] : NULL;
    if (event->data.scalar.anchor) {
        return refuse(c, event->start_mark, "anchors (&) are not part of this format");
    }
    if (event->data.scalar.tag) {
        return refuse(c, event->start_mark, "tags (!) are not part of this format");
    }
    if (memchr(event->data.scalar.value, '\0', event->data.scalar.length)) {
        return refuse(c, event->start_mark, "a text has a zero byte");
    }
    if (level && level->node->kind == DT_YAML_MAPPING && !level->key) {
        return add_key(c, level, event);
    }
    dt_yaml_node *node = add_node(c, DT_YAML_SCALAR, event->start_mark);
    if (!node) {
        return out_of_memory(c);
    }
    find_characters(c, event, node);
    node->text =
        dt_arena_copy(c->arena, (const char *)event->data.scalar.value, event->data.scalar.length);
    return node->text ? DETENT_OK : out_of_memory(c);
}

static detent_status open_collection(dt_composer *c, const yaml_event_t *event, dt_yaml_kind kind,
                                     bool anchor, bool tag)
{
    const yaml_level *level = c->depth > 0 ? &c->levels[c->depth - 1] : NULL;
    if (anchor) {
        return refuse(c, event->start_mark, "anchors (&) are not part of this format");
    }
    if (tag) {
        return refuse(c, event->start_mark, "tags (!) are not part of this format");
    }
    if (level && level->node->kind == DT_YAML_MAPPING && !level->key) {
        return refuse(c, event->start_mark, "a key must be a text");
    }
    if (c->depth == DT_YAML_DEPTH_MAX) {
        return refuse(c, event->start_mark, "nested too deeply");
    }
    dt_yaml_node *node = add_node(c, kind, event->start_mark);
    if (!node) {
        return out_of_memory(c);
    }
    c->levels[c->depth++] = (yaml_level){.node = node};
    return DETENT_OK;
}

static detent_status handle(dt_composer *c, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (c->root) {
            return refuse(c, event->start_mark, "a file has one document");
        }
        return event->data.document_start.tag_directives.start !=
                       event->data.document_start.tag_directives.end
                   ? refuse(c, event->start_mark, "tags (!) are not part of this format")
                   : DETENT_OK;
    case YAML_ALIAS_EVENT:
        return refuse(
            c, event->start_mark,
            "aliases (*) are not part of this format; quote an expression that starts so");
    case YAML_SCALAR_EVENT:
        return add_scalar(c, event);
    case YAML_SEQUENCE_START_EVENT:
        return open_collection(c, event, DT_YAML_SEQUENCE,
                               event->data.sequence_start.anchor != NULL,
                               event->data.sequence_start.tag != NULL);
    case YAML_MAPPING_START_EVENT:
        return open_collection(c, event, DT_YAML_MAPPING, event->data.mapping_start.anchor != NULL,
                               event->data.mapping_start.tag != NULL);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        c->depth--;
        return DETENT_OK;
    default:
        return DETENT_OK;
    }
}

static detent_status compose(dt_composer *c)
{
    detent_status status = DETENT_OK;
    bool end = false;
    while (!status && !end) {
        yaml_event_t event;
        if (!yaml_parser_parse(&c->parser, &event)) {
            return fail_syntax(c);
        }
        end = event.type == YAML_STREAM_END_EVENT;
        status = handle(c, &event);
        yaml_event_delete(&event);
    }
    return status;
}

detent_status dt_yaml_parse(dt_arena *arena, const char *text, size_t length, const char *file,
                            const dt_yaml_node **root, detent_error *error)
{
    dt_location start = {file, 1, 1};
    dt_composer *c = dt_arena_alloc(arena, 1, sizeof *c);
    if (length > DT_YAML_SIZE_MAX) {
        return dt_fail(error, DETENT_ERROR_MODEL, &start, "the file is longer than %u MiB",
                       DT_YAML_SIZE_MAX >> 20);
    }
    if (!c) {
        return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory");
    }
    c->arena = arena;
    c->text = text;
    c->length = length;
    c->file = file;
    c->cursor_line = 1;
    c->error = error;
    if (!yaml_parser_initialize(&c->parser)) {
        return out_of_memory(c);
    }
    yaml_parser_set_encoding(&c->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&c->parser, (const unsigned char *)text, length);
    detent_status status = compose(c);
    yaml_parser_delete(&c->parser);
    if (!status && !c->root) {
        status = dt_fail(error, DETENT_ERROR_MODEL, &start, "the file is empty");
    }
    *root = c->root;
    return status;
}

const dt_yaml_node *dt_yaml_find(const dt_yaml_node *mapping, const char *key)
{
    for (const dt_yaml_node *child = mapping->first; child; child = child->next) {
        if (child->key && child->key[0] == key[0] && strcmp(child->key, key) == 0) {
            return child;
        }
    }
    return NULL;
}

static bool is_one_of(const char *text, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(text, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

bool dt_yaml_is_not_finite(const char *text)
{
    static const char *const nan_words[] = {".nan", ".NaN", ".NAN"};
    static const char *const inf_words[] = {".inf", ".Inf", ".INF"};
    bool sign = *text == '-' || *text == '+';
    return is_one_of(text, nan_words, 3) || is_one_of(text + sign, inf_words, 3);
}

bool dt_yaml_is_text(const dt_yaml_node *node)
{
    static const char *const words[] = {"",     "~",    "null",  "Null",  "NULL", "true",
                                        "True", "TRUE", "false", "False", "FALSE"};
    double number;
    if (node->kind != DT_YAML_SCALAR) {
        return false;
    }
    if (node->style != DT_YAML_PLAIN) {
        return true;
    }
    return !is_one_of(node->text, words, sizeof words / sizeof *words) &&
           !dt_yaml_is_not_finite(node->text) &&
           !dt_parse_number(node->text, strlen(node->text), &number);
}
