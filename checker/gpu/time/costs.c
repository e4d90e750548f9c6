/*
 * costs.c: what ptxas makes of one PTX instruction, for compute capability 9.0; others are much
 * alike. From compiled kernels (cuobjdump -sass), and from NVIDIA's table of throughputs in the
 * CUDA programming guide.
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

static bool is_half(enum ptx_type type)
{
    return type == TYPE_f16 || type == TYPE_f16x2 || type == TYPE_bf16 || type == TYPE_bf16x2;
}

static struct cost floats(double count)
{
    return (struct cost){.issued = count, .floats = count};
}

static struct cost integers(double count)
{
    return (struct cost){.issued = count, .integers = count};
}

/* Comparisons, shifts, operations on bits: only half of the units do them. */
static struct cost logic(double count)
{
    return (struct cost){.issued = count, .integers = count, .logic = count};
}

static struct cost special(double count)
{
    return (struct cost){.issued = count, .special = count};
}

static struct cost doubles(double count)
{
    return (struct cost){.issued = count, .doubles = count};
}

static struct cost issue(double count)
{
    return (struct cost){.issued = count};
}

static struct cost nothing(void)
{
    return (struct cost){0};
}

/* A whole number of 64 bits is two registers. */
static double registers_of(enum ptx_type type)
{
    return type_bytes[type] == 8 ? 2 : 1;
}

static struct cost addition(enum ptx_type type)
{
    if (type == TYPE_f64) return doubles(1);
    if (is_real(type) || is_half(type)) return floats(1);
    return integers(registers_of(type));
}

static struct cost product(const struct ptx_instruction *instruction)
{
    enum ptx_type type = type_of(instruction);
    if (type == TYPE_f64) return doubles(1);
    if (is_real(type) || is_half(type)) return floats(1);
    if (ptx_has(instruction, M_wide)) return integers(type_bytes[type] == 8 ? 6 : 1);
    return integers(type_bytes[type] == 8 ? 4 : 1);
}

/* A value that nothing but its reader needs is part of the reader; a special register is read once.
 */
static struct cost move(const struct ptx_instruction *instruction)
{
    bool is_special = instruction->operand_count > 1 &&
                      instruction->operand[1].kind == OPERAND_VALUE &&
                      instruction->operand[1].base == BASE_SPECIAL;
    return is_special ? integers(1) : nothing();
}

static struct cost conversion(const struct ptx_instruction *instruction)
{
    enum ptx_type to = type_of(instruction);
    enum ptx_type from = instruction->type_count > 1 ? (enum ptx_type)instruction->types[1] : to;
    if (to == TYPE_f64 || from == TYPE_f64) return issue(1);
    bool real_to = is_real(to) || is_half(to), real_from = is_real(from) || is_half(from);
    if (real_to && real_from) return floats(1);
    if (real_to) return type_bytes[from] == 8 ? special(2) : integers(1);
    if (real_from) return special(1);
    /* Wider without a sign: the upper half is a register that is 0. */
    bool is_signed = from == TYPE_s32 || from == TYPE_s16 || from == TYPE_s8;
    return type_bytes[to] == 8 && is_signed ? logic(1) : nothing();
}

/* Parameters and constants are operands of the instructions that need them. */
static struct cost access(const struct ptx_instruction *instruction)
{
    if (instruction->space == SPACE_PARAM || instruction->space == SPACE_CONST) return nothing();
    return issue(1);
}

/* The cost of a function of one number that is not an instruction: about that of CUDA's own. */
static struct cost native(const char *name)
{
    static const struct {
        const char *part;
        double floats, special;
    } known[] = {{"exp2", 3, 1},    {"exp", 6, 1},  {"log", 12, 0},  {"pow", 60, 2},
                 {"sincos", 40, 0}, {"sin", 22, 0}, {"cos", 22, 0},  {"tan", 30, 1},
                 {"atan", 22, 1},   {"erf", 25, 1}, {"gamma", 60, 3}};
    size_t bytes = strlen(name);
    bool is_float = bytes > 0 && name[bytes - 1] == 'f';
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strstr(name, known[i].part) == NULL) continue;
        double all = known[i].floats + known[i].special;
        if (!is_float) return doubles(1.5 * all);
        return (struct cost){.issued = all, .floats = known[i].floats, .special = known[i].special};
    }
    return issue(20);
}

struct cost cost_of(const struct ptx_instruction *instruction)
{
    enum ptx_type type = type_of(instruction);
    if (instruction->added) return nothing();
    switch (instruction->opcode) {
    case OP_mov: return move(instruction);
    case OP_cvta: return nothing();
    case OP_ld:
    case OP_ldu:
    case OP_st: return access(instruction);
    case OP_add:
    case OP_sub:
    case OP_addc:
    case OP_subc: return addition(type);
    case OP_mul:
    case OP_mad:
    case OP_madc:
    case OP_fma: return product(instruction);
    case OP_mul24:
    case OP_mad24: return integers(2);
    case OP_dp4a:
    case OP_dp2a: return integers(1);
    case OP_min:
    case OP_max:
        if (type == TYPE_f64) return doubles(2);
        return logic(type_bytes[type] == 8 ? 4 : 1);
    case OP_neg:
    case OP_abs:
    case OP_copysign:
        return is_real(type) || is_half(type) ? nothing() : integers(registers_of(type));
    case OP_setp:
    case OP_set: return type == TYPE_f64 ? doubles(1) : logic(registers_of(type));
    case OP_and:
    case OP_or:
    case OP_xor:
    case OP_not:
    case OP_cnot:
    case OP_selp:
    case OP_slct: return type == TYPE_pred ? logic(0.5) : logic(registers_of(type));
    case OP_shl:
    case OP_shr: return logic(registers_of(type));
    case OP_lop3:
    case OP_shf:
    case OP_prmt:
    case OP_bfe:
    case OP_bfi:
    case OP_sad:
    case OP_szext:
    case OP_bmsk: return logic(1);
    case OP_popc:
    case OP_clz:
    case OP_brev:
    case OP_bfind: return special(1);
    case OP_cvt: return conversion(instruction);
    case OP_ex2:
    case OP_lg2:
    case OP_sin:
    case OP_cos:
    case OP_tanh:
    case OP_rsqrt:
        return type == TYPE_f64 ? doubles(12)
                                : (struct cost){.issued = 2, .floats = 1, .special = 1};
    case OP_rcp:
    case OP_sqrt:
    case OP_div:
        if (ptx_has(instruction, M_approx) || ptx_has(instruction, M_full))
            return (struct cost){.issued = 3, .floats = 2, .special = 1};
        return nothing(); /* a slow kind, whose rate was measured */
    case OP_rem: return nothing();
    case OP_bra:
    case OP_brx:
    case OP_ret:
    case OP_exit: return issue(1);
    case OP_call:
        return instruction->callee != NULL && !instruction->callee->defined
                   ? native(instruction->callee->name)
                   : issue(2);
    case OP_pmevent:
    case OP_discard:
    case OP_applypriority: return nothing();
    default: return issue(1);
    }
}

/* ---- divisions ------------------------------------------------------------------------------ */

static bool is_same(const struct ptx_operand *a, const struct ptx_operand *b)
{
    return a->kind == b->kind && a->base == b->base && a->at == b->at &&
           a->immediate == b->immediate && (!a->immediate || a->value == b->value);
}

/* A remainder beside a quotient of the same numbers costs nothing more. */
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

enum slow_kind cost_slow_kind(const struct ptx_function *function, uint32_t index)
{
    const struct ptx_instruction *instruction = &function->code[index];
    enum ptx_type type = type_of(instruction);
    bool is_approximate = ptx_has(instruction, M_approx) || ptx_has(instruction, M_full);
    switch (instruction->opcode) {
    case OP_div:
    case OP_rem:
        if (type == TYPE_f32) return is_approximate ? SLOW_NONE : SLOW_FLOAT_DIVISION;
        if (type == TYPE_f64) return SLOW_DOUBLE_DIVISION;
        if (instruction->operand[2].immediate) return SLOW_NONE; /* ptxas makes a product of it */
        if (instruction->opcode == OP_rem && has_quotient(function, index)) return SLOW_NONE;
        return type_bytes[type] == 8 ? SLOW_DIVISION_64 : SLOW_DIVISION;
    case OP_rcp:
    case OP_sqrt:
        if (is_approximate) return SLOW_NONE;
        if (type == TYPE_f64) return SLOW_DOUBLE_DIVISION;
        return instruction->opcode == OP_sqrt ? SLOW_FLOAT_ROOT : SLOW_FLOAT_DIVISION;
    case OP_cvt: {
        enum ptx_type from =
            instruction->type_count > 1 ? (enum ptx_type)instruction->types[1] : type;
        return (type == TYPE_f64) != (from == TYPE_f64) ? SLOW_CONVERSION : SLOW_NONE;
    }
    default: return SLOW_NONE;
    }
}

/* Quotients that are approximate by a compiler's option are divisions of the program too. */
uint32_t cost_arithmetic(const struct ptx_function *function, uint32_t index,
                         enum arithmetic_kind *kind)
{
    static const enum arithmetic_kind of_slow[SLOW_KINDS] = {
        [SLOW_FLOAT_DIVISION] = FLOAT_DIVISIONS,   [SLOW_FLOAT_ROOT] = FLOAT_DIVISIONS,
        [SLOW_DOUBLE_DIVISION] = DOUBLE_DIVISIONS, [SLOW_DIVISION] = DIVISIONS,
        [SLOW_DIVISION_64] = DIVISIONS_64,         [SLOW_CONVERSION] = CONVERSIONS};
    const struct ptx_instruction *instruction = &function->code[index];
    enum ptx_type type = type_of(instruction);
    *kind = type == TYPE_f64 ? DOUBLE_OPERATIONS : FLOAT_OPERATIONS;
    switch (instruction->opcode) {
    case OP_add:
    case OP_sub:
    case OP_mul: return is_real(type);
    case OP_mad:
    case OP_fma: return is_real(type) ? 2 : 0;
    case OP_div:
        if (type == TYPE_f32) {
            *kind = FLOAT_DIVISIONS;
            return 1;
        }
        break;
    default: break;
    }
    enum slow_kind slow = cost_slow_kind(function, index);
    *kind = of_slow[slow];
    return slow != SLOW_NONE;
}
