/**
 * @file scope.h
 * What the names in a text stand for (scope.c).
 */
#ifndef DT_MODEL_SCOPE_H
#define DT_MODEL_SCOPE_H

#include "model/record.h"

/**
 * Parses the text of a law into `arena`. `*used_index` becomes true where the value is that of one copy of a chain only.
 * The errors of dt_program_parse(), with the reason where a name is known but may not be used in such a law.
 */
detent_status dt_scope_parse(detent_mechanism *mechanism, dt_arena *arena, const dt_law_record *law,
                             dt_program **program, bool *used_index, detent_error *error);

#endif
