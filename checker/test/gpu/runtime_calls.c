/*
 * runtime_calls.c: CUDA calls as the GPU's process serves them, without a program: the test takes
 * the program's place. It has the memory of both sides, and looks at errors, results and actions.
 */
#include "gpu/memory/memory.h"
#include "gpu/runtime/runtime.h"
#include "gpu/server/clock.h"
#include "gpu/server/modules.h"
#include "gpu/time/profile.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what server/ does -------------------------------------------------------------------------
 */

static int64_t now;
static int actions[16]; /* by kind */
static uint64_t hosts;  /* host functions called */
static uint64_t answer; /* the last result */

int64_t clock_now(void)
{
    return now;
}
void clock_add(double ns)
{
    now += (int64_t)ns;
}
void clock_wait_until(int64_t time)
{
    if (time > now) now = time;
}
void clock_visit(int64_t time)
{
    (void)time;
}
void clock_expect(int64_t time)
{
    (void)time;
}
void call_action(struct wire_action action)
{
    actions[action.kind]++;
}
void call_answer(const void *data, size_t bytes)
{
    memcpy(&answer, data, bytes < sizeof answer ? bytes : sizeof answer);
}
void call_print(const char *text, size_t bytes)
{
    fwrite(text, 1, bytes, stdout);
}
bool call_read(uint64_t address, void *to, size_t bytes)
{
    memcpy(to, here(address), bytes);
    return true;
}
bool call_write(uint64_t address, const void *from, size_t bytes)
{
    memcpy(here(address), from, bytes);
    return true;
}
bool call_read_rows(uint64_t address, size_t pitch, void *to, size_t own_pitch, size_t width,
                    size_t rows)
{
    for (size_t i = 0; i < rows; i++)
        memcpy((char *)to + i * own_pitch, here(address + i * pitch), width);
    return true;
}
bool call_write_rows(uint64_t address, size_t pitch, const void *from, size_t own_pitch,
                     size_t width, size_t rows)
{
    for (size_t i = 0; i < rows; i++)
        memcpy(here(address + i * pitch), (const char *)from + i * own_pitch, width);
    return true;
}
bool call_move_rows(uint64_t to, size_t to_pitch, uint64_t from, size_t from_pitch, size_t width,
                    size_t rows)
{
    for (size_t i = 0; i < rows; i++)
        memmove(here(to + i * to_pitch), here(from + i * from_pitch), width);
    return true;
}
bool call_flush(void)
{
    return true;
}
bool call_host(uint64_t function, uint64_t data, int kind, uint64_t stream, cudaError_t status)
{
    (void)kind;
    (void)stream;
    (void)status;
    hosts += function + data;
    return true;
}
void call_source(const struct call *call)
{
    (void)call;
}
int call_line(const struct call *call, const char **file)
{
    (void)call;
    *file = "test.cu";
    return 1;
}
void call_unknown(const struct call *call, const char *what)
{
    (void)call;
    fprintf(stderr, "unknown: %s\n", what);
}
const struct ptx_function *module_kernel(uint64_t stub, cudaError_t *error)
{
    (void)stub;
    *error = cudaErrorInvalidDeviceFunction;
    return NULL;
}
const struct ptx_variable *module_variable(uint64_t shadow)
{
    (void)shadow;
    return NULL;
}
const struct ptx_variable *module_variable_at(uint64_t address)
{
    (void)address;
    return NULL;
}

/* ---- the program -------------------------------------------------------------------------------
 */

/* Makes a call with these arguments; for a result, 1 says that its place is there. */
#define DO(name, ...)  make(#name, take_##name, (const uint64_t[16]){__VA_ARGS__}, NULL, 0)
#define RAW(name, ...) make(#name, serve_##name, (const uint64_t[16]){__VA_ARGS__}, NULL, 0)

static cudaError_t make(const char *name, serve_function *serve, const uint64_t arguments[16],
                        const void *payload, size_t bytes)
{
    static struct wire_request request;
    static struct wire_reply reply;
    request.thread = 1;
    request.payload = (uint32_t)bytes;
    memcpy(request.argument, arguments, sizeof request.argument);
    answer = 0;
    struct call call = {.name = name,
                        .request = &request,
                        .argument = request.argument,
                        .payload = payload,
                        .reply = &reply};
    runtime_serve(&call, serve);
    return call.error;
}

serve_function serve_cudaLaunchKernel, serve_cudaGraphInstantiate;

enum { N = 1000 };

static int passed;
#define EXPECT(condition) (assert(condition), passed++)

static uint64_t copy(uint64_t to, uint64_t from, size_t bytes, int kind)
{
    return DO(cudaMemcpy, to, from, bytes, (uint64_t)kind);
}

static void test_memory(void)
{
    int list[N], back[N];
    for (int i = 0; i < N; i++)
        list[i] = i;
    EXPECT(DO(cudaMalloc, 1, sizeof list) == cudaSuccess);
    uint64_t device = answer;
    EXPECT(memory_owns(here(device)));
    EXPECT(copy(device, (uintptr_t)list, sizeof list, cudaMemcpyHostToDevice) == cudaSuccess);
    EXPECT(copy((uintptr_t)back, device, sizeof back, cudaMemcpyDeviceToHost) == cudaSuccess);
    EXPECT(memcmp(list, back, sizeof list) == 0);
    EXPECT(copy(device, (uintptr_t)list, sizeof list + 4, cudaMemcpyHostToDevice) ==
           cudaErrorInvalidValue);
    EXPECT(copy(device, (uintptr_t)list, 4, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    EXPECT(copy(device, (uintptr_t)list, 4, 7) == cudaErrorInvalidMemcpyDirection);
    EXPECT(DO(cudaMemset, device, 1, sizeof list) == cudaSuccess);
    EXPECT(copy((uintptr_t)back, device, sizeof back, cudaMemcpyDefault) == cudaSuccess &&
           back[5] == 0x01010101);
    EXPECT(DO(cudaFreeHost, device) == cudaErrorInvalidValue);
    EXPECT(DO(cudaFree, device + 4) == cudaErrorInvalidValue);
    EXPECT(DO(cudaFree, device) == cudaSuccess);
    EXPECT(DO(cudaFree, device) == cudaErrorInvalidValue);
    EXPECT(DO(cudaGetLastError, 0) == cudaErrorInvalidValue);
    EXPECT(DO(cudaGetLastError, 0) == cudaSuccess);
}

static void test_streams(void)
{
    EXPECT(DO(cudaStreamCreate, 0) == cudaErrorInvalidValue);
    EXPECT(DO(cudaStreamCreate, 1) == cudaSuccess);
    uint64_t stream = answer;
    EXPECT(DO(cudaMalloc, 1, 1 << 20) == cudaSuccess);
    uint64_t device = answer;
    EXPECT(DO(cudaMallocHost, 1, 1 << 20) == cudaSuccess);
    uint64_t host = answer;
    EXPECT(actions[ACTION_MAP] == 1);
    memset(here(host), 1, 1 << 20);
    EXPECT(DO(cudaEventCreate, 1) == cudaSuccess);
    uint64_t first = answer;
    EXPECT(DO(cudaEventCreate, 1) == cudaSuccess);
    uint64_t last = answer;
    EXPECT(DO(cudaEventRecord, first, stream) == cudaSuccess);
    EXPECT(DO(cudaMemcpyAsync, device, host, 1 << 20, cudaMemcpyHostToDevice, stream) ==
           cudaSuccess);
    EXPECT(DO(cudaEventRecord, last, stream) == cudaSuccess);
    EXPECT(DO(cudaStreamQuery, stream) == cudaErrorNotReady);
    EXPECT(DO(cudaEventElapsedTime, 1, first, last) == cudaErrorNotReady);
    EXPECT(DO(cudaStreamSynchronize, stream) == cudaSuccess);
    EXPECT(DO(cudaStreamQuery, stream) == cudaSuccess);
    EXPECT(DO(cudaEventElapsedTime, 1, first, last) == cudaSuccess && answer != 0);
    EXPECT(DO(cudaLaunchHostFunc, stream, 3, 4) == cudaSuccess && hosts == 7);
    EXPECT(DO(cudaStreamQuery, last) == cudaErrorInvalidResourceHandle);
    EXPECT(DO(cudaEventRecord, stream, last) == cudaErrorInvalidResourceHandle);
    const struct wire_launch launch = {.function = 1, .grid = {1, 1, 1}, .block = {1, 1, 1}};
    EXPECT(RAW(cudaLaunchKernel, 0) == cudaErrorInvalidValue);
    EXPECT(make("cudaLaunchKernel", serve_cudaLaunchKernel, (const uint64_t[16]){0}, &launch,
                sizeof launch) == cudaErrorInvalidDeviceFunction);

    EXPECT(DO(cudaStreamBeginCapture, stream, 0) == cudaSuccess);
    EXPECT(DO(cudaLaunchHostFunc, stream, 1, 0) == cudaSuccess && hosts == 7);
    EXPECT(DO(cudaStreamEndCapture, stream, 1) == cudaSuccess);
    EXPECT(RAW(cudaGraphInstantiate, 1, answer, 0) == cudaSuccess);
    uint64_t whole = answer;
    EXPECT(DO(cudaGraphLaunch, whole, stream) == cudaSuccess && hosts == 8);
    EXPECT(DO(cudaGraphLaunch, stream, stream) == cudaErrorInvalidValue);
    EXPECT(DO(cudaStreamDestroy, stream) == cudaSuccess);
    EXPECT(DO(cudaStreamDestroy, stream) == cudaErrorInvalidResourceHandle);
    EXPECT(DO(cudaFreeHost, host) == cudaSuccess && actions[ACTION_UNMAP] == 1);
    EXPECT(DO(cudaDeviceSynchronize, 0) == cudaSuccess);
}

int main(void)
{
    EXPECT(memory_reserve(UINT64_C(0x0a0000000000), UINT64_C(4) << 30));
    runtime_start();
    test_memory();
    test_streams();
    printf("%d passed\n", passed);
    return 0;
}
