/**
 * @file xml.h
 * An XML document as a tree of elements without the text between them, read by expat. Document type declarations are refused, and with them all entities
 * but the five of XML; so are elements nested more than DT_XML_DEPTH_MAX deep.
 */
#ifndef DT_IMPORT_XML_H
#define DT_IMPORT_XML_H

#include "base/arena.h"
#include "base/error.h"

#define DT_XML_DEPTH_MAX 1000

typedef struct dt_xml {
    const char *name;
    const char *const *attributes; /**< name, value, name, value, ..., NULL */
    struct dt_xml *parent, *first, *last, *next;
    dt_location where; /**< of its opening tag */
} dt_xml;

/**
 * Reads a document; the tree lives in `arena`, which keeps what it holds of `file`, the name for messages.
 * DETENT_ERROR_SYNTAX with the place where it is no XML or is refused, DETENT_ERROR_MEMORY.
 */
detent_status dt_xml_read(dt_arena *arena, const char *file, const char *text, size_t length,
                          const dt_xml **root, detent_error *error);

/** The value of an attribute, or NULL. */
const char *dt_xml_attribute(const dt_xml *element, const char *name);

/** The first child of that name, or NULL. */
const dt_xml *dt_xml_child(const dt_xml *element, const char *name);

/** The next sibling of the same name, or NULL. */
const dt_xml *dt_xml_again(const dt_xml *element);

/**
 * The numbers in an attribute, with blanks between them, or commas: at most `most`. Their number in `*count`; 0 where there is
 * no such attribute. DETENT_ERROR_MODEL with the place where something else stands there, a number is not finite, or
 * there are more.
 */
detent_status dt_xml_numbers(const dt_xml *element, const char *attribute, int most, double *values,
                             int *count, detent_error *error);

/** Exactly `count` of them, or none: then `values` stay as they are. */
detent_status dt_xml_vector(const dt_xml *element, const char *attribute, int count, double *values,
                            detent_error *error);

#endif
