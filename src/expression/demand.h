/**
 * @file demand.h
 * What functions made of others ask of arguments that are constants: limits in order, periods above zero, seeds that are
 * integers. Arguments that are not constant are not looked at.
 */
#ifndef DT_EXPRESSION_DEMAND_H
#define DT_EXPRESSION_DEMAND_H

#include "expression/graph.h"

/** The first of the arguments that is none for the function and, in words, what it is to be; -1: there is none. */
int dt_demand_broken(const dt_graph *graph, dt_opcode code, const int *arguments,
                     const char **wanted);

#endif
