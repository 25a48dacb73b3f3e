/**
 * @file hash.h
 * A hash of 64 bits, fed piece by piece: to tell definitions apart and find damage, not against malice. Every piece
 * goes in with its length, so that pieces cannot run into each other.
 */
#ifndef DT_BASE_HASH_H
#define DT_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct dt_hash {
    uint64_t state;
} dt_hash;

dt_hash dt_hash_begin(void);
/** `bytes` may be NULL where `size` is 0. */
void dt_hash_bytes(dt_hash *hash, const void *bytes, size_t size);
void dt_hash_numbers(dt_hash *hash, const double *numbers, size_t count);
void dt_hash_integer(dt_hash *hash, int64_t integer);
/** NULL is told from an empty text. */
void dt_hash_text(dt_hash *hash, const char *text);
uint64_t dt_hash_end(const dt_hash *hash);

#endif
