/*
 * join.c: finds the loads of shared memory that ptxas makes one of: neighbouring words of one
 * 16-byte span, read from one base whose alignment it knows, with nothing between them that may
 * write shared memory. They stay separate instructions; only their counts are those of one load
 * (`joined`). The rules are those of ptxas's code and of Nsight Compute's counts. Three or four
 * words of 4 bytes are joined, or two of 8. A pair of words is joined if both are in the same 8
 * bytes. ptxas reads all 16 bytes for three words.
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

/* What is known of a value: it is `rest` plus a multiple of `step`, a power of two, SPAN_BYTES at
 * most. step = 0: nothing has been written to the register yet. */
struct known {
    uint8_t step, rest;
};

struct joiner {
    struct reader *reader;
    struct known *known; /* by register */
    uint64_t *shared_at; /* by variable of the module: where ptxas puts it (shared.c) */
    struct span open[OPEN_MAX];
    uint32_t open_count;
};

/* ---- Alignment ------------------------------------------------------------------------------ */

/* A power of two that divides the value, SPAN_BYTES at most. */
static uint64_t power_in(uint64_t value)
{
    uint64_t power = value & -value;
    return value == 0 || power > SPAN_BYTES ? SPAN_BYTES : power;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static struct known known(uint64_t step, uint64_t rest)
{
    if (step == 0) return (struct known){0, 0};
    step = least(step, SPAN_BYTES);
    return (struct known){(uint8_t)step, (uint8_t)(rest % step)};
}

/* The value is one of the two. */
static struct known either(struct known a, struct known b)
{
    if (a.step == 0 || b.step == 0) return a.step == 0 ? b : a;
    uint64_t apart = a.rest > b.rest ? a.rest - b.rest : b.rest - a.rest;
    return known(least(least(a.step, b.step), power_in(apart)), a.rest);
}

static struct known product(struct known a, struct known b)
{
    uint64_t step = least(a.step * b.step, a.step * power_in(b.rest));
    return known(least(step, b.step * power_in(a.rest)), a.rest * b.rest);
}

/* A bit that is 0 in one of them is 0. */
static struct known both_bits(struct known a, struct known b)
{
    struct known larger = a.step > b.step ? a : b;
    return larger.rest == 0 ? larger : known(least(a.step, b.step), a.rest & b.rest);
}

/* What is known of an operand, without the offset of an address. */
static struct known known_operand(const struct joiner *joiner, const struct ptx_operand *one)
{
    if (one->kind != OPERAND_VALUE && one->kind != OPERAND_ADDRESS) return known(1, 0);
    if (one->base == BASE_FRAME) return joiner->known[one->at];
    if (one->base == BASE_CONSTANT && one->immediate) return known(SPAN_BYTES, one->value);
    if (one->base == BASE_CONSTANT && one->at == 0 && one->kind == OPERAND_ADDRESS)
        return known(SPAN_BYTES, 0);
    const struct ptx_variable *variable = shared_variable(joiner->reader, one);
    if (variable == NULL || variable->external) return known(1, 0);
    return known(SPAN_BYTES,
                 joiner->shared_at[variable->index] + address_constant(joiner->reader, one)->value);
}

/* What is known of an instruction's result. */
static struct known known_result(const struct joiner *joiner, const struct ptx_instruction *one)
{
    const struct ptx_operand *of = one->operand;
    struct known x = known_operand(joiner, &of[1]), y = known_operand(joiner, &of[2]);
    uint64_t step = least(x.step, y.step);
    if (one->results != 1 || of[0].kind != OPERAND_VALUE || ptx_has(one, M_hi)) return known(1, 0);
    switch (one->opcode) {
    case OP_mov:
    case OP_cvt:
    case OP_cvta: return one->operand_count == 2 ? x : known(1, 0);
    case OP_add: return known(step, x.rest + y.rest);
    case OP_sub: return known(step, x.rest + SPAN_BYTES - y.rest);
    case OP_or: return known(step, x.rest | y.rest);
    case OP_xor: return known(step, x.rest ^ y.rest);
    case OP_and: return both_bits(x, y);
    case OP_selp: return either(x, y);
    case OP_shl:
        if (!of[2].immediate) return known(1, 0);
        return product(x, known(SPAN_BYTES, UINT64_C(1) << least(of[2].value, 4)));
    case OP_mul: return product(x, y);
    case OP_mad:
        x = product(x, y);
        y = known_operand(joiner, &of[3]);
        return known(least(x.step, y.step), x.rest + y.rest);
    default: return known(1, 0);
    }
}

/* Of a register is known what all values have in common that are written to it: of a loop's
 * counter, its first value and its step. Nothing is written at first, until nothing changes. */
static void find_alignments(struct joiner *joiner)
{
    struct body *body = &joiner->reader->body;
    joiner->known = BY_REGISTER(joiner->reader, joiner->known);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = 0; k < body->count; k++) {
            struct known result = known_result(joiner, &body->code[k]);
            struct touched touched = registers_of(body, &body->code[k]);
            EACH_WRITE (w, touched) {
                struct known next = either(joiner->known[w], result);
                changed |= next.step != joiner->known[w].step;
                joiner->known[w] = next;
            }
        }
    }
}

/* ---- Joining -------------------------------------------------------------------------------- */

/* Joins the loads of some words of a span, if all of them are there. Three words are counted as the
 * whole span. */
static void join_words(struct ptx_instruction *code, const struct span *span, uint32_t words)
{
    uint32_t first = UINT32_MAX;
    if ((span->words & words) != words) return;
    for (uint32_t w = 0; w < WORDS_MAX; w++)
        if ((words >> w & 1) != 0 && span->loads[w] < first) first = span->loads[w];
    for (uint32_t w = 0; w < WORDS_MAX; w++)
        if ((words >> w & 1) != 0) code[span->loads[w]].joined = 0;
    code[first].joined = (int8_t)(words == 3 || words == 12 ? 2 * span->word_bytes : SPAN_BYTES);
}

static void close_spans(struct joiner *joiner)
{
    struct ptx_instruction *code = joiner->reader->body.code;
    for (uint32_t p = 0; p < joiner->open_count; p++) {
        const struct span *span = &joiner->open[p];
        if (__builtin_popcount(span->words) >= 3) {
            join_words(code, span, span->words);
        } else {
            join_words(code, span, 3);
            join_words(code, span, 12);
        }
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
    if (!fits || address->kind != OPERAND_ADDRESS || ptx_has(one, M_volatile)) return;
    struct known known = known_operand(joiner, address);
    int64_t at = address->offset + known.rest;
    if (known.step < 2u * one->bytes || at % one->bytes != 0) return;
    bool half = known.step < SPAN_BYTES; /* only pairs: a span of 8 bytes */
    int32_t base = address->base == BASE_FRAME ? address->at : -1;
    int64_t number = half ? at >> 3 : at >> 4;
    uint32_t word = (uint32_t)(at & (half ? 7 : 15)) / one->bytes, p = 0;
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

/* Places the shared variables that the body itself uses: those of functions that it calls come
 * after them. */
static void place_own_shared(struct joiner *joiner)
{
    const struct body *body = &joiner->reader->body;
    size_t variables = joiner->reader->module->variable_count;
    unsigned char *used = arena_new(joiner->reader->arena, variables + 1);
    struct uses uses = {.reader = joiner->reader};
    joiner->shared_at = arena_new(joiner->reader->arena, (variables + 1) * sizeof(uint64_t));
    for (size_t k = 0; k < body->count; k++)
        for (unsigned o = 0; o < body->code[k].operand_count; o++) {
            const struct ptx_variable *one =
                shared_variable(joiner->reader, &body->code[k].operand[o]);
            if (one != NULL) used[one->index] = 1;
        }
    place_shared(&uses, body->function, used, joiner->shared_at);
}

void join_loads(struct reader *reader)
{
    struct body *body = &reader->body;
    struct joiner joiner = {.reader = reader};
    if (reader->module->source_build || !has_opcode(body, OP_ld, SPACE_SHARED)) return;
    place_own_shared(&joiner);
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
