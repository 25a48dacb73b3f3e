/**
 * @file color.h
 * Colours by the words of CSS, or as #rrggbb.
 */
#ifndef DT_BASE_COLOR_H
#define DT_BASE_COLOR_H

#include <stdbool.h>

enum { DT_COLOR_SIZE = 8 }; /**< "#rrggbb" and its NUL */

/** The colour of a text, in small letters. False: it is none. */
bool dt_color_read(const char *text, char color[DT_COLOR_SIZE]);

/** The word that a text which is none may have meant; NULL: none. */
const char *dt_color_nearest(const char *text);

#endif
