/*
 * obtain.h: this machine's memory for what the simulated GPU remembers of kernels. Without it a run
 * cannot go on: it ends with a line that says so.
 */
#ifndef WARPUP_OBTAIN_H
#define WARPUP_OBTAIN_H

#include <stddef.h>
#include <stdint.h>

/* `count` elements of as many bytes, filled with zeros. */
void *obtain(size_t count, size_t bytes);

/* Bytes that begin a line of this machine's cache. They are not set. */
void *obtain_aligned(size_t bytes);

/* The list with twice the room, or with `first` elements if it had none. */
void *obtain_more(void *list, size_t *room, size_t first, size_t bytes);

#endif
