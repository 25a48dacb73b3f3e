/* What others see of the friction that joints at rest share. */
#include "dynamics/split_parts.h"

#include "dynamics/closure.h"

/* Where stiction k is among those that share; -1: nowhere. */
static int place_of(const dt_system *s, int k)
{
    const dt_split *split = s->closure ? s->closure->split : NULL;
    return split && split->columns > 0 ? split->place[k] : -1;
}

const dt_split_part *dt_split_part_of(const dt_system *s, int k)
{
    const dt_split *split = s->closure ? s->closure->split : NULL;
    return place_of(s, k) < 0 ? NULL : &split->part[split->part_of[k]];
}

double dt_split_burden(const dt_system *s, int k, int j)
{
    const int i = place_of(s, k), other = place_of(s, j);
    const dt_split_part *part = dt_split_part_of(s, k);
    if (!part || part != dt_split_part_of(s, j)) {
        return k == j;
    }
    const int column = part->narrow.column[other - part->first];
    if (part->narrow.column[i - part->first] >= 0) {
        return 0;
    }
    return column >= 0 ? -dt_split_entry(part, i - part->first, column) : k == j;
}

double dt_split_friction(const dt_system *s, int k)
{
    return s->closure && s->closure->split ? s->closure->split->f[k] : s->f[k];
}
