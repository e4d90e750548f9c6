/*
 * tracer_calls.h: a call of the CUDA runtime. tracer.c reports each call before and after it.
 */
#ifndef WARPUP_TRACER_CALLS_H
#define WARPUP_TRACER_CALLS_H

#include <stdint.h>

/* One call of the CUDA runtime. */
struct call {
    const char *name;       /* "cudaMalloc" */
    const void *parameters; /* CUPTI's structure for this call */
    const char *symbol;     /* the linker's name of a launch's kernel */
    uint32_t correlation;
    uint64_t start, end; /* end and code are known only when the call returns */
    int code;            /* cudaError_t */
};

/* Before a call: saves memory that the call will free. */
void call_entered(const struct call *call);
/* After a call: adds the events of the call. */
void call_left(const struct call *call);
/* At the end: waits for copies in flight, and saves memory that was never freed. */
void calls_finish(void);

#endif
