/*
 * liveness.c: which registers hold values that are still needed, block by block. Most registers
 * live in one block only; bits are kept just for the others. A guarded instruction does not end the
 * life of what it writes: lanes without the guard keep the old value.
 */
#include "gpu/ptx/flow.h"

#include <string.h>

struct sets {
    struct reader *reader;
    struct flow flow;
    uint32_t *bit; /* by register: 1 + its bit, if it lives in more than one block; else 0 */
    uint32_t bits, words;
    uint32_t *registers;                /* by bit */
    uint64_t *in, *out, *used, *killed; /* `words` per block */
    uint32_t *first; /* by register that a load alone writes: the first instruction that reads it */
    uint8_t *again;  /* by register: its weight, if ptxas computes it again rather than keep it */
    struct liveness result;
};

static void give_bit(struct sets *sets, uint32_t number)
{
    if (sets->bit[number] == 0) sets->bit[number] = ++sets->bits;
}

/* A register that a block reads before it writes it gets a bit. */
static void find_crossing(struct sets *sets)
{
    const struct body *body = &sets->reader->body;
    uint32_t *written = BY_REGISTER(sets->reader, written); /* 1 + block */
    for (uint32_t b = 0; b < sets->flow.count; b++)
        for (uint32_t k = sets->flow.blocks[b].first; k < sets->flow.blocks[b].end; k++) {
            struct touched touched = registers_of(body, &body->code[k]);
            EACH_READ (r, touched)
                if (written[r] != b + 1) give_bit(sets, r);
            EACH_WRITE (w, touched) {
                if (written[w] == b + 1) continue;
                if (body->code[k].guard >= 0)
                    give_bit(sets, w);
                else
                    written[w] = b + 1;
            }
        }
}

/* The bits of block b in one of the sets. */
static uint64_t *bits_of(const struct sets *sets, uint64_t *set, uint32_t b)
{
    return set + (size_t)b * sets->words;
}

static void set_bit(uint64_t *set, uint32_t bit)
{
    set[bit / 64] |= UINT64_C(1) << bit % 64;
}

static bool has_bit(const uint64_t *set, uint32_t bit)
{
    return (set[bit / 64] >> bit % 64 & 1) != 0;
}

/* Finds the registers that a block uses of its predecessors, and those that it overwrites. */
static void summarise(struct sets *sets, uint32_t b)
{
    const struct body *body = &sets->reader->body;
    uint64_t *used = bits_of(sets, sets->used, b), *killed = bits_of(sets, sets->killed, b);
    for (uint32_t k = sets->flow.blocks[b].first; k < sets->flow.blocks[b].end; k++) {
        struct touched touched = registers_of(body, &body->code[k]);
        EACH_READ (r, touched) {
            uint32_t bit = sets->bit[r];
            if (bit != 0 && !has_bit(killed, bit - 1)) set_bit(used, bit - 1);
        }
        EACH_WRITE (w, touched) {
            uint32_t bit = sets->bit[w];
            if (bit == 0) continue;
            if (body->code[k].guard < 0)
                set_bit(killed, bit - 1);
            else if (!has_bit(killed, bit - 1))
                set_bit(used, bit - 1);
        }
    }
}

/* Finds the registers that are needed after each block: those that its successors need. The blocks
 * are visited in reverse order, again and again until nothing changes. */
static void propagate(struct sets *sets)
{
    for (bool more = true; more;) {
        more = false;
        for (uint32_t b = sets->flow.count; b-- > 0;) {
            const struct basic_block *block = &sets->flow.blocks[b];
            uint64_t *in = bits_of(sets, sets->in, b), *out = bits_of(sets, sets->out, b);
            const uint64_t *used = bits_of(sets, sets->used, b),
                           *killed = bits_of(sets, sets->killed, b);
            for (uint32_t e = 0; e < block->to_count; e++) {
                const uint64_t *next = bits_of(sets, sets->in, sets->flow.to[block->first_to + e]);
                for (uint32_t w = 0; w < sets->words; w++)
                    out[w] |= next[w];
            }
            for (uint32_t w = 0; w < sets->words; w++) {
                uint64_t value = used[w] | (out[w] & ~killed[w]);
                more |= value != in[w];
                in[w] = value;
            }
        }
    }
}

static void extend(struct liveness *result, uint32_t number, uint32_t position)
{
    if (position < result->from[number]) result->from[number] = position;
    if (position > result->to[number]) result->to[number] = position;
}

/* For each register of a set. */
#define EACH_OF_SET(number, sets, set)                                                             \
    for (uint32_t word_ = 0, number; word_ < (sets)->words; word_++)                               \
        for (uint64_t left_ = (set)[word_];                                                        \
             left_ != 0 &&                                                                         \
             (number = (sets)->registers[word_ * 64 + (uint32_t)__builtin_ctzll(left_)], true);    \
             left_ &= left_ - 1)

/* The values that only a load writes are in flight until the first instruction that reads them. A
 * register that is written again carries its value around a loop, so it is needed from the load on.
 */
static void find_flights(struct sets *sets, const uint8_t *definitions)
{
    const struct body *body = &sets->reader->body;
    unsigned char *loaded = BY_REGISTER(sets->reader, loaded);
    sets->first = BY_REGISTER(sets->reader, sets->first);
    for (uint32_t k = (uint32_t)body->count; k-- > 0;) {
        struct touched touched = registers_of(body, &body->code[k]);
        EACH_WRITE (w, touched)
            loaded[w] = definitions[w] == 1 && body->code[k].opcode == OP_ld;
        EACH_READ (r, touched)
            sets->first[r] = k;
    }
    for (uint32_t r = 0; r < body->register_count; r++)
        if (!loaded[r]) sets->first[r] = 0;
}

/* An address that one instruction computes is not kept in local memory: ptxas computes it again. */
static void find_addresses(struct sets *sets, const uint8_t *definitions)
{
    const struct body *body = &sets->reader->body;
    sets->again = BY_REGISTER(sets->reader, sets->again);
    for (uint32_t k = 0; k < body->count; k++) {
        const struct ptx_instruction *one = &body->code[k];
        if (one->opcode != OP_add && one->opcode != OP_mul && one->opcode != OP_mad &&
            one->opcode != OP_shl)
            continue;
        if (ptx_is_real(one->types[0])) continue;
        struct touched touched = registers_of(body, one);
        EACH_WRITE (w, touched)
            if (definitions[w] == 1 && body->register_bytes[w] == sizeof(uint64_t))
                sets->again[w] = sets->result.weight[w];
    }
}

/* Notes how many registers live before an instruction, and how many of them are in flight. */
static void note_pressure(struct sets *sets, uint32_t k, uint32_t weight, uint32_t flight,
                          uint32_t again)
{
    struct liveness *result = &sets->result;
    uint32_t settled = weight - flight;
    if (weight > result->pressure) result->pressure = weight;
    if (settled > result->settled) result->settled = settled;
    uint32_t kept = settled - again;
    sets->reader->body.code[k].pressure = (uint8_t)(kept < UINT8_MAX ? kept : UINT8_MAX);
}

enum { DEAD, LIVE, IN_FLIGHT };

/* Lives within the block, and the pressure, from its end to its beginning. */
static void walk_block(struct sets *sets, uint32_t b, unsigned char *live)
{
    const struct body *body = &sets->reader->body;
    const struct basic_block *block = &sets->flow.blocks[b];
    const uint64_t *in = bits_of(sets, sets->in, b), *out = bits_of(sets, sets->out, b);
    struct liveness *result = &sets->result;
    uint32_t weight = 0, flight = 0, again = 0;
    EACH_OF_SET (number, sets, out) {
        live[number] = sets->first[number] >= block->end ? IN_FLIGHT : LIVE;
        weight += result->weight[number];
        again += sets->again[number];
        if (live[number] == IN_FLIGHT) flight += result->weight[number];
        extend(result, number, 2 * block->end);
    }
    for (uint32_t k = block->end; k-- > block->first;) {
        struct touched touched = registers_of(body, &body->code[k]);
        bool several = touched.count - touched.read_count > 1;
        EACH_WRITE (w, touched) {
            extend(result, w, 2 * k + !several);
            if (!live[w] || body->code[k].guard >= 0) continue;
            weight -= result->weight[w];
            again -= sets->again[w];
            if (live[w] == IN_FLIGHT) flight -= result->weight[w];
            live[w] = DEAD;
        }
        EACH_READ (r, touched) {
            extend(result, r, 2 * k + several);
            if (live[r]) continue;
            weight += result->weight[r];
            again += sets->again[r];
            live[r] = LIVE;
        }
        note_pressure(sets, k, weight, flight, again);
        EACH_READ (r, touched) {
            if (sets->first[r] != k || k == 0 || live[r] != LIVE) continue;
            live[r] = IN_FLIGHT;
            flight += result->weight[r];
        }
    }
    EACH_OF_SET (number, sets, in) {
        live[number] = DEAD;
        extend(result, number, 2 * block->first);
    }
}

struct liveness liveness_of_body(struct reader *reader, const uint8_t *weight)
{
    size_t registers = reader->body.register_count;
    struct sets sets = {.reader = reader,
                        .flow = flow_of_body(reader),
                        .bit = BY_REGISTER(reader, sets.bit),
                        .registers = BY_REGISTER(reader, sets.registers),
                        .result = {.weight = weight}};
    find_crossing(&sets);
    sets.words = (sets.bits + 63) / 64;
    for (uint32_t r = 0; r < registers; r++)
        if (sets.bit[r] != 0) sets.registers[sets.bit[r] - 1] = r;
    uint64_t **all[] = {&sets.in, &sets.out, &sets.used, &sets.killed};
    for (int k = 0; k < 4; k++)
        *all[k] = arena_new(reader->arena, (size_t)sets.flow.count * sets.words * sizeof ***all);
    for (uint32_t b = 0; b < sets.flow.count; b++)
        summarise(&sets, b);
    propagate(&sets);
    sets.result.from = BY_REGISTER(reader, sets.result.from);
    sets.result.to = BY_REGISTER(reader, sets.result.to);
    memset(sets.result.from, 0xff, registers * sizeof *sets.result.from);
    const uint8_t *definitions = count_definitions(reader);
    find_flights(&sets, definitions);
    find_addresses(&sets, definitions);
    unsigned char *live = BY_REGISTER(reader, live);
    for (uint32_t b = 0; b < sets.flow.count; b++)
        walk_block(&sets, b, live);
    return sets.result;
}
