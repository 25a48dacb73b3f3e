/**
 * @file lapack.h
 * The LAPACK routines in use; Fortran's calling convention, 32-bit integers.
 */
#ifndef DT_MATH_LAPACK_H
#define DT_MATH_LAPACK_H

#include <stdbool.h>
#include <stddef.h>

void dgbtrf_(const int *m, const int *n, const int *kl, const int *ku, double *ab, const int *ldab,
             int *ipiv, int *info);
void dgbtrs_(const char *trans, const int *n, const int *kl, const int *ku, const int *nrhs,
             const double *ab, const int *ldab, const int *ipiv, double *b, const int *ldb,
             int *info);
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
/** QR with column pivoting: a(:, jpvt) = Q R; jpvt 0: the column is free. lwork: 3 n + 1 or more. */
void dgeqp3_(const int *m, const int *n, double *a, const int *lda, int *jpvt, double *tau,
             double *work, const int *lwork, int *info);
/** Eigenvalues wr + i wi of a general matrix, and (jobvr "V") right eigenvectors; pairs are next to each other. */
void dgeev_(const char *jobvl, const char *jobvr, const int *n, double *a, const int *lda,
            double *wr, double *wi, double *vl, const int *ldvl, double *vr, const int *ldvr,
            double *work, const int *lwork, int *info);
void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *lda,
             const int *ipiv, double *b, const int *ldb, int *info);
/** a x = b of a positive definite matrix, of which uplo tells the triangle that is given. */
void dposv_(const char *uplo, const int *n, const int *nrhs, double *a, const int *lda, double *b,
            const int *ldb, int *info);

/**
 * X := A^-1 X for a matrix of order n that dgetrf_() has factored; X: n x columns, column-major. A column a call where there is little to do: OpenBLAS
 * hands two columns or more to its threads, however short they are, and waiting for these takes a hundred times as long as the solution; on a busy
 * machine ten thousand times.
 */
static inline void dt_lu_solve(const double *lu, const int *pivots, int n, double *x, int columns)
{
    static const int worth_threads = 1 << 15; /* numbers */
    const bool whole = n > 0 && columns > worth_threads / n;
    const int together = whole ? columns : 1;
    int info;
    for (int k = 0; k < columns; k += together) {
        dgetrs_("N", &n, &together, lu, &n, pivots, x + (size_t)k * (size_t)n, &n, &info);
    }
}

/** The sign of the determinant of a matrix that dgetrf_() has factored. */
static inline int dt_lu_sign(const double *lu, const int *pivots, int order)
{
    int sign = 1;
    for (int k = 0; k < order; k++) {
        const double pivot = lu[(size_t)k * (size_t)order + (size_t)k];
        sign = (pivot < 0) != (pivots[k] != k + 1) ? -sign : sign;
    }
    return sign;
}

#endif
