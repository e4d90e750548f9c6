/*
 * memory_schedule.h: for the tests of memory/: a launch with a few blocks and warps whose accesses
 * a test announces itself, one after the other; and a way to look at the faults.
 */
#ifndef WARPUP_MEMORY_SCHEDULE_H
#define WARPUP_MEMORY_SCHEDULE_H

#include "gpu/memory/fault.h"
#include "gpu/memory/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int expected;
static int failed __attribute__((unused));
static bool schedule_releases; /* the module has a fence */

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            exit(1);                                                                               \
        }                                                                                          \
        expected++;                                                                                \
    } while (0)

enum {
    SCHEDULE_BLOCKS = 4,
    SCHEDULE_WARPS = 4,
    SCHEDULE_SHARED = (1 << 15) + 1024,
    SCHEDULE_ACCESSES = 8
};

/* A module with a kernel, one array in shared memory and some access instructions; each is a place
 * of its own, in line 10, 11 … */
struct schedule {
    struct ptx_instruction *instructions;
    struct tally tally;
    struct watcher *watcher;
    struct watched_block *block[SCHEDULE_BLOCKS];
    struct watched_warp *warp[SCHEDULE_BLOCKS][SCHEDULE_WARPS];
    unsigned char *shared[SCHEDULE_BLOCKS];
    uint32_t blocks;
};

static struct ptx_module *schedule_module(void)
{
    static struct ptx_instruction instructions[SCHEDULE_ACCESSES];
    static const struct ptx_instruction *accesses[SCHEDULE_ACCESSES];
    static struct ptx_location locations[SCHEDULE_ACCESSES + 1];
    static struct ptx_variable array = {.name = "array",
                                        .plain_name = "array",
                                        .space = SPACE_SHARED,
                                        .bytes = SCHEDULE_SHARED - 1280,
                                        .align = 16};
    static struct ptx_variable *variables[] = {&array};
    static uint32_t used[] = {0};
    static uint64_t places[] = {0};
    static struct ptx_module module = {.variables = variables,
                                       .variable_count = 1,
                                       .access_count = SCHEDULE_ACCESSES,
                                       .accesses = accesses,
                                       .locations = locations,
                                       .location_count = SCHEDULE_ACCESSES + 1,
                                       .function_count = 1};
    static struct ptx_function kernel = {.module = &module,
                                         .name = "k",
                                         .plain_name = "k",
                                         .entry = true,
                                         .shared_used = used,
                                         .shared_at = places,
                                         .shared_used_count = 1,
                                         .code = instructions,
                                         .code_count = SCHEDULE_ACCESSES};
    static struct ptx_function *functions[] = {&kernel};
    module.functions = functions;
    for (int i = 0; i < SCHEDULE_ACCESSES; i++) {
        instructions[i] = (struct ptx_instruction){
            .access = i, .joined = -1, .location = (uint32_t)i + 1, .space = SPACE_GLOBAL};
        accesses[i] = &instructions[i];
        locations[i + 1] = (struct ptx_location){.file = "k.cu", .line = 10 + i};
    }
    if (schedule_releases) instructions[SCHEDULE_ACCESSES - 1].opcode = OP_membar;
    layout_shared(&module);
    return &module;
}

static inline struct schedule *schedule_begin(uint32_t blocks, uint32_t threads, uint32_t workers)
{
    static struct schedule s;
    static uint64_t launch;
    struct ptx_module *module = schedule_module();
    uint32_t grid[3] = {blocks, 1, 1}, block[3] = {threads, 1, 1};
    s = (struct schedule){.blocks = blocks};
    s.instructions = (struct ptx_instruction *)(uintptr_t)module->accesses[0];
    watch_launch(++launch, "k", grid, block, module, workers);
    tally_begin(&s.tally, module);
    s.watcher = watcher_make(&s.tally, 0);
    EXPECT(s.watcher != NULL);
    for (uint32_t b = 0; b < blocks; b++) {
        s.shared[b] = malloc(SCHEDULE_SHARED);
        s.block[b] =
            watch_block(s.watcher, b, s.shared[b], SCHEDULE_SHARED, module->functions[0], 0);
        EXPECT(s.block[b] != NULL);
        for (uint32_t w = 0; w < (threads + 31) / 32; w++)
            s.warp[b][w] = watch_warp(s.block[b], w, threads - 32 * w < 32 ? threads - 32 * w : 32);
    }
    return &s;
}

static inline void schedule_end(struct schedule *s)
{
    struct access_counts keep[2][ACCESS_CLASSES];
    for (uint32_t b = 0; b < s->blocks; b++) {
        watch_block_end(s->block[b]);
        free(s->shared[b]);
    }
    watcher_free(s->watcher);
    watch_end(&s->tally);
    memcpy(keep[0], s->tally.global, sizeof keep[0]);
    memcpy(keep[1], s->tally.shared, sizeof keep[1]);
    tally_free(&s->tally);
    memcpy(s->tally.global, keep[0], sizeof keep[0]);
    memcpy(s->tally.shared, keep[1], sizeof keep[1]);
}

/* ---- faults
 * --------------------------------------------------------------------------------------------- */

/* The names of all faults noted since the last call, with a blank between two. */
static inline const char *last_fault(void)
{
    static char names[1000];
    long long times;
    int line;
    names[0] = '\0';
    for (int i = 0; fault_look(i, &times, &line) != NULL; i++) {
        if (i > 0) strcat(names, " ");
        strncat(names, fault_look(i, &times, &line)->name, 100);
    }
    fault_forget_kernel();
    return names;
}

#endif
