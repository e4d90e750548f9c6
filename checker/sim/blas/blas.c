/*
 * blas.c: cuBLAS: statuses, handles and their settings, and how every call begins and ends.
 */
#define _GNU_SOURCE
#include "sim/blas/blas.h"

#include "sim/api/api_call.h"
#include "sim/api/api_stream.h"
#include "sim/requests/lane.h"

#include <dlfcn.h>
#include <stdlib.h>

static struct cublasContext *handles;
static void *openblas;

#define CALLER ((uintptr_t)__builtin_return_address(0))

/* ---- statuses ------------------------------------------------------------------------------- */

static const struct status_text {
    cublasStatus_t status;
    const char *name, *text;
} texts[] = {
#define ROW(name, text)                                                                            \
    {                                                                                              \
        name, #name, text                                                                          \
    }
    ROW(CUBLAS_STATUS_SUCCESS, "success"),
    ROW(CUBLAS_STATUS_NOT_INITIALIZED, "the library was not initialized"),
    ROW(CUBLAS_STATUS_ALLOC_FAILED, "the resource allocation failed"),
    ROW(CUBLAS_STATUS_INVALID_VALUE,
        "an unsupported value or parameter was passed to the function"),
    ROW(CUBLAS_STATUS_ARCH_MISMATCH,
        "the requested functionality requires a feature absent from the current GPU architecture"),
    ROW(CUBLAS_STATUS_MAPPING_ERROR, "an access to the GPU memory space failed"),
    ROW(CUBLAS_STATUS_EXECUTION_FAILED, "the function failed to launch on the GPU"),
    ROW(CUBLAS_STATUS_INTERNAL_ERROR, "an internal operation failed"),
    ROW(CUBLAS_STATUS_NOT_SUPPORTED, "the requested functionality is not supported"),
    ROW(CUBLAS_STATUS_LICENSE_ERROR, "the functionality requested requires a license"),
#undef ROW
};

static const struct status_text *find_text(cublasStatus_t status)
{
    static const struct status_text unknown = {CUBLAS_STATUS_SUCCESS, "(unrecognized error code)",
                                               "unrecognized error code"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i].status == status) return &texts[i];
    return &unknown;
}

const char *cublasGetStatusName(cublasStatus_t status)
{
    return find_text(status)->name;
}

const char *cublasGetStatusString(cublasStatus_t status)
{
    return find_text(status)->text;
}

/* ---- beginning and ending a call ------------------------------------------------------------ */

static bool is_handle(cublasHandle_t handle)
{
    const struct cublasContext *one = handles;
    while (one != NULL && one != handle)
        one = one->next;
    return one != NULL;
}

struct blas_call blas_begin_any(const char *name, uintptr_t pc)
{
    struct blas_call call = {.name = name, .call = api_begin(name, pc)};
    if (call.call.error != cudaSuccess) call.status = CUBLAS_STATUS_EXECUTION_FAILED;
    return call;
}

struct blas_call blas_begin(cublasHandle_t handle, const char *name, size_t element, uintptr_t pc)
{
    struct blas_call call = blas_begin_any(name, pc);
    call.handle = handle;
    call.element = element;
    if (call.status == CUBLAS_STATUS_SUCCESS && !is_handle(handle))
        call.status = CUBLAS_STATUS_NOT_INITIALIZED;
    return call;
}

/* A failure of cuBLAS itself is not an error of the CUDA runtime. */
cublasStatus_t blas_finish(const struct blas_call *call)
{
    const struct status_text *text = find_text(call->status);
    if (!lane_runs && call->status != CUBLAS_STATUS_SUCCESS && call->call.error == cudaSuccess)
        api_record_error(&call->call, (int)call->status, text->name, text->text);
    api_end(&call->call);
    return call->status;
}

void blas_demand(struct blas_call *call, bool condition)
{
    if (call->status == CUBLAS_STATUS_SUCCESS && !condition)
        call->status = CUBLAS_STATUS_INVALID_VALUE;
}

/* ---- handles -------------------------------------------------------------------------------- */

/* It gets as many threads as the simulated GPU has. They sleep as soon as they have no work. */
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

static cublasStatus_t create(const struct call *call, cublasHandle_t *handle)
{
    if (handle == NULL) return CUBLAS_STATUS_INVALID_VALUE;
    load_openblas();
    if (openblas == NULL) {
        api_unknown("cuBLAS on a machine without libopenblas", call->pc);
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    struct cublasContext *new = calloc(1, sizeof *new);
    if (new == NULL) return CUBLAS_STATUS_ALLOC_FAILED;
    new->next = handles;
    handles = *handle = new;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle)
{
    struct blas_call call = blas_begin_any("cublasCreate", CALLER);
    if (call.status == CUBLAS_STATUS_SUCCESS) call.status = create(&call.call, handle);
    return blas_finish(&call);
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle)
{
    struct blas_call call = blas_begin(handle, "cublasDestroy", 0, CALLER);
    if (call.status == CUBLAS_STATUS_SUCCESS) {
        struct cublasContext **link = &handles;
        while (*link != handle)
            link = &(*link)->next;
        *link = handle->next;
        free(handle);
        stream_wait_all();
    }
    return blas_finish(&call);
}

/* A call that sets or returns one setting of the handle. */
#define SETTING(name, parameter, condition, action)                                                \
    cublasStatus_t name(cublasHandle_t handle, parameter)                                          \
    {                                                                                              \
        struct blas_call call = blas_begin(handle, #name, 0, CALLER);                              \
        blas_demand(&call, condition);                                                             \
        if (call.status == CUBLAS_STATUS_SUCCESS) action;                                          \
        return blas_finish(&call);                                                                 \
    }                                                                                              \
    _Static_assert(1, "the call ends with a semicolon")

SETTING(cublasGetVersion, int *version, version != NULL, *version = CUBLAS_VERSION);
SETTING(cublasSetStream, cudaStream_t stream, stream_is_valid(stream), handle->stream = stream);
SETTING(cublasGetStream, cudaStream_t *stream, stream != NULL, *stream = handle->stream);
SETTING(cublasSetPointerMode, cublasPointerMode_t mode,
        (unsigned)mode <= CUBLAS_POINTER_MODE_DEVICE, handle->pointer_mode = mode);
SETTING(cublasGetPointerMode, cublasPointerMode_t *mode, mode != NULL,
        *mode = handle->pointer_mode);
SETTING(cublasSetMathMode, cublasMath_t mode, ((unsigned)mode & 15) <= CUBLAS_TF32_TENSOR_OP_MATH,
        handle->math = mode);
SETTING(cublasGetMathMode, cublasMath_t *mode, mode != NULL, *mode = handle->math);
