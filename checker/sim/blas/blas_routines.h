/*
 * blas_routines.h: the routines of one precision. blas_routines.c includes this file once for each
 * precision. REAL is the type and TYPE its number. ROUTINE() is the function's name, NAME() that
 * name as a text, PLAIN() and STRIDED() the names of its other forms. OPENBLAS() is the function
 * that does the work. Arguments are those of cuBLAS, and unusual ones are treated as cuBLAS treats
 * them.
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
    blas_demand(&call, blas_is_operation(trans) && lda >= blas_at_least_1(m));
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
        gemv(COLUMN_MAJOR, blas_transposition(trans), m, n, a, A, lda, xs != NULL ? xs : x,
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
    blas_demand(&call, m >= 0 && n >= 0 && lda >= blas_at_least_1(m) && incx != 0 && incy != 0);
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
    struct blas_product product = {.op_a = transa,
                                   .op_b = transb,
                                   .m = m,
                                   .n = n,
                                   .k = k,
                                   .alpha = alpha,
                                   .beta = beta,
                                   .a = {A, lda, 0, TYPE},
                                   .b = {B, ldb, 0, TYPE},
                                   .c = {C, ldc, 0, TYPE},
                                   .batches = 1};
    return blas_multiply(&call, &product);
}

/* The same for `batches` matrices each, which lie strides apart */
cublasStatus_t STRIDED(gemm)(cublasHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, int m, int n, int k, const REAL *alpha,
                             const REAL *A, int lda, long long int stride_a, const REAL *B, int ldb,
                             long long int stride_b, const REAL *beta, REAL *C, int ldc,
                             long long int stride_c, int batches)
{
    struct blas_call call = blas_begin(handle, NAME(gemmStridedBatched), sizeof(REAL), CALLER);
    struct blas_product product = {.op_a = transa,
                                   .op_b = transb,
                                   .m = m,
                                   .n = n,
                                   .k = k,
                                   .alpha = alpha,
                                   .beta = beta,
                                   .a = {A, lda, stride_a, TYPE},
                                   .b = {B, ldb, stride_b, TYPE},
                                   .c = {C, ldc, stride_c, TYPE},
                                   .batches = batches};
    return blas_multiply(&call, &product);
}

/* C <- alpha op(A) + beta op(B); C is m x n, and may be A or B where that is not transposed */
cublasStatus_t PLAIN(geam)(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, const REAL *alpha, const REAL *A,
                           int lda, const REAL *beta, const REAL *B, int ldb, REAL *C, int ldc)
{
    struct blas_call call = blas_begin(handle, NAME(geam), sizeof(REAL), CALLER);
    bool plain_a = transa == CUBLAS_OP_N, plain_b = transb == CUBLAS_OP_N;
    int rows_a = plain_a ? m : n, rows_b = plain_b ? m : n;
    blas_demand(&call, blas_is_operation(transa) && blas_is_operation(transb) && m >= 0 && n >= 0);
    blas_demand(&call, lda >= blas_at_least_1(rows_a) && ldb >= blas_at_least_1(rows_b) &&
                           ldc >= blas_at_least_1(m) && (C != A || (plain_a && ldc == lda)) &&
                           (C != B || (plain_b && ldc == ldb)));
    REAL a = (REAL)blas_scalar(&call, "alpha", alpha), b = (REAL)blas_scalar(&call, "beta", beta);
    if (m <= 0 || n <= 0) return blas_end(&call, NULL);
    if (a != 0) blas_matrix(&call, "A", A, rows_a, plain_a ? n : m, lda, true, false);
    if (b != 0) blas_matrix(&call, "B", B, rows_b, plain_b ? n : m, ldb, true, false);
    blas_matrix(&call, "C", C, m, n, ldc, false, true);
    if (blas_run(&call))
        for (size_t j = 0; j < (size_t)n; j++)
            for (size_t i = 0; i < (size_t)m; i++) {
                REAL sum = 0;
                if (a != 0) sum = a * A[plain_a ? i + j * (size_t)lda : j + i * (size_t)lda];
                if (b != 0) sum += b * B[plain_b ? i + j * (size_t)ldb : j + i * (size_t)ldb];
                C[i + j * (size_t)ldc] = sum;
            }
    return blas_end(&call, &(struct blas_work){.kind = BLAS_STREAM});
}

/* y <- x */
cublasStatus_t ROUTINE(copy)(cublasHandle_t handle, int n, const REAL *x, int incx, REAL *y,
                             int incy)
{
    struct blas_call call = blas_begin(handle, NAME(copy), sizeof(REAL), CALLER);
    if (n <= 0) return blas_end(&call, NULL);
    blas_vector(&call, "x", x, n, incx, true, false);
    blas_vector(&call, "y", y, n, incy, false, true);
    void (*copy)(int, const REAL *, int, REAL *, int) = OPENBLAS(copy);
    if (blas_run(&call)) copy(n, x, incx, y, incy);
    return blas_end(&call, &(struct blas_work){.kind = BLAS_STREAM});
}

/* x and y change places. */
cublasStatus_t ROUTINE(swap)(cublasHandle_t handle, int n, REAL *x, int incx, REAL *y, int incy)
{
    struct blas_call call = blas_begin(handle, NAME(swap), sizeof(REAL), CALLER);
    if (n <= 0) return blas_end(&call, NULL);
    blas_vector(&call, "x", x, n, incx, true, true);
    blas_vector(&call, "y", y, n, incy, true, true);
    void (*swap)(int, REAL *, int, REAL *, int) = OPENBLAS(swap);
    if (blas_run(&call)) swap(n, x, incx, y, incy);
    return blas_end(&call, &(struct blas_work){.kind = BLAS_STREAM});
}

/* (x, y) <- (c x + s y, c y - s x) */
cublasStatus_t ROUTINE(rot)(cublasHandle_t handle, int n, REAL *x, int incx, REAL *y, int incy,
                            const REAL *c, const REAL *s)
{
    struct blas_call call = blas_begin(handle, NAME(rot), sizeof(REAL), CALLER);
    REAL cosine = (REAL)blas_scalar(&call, "c", c), sine = (REAL)blas_scalar(&call, "s", s);
    if (n <= 0) return blas_end(&call, NULL);
    blas_vector(&call, "x", x, n, incx, true, true);
    blas_vector(&call, "y", y, n, incy, true, true);
    void (*rot)(int, REAL *, int, REAL *, int, REAL, REAL) = OPENBLAS(rot);
    if (blas_run(&call)) rot(n, x, incx, y, incy, cosine, sine);
    return blas_end(&call, &(struct blas_work){.kind = BLAS_STREAM});
}

/* result <- |x1| + |x2| + ... */
cublasStatus_t ROUTINE(asum)(cublasHandle_t handle, int n, const REAL *x, int incx, REAL *result)
{
    struct blas_call call = blas_begin(handle, NAME(asum), sizeof(REAL), CALLER);
    bool some = n > 0 && incx > 0;
    REAL sum = 0;
    blas_demand(&call, result != NULL);
    if (some) blas_vector(&call, "x", x, n, incx, true, false);
    REAL (*asum)(int, const REAL *, int) = OPENBLAS(asum);
    if (blas_run(&call) && some) sum = asum(n, x, incx);
    blas_result(&call, result, sum);
    return blas_end(&call, &(struct blas_work){.kind = BLAS_STREAM});
}
