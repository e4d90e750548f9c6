/* counts.c: see counts.h. */
#include "gpu/time/counts.h"

#include "gpu/time/profile.h"

static void add_cost(struct work_counts *sum, const struct cost *cost, double times)
{
    sum->issued += (double)cost->issued * times;
    sum->floats += (double)cost->floats * times;
    sum->products += (double)cost->products * times;
    sum->logic += (double)cost->logic * times;
    sum->special += (double)cost->special * times;
    sum->doubles += (double)cost->doubles * times;
}

/* The cost of the instruction with floats in place of doubles: the same number of instructions for
 * the units of floats, and no conversion. */
static struct cost in_floats(struct cost cost, enum arithmetic_kind kind)
{
    if (kind == CONVERSIONS) return (struct cost){0};
    cost.floats += cost.doubles;
    cost.doubles = 0;
    return cost;
}

/* Tensor cores are as fast as numbers fit into a word. Doubles go at the rate of the GPU's double
 * units. A product of halves need not name their type. TF32 products of 4 numbers, of which wmma's
 * consist, reach 72 % of the rate. */
static double tensor_cost(const struct ptx_instruction *instruction)
{
    enum ptx_type type = instruction->type_count > 2 ? instruction->types[1] : TYPE_f16;
    switch (type) {
    case TYPE_f64: return profile()->tensor_flops_per_clock / (2 * profile()->doubles_per_clock);
    case TYPE_tf32:
        return instruction->opcode == OP_wmma || ptx_has(instruction, M_m16n8k4) ? 1 / 0.72 : 1;
    case TYPE_f16:
    case TYPE_bf16: return 0.5;
    default: return 0.25;
    }
}

static bool is_product(const struct ptx_instruction *instruction)
{
    return instruction->opcode == OP_mma ||
           (instruction->opcode == OP_wmma && ptx_has(instruction, M_mma));
}

/* The share of the values at an instruction that are in local memory, because the kernel may not
 * use as many registers as they need. A value in local memory needs a register whenever it is used:
 * so ptxas stores and loads more than twice as many as are too many (nvcc 13, 40 values in 32
 * registers, 48 in 32, 72 in 64). It finds an order that needs fewer registers than clang's, so
 * values are spilled only where far more are wanted. */
static double spilled_share(const struct ptx_function *kernel, const struct ptx_instruction *one)
{
    enum { OTHERS = 4 }; /* for addresses */
    static const double TOO_MANY = 1.2, MORE = 2.2, MOST = 0.87;
    double wanted = one->pressure + OTHERS, most = kernel->registers_most;
    if (wanted <= TOO_MANY * most) return 0;
    double share = MORE * (wanted - most) / wanted;
    return share < MOST ? share : MOST;
}

/* Loads and stores of registers that are in local memory. An instruction stores its results if they
 * are spilled, and loads as many values. A function also saves registers for its caller. */
static void add_spills(struct counts *counts, const struct ptx_function *kernel,
                       const struct ptx_function *function, const struct ptx_instruction *one,
                       double warps)
{
    double saved = one->opcode == OP_ret ? function->saved : 0,
           spilled = spilled_share(kernel, one) * one->results + saved;
    counts->spills += warps * spilled;
    struct work_counts *sums[] = {&counts->warps, &counts->in_floats, &counts->undivided};
    for (int i = 0; i < 3; i++)
        sums[i]->issued += 2 * warps * spilled;
}

/* Totals of which other counts are shares. */
struct others {
    double atomics, products, swaps, expected;
};

static void add_instruction(struct counts *counts, const struct ptx_function *kernel,
                            const struct ptx_function *function, uint32_t index, uint64_t warps,
                            uint64_t lanes, struct others *others)
{
    const struct ptx_instruction *instruction = &function->code[index];
    struct cost cost = cost_of(function, index);
    enum arithmetic_kind kind;
    uint32_t operations = cost_arithmetic(function, index, &kind);
    bool divides = operations > 0 && (kind == DIVISIONS || kind == DIVISIONS_64);
    counts->arithmetic[kind] += operations * lanes;
    add_cost(&counts->warps, &cost, (double)warps);
    if (!divides) add_cost(&counts->undivided, &cost, (double)warps);
    cost = in_floats(cost, operations > 0 ? kind : FLOAT_OPERATIONS);
    add_cost(&counts->in_floats, &cost, (double)warps);
    add_spills(counts, kernel, function, instruction, (double)warps);
    if (is_product(instruction)) {
        others->products += (double)warps;
        counts->tensor_cost += tensor_cost(instruction) * (double)warps;
    }
    if (instruction->expected) others->expected += (double)lanes;
    if (instruction->opcode != OP_atom && instruction->opcode != OP_red) return;
    others->atomics += (double)lanes;
    if (ptx_has(instruction, M_cas)) others->swaps += (double)lanes;
}

struct counts counts_of(const struct ptx_function *kernel, const struct tally *tally)
{
    struct counts counts = {0};
    const struct ptx_module *module = tally->module;
    struct others others = {0};
    for (uint32_t f = 0; f < module->function_count; f++) {
        const struct ptx_function *function = module->functions[f];
        for (uint32_t i = 0; function->defined && i < function->code_count; i++) {
            uint64_t warps = tally->executed[function->first + i];
            if (warps > 0)
                add_instruction(&counts, kernel, function, i, warps,
                                tally->executed_lanes[function->first + i], &others);
        }
    }
    counts.swaps = others.swaps;
    counts.expected = others.expected;
    counts.atomics = others.atomics;
    if (others.products > 0) counts.tensor_cost /= others.products;
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
