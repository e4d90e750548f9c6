/*
 * hazards.h: what the GPU may still be using of memory that the host can access: managed, pinned
 * and registered memory. The simulator does work immediately, but closes the program's pages until
 * the program has waited for the work: to reading and writing if the work writes there, to writing
 * if it only reads. An access is a fault of the host, reported with its line, and opens the pages
 * again. Only pages that the work uses completely are closed, so that other data on them stay
 * accessible. Without a trace no pages are closed.
 */
#ifndef WARPUP_HAZARDS_H
#define WARPUP_HAZARDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call;

/* Work that the host has started and not waited for. */
struct hazard_work {
    const char *what; /* "copy", "kernel", "cublasSgemm"; lives as long as the process */
    int line;         /* of the call that started it; 0 if unknown */
    int64_t end;      /* when it will be done, in the program's time */
};

/* The work reads or writes these bytes. */
void hazard_use(const struct hazard_work *work, uint64_t address, size_t bytes, bool writes);

/* The kernel of this launch, which ran last, is such work. */
void hazard_kernel(const struct hazard_work *work, uint64_t launch);

/* The program has waited for all work that ends by this time. */
void hazard_over(int64_t time);

/* The program is going to access these bytes for the GPU: opens the pages; closes them again. */
void hazard_lift(uint64_t address, size_t bytes);
void hazard_lower(uint64_t address, size_t bytes);

/* The pages of this range are no longer closed by anything: its memory is freed. */
void hazard_forget(uint64_t address, size_t bytes);

/* The program has met a closed page: reports the fault and opens the pages. False if they were not
 * closed here, and the program has to end. */
bool hazard_touched(uint64_t address, bool writes, const struct call *call);

#endif
