#include "figure_scale.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

void figure_scale_include(figure_scale *s, double value)
{
    if (!isfinite(value)) {
        return;
    }
    const int empty = s->low > s->high;
    s->low = empty ? value : fmin(s->low, value);
    s->high = empty ? value : fmax(s->high, value);
}

/* 1, 2 or 5 times a power of ten, that which is nearest by its ratio. */
static double round_step(double rough)
{
    const double power = pow(10, floor(log10(rough))), part = rough / power;
    return power * (part < sqrt(2) ? 1 : part < sqrt(10) ? 2 : part < sqrt(50) ? 5 : 10);
}

/* What does not vary, but for rounding, has its value in the middle. */
static void open_up(figure_scale *s)
{
    const double size = fmax(fabs(s->low), fabs(s->high));
    if (s->low > s->high || size < DBL_MIN) {
        s->low = -1;
        s->high = 1;
    } else if (s->high - s->low <= 1e-12 * size) { /* rounding of a sum of thousands */
        s->low -= 0.1 * size;
        s->high += 0.1 * size;
    }
}

void figure_scale_settle(figure_scale *s, double ticks, double margin)
{
    open_up(s);
    const double range = s->high / 2 - s->low / 2; /* half of it: no overflow */
    s->low = fmax(s->low - 2 * margin * range, -DBL_MAX / 4);
    s->high = fmin(s->high + 2 * margin * range, DBL_MAX / 4);
    s->step = round_step((s->high - s->low) / fmax(ticks, 1));
    const double size = fmax(fabs(s->low), fabs(s->high));
    const int digits = (int)floor(log10(size));
    s->power = digits >= 5 || digits <= -4 ? 3 * (int)floor(digits / 3.0) : 0;
}

double figure_scale_first(const figure_scale *s)
{
    return ceil(s->low / s->step - 1e-9); /* a tick that rounding put past the end is there */
}

void figure_scale_text(const figure_scale *s, double k, char text[TICK_TEXT])
{
    const double unit = s->step / pow(10, s->power);
    const int places = (int)fmin(fmax(ceil(-log10(unit) - 1e-9), 0), 9);
    snprintf(text, TICK_TEXT, "%.*f", places, k == 0 ? 0 : k * unit);
}
