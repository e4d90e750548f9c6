/* fiber.c: fibers over Boost.Context, whose C functions switch stacks in a few nanoseconds. */
#define _GNU_SOURCE
#include "sim/engine/fiber.h"

#include "sim/requests/warp.h"

#include <stdlib.h>
#include <sys/mman.h>

/* Stacks begin at places of their own in the caches' sets, of which a page is only a part. */
enum { STACK_BYTES = 256 << 10, STACK_STEP = 512, STACK_STEPS = 128, FIBERS = THREADS_MAX + 1 };

/* Boost.Context's C interface. */
struct transfer {
    void *from, *data;
};
struct transfer jump_fcontext(void *to, void *data);
void *make_fcontext(void *stack_top, size_t bytes, void (*function)(struct transfer));

/* AddressSanitizer, where this is built with it, must know which stack is in use: a fiber's from
 * ASAN_ENTER to ASAN_ENTERED, the OS thread's own from ASAN_LEAVE to ASAN_LEFT. */
#ifdef __SANITIZE_ADDRESS__
#    include <sanitizer/common_interface_defs.h>
static _Thread_local const void *own_stack;
static _Thread_local size_t own_stack_bytes;
#    define ASAN_ENTER(stack) __sanitizer_start_switch_fiber(NULL, stack, STACK_BYTES)
#    define ASAN_ENTERED()    __sanitizer_finish_switch_fiber(NULL, &own_stack, &own_stack_bytes)
#    define ASAN_LEAVE()      __sanitizer_start_switch_fiber(NULL, own_stack, own_stack_bytes)
#    define ASAN_LEFT()       __sanitizer_finish_switch_fiber(NULL, NULL, NULL)
#else
#    define ASAN_ENTER(stack) ((void)0)
#    define ASAN_ENTERED()    ((void)0)
#    define ASAN_LEAVE()      ((void)0)
#    define ASAN_LEFT()       ((void)0)
#endif

struct fiber {
    void *context; /* NULL: it has not begun */
    char *stack;
    struct fiber *next_free;
};

bool fibers_make(struct fibers *fibers, void (*body)(void *), void *argument)
{
    size_t bytes = (size_t)FIBERS * STACK_BYTES;
    *fibers = (struct fibers){.body = body, .argument = argument};
    fibers->list = calloc(FIBERS, sizeof *fibers->list);
    fibers->stacks = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (fibers->list == NULL || fibers->stacks == MAP_FAILED) return false;
    fibers->stacks_end = fibers->stacks + bytes;
    for (int i = 0; i < FIBERS; i++) {
        fibers->list[i].stack = fibers->stacks + (size_t)i * STACK_BYTES;
        mprotect(fibers->list[i].stack, 4096, PROT_NONE); /* too deep a recursion ends here */
    }
    fibers_drop(fibers);
    return true;
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
    for (int i = FIBERS - 1; i >= 0; i--)
        fiber_drop(fibers, &fibers->list[i]);
}

static void begin(struct transfer transfer)
{
    struct fibers *fibers = transfer.data;
    ASAN_ENTERED();
    fibers->owner = transfer.from;
    fibers->body(fibers->argument);
}

void fiber_enter(struct fibers *fibers, struct fiber *fiber)
{
    if (fiber->context == NULL) {
        size_t bytes = STACK_BYTES - (size_t)(fiber - fibers->list) % STACK_STEPS * STACK_STEP;
        fiber->context = make_fcontext(fiber->stack + bytes, bytes - 4096, begin);
    }
    ASAN_ENTER(fiber->stack);
    fiber->context = jump_fcontext(fiber->context, fibers).from;
    ASAN_LEFT();
}

void fiber_leave(struct fibers *fibers)
{
    ASAN_LEAVE();
    fibers->owner = jump_fcontext(fibers->owner, NULL).from;
    ASAN_ENTERED();
}
