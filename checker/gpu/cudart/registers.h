/*
 * registers.h: the registers of a thread that a signal has interrupted, on x86-64 and on aarch64.
 */
#ifndef WARPUP_REGISTERS_H
#define WARPUP_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/* The instruction at which the thread was interrupted. */
uintptr_t registers_pc(const ucontext_t *context);

/* Did this instruction write? Only for a thread that has met memory which it may not access. */
bool registers_write(const ucontext_t *context);

#endif
