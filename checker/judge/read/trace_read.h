/*
 * trace_read.h: a trace.jsonl in memory. ../trace/README.md describes the format; nothing in the
 * file is trusted. Records keep the order of the file. Events that the judge does not need are left
 * out.
 */
#ifndef WARPUP_TRACE_READ_H
#define WARPUP_TRACE_READ_H

#include "judge/read/arena.h"

#include <stdint.h>

enum event {
    EVENT_ALLOC,
    EVENT_COPY,
    EVENT_SET,
    EVENT_FREE,
    EVENT_LAUNCH,
    EVENT_KERNEL,
    EVENT_SYNC,
    EVENT_ACCESS,
    EVENT_ARITHMETIC,
    EVENT_CLOCK,
    EVENT_MARK,
    EVENT_ELAPSED,
    EVENT_ERROR,
    EVENT_FAULT,
    EVENT_FINAL,
    EVENT_UNKNOWN,
    EVENT_PERTURBED,
    EVENT_LARGER,
    EVENT_KINDS,
    EVENT_FORGIVEN /* a fault that turned out to be none */
};

/* Codes of errors with which a kernel ended */
enum { FIRST_KERNEL_ERROR = 700, LAST_KERNEL_ERROR = 719 };

enum { LAUNCH_POINTERS = 8 }; /* of which the judge takes notice */

/* A launch that wrote bytes that came to the host, and how many it wrote last. */
struct writer {
    uint64_t launch;
    double bytes;
};

/* The counts of one kernel's loads, or stores. */
struct traffic {
    double requests, sectors, ideal, bytes;
};

struct record {
    enum event event;
    int line;          /* 0 when the place is not known */
    const char *file;  /* the student's source; NULL when not known */
    double start, end; /* ns; both are `t` if the event takes no time */
    union {
        struct {
            uint64_t id, bytes, address;
            const char *space;
        } alloc;
        struct {
            uint64_t bytes, host, from, to, offset;
            uint64_t kernel_bytes; /* d2h: bytes that a kernel wrote last; 0 when not known */
            uint64_t host_bytes;   /* d2h: bytes that the host had written, and no kernel */
            uint64_t last_kernel;  /* d2h: the last launch that wrote one of them; 0: not known */
            const struct writer *writers; /* d2h: the launches that wrote them, if they are known */
            size_t writer_count;
            uint64_t row_bytes;  /* d2h: of rows that are apart on the host; 0: they are not */
            uint64_t host_pitch; /* from the start of one such row to the next */
            double stream;
            const char *direction, *data; /* data: NULL when not kept */
            bool pageable;                /* the host's memory is not pinned, as far as is known */
        } copy;
        struct {
            uint64_t id; /* of the allocation */
        } free;
        struct {
            uint64_t id, error;
            uint32_t grid[3], block[3];
            uint32_t cluster[3];    /* 0: no clusters */
            double shared;          /* dynamic bytes */
            double blocks, threads; /* of the grid; of a block */
            double returned;        /* ns, when the call returned; `start` when that is not known */
            const char *kernel, *error_name;
            const char *library; /* the library call that ran it; NULL for other kernels */
            const char
                *same_shared; /* of several extern shared arrays, the last; NULL: no others */
            uint64_t pointers[LAUNCH_POINTERS]; /* the first allocations that its arguments point
                                                   to; 0 after the last one */
        } launch;
        struct {
            uint64_t id;
            double registers, static_shared; /* 0 when not known */
            const char *library;             /* as in its launch */
            bool counted; /* by the simulated GPU: only then the fields below are valid */
            double threads, dram_bytes, overlap_bytes, tensor_flops, start_ns, part_ns;
            const char *kind;    /* what limits it, by the model; NULL for a library's */
            double even_threads; /* as many would do if each did as much as the busiest one */
            double moved_bytes;  /* of dram_bytes, those of managed memory that moved to the GPU */
            double doubles_cost_ns, divisions_cost_ns; /* parts of its time, by the model */
            bool repeats; /* it was not run again: the launch before it was the same */
            struct traffic load, store, atomic; /* of atomics only requests and sectors */
            /* Where a thread took a value that a lane of its warp did not give; else NULL and 0 */
            const char *lost_file;
            int lost_line;
            double loaded, written; /* bytes; an atomic reads what it updates, and writes it */
        } kernel;
        struct {
            uint64_t kernel, size, worst_lanes;
            uint64_t worst_used;          /* sectors, or wavefronts, of the worst request */
            bool shared;                  /* an access to shared memory: `used` counts wavefronts */
            double requests, used, lanes; /* used: sectors or wavefronts */
            /* The part of requests, used and lanes in requests to global memory that move more than
             * twice what lanes ask for */
            double poor_requests, poor_used, poor_lanes, poor_ideal;
            double ideal; /* the smallest number that would be enough */
            const char *kind;
        } access;
        struct {
            uint64_t kernel;
            /* Operations of one source line, by all threads; conversions are from or to double */
            double floats, float_divisions, doubles, double_divisions, conversions;
            double divisions, divisions_64; /* of integers */
        } arithmetic;
        struct {
            uint64_t running; /* the first launch that nobody has waited for; 0: not known */
        } sync;
        struct {
            uint64_t id;      /* of the event that was recorded */
            uint64_t running; /* the first launch that the event does not wait for; 0: not known */
        } mark;
        struct {
            uint64_t from, to; /* ids of marks */
            double ms;
        } elapsed;
        struct {
            uint64_t code, bytes; /* what a failed allocation asked for, 0 if it is not known */
            const char *call, *name, *text;
        } error;
        struct {
            uint64_t alloc, bytes, count;
            int64_t offset; /* of the access, from its allocation's start; 0 when not known */
            uint64_t alloc_bytes;
            uint32_t block[3], thread[3], other_block[3], other_thread[3];
            bool in_kernel, shared; /* true for shared memory */
            bool same_warp;         /* both threads of a race are in one warp */
            bool has_other;         /* other_thread is known: there is only one */
            const char *other_kind; /* what the other access of a race did; NULL when not known */
            int other_line;         /* the line of the other access of a race; 0 when not known */
            const char *name, *kind, *detail;
        } fault;
        struct {
            uint64_t alloc, bytes;
            uint64_t kernel_bytes; /* bytes that a kernel wrote last; 0 when not known */
            const char *data;
            bool leaked;
        } final;
        struct {
            const char *what;
        } unknown;
        struct {
            uint64_t numbers; /* that were perturbed before a kernel */
        } perturbed;
        struct {
            const char *arguments, *why; /* why: it was not tried; else NULL */
            bool outside,
                silent; /* an access left its array; no thread of block 0 stored anything */
            uint32_t grid[3], block[3], thread[3];
            uint64_t kernel, alloc, alloc_bytes, bytes; /* kernel: its launch */
            int64_t offset;                             /* of the access, from its array's start */
            const char *kind;
        } larger;
    };
};

/* Records of a kind, sorted by id, kernels by their start; of equal ones, and of those without an
 * id, the earlier one comes first. */
struct trace_index {
    const struct record **list;
    size_t count;
};

struct trace {
    const char *device, *profile; /* its name and profile; profile is NULL on a real GPU */
    bool simulated;
    double capability, sms;           /* 90 for 9.0 */
    uint64_t memory_bytes, l2_bytes;  /* of the GPU; 0 when not known */
    double copy_gbs, gflops, bus_gbs; /* limits of the profile; 0 when not known */
    struct record *records;
    size_t count;
    struct trace_index allocs, launches, kernels, marks, clocks, elapsed;
};

/* Reads the trace at `path`; messages call it `name`. The trace of a program that `died` may end
 * anywhere, and is read to its end. Returns NULL, or one sentence that says what is wrong in which
 * line. */
const char *trace_read(struct arena *arena, const char *path, const char *name, bool died,
                       struct trace *trace);

/* The first record of this kind at or after `from`; NULL when there is none. */
const struct record *trace_next(const struct trace *trace, const struct record *from,
                                enum event event);

/* The first record of this kind; NULL when there is none. */
static inline const struct record *trace_first(const struct trace *trace, enum event event)
{
    return trace_next(trace, trace->records, event);
}

/* The allocation of this id; NULL when there is none. */
const struct record *trace_alloc(const struct trace *trace, uint64_t id);

/* The recorded event of this id; NULL when there is none. */
const struct record *trace_mark(const struct trace *trace, uint64_t id);

/* The launch of this id; NULL when there is none. */
const struct record *trace_launch(const struct trace *trace, uint64_t id);

/* True when two launches are one, or like each other: of one kernel, with the same grid and block.
 */
bool trace_alike(const struct trace *trace, uint64_t left, uint64_t right);

/* True when they also write as many bytes: an argument, or what is in memory, may decide that one
 * of two launches only pretends. */
bool trace_writes_alike(const struct trace *trace, uint64_t left, uint64_t right);

/* The seconds from the start of a record to that of another. */
static inline double trace_seconds(const struct record *from, const struct record *to)
{
    return (to->start - from->start) * 1e-9;
}

/* How many kernels ran. */
static inline size_t trace_kernels(const struct trace *trace)
{
    return trace->kernels.count;
}

/* A loop over all records of one kind: TRACE_EACH (trace, EVENT_COPY, r) { … } */
#define TRACE_EACH(trace, event, r)                                                                \
    for (const struct record *r = trace_first(trace, event); r != NULL;                            \
         r = trace_next(trace, r + 1, event))

#endif
