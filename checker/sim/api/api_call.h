/*
 * api_call.h: what the host's calls share: how a call begins and ends, and the error that it
 * leaves.
 */
#ifndef WARPUP_API_CALL_H
#define WARPUP_API_CALL_H

#include "cuda_runtime_api.h"

#include <stdbool.h>
#include <stdint.h>

/* A call that the host has made. One runs at a time, and the virtual clock stands still during it.
 */
struct call {
    const char *name;
    uintptr_t pc; /* where it returns to */
    cudaError_t error;
};

/* Begins a call. Its error is already set if it may do nothing: inside a kernel, and after an error
 * from which a program cannot recover. */
struct call api_begin(const char *name, uintptr_t pc);

/* Ends it: the error is remembered, recorded and returned. */
cudaError_t api_end(const struct call *call);

/* The body of a call: `expression` does the work, sees `call`, and gives the error. */
#define API_AS(name, expression)                                                                   \
    struct call call = api_begin(name, (uintptr_t)__builtin_return_address(0));                    \
    if (call.error == cudaSuccess) call.error = (expression);                                      \
    return api_end(&call)
#define API(expression) API_AS(__func__, expression)

/* A whole call of CUDA, with its parameters in parentheses. */
#define CALL(name, parameters, expression)                                                         \
    cudaError_t name parameters                                                                    \
    {                                                                                              \
        API_AS(#name, expression);                                                                 \
    }                                                                                              \
    _Static_assert(1, "the call ends with a semicolon")

/* Writes the record of a call that failed. */
void api_record_error(const struct call *call, int code, const char *name, const char *text);

/* A kernel has ended with this error. The program learns of it when it next waits after `time`. */
void api_kernel_failed(cudaError_t error, int64_t time);

/* True after an error that makes every later call fail, such as an illegal address. */
bool api_is_broken(void);

/* For cudaDeviceReset: forgets all errors. */
void api_reset_errors(void);

/* Adds "file" and "line" of a call to the open record. */
void api_source(const struct call *call);

/* The place in the program of a call that may come from a library. */
uintptr_t api_caller_pc(const struct call *call);

/* The line alone; 0 if it is not known, or if there is no trace. */
int api_line(const struct call *call);

/* Writes one line on stderr, and an `unknown` record: the simulated GPU does not have this. */
void api_unknown(const char *what, uintptr_t pc);

#endif
