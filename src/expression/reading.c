#include "expression/reading.h"
#include "base/nearest.h"

#include <stddef.h>
#include <string.h>

static const char *const readings[] = {
    "position",        "velocity",     "acceleration", "friction", "force", "reaction_force",
    "reaction_torque", "normal_force", "mode",         "x",        "y",     "z",
};

enum { COUNT = sizeof readings / sizeof readings[0] };

bool dt_reading_is_known(const char *name)
{
    for (size_t i = 0; i < COUNT; i++) {
        if (strcmp(name, readings[i]) == 0) {
            return true;
        }
    }
    return false;
}

const char *dt_reading_nearest(const char *name)
{
    return dt_nearest(name, readings, COUNT);
}
