/* fiber.c: fibers over Boost.Context, whose C functions switch stacks in a few nanoseconds. */
#define _GNU_SOURCE
#include "sim/engine/fiber.h"

#include "sim/gpu/memory.h"

#include <stdlib.h>
#include <sys/mman.h>

/* Stacks begin at places of their own in the caches' sets, of which a page is only a part. */
enum { STACK_STEP = 512, STACK_STEPS = 128 };

/* A guard that mprotect() makes needs two mappings, and Linux gives a process 65530 of them. */
enum { GUARDED_MAX = 16384 };

/* Since Linux 6.13 a guard needs none, and other threads need not wait meanwhile. */
#ifndef MADV_GUARD_INSTALL
#    define MADV_GUARD_INSTALL 102
#endif

void *make_fcontext(void *stack_top, size_t bytes, void (*function)(struct transfer));

#ifdef __SANITIZE_ADDRESS__
_Thread_local const void *fiber_own_stack;
_Thread_local size_t fiber_own_stack_bytes;
#endif

bool fibers_make(struct fibers *fibers, size_t count, void (*body)(void *), void *argument)
{
    size_t bytes = count * FIBER_STACK_BYTES;
    *fibers = (struct fibers){.count = count, .body = body, .argument = argument};
    fibers->list = calloc(count, sizeof *fibers->list);
    fibers->stacks = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (fibers->list == NULL || fibers->stacks == MAP_FAILED) return false;
    fibers->stacks_end = fibers->stacks + bytes;
    for (size_t i = 0; i < count; i++)
        fibers->list[i].stack = fibers->stacks + i * FIBER_STACK_BYTES;
    fibers_drop(fibers);
    return true;
}

void fibers_free(struct fibers *fibers)
{
    munmap(fibers->stacks, fibers->count * FIBER_STACK_BYTES);
    free(fibers->list);
    *fibers = (struct fibers){0};
}

struct fiber *fiber_take(struct fibers *fibers)
{
    struct fiber *fiber = fibers->free;
    fibers->free = fiber->next_free;
    return fiber;
}

void fiber_give(struct fibers *fibers, struct fiber *fiber)
{
    fiber->next_free = fibers->free;
    fibers->free = fiber;
}

void fiber_drop(struct fibers *fibers, struct fiber *fiber)
{
    fiber->context = NULL;
    fiber_give(fibers, fiber);
}

void fibers_drop(struct fibers *fibers)
{
    fibers->free = NULL;
    for (size_t i = fibers->count; i > 0; i--)
        fiber_drop(fibers, &fibers->list[i - 1]);
}

static void begin(struct transfer transfer)
{
    struct fibers *fibers = transfer.data;
    ASAN_ENTERED();
    fibers->owner = transfer.from;
    fibers->body(fibers->argument);
}

/* Too deep a recursion ends at the end of the stack. Most stacks are never used, so a guard is made
 * when its stack is. */
static void guard(struct fiber *fiber, size_t index)
{
    if (fiber->guarded) return;
    fiber->guarded = true;
    if (madvise(fiber->stack, memory_page(), MADV_GUARD_INSTALL) != 0 && index < GUARDED_MAX)
        mprotect(fiber->stack, memory_page(), PROT_NONE);
}

void fiber_prepare(const struct fibers *fibers, struct fiber *fiber)
{
    size_t index = (size_t)(fiber - fibers->list);
    size_t bytes = FIBER_STACK_BYTES - index % STACK_STEPS * STACK_STEP;
    guard(fiber, index);
    fiber->context = make_fcontext(fiber->stack + bytes, bytes - memory_page(), begin);
}
