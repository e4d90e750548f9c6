/*
 * snapshot.c: keeps device memory as it is before a launch (snapshot.h). Pages that hold only zeros
 * are not kept, but cleared when memory is restored.
 */
#include "gpu/memory/snapshot.h"

#include "gpu/memory/fault.h"
#include "gpu/memory/memory.h"
#include "gpu/memory/shadow.h"

#include <stdlib.h>
#include <string.h>

struct kept {
    char *base; /* where the bytes belong */
    size_t bytes;
    unsigned char *copy;
    uint64_t *written; /* bits of the shadow, from the first word's on */
};

static struct {
    struct kept *list;
    size_t count, room;
} snapshot;

static size_t written_entries(const char *base, size_t bytes, uint64_t *first)
{
    uint64_t offset = shadow_offset(base);
    *first = offset / 256;
    return bytes == 0 ? 0 : (size_t)((offset + bytes - 1) / 256 - *first + 1);
}

static bool keep(char *base, size_t bytes)
{
    if (snapshot.count == snapshot.room) {
        size_t room = snapshot.room == 0 ? 16 : 2 * snapshot.room;
        struct kept *list = realloc(snapshot.list, room * sizeof *list);
        if (list == NULL) return false;
        snapshot.list = list;
        snapshot.room = room;
    }
    uint64_t first;
    size_t entries = written_entries(base, bytes, &first);
    struct kept *one = &snapshot.list[snapshot.count++];
    *one = (struct kept){base, bytes, malloc(bytes), malloc(entries * sizeof *one->written)};
    if (one->copy == NULL || one->written == NULL) return false;
    memcpy(one->copy, base, bytes);
    memcpy(one->written, &shadow.written[first], entries * sizeof *one->written);
    return true;
}

void memory_forget_snapshot(void)
{
    for (size_t i = 0; i < snapshot.count; i++) {
        free(snapshot.list[i].copy);
        free(snapshot.list[i].written);
    }
    snapshot.count = 0;
}

bool memory_snapshot(void)
{
    char *base;
    size_t bytes, index = 0;
    bool kept = true;
    memory_forget_snapshot();
    EACH_ALLOCATION (one)
        kept = kept && keep(one->base, one->bytes);
    while (kept && memory_next_variable(&index, &base, &bytes))
        kept = keep(base, bytes);
    if (!kept) memory_forget_snapshot();
    return kept;
}

void memory_restore(void)
{
    for (size_t i = 0; i < snapshot.count; i++) {
        const struct kept *one = &snapshot.list[i];
        uint64_t first;
        size_t entries = written_entries(one->base, one->bytes, &first);
        memcpy(one->base, one->copy, one->bytes);
        memcpy(&shadow.written[first], one->written, entries * sizeof *one->written);
    }
    fault_forget_kernel();
}
