/*
 * routines.h: the routines of one precision. routines.c includes this file once for each
 * precision. REAL is the type and TYPE its number. SERVE() is the function that serves the call,
 * NAME() the call's name as a text, OPENBLAS() the function that does the work. Arguments are those
 * of cuBLAS, in its order: INT(), LONG(), OPERAND() for memory of the GPU, RAW() for the address of
 * a number that may be on either side. Unusual ones are treated as cuBLAS treats them.
 */

/* y <- alpha x + y */
cudaError_t SERVE(axpy)(struct call *request)
{
    struct blas_call call = blas_begin(request, NAME(axpy), sizeof(REAL));
    int n = INT(1), incx = INT(4), incy = INT(6);
    uint64_t alpha = RAW(2);
    const REAL *x = OPERAND(3);
    REAL *y = OPERAND(5);
    if (n <= 0) return blas_end(&call, NULL);
    REAL a = (REAL)blas_scalar(&call, "alpha", alpha);
    blas_vector(&call, "x", x, n, incx, true, false);
    blas_vector(&call, "y", y, n, incy, true, true);
    void (*axpy)(int, REAL, const REAL *, int, REAL *, int) = OPENBLAS(axpy);
    if (blas_run(&call)) axpy(n, a, x, incx, y, incy);
    return blas_end(&call, &(struct blas_work){.kind = BLAS_STREAM});
}

/* result <- x . y */
cudaError_t SERVE(dot)(struct call *request)
{
    struct blas_call call = blas_begin(request, NAME(dot), sizeof(REAL));
    int n = INT(1), incx = INT(3), incy = INT(5);
    uint64_t result = RAW(6);
    const REAL *x = OPERAND(2), *y = OPERAND(4);
    REAL sum = 0;
    blas_demand(&call, result != 0);
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
cudaError_t SERVE(nrm2)(struct call *request)
{
    struct blas_call call = blas_begin(request, NAME(nrm2), sizeof(REAL));
    int n = INT(1), incx = INT(3);
    uint64_t result = RAW(4);
    const REAL *x = OPERAND(2);
    bool some = n > 0 && incx > 0;
    REAL norm = 0;
    blas_demand(&call, result != 0);
    if (some) blas_vector(&call, "x", x, n, incx, true, false);
    REAL (*nrm2)(int, const REAL *, int) = OPENBLAS(nrm2);
    if (blas_run(&call) && some) norm = nrm2(n, x, incx);
    blas_result(&call, result, norm);
    return blas_end(&call, &(struct blas_work){.kind = BLAS_STREAM});
}

/* x <- alpha x */
cudaError_t SERVE(scal)(struct call *request)
{
    struct blas_call call = blas_begin(request, NAME(scal), sizeof(REAL));
    int n = INT(1), incx = INT(4);
    uint64_t alpha = RAW(2);
    REAL *x = OPERAND(3);
    if (n <= 0 || incx <= 0) return blas_end(&call, NULL);
    REAL a = (REAL)blas_scalar(&call, "alpha", alpha);
    blas_vector(&call, "x", x, n, incx, true, true);
    void (*scal)(int, REAL, REAL *, int) = OPENBLAS(scal);
    if (blas_run(&call)) scal(n, a, x, incx);
    return blas_end(&call, &(struct blas_work){.kind = BLAS_STREAM});
}

/* y <- alpha op(A) x + beta y; A has m rows and n columns. Of strides and sizes cuBLAS 13.1 refuses
 * lda alone: with a stride of 0 all elements of a vector are one. */
cudaError_t SERVE(gemv)(struct call *request)
{
    struct blas_call call = blas_begin(request, NAME(gemv), sizeof(REAL));
    cublasOperation_t trans = (cublasOperation_t)INT(1);
    int m = INT(2), n = INT(3), lda = INT(6), incx = INT(8), incy = INT(11);
    uint64_t alpha = RAW(4), beta = RAW(9);
    const REAL *A = OPERAND(5), *x = OPERAND(7);
    REAL *y = OPERAND(10);
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
cudaError_t SERVE(ger)(struct call *request)
{
    struct blas_call call = blas_begin(request, NAME(ger), sizeof(REAL));
    int m = INT(1), n = INT(2), incx = INT(5), incy = INT(7), lda = INT(9);
    uint64_t alpha = RAW(3);
    const REAL *x = OPERAND(4), *y = OPERAND(6);
    REAL *A = OPERAND(8);
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
cudaError_t SERVE(gemm)(struct call *request)
{
    struct blas_call call = blas_begin(request, NAME(gemm), sizeof(REAL));
    cublasOperation_t transa = (cublasOperation_t)INT(1), transb = (cublasOperation_t)INT(2);
    int m = INT(3), n = INT(4), k = INT(5), lda = INT(8), ldb = INT(10), ldc = INT(13);
    uint64_t alpha = RAW(6), beta = RAW(11);
    const REAL *A = OPERAND(7), *B = OPERAND(9);
    REAL *C = OPERAND(12);
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

/* gemm for `batches` matrices each, which are strides apart */
cudaError_t SERVE(gemmStridedBatched)(struct call *request)
{
    struct blas_call call = blas_begin(request, NAME(gemmStridedBatched), sizeof(REAL));
    cublasOperation_t transa = (cublasOperation_t)INT(1), transb = (cublasOperation_t)INT(2);
    int m = INT(3), n = INT(4), k = INT(5), lda = INT(8), ldb = INT(11), ldc = INT(15),
        batches = INT(17);
    long long stride_a = LONG(9), stride_b = LONG(12), stride_c = LONG(16);
    uint64_t alpha = RAW(6), beta = RAW(13);
    const REAL *A = OPERAND(7), *B = OPERAND(10);
    REAL *C = OPERAND(14);
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
cudaError_t SERVE(geam)(struct call *request)
{
    struct blas_call call = blas_begin(request, NAME(geam), sizeof(REAL));
    cublasOperation_t transa = (cublasOperation_t)INT(1), transb = (cublasOperation_t)INT(2);
    int m = INT(3), n = INT(4), lda = INT(7), ldb = INT(10), ldc = INT(12);
    uint64_t alpha = RAW(5), beta = RAW(8);
    const REAL *A = OPERAND(6), *B = OPERAND(9);
    REAL *C = OPERAND(11);
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
cudaError_t SERVE(copy)(struct call *request)
{
    struct blas_call call = blas_begin(request, NAME(copy), sizeof(REAL));
    int n = INT(1), incx = INT(3), incy = INT(5);
    const REAL *x = OPERAND(2);
    REAL *y = OPERAND(4);
    if (n <= 0) return blas_end(&call, NULL);
    blas_vector(&call, "x", x, n, incx, true, false);
    blas_vector(&call, "y", y, n, incy, false, true);
    void (*copy)(int, const REAL *, int, REAL *, int) = OPENBLAS(copy);
    if (blas_run(&call)) copy(n, x, incx, y, incy);
    return blas_end(&call, &(struct blas_work){.kind = BLAS_STREAM});
}

/* x and y change places. */
cudaError_t SERVE(swap)(struct call *request)
{
    struct blas_call call = blas_begin(request, NAME(swap), sizeof(REAL));
    int n = INT(1), incx = INT(3), incy = INT(5);
    REAL *x = OPERAND(2), *y = OPERAND(4);
    if (n <= 0) return blas_end(&call, NULL);
    blas_vector(&call, "x", x, n, incx, true, true);
    blas_vector(&call, "y", y, n, incy, true, true);
    void (*swap)(int, REAL *, int, REAL *, int) = OPENBLAS(swap);
    if (blas_run(&call)) swap(n, x, incx, y, incy);
    return blas_end(&call, &(struct blas_work){.kind = BLAS_STREAM});
}

/* (x, y) <- (c x + s y, c y - s x) */
cudaError_t SERVE(rot)(struct call *request)
{
    struct blas_call call = blas_begin(request, NAME(rot), sizeof(REAL));
    int n = INT(1), incx = INT(3), incy = INT(5);
    uint64_t c = RAW(6), s = RAW(7);
    REAL *x = OPERAND(2), *y = OPERAND(4);
    REAL cosine = (REAL)blas_scalar(&call, "c", c), sine = (REAL)blas_scalar(&call, "s", s);
    if (n <= 0) return blas_end(&call, NULL);
    blas_vector(&call, "x", x, n, incx, true, true);
    blas_vector(&call, "y", y, n, incy, true, true);
    void (*rot)(int, REAL *, int, REAL *, int, REAL, REAL) = OPENBLAS(rot);
    if (blas_run(&call)) rot(n, x, incx, y, incy, cosine, sine);
    return blas_end(&call, &(struct blas_work){.kind = BLAS_STREAM});
}

/* result <- |x1| + |x2| + ... */
cudaError_t SERVE(asum)(struct call *request)
{
    struct blas_call call = blas_begin(request, NAME(asum), sizeof(REAL));
    int n = INT(1), incx = INT(3);
    uint64_t result = RAW(4);
    const REAL *x = OPERAND(2);
    bool some = n > 0 && incx > 0;
    REAL sum = 0;
    blas_demand(&call, result != 0);
    if (some) blas_vector(&call, "x", x, n, incx, true, false);
    REAL (*asum)(int, const REAL *, int) = OPENBLAS(asum);
    if (blas_run(&call) && some) sum = asum(n, x, incx);
    blas_result(&call, result, sum);
    return blas_end(&call, &(struct blas_work){.kind = BLAS_STREAM});
}
