/*
 * compute.h: how an instruction that computes is written: as one rule. It says for which opcode,
 * types and modifiers it is, and has an expression in x, y and z, the operands of a lane. A rule
 * becomes a function with a loop over the 32 lanes, of which the compiler makes vector code, and a
 * row of one table. rule_select() finds the row once per instruction; nothing is looked up while a
 * kernel runs.
 *
 *     BINARY(mul, s32, FORM_WIDE, int64_t, int32_t, int32_t, (int64_t)x *y)
 */
#ifndef WARPUP_COMPUTE_H
#define WARPUP_COMPUTE_H

#include "gpu/warp/warp.h"

#include <math.h>
#include <string.h>

/* ---- the table ------------------------------------------------------------------------------ */

/* Modifiers that make another function of an instruction. */
enum form {
    FORM_FTZ = 1 << 0,
    FORM_SAT = 1 << 1,
    FORM_NAN = 1 << 2,
    FORM_XORSIGN = 1 << 3,
    FORM_RELU = 1 << 4,
    FORM_LO = 1 << 5,
    FORM_HI = 1 << 6,
    FORM_WIDE = 1 << 7,
    FORM_CC = 1 << 8,
    FORM_APPROX = 1 << 9,
    FORM_FULL = 1 << 10,
    FORM_WRAP = 1 << 11,
    FORM_CLAMP = 1 << 12,
    FORM_SHIFT = 1 << 13,
    FORM_LEFT = 1 << 14,
    FORM_RIGHT = 1 << 15,
    FORM_RNI = 1 << 16, /* cvt: to a whole number, of any type */
    FORM_RZI = 1 << 17,
    FORM_RMI = 1 << 18,
    FORM_RPI = 1 << 19,
    FORM_AWAY = 1 << 20, /* .rna: a half is rounded away from zero */
    FORM_FINITE = 1 << 21,
    FORM_PACK = 1 << 22,
    FORM_F4E = 1 << 23, /* prmt's modes */
    FORM_B4E = 1 << 24,
    FORM_RC8 = 1 << 25,
    FORM_ECL = 1 << 26,
    FORM_ECR = 1 << 27,
    FORM_RC16 = 1 << 28,
    FORM_WHOLE = FORM_RNI | FORM_RZI | FORM_RMI | FORM_RPI
};

enum rounding { ROUND_NEAREST, ROUND_ZERO, ROUND_DOWN, ROUND_UP };

/* In a rule: the type does not matter, only the sizes do. */
enum { TYPE_any = TYPES };

/* An instruction with this opcode, these types and this form has this function, if its operands are
 * values of these sizes (0: a predicate). An instruction with one type has it as both. */
struct rule {
    uint8_t opcode, type, last;
    uint8_t count, bytes[5];
    uint32_t form;
    ptx_execute *execute;
};

/* The linker puts all rules of all files side by side. */
#define RULE(op, type, last, form, function, count, ...)                                           \
    static const struct rule __attribute__((used, section("rules"), aligned(8)))                   \
    function##_rule = {OP_##op, TYPE_##type, TYPE_##last, count, {__VA_ARGS__}, form, function};

/* The form and the rounding that the modifiers say. False: one of them says neither. */
bool rule_form(const struct ptx_instruction *instruction, unsigned *form, enum rounding *rounding);

/* The function of the rule that matches; NULL: none does. */
ptx_execute *find_rule(const struct ptx_instruction *instruction, unsigned form);

/* Has the instruction operands of these sizes? A digit each: '0': a predicate, 'x': 16. */
bool has_sizes(const struct ptx_instruction *instruction, const char *sizes);

/* Makes `plain` run with another rounding: keeps it as the instruction's detail. */
ptx_execute *with_rounding(struct ptx_instruction *instruction, ptx_execute *plain,
                           enum rounding rounding);

/* The instructions that rules do not say. Each returns NULL if it does not know the instruction. */
typedef ptx_execute *select_family(const struct ptx_function *function,
                                   struct ptx_instruction *instruction);
select_family select_fixed, select_float, select_compare, select_move, select_convert, select_half,
    select_matrix, select_matrix_memory, select_texture;

/* ---- operands ------------------------------------------------------------------------------- */

/* The 32 values of any operand that is a value. */
#define OPERAND_OF(warp, operand, type) VALUES(warp, type, (operand)->base, (operand)->at)

/* The registers of an operand that is a vector, or a single one. `elements` are the function's. */
static inline const struct ptx_operand *registers_of(const struct ptx_operand *elements,
                                                     const struct ptx_operand *operand)
{
    return operand->kind == OPERAND_VECTOR ? &elements[operand->first] : operand;
}

static inline unsigned register_count(const struct ptx_operand *operand)
{
    return operand->kind == OPERAND_VECTOR ? operand->count : 1;
}

/* Types to look at registers as bits, whatever was stored there. */
typedef uint16_t __attribute__((may_alias)) bits_16;
typedef uint32_t __attribute__((may_alias)) bits_32;
typedef uint64_t __attribute__((may_alias)) bits_64;

/* One value of a register of 2, 4 or 8 bytes per lane (a 1-byte one has 2), without its sign. */
static inline uint64_t lane_bits(const void *values, unsigned bytes, unsigned lane)
{
    switch (bytes) {
    case 8: return ((const bits_64 *)values)[lane];
    case 4: return ((const bits_32 *)values)[lane];
    default: return ((const bits_16 *)values)[lane];
    }
}

static inline void set_lane_bits(void *values, unsigned bytes, unsigned lane, uint64_t bits)
{
    switch (bytes) {
    case 8: ((bits_64 *)values)[lane] = bits; break;
    case 4: ((bits_32 *)values)[lane] = (uint32_t)bits; break;
    default: ((bits_16 *)values)[lane] = (uint16_t)bits; break;
    }
}

/* Sets the lanes of the mask in a predicate. */
static inline void set_predicate(struct warp *warp, const struct ptx_operand *operand,
                                 uint32_t bits, uint32_t mask)
{
    if (operand->kind != OPERAND_VALUE) return;
    uint32_t *to = OPERAND_OF(warp, operand, uint32_t);
    *to = (*to & ~mask) | (bits & mask);
}

/* ---- functions ------------------------------------------------------------------------------ */

/* A loop over all lanes. Its lanes do not depend on each other: a destination is one of the
 * sources, or apart. */
#define ALL_LANES _Pragma("GCC ivdep") for (unsigned l = 0; l < LANES; l++)

/* The bit of each lane, as wide as a value: with a shift instead, the compiler makes no vector code
 * of loops over values of 2 and 8 bytes. */
extern const uint64_t wide_bit[LANES];

/* Moves the lanes of the mask, of 2, 4, 8 or 16 bytes each. */
void blend(void *to, const void *from, size_t bytes, uint32_t mask);

/* Sets the destination, lane by lane, to an expression; `pointers` are made before the loop, and
 * `loads` in it. `to` is the destination, or beside it if some of its lanes must stay. */
#define EXECUTES(name, D, pointers, loads, ...)                                                    \
    static void name(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)            \
    {                                                                                              \
        D kept[LANES], *d = D_OF(warp, i, D), *to = mask == FULL_MASK ? d : kept;                  \
        pointers;                                                                                  \
        ALL_LANES                                                                                  \
        {                                                                                          \
            loads;                                                                                 \
            to[l] = (D)(__VA_ARGS__);                                                              \
        }                                                                                          \
        if (mask != FULL_MASK) blend(d, kept, sizeof(D), mask);                                    \
    }

/* Each rule's function gets a name of its own: add_f32_17. */
#define NAMED(op, type, number)  op##_##type##_##number
#define NAMED_(op, type, number) NAMED(op, type, number)
#define NAME(op, type)           NAMED_(op, type, __COUNTER__)

/* d <- an expression in x; in x and y; in x, y and z. `load` is put around each operand. */
#define AS_IT_IS(x) (x)
#define RULE_1(name, op, type, last, form, D, A, load, ...)                                        \
    EXECUTES(name, D, const A *a = A_OF(warp, i, A), const A x = load(a[l]), __VA_ARGS__)          \
    RULE(op, type, last, form, name, 2, sizeof(D), sizeof(A))
#define RULE_2(name, op, type, last, form, D, A, B, load, ...)                                     \
    EXECUTES(name, D, const A *a = A_OF(warp, i, A);                                               \
             const B *b = B_OF(warp, i, B), const A x = load(a[l]);                                \
             const B y = load(b[l]), __VA_ARGS__)                                                  \
    RULE(op, type, last, form, name, 3, sizeof(D), sizeof(A), sizeof(B))
#define RULE_3(name, op, type, last, form, D, A, B, C, load, ...)                                  \
    EXECUTES(name, D, const A *a = A_OF(warp, i, A); const B *b = B_OF(warp, i, B);                \
             const C *c = C_OF(warp, i, C), const A x = load(a[l]); const B y = load(b[l]);        \
             const C z = load(c[l]), __VA_ARGS__)                                                  \
    RULE(op, type, last, form, name, 4, sizeof(D), sizeof(A), sizeof(B), sizeof(C))
#define RULE_1_(...) RULE_1(__VA_ARGS__)
#define RULE_2_(...) RULE_2(__VA_ARGS__)
#define RULE_3_(...) RULE_3(__VA_ARGS__)

#define UNARY(op, type, form, D, A, ...)                                                           \
    RULE_1_(NAME(op, type), op, type, type, form, D, A, AS_IT_IS, __VA_ARGS__)
#define BINARY(op, type, form, D, A, B, ...)                                                       \
    RULE_2_(NAME(op, type), op, type, type, form, D, A, B, AS_IT_IS, __VA_ARGS__)
#define TERNARY(op, type, form, D, A, B, C, ...)                                                   \
    RULE_3_(NAME(op, type), op, type, type, form, D, A, B, C, AS_IT_IS, __VA_ARGS__)

/* Rules whose operands and result are of one type. */
#define SAME_1(op, type, form, T, ...) UNARY(op, type, form, T, T, __VA_ARGS__)
#define SAME_2(op, type, form, T, ...) BINARY(op, type, form, T, T, T, __VA_ARGS__)
#define SAME_3(op, type, form, T, ...) TERNARY(op, type, form, T, T, T, T, __VA_ARGS__)

/* ---- numbers -------------------------------------------------------------------------------- */

static inline float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t double_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The NaN that an operation makes of numbers is a GPU's. An operand's NaN stays as it is, because
 * it may mark a value that nobody has set, or that no lane gave. */
static inline float canonical(float value)
{
    return (float_bits(value) & 0x7fffffff) == 0x7fc00000 ? float_of(0x7fffffff) : value;
}

/* .ftz: a subnormal number becomes a zero of its sign. */
static inline float flushed(float value)
{
    return fabsf(value) < 0x1p-126f ? float_of(float_bits(value) & 0x80000000u) : value;
}

/* .sat: between 0 and 1; a NaN becomes 0. */
static inline float saturated(float value)
{
    return value > 0 ? value < 1 ? value : 1.0f : 0.0f;
}

/* The number, if one of the two is none; +0 is more than -0. */
static inline float least(float x, float y)
{
    float equal = float_of(float_bits(x) | float_bits(y)), other = x < y ? x : y;
    return y != y ? x : x == y ? equal : other;
}

static inline float most(float x, float y)
{
    float equal = float_of(float_bits(x) & float_bits(y)), other = x > y ? x : y;
    return y != y ? x : x == y ? equal : other;
}

/* .NaN: no number, if one of the two is none. */
static inline float with_nan(float x, float y, float value)
{
    return x != x || y != y ? float_of(0x7fffffff) : value;
}

/* .xorsign.abs: of the magnitudes, with the product of the signs. */
static inline float with_sign(float x, float y, float value)
{
    return float_of((float_bits(value) & 0x7fffffffu) |
                    ((float_bits(x) ^ float_bits(y)) & 0x80000000u));
}

#endif
