/*
 * fuse.c: finds the instructions that ptxas makes part of others, as seen in its machine code: a
 * sum whose term is a product (IMAD) or a shifted number (LEA); a sum of a sum (IADD3); an
 * operation on bits of another one (LOP3); a sign; a sum of an address and a constant (an
 * access's offset). They cost nothing of their own. Only a value with one reader can be part of it.
 */
#include "gpu/ptx/flow.h"

/* By register: what writes it and what reads it. */
struct definition {
    uint32_t writes, reads,
        addresses;            /* instructions; addresses: reads that are one of an access */
    uint32_t reader;          /* the last of them */
    uint32_t writer, divides; /* the last one; divides: 1 + the first division by it */
};

static bool is_logic(const struct ptx_instruction *one)
{
    return (one->opcode == OP_and || one->opcode == OP_or || one->opcode == OP_xor ||
            one->opcode == OP_not) &&
           one->types[0] != TYPE_pred;
}

static bool is_sum(const struct ptx_instruction *one)
{
    return (one->opcode == OP_add || one->opcode == OP_sub) && !ptx_is_real(one->types[0]);
}

static bool is_product(const struct ptx_instruction *one)
{
    bool is_wide = ptx_has(one, M_wide);
    return one->opcode == OP_mul && !ptx_is_real(one->types[0]) && !ptx_has(one, M_hi) &&
           ptx_type_bytes(one->types[0]) == 4 && (is_wide || ptx_has(one, M_lo));
}

static bool is_shift(const struct ptx_instruction *one)
{
    return one->opcode == OP_shl && one->operand[2].immediate;
}

static bool is_widening(const struct ptx_instruction *one)
{
    return one->opcode == OP_cvt && one->type_count > 1 && ptx_type_bytes(one->types[0]) == 8 &&
           ptx_type_bytes(one->types[1]) == 4 && !ptx_is_real(one->types[0]) &&
           !ptx_is_real(one->types[1]);
}

/* Does `reader` do the work of `one`, or the other way round? Marks which of them is fused. */
static void fuse(struct ptx_instruction *one, struct ptx_instruction *reader, bool *full)
{
    bool merges = (is_logic(one) && is_logic(reader)) || (is_sum(one) && is_sum(reader));
    if (is_product(one) && is_sum(reader) && !reader->fused && !*full)
        reader->fused = true;
    else if ((is_shift(one) && is_sum(reader)) || (merges && ptx_type_bytes(one->types[0]) <= 4) ||
             (one->opcode == OP_neg && is_sum(reader)) ||
             (is_widening(one) && (is_shift(reader) || is_product(reader))))
        one->fused = !*full && !one->fused && !reader->fused;
    else
        return;
    *full = true;
}

static void count_register(struct definition *all, const struct touched *touched,
                           const struct ptx_instruction *one, uint32_t k)
{
    EACH_WRITE (result, *touched) {
        all[result].writes++;
        all[result].writer = k;
    }
    EACH_READ (source, *touched) {
        all[source].reads++;
        all[source].reader = k;
        for (int i = 0; i < one->operand_count; i++)
            if (one->operand[i].kind == OPERAND_ADDRESS && (uint32_t)one->operand[i].at == source)
                all[source].addresses++;
    }
}

/* The register that an instruction with one result writes. */
static uint32_t result_of(const struct touched *touched)
{
    return (uint32_t)*touched->list[touched->read_count];
}

static bool has_one_result(const struct touched *touched)
{
    return touched->count == touched->read_count + 1;
}

static bool reads_own_result(const struct touched *touched)
{
    EACH_READ (source, *touched)
        if (source == result_of(touched)) return true;
    return false;
}

/* Counting rounds, and going on from one place to the next, is done once for all rounds that ptxas
 * makes one of. */
static void fuse_rounds(struct reader *reader, const struct definition *all)
{
    struct body *body = &reader->body;
    struct flow flow = flow_of_body(reader);
    for (uint32_t b = 0; b < flow.count; b++) {
        if (!is_unrolled(reader, &flow, b)) continue;
        for (uint32_t k = flow.blocks[b].first; k < flow.blocks[b].end; k++) {
            struct ptx_instruction *one = &body->code[k];
            struct touched touched = registers_of(body, one);
            if (!has_one_result(&touched)) continue;
            bool steps = is_sum(one) && one->operand[2].immediate && reads_own_result(&touched);
            const struct definition *result = &all[result_of(&touched)];
            bool tests = one->opcode == OP_setp && result->reads == 1 &&
                         body->code[result->reader].opcode == OP_bra;
            if (steps || tests) one->fused = true;
        }
    }
}

/* Does a loop go around the instruction, but not around the one before it that writes a register?
 */
static bool is_repeated(const struct flow *flow, uint32_t writer, uint32_t k)
{
    for (uint32_t b = flow->block_of[k]; b < flow->count; b++)
        for (uint32_t i = 0; i < flow->blocks[b].to_count; i++) {
            uint32_t to = flow->blocks[flow->to[flow->blocks[b].first_to + i]].first;
            if (to > writer && to <= k) return true;
        }
    return false;
}

/* A quotient of integers is a product with a reciprocal, and two corrections. The reciprocal of a
 * divisor that does not change is computed once. */
static void find_reciprocals(struct reader *reader, struct definition *all)
{
    struct body *body = &reader->body;
    struct flow flow = flow_of_body(reader);
    for (uint32_t k = 0; k < body->count; k++) {
        struct ptx_instruction *one = &body->code[k];
        bool divides = (one->opcode == OP_div || one->opcode == OP_rem) &&
                       !ptx_is_real(one->types[0]) && ptx_type_bytes(one->types[0]) <= 4;
        if (!divides || !ptx_is_register(&one->operand[2])) continue;
        struct definition *divisor = &all[one->operand[2].at];
        if (divisor->writes != 1) continue;
        one->reciprocal = divisor->divides > 0 || is_repeated(&flow, divisor->writer, k);
        divisor->divides = k + 1;
    }
}

void find_fused(struct reader *reader)
{
    struct body *body = &reader->body;
    struct definition *all = arena_new(reader->arena, (body->register_count + 1) * sizeof *all);
    bool *full = arena_new(reader->arena, body->count + 1); /* it has taken in another one */
    for (uint32_t k = 0; k < body->count; k++) {
        struct touched touched = registers_of(body, &body->code[k]);
        count_register(all, &touched, &body->code[k], k);
    }
    for (uint32_t k = 0; k < body->count; k++) {
        struct ptx_instruction *one = &body->code[k];
        struct touched touched = registers_of(body, one);
        if (!has_one_result(&touched)) continue;
        const struct definition *at = &all[result_of(&touched)];
        bool is_offset = is_sum(one) && one->operand[2].immediate && at->addresses == at->reads;
        if (at->writes != 1 || at->reads == 0) continue;
        if (is_offset)
            one->fused = true;
        else if (at->reads == 1 && at->reader > k && !full[k])
            fuse(one, &body->code[at->reader], &full[at->reader]);
    }
    fuse_rounds(reader, all);
    find_reciprocals(reader, all);
}
