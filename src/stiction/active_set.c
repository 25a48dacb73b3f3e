#include "stiction/active_set.h"

#include <limits.h>

/** The contradictions of the last solve. */
typedef struct contradictions {
    int count;
    double largest;
} contradictions;

static contradictions survey(dt_friction_box *box)
{
    contradictions found = {0, 0};
    for (int k = 0; k < box->count; k++) {
        const double size = dt_friction_box_contradiction(box, k);
        if (size > 0) {
            found.count++;
            found.largest = fmax(found.largest, size);
        }
    }
    return found;
}

/** Turns over the joints whose contradiction is at least `threshold`. */
static void turn(dt_friction_box *box, double threshold)
{
    for (int k = 0; k < box->count; k++) {
        const double size = dt_friction_box_contradiction(box, k);
        if (size > 0 && size >= threshold) {
            box->side[k] = dt_friction_box_opposite(box, k);
        }
    }
}

/** A joint without friction moves to the side of its acceleration. */
static void name_sides(dt_friction_box *box)
{
    for (int k = 0; k < box->count; k++) {
        if (box->kind[k] == DT_FRICTION_BOXED && box->side[k] != 0) {
            box->side[k] = box->a[box->freedom[k]] > 0 ? 1 : -1;
        }
    }
}

dt_settlement dt_active_set_run(dt_friction_box *box, dt_effort effort, int *singular)
{
    int fewest = INT_MAX, setbacks = 0;
    for (int try = 0; try < effort.tries; try++) {
        *singular = dt_friction_box_solve(box);
        if (*singular >= 0) {
            return DT_SINGULAR;
        }
        const contradictions found = survey(box);
        if (found.count == 0) {
            name_sides(box);
            return DT_SETTLED;
        }
        setbacks = found.count < fewest ? 0 : setbacks + 1;
        if (setbacks > effort.setbacks || (found.count > effort.few && found.count > fewest / 2)) {
            return DT_UNSETTLED;
        }
        fewest = found.count < fewest ? found.count : fewest;
        if (try + 1 < effort.tries) {
            turn(box, setbacks == 0 ? 0 : setbacks == 1 ? 0.5 * found.largest : found.largest);
        }
    }
    return DT_UNSETTLED;
}
