/*
 * registers.c: gives registers their slots in the frame by linear scan, so that frames are small
 * and stay in the cache; and estimates how many registers ptxas would give a thread. Lanes may be
 * at different instructions, but each has its own part of a register and follows one path. So
 * registers can share slots over time, as on a scalar machine. Those of different sizes never do.
 */
#include "gpu/ptx/flow.h"

#include <string.h>

/* ---- slots --------------------------------------------------------------------------------- */

enum { CLASSES = 5 };

/* Registers of one size: 16, 8, 4, 2 bytes, predicates. */
static const uint32_t class_bytes[CLASSES] = {16 * LANES, 8 * LANES, 4 * LANES, 2 * LANES, 4};

static unsigned class_of(unsigned bytes)
{
    return bytes == 0 ? 4 : bytes <= 2 ? 3 : bytes == 4 ? 2 : bytes == 8 ? 1 : 0;
}

struct allocation {
    struct reader *reader;
    struct liveness live;
    struct class
    {
        uint32_t *unused, unused_count; /* slots that are free again */
        uint32_t count;                 /* of all slots */
        uint32_t base;                  /* in the frame */
    } classes[CLASSES];
    uint32_t *rank; /* by register: its number in its class */
    struct heap {
        uint32_t to, number;
    } * active; /* a heap: the one that ends first is at the top */
    uint32_t active_count;
};

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

static struct class *class_for(struct allocation *all, uint32_t number)
{
    return &all->classes[class_of(all->reader->body.register_bytes[number])];
}

/* Registers in the order in which they begin: sorted by counting. Returns how many there are. */
static uint32_t sort_starts(const struct allocation *all, uint32_t *starts)
{
    const struct body *body = &all->reader->body;
    size_t positions = 2 * body->count + 2;
    uint32_t *at = arena_new(all->reader->arena, (positions + 1) * sizeof *at);
    for (uint32_t r = 0; r < body->register_count; r++)
        if (all->live.from[r] != UINT32_MAX) at[all->live.from[r] + 1]++;
    for (size_t p = 1; p <= positions; p++)
        at[p] += at[p - 1];
    uint32_t count = at[positions];
    for (uint32_t r = 0; r < body->register_count; r++)
        if (all->live.from[r] != UINT32_MAX) starts[at[all->live.from[r]]++] = r;
    return count;
}

static void scan(struct allocation *all)
{
    uint32_t *starts = BY_REGISTER(all->reader, starts), count = sort_starts(all, starts);
    for (uint32_t s = 0; s < count; s++) {
        uint32_t number = starts[s];
        while (all->active_count > 0 && all->active[0].to < all->live.from[number]) {
            uint32_t old = pop(all);
            struct class *class = class_for(all, old);
            class->unused[class->unused_count++] = all->rank[old];
        }
        struct class *class = class_for(all, number);
        all->rank[number] =
            class->unused_count > 0 ? class->unused[--class->unused_count] : class->count++;
        push(all, number);
    }
}

/* ---- how many ptxas would need -------------------------------------------------------------- */

/* It is estimated from how many 32-bit values are live at the same time. Values that cost nothing
 * to make again do not count: constants, special registers, a kernel's parameters, which are
 * operands in constant memory, and sums of an address and a constant, which are offsets of
 * accesses. Compilers put all loads of an unrolled loop first; ptxas moves them down to where they
 * are needed, except as many as it keeps in flight. */
enum {
    REGISTERS_LEAST = 16,
    REGISTERS_EASY = 32,
    REGISTERS_MOST = 255,
    REGISTERS_OF_SM = 65536,
    REGISTERS_IN_FLIGHT = 16
};

/* Is the result made of nothing that lives in a register? */
static bool costs_nothing(const uint8_t *definitions, const uint8_t *weight,
                          const struct ptx_instruction *one)
{
    const struct ptx_operand *source = &one->operand[1];
    if (one->opcode == OP_add && one->operand[0].bytes == 8 && one->operand[2].immediate)
        return true;
    if (one->results != 1 || one->operand_count != 2 || one->guard >= 0) return false;
    if (one->opcode == OP_ld) return one->space == SPACE_PARAM && source->own;
    if (one->opcode == OP_mov && source->kind == OPERAND_VALUE && source->base != BASE_FRAME)
        return true;
    if (one->opcode != OP_mov && one->opcode != OP_cvta) return false;
    return ptx_is_register(source) && definitions[source->at] == 1 && weight[source->at] == 0;
}

static const uint8_t *weights_of(struct reader *reader)
{
    const struct body *body = &reader->body;
    const uint8_t *definitions = count_definitions(reader);
    uint8_t *weight = BY_REGISTER(reader, weight);
    for (size_t r = 0; r < body->register_count; r++)
        weight[r] = (uint8_t)((body->register_bytes[r] + 3) / 4);
    for (size_t k = 0; k < body->count; k++) {
        const struct ptx_operand *d = &body->code[k].operand[0];
        if (ptx_is_register(d) && definitions[d->at] == 1 &&
            costs_nothing(definitions, weight, &body->code[k]))
            weight[d->at] = 0;
    }
    return weight;
}

/* The most registers per thread that the launch bounds allow. */
static uint32_t most_registers(const struct ptx_function *function)
{
    uint64_t most = REGISTERS_MOST;
    if (function->max_registers != 0 && function->max_registers < most)
        most = function->max_registers;
    const uint32_t *threads =
        function->required_threads_said ? function->required_threads : function->max_threads;
    if (!function->required_threads_said && !function->max_threads_said) return (uint32_t)most;
    uint64_t all = (uint64_t)threads[0] * threads[1] * threads[2] *
                   (function->min_blocks == 0 ? 1 : function->min_blocks);
    uint64_t share = all == 0 ? most : REGISTERS_OF_SM / all / 8 * 8;
    return (uint32_t)(share < most ? share : most);
}

/* A function that calls others saves what it needs after the call, and where it returns to. */
static void note_saved(const struct body *body)
{
    enum { RETURN = 2 };
    struct ptx_function *function = body->function;
    for (size_t k = 0; k < body->count; k++) {
        uint32_t saved = body->code[k].pressure + RETURN;
        if (body->code[k].flow == FLOW_CALL && !function->entry && saved > function->saved)
            function->saved = saved;
    }
}

static uint32_t estimate_registers(struct reader *reader, const struct liveness *live)
{
    uint32_t flight = live->settled + REGISTERS_IN_FLIGHT;
    uint32_t pressure = flight < live->pressure ? flight : live->pressure;
    /* Up to 32 registers all threads of an SM fit, so ptxas uses them to have more loads in flight.
     */
    uint32_t registers = pressure + 4 + pressure / 2;
    if (registers > REGISTERS_EASY)
        registers =
            pressure + pressure / 4 > REGISTERS_EASY ? pressure + pressure / 4 : REGISTERS_EASY;
    uint32_t most = reader->body.function->registers_most;
    if (registers > most) registers = most;
    return registers < REGISTERS_LEAST ? REGISTERS_LEAST : registers;
}

/* ---- the frame ------------------------------------------------------------------------------ */

void allocate_registers(struct reader *reader)
{
    struct body *body = &reader->body;
    struct allocation all = {.reader = reader,
                             .live = liveness_of_body(reader, weights_of(reader)),
                             .rank = BY_REGISTER(reader, all.rank),
                             .active = BY_REGISTER(reader, all.active)};
    uint32_t bytes = 0;
    for (int c = 0; c < CLASSES; c++)
        all.classes[c].unused = BY_REGISTER(reader, all.classes[c].unused);
    scan(&all);
    for (int c = 0; c < CLASSES; c++) {
        all.classes[c].base = bytes;
        bytes += all.classes[c].count * class_bytes[c];
    }
    body->function->frame_bytes = (bytes + 63) / 64 * 64;
    body->function->registers_most = most_registers(body->function);
    body->function->registers = estimate_registers(reader, &all.live);
    note_saved(body);
    for (size_t k = 0; k < body->count; k++) {
        struct touched touched = registers_of(body, &body->code[k]);
        for (uint32_t t = 0; t < touched.count; t++) {
            uint32_t number = (uint32_t)*touched.list[t];
            unsigned class = class_of(body->register_bytes[number]);
            *touched.list[t] =
                (int32_t)(all.classes[class].base + all.rank[number] * class_bytes[class]);
        }
    }
}
