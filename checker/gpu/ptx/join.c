/*
 * join.c: finds the loads of shared memory that ptxas makes one of: neighbouring words of one
 * 16-byte span, read from one base whose alignment it knows, with nothing between them that may
 * write shared memory. They stay separate instructions; only their counts are those of one load
 * (`joined`). The rules are those of ptxas's code and of Nsight Compute's counts. Four words of 4
 * bytes are joined, or two of 8. A pair of words is joined if both are in the same 8 bytes, and
 * three words are if their address is a constant.
 */
#include "gpu/ptx/flow.h"

#include <string.h>

enum { SPAN_BYTES = 16, OPEN_MAX = 256, WORDS_MAX = 4 };

/* Loads of one span that have not been closed by a store or a barrier. */
struct span {
    int32_t base;                     /* its register; -1: the address is a constant */
    int32_t constant;                 /* which one */
    int64_t number;                   /* offset / SPAN_BYTES */
    uint32_t word_bytes;              /* 4 or 8 */
    uint32_t loads[WORDS_MAX], words; /* by word; a bit for each that is read */
};

struct joiner {
    struct reader *reader;
    uint8_t *alignment;  /* by register: a power of two, SPAN_BYTES at most */
    uint64_t *shared_at; /* by shared variable: where ptxas puts it */
    struct span open[OPEN_MAX];
    uint32_t open_count;
};

/* ---- Where ptxas puts shared variables ------------------------------------------------------ */

/* Gives places to the shared variables that the body itself uses, the largest alignment first. */
static void layout_shared_variables(struct joiner *joiner)
{
    const struct body *body = &joiner->reader->body;
    const struct ptx_module *module = joiner->reader->module;
    unsigned char *used = arena_new(joiner->reader->arena, module->variable_count + 1);
    joiner->shared_at =
        arena_new(joiner->reader->arena, (module->variable_count + 1) * sizeof *joiner->shared_at);
    uint64_t bytes = 0;
    for (size_t k = 0; k < body->count; k++)
        for (unsigned o = 0; o < body->code[k].operand_count; o++) {
            const struct ptx_variable *one =
                shared_variable(joiner->reader, &body->code[k].operand[o]);
            if (one != NULL && !one->external) used[one->index] = 1;
        }
    for (uint64_t align = UINT64_C(1) << 20; align > 0; align /= 2)
        for (uint32_t v = 0; v < module->variable_count; v++) {
            if (!used[v] || module->variables[v]->align != align) continue;
            joiner->shared_at[v] = (bytes + align - 1) / align * align;
            bytes = joiner->shared_at[v] + module->variables[v]->bytes;
        }
}

/* ---- Alignment ------------------------------------------------------------------------------ */

static uint64_t power_in(uint64_t value)
{
    uint64_t power = value & -value;
    return value == 0 || power > SPAN_BYTES ? SPAN_BYTES : power;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* A power of two that divides the value, SPAN_BYTES at most. */
static uint64_t alignment_of(const struct joiner *joiner, const struct ptx_operand *one)
{
    if (one->kind != OPERAND_VALUE && one->kind != OPERAND_ADDRESS) return 1;
    if (one->base == BASE_FRAME) return joiner->alignment[one->at];
    if (one->base == BASE_CONSTANT && one->immediate) return power_in(one->value);
    if (one->base == BASE_CONSTANT && one->at == 0 && one->kind == OPERAND_ADDRESS)
        return SPAN_BYTES;
    const struct ptx_variable *variable = shared_variable(joiner->reader, one);
    if (variable == NULL || variable->external) return 1;
    return power_in(joiner->shared_at[variable->index] +
                    address_constant(joiner->reader, one)->value);
}

/* The alignment of what the instruction computes. */
static uint64_t alignment_of_result(const struct joiner *joiner, const struct ptx_instruction *one)
{
    const struct ptx_operand *b = &one->operand[2];
    uint64_t x = alignment_of(joiner, &one->operand[1]), y = alignment_of(joiner, b);
    if (one->results != 1 || one->operand[0].kind != OPERAND_VALUE || ptx_has(one, M_hi)) return 1;
    switch (one->opcode) {
    case OP_mov:
    case OP_cvt:
    case OP_cvta: return one->operand_count == 2 ? x : 1;
    case OP_add:
    case OP_sub:
    case OP_or:
    case OP_xor: return least(x, y);
    case OP_and: return x > y ? x : y;
    case OP_selp: return least(x, y);
    case OP_shl: return b->immediate ? least(SPAN_BYTES, x << least(b->value, 4)) : 1;
    case OP_mul: return least(SPAN_BYTES, x * y);
    case OP_mad: return least(least(SPAN_BYTES, x * y), alignment_of(joiner, &one->operand[3]));
    default: return 1;
    }
}

/* A register is aligned as the least aligned of the values that are written to it: a loop's counter
 * as its first value and its step. All begin as aligned, until nothing changes. */
static void find_alignments(struct joiner *joiner)
{
    struct body *body = &joiner->reader->body;
    joiner->alignment = BY_REGISTER(joiner->reader, joiner->alignment);
    memset(joiner->alignment, SPAN_BYTES, body->register_count);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = 0; k < body->count; k++) {
            uint64_t result = alignment_of_result(joiner, &body->code[k]);
            struct touched touched = registers_of(body, &body->code[k]);
            EACH_WRITE (w, touched) {
                if (joiner->alignment[w] <= result) continue;
                joiner->alignment[w] = (uint8_t)result;
                changed = true;
            }
        }
    }
}

/* ---- Joining -------------------------------------------------------------------------------- */

/* Joins the loads of some words of a span, if all of them are there. */
static bool join_words(struct ptx_instruction *code, const struct span *span, uint32_t words)
{
    uint32_t first = UINT32_MAX;
    if ((span->words & words) != words) return false;
    for (uint32_t w = 0; w < WORDS_MAX; w++)
        if ((words >> w & 1) != 0 && span->loads[w] < first) first = span->loads[w];
    for (uint32_t w = 0; w < WORDS_MAX; w++)
        if ((words >> w & 1) != 0) code[span->loads[w]].joined = 0;
    code[first].joined = (int8_t)(span->word_bytes * __builtin_popcount(words));
    return true;
}

static void close_spans(struct joiner *joiner)
{
    struct ptx_instruction *code = joiner->reader->body.code;
    for (uint32_t p = 0; p < joiner->open_count; p++) {
        const struct span *span = &joiner->open[p];
        if (join_words(code, span, 15)) continue;
        if (span->base < 0 && __builtin_popcount(span->words) == 3 &&
            join_words(code, span, span->words)) {
            for (uint32_t w = 0; w < WORDS_MAX; w++)
                if ((span->words >> w & 1) != 0 && code[span->loads[w]].joined > 0)
                    code[span->loads[w]].joined = SPAN_BYTES;
            continue;
        }
        join_words(code, span, 3);
        join_words(code, span, 12);
    }
    joiner->open_count = 0;
}

static bool closes(const struct ptx_instruction *one)
{
    if (one->flow == FLOW_BARRIER || one->flow == FLOW_CALL || one->opcode == OP_atom ||
        one->opcode == OP_red || one->opcode == OP_membar || one->opcode == OP_fence)
        return true;
    return one->opcode == OP_st && (one->space == SPACE_SHARED || one->space == SPACE_GENERIC);
}

static void add_load(struct joiner *joiner, const struct ptx_instruction *one, uint32_t index)
{
    const struct ptx_operand *address = &one->operand[1];
    bool fits = one->opcode == OP_ld && one->space == SPACE_SHARED && one->vector == 1 &&
                (one->bytes == 4 || one->bytes == 8) && one->guard < 0;
    if (!fits || address->kind != OPERAND_ADDRESS || address->offset % one->bytes != 0 ||
        ptx_has(one, M_volatile))
        return;
    uint64_t alignment = alignment_of(joiner, address);
    if (alignment < 2u * one->bytes) return;
    bool half = alignment < SPAN_BYTES; /* only pairs: a span of 8 bytes */
    int32_t base = address->base == BASE_FRAME ? address->at : -1;
    int64_t number = half ? address->offset >> 3 : address->offset >> 4;
    uint32_t word = (uint32_t)(address->offset & (half ? 7 : 15)) / one->bytes, p = 0;
    while (p < joiner->open_count &&
           (joiner->open[p].base != base || joiner->open[p].constant != address->at ||
            joiner->open[p].number != number || joiner->open[p].word_bytes != one->bytes))
        p++;
    if (p == OPEN_MAX) return;
    struct span *span = &joiner->open[p];
    if (p == joiner->open_count) {
        joiner->open_count++;
        *span = (struct span){
            .base = base, .constant = address->at, .number = number, .word_bytes = one->bytes};
    }
    if ((span->words >> word & 1) != 0) return;
    span->words |= 1u << word;
    span->loads[word] = index;
}

void join_loads(struct reader *reader)
{
    struct body *body = &reader->body;
    struct joiner joiner = {.reader = reader};
    if (reader->module->source_build || !has_opcode(body, OP_ld, SPACE_SHARED)) return;
    layout_shared_variables(&joiner);
    find_alignments(&joiner);
    struct flow flow = flow_of_body(reader);
    for (uint32_t b = 0; b < flow.count; b++) {
        for (uint32_t k = flow.blocks[b].first; k < flow.blocks[b].end; k++) {
            if (closes(&body->code[k])) close_spans(&joiner);
            add_load(&joiner, &body->code[k], k);
        }
        close_spans(&joiner);
    }
}
