#include "expression/dimension.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BASES = 7 };

/*                                                                        m  kg   s */
const dt_dimension dt_dimension_unknown = {.known = false};
const dt_dimension dt_dimension_none = {.known = true};
const dt_dimension dt_dimension_number = {.known = true, .no_angle = true};
const dt_dimension dt_dimension_span = {.known = true, .exponent = {1}, .no_angle = true};
const dt_dimension dt_dimension_length = {.known = true, .exponent = {1}};
const dt_dimension dt_dimension_mass = {.known = true, .exponent = {0, 1}};
const dt_dimension dt_dimension_density = {.known = true, .exponent = {-3, 1}};
const dt_dimension dt_dimension_time = {.known = true, .exponent = {0, 0, 1}};
const dt_dimension dt_dimension_velocity = {.known = true, .exponent = {1, 0, -1}};
const dt_dimension dt_dimension_acceleration = {.known = true, .exponent = {1, 0, -2}};
const dt_dimension dt_dimension_angular_velocity = {.known = true, .exponent = {0, 0, -1}};
const dt_dimension dt_dimension_angular_acceleration = {.known = true, .exponent = {0, 0, -2}};
const dt_dimension dt_dimension_force = {.known = true, .exponent = {1, 1, -2}};
const dt_dimension dt_dimension_torque = {.known = true, .exponent = {2, 1, -2}};
const dt_dimension dt_dimension_inertia = {.known = true, .exponent = {2, 1, 0}};
const dt_dimension dt_dimension_stiffness = {.known = true, .exponent = {0, 1, -2}};
const dt_dimension dt_dimension_rotational_stiffness = {.known = true, .exponent = {2, 1, -2}};
const dt_dimension dt_dimension_damping = {.known = true, .exponent = {0, 1, -1}};
const dt_dimension dt_dimension_rotational_damping = {.known = true, .exponent = {2, 1, -1}};

bool dt_dimension_is_none(const dt_dimension *dimension)
{
    return dimension->known && memcmp(dimension->exponent, dt_dimension_none.exponent, BASES) == 0;
}

bool dt_dimension_agrees(const dt_dimension *a, const dt_dimension *b)
{
    return !a->known || !b->known || memcmp(a->exponent, b->exponent, BASES) == 0;
}

bool dt_dimension_fits(const dt_dimension *expected, const dt_dimension *found)
{
    return dt_dimension_agrees(expected, found) && !(expected->no_angle && found->angle != 0);
}

bool dt_dimension_merge(const dt_dimension *a, const dt_dimension *b, dt_dimension *merged)
{
    bool agrees = dt_dimension_agrees(a, b);
    *merged = a->known ? *a : *b;
    return agrees;
}

/* Exponents as wide numbers, or unknown where one is no small integer. */
static dt_dimension from_exponents(const double exponents[BASES])
{
    dt_dimension result = {.known = true};
    for (int i = 0; i < BASES; i++) {
        if (exponents[i] != floor(exponents[i]) || fabs(exponents[i]) > SCHAR_MAX) {
            return dt_dimension_unknown;
        }
        result.exponent[i] = (signed char)exponents[i];
    }
    return result;
}

dt_dimension dt_dimension_product(const dt_dimension *a, const dt_dimension *b, int sign)
{
    double exponents[BASES];
    for (int i = 0; i < BASES; i++) {
        exponents[i] = a->exponent[i] + sign * b->exponent[i];
    }
    return a->known && b->known ? from_exponents(exponents) : dt_dimension_unknown;
}

dt_dimension dt_dimension_power(const dt_dimension *base, double exponent)
{
    double exponents[BASES];
    for (int i = 0; i < BASES; i++) {
        /* A third is none in binary: cbrt comes as 1/3. */
        double wanted = base->exponent[i] * exponent;
        double whole = floor(wanted + 0.5);
        exponents[i] = fabs(wanted - whole) < 1e-12 ? whole : wanted;
    }
    return base->known ? from_exponents(exponents) : dt_dimension_unknown;
}

/* The units that people use rather than their base units. */
static const struct {
    const dt_dimension *dimension;
    const char *name;
} named[] = {
    {&dt_dimension_none, "1"},
    {&dt_dimension_velocity, "m/s"},
    {&dt_dimension_acceleration, "m/s^2"},
    {&dt_dimension_angular_velocity, "1/s"},
    {&dt_dimension_angular_acceleration, "1/s^2"},
    {&dt_dimension_force, "N"},
    {&dt_dimension_torque, "N m"},
    {&dt_dimension_inertia, "kg m2"},
    {&dt_dimension_stiffness, "N/m"},
    {&dt_dimension_damping, "N s/m"},
    {&dt_dimension_rotational_damping, "N m s"},
};

void dt_dimension_print(const dt_dimension *dimension, char *text, size_t size)
{
    static const char *const symbols[BASES] = {"m", "kg", "s", "A", "K", "mol", "cd"};
    if (size == 0) {
        return;
    }
    text[0] = '\0';
    if (!dimension->known) {
        return;
    }
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
        if (dt_dimension_agrees(named[i].dimension, dimension)) {
            snprintf(text, size, "%s", named[i].name);
            return;
        }
    }
    size_t length = 0;
    for (int i = 0; i < BASES && length < size; i++) {
        int exponent = (int)dimension->exponent[i];
        const char *gap = length ? " " : "";
        if (exponent == 1) {
            length += (size_t)snprintf(text + length, size - length, "%s%s", gap, symbols[i]);
        } else if (exponent != 0) {
            length +=
                (size_t)snprintf(text + length, size - length, "%s%s%d", gap, symbols[i], exponent);
        }
    }
}
