/* counts.c: see counts.h. */
#include "gpu/time/counts.h"

static void add_cost(struct cost *sum, const struct cost *cost, double times)
{
    sum->issued += cost->issued * times;
    sum->floats += cost->floats * times;
    sum->integers += cost->integers * times;
    sum->logic += cost->logic * times;
    sum->special += cost->special * times;
    sum->doubles += cost->doubles * times;
}

/* An atomic operation adds floats. */
static bool adds_reals(const struct ptx_instruction *instruction)
{
    bool is_atomic = instruction->opcode == OP_atom || instruction->opcode == OP_red;
    for (int i = 0; i < instruction->type_count && is_atomic; i++)
        if (instruction->types[i] == TYPE_f32 || instruction->types[i] == TYPE_f64) return true;
    return false;
}

static void add_instruction(struct counts *counts, const struct ptx_function *function,
                            uint32_t index, uint64_t warps, uint64_t lanes, double *atomics)
{
    const struct ptx_instruction *instruction = &function->code[index];
    struct cost cost = cost_of(instruction);
    enum arithmetic_kind kind;
    add_cost(&counts->warps, &cost, (double)warps);
    counts->slow[cost_slow_kind(function, index)] += (double)warps * LANES;
    uint32_t operations = cost_arithmetic(function, index, &kind);
    counts->arithmetic[kind] += operations * lanes;
    if (instruction->opcode != OP_atom && instruction->opcode != OP_red) return;
    *atomics += (double)lanes;
    if (adds_reals(instruction)) counts->real_atomics += (double)lanes;
}

struct counts counts_of(const struct tally *tally)
{
    struct counts counts = {0};
    const struct ptx_module *module = tally->module;
    double atomics = 0;
    for (uint32_t f = 0; f < module->function_count; f++) {
        const struct ptx_function *function = module->functions[f];
        for (uint32_t i = 0; function->defined && i < function->code_count; i++) {
            uint64_t warps = tally->executed[function->first + i];
            if (warps > 0)
                add_instruction(&counts, function, i, warps,
                                tally->executed_lanes[function->first + i], &atomics);
        }
    }
    if (atomics > 0) counts.real_atomics /= atomics;
    return counts;
}

void counts_visit(const struct tally *tally, visit_arithmetic *visit, void *context)
{
    const struct ptx_module *module = tally->module;
    for (uint32_t f = 0; f < module->function_count; f++) {
        const struct ptx_function *function = module->functions[f];
        for (uint32_t i = 0; function->defined && i < function->code_count; i++) {
            uint64_t lanes = tally->executed_lanes[function->first + i];
            enum arithmetic_kind kind;
            uint32_t operations = lanes == 0 ? 0 : cost_arithmetic(function, i, &kind);
            if (operations > 0) visit(context, &function->code[i], kind, operations * lanes);
        }
    }
}
