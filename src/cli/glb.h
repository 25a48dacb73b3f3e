/**
 * @file glb.h
 * A binary glTF 2.0 file: a JSON text, and the numbers that it speaks of. Numbers first, each list an accessor of its own; then the text.
 */
#ifndef CLI_GLB_H
#define CLI_GLB_H

#include "json.h"

enum { GLB_FLOATS = 5126, GLB_INDICES = 5125, GLB_VERTICES = 34962, GLB_ELEMENTS = 34963 };

typedef struct glb_accessor {
    size_t offset, count;
    int width;    /**< numbers an item: 1, 3, 4 */
    int target;   /**< GLB_VERTICES, GLB_ELEMENTS, 0: of an animation */
    bool bounded; /**< tells its bounds, as positions and times have to */
    double low[4], high[4];
} glb_accessor;

typedef struct glb_file {
    FILE *stream;
    char *bytes;
    size_t length; /**< of the numbers, written so far */
    glb_accessor *accessors;
    size_t count;
    bool failed; /**< memory is out */
} glb_file;

/** It stays where it is until it is released. */
void glb_begin(glb_file *);
/** `count` items of `width` numbers, in single precision. Returns the accessor's number. */
size_t glb_floats(glb_file *, const double *values, size_t count, int width, int target,
                  bool bounded);
size_t glb_indices(glb_file *, const unsigned *values, size_t count);
/** The keys accessors, bufferViews, buffers, into the outermost object. */
void glb_describe(glb_file *, json_writer *);
/** The whole file. False: it is longer than such a file may be (4 GiB), or memory is out (`failed`). */
bool glb_write(glb_file *, FILE *, const char *json, size_t length);
void glb_release(glb_file *);

#endif
