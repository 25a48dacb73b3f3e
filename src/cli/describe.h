/**
 * @file describe.h
 * What several reports say in JSON in the same words.
 */
#ifndef CLI_DESCRIBE_H
#define CLI_DESCRIBE_H

#include "detent/detent.h"
#include "json.h"

void json_settings(json_writer *, const char *key, const detent_settings *);
/** "ida", "erk" or "auto". */
const char *integrator_name(const detent_settings *);
/** Kind, message and place of an error. */
void json_error(json_writer *, const char *key, const detent_error *);

#endif
