/*
 * cublas_lt.c: the program's side of cuBLASLt. The descriptions of products and matrices are kept
 * here; a product is sent with them.
 */
#include "gpu/blas/lt.h"
#include "gpu/cudart/client.h"

#include <stdlib.h>
#include <string.h>

struct cublasLtContext {
    cublasHandle_t blas;
};

/* The opaque structures have room for these. */
_Static_assert(sizeof(struct lt_description) <= sizeof(cublasLtMatmulDescOpaque_t), "it fits");
_Static_assert(sizeof(struct lt_layout) <= sizeof(cublasLtMatrixLayoutOpaque_t), "it fits");

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
    *(struct lt_description *)*made = (struct lt_description){
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
    struct lt_description *to = (struct lt_description *)product;
    switch (attribute) {
    case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE: SET(to->compute);
    case CUBLASLT_MATMUL_DESC_SCALE_TYPE: SET(to->scale);
    case CUBLASLT_MATMUL_DESC_POINTER_MODE: SET(to->pointer_mode);
    case CUBLASLT_MATMUL_DESC_TRANSA: SET(to->transa);
    case CUBLASLT_MATMUL_DESC_TRANSB: SET(to->transb);
    case CUBLASLT_MATMUL_DESC_EPILOGUE: SET(to->epilogue);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER: SET(to->bias);
    default: break;
    }
    struct remote remote = {0};
    client_call(&remote, WIRE_cublasLtUnknown, RETURN_PC);
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *made, cudaDataType type,
                                          uint64_t rows, uint64_t columns, int64_t ld)
{
    if (made == NULL) return CUBLAS_STATUS_INVALID_VALUE;
    *made = calloc(1, sizeof **made);
    if (*made == NULL) return CUBLAS_STATUS_ALLOC_FAILED;
    *(struct lt_layout *)*made =
        (struct lt_layout){.type = type, .batches = 1, .rows = rows, .columns = columns, .ld = ld};
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
    struct lt_layout *to = (struct lt_layout *)layout;
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

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t product,
                              const void *alpha, const void *A, cublasLtMatrixLayout_t layout_a,
                              const void *B, cublasLtMatrixLayout_t layout_b, const void *beta,
                              const void *C, cublasLtMatrixLayout_t layout_c, void *D,
                              cublasLtMatrixLayout_t layout_d,
                              const cublasLtMatmulAlgo_t *algorithm, void *workspace,
                              size_t workspace_bytes, cudaStream_t stream)
{
    const uint64_t arguments[] = {AT(handle != NULL ? handle->blas : NULL),
                                  AT(stream),
                                  AT(alpha),
                                  AT(beta),
                                  AT(A),
                                  AT(B),
                                  AT(C),
                                  AT(D)};
    struct lt_request request = {.given = product != NULL && layout_a != NULL && layout_b != NULL &&
                                          layout_c != NULL && layout_d != NULL};
    (void)algorithm;
    (void)workspace;
    (void)workspace_bytes;
    if (request.given) {
        memcpy(&request.product, product, sizeof request.product);
        memcpy(&request.a, layout_a, sizeof request.a);
        memcpy(&request.b, layout_b, sizeof request.b);
        memcpy(&request.c, layout_c, sizeof request.c);
        memcpy(&request.d, layout_d, sizeof request.d);
    }
    struct remote remote = {.payload = {{arguments, sizeof arguments}, {&request, sizeof request}}};
    client_call(&remote, WIRE_cublasLtMatmul, RETURN_PC);
    return (cublasStatus_t)remote.result[0];
}
