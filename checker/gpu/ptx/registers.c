/*
 * registers.c: how many registers ptxas would give a thread, estimated from how many 32-bit values
 * are live at the same time. Values that cost nothing to make again do not count: constants,
 * special registers, a kernel's parameters, which are operands in constant memory, and sums of an
 * address and a constant, which are offsets of accesses. Compilers put all loads of an unrolled
 * loop first; ptxas moves them down to where they are needed, except as many as it keeps in flight.
 */
#include "gpu/ptx/liveness.h"

#include <string.h>

enum {
    REGISTERS_LEAST = 16,
    REGISTERS_EASY = 32,
    REGISTERS_MOST = 255,
    REGISTERS_OF_SM = 65536,
    REGISTERS_IN_FLIGHT = 16
};

struct weights {
    uint8_t *definitions, *weight; /* by register */
};

static void count_definition(void *data, int32_t *at, bool written)
{
    uint8_t *definitions = ((struct weights *)data)->definitions;
    if (written && definitions[*at] < 2) definitions[*at]++;
}

/* Is the result made of nothing that lives in a register? */
static bool costs_nothing(const struct weights *weights, const struct ptx_instruction *one)
{
    const struct ptx_operand *source = &one->operand[1];
    if (one->opcode == OP_add && one->operand[0].bytes == 8 && one->operand[2].immediate)
        return true;
    if (one->results != 1 || one->operand_count != 2 || one->guard >= 0) return false;
    if (one->opcode == OP_ld) return one->space == SPACE_PARAM && source->own;
    if (one->opcode == OP_mov && source->kind == OPERAND_VALUE && source->base != BASE_FRAME)
        return true;
    if (one->opcode != OP_mov && one->opcode != OP_cvta) return false;
    return source->kind == OPERAND_VALUE && source->base == BASE_FRAME &&
           weights->definitions[source->at] == 1 && weights->weight[source->at] == 0;
}

uint8_t *register_weights(struct reader *reader)
{
    struct body *body = &reader->body;
    struct weights weights;
    weights.definitions = arena_new(reader->arena, body->register_count + 1);
    weights.weight = arena_new(reader->arena, body->register_count + 1);
    for (size_t r = 0; r < body->register_count; r++)
        weights.weight[r] =
            body->register_bytes[r] == 0 ? 0 : (uint8_t)((body->register_bytes[r] + 3) / 4);
    for (size_t k = 0; k < body->count; k++)
        each_register(body, &body->code[k], count_definition, &weights);
    for (size_t k = 0; k < body->count; k++) {
        const struct ptx_operand *d = &body->code[k].operand[0];
        bool single =
            d->kind == OPERAND_VALUE && d->base == BASE_FRAME && weights.definitions[d->at] == 1;
        if (single && costs_nothing(&weights, &body->code[k])) weights.weight[d->at] = 0;
    }
    return weights.weight;
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

/* The first position that reads each register; UINT32_MAX: none does. */
static uint32_t *first_reads(struct reader *reader)
{
    const struct body *body = &reader->body;
    uint32_t *first = arena_new(reader->arena, (body->register_count + 1) * sizeof *first);
    struct touched touched;
    memset(first, 0xff, body->register_count * sizeof *first);
    for (size_t k = body->count; k-- > 0;) {
        registers_of(body, &body->code[k], &touched);
        for (uint32_t r = 0; r < touched.read_count; r++)
            first[touched.reads[r]] = 2 * (uint32_t)k;
    }
    return first;
}

/* The most values at the same time if every load comes just before what needs it first. */
static uint32_t pressure_without_flight(struct reader *reader, const struct liveness *live)
{
    const struct body *body = &reader->body;
    uint32_t positions = 2 * (uint32_t)body->count + 2, *first = first_reads(reader), most = 0;
    int32_t *change = arena_new(reader->arena, ((size_t)positions + 1) * sizeof *change), now = 0;
    for (uint32_t r = 0; r < body->register_count; r++) {
        uint32_t from = live->from[r];
        if (from == UINT32_MAX || live->to[r] >= positions) continue;
        bool loaded =
            body->code[from / 2].opcode == OP_ld && first[r] > from && first[r] <= live->to[r];
        change[loaded ? first[r] : from] += live->weight[r];
        change[live->to[r] + 1] -= live->weight[r];
    }
    for (uint32_t p = 0; p < positions; p++) {
        now += change[p];
        if (now > (int32_t)most) most = (uint32_t)now;
    }
    return most;
}

uint32_t estimate_registers(struct reader *reader, const struct liveness *live)
{
    uint32_t flight = pressure_without_flight(reader, live) + REGISTERS_IN_FLIGHT;
    uint32_t pressure = flight < live->pressure ? flight : live->pressure;
    /* Up to 32 registers all threads of an SM fit, so ptxas uses them to have more loads in flight.
     */
    uint32_t registers = pressure + 4 + pressure / 2;
    if (registers > REGISTERS_EASY)
        registers =
            pressure + pressure / 4 > REGISTERS_EASY ? pressure + pressure / 4 : REGISTERS_EASY;
    uint32_t most = most_registers(reader->body.function);
    if (registers > most) registers = most;
    return registers < REGISTERS_LEAST ? REGISTERS_LEAST : registers;
}
