/**
 * @file figure.h
 * Plots over one axis of time: panels below each other, each with lines, then lanes of modes; events as thin lines through all.
 */
#ifndef CLI_FIGURE_H
#define CLI_FIGURE_H

#include "canvas.h"

/** Points that are not finite interrupt it. The line of number k of each panel has the k-th colour. */
typedef struct figure_line {
    const double *x, *y;
    size_t count;
} figure_line;

typedef struct figure_panel {
    const char *name, *unit; /**< "" or NULL: none */
    const figure_line *lines;
    size_t count;
} figure_panel;

typedef struct figure_band {
    double from, to;
    detent_mode mode;
} figure_band;

typedef struct figure_lane {
    const char *name;
    const figure_band *bands;
    size_t count;
} figure_lane;

typedef struct figure {
    const char *title;        /**< NULL: none */
    const char *const *names; /**< of lines, for all panels; of one there is no legend */
    size_t name_count;
    const figure_panel *panels;
    size_t panel_count;
    const figure_lane *lanes;
    size_t lane_count;
    const double *events; /**< s, in their order */
    size_t event_count;
    double font; /**< px */
} figure;

/** How high it is where nobody says: panels of a good height. */
double figure_height(const figure *);
/** False: there is no room for it. */
bool figure_fits(const figure *, double width, double height);
/** False when memory is out. */
bool figure_draw(const figure *, canvas *);

#endif
