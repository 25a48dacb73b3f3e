/**
 * @file dimension.h
 * Arithmetic of dimensions. An unknown dimension, that of a plain number, fits any other.
 */
#ifndef DT_EXPRESSION_DIMENSION_H
#define DT_EXPRESSION_DIMENSION_H

#include "expression/units.h"

/** That of a sum: the known one of the two. False if they are known and differ. */
bool dt_dimension_merge(const dt_dimension *a, const dt_dimension *b, dt_dimension *merged);

/** That of a product, or (`sign` -1) of a quotient; unknown if one of them is. */
dt_dimension dt_dimension_product(const dt_dimension *a, const dt_dimension *b, int sign);

/** That of a power; unknown if an exponent would not be an integer. */
dt_dimension dt_dimension_power(const dt_dimension *base, double exponent);

/** Known to be a number without unit. */
bool dt_dimension_is_none(const dt_dimension *dimension);

#endif
