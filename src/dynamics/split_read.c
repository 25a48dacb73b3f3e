/* What others see of the friction that joints at rest share. */
#include "dynamics/split.h"

#include "dynamics/closure.h"

/* Where stiction k is among those that share; -1: nowhere. */
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

double dt_split_friction(const dt_system *s, int k)
{
    return s->closure && s->closure->split ? s->closure->split->f[k] : s->f[k];
}
