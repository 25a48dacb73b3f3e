/**
 * @file fingerprint.h
 * Telling programs apart.
 */
#ifndef DT_EXPRESSION_FINGERPRINT_H
#define DT_EXPRESSION_FINGERPRINT_H

#include "base/hash.h"
#include "expression/program.h"

/** Adds what a program (NULL: none) computes to a hash. Of a law in C only that there is one. */
void dt_program_fingerprint(const dt_program *program, dt_hash *hash);

#endif
