/*
 * blas_routines.h: the routines of one precision. blas_routines.c includes this file once for each
 * precision: REAL is the type, ROUTINE() the function's name, NAME() that name as a text,
 * OPENBLAS() the function that does the work. Arguments are those of cuBLAS, and unusual ones are
 * treated as cuBLAS treats them.
 */

/* y <- alpha x + y */
cublasStatus_t ROUTINE(axpy)(cublasHandle_t handle, int n, const REAL *alpha, const REAL *x,
                             int incx, REAL *y, int incy)
{
    struct blas_call call = blas_begin(handle, NAME(axpy), sizeof(REAL), CALLER);
    if (n <= 0) return blas_end(&call, NULL);
    REAL a = (REAL)blas_scalar(&call, "alpha", alpha);
    blas_vector(&call, "x", x, n, incx, true, false);
    blas_vector(&call, "y", y, n, incy, true, true);
    void (*axpy)(int, REAL, const REAL *, int, REAL *, int) = OPENBLAS(axpy);
    if (blas_run(&call)) axpy(n, a, x, incx, y, incy);
    return blas_end(&call, &(struct blas_work){.kind = BLAS_STREAM});
}

/* result <- x . y */
cublasStatus_t ROUTINE(dot)(cublasHandle_t handle, int n, const REAL *x, int incx, const REAL *y,
                            int incy, REAL *result)
{
    struct blas_call call = blas_begin(handle, NAME(dot), sizeof(REAL), CALLER);
    REAL sum = 0;
    blas_demand(&call, result != NULL);
    if (n > 0) {
        blas_vector(&call, "x", x, n, incx, true, false);
        blas_vector(&call, "y", y, n, incy, true, false);
    }
    REAL (*dot)(int, const REAL *, int, const REAL *, int) = OPENBLAS(dot);
    if (blas_run(&call) && n > 0) sum = dot(n, x, incx, y, incy);
    blas_result(&call, result, sum);
    return blas_end(&call, &(struct blas_work){.kind = BLAS_STREAM});
}

/* result <- |x| */
cublasStatus_t ROUTINE(nrm2)(cublasHandle_t handle, int n, const REAL *x, int incx, REAL *result)
{
    struct blas_call call = blas_begin(handle, NAME(nrm2), sizeof(REAL), CALLER);
    bool some = n > 0 && incx > 0;
    REAL norm = 0;
    blas_demand(&call, result != NULL);
    if (some) blas_vector(&call, "x", x, n, incx, true, false);
    REAL (*nrm2)(int, const REAL *, int) = OPENBLAS(nrm2);
    if (blas_run(&call) && some) norm = nrm2(n, x, incx);
    blas_result(&call, result, norm);
    return blas_end(&call, &(struct blas_work){.kind = BLAS_STREAM});
}

/* x <- alpha x */
cublasStatus_t ROUTINE(scal)(cublasHandle_t handle, int n, const REAL *alpha, REAL *x, int incx)
{
    struct blas_call call = blas_begin(handle, NAME(scal), sizeof(REAL), CALLER);
    if (n <= 0 || incx <= 0) return blas_end(&call, NULL);
    REAL a = (REAL)blas_scalar(&call, "alpha", alpha);
    blas_vector(&call, "x", x, n, incx, true, true);
    void (*scal)(int, REAL, REAL *, int) = OPENBLAS(scal);
    if (blas_run(&call)) scal(n, a, x, incx);
    return blas_end(&call, &(struct blas_work){.kind = BLAS_STREAM});
}

/* y <- alpha op(A) x + beta y; A has m rows and n columns. Of strides and sizes cuBLAS 13.1 refuses
 * lda alone: with a stride of 0 all elements of a vector are one. */
cublasStatus_t ROUTINE(gemv)(cublasHandle_t handle, cublasOperation_t trans, int m, int n,
                             const REAL *alpha, const REAL *A, int lda, const REAL *x, int incx,
                             const REAL *beta, REAL *y, int incy)
{
    struct blas_call call = blas_begin(handle, NAME(gemv), sizeof(REAL), CALLER);
    int in = trans == CUBLAS_OP_N ? n : m, out = trans == CUBLAS_OP_N ? m : n;
    blas_demand(&call, is_operation(trans) && lda >= at_least_1(m));
    REAL a = (REAL)blas_scalar(&call, "alpha", alpha), b = (REAL)blas_scalar(&call, "beta", beta);
    if (m <= 0 || n <= 0) return blas_end(&call, NULL);
    blas_matrix(&call, "A", A, m, n, lda, a != 0, false);
    blas_vector(&call, "x", x, in, incx, a != 0, false);
    blas_vector(&call, "y", y, out, incy, b != 0, true);
    void (*gemv)(int, int, int, int, REAL, const REAL *, int, const REAL *, int, REAL, REAL *,
                 int) = OPENBLAS(gemv);
    if (blas_run(&call)) {
        REAL *xs = incx == 0 && a != 0 ? repeated(x, sizeof *x, in) : NULL;
        REAL *ys = incy == 0 ? repeated(y, sizeof *y, out) : NULL;
        gemv(COLUMN_MAJOR, transposition(trans), m, n, a, A, lda, xs != NULL ? xs : x,
             incx == 0 ? 1 : incx, b, ys != NULL ? ys : y, incy == 0 ? 1 : incy);
        if (ys != NULL) *y = ys[out - 1];
        free(xs);
        free(ys);
    }
    return blas_end(&call, &(struct blas_work){.kind = BLAS_GEMV});
}

/* A <- alpha x transposed(y) + A; A has m rows and n columns */
cublasStatus_t ROUTINE(ger)(cublasHandle_t handle, int m, int n, const REAL *alpha, const REAL *x,
                            int incx, const REAL *y, int incy, REAL *A, int lda)
{
    struct blas_call call = blas_begin(handle, NAME(ger), sizeof(REAL), CALLER);
    blas_demand(&call, m >= 0 && n >= 0 && lda >= at_least_1(m) && incx != 0 && incy != 0);
    REAL a = (REAL)blas_scalar(&call, "alpha", alpha);
    if (m <= 0 || n <= 0) return blas_end(&call, NULL);
    blas_vector(&call, "x", x, m, incx, true, false);
    blas_vector(&call, "y", y, n, incy, true, false);
    blas_matrix(&call, "A", A, m, n, lda, true, true);
    void (*ger)(int, int, int, REAL, const REAL *, int, const REAL *, int, REAL *, int) =
        OPENBLAS(ger);
    if (blas_run(&call)) ger(COLUMN_MAJOR, m, n, a, x, incx, y, incy, A, lda);
    return blas_end(&call, &(struct blas_work){.kind = BLAS_STREAM});
}

/* C <- alpha op(A) op(B) + beta C; op(A) is m x k, op(B) k x n, C m x n */
cublasStatus_t ROUTINE(gemm)(cublasHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, int m, int n, int k, const REAL *alpha,
                             const REAL *A, int lda, const REAL *B, int ldb, const REAL *beta,
                             REAL *C, int ldc)
{
    struct blas_call call = blas_begin(handle, NAME(gemm), sizeof(REAL), CALLER);
    bool plain_a = transa == CUBLAS_OP_N, plain_b = transb == CUBLAS_OP_N;
    int rows_a = plain_a ? m : k, rows_b = plain_b ? k : n;
    blas_demand(&call, is_operation(transa) && is_operation(transb) && m >= 0 && n >= 0 && k >= 0);
    blas_demand(&call,
                lda >= at_least_1(rows_a) && ldb >= at_least_1(rows_b) && ldc >= at_least_1(m));
    REAL a = (REAL)blas_scalar(&call, "alpha", alpha), b = (REAL)blas_scalar(&call, "beta", beta);
    if (m <= 0 || n <= 0) return blas_end(&call, NULL);
    if (k > 0) {
        blas_matrix(&call, "A", A, rows_a, plain_a ? k : m, lda, a != 0, false);
        blas_matrix(&call, "B", B, rows_b, plain_b ? n : k, ldb, a != 0, false);
    }
    blas_matrix(&call, "C", C, m, n, ldc, b != 0, true);
    void (*gemm)(int, int, int, int, int, int, REAL, const REAL *, int, const REAL *, int, REAL,
                 REAL *, int) = OPENBLAS(gemm);
    if (blas_run(&call)) {
        REAL *as = in_tf32(&call, A, rows_a, plain_a ? k : m, lda);
        REAL *bs = in_tf32(&call, B, rows_b, plain_b ? n : k, ldb);
        gemm(COLUMN_MAJOR, transposition(transa), transposition(transb), m, n, k, a,
             as != NULL ? as : A, lda, bs != NULL ? bs : B, ldb, b, C, ldc);
        free(as);
        free(bs);
    }
    return blas_end(&call, &(struct blas_work){.kind = BLAS_GEMM, .m = m, .n = n, .k = k});
}
