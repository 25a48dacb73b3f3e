/* Pictures as PNG: the only place that knows cairo. */
#include "canvas.h"

#include "message.h"

#include <cairo.h>
#include <stdlib.h>
#include <string.h>

detent_status canvas_png_available(detent_error *error)
{
    (void)error;
    return DETENT_OK;
}

static void set_colour(cairo_t *pen, unsigned colour, double opacity)
{
    cairo_set_source_rgba(pen, (colour >> 16 & 0xff) / 255.0, (colour >> 8 & 0xff) / 255.0,
                          (colour & 0xff) / 255.0, opacity);
}

static void rectangle(canvas *c, canvas_box b, unsigned fill, double opacity)
{
    set_colour(c->pen, fill, opacity);
    cairo_rectangle(c->pen, b.x, b.y, b.width, b.height);
    cairo_fill(c->pen);
}

static void frame(canvas *c, canvas_box b, unsigned colour)
{
    set_colour(c->pen, colour, 1);
    cairo_set_line_width(c->pen, 1);
    cairo_rectangle(c->pen, b.x, b.y, b.width, b.height);
    cairo_stroke(c->pen);
}

static void line(canvas *c, const canvas_point *points, size_t count, unsigned colour, double width,
                 bool dashed)
{
    static const double dashes[] = {6, 4};
    set_colour(c->pen, colour, 1);
    cairo_set_line_width(c->pen, width);
    cairo_set_line_join(c->pen, CAIRO_LINE_JOIN_ROUND);
    cairo_set_dash(c->pen, dashes, dashed ? 2 : 0, 0);
    for (size_t k = 0; k < count; k++) {
        (k > 0 ? cairo_line_to : cairo_move_to)(c->pen, points[k].x, points[k].y);
    }
    cairo_stroke(c->pen);
    cairo_set_dash(c->pen, dashes, 0, 0);
}

/* A copy without what is no text; the caller's to free. */
static char *clean(const char *words)
{
    char *copy = malloc(strlen(words) + 1);
    size_t length, end = 0;
    for (const char *at; copy && (at = canvas_character(&words, &length)) != NULL; end += length) {
        memcpy(copy + end, at, length);
    }
    if (copy) {
        copy[end] = '\0';
    }
    return copy;
}

static void text(canvas *c, double x, double y, canvas_anchor anchor, double size,
                 const char *words)
{
    char *copy = clean(words);
    if (!copy) {
        c->failed = true;
        return;
    }
    cairo_text_extents_t extents;
    cairo_select_font_face(c->pen, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(c->pen, size);
    cairo_text_extents(c->pen, copy, &extents);
    const double share = anchor == ANCHOR_START ? 0 : anchor == ANCHOR_MIDDLE ? 0.5 : 1;
    set_colour(c->pen, 0x000000, 1);
    cairo_move_to(c->pen, x - share * extents.x_advance, y);
    cairo_show_text(c->pen, copy);
    free(copy);
}

static void clip(canvas *c, canvas_box b)
{
    cairo_save(c->pen);
    cairo_rectangle(c->pen, b.x, b.y, b.width, b.height);
    cairo_clip(c->pen);
}

static void unclip(canvas *c)
{
    cairo_restore(c->pen);
}

static cairo_status_t write_piece(void *stream, const unsigned char *data, unsigned length)
{
    return fwrite(data, 1, length, stream) == length ? CAIRO_STATUS_SUCCESS
                                                     : CAIRO_STATUS_WRITE_ERROR;
}

static detent_status end(canvas *c, detent_error *error)
{
    cairo_status_t status = c->failed ? CAIRO_STATUS_NO_MEMORY : cairo_status(c->pen);
    if (status == CAIRO_STATUS_SUCCESS) {
        status = cairo_surface_write_to_png_stream(c->surface, write_piece, c->stream);
    }
    cairo_destroy(c->pen);
    cairo_surface_destroy(c->surface);
    return status == CAIRO_STATUS_SUCCESS || status == CAIRO_STATUS_WRITE_ERROR /* the stream's */
               ? DETENT_OK
               : report(error,
                        status == CAIRO_STATUS_NO_MEMORY ? DETENT_ERROR_MEMORY : DETENT_ERROR_IO,
                        "cannot draw: %s", cairo_status_to_string(status));
}

detent_status canvas_png(FILE *stream, double width, double height, canvas *c, detent_error *error)
{
    static const canvas_way way = {rectangle, frame, line, text, clip, unclip, end};
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
    cairo_t *pen = cairo_create(surface);
    *c = (canvas){.way = &way,
                  .width = width,
                  .height = height,
                  .stream = stream,
                  .surface = surface,
                  .pen = pen};
    if (cairo_status(pen) != CAIRO_STATUS_SUCCESS) {
        cairo_destroy(pen);
        cairo_surface_destroy(surface);
        *c = (canvas){0};
        return report(error, DETENT_ERROR_MEMORY, "out of memory for a picture of %g x %g", width,
                      height);
    }
    rectangle(c, (canvas_box){0, 0, width, height}, 0xffffff, 1);
    return DETENT_OK;
}
