/*
 * blas.c: cuBLAS: handles and their settings, and how every call begins and ends.
 */
#define _GNU_SOURCE
#include "gpu/blas/blas.h"

#include "gpu/runtime/handle.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *openblas;

_Noreturn void blas_no_memory(void)
{
    fputs("warp-up: no memory for a call of cuBLAS\n", stderr);
    exit(2);
}

/* ---- beginning and ending a call ------------------------------------------------------------ */

struct blas_call blas_begin_any(struct call *call, const char *name)
{
    struct blas_call begun = {.name = name, .call = call, .stream = stream_default()};
    size_t bytes = call->request->payload;
    if (bytes > sizeof begun.argument) bytes = sizeof begun.argument;
    memcpy(begun.argument, call->payload, bytes);
    call->name = name;
    if (call->error != cudaSuccess) begun.status = CUBLAS_STATUS_EXECUTION_FAILED;
    return begun;
}

struct blas_call blas_begin(struct call *call, const char *name, size_t element)
{
    struct blas_call begun = blas_begin_any(call, name);
    begun.element = element;
    begun.handle = handle_find(HANDLE_BLAS, begun.argument[0]);
    if (begun.status == CUBLAS_STATUS_SUCCESS && begun.handle == NULL)
        begun.status = CUBLAS_STATUS_NOT_INITIALIZED;
    if (begun.handle != NULL) begun.stream = stream_find(call, begun.handle->stream_handle);
    if (begun.stream == NULL) begun.stream = stream_default(); /* it was destroyed */
    return begun;
}

/* A failure of cuBLAS itself is not an error of the CUDA runtime. */
cudaError_t blas_finish(const struct blas_call *call)
{
    if (call->status != CUBLAS_STATUS_SUCCESS && call->call->error == cudaSuccess)
        errors_record(call->call, text_of_code(status_texts, call->status));
    call->call->reply->result[0] = call->status;
    return call->call->error;
}

void blas_demand(struct blas_call *call, bool condition)
{
    if (call->status == CUBLAS_STATUS_SUCCESS && !condition)
        call->status = CUBLAS_STATUS_INVALID_VALUE;
}

/* ---- handles -------------------------------------------------------------------------------- */

/* OpenBLAS gets as many threads as the simulated GPU has. They sleep as soon as they have no work.
 */
static void load_openblas(void)
{
    const char *threads = getenv("WARPUP_THREADS");
    if (openblas != NULL) return;
    setenv("OPENBLAS_THREAD_TIMEOUT", "4", 1);
    if (threads != NULL) setenv("OPENBLAS_NUM_THREADS", threads, 1);
    openblas = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    unsetenv("OPENBLAS_THREAD_TIMEOUT");
    if (threads != NULL) unsetenv("OPENBLAS_NUM_THREADS");
}

void *blas_function(const char *name)
{
    return openblas == NULL ? NULL : dlsym(openblas, name);
}

/* Results: the status, and the handle. */
static cublasStatus_t create(struct call *call)
{
    load_openblas();
    if (openblas == NULL) {
        call_unknown(call, "cuBLAS on a machine without libopenblas");
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    struct blas_handle *new = calloc(1, sizeof *new);
    if (new == NULL || (new->number = handle_make(HANDLE_BLAS, new)) == 0)
        return CUBLAS_STATUS_ALLOC_FAILED;
    call->reply->result[1] = new->number;
    return CUBLAS_STATUS_SUCCESS;
}

cudaError_t serve_cublasCreate(struct call *request)
{
    struct blas_call call = blas_begin_any(request, "cublasCreate");
    blas_demand(&call, call.argument[0] != 0);
    if (call.status == CUBLAS_STATUS_SUCCESS) call.status = create(request);
    return blas_finish(&call);
}

cudaError_t serve_cublasDestroy(struct call *request)
{
    struct blas_call call = blas_begin(request, "cublasDestroy", 0);
    if (call.status == CUBLAS_STATUS_SUCCESS) {
        handle_drop(HANDLE_BLAS, call.handle->number);
        free(call.handle);
        stream_wait_all();
    }
    return blas_finish(&call);
}

/* A call that sets one setting of the handle, from `value`, or returns one as its second result. */
#define SETTING(name, condition, action)                                                           \
    cudaError_t serve_##name(struct call *request)                                                 \
    {                                                                                              \
        struct blas_call call = blas_begin(request, #name, 0);                                     \
        uint64_t value = call.argument[1], *result = &request->reply->result[1];                   \
        blas_demand(&call, condition);                                                             \
        (void)result;                                                                              \
        if (call.status == CUBLAS_STATUS_SUCCESS) action;                                          \
        return blas_finish(&call);                                                                 \
    }                                                                                              \
    _Static_assert(1, "the call ends with a semicolon")

SETTING(cublasSetStream, stream_find(request, value) != NULL, call.handle->stream_handle = value);
SETTING(cublasSetPointerMode, value <= CUBLAS_POINTER_MODE_DEVICE,
        call.handle->pointer_mode = (cublasPointerMode_t)value);
SETTING(cublasSetMathMode, (value & 15) <= CUBLAS_TF32_TENSOR_OP_MATH,
        call.handle->math = (cublasMath_t)value);
SETTING(cublasGetVersion, value != 0, *result = CUBLAS_VERSION);
SETTING(cublasGetStream, value != 0, *result = call.handle->stream_handle);
SETTING(cublasGetPointerMode, value != 0, *result = call.handle->pointer_mode);
SETTING(cublasGetMathMode, value != 0, *result = call.handle->math);
