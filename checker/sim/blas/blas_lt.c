/*
 * blas_lt.c: cuBLASLt, as one more way to ask for a product of matrices (blas_product.h). A matrix
 * that is stored row after row is a transposed one that is stored column after column.
 */
#include "sim/blas/blas_call.h"
#include "sim/blas/blas_ex.h"
#include "sim/blas/blas_product.h"
#include "sim/api/api_stream.h"
#include "cublasLt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CALLER ((uintptr_t)__builtin_return_address(0))

struct cublasLtContext {
    cublasHandle_t blas;
};

/* What the opaque structures hold. */
struct description {
    cublasComputeType_t compute;
    cudaDataType scale;
    int pointer_mode, transa, transb, epilogue;
    const void *bias;
};
struct layout {
    cudaDataType type;
    int order, batches;
    uint64_t rows, columns;
    int64_t ld, stride;
};
_Static_assert(sizeof(struct description) <= sizeof(cublasLtMatmulDescOpaque_t), "it fits");
_Static_assert(sizeof(struct layout) <= sizeof(cublasLtMatrixLayoutOpaque_t), "it fits");

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle)
{
    if (handle == NULL) return CUBLAS_STATUS_INVALID_VALUE;
    cublasLtHandle_t made = calloc(1, sizeof *made);
    if (made == NULL) return CUBLAS_STATUS_ALLOC_FAILED;
    cublasStatus_t status = cublasCreate(&made->blas);
    if (status == CUBLAS_STATUS_SUCCESS)
        *handle = made;
    else
        free(made);
    return status;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
    if (handle == NULL) return CUBLAS_STATUS_NOT_INITIALIZED;
    cublasStatus_t status = cublasDestroy(handle->blas);
    free(handle);
    return status;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *made, cublasComputeType_t compute,
                                        cudaDataType scale)
{
    if (made == NULL) return CUBLAS_STATUS_INVALID_VALUE;
    *made = calloc(1, sizeof **made);
    if (*made == NULL) return CUBLAS_STATUS_ALLOC_FAILED;
    *(struct description *)*made = (struct description){
        .compute = compute, .scale = scale, .epilogue = CUBLASLT_EPILOGUE_DEFAULT};
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t product)
{
    free(product);
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t set(void *field, size_t room, const void *value, size_t bytes)
{
    if (value == NULL || bytes != room) return CUBLAS_STATUS_INVALID_VALUE;
    memcpy(field, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

#define SET(field) return set(&(field), sizeof(field), value, bytes)

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t product,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void *value, size_t bytes)
{
    struct description *to = (struct description *)product;
    switch (attribute) {
    case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE: SET(to->compute);
    case CUBLASLT_MATMUL_DESC_SCALE_TYPE: SET(to->scale);
    case CUBLASLT_MATMUL_DESC_POINTER_MODE: SET(to->pointer_mode);
    case CUBLASLT_MATMUL_DESC_TRANSA: SET(to->transa);
    case CUBLASLT_MATMUL_DESC_TRANSB: SET(to->transb);
    case CUBLASLT_MATMUL_DESC_EPILOGUE: SET(to->epilogue);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER: SET(to->bias);
    default: api_unknown("this attribute of a product of cuBLASLt", CALLER);
    }
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *made, cudaDataType type,
                                          uint64_t rows, uint64_t columns, int64_t ld)
{
    if (made == NULL) return CUBLAS_STATUS_INVALID_VALUE;
    *made = calloc(1, sizeof **made);
    if (*made == NULL) return CUBLAS_STATUS_ALLOC_FAILED;
    *(struct layout *)*made =
        (struct layout){.type = type, .batches = 1, .rows = rows, .columns = columns, .ld = ld};
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout)
{
    free(layout);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute,
                                                const void *value, size_t bytes)
{
    struct layout *to = (struct layout *)layout;
    switch (attribute) {
    case CUBLASLT_MATRIX_LAYOUT_TYPE: SET(to->type);
    case CUBLASLT_MATRIX_LAYOUT_ORDER: SET(to->order);
    case CUBLASLT_MATRIX_LAYOUT_ROWS: SET(to->rows);
    case CUBLASLT_MATRIX_LAYOUT_COLS: SET(to->columns);
    case CUBLASLT_MATRIX_LAYOUT_LD: SET(to->ld);
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT: SET(to->batches);
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET: SET(to->stride);
    }
    return CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *made)
{
    if (made == NULL) return CUBLAS_STATUS_INVALID_VALUE;
    *made = calloc(1, sizeof **made);
    return *made == NULL ? CUBLAS_STATUS_ALLOC_FAILED : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference)
{
    free(preference);
    return CUBLAS_STATUS_SUCCESS;
}

/* There is one way to compute here, which needs no memory. */
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void *value, size_t bytes)
{
    (void)attribute;
    (void)bytes;
    return preference == NULL || value == NULL ? CUBLAS_STATUS_INVALID_VALUE
                                               : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t product,
                                              cublasLtMatrixLayout_t A, cublasLtMatrixLayout_t B,
                                              cublasLtMatrixLayout_t C, cublasLtMatrixLayout_t D,
                                              cublasLtMatmulPreference_t preference, int wanted,
                                              cublasLtMatmulHeuristicResult_t results[], int *count)
{
    if (handle == NULL) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (product == NULL || A == NULL || B == NULL || C == NULL || D == NULL || preference == NULL ||
        wanted < 1 || results == NULL || count == NULL)
        return CUBLAS_STATUS_INVALID_VALUE;
    *count = 1;
    results[0] = (cublasLtMatmulHeuristicResult_t){.state = CUBLAS_STATUS_SUCCESS, .wavesCount = 1};
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- the product ---------------------------------------------------------------------------- */

/* The bias is added to each row, and the activation follows. */
static float finish(float sum, int row, const void *data)
{
    static const double SQRT_2_OVER_PI = 0.7978845608028654;
    const struct description *description = data;
    if (description->epilogue & CUBLASLT_EPILOGUE_BIAS)
        sum += ((const float *)description->bias)[row];
    if (description->epilogue & CUBLASLT_EPILOGUE_RELU && sum < 0) sum = 0;
    if (description->epilogue & CUBLASLT_EPILOGUE_GELU)
        sum = (float)(0.5 * sum * (1 + tanh(SQRT_2_OVER_PI * (sum + 0.044715 * sum * sum * sum))));
    return sum;
}

static bool is_known(const struct description *d, const struct layout *const layouts[4])
{
    bool finishes = d->epilogue != CUBLASLT_EPILOGUE_DEFAULT;
    bool rows = layouts[0]->order == CUBLASLT_ORDER_ROW;
    for (int i = 0; i < 4; i++)
        if ((layouts[i]->order == CUBLASLT_ORDER_ROW) != rows) return false;
    return !finishes || (!rows && layouts[3]->type == CUDA_R_32F);
}

/* Do the matrices have the sizes of a product? */
static bool fits(const struct description *d, const struct layout *const layouts[4])
{
    const struct layout *a = layouts[0], *b = layouts[1], *c = layouts[2], *to = layouts[3];
    uint64_t m = d->transa ? a->columns : a->rows, k = d->transa ? a->rows : a->columns;
    uint64_t depth = d->transb ? b->columns : b->rows, n = d->transb ? b->rows : b->columns;
    return k == depth && to->rows == m && to->columns == n && c->rows == m && c->columns == n &&
           c->ld == to->ld && c->type == to->type && a->batches == b->batches &&
           a->batches == to->batches;
}

static struct blas_operands operands_of(const void *at, const struct layout *layout)
{
    return (struct blas_operands){at, (int)layout->ld, layout->stride, layout->type};
}

/* In matrices that are stored row after row, the product is that of the transposed ones, swapped.
 */
static struct blas_product product_of(const struct description *d, const void *const at[4],
                                      const struct layout *const layouts[4])
{
    bool rows = layouts[0]->order == CUBLASLT_ORDER_ROW;
    int first = rows ? 1 : 0, second = rows ? 0 : 1;
    const int ops[] = {d->transa, d->transb};
    uint64_t m = layouts[3]->rows, n = layouts[3]->columns;
    uint64_t k = d->transa ? layouts[0]->rows : layouts[0]->columns;
    return (struct blas_product){.op_a = (cublasOperation_t)ops[first],
                                 .op_b = (cublasOperation_t)ops[second],
                                 .m = (int)(rows ? n : m),
                                 .n = (int)(rows ? m : n),
                                 .k = (int)k,
                                 .a = operands_of(at[first], layouts[first]),
                                 .b = operands_of(at[second], layouts[second]),
                                 .c = operands_of(at[3], layouts[3]),
                                 .from = at[2],
                                 .batches = layouts[3]->batches};
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t product,
                              const void *alpha, const void *A, cublasLtMatrixLayout_t layout_a,
                              const void *B, cublasLtMatrixLayout_t layout_b, const void *beta,
                              const void *C, cublasLtMatrixLayout_t layout_c, void *D,
                              cublasLtMatrixLayout_t layout_d,
                              const cublasLtMatmulAlgo_t *algorithm, void *workspace,
                              size_t workspace_bytes, cudaStream_t stream)
{
    const struct description *d = (const struct description *)product;
    const void *const at[4] = {A, B, C, D};
    const struct layout *const layouts[4] = {
        (const struct layout *)layout_a, (const struct layout *)layout_b,
        (const struct layout *)layout_c, (const struct layout *)layout_d};
    (void)algorithm;
    (void)workspace;
    (void)workspace_bytes;
    struct blas_call call =
        blas_begin(handle != NULL ? handle->blas : NULL, "cublasLtMatmul", 4, CALLER);
    bool given = d != NULL && layout_a != NULL && layout_b != NULL && layout_c != NULL &&
                 layout_d != NULL && stream_is_valid(stream);
    blas_demand(&call, given && fits(d, layouts));
    if (call.status != CUBLAS_STATUS_SUCCESS) return blas_end(&call, NULL);
    if (!is_known(d, layouts)) {
        api_unknown("these layouts or this epilogue in cublasLtMatmul", call.call.pc);
        call.status = CUBLAS_STATUS_NOT_SUPPORTED;
    }
    call.handle->stream = stream;
    call.handle->pointer_mode = (cublasPointerMode_t)d->pointer_mode;
    struct blas_product whole = product_of(d, at, layouts);
    whole.alpha = alpha;
    whole.beta = beta;
    if (d->epilogue != CUBLASLT_EPILOGUE_DEFAULT) {
        whole.finish = finish;
        whole.data = d;
    }
    if (d->epilogue & CUBLASLT_EPILOGUE_BIAS)
        blas_vector(&call, "bias", d->bias, whole.m, 1, true, false);
    return blas_multiply_as(&call, &whole, d->compute);
}
