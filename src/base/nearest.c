/* The Damerau-Levenshtein distance in its restricted form (no part is edited twice), row by row:
 *
 *     d(i, j) = min( d(i-1, j) + 1,  d(i, j-1) + 1,  d(i-1, j-1) + [a_i != b_j],
 *                    d(i-2, j-2) + 1  where a_i a_{i-1} = b_{j-1} b_j )
 *
 * F. J. Damerau, "A technique for computer detection and correction of spelling errors",
 * Communications of the ACM 7 (1964). */

#include "base/nearest.h"

#include <stdint.h>
#include <string.h>

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][DT_NEAREST_LENGTH_MAX + 1];
    size_t *before = rows[0], *above = rows[1], *row = rows[2];

    for (size_t j = 0; j <= b_length; j++) {
        above[j] = j;
    }
    for (size_t i = 1; i <= a_length; i++) {
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t best = smaller(above[j], row[j - 1]) + 1;
            best = smaller(best, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                best = smaller(best, before[j - 2] + 1);
            }
            row[j] = best;
        }
        size_t *oldest = before;
        before = above;
        above = row;
        row = oldest;
    }
    return above[b_length];
}

const char *dt_nearest(const char *name, const char *const *candidates, size_t count)
{
    size_t length = strlen(name);
    if (length > DT_NEAREST_LENGTH_MAX) {
        return NULL;
    }
    const char *nearest = NULL;
    size_t bound = larger(1, length / 3) + 1; /* a nearer one than this is wanted */
    for (size_t i = 0; i < count; i++) {
        const char *candidate = candidates[i];
        size_t other = candidate ? strlen(candidate) : SIZE_MAX;
        if (other > DT_NEAREST_LENGTH_MAX ||
            larger(length, other) - smaller(length, other) >= bound) {
            continue;
        }
        size_t slips = distance(name, length, candidate, other);
        if (slips < bound && slips < larger(length, other)) {
            bound = slips;
            nearest = candidate;
        }
    }
    return nearest;
}
