/**
 * @file describe.h
 * What several reports say in JSON in the same words.
 */
#ifndef CLI_DESCRIBE_H
#define CLI_DESCRIBE_H

#include "detent/detent.h"
#include "json.h"

void json_settings(json_writer *, const char *key, const detent_settings *);
/** A value that zero stands for the lack of: null then. */
void json_given(json_writer *, const char *key, double value);
/** "ida", "erk" or "auto". */
const char *integrator_name(const detent_settings *);
/** Whether its integrator makes steps of a length that is given. */
bool has_fixed_step(const detent_settings *);
/** "tree" or "dense". */
const char *linear_solver_name(const detent_settings *);
/** "weld" or "constrain". */
const char *locked_joints_name(const detent_settings *);
/** Kind, message and place of an error. */
void json_error(json_writer *, const char *key, const detent_error *);

#endif
