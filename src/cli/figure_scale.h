/**
 * @file figure_scale.h
 * One axis: what is to be seen, where its ticks are, what stands at them.
 */
#ifndef CLI_FIGURE_SCALE_H
#define CLI_FIGURE_SCALE_H

#include <stddef.h>

typedef struct figure_scale {
    double low, high; /**< low > high: nothing yet */
    double step;      /**< between ticks */
    int power;        /**< numbers at ticks are by 10^power: 0, or told with the unit */
} figure_scale;

enum { TICK_TEXT = 32 };

void figure_scale_include(figure_scale *, double value);
/** Sets ticks, about `ticks` of them; `margin`: share of the range that is added at both ends. */
void figure_scale_settle(figure_scale *, double ticks, double margin);
/** The first tick, as a multiple of the step. */
double figure_scale_first(const figure_scale *);
/** Number `k` times the step as text. */
void figure_scale_text(const figure_scale *, double k, char text[TICK_TEXT]);

#endif
