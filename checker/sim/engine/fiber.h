/*
 * fiber.h: stacks on which CUDA threads run, and the switches between them. A worker has one for
 * each thread of the largest block.
 */
#ifndef WARPUP_FIBER_H
#define WARPUP_FIBER_H

#include <stdbool.h>

struct fiber;

struct fibers {
    struct fiber *list, *free;
    char *stacks, *stacks_end;
    void *owner; /* the context of the OS thread itself */
    void (*body)(void *);
    void *argument;
};

/* Makes the fibers, on each of which `body` will run with this argument and never return. False
 * when this machine has no memory for them. */
bool fibers_make(struct fibers *fibers, void (*body)(void *), void *argument);

/* Takes a free fiber; gives one back whose body has nothing left to do; gives one back in any
 * state, whose body starts again; gives all back like that. There is one more than threads in a
 * block. */
struct fiber *fiber_take(struct fibers *fibers);
void fiber_give(struct fibers *fibers, struct fiber *fiber);
void fiber_drop(struct fibers *fibers, struct fiber *fiber);
void fibers_drop(struct fibers *fibers);

/* Goes on with a fiber until it leaves. */
void fiber_enter(struct fibers *fibers, struct fiber *fiber);

/* Leaves the running fiber. Returns when the fiber is entered again. */
void fiber_leave(struct fibers *fibers);

#endif
