/*
 * stream_order.h: work in flight. What the program puts into a stream is done at once here, but on
 * a GPU it runs until something has waited for it, and side by side with all other work that
 * nothing makes wait. Two such pieces of work that touch the same bytes, one of them writing, are
 * told: on another day their order is another one. Times play no part in it. What waits for what is
 * known by the streams (api_stream.c): they hand in which work a new piece comes after.
 *
 * Of copies, fills and libraries' calls the bytes are known beforehand. Those of a kernel are read
 * off the race detector's tags (shadow.h), and only where other work runs beside it. In doubt
 * nothing is told: of accesses of less than 4 bytes, which leave no tags; of device variables; of
 * kernels that touch memory in too many pieces, or come after many others in a lot of memory; of
 * those that write pinned memory, for the host may see there how far they are; where two kernels
 * write the same words and neither reads them, perhaps the same values.
 */
#ifndef WARPUP_STREAM_ORDER_H
#define WARPUP_STREAM_ORDER_H

#include "sim/streams/ranges.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t order_set; /* pieces of work in flight, a bit each */

enum order_kind { ORDER_KERNEL, ORDER_LIBRARY, ORDER_COPY, ORDER_FILL };
enum order_use { ORDER_READ, ORDER_WRITE, ORDER_ATOMIC, ORDER_USES };

struct order_work {
    enum order_kind kind;
    uintptr_t pc;     /* where the call that asked for it returns to */
    const char *file; /* where that call is, if it says so itself; else NULL */
    int line;
    uint32_t first_tag; /* a kernel's tags begin with it (race.h) */
    bool repeats;       /* it writes nothing but what is there already */
    struct ranges uses[ORDER_USES];
};

/* Notes that the work uses these bytes. Those that are not the simulated GPU's do not count. */
void order_touch(struct order_work *work, enum order_use use, const void *address, size_t bytes);

/* True when work is in flight beside what comes after `before`. */
bool order_has_company(order_set before);

/* To be called before a kernel runs that comes after `before`: it will change the tags. */
void order_prepare(order_set before);

/* The bit of the next piece of work. The longest in flight gives way when there are too many. */
order_set order_next(void);

/* The work is in flight from now on, as `own`, after all that is in `before`; its ranges are no
 * longer the caller's. Returns `before`, with what it has been told to clash with, or may as well
 * come after. */
order_set order_add(const struct order_work *work, order_set own, order_set before);

/* The host has waited for these. */
void order_land(order_set ended);

#endif
