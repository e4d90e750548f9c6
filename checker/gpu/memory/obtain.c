/* obtain.c: see obtain.h. */
#include "gpu/memory/obtain.h"

#include <stdio.h>
#include <stdlib.h>

static void *checked(void *memory)
{
    if (memory != NULL) return memory;
    fprintf(stderr, "warp-up: no memory for what the simulated GPU remembers of a kernel\n");
    exit(2);
}

void *obtain(size_t count, size_t bytes)
{
    return checked(calloc(count > 0 ? count : 1, bytes));
}

void *obtain_aligned(size_t bytes)
{
    return checked(aligned_alloc(64, (bytes + 64) / 64 * 64));
}

void *obtain_more(void *list, size_t *room, size_t first, size_t bytes)
{
    *room = *room == 0 ? first : 2 * *room;
    return checked(realloc(list, *room * bytes));
}
