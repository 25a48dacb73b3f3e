#include "nearest.h"

#include <string.h>

enum { LENGTH_MAX = 31 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Row i holds the distances from the first i characters of a to every beginning of b. Three rows are alive. */
size_t edit_distance(const char *a, const char *b)
{
    size_t rows[3][LENGTH_MAX + 1];
    size_t m = strlen(a), n = strlen(b);
    if (m > LENGTH_MAX || n > LENGTH_MAX) {
        return LENGTH_MAX;
    }
    for (size_t j = 0; j <= n; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= m; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            row[j] =
                smaller(smaller(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = smaller(row[j], two_above[j - 2] + 1);
            }
        }
    }
    return rows[m % 3][n];
}

int is_near(const char *name, const char *candidate)
{
    size_t length = strlen(name);
    size_t allowed = length < 3 ? 1 : (length + 2) / 3;
    size_t prefix = length >= 3 && strncmp(name, candidate, length) == 0;
    return prefix || (edit_distance(name, candidate) <= allowed && length > 1);
}
