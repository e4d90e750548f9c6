/*
 * runtime.h: what server/ calls of this room, and what the files of this room share: a call's
 * place, its beginning and end, faults of the host. What each CUDA call does is in serve_NAME() of
 * the file that the README names.
 */
#ifndef WARPUP_RUNTIME_H
#define WARPUP_RUNTIME_H

#include "gpu/include/driver_types.h"
#include "gpu/server/call.h"
#include "gpu/wire/serve.h"
#include "gpu/wire/texts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- for server/ ---------------------------------------------------------------------------- */

/* Called once, when the trace is open and the program has not yet run. */
void runtime_start(void);

/* Does a whole call: learns of kernels that have failed, calls `serve` unless an error forbids it,
 * remembers the error for the thread and records it. call->error is then what the call returns. */
void runtime_serve(struct call *call, serve_function *serve);

/* The program has ended: writes the records of what is still allocated, and of faults. With
 * `leaks`, the live allocations are leaks. */
void runtime_finish(bool leaks);

/* True after an error that makes every later call fail, such as an illegal address. */
bool runtime_is_broken(void);

/* ---- for this room, blas/ and textures/ ----------------------------------------------------- */

/* A place in the student's source; file NULL: it is not known. */
struct location {
    const char *file;
    int line;
};
struct location call_location(const struct call *call);

/* Notes a fault of the host at the call's place. `detail` may be NULL, and so may `kind`. */
void fault_here(const char *name, const struct call *call, uint64_t address, size_t bytes,
                const char *kind, const char *detail);
void fault_at(const char *name, struct location location, uint64_t address, size_t bytes,
              const char *kind, const char *detail);

/* A kernel has ended with this error. The program learns of it when it next waits after `time`. */
void errors_kernel_failed(cudaError_t error, int64_t time);

/* For cudaDeviceReset: forgets all errors. */
void errors_reset(void);

/* Records a failure. */
void errors_record(const struct call *call, const struct code_text *error);

/* A copy of a call that lives longer than its message: graphs keep one per node. */
struct kept_call {
    struct call call;
    struct wire_request request;
};
void keep_call(struct kept_call *kept, const struct call *call);

/* The address as a pointer of this process, in which all memory of the GPU has the same addresses.
 */
static inline void *here(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

#endif
