/* How far a stiction is from the next change of its mode: mode_search.h. */
#include "stiction/mode_search.h"

#include <math.h>

double dt_stiction_margin(dt_system *system, int stiction)
{
    const int primitive = system->mechanism->stictions[stiction].primitive;
    if (system->mode[stiction] != DETENT_LOCKED) {
        return system->direction[stiction] * system->a[system->tree->nodes[primitive].v];
    }
    double limits[2];
    dt_system_limits(system, stiction, limits);
    const double test = dt_system_test(system, stiction);
    return fmin(limits[1] - test, test - limits[0]);
}
