/*
 * fiber.h: stacks on which CUDA threads run, and the switches between them. A worker has one for
 * each thread of the largest block.
 */
#ifndef WARPUP_FIBER_H
#define WARPUP_FIBER_H

#include <stdbool.h>
#include <stddef.h>

enum { FIBER_STACK_BYTES = 256 << 10 };

struct fiber {
    void *context; /* NULL: it has not begun */
    char *stack;
    bool guarded;
    struct fiber *next_free;
};

struct fibers {
    struct fiber *list, *free;
    size_t count;
    char *stacks, *stacks_end;
    void *owner; /* the context of the OS thread itself */
    void (*body)(void *);
    void *argument;
};

/* Makes this number of fibers, on each of which `body` will run with this argument and never
 * return. False when this machine has no memory for them. Only fibers on which nothing runs may be
 * freed. */
bool fibers_make(struct fibers *fibers, size_t count, void (*body)(void *), void *argument);
void fibers_free(struct fibers *fibers);

/* Takes a free fiber; gives one back whose body has nothing left to do; gives one back in any
 * state, whose body starts again; gives all back like that. There is at least one more than threads
 * that wait. */
struct fiber *fiber_take(struct fibers *fibers);
void fiber_give(struct fibers *fibers, struct fiber *fiber);
void fiber_drop(struct fibers *fibers, struct fiber *fiber);
void fibers_drop(struct fibers *fibers);

/* Makes the context of a fiber that has none. */
void fiber_prepare(const struct fibers *fibers, struct fiber *fiber);

/* Boost.Context's C interface. */
struct transfer {
    void *from, *data;
};
struct transfer jump_fcontext(void *to, void *data);

/* AddressSanitizer, where this is built with it, must know which stack is in use: a fiber's from
 * ASAN_ENTER to ASAN_ENTERED, the OS thread's own from ASAN_LEAVE to ASAN_LEFT. */
#ifdef __SANITIZE_ADDRESS__
#    include <sanitizer/common_interface_defs.h>
extern _Thread_local const void *fiber_own_stack;
extern _Thread_local size_t fiber_own_stack_bytes;
#    define ASAN_ENTER(stack) __sanitizer_start_switch_fiber(NULL, stack, FIBER_STACK_BYTES)
#    define ASAN_ENTERED()                                                                         \
        __sanitizer_finish_switch_fiber(NULL, &fiber_own_stack, &fiber_own_stack_bytes)
#    define ASAN_LEAVE()                                                                           \
        __sanitizer_start_switch_fiber(NULL, fiber_own_stack, fiber_own_stack_bytes)
#    define ASAN_LEFT() __sanitizer_finish_switch_fiber(NULL, NULL, NULL)
#else
#    define ASAN_ENTER(stack) ((void)0)
#    define ASAN_ENTERED()    ((void)0)
#    define ASAN_LEAVE()      ((void)0)
#    define ASAN_LEFT()       ((void)0)
#endif

/* The switches are inline: after one, the CPU predicts no return address, so each call costs. */

/* Goes on with a fiber until it leaves. */
static inline void fiber_enter(struct fibers *fibers, struct fiber *fiber)
{
    if (fiber->context == NULL) fiber_prepare(fibers, fiber);
    ASAN_ENTER(fiber->stack);
    fiber->context = jump_fcontext(fiber->context, fibers).from;
    ASAN_LEFT();
}

/* Leaves the running fiber. Returns when the fiber is entered again. */
static inline void fiber_leave(struct fibers *fibers)
{
    ASAN_LEAVE();
    fibers->owner = jump_fcontext(fibers->owner, NULL).from;
    ASAN_ENTERED();
}

#endif
