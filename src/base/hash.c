/* Eight bytes at a time: state := mix(state xor word), mix the finaliser of SplitMix64 (Steele, Lea and Flood 2014), a
 * bijection in which every bit of the input reaches every bit of the output. */

#include "base/hash.h"

#include <string.h>

static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

dt_hash dt_hash_begin(void)
{
    return (dt_hash){0};
}

void dt_hash_bytes(dt_hash *hash, const void *bytes, size_t size)
{
    const unsigned char *next = bytes;
    hash->state = mix(hash->state ^ size);
    for (size_t left = size; left > 0;) {
        const size_t part = left < sizeof(uint64_t) ? left : sizeof(uint64_t);
        uint64_t word = 0;
        memcpy(&word, next, part);
        hash->state = mix(hash->state ^ word);
        next += part;
        left -= part;
    }
}

void dt_hash_numbers(dt_hash *hash, const double *numbers, size_t count)
{
    dt_hash_bytes(hash, numbers, count * sizeof *numbers);
}

void dt_hash_integer(dt_hash *hash, int64_t integer)
{
    dt_hash_bytes(hash, &integer, sizeof integer);
}

void dt_hash_text(dt_hash *hash, const char *text)
{
    dt_hash_integer(hash, text != NULL);
    dt_hash_bytes(hash, text, text ? strlen(text) : 0);
}

uint64_t dt_hash_end(const dt_hash *hash)
{
    return hash->state;
}
