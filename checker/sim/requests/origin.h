/*
 * origin.h: what wrote the simulated GPU's memory last: a kernel, or a copy or fill of the host.
 * The race detector's tags (shadow.h) show it: kernels set one on each word that they write, and
 * copies and fills from the host clear it.
 */
#ifndef WARPUP_ORIGIN_H
#define WARPUP_ORIGIN_H

#include <stddef.h>
#include <stdint.h>

/* Notes that a copy from the host, or a fill, has written these bytes. */
void origin_host(const void *address, size_t bytes);

/* The same for a library's kernel. */
void origin_kernel(const void *address, size_t bytes);

/* The same for a copy from device memory to device memory: copies what is known. */
void origin_copied(const void *to, const void *from, size_t bytes);

/* How many bytes of these a kernel wrote last; -1 if it is not known: outside of allocations, or
 * after the numbers of the tags began again. */
int64_t origin_kernel_bytes(const void *address, size_t bytes);

/* Notes the launch whose kernel ran last, and where its tags begin. */
void origin_note(uint32_t first_tag, uint64_t launch);

/* The last launch whose kernel wrote some of these bytes; 0 if it is not known, or if none did. */
uint64_t origin_launch(const void *address, size_t bytes);

#endif
