/*
 * heap.c: malloc() and free() in kernels: pieces of one variable of the GPU's memory, of
 * cudaLimitMallocHeapSize bytes. A kernel that calls malloc() runs its blocks in the fixed order,
 * so the addresses are the same in each run.
 */
#include "gpu/memory/memory.h"
#include "gpu/warp/natives.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 16, PIECE_GAP = 16 };

/* Pieces in the order of their addresses. */
struct piece {
    uint64_t at, bytes;
    struct piece *next;
};

static struct heap {
    pthread_mutex_t lock;
    uint64_t base, bytes;
    struct piece *first;
} heap = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool has_base(void)
{
    if (heap.base == 0) {
        heap.bytes = warp_heap_bytes;
        heap.base = (uint64_t)(uintptr_t)memory_variable(heap.bytes, 256);
    }
    return heap.base != 0;
}

/* The first gap that is large enough. */
static uint64_t take_first(uint64_t bytes)
{
    uint64_t at = heap.base;
    struct piece **place = &heap.first;
    while (*place != NULL && (*place)->at - at < bytes + PIECE_GAP) {
        at = (*place)->at + (*place)->bytes + PIECE_GAP;
        at = (at + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        place = &(*place)->next;
    }
    if (at + bytes > heap.base + heap.bytes) return 0;
    struct piece *piece = malloc(sizeof *piece);
    if (piece == NULL) return 0;
    *piece = (struct piece){at, bytes, *place};
    *place = piece;
    return at;
}

uint64_t heap_take(uint64_t bytes)
{
    pthread_mutex_lock(&heap.lock);
    uint64_t at = bytes > 0 && bytes < UINT64_MAX / 2 && has_base() ? take_first(bytes) : 0;
    pthread_mutex_unlock(&heap.lock);
    return at;
}

bool heap_give(uint64_t address)
{
    bool found = false;
    pthread_mutex_lock(&heap.lock);
    for (struct piece **place = &heap.first; *place != NULL && !found; place = &(*place)->next) {
        struct piece *piece = *place;
        if (piece->at != address) continue;
        *place = piece->next;
        free(piece);
        found = true;
        break;
    }
    pthread_mutex_unlock(&heap.lock);
    return found;
}
