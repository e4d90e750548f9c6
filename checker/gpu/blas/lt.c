/*
 * lt.c: cuBLASLt, as one more way to ask for a product of matrices (product.h). A matrix that is
 * stored row after row is a transposed one that is stored column after column.
 */
#include "gpu/blas/lt.h"

#include "gpu/blas/call.h"
#include "gpu/blas/product.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* The bias is added to each row, and the activation follows. */
static float finish(float sum, int row, const void *data)
{
    static const double SQRT_2_OVER_PI = 0.7978845608028654;
    const struct lt_description *description = data;
    if (description->epilogue & CUBLASLT_EPILOGUE_BIAS)
        sum += ((const float *)here(gpu_address(description->bias)))[row];
    if (description->epilogue & CUBLASLT_EPILOGUE_RELU && sum < 0) sum = 0;
    if (description->epilogue & CUBLASLT_EPILOGUE_GELU)
        sum = (float)(0.5 * sum * (1 + tanh(SQRT_2_OVER_PI * (sum + 0.044715 * sum * sum * sum))));
    return sum;
}

static bool is_known(const struct lt_description *d, const struct lt_layout *const layouts[4])
{
    bool finishes = d->epilogue != CUBLASLT_EPILOGUE_DEFAULT;
    bool rows = layouts[0]->order == CUBLASLT_ORDER_ROW;
    for (int i = 0; i < 4; i++)
        if ((layouts[i]->order == CUBLASLT_ORDER_ROW) != rows) return false;
    return !finishes || (!rows && layouts[3]->type == CUDA_R_32F);
}

/* Do the matrices have the sizes of a product? */
static bool fits(const struct lt_description *d, const struct lt_layout *const layouts[4])
{
    const struct lt_layout *a = layouts[0], *b = layouts[1], *c = layouts[2], *to = layouts[3];
    uint64_t m = d->transa ? a->columns : a->rows, k = d->transa ? a->rows : a->columns;
    uint64_t depth = d->transb ? b->columns : b->rows, n = d->transb ? b->rows : b->columns;
    return k == depth && to->rows == m && to->columns == n && c->rows == m && c->columns == n &&
           c->ld == to->ld && c->type == to->type && a->batches == b->batches &&
           a->batches == to->batches;
}

static struct blas_operands operands_of(const void *at, const struct lt_layout *layout)
{
    return (struct blas_operands){at, (int)layout->ld, layout->stride, layout->type};
}

/* In matrices that are stored row after row, the product is that of the transposed ones, swapped.
 */
static struct blas_product product_of(const struct lt_description *d, const void *const at[4],
                                      const struct lt_layout *const layouts[4])
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

/* Are these sizes and distances that a product can have? */
static bool is_possible(const struct lt_layout *layout)
{
    return layout->rows <= INT_MAX && layout->columns <= INT_MAX && layout->ld >= 0 &&
           layout->ld <= INT_MAX && layout->batches >= 0;
}

/* Arguments: handle, stream, alpha, beta, A, B, C, D, then struct lt_request. */
cudaError_t serve_cublasLtMatmul(struct call *request)
{
    enum { ARGUMENTS = 8 };
    struct blas_call call = blas_begin(request, "cublasLtMatmul", sizeof(float));
    struct lt_request what = {0};
    bool given = request->request->payload >= ARGUMENTS * sizeof(uint64_t) + sizeof what;
    if (given) memcpy(&what, request->payload + ARGUMENTS * sizeof(uint64_t), sizeof what);
    struct stream *stream = stream_find(request, call.argument[1]);
    const struct lt_description *d = &what.product;
    const struct lt_layout *const layouts[4] = {&what.a, &what.b, &what.c, &what.d};
    const void *at[4];
    for (int i = 0; i < 4; i++) {
        at[i] = here(gpu_address(call.argument[4 + i]));
        given = given && is_possible(layouts[i]);
    }
    blas_demand(&call, given && what.given && stream != NULL && fits(d, layouts));
    if (call.status != CUBLAS_STATUS_SUCCESS) return blas_end(&call, NULL);
    if (!is_known(d, layouts)) {
        call_unknown(request, "these layouts or this epilogue in cublasLtMatmul");
        call.status = CUBLAS_STATUS_NOT_SUPPORTED;
    }
    call.stream = stream;
    call.handle->stream_handle = call.argument[1];
    call.handle->pointer_mode = (cublasPointerMode_t)d->pointer_mode;
    struct blas_product whole = product_of(d, at, layouts);
    whole.alpha = call.argument[2];
    whole.beta = call.argument[3];
    if (d->epilogue != CUBLASLT_EPILOGUE_DEFAULT) {
        whole.finish = finish;
        whole.data = d;
    }
    if (d->epilogue & CUBLASLT_EPILOGUE_BIAS)
        blas_vector(&call, "bias", here(gpu_address(d->bias)), whole.m, 1, true, false);
    return blas_multiply_as(&call, &whole, (cublasComputeType_t)d->compute);
}

/* Something that the program's side of cuBLASLt does not know. */
cudaError_t serve_cublasLtUnknown(struct call *call)
{
    call_unknown(call, "this attribute of a product of cuBLASLt");
    return cudaSuccess;
}
