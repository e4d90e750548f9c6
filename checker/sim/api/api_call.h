/*
 * api_call.h: what the host's calls share: how a call begins and ends, and the error that it
 * leaves.
 */
#ifndef WARPUP_API_CALL_H
#define WARPUP_API_CALL_H

#include "cuda_runtime_api.h"

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

#endif
