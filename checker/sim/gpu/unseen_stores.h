/*
 * unseen_stores.h: finds out whether a kernel wrote memory without an announcement by the compiler.
 * Device memory is copied before a launch and compared after it: each changed word must have a
 * writer of that launch in its shadow. This is done only while it costs almost nothing: for
 * allocations of 1 MB in all, and for 64 MB per run of a program.
 */
#ifndef WARPUP_UNSEEN_STORES_H
#define WARPUP_UNSEEN_STORES_H

#include <stdbool.h>
#include <stdint.h>

/* Copies the contents of device memory. Device memory must be open. */
void unseen_stores_begin(void);

/* True when a word has changed since then that no thread with a tag of `first_tag` or more has
 * written (race.h). Device memory must still be open. */
bool unseen_stores_found(uint32_t first_tag);

#endif
