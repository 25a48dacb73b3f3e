#include "json.h"

#include "number.h"

#include <math.h>
#include <string.h>

json_writer json_begin(FILE *stream, bool pretty)
{
    return (json_writer){.stream = stream, .pretty = pretty};
}

static void new_line(json_writer *json)
{
    if (json->pretty) {
        fprintf(json->stream, "\n%*s", 2 * json->depth, "");
    }
}

/* Length of the UTF-8 character at `s`, 0 if there is none: RFC 3629, without overlong forms and surrogates. */
static size_t utf8_length(const unsigned char *s)
{
    if (s[0] < 0x80) {
        return 1;
    }
    size_t length = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    unsigned char low = s[0] == 0xE0 ? 0xA0 : s[0] == 0xF0 ? 0x90 : 0x80;
    unsigned char high = s[0] == 0xED ? 0x9F : s[0] == 0xF4 ? 0x8F : 0xBF;
    if (s[0] < 0xC2 || s[0] > 0xF4 || s[1] < low || s[1] > high) {
        return 0;
    }
    for (size_t i = 2; i < length; i++) {
        if ((s[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    return length;
}

/* Line ends of Unicode, which were none in scripts, and what begins markup. */
static bool write_inert(FILE *stream, const unsigned char *s)
{
    const bool is_line_end = s[0] == 0xE2 && s[1] == 0x80 && (s[2] == 0xA8 || s[2] == 0xA9);
    if (s[0] == '<' || s[0] == '>' || s[0] == '&') {
        fprintf(stream, "\\u%04x", s[0]);
    } else if (is_line_end) {
        fprintf(stream, "\\u20%02x", s[2] - 0x80);
    }
    return is_line_end || s[0] == '<' || s[0] == '>' || s[0] == '&';
}

static void write_string(const json_writer *json, const char *text)
{
    FILE *stream = json->stream;
    static const char from[] = "\"\\\n\t\r\b\f", to[] = "\"\\ntrbf";
    const unsigned char *s = (const unsigned char *)text;
    fputc('"', stream);
    while (*s) {
        size_t length = utf8_length(s);
        const char *escape = strchr(from, *s);
        if (escape) {
            fprintf(stream, "\\%c", to[escape - from]);
        } else if (*s < 0x20 || *s == 0x7F) {
            fprintf(stream, "\\u%04x", *s);
        } else if (length == 0) {
            fputs("\\ufffd", stream);
        } else if (!json->inert || !write_inert(stream, s)) {
            fwrite(s, 1, length, stream);
        }
        s += length ? length : 1;
    }
    fputc('"', stream);
}

static void start_value(json_writer *json, const char *key)
{
    if (json->filled[json->depth]) {
        fputs(json->pretty ? "," : ", ", json->stream);
    }
    if (json->depth > 0) {
        new_line(json);
    }
    json->filled[json->depth] = true;
    if (key) {
        write_string(json, key);
        fputs(": ", json->stream);
    }
}

static void open_group(json_writer *json, const char *key, char opening, char closing)
{
    start_value(json, key);
    fputc(opening, json->stream);
    json->closing[json->depth++] = closing;
    json->filled[json->depth] = false;
}

void json_object(json_writer *json, const char *key)
{
    open_group(json, key, '{', '}');
}

void json_array(json_writer *json, const char *key)
{
    open_group(json, key, '[', ']');
}

void json_close(json_writer *json)
{
    bool filled = json->filled[json->depth--];
    if (filled) {
        new_line(json);
    }
    fputc(json->closing[json->depth], json->stream);
}

void json_text(json_writer *json, const char *key, const char *value)
{
    start_value(json, key);
    write_string(json, value);
}

void json_number(json_writer *json, const char *key, double value)
{
    if (!isfinite(value)) {
        json_null(json, key);
        return;
    }
    start_value(json, key);
    write_number(json->stream, value);
}

void json_count(json_writer *json, const char *key, size_t value)
{
    start_value(json, key);
    fprintf(json->stream, "%zu", value);
}

void json_bool(json_writer *json, const char *key, bool value)
{
    start_value(json, key);
    fputs(value ? "true" : "false", json->stream);
}

void json_null(json_writer *json, const char *key)
{
    start_value(json, key);
    fputs("null", json->stream);
}

void json_base64(json_writer *json, const char *key, const void *bytes, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *b = bytes;
    start_value(json, key);
    fputc('"', json->stream);
    for (size_t i = 0; i < count; i += 3) {
        const size_t left = count - i;
        const unsigned group = (unsigned)b[i] << 16 | (left > 1 ? (unsigned)b[i + 1] << 8 : 0) |
                               (left > 2 ? (unsigned)b[i + 2] : 0);
        const char four[4] = {digits[group >> 18], digits[group >> 12 & 63],
                              left > 1 ? digits[group >> 6 & 63] : '=',
                              left > 2 ? digits[group & 63] : '='};
        fwrite(four, 1, sizeof four, json->stream);
    }
    fputc('"', json->stream);
}

void json_end(json_writer *json)
{
    fputc('\n', json->stream);
}
