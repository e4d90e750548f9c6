/*
 * layout.c: puts a function's basic blocks into the order in which the executor needs them. The
 * executor runs the lanes with the lowest index first. Lanes that went different ways should meet
 * at the first block to which all of their ways lead. They do if that block has a higher index than
 * everything before it on those ways. So a block comes after all blocks that lead to it. The blocks
 * of a loop stay together, header first, before what follows the loop. That is a weak topological
 * order: the strongly connected components of the graph in topological order, and in each of them
 * the same again without the edges to its header.
 *
 * Blocks that nothing reaches are left out, and so is a jump to the block that follows. A block may
 * then be followed by another one than it falls through to. In this case a branch is turned round,
 * or a jump is added, which is marked.
 */
#include "gpu/ptx/flow.h"

#include <stdlib.h>
#include <string.h>

enum { NOT_SEEN = 0, DONE = UINT32_MAX, DEPTH_MAX = 64 };

struct layout {
    struct reader *reader;
    struct flow flow;
    uint32_t *returns; /* by block: the edges, a bit each, that are return statements */
    uint32_t *goes_to; /* by block: itself, or the block that it does nothing but jump to */
    /* Tarjan's algorithm. A block belongs to the region that is being ordered if its `region` is
     * the current one. */
    uint32_t *number, *low, *region, *stack, *path, *edge;
    uint32_t numbers;
    uint32_t *order, order_count;
};

/* ---- Blocks that only jump on --------------------------------------------------------------- */

static bool only_jumps(const struct layout *layout, uint32_t b)
{
    const struct basic_block *block = &layout->flow.blocks[b];
    const struct ptx_instruction *one = &layout->reader->body.code[block->first];
    return block->end == block->first + 1 && one->opcode == OP_bra && one->guard < 0;
}

/* The block at the end of a chain of jumps. A chain that never ends stays as it is. */
static uint32_t end_of_chain(const struct layout *layout, uint32_t b)
{
    uint32_t at = b;
    for (uint32_t steps = 0; only_jumps(layout, at); steps++) {
        if (steps > 1000) return b;
        at = layout->flow.to[layout->flow.blocks[at].first_to];
    }
    return at;
}

/* Does the block only return? */
static bool only_returns(const struct layout *layout, uint32_t b)
{
    const struct ptx_instruction *one = &layout->reader->body.code[layout->flow.blocks[b].first];
    return one->opcode == OP_ret && one->guard < 0;
}

/* An edge to the function's end by way of a jump without a condition is a return statement of the
 * source. It stays known although the jump is skipped, for barriers that threads do not reach. */
static void mark_returns(struct layout *layout, uint32_t b)
{
    const struct flow *flow = &layout->flow;
    const struct basic_block *block = &flow->blocks[b];
    const struct ptx_instruction *last = &layout->reader->body.code[block->end - 1];
    bool jumps = last->opcode == OP_bra && last->guard < 0;
    for (uint32_t e = 0; e < block->to_count && e < 32; e++) {
        uint32_t to = flow->to[block->first_to + e], end = layout->goes_to[to];
        if (only_returns(layout, end) && (end != to || jumps)) layout->returns[b] |= 1u << e;
    }
}

static void skip_jumps(struct layout *layout)
{
    struct flow *flow = &layout->flow;
    for (uint32_t b = 0; b < flow->count; b++)
        layout->goes_to[b] = end_of_chain(layout, b);
    for (uint32_t b = 0; b < flow->count; b++)
        mark_returns(layout, b);
    for (uint32_t b = 0; b < flow->count; b++)
        for (uint32_t e = 0; e < flow->blocks[b].to_count; e++)
            flow->to[flow->blocks[b].first_to + e] =
                layout->goes_to[flow->to[flow->blocks[b].first_to + e]];
}

/* ---- The order ------------------------------------------------------------------------------ */

struct component {
    uint32_t *blocks, count; /* header first */
    uint32_t depth;
};

struct order {
    struct component *items;
    size_t count, room;
};

static void visit(struct layout *layout, uint32_t b, uint32_t *stacked, uint32_t *path_count)
{
    layout->number[b] = layout->low[b] = ++layout->numbers;
    layout->edge[b] = 0;
    layout->stack[(*stacked)++] = b;
    layout->path[(*path_count)++] = b;
}

/* One step of the depth-first search at block b: looks along its next edge. False: b has no more
 * edges. */
static bool look_along(struct layout *layout, uint32_t b, uint32_t region, uint32_t header,
                       uint32_t *stacked, uint32_t *path_count)
{
    const struct basic_block *block = &layout->flow.blocks[b];
    if (layout->edge[b] >= block->to_count) return false;
    uint32_t to = layout->flow.to[block->first_to + layout->edge[b]++];
    if (layout->region[to] != region || to == header) return true;
    if (layout->number[to] == NOT_SEEN)
        visit(layout, to, stacked, path_count);
    else if (layout->number[to] != DONE && layout->number[to] < layout->low[b])
        layout->low[b] = layout->number[to];
    return true;
}

/* Puts the components that are reached from `start` into `found`, the last one in topological order
 * first. The blocks of a component are written from *room on, in the order in which they were first
 * seen. */
static void find_components(struct layout *layout, uint32_t start, uint32_t region, uint32_t header,
                            uint32_t depth, struct order *found, uint32_t **room)
{
    uint32_t stacked = 0, path_count = 0;
    visit(layout, start, &stacked, &path_count);
    while (path_count > 0) {
        uint32_t b = layout->path[path_count - 1];
        if (look_along(layout, b, region, header, &stacked, &path_count)) continue;
        path_count--;
        if (path_count > 0 && layout->low[b] < layout->low[layout->path[path_count - 1]])
            layout->low[layout->path[path_count - 1]] = layout->low[b];
        if (layout->low[b] != layout->number[b]) continue;
        uint32_t from = stacked;
        while (layout->stack[from - 1] != b)
            from--;
        from--;
        ADD(found->items, found->count, found->room) =
            (struct component){.blocks = *room, .count = stacked - from, .depth = depth};
        for (uint32_t k = from; k < stacked; k++) {
            layout->number[layout->stack[k]] = DONE;
            *(*room)++ = layout->stack[k];
        }
        stacked = from;
    }
}

/* Orders a loop: its header, then the components of the rest. They go onto `work`, whose last item
 * comes first. */
static void open_component(struct layout *layout, const struct component *loop, struct order *work,
                           uint32_t *regions)
{
    uint32_t header = loop->blocks[0], region = ++*regions;
    uint32_t *room = arena_new(layout->reader->arena, loop->count * sizeof *room);
    layout->order[layout->order_count++] = header;
    for (uint32_t k = 0; k < loop->count; k++) {
        layout->region[loop->blocks[k]] = region;
        layout->number[loop->blocks[k]] = NOT_SEEN;
    }
    layout->number[header] = DONE;
    /* From the header's successors, the fall-through last, so that it follows the header directly.
     */
    const struct basic_block *block = &layout->flow.blocks[header];
    for (uint32_t e = 0; e < block->to_count; e++) {
        uint32_t to = layout->flow.to[block->first_to + e];
        if (layout->region[to] == region && layout->number[to] == NOT_SEEN)
            find_components(layout, to, region, header, loop->depth + 1, work, &room);
    }
}

static void order_blocks(struct layout *layout)
{
    struct order work = {0};
    uint32_t regions = 0;
    uint32_t *room = arena_new(layout->reader->arena, layout->flow.count * sizeof *room);
    find_components(layout, layout->goes_to[0], 0, UINT32_MAX, 0, &work, &room);
    while (work.count > 0) {
        struct component one = work.items[--work.count];
        if (one.count > 1 && one.depth < DEPTH_MAX) {
            open_component(layout, &one, &work, &regions);
        } else {
            for (uint32_t k = 0; k < one.count; k++)
                layout->order[layout->order_count++] = one.blocks[k];
        }
    }
    free(work.items);
}

/* ---- The code in the new order -------------------------------------------------------------- */

static struct ptx_instruction jump_to(const struct ptx_instruction *like, uint32_t block)
{
    return (struct ptx_instruction){.guard = -1,
                                    .opcode = OP_bra,
                                    .flow = FLOW_BRANCH,
                                    .access = -1,
                                    .joined = -1,
                                    .vector = 1,
                                    .target = (int32_t)block,
                                    .location = like->location,
                                    .text = like->text,
                                    .text_line = like->text_line,
                                    .added = true};
}

/* Copies block b; its branches name blocks until all are placed. `next`: the block that follows, or
 * none. */
static size_t copy_block(struct layout *layout, uint32_t b, uint32_t next,
                         struct ptx_instruction *code, size_t at)
{
    const struct flow *flow = &layout->flow;
    const struct basic_block *block = &flow->blocks[b];
    const struct ptx_instruction *from = layout->reader->body.code;
    memcpy(code + at, from + block->first, (block->end - block->first) * sizeof *code);
    at += block->end - block->first;
    struct ptx_instruction *last = &code[at - 1];
    const uint32_t *to = flow->to + block->first_to;
    if (last->opcode == OP_brx)
        for (uint32_t e = 0; last->targets[e] >= 0; e++)
            last->targets[e] = (int32_t)to[e];
    if (last->opcode == OP_bra) {
        last->target = (int32_t)to[0];
        last->returns = layout->returns[b] & 1;
        if (last->guard < 0) return to[0] == next && !last->returns ? at - 1 : at;
    }
    if (!block->falls) return at;
    uint32_t through = to[block->to_count - 1];
    bool returns = layout->returns[b] >> (block->to_count - 1) & 1;
    if (through == next && !returns) return at;
    if (last->opcode == OP_bra && to[0] == next && !last->returns) {
        last->guard_negated = !last->guard_negated;
        last->target = (int32_t)through;
        last->returns = returns;
        return at;
    }
    code[at] = jump_to(last, through);
    code[at].returns = returns;
    return at + 1;
}

static void write_code(struct layout *layout)
{
    struct body *body = &layout->reader->body;
    size_t room = body->count + layout->order_count + 1, count = 0;
    struct ptx_instruction *code = malloc(room * sizeof *code), end = body->code[body->count - 1];
    int32_t *begins = arena_new(layout->reader->arena, layout->flow.count * sizeof *begins);
    if (code == NULL) return;
    for (uint32_t k = 0; k < layout->order_count; k++) {
        begins[layout->order[k]] = (int32_t)count;
        count = copy_block(layout, layout->order[k],
                           k + 1 < layout->order_count ? layout->order[k + 1] : UINT32_MAX, code,
                           count);
    }
    if (count == 0 || code[count - 1].opcode != OP_ret || code[count - 1].guard >= 0)
        code[count++] = end;
    for (size_t k = 0; k < count; k++) {
        if (code[k].opcode == OP_bra) code[k].target = begins[code[k].target];
        for (int32_t *to = code[k].targets; to != NULL && *to >= 0; to++)
            *to = begins[*to];
    }
    free(body->code);
    body->code = code;
    body->count = count;
    body->room = room;
}

void lay_out(struct reader *reader)
{
    struct layout layout = {.reader = reader, .flow = flow_of_body(reader)};
    uint32_t **arrays[] = {&layout.returns, &layout.goes_to, &layout.number,
                           &layout.low,     &layout.region,  &layout.stack,
                           &layout.path,    &layout.edge,    &layout.order};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        *arrays[k] = arena_new(reader->arena, layout.flow.count * sizeof **arrays);
    skip_jumps(&layout);
    order_blocks(&layout);
    write_code(&layout);
}
