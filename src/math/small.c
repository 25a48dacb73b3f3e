#include "math/small.h"

static double row_norm_product(int n, const double *a)
{
    double product = 1;
    for (int r = 0; r < n; r++) {
        double sum = 0;
        for (int c = 0; c < n; c++) {
            sum += a[n * r + c] * a[n * r + c];
        }
        product *= sqrt(sum);
    }
    return product;
}

static double adjugate(int n, const double *a, double *out)
{
    if (n == 1) {
        out[0] = 1;
        return a[0];
    }
    if (n == 2) {
        out[0] = a[3], out[1] = -a[1], out[2] = -a[2], out[3] = a[0];
        return a[0] * a[3] - a[1] * a[2];
    }
    double columns[9];
    dt_cross3(columns, a + 3, a + 6);
    dt_cross3(columns + 3, a + 6, a);
    dt_cross3(columns + 6, a, a + 3);
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            out[3 * r + c] = columns[3 * c + r];
        }
    }
    return dt_dot3(a, columns);
}

bool dt_small_inverse(int n, const double *a, double relative, double *out)
{
    double determinant = adjugate(n, a, out), bound = relative * row_norm_product(n, a);
    if (!isfinite(determinant) || fabs(determinant) <= bound) {
        return false;
    }
    for (int k = 0; k < n * n; k++) {
        out[k] /= determinant;
    }
    return true;
}
