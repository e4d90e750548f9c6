/*
 * snapshot.h: device memory as it is before a launch, so that the launch can run again: a launch
 * that ran in parallel and turned out to depend on the order of its blocks.
 */
#ifndef WARPUP_SNAPSHOT_H
#define WARPUP_SNAPSHOT_H

#include <stdbool.h>

/* Keeps the bytes of all allocations and variables that kernels may write, and what is known of
 * them. False if there is no memory for it. */
bool memory_snapshot(void);

/* Everything as before the launch; its faults are dropped. */
void memory_restore(void);

void memory_forget_snapshot(void);

#endif
