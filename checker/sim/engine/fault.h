/*
 * fault.h: gathering faults. A fault of one name at one place is kept once, with the first block
 * and thread that met it and a count; the records are written when the kernel, or for the host
 * the program, ends.
 */
#ifndef WARPUP_FAULT_H
#define WARPUP_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fault {
    const char *name; /* one of the names in the trace's README; a literal */
    uintptr_t pc;     /* return address of the place; 0 when unknown */
    const char *file; /* the place itself, where it is known without the address; else NULL */
    int line;
    const void *address; /* NULL when there is none */
    size_t bytes;
    const char *kind; /* "load", "store", "atomic", "copy", "free", or NULL; a literal */
    char detail[200]; /* a sentence, or empty */
    bool in_kernel;
    bool shared; /* in shared memory: `address` is of this machine's and not told */
    uint32_t block[3], thread[3];
    bool has_other; /* a race: the thread on the other side */
    uint32_t other_block[3], other_thread[3];
};

/* Adds the fault to those gathered. Any thread may call it. */
void fault_note(const struct fault *fault);

/* Writes the gathered faults as records of this launch (0: of the host) and forgets them. */
void fault_report(uint64_t launch, const char *kernel);

#endif
