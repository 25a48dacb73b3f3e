#include "import/xml.h"

#include "base/text.h"

#include <expat.h>
#include <stdlib.h>

typedef struct xml_reading {
    dt_arena *arena;
    const char *file;
    XML_Parser parser;
    dt_xml *root, *open;
    int depth;
    detent_status status; /* of the first failure, whose text is in `error` */
    detent_error *error;
} xml_reading;

static dt_location place_of(const xml_reading *r)
{
    return (dt_location){r->file, (int)XML_GetCurrentLineNumber(r->parser),
                         (int)XML_GetCurrentColumnNumber(r->parser) + 1};
}

static void stop(xml_reading *r, detent_status status, const char *text)
{
    if (!r->status) {
        const dt_location where = place_of(r);
        r->status = dt_fail(r->error, status, &where, "%s", text);
        XML_StopParser(r->parser, XML_FALSE);
    }
}

static void out_of_memory(xml_reading *r)
{
    stop(r, DETENT_ERROR_MEMORY, "out of memory");
}

/* ---- what expat tells ---- */

static const char *const *copy_attributes(dt_arena *arena, const XML_Char **attributes)
{
    size_t count = 0;
    while (attributes[count]) {
        count++;
    }
    const char **copy = dt_arena_one(arena, (count + 1) * sizeof *copy);
    for (size_t k = 0; copy && k < count; k++) {
        copy[k] = dt_arena_copy(arena, attributes[k], strlen(attributes[k]));
        if (!copy[k]) {
            return NULL;
        }
    }
    return copy;
}

static void XMLCALL begin_element(void *user, const XML_Char *name, const XML_Char **attributes)
{
    xml_reading *r = user;
    if (r->status) {
        return;
    }
    if (++r->depth > DT_XML_DEPTH_MAX) {
        stop(r, DETENT_ERROR_SYNTAX, "elements are nested more than 1000 deep");
        return;
    }
    dt_xml *element = dt_arena_one(r->arena, sizeof *element);
    if (!element || !(element->name = dt_arena_copy(r->arena, name, strlen(name))) ||
        !(element->attributes = copy_attributes(r->arena, attributes))) {
        out_of_memory(r);
        return;
    }
    element->where = place_of(r);
    element->parent = r->open;
    if (!r->open) {
        r->root = element;
    } else if (r->open->last) {
        r->open->last = r->open->last->next = element;
    } else {
        r->open->first = r->open->last = element;
    }
    r->open = element;
}

static void XMLCALL end_element(void *user, const XML_Char *name)
{
    xml_reading *r = user;
    (void)name;
    if (!r->status) {
        r->open = r->open->parent;
        r->depth--;
    }
}

static void XMLCALL refuse_doctype(void *user, const XML_Char *name, const XML_Char *system,
                                   const XML_Char *public, int internal)
{
    (void)name, (void)system, (void)public, (void)internal;
    stop(user, DETENT_ERROR_SYNTAX,
         "a document type declaration is not read: entities are to be resolved before");
}

/* ---- the whole ---- */

static void parse(xml_reading *r, const char *text, size_t length)
{
    static const size_t piece = 1 << 30; /* expat counts in int */
    size_t at = 0;
    do {
        const size_t now = length - at < piece ? length - at : piece;
        if (XML_Parse(r->parser, text + at, (int)now, at + now == length) != XML_STATUS_OK) {
            if (!r->status) {
                const enum XML_Error code = XML_GetErrorCode(r->parser);
                stop(r, code == XML_ERROR_NO_MEMORY ? DETENT_ERROR_MEMORY : DETENT_ERROR_SYNTAX,
                     XML_ErrorString(code));
            }
            return;
        }
        at += now;
    } while (at < length && !r->status);
}

detent_status dt_xml_read(dt_arena *arena, const char *file, const char *text, size_t length,
                          const dt_xml **root, detent_error *error)
{
    xml_reading r = {.arena = arena, .file = file, .error = error, .status = DETENT_OK};
    r.parser = XML_ParserCreate(NULL);
    if (!r.parser) {
        return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory");
    }
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, begin_element, end_element);
    XML_SetStartDoctypeDeclHandler(r.parser, refuse_doctype);
    parse(&r, text, length);
    XML_ParserFree(r.parser);
    *root = r.status ? NULL : r.root;
    return r.status;
}

const char *dt_xml_attribute(const dt_xml *element, const char *name)
{
    for (const char *const *a = element->attributes; *a; a += 2) {
        if (strcmp(a[0], name) == 0) {
            return a[1];
        }
    }
    return NULL;
}

static const dt_xml *named(const dt_xml *element, const char *name)
{
    while (element && strcmp(element->name, name) != 0) {
        element = element->next;
    }
    return element;
}

const dt_xml *dt_xml_child(const dt_xml *element, const char *name)
{
    return element ? named(element->first, name) : NULL;
}

const dt_xml *dt_xml_again(const dt_xml *element)
{
    return named(element->next, element->name);
}

detent_status dt_xml_numbers(const dt_xml *element, const char *attribute, int most, double *values,
                             int *count, detent_error *error)
{
    const char *text = dt_xml_attribute(element, attribute), *at = text;
    *count = 0;
    while (at && *at) {
        const size_t blanks = strspn(at, " \t\n\r,"), length = strcspn(at + blanks, " \t\n\r,");
        at += blanks;
        if (length == 0) {
            break;
        }
        if (*count == most) {
            return dt_fail(error, DETENT_ERROR_MODEL, &element->where,
                           "<%s %s=\"%s\"> has more than %d numbers", element->name, attribute,
                           text, most);
        }
        if (!dt_parse_number(at, length, &values[*count])) {
            return dt_fail(error, DETENT_ERROR_MODEL, &element->where,
                           "a finite number was expected in <%s %s=\"%s\">, not '%.*s'",
                           element->name, attribute, text, (int)(length > 40 ? 40 : length), at);
        }
        ++*count;
        at += length;
    }
    return DETENT_OK;
}

detent_status dt_xml_vector(const dt_xml *element, const char *attribute, int count, double *values,
                            detent_error *error)
{
    enum { MOST = 16 };
    double read[MOST];
    int found;
    const detent_status status = dt_xml_numbers(element, attribute, count, read, &found, error);
    if (status || !dt_xml_attribute(element, attribute)) {
        return status;
    }
    if (found != count) {
        return dt_fail(error, DETENT_ERROR_MODEL, &element->where,
                       "%d numbers were expected in <%s %s=\"%s\">, and there are %d", count,
                       element->name, attribute, dt_xml_attribute(element, attribute), found);
    }
    memcpy(values, read, (size_t)count * sizeof *values);
    return DETENT_OK;
}
