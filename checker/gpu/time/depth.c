/*
 * depth.c: see depth.h. The clocks from an instruction to one that needs its result are those of
 * compute capability 7.0 to 9.0: Jia et al., "Dissecting the NVIDIA Volta GPU architecture via
 * microbenchmarking" (2018).
 */
#include "gpu/time/depth.h"

#include "gpu/time/counts.h"

#include <stdlib.h>
#include <string.h>

enum { UNIT = 4 }; /* registers begin at multiples of this in a frame */

/* Clocks from a branch's condition to the next instruction, beyond those of a comparison. Chosen by
 * the errors of solutions/kernels/strangers between 10 and 20. An H100's small kernels stall 6.9
 * clocks per instruction of the branch unit, which does not include the fetch of instructions. */
static const float BRANCH = 14;

/* For each place in the frame of one function: when the register that begins there has its value,
 * in clocks from the beginning of the basic block. */
struct ready {
    float *at;
    uint32_t count;
};

static bool is_register(const struct ptx_operand *operand)
{
    return (operand->kind == OPERAND_VALUE || operand->kind == OPERAND_ADDRESS) &&
           operand->base == BASE_FRAME && !operand->immediate;
}

/* When an operand is there: a vector has several registers. */
static float ready_at(const struct ptx_function *function, const struct ready *ready,
                      const struct ptx_operand *operand)
{
    float latest = is_register(operand) ? ready->at[operand->at / UNIT] : 0;
    for (uint32_t i = 0; operand->kind == OPERAND_VECTOR && i < operand->count; i++) {
        float at = ready_at(function, ready, &function->elements[operand->first + i]);
        if (at > latest) latest = at;
    }
    return latest;
}

static void set_ready(const struct ptx_function *function, struct ready *ready,
                      const struct ptx_operand *operand, float time)
{
    if (is_register(operand)) ready->at[operand->at / UNIT] = time;
    for (uint32_t i = 0; operand->kind == OPERAND_VECTOR && i < operand->count; i++)
        set_ready(function, ready, &function->elements[operand->first + i], time);
}

/* When the result of the instruction is there, if it begins as soon as what it reads is: ptxas
 * moves it ahead of others. */
static float step(const struct ptx_function *function, uint32_t index, float clocks,
                  struct ready *ready)
{
    const struct ptx_instruction *instruction = &function->code[index];
    float begin = instruction->guard >= 0 ? ready->at[instruction->guard / UNIT] : 0;
    for (int i = instruction->results; i < instruction->operand_count; i++) {
        float at = ready_at(function, ready, &instruction->operand[i]);
        if (at > begin) begin = at;
    }
    float end = begin + (instruction->access >= 0 ? 0 : clocks);
    for (int i = 0; i < instruction->results; i++)
        set_ready(function, ready, &instruction->operand[i], end);
    return end;
}

/* The flow of an instruction is that of warp/ now: its opcode says what it does to control. */
static bool ends_block(const struct ptx_instruction *instruction)
{
    switch (instruction->opcode) {
    case OP_bra:
    case OP_brx:
    case OP_call:
    case OP_ret:
    case OP_exit:
    case OP_trap:
    case OP_barrier: return true;
    case OP_bar: return !ptx_has(instruction, M_warp);
    default: return false;
    }
}

/* Marks the instructions to which something jumps. */
static void mark_targets(const struct ptx_function *function, bool *begins)
{
    for (uint32_t i = 0; i < function->code_count; i++) {
        const struct ptx_instruction *instruction = &function->code[i];
        if (instruction->opcode == OP_bra) begins[instruction->target] = true;
        for (const int32_t *target = instruction->targets; target != NULL && *target >= 0; target++)
            begins[*target] = true;
    }
}

static double function_clocks(const struct ptx_function *function, const uint64_t *executed,
                              struct ready *ready, const bool *begins)
{
    double clocks = 0;
    for (uint32_t i = 0; i < function->code_count;) {
        uint64_t times = executed[i];
        float depth = 0;
        bool rounds = false;
        memset(ready->at, 0, ready->count * sizeof *ready->at);
        do {
            float end = step(function, i, cost_of(function, i).clocks, ready);
            if (end > depth) depth = end;
            rounds |= function->code[i].fused && function->code[i].opcode == OP_setp;
            const struct ptx_instruction *last = &function->code[i++];
            if (ends_block(last)) {
                depth += last->opcode == OP_bra && last->guard >= 0 && !rounds ? BRANCH : 0;
                break;
            }
        } while (i < function->code_count && !begins[i]);
        clocks += (double)times * depth;
    }
    return clocks;
}

double depth_clocks(const struct tally *tally)
{
    const struct ptx_module *module = tally->module;
    double clocks = 0;
    for (uint32_t f = 0; f < module->function_count; f++) {
        const struct ptx_function *function = module->functions[f];
        const uint64_t *executed = tally->executed + function->first;
        bool ran = false;
        for (uint32_t i = 0; function->defined && i < function->code_count && !ran; i++)
            ran = executed[i] > 0;
        if (!ran) continue;
        struct ready ready = {.count = function->frame_bytes / UNIT + 1};
        ready.at = malloc(ready.count * sizeof *ready.at);
        bool *begins = calloc(function->code_count, sizeof *begins);
        if (ready.at != NULL && begins != NULL) {
            mark_targets(function, begins);
            clocks += function_clocks(function, executed, &ready, begins);
        }
        free(ready.at);
        free(begins);
    }
    return clocks;
}
