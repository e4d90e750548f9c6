/*
 * shared.c: where ptxas puts the shared variables of a function, as kernels show that it has
 * compiled. It keeps the order of their declaration, each at the next offset that its alignment
 * allows: those of the kernel itself, then those outside of functions, then those of functions that
 * it calls. Both the bytes that a kernel needs and the alignment of an access follow from this.
 *
 * Code near the source is laid out as nvcc's optimised code of it would be: functions are not yet
 * part of the kernel there, and small arrays whose indices are all constants are not yet single
 * variables, which come last.
 */
#include "gpu/ptx/flow.h"

#include <string.h>

enum { SPLIT_BYTES_MAX = 16 * 8 }; /* LLVM splits a global array of at most 16 elements */

/* ---- arrays whose indices are all constants -------------------------------------------------- */

/* What an operand of an instruction near the source says of the variable whose address it is: that
 * goes on in the result, is that of a load or store, or something is computed from it. */
static struct ptx_variable *note_address(const struct ptx_instruction *one, unsigned o,
                                         struct ptx_variable *variable)
{
    bool goes_on = one->opcode == OP_mov || one->opcode == OP_cvta || one->opcode == OP_cvt ||
                   (one->opcode == OP_add && one->operand[2].immediate);
    bool is_used =
        (one->opcode == OP_ld || one->opcode == OP_st) && one->operand[o].kind == OPERAND_ADDRESS;
    variable->indexed |= !goes_on && !is_used;
    return goes_on ? variable : NULL;
}

void find_indexed(struct reader *reader)
{
    struct body *body = &reader->body;
    struct ptx_variable **whose = BY_REGISTER(reader, whose);
    if (!reader->module->source_build) return;
    for (size_t k = 0; k < body->count; k++) {
        const struct ptx_instruction *one = &body->code[k];
        for (unsigned o = one->results; o < one->operand_count; o++) {
            const struct ptx_operand *from = &one->operand[o];
            const struct ptx_variable *shared = shared_variable(reader, from);
            struct ptx_variable *variable =
                shared != NULL ? reader->module->variables[shared->index] : NULL;
            if (from->base == BASE_FRAME &&
                (from->kind == OPERAND_VALUE || from->kind == OPERAND_ADDRESS))
                variable = whose[from->at];
            if (variable == NULL) continue;
            variable = note_address(one, o, variable);
            if (variable != NULL && one->operand[0].kind == OPERAND_VALUE)
                whose[one->operand[0].at] = variable;
        }
    }
}

/* ---- the layout ------------------------------------------------------------------------------ */

enum rank { RANK_OWN, RANK_SPLIT, RANK_OUTSIDE, RANK_CALLEE, RANKS };

static enum rank rank_of(const struct uses *uses, const struct ptx_function *kernel,
                         const struct ptx_variable *one)
{
    bool source_build = uses->reader->module->source_build,
         own = source_build ? uses->kernels[one->index] == 1 : one->function == kernel;
    if (!own) return one->function == NULL ? RANK_OUTSIDE : RANK_CALLEE;
    bool split = source_build ? one->array && one->bytes <= SPLIT_BYTES_MAX && !one->indexed
                              : strstr(one->name, "_$_") != NULL;
    return split ? RANK_SPLIT : RANK_OWN;
}

uint64_t place_shared(const struct uses *uses, const struct ptx_function *function,
                      const unsigned char *used, uint64_t *at)
{
    const struct ptx_module *module = uses->reader->module;
    uint64_t bytes = 0;
    for (unsigned rank = 0; rank < RANKS; rank++)
        for (uint32_t v = 0; v < module->variable_count; v++) {
            const struct ptx_variable *one = module->variables[v];
            if (!used[v] || one->external || rank_of(uses, function, one) != rank) continue;
            at[v] = (bytes + one->align - 1) / one->align * one->align;
            bytes = at[v] + one->bytes;
        }
    return bytes;
}
