/*
 * liveness.c: which registers hold values that are still needed, block by block. Most registers
 * live in one block only; bits are kept just for the others. A guarded instruction does not end the
 * life of what it writes: lanes without the guard keep the old value.
 */
#include "gpu/ptx/liveness.h"

#include <string.h>

struct sets {
    struct reader *reader;
    struct flow flow;
    uint32_t *bit; /* by register: 1 + its bit, if it lives in more than one block; else 0 */
    uint32_t bits, words;
    uint32_t *registers;                /* by bit */
    uint64_t *in, *out, *used, *killed; /* `words` per block */
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
    uint32_t *written =
        arena_new(sets->reader->arena, body->register_count * sizeof *written); /* 1 + block */
    struct touched touched;
    for (uint32_t b = 0; b < sets->flow.count; b++)
        for (uint32_t k = sets->flow.blocks[b].first; k < sets->flow.blocks[b].end; k++) {
            registers_of(body, &body->code[k], &touched);
            for (uint32_t r = 0; r < touched.read_count; r++)
                if (written[touched.reads[r]] != b + 1) give_bit(sets, touched.reads[r]);
            for (uint32_t w = 0; w < touched.write_count; w++) {
                if (written[touched.writes[w]] == b + 1) continue;
                if (body->code[k].guard >= 0)
                    give_bit(sets, touched.writes[w]);
                else
                    written[touched.writes[w]] = b + 1;
            }
        }
}

static void set_bit(uint64_t *set, uint32_t bit)
{
    set[bit / 64] |= UINT64_C(1) << bit % 64;
}

static bool has_bit(const uint64_t *set, uint32_t bit)
{
    return (set[bit / 64] >> bit % 64 & 1) != 0;
}

/* What a block uses of its predecessors, and what it overwrites. */
static void summarise(struct sets *sets, uint32_t b)
{
    const struct body *body = &sets->reader->body;
    uint64_t *used = sets->used + (size_t)b * sets->words,
             *killed = sets->killed + (size_t)b * sets->words;
    struct touched touched;
    for (uint32_t k = sets->flow.blocks[b].first; k < sets->flow.blocks[b].end; k++) {
        registers_of(body, &body->code[k], &touched);
        for (uint32_t r = 0; r < touched.read_count; r++) {
            uint32_t bit = sets->bit[touched.reads[r]];
            if (bit != 0 && !has_bit(killed, bit - 1)) set_bit(used, bit - 1);
        }
        for (uint32_t w = 0; w < touched.write_count; w++) {
            uint32_t bit = sets->bit[touched.writes[w]];
            if (bit == 0) continue;
            if (body->code[k].guard < 0)
                set_bit(killed, bit - 1);
            else if (!has_bit(killed, bit - 1))
                set_bit(used, bit - 1);
        }
    }
}

/* What is needed after a block is what its successors need. The blocks are visited in reverse
 * order, again and again until nothing changes. */
static void propagate(struct sets *sets)
{
    for (bool more = true; more;) {
        more = false;
        for (uint32_t b = sets->flow.count; b-- > 0;) {
            const struct basic_block *block = &sets->flow.blocks[b];
            uint64_t *in = sets->in + (size_t)b * sets->words,
                     *out = sets->out + (size_t)b * sets->words;
            const uint64_t *used = sets->used + (size_t)b * sets->words,
                           *killed = sets->killed + (size_t)b * sets->words;
            for (uint32_t e = 0; e < block->to_count; e++) {
                const uint64_t *next =
                    sets->in + (size_t)sets->flow.to[block->first_to + e] * sets->words;
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

/* Extends the lives of everything in a set to a position. */
static void extend_all(struct sets *sets, const uint64_t *set, uint32_t position)
{
    for (uint32_t w = 0; w < sets->words; w++)
        for (uint64_t left = set[w]; left != 0; left &= left - 1)
            extend(&sets->result, sets->registers[w * 64 + (uint32_t)__builtin_ctzll(left)],
                   position);
}

/* Lives within the block, and the pressure, from its end to its beginning. */
static void walk_block(struct sets *sets, uint32_t b, unsigned char *live)
{
    const struct body *body = &sets->reader->body;
    const struct basic_block *block = &sets->flow.blocks[b];
    const uint64_t *in = sets->in + (size_t)b * sets->words,
                   *out = sets->out + (size_t)b * sets->words;
    struct touched touched;
    uint32_t weight = 0;
    for (uint32_t w = 0; w < sets->words; w++)
        for (uint64_t left = out[w]; left != 0; left &= left - 1) {
            uint32_t number = sets->registers[w * 64 + (uint32_t)__builtin_ctzll(left)];
            live[number] = 1;
            weight += sets->result.weight[number];
        }
    for (uint32_t k = block->end; k-- > block->first;) {
        const struct ptx_instruction *one = &body->code[k];
        registers_of(body, one, &touched);
        bool several = touched.write_count > 1;
        for (uint32_t w = 0; w < touched.write_count; w++) {
            uint32_t number = touched.writes[w];
            extend(&sets->result, number, 2 * k + !several);
            if (live[number] && one->guard < 0) {
                live[number] = 0;
                weight -= sets->result.weight[number];
            }
        }
        for (uint32_t r = 0; r < touched.read_count; r++) {
            uint32_t number = touched.reads[r];
            extend(&sets->result, number, 2 * k + several);
            if (!live[number]) weight += sets->result.weight[number];
            live[number] = 1;
        }
        if (weight > sets->result.pressure) sets->result.pressure = weight;
    }
    for (uint32_t w = 0; w < sets->words; w++)
        for (uint64_t left = in[w]; left != 0; left &= left - 1)
            live[sets->registers[w * 64 + (uint32_t)__builtin_ctzll(left)]] = 0;
    extend_all(sets, in, 2 * block->first);
    extend_all(sets, out, 2 * block->end);
}

struct liveness liveness_of_body(struct reader *reader)
{
    struct arena *arena = reader->arena;
    size_t registers = reader->body.register_count;
    struct sets sets = {.reader = reader,
                        .flow = flow_of_body(reader),
                        .bit = arena_new(arena, registers * sizeof *sets.bit)};
    sets.result.weight = register_weights(reader);
    find_crossing(&sets);
    sets.words = (sets.bits + 63) / 64;
    sets.registers = arena_new(arena, ((size_t)sets.bits + 1) * sizeof *sets.registers);
    for (uint32_t r = 0; r < registers; r++)
        if (sets.bit[r] != 0) sets.registers[sets.bit[r] - 1] = r;
    size_t set_bytes = (size_t)sets.flow.count * sets.words * sizeof(uint64_t);
    uint64_t **all[] = {&sets.in, &sets.out, &sets.used, &sets.killed};
    for (int k = 0; k < 4; k++)
        *all[k] = arena_new(arena, set_bytes);
    for (uint32_t b = 0; b < sets.flow.count; b++)
        summarise(&sets, b);
    propagate(&sets);
    sets.result.from = arena_new(arena, registers * sizeof *sets.result.from);
    sets.result.to = arena_new(arena, registers * sizeof *sets.result.to);
    memset(sets.result.from, 0xff, registers * sizeof *sets.result.from);
    unsigned char *live = arena_new(arena, registers);
    for (uint32_t b = 0; b < sets.flow.count; b++)
        walk_block(&sets, b, live);
    return sets.result;
}
