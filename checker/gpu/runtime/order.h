/*
 * order.h: work in flight, and its order. The simulator does the work of a stream immediately. On a
 * GPU that work runs until something has waited for it, at the same time as all other work that
 * nothing orders. Two such operations are reported if they access the same bytes and one of
 * them writes: their order may differ from run to run. Times do not matter. stream.c knows what
 * waits for what, and passes the set of work that comes before each new operation. Memory that a
 * stream allocates or frees (cudaMallocAsync, cudaFreeAsync) is such work too: it changes all its
 * bytes.
 *
 * The bytes of copies, fills and library calls are known in advance. The bytes of a kernel are read
 * from what memory/ remembers of each word (footprint.h), but only if other work is in flight
 * beside it. In doubt nothing is reported: for kernels that access memory in too many ranges, or
 * come after many others in a lot of memory; for kernels that write pinned memory, because the host
 * may see their progress there; and where two kernels write the same words and neither reads them,
 * because the values may be the same.
 */
#ifndef WARPUP_STREAM_ORDER_H
#define WARPUP_STREAM_ORDER_H

#include "gpu/runtime/ranges.h"
#include "gpu/runtime/runtime.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t order_set; /* operations in flight, one bit each */

enum order_kind {
    ORDER_KERNEL,
    ORDER_LIBRARY,
    ORDER_COPY,
    ORDER_FILL,
    ORDER_ALLOCATION,
    ORDER_FREE
};
enum order_use { ORDER_READ, ORDER_WRITE, ORDER_ATOMIC, ORDER_USES };

struct order_work {
    enum order_kind kind;
    struct location location; /* of the call that started it */
    uint64_t launch;          /* a kernel's, or a library's; else 0 */
    uint64_t ran; /* the launch whose kernel ran: an earlier one, if this one repeats it */
    bool repeats; /* it only writes what is already there */
    struct ranges uses[ORDER_USES];
};

/* Notes that the work uses these bytes. Bytes outside the simulated GPU's memory do not count. */
void order_touch(struct order_work *work, enum order_use use, uint64_t address, size_t bytes);

/* True if work is in flight that is not in `before`. */
bool order_has_company(order_set before);

/* The first launch whose kernel is in flight and not in `before`; 0 if there is none. */
uint64_t order_running(order_set before);

/* Call this before something that comes after `before` changes what is remembered of memory: before
 * a kernel runs, and before memory is freed. */
void order_prepare(order_set before);

/* The bit of the next operation. If there are too many, the oldest one is forgotten. */
order_set order_next(void);

/* The work is in flight from now on, as `own`, after everything in `before`; takes over its ranges.
 * Returns `before`, plus the work with which it conflicts, so that later work is not reported
 * again. */
order_set order_add(const struct order_work *work, order_set own, order_set before);

/* The host has waited for these. */
void order_land(order_set ended);

#endif
