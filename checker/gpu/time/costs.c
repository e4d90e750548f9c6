/*
 * costs.c: what ptxas makes of one PTX instruction, for compute capability 9.0; others are much
 * alike. Each row was counted in the machine code of a kernel that does the instruction five times
 * and of one that does it once (ptxas 13.0, cuobjdump -sass). Of a branch to a rare case, such as
 * the quotient of numbers below the normal ones, only the test counts. Functions of CUDA's library
 * were counted the same way; those that have a long branch for large arguments by
 * smsp__inst_executed of Nsight Compute. The clocks until a result can be used are those of Jia et
 * al., "Dissecting the NVIDIA Volta GPU architecture via microbenchmarking" (2018). For rows of
 * instructions they are those of a warp alone on an H100 (solutions/arithmetic.cu).
 */
#include "gpu/time/counts.h"

#include <string.h>

static const uint8_t type_bytes[TYPES] = {
#define X(name, bytes) bytes,
    PTX_TYPES(X)
#undef X
};

static enum ptx_type type_of(const struct ptx_instruction *instruction)
{
    return instruction->type_count > 0 ? (enum ptx_type)instruction->types[0] : TYPE_b32;
}

static bool is_real(enum ptx_type type)
{
    return type == TYPE_f32 || type == TYPE_f64;
}

/* The operands for which a row of the table holds. */
enum operand_class {
    WORD = 1, /* integers and bits: 32 or fewer, and 64 */
    LONG = 2,
    FLOAT = 4,
    HALF = 8, /* one or two */
    DOUBLE = 16,
    PREDICATE = 32,
    ANY = 63
};

static enum operand_class class_of(enum ptx_type type)
{
    switch (type) {
    case TYPE_pred: return PREDICATE;
    case TYPE_f32: return FLOAT;
    case TYPE_f64: return DOUBLE;
    case TYPE_f16:
    case TYPE_f16x2:
    case TYPE_bf16:
    case TYPE_bf16x2: return HALF;
    default: return type_bytes[type] == 8 ? LONG : WORD;
    }
}

struct row {
    uint8_t opcode, classes, modifier; /* modifier: M_… that the instruction has; NONE: any */
    struct cost cost;
};

enum { NONE = 255 };

/* In the order of struct cost: instructions in all; of these for the units of floats, of products
 * of integers (twice where the product has 64 bits), of logic, of special functions, of doubles;
 * clocks until the result can be used. Sums of integers go to whichever of two units is free: half
 * a product, half logic. The first row that fits counts. */
static const struct row rows[] = {
    {OP_add, WORD, NONE, {1, 0, .5F, .5F, 0, 0, 4}},
    {OP_add, LONG, NONE, {2, 0, 1, 1, 0, 0, 6}},
    {OP_add, FLOAT | HALF, NONE, {1, 1, 0, 0, 0, 0, 4}},
    {OP_add, DOUBLE, NONE, {1, 0, 0, 0, 0, 1, 8}},
    {OP_mul, WORD, M_wide, {1, 0, 2, 0, 0, 0, 5}},
    {OP_mul, WORD, M_hi, {1, 0, 2, 0, 0, 0, 5}},
    {OP_mul, WORD, NONE, {1, 0, 1, 0, 0, 0, 4}},
    {OP_mul, LONG, M_hi, {7, 0, 8, 3, 0, 0, 20}},
    {OP_mul, LONG, NONE, {4, 0, 4, 1, 0, 0, 12}},
    {OP_mad, WORD, M_wide, {3, 0, 3, 1, 0, 0, 9}},
    {OP_mad, WORD, M_hi, {1, 0, 2, 0, 0, 0, 5}},
    {OP_mad, WORD, NONE, {1, 0, 1, 0, 0, 0, 4}},
    {OP_mad, LONG, NONE, {5, 0, 4, 2, 0, 0, 14}},
    {OP_fma, FLOAT | HALF, NONE, {1, 1, 0, 0, 0, 0, 4}},
    {OP_fma, DOUBLE, NONE, {1, 0, 0, 0, 0, 1, 8}},
    {OP_mul24, ANY, NONE, {3, 0, 1, 2, 0, 0, 12}},
    {OP_min, WORD | FLOAT | HALF, NONE, {1, 0, 0, 1, 0, 0, 4}},
    {OP_min, LONG, NONE, {4, 0, 0, 4, 0, 0, 12}},
    {OP_min, DOUBLE, NONE, {7, 0, 3, 3, 0, 1, 20}},
    {OP_neg, WORD, NONE, {1, 0, .5F, .5F, 0, 0, 4}},
    {OP_neg, LONG, NONE, {2, 0, 1, 1, 0, 0, 6}},
    {OP_neg,
     FLOAT | DOUBLE | HALF,
     NONE,
     {0, 0, 0, 0, 0, 0, 0}}, /* signs are part of the instruction that reads */
    {OP_abs, FLOAT | DOUBLE | HALF, NONE, {0, 0, 0, 0, 0, 0, 0}},
    {OP_abs, WORD, NONE, {1, 0, 0, 1, 0, 0, 4}},
    {OP_abs, LONG, NONE, {5, 0, 1, 4, 0, 0, 16}},
    {OP_setp, DOUBLE, NONE, {1, 0, 0, 0, 0, 1, 10}},
    {OP_setp, LONG, NONE, {2, 0, 0, 2, 0, 0, 10}},
    {OP_setp, ANY, NONE, {1, 0, 0, 1, 0, 0, 6}},
    {OP_and, PREDICATE, NONE, {.25F, 0, 0, .25F, 0, 0, 4}}, /* comparisons join predicates */
    {OP_and, LONG, NONE, {2, 0, 0, 2, 0, 0, 4}},
    {OP_and, ANY, NONE, {1, 0, 0, 1, 0, 0, 4}},
    {OP_selp, LONG | DOUBLE, NONE, {2, 0, 0, 2, 0, 0, 4}},
    {OP_selp, ANY, NONE, {1, 0, 0, 1, 0, 0, 4}},
    {OP_shl, LONG, NONE, {2, 0, 0, 2, 0, 0, 4}},
    {OP_shl, ANY, NONE, {1, 0, .5F, .5F, 0, 0, 4}},
    {OP_shr, LONG, NONE, {2, 0, 0, 2, 0, 0, 4}},
    {OP_shr, ANY, NONE, {1, 0, 0, 1, 0, 0, 4}},
    {OP_bfe, LONG, NONE, {8, 0, 0, 8, 0, 0, 24}},
    {OP_bfe, ANY, NONE, {2, 0, 0, 2, 0, 0, 8}},
    {OP_bfi, ANY, NONE, {3, 0, 0, 3, 0, 0, 12}},
    {OP_popc, LONG, NONE, {3, 0, .5F, .5F, 2, 0, 30}},
    {OP_popc, ANY, NONE, {1, 0, 0, 0, 1, 0, 18}},
    {OP_clz, LONG, NONE, {6, 0, 1, 4, 1, 0, 34}},
    {OP_clz, ANY, NONE, {2, 0, 0, 1, 1, 0, 22}},
    {OP_bfind, LONG, NONE, {5, 0, 0, 3, 2, 0, 34}},
    {OP_bfind, ANY, NONE, {1, 0, 0, 0, 1, 0, 18}},
    {OP_brev, LONG, NONE, {2, 0, 0, 0, 2, 0, 22}},
    {OP_brev, ANY, NONE, {1, 0, 0, 0, 1, 0, 18}},
    {OP_div, WORD, NONE, {24, 0, 11, 12, 3, 0, 54}},
    {OP_div, LONG, NONE, {77, 0, 48, 30, 5, 0, 240}},
    {OP_div, FLOAT, M_approx, {5, 3, 0, 1, 1, 0, 30}},
    {OP_div, FLOAT, M_full, {8, 5, 0, 2, 1, 0, 34}},
    {OP_div, FLOAT, NONE, {12, 6, 0, 1, 2, 0, 62}},
    {OP_div, DOUBLE, NONE, {20, 1, 2, 3, 1, 12, 131}},
    {OP_sqrt, FLOAT, M_approx, {4, 2, 0, 1, 1, 0, 26}},
    {OP_sqrt, FLOAT, NONE, {12, 5, 0, 2, 1, 0, 60}},
    {OP_sqrt, DOUBLE, NONE, {22, 0, 5, 7, 1, 8, 131}},
    {OP_rcp, FLOAT, M_approx, {4, 2, 0, 1, 1, 0, 26}},
    {OP_rcp, FLOAT, NONE, {10, 3, 0, 4, 1, 0, 50}},
    {OP_rcp, DOUBLE, NONE, {14, 0, 1, 5, 1, 5, 90}},
    {OP_sin, ANY, NONE, {2, 1, 0, 0, 1, 0, 22}},
    {OP_tanh, ANY, NONE, {1, 0, 0, 0, 1, 0, 18}},
    {OP_rsqrt, FLOAT, M_ftz, {1, 0, 0, 0, 1, 0, 18}},
    {OP_rsqrt, FLOAT, NONE, {4, 2, 0, 1, 1, 0, 26}},
    {OP_rsqrt, DOUBLE, NONE, {22, 0, 5, 7, 1, 8, 110}},
    {OP_ex2, ANY, M_ftz, {1, 0, 0, 0, 1, 0, 18}},
    {OP_ex2, ANY, NONE, {4, 2, 0, 1, 1, 0, 26}},
};

/* Opcodes that cost the same as one of the table. */
static enum ptx_opcode alike(enum ptx_opcode opcode)
{
    switch (opcode) {
    case OP_sub:
    case OP_addc:
    case OP_subc: return OP_add;
    case OP_madc: return OP_mad;
    case OP_mad24: return OP_mul24;
    case OP_max: return OP_min;
    case OP_copysign: return OP_abs;
    case OP_set: return OP_setp;
    case OP_or:
    case OP_xor:
    case OP_not:
    case OP_cnot:
    case OP_lop3:
    case OP_prmt:
    case OP_sad:
    case OP_szext:
    case OP_bmsk:
    case OP_dp4a:
    case OP_dp2a: return OP_and;
    case OP_slct: return OP_selp;
    case OP_shf: return OP_shr;
    case OP_cos: return OP_sin;
    case OP_lg2: return OP_ex2;
    case OP_rem: return OP_div;
    default: return opcode;
    }
}

static const struct cost none = {0};

static const struct cost *row_of(const struct ptx_instruction *instruction,
                                 enum operand_class class)
{
    enum ptx_opcode opcode = alike(instruction->opcode);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].opcode == opcode && (rows[i].classes & class) &&
            (rows[i].modifier == NONE || ptx_has(instruction, rows[i].modifier)))
            return &rows[i].cost;
    return NULL;
}

static struct cost issue(float count)
{
    return (struct cost){.issued = count, .clocks = 4};
}

/* A special register is read once; other moves are the work of whoever gives out registers. */
static struct cost move(const struct ptx_instruction *instruction)
{
    bool is_special = instruction->operand_count > 1 &&
                      instruction->operand[1].kind == OPERAND_VALUE &&
                      instruction->operand[1].base == BASE_SPECIAL;
    return is_special ? issue(1) : none;
}

static struct cost conversion(const struct ptx_instruction *instruction)
{
    static const struct cost special = {1, 0, 0, 0, 1, 0, 18}, logic = {1, 0, 0, 1, 0, 0, 5},
                             floats = {1, 1, 0, 0, 0, 0, 5};
    enum ptx_type to = type_of(instruction);
    enum ptx_type from = instruction->type_count > 1 ? (enum ptx_type)instruction->types[1] : to;
    bool real_to = is_real(to) || class_of(to) == HALF,
         real_from = is_real(from) || class_of(from) == HALF;
    if (to == TYPE_f64 || from == TYPE_f64) return special;
    if (real_to && real_from) return to == from ? special : class_of(from) == HALF ? floats : logic;
    if (real_from) return special;
    if (real_to)
        return type_bytes[from] == 4 || from == TYPE_u16 || from == TYPE_u8 ? logic : special;
    /* Wider without a sign: the upper half is a register that is 0. Loads extend bytes. */
    bool is_signed = from == TYPE_s32 || from == TYPE_s16 || from == TYPE_s8;
    return type_bytes[to] == 8 && is_signed ? logic : none;
}

/* Functions of one or two numbers that clang leaves to CUDA's library. */
static struct cost native(const char *name)
{
    static const struct {
        const char *name;
        struct cost cost;
    } functions[] = {
        {"sinf", {32, 16, 3, 9, 1, 0, 150}},      {"cosf", {32, 16, 3, 9, 1, 0, 150}},
        {"sincosf", {50, 26, 5, 14, 1, 0, 170}},  {"tanf", {36, 20, 2, 9, 1, 0, 110}},
        {"expf", {9, 6, 0, 2, 1, 0, 40}},         {"exp2f", {4, 2, 0, 1, 1, 0, 26}},
        {"exp10f", {9, 6, 0, 2, 1, 0, 40}},       {"expm1f", {29, 17, 0, 10, 2, 0, 80}},
        {"logf", {28, 16, 0, 11, 0, 0, 80}},      {"log2f", {30, 18, 0, 11, 0, 0, 85}},
        {"log10f", {29, 17, 0, 11, 0, 0, 82}},    {"log1pf", {30, 17, 0, 11, 0, 0, 82}},
        {"cbrtf", {16, 9, 0, 5, 2, 0, 70}},       {"asinf", {25, 16, 0, 8, 1, 0, 85}},
        {"acosf", {26, 17, 0, 8, 1, 0, 85}},      {"atanf", {19, 12, 0, 6, 1, 0, 70}},
        {"sinhf", {25, 15, 0, 7, 3, 0, 80}},      {"coshf", {16, 9, 0, 4, 3, 0, 70}},
        {"tanhf", {17, 10, 0, 5, 2, 0, 75}},      {"erff", {26, 12, 1, 12, 1, 0, 80}},
        {"erfcf", {48, 36, 0, 8, 4, 0, 150}},     {"lgammaf", {100, 66, 0, 29, 3, 0, 300}},
        {"tgammaf", {110, 70, 0, 30, 8, 0, 300}}, {"sinpif", {25, 15, 0, 7, 3, 0, 80}},
        {"cospif", {25, 15, 0, 8, 2, 0, 80}},     {"normcdff", {64, 45, 0, 15, 4, 0, 200}},
        {"powf", {72, 40, 0, 22, 3, 0, 190}},     {"atan2f", {35, 20, 0, 12, 2, 0, 110}},
        {"fmodf", {30, 12, 0, 14, 2, 0, 90}},     {"hypotf", {26, 12, 0, 12, 1, 0, 90}},
        {"sin", {45, 0, 4, 8, 1, 14, 170}},       {"cos", {45, 0, 4, 8, 1, 14, 170}},
        {"sincos", {70, 0, 6, 14, 2, 24, 190}},   {"tan", {80, 0, 4, 12, 2, 30, 300}},
        {"exp", {33, 0, 3, 5, 0, 17, 160}},       {"exp2", {34, 0, 3, 5, 0, 18, 160}},
        {"exp10", {36, 0, 3, 5, 0, 19, 170}},     {"expm1", {44, 0, 3, 6, 1, 24, 210}},
        {"log", {65, 0, 8, 12, 1, 28, 250}},      {"log2", {70, 0, 8, 12, 1, 30, 260}},
        {"log10", {70, 0, 8, 12, 1, 30, 260}},    {"log1p", {75, 0, 8, 14, 1, 32, 270}},
        {"cbrt", {44, 2, 6, 16, 6, 13, 200}},     {"asin", {75, 0, 5, 8, 1, 35, 280}},
        {"acos", {80, 0, 5, 9, 1, 37, 290}},      {"atan", {65, 0, 4, 9, 1, 28, 250}},
        {"sinh", {90, 0, 8, 12, 2, 45, 330}},     {"cosh", {61, 0, 3, 10, 1, 21, 230}},
        {"tanh", {80, 0, 4, 8, 4, 30, 260}},      {"erf", {90, 0, 3, 5, 4, 42, 330}},
        {"erfc", {120, 0, 8, 12, 2, 55, 420}},    {"pow", {200, 0, 20, 40, 2, 85, 600}},
        {"atan2", {110, 0, 10, 26, 2, 48, 400}},  {"fmod", {80, 0, 20, 40, 0, 4, 300}},
        {"hypot", {43, 0, 8, 17, 1, 14, 180}},    {"rsqrt", {14, 0, 2, 3, 1, 7, 68}},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(name, functions[i].name) == 0) return functions[i].cost;
    size_t bytes = strlen(name);
    bool is_float = bytes > 0 && name[bytes - 1] == 'f';
    return is_float ? (struct cost){40, 22, 0, 14, 2, 0, 120}
                    : (struct cost){80, 0, 6, 14, 2, 32, 300};
}

/* ---- divisions ------------------------------------------------------------------------------ */

static bool is_same(const struct ptx_operand *a, const struct ptx_operand *b)
{
    return a->kind == b->kind && a->base == b->base && a->at == b->at &&
           a->immediate == b->immediate && (!a->immediate || a->value == b->value);
}

/* A remainder beside a quotient of the same numbers costs a product more. */
static bool has_quotient(const struct ptx_function *function, uint32_t index)
{
    enum { NEAR = 16 };
    const struct ptx_instruction *rem = &function->code[index];
    uint32_t first = index > NEAR ? index - NEAR : 0;
    for (uint32_t i = first; i < function->code_count && i <= index + NEAR; i++) {
        const struct ptx_instruction *div = &function->code[i];
        if (div->opcode == OP_div && type_of(div) == type_of(rem) &&
            is_same(&div->operand[1], &rem->operand[1]) &&
            is_same(&div->operand[2], &rem->operand[2]))
            return true;
    }
    return false;
}

/* ptxas makes a product and shifts of a division by a constant, and computes a reciprocal once. */
static struct cost division(const struct ptx_function *function, uint32_t index,
                            enum operand_class class)
{
    const struct ptx_instruction *instruction = &function->code[index];
    bool is_rem = instruction->opcode == OP_rem, is_long = class == LONG;
    if (is_rem && has_quotient(function, index))
        return is_long ? (struct cost){4, 0, 4, 1, 0, 0, 12} : (struct cost){1, 0, 1, 0, 0, 0, 4};
    if (instruction->reciprocal) return (struct cost){12, 0, 5, 7, 0, 0, 34};
    if (instruction->operand[2].immediate)
        return is_long ? (struct cost){14, 0, 12, 6, 0, 0, 40}
                       : (struct cost){4.0F + is_rem, 0, 3.0F + is_rem, 2, 0, 0, 16};
    return *row_of(instruction, class);
}

/* ---- one instruction ------------------------------------------------------------------------ */

struct cost cost_of(const struct ptx_function *function, uint32_t index)
{
    const struct ptx_instruction *instruction = &function->code[index];
    enum operand_class class = class_of(type_of(instruction));
    if (instruction->added || instruction->fused) return none;
    switch (instruction->opcode) {
    case OP_mov: return move(instruction);
    case OP_cvta:
    case OP_pmevent:
    case OP_discard:
    case OP_applypriority: return none;
    case OP_ld:
    case OP_ldu:
    case OP_st: /* constants and parameters are operands of the instructions that need them */
        return instruction->space == SPACE_CONST || instruction->space == SPACE_PARAM ? none
                                                                                      : issue(1);
    case OP_ret: /* with what each kernel begins with: its stack and its parameters */
        if (function->entry) return issue(6);
        return (struct cost){.issued = 1, .clocks = function->saved > 0 ? 94 : 24};
    case OP_cvt: return conversion(instruction);
    case OP_mul:
    case OP_mad: /* of real numbers: as an fma */
        if (class & (FLOAT | HALF)) return (struct cost){1, 1, 0, 0, 0, 0, 4};
        if (class == DOUBLE) return (struct cost){1, 0, 0, 0, 0, 1, 8};
        break;
    case OP_div:
    case OP_rem:
        if (class & (WORD | LONG)) return division(function, index, class);
        break;
    case OP_shfl: return (struct cost){.issued = 1, .clocks = 23};
    case OP_call:
        if (instruction->callee != NULL && !instruction->callee->defined)
            return native(instruction->callee->name);
        return (struct cost){.issued = 3, .clocks = instruction->callee != NULL ? 24 : 60};
    default: break;
    }
    const struct cost *row = row_of(instruction, class);
    return row != NULL ? *row : issue(1);
}

/* Which arithmetic the trace counts. Quotients that are approximate by a compiler's option are
 * divisions of the program too; a quotient by a constant is none, and neither is the remainder
 * beside a quotient. */
uint32_t cost_arithmetic(const struct ptx_function *function, uint32_t index,
                         enum arithmetic_kind *kind)
{
    const struct ptx_instruction *instruction = &function->code[index];
    enum ptx_type type = type_of(instruction);
    bool is_double = type == TYPE_f64,
         is_approximate = ptx_has(instruction, M_approx) || ptx_has(instruction, M_full);
    *kind = is_double ? DOUBLE_OPERATIONS : FLOAT_OPERATIONS;
    switch (instruction->opcode) {
    case OP_add:
    case OP_sub:
    case OP_mul: return is_real(type);
    case OP_mad:
    case OP_fma: return is_real(type) ? 2 : 0;
    case OP_rcp:
    case OP_sqrt: *kind = is_double ? DOUBLE_DIVISIONS : FLOAT_DIVISIONS; return !is_approximate;
    case OP_div:
    case OP_rem:
        *kind = is_double               ? DOUBLE_DIVISIONS
                : type == TYPE_f32      ? FLOAT_DIVISIONS
                : type_bytes[type] == 8 ? DIVISIONS_64
                                        : DIVISIONS;
        if (is_real(type)) return 1;
        return !instruction->operand[2].immediate &&
               !(instruction->opcode == OP_rem && has_quotient(function, index));
    case OP_cvt: {
        enum ptx_type from =
            instruction->type_count > 1 ? (enum ptx_type)instruction->types[1] : type;
        *kind = CONVERSIONS;
        return is_double != (from == TYPE_f64);
    }
    default: return 0;
    }
}
