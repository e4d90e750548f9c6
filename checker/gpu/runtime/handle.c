/* handle.c: see handle.h. The kind is in the number, so that an event is not taken for a stream. */
#include "gpu/runtime/handle.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

enum { KIND_SHIFT = 40, STEP = 16 /* programs know pointers, which are aligned */ };

static struct {
    void **objects; /* the first one has number 1 */
    size_t count, room;
} tables[HANDLE_KINDS];

uint64_t handle_make(enum handle_kind kind, void *object)
{
    if (tables[kind].count == tables[kind].room) {
        size_t room = tables[kind].room == 0 ? 16 : 2 * tables[kind].room;
        void **longer = realloc(tables[kind].objects, room * sizeof *longer);
        if (longer == NULL) return 0;
        tables[kind].objects = longer;
        tables[kind].room = room;
    }
    tables[kind].objects[tables[kind].count++] = object;
    return (uint64_t)(kind + 1) << KIND_SHIFT | (uint64_t)tables[kind].count * STEP;
}

/* Where the object of this number is; NULL if there was never one. */
static void **slot_in(enum handle_kind kind, uint64_t handle)
{
    uint64_t number = handle & (((uint64_t)1 << KIND_SHIFT) - 1);
    bool fits = handle >> KIND_SHIFT == (uint64_t)(kind + 1) && number % STEP == 0 &&
                number / STEP >= 1 && number / STEP <= tables[kind].count;
    return fits ? &tables[kind].objects[number / STEP - 1] : NULL;
}

void *handle_find(enum handle_kind kind, uint64_t handle)
{
    void **slot = slot_in(kind, handle);
    return slot == NULL ? NULL : *slot;
}

void handle_drop(enum handle_kind kind, uint64_t handle)
{
    void **slot = slot_in(kind, handle);
    if (slot != NULL) *slot = NULL;
}
