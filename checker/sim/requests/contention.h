/*
 * contention.h: atomic operations that wait for each other, for the time model. Lanes that want the
 * same word take turns, and so do warps.
 */
#ifndef WARPUP_CONTENTION_H
#define WARPUP_CONTENTION_H

#include "sim/requests/request.h"
#include "sim/requests/warp.h"

#include <stdbool.h>

/* Counts an atomic request. One to shared memory also gets the clocks that its lanes' turns take.
 */
void contention_count(struct warp *warp, struct request *request, bool shared);

/* Notes that a compare and swap has changed the word at this offset of global memory. */
void contention_note_swap(struct atomics *atomics, uint64_t offset);

/* On how many words these were, about; 0 if there were none, or more than 200 000. */
double contention_swapped_words(const struct atomics *atomics);

#endif
