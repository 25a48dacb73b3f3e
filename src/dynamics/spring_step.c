#include "dynamics/spring_step.h"

#include <math.h>

/* b after r. */
static double rest_of(double b, double r, double exponent)
{
    const double more = exponent - 1;
    return b <= 0          ? b
           : exponent == 0 ? fmax(0, b - r)
           : exponent == 1 ? b * exp(-r)
                           : b * pow(1 + more * r * pow(b, more), -1 / more);
}

double dt_spring_after(double z, double x, double most, double exponent, double *slope)
{
    const double sign = x < 0 ? -1 : 1, r = fabs(x) / most, b = 1 - sign * z / most,
                 rest = rest_of(b, r, exponent);
    *slope = rest <= 0 ? 0 : exponent == 0 ? 1 : pow(rest, exponent);
    return x == 0 || b <= 0 ? z : sign * most * (1 - rest);
}

double dt_spring_relaxed(double z, double x, double most, double exponent)
{
    const double beyond = fabs(z) - most;
    return exponent != 1 || beyond <= 0 || z * x <= 0
               ? z
               : copysign(most + beyond * exp(-fabs(x) / most), z);
}
