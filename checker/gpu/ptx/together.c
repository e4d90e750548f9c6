/*
 * together.c: finds atomic operations that ptxas does once per warp. ptxas does this where all
 * lanes want the same place: it knows that if the address is not computed from anything that
 * differs between lanes. The warp then adds up first (REDUX, or the number of lanes), and one lane
 * goes to memory. ptxas does so for sums, extremes and bits of integers, as its machine code shows,
 * and not for floats, exchanges and comparisons. Of integers of 64 bits, which REDUX cannot add, it
 * does so only for the sum of a value that all lanes share.
 */
#include "gpu/ptx/flow.h"

#include "gpu/ptx/words.h"

static bool is_candidate(const struct ptx_instruction *one)
{
    if (one->opcode != OP_atom && one->opcode != OP_red) return false;
    if (ptx_has(one, M_exch) || ptx_has(one, M_cas) || ptx_has(one, M_inc) || ptx_has(one, M_dec))
        return false;
    return one->type_count > 0 && !ptx_is_real(one->types[0]);
}

/* Does the instruction make something that differs between lanes, itself or of what does? */
static bool differs(const struct ptx_instruction *one, bool of_others)
{
    if (of_others) return true;
    for (int i = one->results; i < one->operand_count; i++) {
        const struct ptx_operand *operand = &one->operand[i];
        if (operand->kind != OPERAND_VALUE || operand->base != BASE_SPECIAL) continue;
        bool same =
            operand->at >= SPECIAL_ntid_x * 4 * LANES && operand->at < SPECIAL_laneid * 4 * LANES;
        if (!same) return true;
    }
    bool loads = one->access >= 0 && one->space != SPACE_PARAM && one->space != SPACE_CONST;
    return loads || one->opcode == OP_shfl || one->opcode == OP_call || one->flow == FLOW_CALL;
}

/* A count in shared memory: there the memory itself adds up how many lanes want a word
 * (ATOMS.POPC.INC). */
static bool counts(const struct ptx_instruction *one)
{
    const struct ptx_operand *value = &one->operand[one->operand_count - 1];
    return one->space == SPACE_SHARED && ptx_has(one, M_add) && value->immediate &&
           value->value == 1 && (one->opcode == OP_red || one->unused);
}

/* Do all lanes have the same value in this operand? */
static bool is_shared(const struct ptx_operand *operand, const unsigned char *varies)
{
    return operand->immediate || operand->base != BASE_FRAME || !varies[operand->at];
}

/* Can the warp combine the values of its lanes in a few instructions? */
static bool reduces(const struct ptx_instruction *one, const unsigned char *varies)
{
    if (ptx_type_bytes((enum ptx_type)one->types[0]) <= 4) return true;
    return ptx_has(one, M_add) && is_shared(&one->operand[one->operand_count - 1], varies);
}

void find_together(struct reader *reader)
{
    struct body *body = &reader->body;
    bool any = false;
    for (size_t k = 0; k < body->count; k++)
        any |= is_candidate(&body->code[k]);
    if (!any) return;
    unsigned char *varies = BY_REGISTER(reader, varies);
    spread_marks(body, varies, true, differs);
    for (size_t k = 0; k < body->count; k++) {
        struct ptx_instruction *one = &body->code[k];
        if (!is_candidate(one)) continue;
        for (int i = 0; i < one->operand_count; i++)
            if (one->operand[i].kind == OPERAND_ADDRESS)
                one->together =
                    counts(one) || (is_shared(&one->operand[i], varies) && reduces(one, varies));
    }
}
