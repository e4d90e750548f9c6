/*
 * host_hazards.h: what the GPU may still be using of memory that the host can access: managed,
 * pinned and registered memory. The simulator does work immediately, but closes the pages to the
 * host until the program has waited for the work: to reading and writing if the work writes there,
 * to writing if it only reads. An access is a fault of the host, reported with its line, and opens
 * the pages again. Only pages that the work uses completely are closed, so that other data on them
 * stay accessible. Without a trace no pages are closed.
 */
#ifndef WARPUP_HOST_HAZARDS_H
#define WARPUP_HOST_HAZARDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Work that the host has started and not waited for. */
struct hazard_work {
    const char *what; /* "copy", "kernel", "cublasSgemm"; lives as long as the program */
    int line;         /* of the call that started it; 0 if unknown */
    int64_t end;      /* when it will be done, in the program's time */
};

/* The work reads or writes these bytes. */
void hazard_use(const struct hazard_work *work, const void *address, size_t bytes, bool writes);

/* The kernel that ran last is such work. Its tags (race.h) show what it used. */
void hazard_kernel(const struct hazard_work *work);

/* A kernel makes its writes visible to the host (__threadfence_system). Any thread may call it. */
void hazard_fenced(void);

/* The program has waited for all work that ends by this time. */
void hazard_over(int64_t time);

/* Opens device memory and these pages to the simulated GPU itself, and closes them again; calls
 * nest. */
void hazard_open(void);
void hazard_close(void);

/* Called after an access to a closed page: reports the fault and opens the pages. False if they
 * were not closed here, and the program has to end. */
bool hazard_touched(const char *address, bool writes, uintptr_t pc);

#endif
