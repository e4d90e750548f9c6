/*
 * local.h: what local.c asks of a function's frame: where its variables begin, as debug information
 * says (objects.c), and which bytes can be registers (slots.c).
 */
#ifndef WARPUP_PTX_LOCAL_H
#define WARPUP_PTX_LOCAL_H

#include "gpu/ptx/reader.h"

/* Offsets at which a variable of the function's local memory begins, in ascending order. None:
 * nothing is known. */
struct objects {
    const struct object_start *starts;
    size_t count;
};
struct objects objects_of(struct reader *reader, const struct token *name);

/* All accesses to the same bytes. Slots that overlap are a group. If the accesses of a group are
 * whole multiples of its smallest ones, its registers are parts of that size; otherwise it stays
 * in memory. */
struct slot {
    uint32_t at, bytes;
    bool kept; /* in memory */
    uint32_t group;
    uint32_t part;  /* bytes of a register of its group */
    int64_t number; /* its register, if it is a part; -1: none yet */
};

struct slots {
    struct slot *list; /* sorted by `at`, then `bytes` */
    size_t count, room;
};

void slots_add(struct slots *slots, uint32_t at, uint32_t bytes, bool kept);

/* Called once, when all are added: makes groups and parts. */
void slots_group(struct slots *slots);

/* Keeps these bytes in memory. */
void slots_keep(struct slots *slots, uint64_t from, uint64_t to);

/* Called once, after the last slots_keep(): a group stays in memory as a whole. */
void slots_settle(struct slots *slots);

/* The slot of these bytes, if it is not in memory; NULL otherwise. */
struct slot *slots_find(const struct slots *slots, uint64_t at, uint32_t bytes);

#endif
