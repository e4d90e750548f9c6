/*
 * flight.h: work in flight. What the program puts into a stream is done at once here, but on a GPU
 * it runs until something has waited for it, and side by side with all other work that nothing
 * makes wait. Two such pieces of work that touch the same bytes, one of them writing, are told: on
 * another day their order is another one. Times play no part in it. What waits for what is known
 * by the streams (api_stream.c): they hand in which work a new piece comes after.
 *
 * Of copies, fills and libraries' calls the bytes are known beforehand. Those of a kernel are read
 * off the race detector's tags (shadow.h), and only where other work runs beside it. In doubt
 * nothing is told: of accesses of less than 4 bytes, which leave no tags; of device variables; of
 * kernels that touch memory in too many pieces, or come after many others in a lot of memory; of
 * those that write pinned memory, for the host may see there how far they are; where two kernels
 * write the same words and neither reads them, perhaps the same values.
 */
#ifndef WARPUP_FLIGHT_H
#define WARPUP_FLIGHT_H

#include "ranges.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t flight_set; /* pieces of work in flight, a bit each */

enum flight_kind { FLIGHT_KERNEL, FLIGHT_LIBRARY, FLIGHT_COPY, FLIGHT_FILL };
enum flight_use { FLIGHT_READ, FLIGHT_WRITE, FLIGHT_ATOMIC, FLIGHT_USES };

struct flight_work {
    enum flight_kind kind;
    uintptr_t pc;     /* where the call that asked for it returns to */
    const char *file; /* where that call is, if it says so itself; else NULL */
    int line;
    uint32_t first_tag; /* a kernel's tags begin with it (race.h) */
    bool repeats;       /* it writes nothing but what is there already */
    struct ranges uses[FLIGHT_USES];
};

/* Notes that the work uses these bytes. Those that are not the simulated GPU's do not count. */
void flight_touch(struct flight_work *work, enum flight_use use, const void *address, size_t bytes);

/* True when work is in flight beside what comes after `before`. */
bool flight_has_company(flight_set before);

/* To be called before a kernel runs that comes after `before`: it will change the tags. */
void flight_prepare(flight_set before);

/* The bit of the next piece of work. The longest in flight gives way when there are too many. */
flight_set flight_next(void);

/* The work is in flight from now on, as `own`, after all that is in `before`; its ranges are no
 * longer the caller's. Returns `before`, with what it has been told to clash with, or may as well
 * come after. */
flight_set flight_add(const struct flight_work *work, flight_set own, flight_set before);

/* The host has waited for these. */
void flight_land(flight_set ended);

#endif
