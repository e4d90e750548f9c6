/*
 * snapshot.h: device memory as it is before a launch, so that the launch can run again: a launch
 * that ran in parallel and turned out to depend on the order of its blocks. A page is copied when
 * the first store to it is announced.
 */
#ifndef WARPUP_SNAPSHOT_H
#define WARPUP_SNAPSHOT_H

#include "gpu/memory/shadow.h"

#include <stdbool.h>
#include <stdint.h>

/* From now on pages are kept before kernels change them. False if there is no memory for it. */
bool memory_snapshot(void);

/* Everything as at memory_snapshot(); faults of the running launch are dropped. Pages are kept as
 * before. */
void memory_restore(void);

/* No pages are kept any more. */
void memory_forget_snapshot(void);

enum { SNAPSHOT_PAGE = 4096 };
extern uint32_t snapshot_kept;   /* 0: no pages are kept; else what the entry of a kept page is */
extern uint32_t *snapshot_pages; /* an entry per page */
void snapshot_keep(uint64_t page);

/* A kernel is about to store these bytes. Several workers may call it. */
static inline void snapshot_before_store(uint64_t offset, uint32_t bytes)
{
    if (snapshot_kept == 0) return;
    for (uint64_t page = offset / SNAPSHOT_PAGE; page <= (offset + bytes - 1) / SNAPSHOT_PAGE;
         page++)
        if (__atomic_load_n(&snapshot_pages[page], __ATOMIC_ACQUIRE) != snapshot_kept)
            snapshot_keep(page);
}

#endif
