/*
 * flow.c: basic blocks of a body, and the registers of an instruction.
 */
#include "gpu/ptx/flow.h"

/* Does control never go on to the instruction after this one? */
static bool ends_path(const struct ptx_instruction *one)
{
    if (one->guard >= 0) return false;
    return one->flow == FLOW_BRANCH || one->flow == FLOW_RETURN || one->flow == FLOW_EXIT ||
           one->opcode == OP_trap;
}

static bool ends_block(const struct ptx_instruction *one)
{
    return one->flow == FLOW_BRANCH || ends_path(one);
}

/* Which instructions begin a block, as a flag each. */
static unsigned char *leaders(struct reader *reader)
{
    const struct body *body = &reader->body;
    unsigned char *leads = arena_new(reader->arena, body->count + 1);
    leads[0] = 1;
    for (size_t k = 0; k < body->count; k++) {
        const struct ptx_instruction *one = &body->code[k];
        if (ends_block(one)) leads[k + 1] = 1;
        if (one->opcode == OP_bra) leads[one->target] = 1;
        for (const int32_t *to = one->targets; to != NULL && *to >= 0; to++)
            leads[*to] = 1;
    }
    return leads;
}

static void find_successors(const struct body *body, struct flow *flow, uint32_t b, uint32_t *to)
{
    struct basic_block *block = &flow->blocks[b];
    const struct ptx_instruction *last = &body->code[block->end - 1];
    if (last->opcode == OP_bra) to[block->to_count++] = flow->block_of[last->target];
    for (const int32_t *target = last->targets; target != NULL && *target >= 0; target++)
        to[block->to_count++] = flow->block_of[*target];
    if (ends_path(last) || b + 1 >= flow->count) return;
    to[block->to_count++] = b + 1;
    block->falls = true;
}

struct flow flow_of_body(struct reader *reader)
{
    const struct body *body = &reader->body;
    unsigned char *leads = leaders(reader);
    struct flow flow = {.block_of = arena_new(reader->arena, body->count * sizeof *flow.block_of)};
    size_t edges = 0;
    for (size_t k = 0; k < body->count; k++)
        flow.count += leads[k];
    flow.blocks = arena_new(reader->arena, flow.count * sizeof *flow.blocks);
    for (size_t k = 0, b = 0; k < body->count; k++) {
        if (leads[k]) flow.blocks[b++].first = (uint32_t)k;
        flow.blocks[b - 1].end = (uint32_t)k + 1;
        flow.block_of[k] = (uint32_t)b - 1;
        edges += ends_block(&body->code[k]) ? 2 : leads[k + 1];
        for (const int32_t *to = body->code[k].targets; to != NULL && *to >= 0; to++)
            edges++;
    }
    flow.to = arena_new(reader->arena, (edges + 2) * sizeof *flow.to);
    for (uint32_t b = 0, at = 0; b < flow.count; b++) {
        flow.blocks[b].first_to = at;
        find_successors(body, &flow, b, flow.to + at);
        at += flow.blocks[b].to_count;
    }
    return flow;
}

/* ---- registers ------------------------------------------------------------------------------ */

static void add_register(struct touched *touched, int32_t *at)
{
    if (touched->count < TOUCHED_MAX) touched->list[touched->count++] = at;
}

/* A vector's elements are those of the body. An address is read, also if it is the first operand.
 */
static void add_operand(const struct body *body, struct touched *touched, struct ptx_operand *one,
                        bool written)
{
    if (one->kind == OPERAND_VECTOR)
        for (unsigned k = 0; k < one->count; k++)
            add_operand(body, touched, &body->elements[one->first + k], written);
    else if (ptx_is_register(one) ||
             (one->kind == OPERAND_ADDRESS && one->base == BASE_FRAME && !written))
        add_register(touched, &one->at);
}

struct touched registers_of(const struct body *body, const struct ptx_instruction *instruction)
{
    struct ptx_instruction *one = (struct ptx_instruction *)instruction;
    struct touched touched;
    touched.count = 0;
    if (one->guard >= 0) add_register(&touched, &one->guard);
    for (unsigned k = one->results; k < one->operand_count; k++)
        add_operand(body, &touched, &one->operand[k], false);
    if (one->call != NULL) add_operand(body, &touched, &one->call->through, false);
    touched.read_count = touched.count;
    for (unsigned k = 0; k < one->results; k++)
        add_operand(body, &touched, &one->operand[k], true);
    return touched;
}

bool spread_marks(const struct body *body, unsigned char *marked, bool forward,
                  bool (*counts)(const struct ptx_instruction *one, bool marked))
{
    enum { PASSES_MAX = 100 }; /* compilers' code needs a few */
    bool more = true;
    for (int passes = 0; more && passes < PASSES_MAX; passes++) {
        more = false;
        for (size_t k = 0; k < body->count; k++) {
            const struct ptx_instruction *one = &body->code[forward ? k : body->count - 1 - k];
            struct touched touched = registers_of(body, one);
            uint32_t reads = touched.read_count, all = touched.count;
            bool any = false;
            EACH_NUMBER (from, touched, forward ? 0 : reads, forward ? reads : all)
                any |= marked[from];
            if (!counts(one, any)) continue;
            EACH_NUMBER (to, touched, forward ? reads : 0, forward ? all : reads) {
                more |= !marked[to];
                marked[to] = 1;
            }
        }
    }
    return !more;
}

uint8_t *count_definitions(struct reader *reader)
{
    const struct body *body = &reader->body;
    uint8_t *definitions = BY_REGISTER(reader, definitions);
    for (size_t k = 0; k < body->count; k++) {
        struct touched touched = registers_of(body, &body->code[k]);
        EACH_WRITE (r, touched)
            if (definitions[r] < 2) definitions[r]++;
    }
    return definitions;
}

bool has_opcode(const struct body *body, enum ptx_opcode opcode, int space)
{
    for (size_t k = 0; k < body->count; k++)
        if (body->code[k].opcode == opcode && (space == SPACES || body->code[k].space == space))
            return true;
    return false;
}
