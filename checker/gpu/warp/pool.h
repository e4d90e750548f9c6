/*
 * pool.h: the threads of this machine that run blocks. They are kept from launch to launch and
 * sleep in between.
 */
#ifndef WARPUP_POOL_H
#define WARPUP_POOL_H

#include <stdint.h>

/* The most threads that are worth having: WARPUP_THREADS, or the cores that this process may use.
 */
uint32_t pool_size(void);

/* Calls work(data, i) for each i < count, each in a thread of its own (i = 0: in the caller's), and
 * returns when all have returned. Where threads cannot be made, the caller does their work, too. */
void pool_run(uint32_t count, void (*work)(void *data, uint32_t i), void *data);

#endif
