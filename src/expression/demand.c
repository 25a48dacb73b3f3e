#include "expression/demand.h"

#include <math.h>

typedef enum demand { ANYTHING, ABOVE_ZERO, NOT_BELOW_LAST, UNLIKE_LAST, INTEGER } demand;

static const char *const words[] = {
    [ABOVE_ZERO] = "above zero",
    [NOT_BELOW_LAST] = "at least the one before it",
    [UNLIKE_LAST] = "another one than the one before it",
    [INTEGER] = "an integer",
};

/* One row a function, one entry an argument. */
static const demand demands[DT_OPCODES][DT_DEMAND_ARGUMENTS] = {
    [DT_OP_CLAMP] = {ANYTHING, ANYTHING, NOT_BELOW_LAST},
    [DT_OP_SATURATE] = {ANYTHING, ANYTHING, NOT_BELOW_LAST},
    [DT_OP_DEADBAND] = {ANYTHING, ANYTHING, NOT_BELOW_LAST},
    [DT_OP_RAMP] = {ANYTHING, ANYTHING, UNLIKE_LAST},
    [DT_OP_PULSE] = {ANYTHING, ABOVE_ZERO, ANYTHING},
    [DT_OP_NOISE] = {ANYTHING, ABOVE_ZERO, INTEGER},
};

/* `last`: of the argument before it, a NaN where it is no constant. */
static bool is_met(demand what, double value, double last)
{
    switch (what) {
    case ABOVE_ZERO:
        return value > 0;
    case NOT_BELOW_LAST:
        return !(value < last);
    case UNLIKE_LAST:
        return value != last;
    case INTEGER:
        return value == floor(value);
    default:
        return true;
    }
}

int dt_demand_broken(dt_opcode code, const double values[DT_DEMAND_ARGUMENTS], const char **wanted)
{
    double last = NAN;
    for (int k = 0; k < DT_DEMAND_ARGUMENTS; k++) {
        const demand what = demands[code][k];
        if (!isnan(values[k]) && !is_met(what, values[k], last)) {
            *wanted = words[what];
            return k;
        }
        last = values[k];
    }
    return -1;
}
