/*
 * flow.c: basic blocks of a body, and the registers of an instruction.
 */
#include "gpu/ptx/flow.h"

bool ends_path(const struct ptx_instruction *one)
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

static void visit_operand(struct body *body, struct ptx_operand *one, bool written,
                          visit_register *visit, void *data)
{
    if (one->kind == OPERAND_VECTOR) {
        for (unsigned k = 0; k < one->count; k++)
            visit_operand(body, &body->elements[one->first + k], written, visit, data);
    } else if (one->base == BASE_FRAME &&
               (one->kind == OPERAND_VALUE || one->kind == OPERAND_ADDRESS)) {
        visit(data, &one->at, written && one->kind == OPERAND_VALUE);
    }
}

void each_register(struct body *body, struct ptx_instruction *one, visit_register *visit,
                   void *data)
{
    if (one->guard >= 0) visit(data, &one->guard, false);
    for (unsigned k = one->results; k < one->operand_count; k++)
        visit_operand(body, &one->operand[k], false, visit, data);
    if (one->call != NULL) visit_operand(body, &one->call->through, false, visit, data);
    for (unsigned k = 0; k < one->results; k++)
        visit_operand(body, &one->operand[k], true, visit, data);
}

static void note(void *data, int32_t *at, bool written)
{
    struct touched *touched = data;
    if (written && touched->write_count < TOUCHED_MAX)
        touched->writes[touched->write_count++] = (uint32_t)*at;
    if (!written && touched->read_count < TOUCHED_MAX)
        touched->reads[touched->read_count++] = (uint32_t)*at;
}

void registers_of(const struct body *body, const struct ptx_instruction *instruction,
                  struct touched *touched)
{
    touched->read_count = touched->write_count = 0;
    each_register((struct body *)body, (struct ptx_instruction *)instruction, note, touched);
}
