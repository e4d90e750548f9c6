/*
 * origin.h: what wrote the simulated GPU's memory last: a kernel, or a copy or fill that the host
 * asked for. The race detector's tags tell (shadow.h): kernels leave one on each word that they
 * write, and what the host sends takes it away.
 */
#ifndef WARPUP_ORIGIN_H
#define WARPUP_ORIGIN_H

#include <stddef.h>
#include <stdint.h>

/* Notes that a copy from the host, or a fill, has written these bytes. */
void origin_host(const void *address, size_t bytes);

/* Notes that a library's kernel has written them. */
void origin_kernel(const void *address, size_t bytes);

/* Carries along what is known when device memory is copied to device memory. */
void origin_copied(const void *to, const void *from, size_t bytes);

/* How many of these bytes a kernel wrote last; -1 when it is not known: outside of allocations, or
 * when the tags were numbered anew. */
int64_t origin_kernel_bytes(const void *address, size_t bytes);

/* Notes the launch whose kernel ran last, and where its tags begin. */
void origin_note(uint32_t first_tag, uint64_t launch);

/* The last launch whose kernel wrote some of these bytes; 0 when that is not known, or none did. */
uint64_t origin_launch(const void *address, size_t bytes);

#endif
