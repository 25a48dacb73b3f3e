#include "base/color.h"

#include "base/nearest.h"

#include <string.h>

/* https://www.w3.org/TR/CSS21/syndata.html#color-units; gray in both spellings. */
static const struct {
    const char *word, *color;
} words[] = {{"black", "#000000"},  {"silver", "#c0c0c0"}, {"gray", "#808080"},
             {"grey", "#808080"},   {"white", "#ffffff"},  {"maroon", "#800000"},
             {"red", "#ff0000"},    {"purple", "#800080"}, {"fuchsia", "#ff00ff"},
             {"green", "#008000"},  {"lime", "#00ff00"},   {"olive", "#808000"},
             {"yellow", "#ffff00"}, {"navy", "#000080"},   {"blue", "#0000ff"},
             {"teal", "#008080"},   {"aqua", "#00ffff"},   {"orange", "#ffa500"}};
enum { WORDS = sizeof words / sizeof *words };

bool dt_color_read(const char *text, char color[DT_COLOR_SIZE])
{
    for (int k = 0; k < WORDS; k++) {
        if (strcmp(text, words[k].word) == 0) {
            memcpy(color, words[k].color, DT_COLOR_SIZE);
            return true;
        }
    }
    if (text[0] != '#' || strlen(text) != DT_COLOR_SIZE - 1 ||
        strspn(text + 1, "0123456789abcdefABCDEF") != DT_COLOR_SIZE - 2) {
        return false;
    }
    for (int k = 0; k < DT_COLOR_SIZE; k++) {
        color[k] = (char)(text[k] >= 'A' && text[k] <= 'F' ? text[k] - 'A' + 'a' : text[k]);
    }
    return true;
}

const char *dt_color_nearest(const char *text)
{
    const char *candidates[WORDS];
    for (int k = 0; k < WORDS; k++) {
        candidates[k] = words[k].word;
    }
    return dt_nearest(text, candidates, WORDS);
}
