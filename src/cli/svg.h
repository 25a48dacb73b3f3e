/**
 * @file svg.h
 * Lines over time as a picture: SVG with axes, ticks and a legend, readable without anything else.
 *
 *     svg_plot plot = svg_begin(stream, title, "time (s)", "position (m)", box);
 *     svg_line(&plot, "stiction", time, position, count);
 *     svg_end(&plot);
 */
#ifndef CLI_SVG_H
#define CLI_SVG_H

#include <stddef.h>
#include <stdio.h>

/** What is to be seen, in the units of the axes. */
typedef struct svg_box {
    double left, right, bottom, top;
} svg_box;

/** Makes a box larger until a point is in it; one that begins with left > right holds nothing yet. */
void svg_include(svg_box *box, double x, double y);

typedef struct svg_plot {
    FILE *stream;
    svg_box box;
    size_t lines; /**< drawn so far */
} svg_plot;

svg_plot svg_begin(FILE *stream, const char *title, const char *x_label, const char *y_label,
                   svg_box box);
/** A line through points; those that are not finite interrupt it. */
void svg_line(svg_plot *, const char *name, const double *x, const double *y, size_t count);
void svg_end(svg_plot *);

#endif
