/*
 * launch.h: running a kernel. launch_run() executes every block of the grid on this machine's cores
 * and returns what they did; memory/ has counted their accesses in the tally and noted their
 * faults.
 */
#ifndef WARPUP_LAUNCH_H
#define WARPUP_LAUNCH_H

#include "gpu/memory/tally.h"
#include "gpu/ptx/ptx.h"

#include <stdbool.h>
#include <stdint.h>

struct launch {
    uint64_t id; /* of its launch record: 1, 2, … */
    const struct ptx_function *kernel;
    uint32_t grid[3], block[3], cluster[3]; /* cluster: 1, 1, 1 without clusters */
    uint32_t dynamic_shared;
    bool cooperative;
    const unsigned char *parameters; /* kernel->param_bytes bytes */
    uint32_t blocks_per_sm; /* of this launch, for %smid, and how many blocks are resident */
    uint32_t sms;           /* of the GPU */
    uint32_t workers;       /* OS threads; 0: as many as cores, or WARPUP_THREADS */
    struct trial *trial;    /* NULL: all blocks run (trial.h) */
};

/* Why a kernel was ended: CUDA's error codes. */
enum {
    LAUNCH_OK = 0,
    LAUNCH_ILLEGAL_ADDRESS = 700,
    LAUNCH_ASSERT = 710,
    LAUNCH_STACK_ERROR = 714,
    LAUNCH_MISALIGNED = 716,
    LAUNCH_FAILED = 719
};

/* Runs a valid launch. tally_begin() makes a new `tally`, which belongs to the caller, who frees
 * it. Returns one of the codes above. What kernels print goes to warp_print(). */
int launch_run(const struct launch *launch, struct tally *tally);

/* Chooses what executes each instruction of a module that was read without errors, once. What the
 * simulated GPU does not know becomes an error of the module (`unknown`). */
void module_prepare(struct ptx_module *module);

/* Called with the text that kernels print, in the order of blocks and lanes; set by the server. */
extern void (*warp_print)(const char *text, size_t bytes);
/* Called with a failed assert's message, for the program's stderr; NULL: it goes to this process's.
 */
extern void (*warp_complain)(const char *text, size_t bytes);

/* Heap of in-kernel malloc(), printf's buffer: cudaDeviceSetLimit. */
extern uint64_t warp_heap_bytes, warp_stack_bytes;

#endif
