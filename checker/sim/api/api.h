/*
 * api.h: what the host's calls share: how a call begins and ends, what it leaves behind when it
 * fails, the streams' timelines, and copies.
 */
#ifndef WARPUP_API_H
#define WARPUP_API_H

#include "cuda_runtime_api.h"
#include "sim/streams/stream_order.h"

#include <stdbool.h>
#include <stdint.h>

/* A call of the host under way. One runs at a time; the virtual clock stands still meanwhile. */
struct call {
    const char *name;
    uintptr_t pc; /* where it returns to */
    cudaError_t error;
};

/* Begins a call. Its error is already set when nothing may be done: inside a kernel, and after an
 * error from which a program cannot recover. */
struct call api_begin(const char *name, uintptr_t pc);

/* Ends it: the error is remembered, recorded and returned. */
cudaError_t api_end(const struct call *call);

/* The body of a call: `expression` does the work, sees `call`, and gives the error. */
#define API_AS(name, expression)                                                                   \
    struct call call = api_begin(name, (uintptr_t)__builtin_return_address(0));                    \
    if (call.error == cudaSuccess) call.error = (expression);                                      \
    return api_end(&call)
#define API(expression) API_AS(__func__, expression)

/* What a kernel ended with becomes known to the program when it next waits, from `time` on. */
void api_kernel_failed(cudaError_t error, int64_t time);

/* True once an error that stays, such as an illegal address, has made every later call fail. */
bool api_is_broken(void);

/* cudaDeviceReset: no error stays, and what is still allocated is no leak. */
void api_reset_errors(void);

/* Gives "file" and "line" of a call to the open record. */
void api_source(const struct call *call);

/* The line alone; 0 when it is not known, or there is no trace that would tell it. */
int api_line(const struct call *call);

/* One line on stderr and an `unknown` record: the simulated GPU has no such thing. */
void api_unknown(const char *what, uintptr_t pc);

/* Work put into a stream: when it may begin, and that it is done at a time. */
int64_t stream_start(cudaStream_t stream);
void stream_finish(cudaStream_t stream, int64_t end);
bool stream_is_valid(cudaStream_t stream);
long long stream_number(cudaStream_t stream); /* 0 is the default stream */

/* The work in flight that what is put into a stream now comes after. Puts more there. The host has
 * waited for all that a stream holds. */
order_set stream_before(cudaStream_t stream);
void stream_put(cudaStream_t stream, const struct order_work *work);
void stream_wait(cudaStream_t stream);

/* The program waits until all work that ends by this time is done. */
void stream_wait_until(int64_t time);

/* When all work of all streams is done. Waits for it. Destroys all streams and events. */
int64_t stream_all_done(void);
void stream_wait_all(void);
void stream_reset(void);

/* A call of a library that works as one kernel. */
struct library_kernel {
    const char *library, *name; /* "cublas", "cublasSgemm" */
    uint64_t blocks;
    cudaStream_t stream;
    double load_bytes, store_bytes;
    double ns;         /* modelled */
    cudaError_t error; /* how it ends */
};

/* Puts it into its stream and writes its launch and kernel records, with the faults told since the
 * last kernel; returns when it will be done. */
int64_t launch_library(const struct call *call, const struct library_kernel *kernel);

/* Writes the closing records of all allocations; frees none. `leaked` tells what has become of
 * those that still live. */
void allocations_report(bool leaked);

/* The allocation that begins at `pointer` and lives; NULL when there is none. */
struct allocation *allocation_at(const void *pointer);

/* Bytes of dynamic shared memory that the device image's kernel may be launched with. */
size_t function_shared_limit(const void *kernel);

#endif
