/*
 * arithmetic.h: what the files that execute arithmetic share. Each of them has functions, one per
 * operation and type, which execute the operation for a warp. A table of choices says which
 * instructions they are for. The macros below make such a function of an expression: a loop over 32
 * lanes, of which the compiler makes vector code.
 */
#ifndef WARPUP_ARITHMETIC_H
#define WARPUP_ARITHMETIC_H

#include "gpu/warp/warp.h"

#include <math.h>
#include <string.h>

/* ---- choosing ------------------------------------------------------------------------------- */

/* Modifiers that make another function of an instruction. */
enum form {
    FORM_FTZ = 1,
    FORM_SAT = 2,
    FORM_NAN = 4,
    FORM_XORSIGN = 8,
    FORM_RELU = 16,
    FORM_LO = 32,
    FORM_HI = 64,
    FORM_WIDE = 128,
    FORM_CC = 256,
    FORM_APPROX = 512,
    FORM_FULL = 1024,
    FORM_WRAP = 2048,
    FORM_CLAMP = 4096,
    FORM_SHIFT = 8192,
    FORM_LEFT = 16384,
    FORM_RIGHT = 32768
};

enum rounding { ROUND_NEAREST, ROUND_ZERO, ROUND_DOWN, ROUND_UP };

/* An instruction with this opcode, first type and form has this function. `widths` has a digit per
 * operand: the bytes of its value ('0': a predicate, 'x': 16). A row whose operands are others does
 * not match. */
struct choice {
    uint8_t opcode, type;
    uint16_t form;
    const char *widths;
    ptx_execute *execute;
};

#define CHOICE(opcode, type, form, widths, execute)                                                \
    {                                                                                              \
        OP_##opcode, TYPE_##type, form, widths, execute                                            \
    }
#define CHOICES(table) (table), sizeof(table) / sizeof(table)[0]

/* The form and the rounding that the modifiers say. False: one of them says neither. */
bool arithmetic_form(const struct ptx_instruction *instruction, unsigned *form,
                     enum rounding *rounding);

/* Has the instruction operands of these widths? */
bool has_widths(const struct ptx_instruction *instruction, const char *widths);

/* The function of the row that matches, or NULL. */
ptx_execute *choose(const struct choice *choices, size_t count,
                    const struct ptx_instruction *instruction, unsigned form);

/* Makes `plain` run with another rounding: keeps it as the instruction's detail. */
ptx_execute *with_rounding(struct ptx_instruction *instruction, ptx_execute *plain,
                           enum rounding rounding);

/* The families of instructions. Each returns NULL if it does not know the instruction. */
typedef ptx_execute *select_family(const struct ptx_function *function,
                                   struct ptx_instruction *instruction);
select_family select_integer, select_carry, select_bits, select_float, select_special_function,
    select_compare, select_move, select_address, select_convert, select_half, select_matrix,
    select_matrix_memory, select_texture;

/* ---- operands ------------------------------------------------------------------------------- */

/* The 32 values of any operand that is a value. */
#define OPERAND_OF(warp, operand, type) VALUES(warp, type, (operand)->base, (operand)->at)

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
void blend_2(void *to, const void *from, uint32_t mask);
void blend_4(void *to, const void *from, uint32_t mask);
void blend_8(void *to, const void *from, uint32_t mask);
void blend_16(void *to, const void *from, uint32_t mask);

static inline void blend(void *to, const void *from, size_t bytes, uint32_t mask)
{
    if (mask == FULL_MASK) {
        memcpy(to, from, bytes * LANES);
        return;
    }
    switch (bytes) {
    case 2: blend_2(to, from, mask); break;
    case 4: blend_4(to, from, mask); break;
    case 8: blend_8(to, from, mask); break;
    default: blend_16(to, from, mask); break;
    }
}

/* Sets the destination, lane by lane, to an expression; `pointers` are made before the loop, and
 * `loads` in it. `to` is the destination, or beside it if some of its lanes must stay. */
#define EXECUTES(name, D, pointers, loads, expression)                                             \
    static void name(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)            \
    {                                                                                              \
        D kept[LANES], *d = D_OF(warp, i, D), *to = mask == FULL_MASK ? d : kept;                  \
        pointers;                                                                                  \
        ALL_LANES                                                                                  \
        {                                                                                          \
            loads;                                                                                 \
            to[l] = (D)(expression);                                                               \
        }                                                                                          \
        if (mask != FULL_MASK) blend(d, kept, sizeof(D), mask);                                    \
    }

/* d <- an expression in x; in x and y; in x, y and z. */
#define UNARY(name, D, A, expression)                                                              \
    EXECUTES(name, D, const A *a = A_OF(warp, i, A), const A x = a[l], expression)
#define BINARY(name, D, A, B, expression)                                                          \
    EXECUTES(name, D, const A *a = A_OF(warp, i, A);                                               \
             const B *b = B_OF(warp, i, B), const A x = a[l]; const B y = b[l], expression)
#define TERNARY(name, D, A, B, C, expression)                                                      \
    EXECUTES(name, D, const A *a = A_OF(warp, i, A); const B *b = B_OF(warp, i, B);                \
             const C *c = C_OF(warp, i, C), const A x = a[l]; const B y = b[l];                    \
             const C z = c[l], expression)

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

static inline double saturated_double(double value)
{
    return value > 0 ? value < 1 ? value : 1.0 : 0.0;
}

#endif
