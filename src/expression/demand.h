/**
 * @file demand.h
 * What functions made of others ask of arguments that are constants: limits in order, periods above zero, seeds that are
 * integers. Arguments that are not constant are not looked at.
 */
#ifndef DT_EXPRESSION_DEMAND_H
#define DT_EXPRESSION_DEMAND_H

#include "expression/operation.h"

/** Arguments that are looked at. */
enum { DT_DEMAND_ARGUMENTS = 3 };

/**
 * The first of the arguments that is none for the function and, in words, what it is to be; -1: there is none. `values`: a NaN stands for
 * what is no constant.
 */
int dt_demand_broken(dt_opcode code, const double values[DT_DEMAND_ARGUMENTS], const char **wanted);

#endif
