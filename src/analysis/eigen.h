/**
 * @file eigen.h
 * Eigenvalues and eigenvectors of a real matrix that is not symmetric (LAPACK: dgeev), as modes of vibration.
 */
#ifndef DT_ANALYSIS_EIGEN_H
#define DT_ANALYSIS_EIGEN_H

#include "base/arena.h"
#include "detent/analysis.h"

/**
 * `A`: n x n, row-major, unchanged. `size`: n, > 0: what each component is measured by; `leading`: how many from the front may
 * be the largest component, to which a vector is scaled (n >= leading > 0). Out: `mode` (n) by growing |eigenvalue|, of a
 * pair that with the positive imaginary part first; `shape`: n rows of n complex numbers, (real, imaginary): one vector a
 * row, the largest of its leading components being 1. Work space is taken from `arena`. DETENT_ERROR_MEMORY,
 * DETENT_ERROR_NUMERIC where they do not converge.
 */
detent_status dt_eigen(dt_arena *arena, int n, const double *A, const double *size, int leading,
                       detent_eigenvalue *mode, double (*shape)[2], detent_error *error);

#endif
