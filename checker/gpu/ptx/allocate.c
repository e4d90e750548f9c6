/*
 * allocate.c: gives registers their places in the frame by linear scan, so that frames are small
 * and stay in the cache. Lanes may be at different instructions, but each has its own part of a
 * register and follows one path. So registers can share places over time, as on a scalar machine.
 * Registers of different sizes never share a place.
 */
#include "gpu/ptx/liveness.h"

#include <stdlib.h>
#include <string.h>

enum { CLASSES = 5 };

/* Registers of one size: 16, 8, 4, 2 bytes, predicates. */
struct class
{
    uint32_t lane_bytes, *unused, unused_count; /* places that are free again */
    uint32_t count;                             /* of all places */
    uint32_t base;                              /* in the frame */
};

struct allocation {
    struct reader *reader;
    struct liveness live;
    struct class classes[CLASSES];
    uint32_t *place;  /* by register: its number in its class */
    uint32_t *starts; /* registers by the position where they begin */
    uint32_t start_count;
    struct heap {
        uint32_t to, number;
    } * active; /* a heap: the one that ends first is at the top */
    uint32_t active_count;
};

static unsigned class_of(unsigned bytes)
{
    return bytes == 0 ? 4 : bytes <= 2 ? 3 : bytes == 4 ? 2 : bytes == 8 ? 1 : 0;
}

static void push(struct allocation *all, uint32_t number)
{
    struct heap *heap = all->active, one = {all->live.to[number], number};
    uint32_t at = all->active_count++;
    for (; at > 0 && heap[(at - 1) / 2].to > one.to; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = one;
}

static uint32_t pop(struct allocation *all)
{
    struct heap *heap = all->active, last = heap[--all->active_count];
    uint32_t number = heap[0].number, at = 0;
    for (uint32_t child; (child = 2 * at + 1) < all->active_count; at = child) {
        if (child + 1 < all->active_count && heap[child + 1].to < heap[child].to) child++;
        if (heap[child].to >= last.to) break;
        heap[at] = heap[child];
    }
    heap[at] = last;
    return number;
}

/* Registers in the order in which they begin: sorted by counting. */
static void sort_starts(struct allocation *all)
{
    const struct body *body = &all->reader->body;
    size_t positions = 2 * body->count + 2;
    uint32_t *at = arena_new(all->reader->arena, (positions + 1) * sizeof *at);
    for (uint32_t r = 0; r < body->register_count; r++)
        if (all->live.from[r] != UINT32_MAX) at[all->live.from[r] + 1]++;
    for (size_t p = 1; p <= positions; p++)
        at[p] += at[p - 1];
    all->start_count = at[positions];
    all->starts =
        arena_new(all->reader->arena, ((size_t)all->start_count + 1) * sizeof *all->starts);
    for (uint32_t r = 0; r < body->register_count; r++)
        if (all->live.from[r] != UINT32_MAX) all->starts[at[all->live.from[r]]++] = r;
}

static void scan(struct allocation *all)
{
    const uint8_t *bytes = all->reader->body.register_bytes;
    for (uint32_t s = 0; s < all->start_count; s++) {
        uint32_t number = all->starts[s];
        while (all->active_count > 0 && all->active[0].to < all->live.from[number]) {
            uint32_t old = pop(all);
            struct class *class = &all->classes[class_of(bytes[old])];
            class->unused[class->unused_count++] = all->place[old];
        }
        struct class *class = &all->classes[class_of(bytes[number])];
        all->place[number] =
            class->unused_count > 0 ? class->unused[--class->unused_count] : class->count++;
        push(all, number);
    }
}

/* The frame: the classes one after the other. Returns its bytes. */
static uint32_t lay_frame(struct allocation *all)
{
    uint32_t bytes = 0;
    for (int c = 0; c < CLASSES; c++) {
        all->classes[c].base = bytes;
        bytes += all->classes[c].count * all->classes[c].lane_bytes;
    }
    return (bytes + 63) / 64 * 64;
}

static void place_register(void *data, int32_t *at, bool written)
{
    struct allocation *all = data;
    const struct class *class = &all->classes[class_of(all->reader->body.register_bytes[*at])];
    (void)written;
    *at = (int32_t)(class->base + all->place[*at] * class->lane_bytes);
}

void allocate_registers(struct reader *reader)
{
    static const uint32_t lane_bytes[CLASSES] = {16 * LANES, 8 * LANES, 4 * LANES, 2 * LANES, 4};
    struct body *body = &reader->body;
    struct allocation all = {.reader = reader, .live = liveness_of_body(reader)};
    all.place = arena_new(reader->arena, body->register_count * sizeof *all.place);
    all.active = arena_new(reader->arena, (body->register_count + 1) * sizeof *all.active);
    sort_starts(&all);
    for (int c = 0; c < CLASSES; c++)
        all.classes[c] = (struct class){
            .lane_bytes = lane_bytes[c],
            .unused = arena_new(reader->arena, ((size_t)all.start_count + 1) * sizeof(uint32_t))};
    scan(&all);
    body->function->frame_bytes = lay_frame(&all);
    body->function->registers = estimate_registers(reader, &all.live);
    for (size_t k = 0; k < body->count; k++)
        each_register(body, &body->code[k], place_register, &all);
}
