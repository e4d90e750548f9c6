/*
 * fault.h: faults, until they are written to the trace. A fault of one name at one place is kept
 * once, with the first block and thread that met it, and a count. The records are written when the
 * kernel ends, or for host code when the program ends.
 */
#ifndef WARPUP_FAULT_H
#define WARPUP_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fault {
    const char *name; /* one of the names in the trace's README; a literal */
    uintptr_t pc;     /* return address of the place; 0 when unknown */
    const char *file; /* the place itself, if it is known without `pc`; else NULL */
    int line;
    const void *address; /* NULL when there is none */
    size_t bytes;
    const char *kind; /* "load", "store", "atomic", "copy", "free", or NULL; a literal */
    char detail[200]; /* a sentence, or empty */
    bool in_kernel;
    bool shared; /* in shared memory; `address` is then not set */
    uint32_t block[3], thread[3];
    bool has_other;         /* the other thread: of a race, or one that ended before it wrote */
    const char *other_kind; /* what the other thread of a race did, as `kind`; else NULL */
    uintptr_t other_pc;     /* where that thread ended; 0 when unknown */
    uint32_t other_block[3], other_thread[3];
};

struct warp;
struct request;

/* A fault of one lane of the request, or of a thread of the running launch by its linear indices,
 * which the caller completes. Sets the other thread of a race. */
struct fault fault_of_lane(const struct warp *warp, const struct request *request, uint32_t lane,
                           const char *name);
struct fault fault_of_thread(const char *name, uintptr_t pc, uint32_t block, uint32_t thread);
void fault_set_other(struct fault *fault, uint32_t block, uint32_t thread);

/* Keeps the fault. Any thread may call it. */
void fault_note(const struct fault *fault);

/* Keeps a fault of the running CUDA thread, or of host code if none runs. `address`, `kind` and
 * `detail` may be NULL. */
void fault_here(const char *name, uintptr_t pc, const void *address, size_t bytes, const char *kind,
                const char *detail);

/* Writes the faults as records of this launch (0: of the host) and forgets them. */
void fault_report(uint64_t launch, const char *kernel);

#endif
