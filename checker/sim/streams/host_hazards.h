/*
 * host_hazards.h: what the GPU may still be working on in memory that the host can touch: managed
 * and pinned memory, and memory that was registered. Work is done when it is called for, but until
 * the program has waited for it the pages are closed to the host: to reading and writing where the
 * work writes, to writing where it only reads. A touch is a fault of the host, told with its line,
 * and opens the pages again. Only pages that the work uses as a whole are closed, so that nobody
 * meets them by chance; where there is no trace, none are.
 */
#ifndef WARPUP_HOST_HAZARDS_H
#define WARPUP_HOST_HAZARDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Work that the host has handed over and not waited for. */
struct hazard_work {
    const char *what; /* "copy", "kernel", "cublasSgemm"; lives as long as the program */
    int line;         /* where it was called for; 0 when unknown */
    int64_t end;      /* when it will be done, in the program's time */
};

/* The work reads or writes these bytes. */
void hazard_use(const struct hazard_work *work, const void *address, size_t bytes, bool writes);

/* The kernel that ran last is such work; what it used is known by its tags (race.h). */
void hazard_kernel(const struct hazard_work *work);

/* A kernel orders its writes for the host to see (__threadfence_system). Any thread may call it. */
void hazard_told_host(void);

/* The program has waited for all work that ends by this time. */
void hazard_over(int64_t time);

/* Opens device memory and these pages to the simulated GPU itself, and closes them again; calls
 * nest. */
void hazard_open(void);
void hazard_close(void);

/* Called when a touch was refused: tells the fault and opens the pages. False when they were not
 * closed here: the program is to end. */
bool hazard_touched(const char *address, bool writes, uintptr_t pc);

#endif
