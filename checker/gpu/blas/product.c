/*
 * product.c: see product.h. What OpenBLAS does not know, halves and TF32, is computed in
 * floats of the same values.
 */
#include "gpu/blas/product.h"

#include "gpu/blas/call.h"
#include "gpu/warp/half.h"

#include <stdlib.h>
#include <string.h>

/* A matrix as OpenBLAS takes it: the program's own, or a copy as floats. */
struct taken {
    const void *at;
    float *copy; /* NULL: none */
    int ld;
};

size_t blas_bytes_of(cudaDataType type)
{
    if (type == CUDA_R_16F) return 2;
    return type == CUDA_R_32F ? 4 : type == CUDA_R_64F ? 8 : 0;
}

/* A float as tensor cores take it in TF32: with 11 significant bits, rounded to nearest. */
static float in_tf32(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    if ((word & 0x7f800000) != 0x7f800000) /* neither infinite nor nan */
        word = (word + 0x1000) & 0xffffe000;
    memcpy(&value, &word, sizeof value);
    return value;
}

static float as_float(const void *at, size_t index, cudaDataType type, bool tf32)
{
    if (type == CUDA_R_16F) return (float)short_value(FORMAT_F16, ((const uint16_t *)at)[index]);
    float value = ((const float *)at)[index];
    return tf32 ? in_tf32(value) : value;
}

static const char *batch_of(const struct blas_operands *operands, int batch)
{
    return (const char *)operands->at +
           (long long)batch * operands->stride * (long long)blas_bytes_of(operands->type);
}

static struct taken take(const struct blas_operands *operands, int batch, int rows, int columns,
                         bool tf32)
{
    const char *at = batch_of(operands, batch);
    bool as_it_is = operands->type == CUDA_R_64F || (operands->type == CUDA_R_32F && !tf32);
    if (as_it_is) return (struct taken){at, NULL, operands->ld};
    float *copy = malloc((size_t)rows * (size_t)columns * sizeof *copy + 1);
    if (copy == NULL) blas_no_memory();
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++)
            copy[(size_t)j * (size_t)rows + (size_t)i] =
                as_float(at, (size_t)j * (size_t)operands->ld + (size_t)i, operands->type, tf32);
    return (struct taken){copy, copy, blas_at_least_1(rows)};
}

/* Stores the sums, after what follows the product. */
static void give(const struct blas_product *product, const struct taken *sums, int batch)
{
    const struct blas_operands *c = &product->c;
    char *at = (char *)(uintptr_t)batch_of(c, batch);
    if (sums->copy == NULL && product->finish == NULL) return;
    for (int j = 0; j < product->n; j++)
        for (int i = 0; i < product->m; i++) {
            size_t index = (size_t)j * (size_t)c->ld + (size_t)i;
            float sum = ((const float *)sums->at)[(size_t)j * (size_t)sums->ld + (size_t)i];
            if (product->finish != NULL) sum = product->finish(sum, i, product->data);
            if (c->type == CUDA_R_16F)
                ((uint16_t *)at)[index] =
                    (uint16_t)short_bits(FORMAT_F16, sum, ROUND_NEAREST, false);
            else
                ((float *)at)[index] = sum;
        }
}

static void copy_from(const struct blas_product *product, int batch)
{
    struct blas_operands from = product->c;
    size_t bytes = blas_bytes_of(from.type), column = (size_t)from.ld * bytes;
    char *to = (char *)(uintptr_t)batch_of(&product->c, batch);
    from.at = product->from;
    if (product->from == NULL || product->from == product->c.at) return;
    for (int j = 0; j < product->n; j++)
        memcpy(to + (size_t)j * column, batch_of(&from, batch) + (size_t)j * column,
               (size_t)product->m * bytes);
}

typedef void sgemm(int, int, int, int, int, int, float, const float *, int, const float *, int,
                   float, float *, int);
typedef void dgemm(int, int, int, int, int, int, double, const double *, int, const double *, int,
                   double, double *, int);

static void multiply_one(const struct blas_product *product, int batch, double alpha, double beta,
                         bool tf32)
{
    int op_a = blas_transposition(product->op_a), op_b = blas_transposition(product->op_b);
    bool plain_a = op_a == NOT_TRANSPOSED, plain_b = op_b == NOT_TRANSPOSED;
    int m = product->m, n = product->n, k = product->k;
    copy_from(product, batch);
    struct taken a = take(&product->a, batch, plain_a ? m : k, plain_a ? k : m, tf32);
    struct taken b = take(&product->b, batch, plain_b ? k : n, plain_b ? n : k, tf32);
    struct taken c = take(&product->c, batch, m, n, false);
    if (product->c.type == CUDA_R_64F)
        ((dgemm *)blas_function("cblas_dgemm"))(COLUMN_MAJOR, op_a, op_b, m, n, k, alpha, a.at,
                                                a.ld, b.at, b.ld, beta, (double *)(uintptr_t)c.at,
                                                c.ld);
    else
        ((sgemm *)blas_function("cblas_sgemm"))(COLUMN_MAJOR, op_a, op_b, m, n, k, (float)alpha,
                                                a.at, a.ld, b.at, b.ld, (float)beta,
                                                (float *)(uintptr_t)c.at, c.ld);
    give(product, &c, batch);
    free(a.copy);
    free(b.copy);
    free(c.copy);
}

static void add_operands(struct blas_call *call, const char *name,
                         const struct blas_operands *operands, int rows, int columns, bool read,
                         bool written, int batches)
{
    size_t element = call->element;
    call->element = blas_bytes_of(operands->type);
    if (operands->stride == 0 && !written) batches = 1;
    for (int i = 0; i < batches && call->status == CUBLAS_STATUS_SUCCESS && !call->broken; i++)
        blas_matrix(call, name, batch_of(operands, i), rows, columns, operands->ld, read, written);
    call->element = element;
}

static double read_scalar(struct blas_call *call, const char *name, uint64_t at,
                          const struct blas_product *product)
{
    size_t element = call->element, own = blas_bytes_of(product->scale);
    call->element = product->c.type == CUDA_R_64F ? sizeof(double) : own;
    double value = blas_scalar(call, name, at);
    call->element = element;
    return value;
}

static void demand_shape(struct blas_call *call, const struct blas_product *product)
{
    int m = product->m, n = product->n, k = product->k;
    int rows_a = product->op_a == CUBLAS_OP_N ? m : k,
        rows_b = product->op_b == CUBLAS_OP_N ? k : n;
    blas_demand(call, blas_is_operation(product->op_a) && blas_is_operation(product->op_b) &&
                          m >= 0 && n >= 0 && k >= 0 && product->batches >= 0);
    blas_demand(call, product->a.ld >= blas_at_least_1(rows_a) &&
                          product->b.ld >= blas_at_least_1(rows_b) &&
                          product->c.ld >= blas_at_least_1(m));
}

cudaError_t blas_multiply(struct blas_call *call, const struct blas_product *product)
{
    int m = product->m, n = product->n, k = product->k, batches = product->batches;
    bool plain_a = product->op_a == CUBLAS_OP_N, plain_b = product->op_b == CUBLAS_OP_N;
    demand_shape(call, product);
    double alpha = read_scalar(call, "alpha", product->alpha, product);
    double beta = read_scalar(call, "beta", product->beta, product);
    if (m <= 0 || n <= 0 || batches <= 0) return blas_end(call, NULL);
    if (k > 0) {
        add_operands(call, "A", &product->a, plain_a ? m : k, plain_a ? k : m, alpha != 0, false,
                     batches);
        add_operands(call, "B", &product->b, plain_b ? k : n, plain_b ? n : k, alpha != 0, false,
                     batches);
    }
    bool separate = product->from != NULL && product->from != product->c.at;
    struct blas_operands from = product->c;
    from.at = product->from;
    if (separate && beta != 0) add_operands(call, "C", &from, m, n, true, false, batches);
    add_operands(call, separate ? "D" : "C", &product->c, m, n, beta != 0 && !separate, true,
                 batches);
    if (blas_run(call)) {
        bool tf32 =
            product->fast || ((unsigned)call->handle->math & 15) == CUBLAS_TF32_TENSOR_OP_MATH;
        for (int i = 0; i < batches; i++)
            multiply_one(product, i, alpha, beta, tf32);
    }
    /* cuBLAS has the kernels of gemv do a product with a single row or column. */
    enum blas_kind kind = m == 1 || n == 1 ? BLAS_GEMV : BLAS_GEMM;
    struct blas_work work = {.kind = kind, .m = m, .n = n, .k = k, .batches = batches};
    return blas_end(call, &work);
}
