/*
 * record.h: what a launch did, as records of the trace: `kernel`, `access` with its `sample`
 * records, `arithmetic`. trace/README.md describes their fields. The counts of instructions are
 * added up by their place in the source.
 */
#ifndef WARPUP_RECORD_H
#define WARPUP_RECORD_H

#include "gpu/time/model.h"

#include <stdbool.h>
#include <stdint.h>

/* The part of a kernel record that neither the launch nor its tally knows. */
struct kernel_record {
    int64_t start, end;  /* ns since the trace began */
    const char *library; /* NULL: it is the program's own */
    bool aborted;
    bool repeats; /* taken over from the launch before */
};

/* Writes the `kernel` record. */
void record_kernel(const struct launch *launch, const struct tally *tally,
                   const struct kernel_time *time, const struct kernel_record *record);

/* Writes the `kernel` record of a library's kernel that was not executed, such as one of cuBLAS. */
void record_library_kernel(uint64_t launch, const struct kernel_record *record, uint64_t load_bytes,
                           uint64_t store_bytes);

/* Writes the `access` records, each with its `sample` records unless the launch repeats the one
 * before, and the `arithmetic` records. Nothing if no trace is open. */
void record_accesses(const struct launch *launch, const struct tally *tally, bool repeats);

#endif
