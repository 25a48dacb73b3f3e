#include "math/band.h"

#include "math/lapack.h"

#include <math.h>
#include <string.h>

bool dt_band_create(dt_arena *arena, int n, int width, dt_band *band)
{
    band->n = n;
    band->width = width < n ? width : n - 1;
    if (band->width < 0) {
        band->width = 0;
    }
    band->stride = 3 * band->width + 1;
    band->data = dt_arena_alloc(arena, (size_t)n * (size_t)band->stride, sizeof *band->data);
    band->pivots = dt_arena_alloc(arena, (size_t)n, sizeof *band->pivots);
    return band->data && band->pivots;
}

double *dt_band_entry(dt_band *band, int r, int c)
{
    return &band->data[(size_t)c * (size_t)band->stride + (size_t)(2 * band->width + r - c)];
}

void dt_band_identity(dt_band *band)
{
    memset(band->data, 0, (size_t)band->n * (size_t)band->stride * sizeof *band->data);
    for (int k = 0; k < band->n; k++) {
        *dt_band_entry(band, k, k) = 1;
    }
}

bool dt_band_factor(dt_band *band)
{
    int info = 0;
    double sum = 0;
    for (size_t k = 0; k < (size_t)band->n * (size_t)band->stride; k++) {
        sum += 0 * band->data[k];
    }
    if (sum != 0) {
        return false;
    }
    dgbtrf_(&band->n, &band->n, &band->width, &band->width, band->data, &band->stride, band->pivots,
            &info);
    return info == 0;
}

int dt_band_sign(const dt_band *band)
{
    int sign = 1;
    for (int k = 0; k < band->n; k++) {
        const double pivot = band->data[(size_t)k * (size_t)band->stride + 2 * (size_t)band->width];
        sign = (pivot < 0) != (band->pivots[k] != k + 1) ? -sign : sign;
    }
    return sign;
}

void dt_band_solve(const dt_band *band, double *x)
{
    int info = 0, one = 1;
    dgbtrs_("N", &band->n, &band->width, &band->width, &one, band->data, &band->stride,
            band->pivots, x, &band->n, &info);
}
