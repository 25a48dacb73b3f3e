/**
 * @file json.h
 * A small writer of JSON: keeps commas, indentation and escapes right. Text that is not UTF-8 becomes U+FFFD; numbers
 * that JSON has no text for become null.
 *
 *     json_writer json = json_begin(stream, true);
 *     json_object(&json, NULL);
 *     json_text(&json, "name", name);
 *     json_close(&json);
 *     json_end(&json);
 */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { JSON_DEPTH = 8 };

typedef struct json_writer {
    FILE *stream;
    bool pretty; /**< one value a line */
    bool inert;  /**< what stands in a page: no text of it can end the element that it is in */
    int depth;
    char closing[JSON_DEPTH];    /**< of the open objects and arrays */
    bool filled[JSON_DEPTH + 1]; /**< there is a value before */
} json_writer;

json_writer json_begin(FILE *stream, bool pretty);

/** Every value may have a key: NULL in arrays and for the outermost one. */
void json_object(json_writer *, const char *key);
void json_array(json_writer *, const char *key);
/** Closes the innermost object or array. */
void json_close(json_writer *);
void json_text(json_writer *, const char *key, const char *value);
void json_number(json_writer *, const char *key, double value);
void json_count(json_writer *, const char *key, size_t value);
void json_bool(json_writer *, const char *key, bool value);
void json_null(json_writer *, const char *key);
/** A text that needs no escapes: the bytes in the digits of base 64 (RFC 4648). */
void json_base64(json_writer *, const char *key, const void *bytes, size_t count);
/** Ends the line. */
void json_end(json_writer *);

#endif
