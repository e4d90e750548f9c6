/*
 * fault.h: faults, until they are written to the trace. A fault of one name at one place is kept
 * once, with the first block and thread that met it (in the order of blocks, whatever worker ran
 * them), and a count. Names are those of trace/README.md.
 */
#ifndef WARPUP_FAULT_H
#define WARPUP_FAULT_H

#include "gpu/ptx/ptx.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fault {
    const char *name;                /* a literal */
    const struct ptx_module *module; /* of `location`; NULL: a place of the host */
    uint32_t location;               /* of ptx_module.places */
    const char *file;                /* host code: its location, if it is known; else NULL */
    int line;
    const void *address; /* NULL: there is none */
    size_t bytes;
    const char *kind; /* "load", "store", "atomic", "copy", "free", or NULL; a literal */
    char detail[240]; /* a sentence, or empty */
    bool in_kernel, shared;
    uint32_t block[3], thread[3];
    bool has_other; /* the other thread: of a race, or one that ended before it wrote */
    bool same_warp; /* a race of two lanes of one warp */
    const char *other_kind;
    uint32_t other_location; /* of module->locations; 0: not known */
    uint32_t other_block[3], other_thread[3];
};

/* A launch begins: its grid says in which order blocks are. */
void fault_begin(const uint32_t grid[3]);

/* Keeps the fault. Any thread may call it. */
void fault_note(const struct fault *fault);

/* Drops what only blocks with a higher linear index than `block` have met in the running launch. */
void fault_forget_after(uint32_t block);

/* Drops all faults of kernels that are not written yet: their launch runs again. */
void fault_forget_kernel(void);

/* The fault of this index, 0, 1, …, of those that are not written yet, and how often it was met;
 * NULL: there is none. `line` is that of its place. */
const struct fault *fault_look(int index, long long *times, int *line);

/* Writes the faults as records of this launch (0: of the host) and forgets them. */
void fault_report(uint64_t launch, const char *kernel);

/* The variable in global or constant memory that contains this address, or is nearest to it and at
 * most `near` bytes away; NULL if there is none. */
const struct ptx_variable *name_of_global(const struct ptx_module *module, uint64_t address,
                                          uint64_t near);

/* The variable in shared memory that contains this offset or is nearest to it, among those that the
 * kernel uses. Dynamic shared memory has `dynamic` bytes. */
const struct ptx_variable *name_of_shared(const struct ptx_module *module,
                                          const struct ptx_function *kernel, uint64_t offset,
                                          uint64_t dynamic);

/* Writes into a fault's detail where an access at `at` is, of `bytes` bytes that begin at `from`
 * and have this name. */
void name_address(char *detail, size_t room, const char *name, uint64_t at, uint64_t from,
                  uint64_t bytes);

/* The variable's name, as messages say it, or "the dynamic shared memory". */
const char *name_in_words(const struct ptx_variable *variable);

#endif
