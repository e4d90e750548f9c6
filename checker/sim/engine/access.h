/*
 * access.h: accesses of CUDA threads to memory. The compiler announces most of them (access.c). The
 * functions that do the others, atomics and copies, announce them here.
 */
#ifndef WARPUP_ACCESS_H
#define WARPUP_ACCESS_H

#include "sim/requests/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Logs an access of the running CUDA thread. `pc` is the return address in the kernel. An illegal
 * address ends the kernel, and this function does not return. */
void access_announce(const void *address, size_t bytes, enum access_kind kind, uintptr_t pc);

/* Logs that an asynchronous copy of the running CUDA thread to shared memory begins, or that it has
 * arrived: the thread has waited for it. */
void access_announce_copy(const void *shared, size_t bytes, bool arrived, uintptr_t pc);

/* Notes that a compare and swap of the running CUDA thread has changed a word. */
void access_note_swap(const void *at);

#endif
