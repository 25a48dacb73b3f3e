/**
 * @file canvas.h
 * What pictures are drawn on: SVG, which we write ourselves, or PNG, by cairo. Lengths are px, y goes down, colours are 0xrrggbb.
 *
 * The first failure of writing is that of the stream; others are remembered and reported by canvas_end().
 */
#ifndef CLI_CANVAS_H
#define CLI_CANVAS_H

#include "detent/detent.h"

#include <stdio.h>

typedef enum canvas_anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END } canvas_anchor;

typedef struct canvas_point {
    double x, y;
} canvas_point;

typedef struct canvas_box {
    double x, y, width, height;
} canvas_box;

typedef struct canvas canvas;

/** What a kind of picture does. */
typedef struct canvas_way {
    void (*rectangle)(canvas *, canvas_box, unsigned fill, double opacity);
    void (*frame)(canvas *, canvas_box, unsigned colour);
    void (*line)(canvas *, const canvas_point *, size_t count, unsigned colour, double width,
                 bool dashed);
    void (*text)(canvas *, double x, double y, canvas_anchor, double size, const char *);
    void (*clip)(canvas *, canvas_box); /**< until unclip() */
    void (*unclip)(canvas *);
    detent_status (*end)(canvas *, detent_error *);
} canvas_way;

struct canvas {
    const canvas_way *way;
    double width, height;
    FILE *stream;
    bool failed;         /**< memory is out: something is not in the picture */
    int clips;           /**< SVG: so far */
    void *surface, *pen; /**< PNG: of cairo */
};

/** A white picture. */
canvas canvas_svg(FILE *, double width, double height);
/** An error is reported: memory, or a build without cairo (DETENT_ERROR_ARGUMENT). */
detent_status canvas_png(FILE *, double width, double height, canvas *, detent_error *);
/** Whether this build can; an error is reported where it cannot. */
detent_status canvas_png_available(detent_error *);
/** Finishes it and gives everything back. An error is reported. */
detent_status canvas_end(canvas *, detent_error *);

/** Room that a text takes, about. */
double canvas_text_width(const char *text, double size);
/** The next character of a text for people, `length` bytes at it: no control characters, nothing that is no UTF-8. NULL: the end. */
const char *canvas_character(const char **text, size_t *length);

#endif
