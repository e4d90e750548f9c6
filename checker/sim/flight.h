/*
 * flight.h: kernels in flight. A kernel's work is done when it is launched, but in the program's
 * time it runs until later. A copy that begins before then, in a stream that does not wait for the
 * kernel, would find the memory half written on a real GPU.
 */
#ifndef WARPUP_FLIGHT_H
#define WARPUP_FLIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Notes that the kernel that ran last, whose tags began with `first_tag` (race.h), runs until
 * `end`.
 */
void flight_note(uint32_t first_tag, int64_t end);

/* True when a kernel that runs beyond `start` writes some of these bytes of the simulated GPU's
 * memory; with `reads`, when it reads some of them, too. */
bool flight_touches(const void *address, size_t bytes, int64_t start, bool reads);

#endif
