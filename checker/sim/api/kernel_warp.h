/*
 * kernel_warp.h: what is known of the lanes of a kernel's warps when the kernel has ended.
 */
#ifndef WARPUP_KERNEL_WARP_H
#define WARPUP_KERNEL_WARP_H

#include <stdint.h>

/* Where a thread of the last kernel took a value from a lane of its warp that did not give one: a
 * return address; 0 if none did. Forgets it. */
uintptr_t kernel_lost_value(void);

#endif
