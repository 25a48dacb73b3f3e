#include "glb.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void glb_begin(glb_file *g)
{
    *g = (glb_file){0};
    g->stream = open_memstream(&g->bytes, &g->length);
    g->failed = !g->stream;
}

/* Low byte first, as the format has it. */
static void write_word(FILE *stream, uint32_t word)
{
    for (int k = 0; k < 4; k++) {
        fputc((int)(word >> 8 * k & 0xff), stream);
    }
}

static size_t add(glb_file *g, glb_accessor accessor)
{
    glb_accessor *longer = realloc(g->accessors, (g->count + 1) * sizeof *longer);
    if (!longer) {
        g->failed = true;
        return 0;
    }
    g->accessors = longer;
    g->accessors[g->count] = accessor;
    return g->count++;
}

static size_t place(glb_file *g)
{
    fflush(g->stream);
    return g->length;
}

size_t glb_floats(glb_file *g, const double *values, size_t count, int width, int target,
                  bool bounded)
{
    if (g->failed) {
        return 0;
    }
    glb_accessor a = {place(g), count, width, target, bounded, {0}, {0}};
    for (size_t i = 0; i < count * (size_t)width; i++) {
        const float value = (float)values[i];
        const size_t c = i % (size_t)width;
        uint32_t word;
        memcpy(&word, &value, sizeof word);
        write_word(g->stream, word);
        a.low[c] = i < (size_t)width ? (double)value : fmin(a.low[c], (double)value);
        a.high[c] = i < (size_t)width ? (double)value : fmax(a.high[c], (double)value);
    }
    return add(g, a);
}

size_t glb_indices(glb_file *g, const unsigned *values, size_t count)
{
    if (g->failed) {
        return 0;
    }
    const glb_accessor a = {place(g), count, 1, GLB_ELEMENTS, false, {0}, {0}};
    for (size_t i = 0; i < count; i++) {
        write_word(g->stream, values[i]);
    }
    return add(g, a);
}

/* ---- the text ---- */

static void write_bounds(json_writer *json, const char *key, const double *values, int width)
{
    json_array(json, key);
    for (int k = 0; k < width; k++) {
        json_number(json, NULL, values[k]);
    }
    json_close(json);
}

void glb_describe(glb_file *g, json_writer *json)
{
    json_array(json, "accessors");
    for (size_t k = 0; k < g->count && !g->failed; k++) {
        const glb_accessor *a = &g->accessors[k];
        json_object(json, NULL);
        json_count(json, "bufferView", k);
        json_count(json, "componentType", a->target == GLB_ELEMENTS ? GLB_INDICES : GLB_FLOATS);
        json_count(json, "count", a->count);
        json_text(json, "type", a->width == 1 ? "SCALAR" : a->width == 3 ? "VEC3" : "VEC4");
        if (a->bounded) {
            write_bounds(json, "min", a->low, a->width);
            write_bounds(json, "max", a->high, a->width);
        }
        json_close(json);
    }
    json_close(json);
    json_array(json, "bufferViews");
    for (size_t k = 0; k < g->count && !g->failed; k++) {
        const glb_accessor *a = &g->accessors[k];
        json_object(json, NULL);
        json_count(json, "buffer", 0);
        json_count(json, "byteOffset", a->offset);
        json_count(json, "byteLength", 4 * a->count * (size_t)a->width);
        if (a->target) {
            json_count(json, "target", (size_t)a->target);
        }
        json_close(json);
    }
    json_close(json);
    json_array(json, "buffers");
    json_object(json, NULL);
    json_count(json, "byteLength", g->failed ? 0 : place(g));
    json_close(json);
    json_close(json);
}

bool glb_write(glb_file *g, FILE *stream, const char *json, size_t length)
{
    static const uint32_t magic = 0x46546c67, version = 2, json_chunk = 0x4e4f534a,
                          binary_chunk = 0x004e4942; /* "glTF", "JSON", "BIN" */
    g->failed = g->failed || ferror(g->stream);
    const size_t bytes = g->failed ? 0 : place(g), padded = (length + 3) / 4 * 4;
    if (g->failed || (double)bytes + (double)padded + 28 > UINT32_MAX) {
        return false;
    }
    write_word(stream, magic);
    write_word(stream, version);
    write_word(stream, (uint32_t)(28 + padded + bytes));
    write_word(stream, (uint32_t)padded);
    write_word(stream, json_chunk);
    fwrite(json, 1, length, stream);
    for (size_t k = length; k < padded; k++) {
        fputc(' ', stream);
    }
    write_word(stream, (uint32_t)bytes);
    write_word(stream, binary_chunk);
    fwrite(g->bytes, 1, bytes, stream);
    return true;
}

void glb_release(glb_file *g)
{
    if (g->stream) {
        fclose(g->stream);
    }
    free(g->bytes);
    free(g->accessors);
    *g = (glb_file){0};
}
