/*
 * waits.c: finds the loads for which a warp waits before its next access to memory. A GPU issues in
 * order, and ptxas loads as early as possible: so loads of one basic block are in flight together,
 * but those whose address needs the result of another one. At the end of a block the warp has
 * waited for whatever the block computes with. The model of time follows the marks (`waits`,
 * `begins`, `computes`).
 */
#include "gpu/ptx/flow.h"

/* Loads that are in flight together have the same number: a batch. */
struct waiting {
    const struct body *body;
    unsigned char *loaded; /* by register: may it come from a load? */
    uint32_t *batch;       /* by register: the newest batch that its value needs, if its block is */
    uint32_t *block;       /* the one that wrote it last */
    uint32_t current;      /* batch */
    struct touched touched; /* by the instruction that is looked at */
};

static bool is_load(const struct ptx_instruction *one)
{
    return (one->opcode == OP_ld && one->space != SPACE_PARAM) ||
           (one->opcode == OP_atom && !one->unused);
}

static bool is_access(const struct ptx_instruction *one)
{
    return is_load(one) || one->opcode == OP_red || one->opcode == OP_atom;
}

/* Whatever is computed of something loaded counts as loaded. */
static bool is_loaded(const struct ptx_instruction *one, bool loaded)
{
    return loaded || is_load(one);
}

/* The newest batch of the block that the instruction needs; 0: none. *before: it needs something
 * that was loaded before the block. */
static uint32_t needs(const struct waiting *waiting, uint32_t block, bool *before)
{
    uint32_t newest = 0;
    *before = false;
    EACH_READ (at, waiting->touched) {
        if (waiting->block[at] != block)
            *before |= waiting->loaded[at];
        else if (waiting->batch[at] > newest)
            newest = waiting->batch[at];
    }
    return newest;
}

static void write_results(struct waiting *waiting, uint32_t block, uint32_t batch)
{
    EACH_WRITE (w, waiting->touched) {
        waiting->batch[w] = batch;
        waiting->block[w] = block;
    }
}

/* Does the block compare something that it counts up or down by a constant? */
static bool counts_rounds(const struct body *body, const struct basic_block *block)
{
    for (uint32_t k = block->first; k < block->end; k++) {
        if (body->code[k].opcode != OP_setp) continue;
        struct touched test = registers_of(body, &body->code[k]);
        for (uint32_t i = block->first; i < block->end; i++) {
            const struct ptx_instruction *one = &body->code[i];
            if (one->opcode != OP_add || one->operand[0].kind != OPERAND_VALUE ||
                !one->operand[2].immediate)
                continue;
            EACH_READ (source, test)
                if (source == (uint32_t)one->operand[0].at ||
                    (ptx_is_register(&one->operand[1]) && source == (uint32_t)one->operand[1].at))
                    return true;
        }
    }
    return false;
}

/* A loop of one block without a barrier, whose rounds are known when it begins: nvcc unrolls it,
 * and ptxas once more. */
bool is_unrolled(const struct reader *reader, const struct flow *flow, uint32_t number)
{
    const struct basic_block *block = &flow->blocks[number];
    bool loops = false;
    for (uint32_t i = 0; i < block->to_count; i++)
        loops |= flow->to[block->first_to + i] == number;
    for (uint32_t k = block->first; k < block->end && loops; k++)
        if (reader->body.code[k].flow == FLOW_BARRIER || reader->body.code[k].flow == FLOW_CALL)
            return false;
    return loops && counts_rounds(&reader->body, block);
}

/* Marks the accesses of a block. */
static void mark_block(struct waiting *waiting, const struct basic_block *block, uint32_t number,
                       bool unrolled)
{
    struct ptx_instruction *code = waiting->body->code, *load = NULL;
    bool first = true, waited = false;
    waiting->current++;
    for (uint32_t k = block->first; k < block->end; k++) {
        bool before;
        waiting->touched = registers_of(waiting->body, &code[k]);
        uint32_t newest = needs(waiting, number, &before);
        if (is_access(&code[k])) {
            code[k].leads = first;
            code[k].repeats = first && unrolled;
            code[k].constant = ptx_has(&code[k], M_nc);
            code[k].waits = newest == waiting->current || (before && !waited);
            first = false;
        }
        if (code[k].waits) {
            waited = true;
            waiting->current++;
        } else if (newest == waiting->current && code[k].opcode != OP_mov && load != NULL) {
            load->computes = true;
        }
        if (is_load(&code[k])) {
            load = &code[k];
            newest = waiting->current;
        }
        write_results(waiting, number, newest);
    }
}

/* ---- spinning ------------------------------------------------------------------------------- */

/* Does a way lead from the block back to it that does not go through `avoided`? */
static bool is_in_loop(struct reader *reader, const struct flow *flow, uint32_t block,
                       uint32_t avoided)
{
    uint32_t *ahead = arena_new(reader->arena, (flow->count + 1) * sizeof *ahead), count = 1;
    unsigned char *seen = arena_new(reader->arena, flow->count);
    seen[avoided] = 1;
    for (ahead[0] = block; count > 0;) {
        const struct basic_block *at = &flow->blocks[ahead[--count]];
        for (uint32_t i = 0; i < at->to_count; i++) {
            uint32_t next = flow->to[at->first_to + i];
            if (next == block) return true;
            if (!seen[next]) ahead[count++] = next;
            seen[next] = 1;
        }
    }
    return false;
}

/* Loads of flags and atomic operations whose address is the same in each round of a loop. */
static void find_spins(struct reader *reader, const struct flow *flow)
{
    struct body *body = &reader->body;
    const uint8_t *definitions = count_definitions(reader);
    uint32_t *defined = BY_REGISTER(reader, defined); /* 1 + block */
    for (size_t k = 0; k < body->count; k++) {
        struct touched touched = registers_of(body, &body->code[k]);
        EACH_WRITE (w, touched)
            defined[w] = flow->block_of[k] + 1;
    }
    for (size_t k = 0; k < body->count; k++) {
        struct ptx_instruction *one = &body->code[k];
        const struct ptx_operand *address = &one->operand[1];
        uint32_t block = flow->block_of[k];
        if (one->opcode != OP_atom && (one->opcode != OP_ld || one->space == SPACE_PARAM)) continue;
        if (one->opcode == OP_ld && !ptx_has(one, M_volatile) && !ptx_has(one, M_relaxed) &&
            !ptx_has(one, M_acquire))
            continue;
        if (address->kind != OPERAND_ADDRESS) continue;
        bool varies = address->base == BASE_FRAME &&
                      (definitions[address->at] != 1 || defined[address->at] == block + 1);
        uint32_t avoided = address->base == BASE_FRAME && definitions[address->at] == 1
                               ? defined[address->at] - 1
                               : block;
        one->spins = !varies && is_in_loop(reader, flow, block, avoided);
    }
}

/* The block after b to which all ways lead that begin there, over few instructions: ptxas makes
 * predicates of so short a branch. 0: there is none. `ways`: how many lead to each block. */
static uint32_t jumped_to(const struct body *body, const struct flow *flow, const uint32_t *ways,
                          uint32_t b)
{
    enum { MOST = 12 };
    const struct basic_block *from = &flow->blocks[b];
    uint32_t to = from->to_count == 2 ? flow->to[from->first_to] : 0, inside = 0, leading = 0;
    if (to <= b + 1 || flow->blocks[to].first > from->end + MOST) return 0;
    for (uint32_t x = b; x < to; x++)
        for (uint32_t i = 0; i < flow->blocks[x].to_count; i++) {
            uint32_t next = flow->to[flow->blocks[x].first_to + i];
            if (next <= x || next > to) return 0;
            inside++;
        }
    for (uint32_t x = b + 1; x <= to; x++)
        leading += ways[x];
    for (uint32_t k = from->end; k < flow->blocks[to].first; k++)
        if (body->code[k].flow == FLOW_BARRIER || body->code[k].flow == FLOW_CALL) return 0;
    return inside == leading ? to : 0;
}

/* The blocks as ptxas has them. */
static struct flow predicated_flow(struct reader *reader)
{
    struct flow flow = flow_of_body(reader);
    uint32_t *ways = arena_new(reader->arena, flow.count * sizeof *ways),
             *new = arena_new(reader->arena, flow.count * sizeof *new), count = 0;
    for (uint32_t b = 0; b < flow.count; b++)
        for (uint32_t i = 0; i < flow.blocks[b].to_count; i++)
            ways[flow.to[flow.blocks[b].first_to + i]]++;
    for (uint32_t b = 0; b < flow.count; b++) {
        uint32_t last = b, to;
        while ((to = jumped_to(&reader->body, &flow, ways, last)) != 0)
            last = to;
        struct basic_block joined = flow.blocks[last];
        joined.first = flow.blocks[b].first;
        for (; b < last; b++)
            new[b] = count;
        new[b] = count;
        flow.blocks[count++] = joined;
    }
    for (uint32_t b = 0; b < count; b++) {
        for (uint32_t i = 0; i < flow.blocks[b].to_count; i++)
            flow.to[flow.blocks[b].first_to + i] = new[flow.to[flow.blocks[b].first_to + i]];
        for (uint32_t k = flow.blocks[b].first; k < flow.blocks[b].end; k++)
            flow.block_of[k] = b;
    }
    flow.count = count;
    return flow;
}

void find_waits(struct reader *reader)
{
    struct body *body = &reader->body;
    struct waiting waiting = {.body = body};
    waiting.loaded = BY_REGISTER(reader, waiting.loaded);
    waiting.batch = BY_REGISTER(reader, waiting.batch);
    waiting.block = BY_REGISTER(reader, waiting.block);
    spread_marks(body, waiting.loaded, true, is_loaded);
    struct flow flow = predicated_flow(reader);
    for (uint32_t b = 0; b < flow.count; b++)
        mark_block(&waiting, &flow.blocks[b], b + 1, is_unrolled(reader, &flow, b));
    find_spins(reader, &flow);
}
