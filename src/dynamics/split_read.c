/* What others see of the friction that joints at rest share. */
#include "dynamics/split_parts.h"

#include "dynamics/closure.h"

/** Where stiction k is among those that share; -1: nowhere. */
static int place_of(const dt_system *s, int k)
{
    const dt_split *split = s->closure ? s->closure->split : NULL;
    return split && split->columns > 0 ? split->place[k] : -1;
}

int dt_split_way(const dt_system *s, int k)
{
    const int i = place_of(s, k);
    return i < 0 ? 0 : s->closure->split->way[i];
}

double dt_split_burden(const dt_system *s, int k, int j)
{
    const int i = place_of(s, k), other = place_of(s, j);
    if (i < 0 || other < 0) {
        return k == j;
    }
    const dt_split *split = s->closure->split;
    const size_t height = (size_t)(split->count + split->columns);
    const int column = split->narrow.column[other];
    if (split->narrow.column[i] >= 0) {
        return 0;
    }
    return column >= 0 ? -split->narrow.matrix[(size_t)column * height + (size_t)i] : k == j;
}

bool dt_split_burden_first(dt_system *s, bool one_sided)
{
    dt_split *split = s->closure ? s->closure->split : NULL;
    bool any = false;
    if (!split || split->columns == 0) {
        return false;
    }
    dt_split_find_widths(split);
    for (int i = 0; i < split->count && one_sided; i++) {
        if (split->limits[i][0] == 0 || split->limits[i][1] == 0) {
            any = any || split->width[i] > 0;
            split->width[i] = 0;
        }
    }
    dt_split_choose(split);
    if (one_sided) { /* they are chosen, and have their widths */
        dt_split_find_widths(split);
    }
    return any;
}

double dt_split_friction(const dt_system *s, int k)
{
    return s->closure && s->closure->split ? s->closure->split->f[k] : s->f[k];
}
