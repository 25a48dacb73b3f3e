#include "expression/reading.h"
#include "base/nearest.h"
#include "expression/variable.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *function;
    int traits;
} readings[] = {
#define READING(kind, function, component, measure, subject, traits, family, part) \
    {(function), (traits)},
    DT_VARIABLE_TABLE(READING)
#undef READING
};

enum { COUNT = sizeof readings / sizeof readings[0] };

/* Of bodies, as people may call them; told by the scope how they are read. */
static const char *const letters[] = {"x", "y", "z"};

bool dt_reading_is_known(const char *name)
{
    bool known = false;
    for (size_t i = 0; i < COUNT && !known; i++) {
        known = readings[i].function && strcmp(name, readings[i].function) == 0;
    }
    for (size_t i = 0; i < sizeof letters / sizeof *letters && !known; i++) {
        known = strcmp(name, letters[i]) == 0;
    }
    return known;
}

static bool has_trait(const char *name, int trait)
{
    bool has = false;
    for (size_t i = 0; i < COUNT && !has; i++) {
        has = (readings[i].traits & trait) && strcmp(name, readings[i].function) == 0;
    }
    return has;
}

bool dt_reading_is_of_whole(const char *name)
{
    return has_trait(name, DT_OF_WHOLE);
}

bool dt_reading_counts(const char *name)
{
    return has_trait(name, DT_OF_COUNTS);
}

bool dt_reading_is_delay(const char *name)
{
    return strcmp(name, "delay") == 0;
}

const char *dt_reading_nearest(const char *name)
{
    const char *names[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        names[i] = readings[i].function;
    }
    return dt_nearest(name, names, COUNT);
}
