/*
 * access.h: what a CUDA thread does to memory. The compiler announces most accesses (access.c);
 * those that it does not see are announced here by what does them: atomics, copies.
 */
#ifndef WARPUP_ACCESS_H
#define WARPUP_ACCESS_H

#include "sim/requests/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Notes an access of the running CUDA thread. `pc` is the return address in the kernel. An illegal
 * address ends the kernel: then this does not return. */
void access_announce(const void *address, size_t bytes, enum access_kind kind, uintptr_t pc);

/* Notes that an asynchronous copy of the running CUDA thread to shared memory begins, or that the
 * thread has waited for it. */
void access_announce_copy(const void *shared, size_t bytes, bool arrived, uintptr_t pc);

#endif
