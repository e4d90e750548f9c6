/*
 * unseen_stores.h: did a kernel write memory without the compiler having announced it? What device
 * memory holds is kept before a launch and compared after it: each word that has changed must have
 * a writer of that launch in its shadow. Kept as long as that costs next to nothing: allocations of
 * 1 MB in all, and 64 MB per run of a program.
 */
#ifndef WARPUP_UNSEEN_STORES_H
#define WARPUP_UNSEEN_STORES_H

#include <stdbool.h>
#include <stdint.h>

/* Keeps what device memory holds. Device memory must be open. */
void unseen_stores_begin(void);

/* True when a word has changed since then that no thread with a tag of `first_tag` or more has
 * written (race.h). Device memory must still be open. */
bool unseen_stores_found(uint32_t first_tag);

#endif
