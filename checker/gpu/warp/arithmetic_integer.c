/*
 * arithmetic_integer.c: sums, products, quotients, minima of integers, and the chains with a carry.
 * Sums and products wrap around, so they are computed as unsigned numbers.
 */
#include "gpu/warp/arithmetic.h"
#include "gpu/warp/launch.h"

/* ---- sums and products ---------------------------------------------------------------------- */

/* Name, the type, the unsigned one of its size, one that holds a product, bits. */
#define INTEGERS(X)                                                                                \
    X(u16, uint16_t, uint16_t, uint32_t, 16)                                                       \
    X(s16, int16_t, uint16_t, int32_t, 16)                                                         \
    X(u32, uint32_t, uint32_t, uint64_t, 32)                                                       \
    X(s32, int32_t, uint32_t, int64_t, 32)                                                         \
    X(u64, uint64_t, uint64_t, unsigned __int128, 64)                                              \
    X(s64, int64_t, uint64_t, __int128, 64)

#define UNSIGNED(X) X(16, uint16_t) X(32, uint32_t) X(64, uint64_t)

#define SUMS(bits, U)                                                                              \
    BINARY(add_##bits, U, U, U, x + y)                                                             \
    BINARY(sub_##bits, U, U, U, x - y)                                                             \
    BINARY(mul_lo_##bits, U, U, U, 1u * x * y)                                                     \
    TERNARY(mad_lo_##bits, U, U, U, U, 1u * x * y + z)                                             \
    UNARY(neg_##bits, U, U, 0 - x)
UNSIGNED(SUMS)

#define TYPED(name, T, U, W, bits)                                                                 \
    BINARY(mul_hi_##name, U, T, T, ((W)x * y) >> bits)                                             \
    TERNARY(mad_hi_##name, U, T, T, U, (U)(((W)x * y) >> bits) + z)                                \
    BINARY(min_##name, T, T, T, y < x ? y : x)                                                     \
    BINARY(max_##name, T, T, T, x < y ? y : x)                                                     \
    UNARY(abs_##name, U, T, x < 0 ? (U)0 - (U)x : (U)x)                                            \
    TERNARY(sad_##name, U, T, T, U, z + (x < y ? (U)((U)y - (U)x) : (U)((U)x - (U)y)))
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtype-limits"
INTEGERS(TYPED)
#pragma GCC diagnostic pop

BINARY(mul_wide_u16, uint32_t, uint16_t, uint16_t, (uint32_t)x *y)
BINARY(mul_wide_s16, int32_t, int16_t, int16_t, (int32_t)x *y)
BINARY(mul_wide_u32, uint64_t, uint32_t, uint32_t, (uint64_t)x *y)
BINARY(mul_wide_s32, int64_t, int32_t, int32_t, (int64_t)x *y)
TERNARY(mad_wide_u16, uint32_t, uint16_t, uint16_t, uint32_t, (uint32_t)x *y + z)
TERNARY(mad_wide_s16, uint32_t, int16_t, int16_t, uint32_t, (uint32_t)((int32_t)x *y) + z)
TERNARY(mad_wide_u32, uint64_t, uint32_t, uint32_t, uint64_t, (uint64_t)x *y + z)
TERNARY(mad_wide_s32, uint64_t, int32_t, int32_t, uint64_t, (uint64_t)((int64_t)x *y) + z)

static inline int32_t clamped(int64_t value)
{
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int32_t)value;
}
BINARY(add_sat_s32, int32_t, int32_t, int32_t, clamped((int64_t)x + y))
BINARY(sub_sat_s32, int32_t, int32_t, int32_t, clamped((int64_t)x - y))
TERNARY(mad_hi_sat_s32, int32_t, int32_t, int32_t, int32_t, clamped(((int64_t)x * y >> 32) + z))

/* The lower 24 bits of a number. */
#define LOW_S(x) ((int64_t)((int32_t)((uint32_t)(x) << 8) >> 8))
#define LOW_U(x) ((uint64_t)((x)&0xffffffu))
BINARY(mul24_lo_u32, uint32_t, uint32_t, uint32_t, LOW_U(x) * LOW_U(y))
BINARY(mul24_lo_s32, uint32_t, int32_t, int32_t, LOW_S(x) * LOW_S(y))
BINARY(mul24_hi_u32, uint32_t, uint32_t, uint32_t, LOW_U(x) * LOW_U(y) >> 16)
BINARY(mul24_hi_s32, uint32_t, int32_t, int32_t, LOW_S(x) * LOW_S(y) >> 16)
TERNARY(mad24_lo_u32, uint32_t, uint32_t, uint32_t, uint32_t, LOW_U(x) * LOW_U(y) + z)
TERNARY(mad24_lo_s32, uint32_t, int32_t, int32_t, uint32_t, (uint32_t)(LOW_S(x) * LOW_S(y)) + z)
TERNARY(mad24_hi_u32, uint32_t, uint32_t, uint32_t, uint32_t, (LOW_U(x) * LOW_U(y) >> 16) + z)
TERNARY(mad24_hi_s32, uint32_t, int32_t, int32_t, uint32_t,
        (uint32_t)(LOW_S(x) * LOW_S(y) >> 16) + z)
TERNARY(mad24_hi_sat_s32, int32_t, int32_t, int32_t, int32_t,
        clamped((LOW_S(x) * LOW_S(y) >> 16) + z))

/* Pairs of 16 bits, and .relu: a negative number becomes 0. */
#define PAIR(low, high) ((uint32_t)(uint16_t)(low) | (uint32_t)(uint16_t)(high) << 16)
#define LOWER(x)        ((int16_t)(x))
#define UPPER(x)        ((int16_t)((x) >> 16))
#define LEAST(x, y)     ((y) < (x) ? (y) : (x))
#define MOST(x, y)      ((x) < (y) ? (y) : (x))
#define AT_LEAST_0(x)   ((x) > 0 ? (x) : 0)
BINARY(add_16x2, uint32_t, uint32_t, uint32_t, PAIR(x + y, (x >> 16) + (y >> 16)))
BINARY(min_u16x2, uint32_t, uint32_t, uint32_t,
       PAIR(LEAST((uint16_t)x, (uint16_t)y), LEAST(x >> 16, y >> 16)))
BINARY(max_u16x2, uint32_t, uint32_t, uint32_t,
       PAIR(MOST((uint16_t)x, (uint16_t)y), MOST(x >> 16, y >> 16)))
BINARY(min_s16x2, uint32_t, uint32_t, uint32_t,
       PAIR(LEAST(LOWER(x), LOWER(y)), LEAST(UPPER(x), UPPER(y))))
BINARY(max_s16x2, uint32_t, uint32_t, uint32_t,
       PAIR(MOST(LOWER(x), LOWER(y)), MOST(UPPER(x), UPPER(y))))
BINARY(min_relu_s16x2, uint32_t, uint32_t, uint32_t,
       PAIR(AT_LEAST_0(LEAST(LOWER(x), LOWER(y))), AT_LEAST_0(LEAST(UPPER(x), UPPER(y)))))
BINARY(max_relu_s16x2, uint32_t, uint32_t, uint32_t,
       PAIR(AT_LEAST_0(MOST(LOWER(x), LOWER(y))), AT_LEAST_0(MOST(UPPER(x), UPPER(y)))))
BINARY(min_relu_s32, int32_t, int32_t, int32_t, AT_LEAST_0(LEAST(x, y)))
BINARY(max_relu_s32, int32_t, int32_t, int32_t, AT_LEAST_0(MOST(x, y)))

/* ---- quotients ------------------------------------------------------------------------------ */

/* A GPU goes on after a division by zero. The simulated GPU reports it, and ends the kernel. */
static void report_zero(struct warp *warp, const struct ptx_instruction *instruction,
                        uint32_t zeros)
{
    if (zeros == 0) return;
    warp_fault(warp, instruction, (uint32_t)__builtin_ctz(zeros), "assert-failed",
               "an integer is divided by zero");
    warp_fail(warp, LAUNCH_FAILED);
}

/* A quotient by zero has all bits set, and the remainder is the dividend. Of signed numbers the
 * lowest divided by -1 is itself. */
#define QUOTIENTS(name, T, U, W, bits)                                                             \
    static void div_##name(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)      \
    {                                                                                              \
        T *d = D_OF(warp, i, T);                                                                   \
        const T *a = A_OF(warp, i, T), *b = B_OF(warp, i, T);                                      \
        uint32_t zeros = 0;                                                                        \
        EACH_LANE (l, mask) {                                                                      \
            if (b[l] == 0) zeros |= 1u << l;                                                       \
            d[l] = b[l] == 0                       ? (T)-1                                         \
                   : b[l] == (T)-1 && (T)-1 < (T)1 ? (T)((U)0 - (U)a[l])                           \
                                                   : (T)(a[l] / b[l]);                             \
        }                                                                                          \
        report_zero(warp, i, zeros);                                                               \
    }                                                                                              \
    static void rem_##name(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)      \
    {                                                                                              \
        T *d = D_OF(warp, i, T);                                                                   \
        const T *a = A_OF(warp, i, T), *b = B_OF(warp, i, T);                                      \
        uint32_t zeros = 0;                                                                        \
        EACH_LANE (l, mask) {                                                                      \
            if (b[l] == 0) zeros |= 1u << l;                                                       \
            d[l] = b[l] == 0 ? a[l] : b[l] == (T)-1 && (T)-1 < (T)1 ? (T)0 : (T)(a[l] % b[l]);     \
        }                                                                                          \
        report_zero(warp, i, zeros);                                                               \
    }
INTEGERS(QUOTIENTS)

/* ---- dot products of bytes ------------------------------------------------------------------ */

#define BYTE_S(x, i) ((int32_t)(int8_t)((x) >> 8 * (i)))
#define BYTE_U(x, i) ((int32_t)(uint8_t)((x) >> 8 * (i)))
#define HALF_S(x, i) ((int32_t)(int16_t)((x) >> 16 * (i)))
#define HALF_U(x, i) ((int32_t)(uint16_t)((x) >> 16 * (i)))
#define DOT_4(A, B)                                                                                \
    (uint32_t)(A(x, 0) * B(y, 0) + A(x, 1) * B(y, 1) + A(x, 2) * B(y, 2) + A(x, 3) * B(y, 3))
#define DOT_2(A, B, first)                                                                         \
    ((uint32_t)(A(x, 0) * B(y, first)) + (uint32_t)(A(x, 1) * B(y, first + 1)))
#define DOTS(name, A4, A2, B)                                                                      \
    TERNARY(dp4a_##name, uint32_t, uint32_t, uint32_t, uint32_t, z + DOT_4(A4, B))                 \
    TERNARY(dp2a_lo_##name, uint32_t, uint32_t, uint32_t, uint32_t, z + DOT_2(A2, B, 0))           \
    TERNARY(dp2a_hi_##name, uint32_t, uint32_t, uint32_t, uint32_t, z + DOT_2(A2, B, 2))
DOTS(uu, BYTE_U, HALF_U, BYTE_U)
DOTS(us, BYTE_U, HALF_U, BYTE_S)
DOTS(su, BYTE_S, HALF_S, BYTE_U)
DOTS(ss, BYTE_S, HALF_S, BYTE_S)

/* ---- choosing ------------------------------------------------------------------------------- */

#define ROWS(name, bits, width)                                                                    \
    CHOICE(add, name, 0, width width width, add_##bits),                                           \
        CHOICE(sub, name, 0, width width width, sub_##bits),                                       \
        CHOICE(mul, name, FORM_LO, width width width, mul_lo_##bits),                              \
        CHOICE(mul, name, FORM_HI, width width width, mul_hi_##name),                              \
        CHOICE(mad, name, FORM_LO, width width width width, mad_lo_##bits),                        \
        CHOICE(mad, name, FORM_HI, width width width width, mad_hi_##name),                        \
        CHOICE(min, name, 0, width width width, min_##name),                                       \
        CHOICE(max, name, 0, width width width, max_##name),                                       \
        CHOICE(abs, name, 0, width width, abs_##name),                                             \
        CHOICE(neg, name, 0, width width, neg_##bits),                                             \
        CHOICE(sad, name, 0, width width width width, sad_##name),                                 \
        CHOICE(div, name, 0, width width width, div_##name),                                       \
        CHOICE(rem, name, 0, width width width, rem_##name)

static const struct choice choices[] = {
    ROWS(u32, 32, "4"),
    ROWS(s32, 32, "4"),
    ROWS(u64, 64, "8"),
    ROWS(s64, 64, "8"),
    ROWS(u16, 16, "2"),
    ROWS(s16, 16, "2"),
    CHOICE(mul, u16, FORM_WIDE, "422", mul_wide_u16),
    CHOICE(mul, s16, FORM_WIDE, "422", mul_wide_s16),
    CHOICE(mul, u32, FORM_WIDE, "844", mul_wide_u32),
    CHOICE(mul, s32, FORM_WIDE, "844", mul_wide_s32),
    CHOICE(mad, u16, FORM_WIDE, "4224", mad_wide_u16),
    CHOICE(mad, s16, FORM_WIDE, "4224", mad_wide_s16),
    CHOICE(mad, u32, FORM_WIDE, "8448", mad_wide_u32),
    CHOICE(mad, s32, FORM_WIDE, "8448", mad_wide_s32),
    CHOICE(add, s32, FORM_SAT, "444", add_sat_s32),
    CHOICE(sub, s32, FORM_SAT, "444", sub_sat_s32),
    CHOICE(mad, s32, FORM_HI | FORM_SAT, "4444", mad_hi_sat_s32),
    CHOICE(mul24, u32, FORM_LO, "444", mul24_lo_u32),
    CHOICE(mul24, s32, FORM_LO, "444", mul24_lo_s32),
    CHOICE(mul24, u32, FORM_HI, "444", mul24_hi_u32),
    CHOICE(mul24, s32, FORM_HI, "444", mul24_hi_s32),
    CHOICE(mad24, u32, FORM_LO, "4444", mad24_lo_u32),
    CHOICE(mad24, s32, FORM_LO, "4444", mad24_lo_s32),
    CHOICE(mad24, u32, FORM_HI, "4444", mad24_hi_u32),
    CHOICE(mad24, s32, FORM_HI, "4444", mad24_hi_s32),
    CHOICE(mad24, s32, FORM_HI | FORM_SAT, "4444", mad24_hi_sat_s32),
    CHOICE(add, u16x2, 0, "444", add_16x2),
    CHOICE(add, s16x2, 0, "444", add_16x2),
    CHOICE(min, u16x2, 0, "444", min_u16x2),
    CHOICE(max, u16x2, 0, "444", max_u16x2),
    CHOICE(min, s16x2, 0, "444", min_s16x2),
    CHOICE(max, s16x2, 0, "444", max_s16x2),
    CHOICE(min, s16x2, FORM_RELU, "444", min_relu_s16x2),
    CHOICE(max, s16x2, FORM_RELU, "444", max_relu_s16x2),
    CHOICE(min, s32, FORM_RELU, "444", min_relu_s32),
    CHOICE(max, s32, FORM_RELU, "444", max_relu_s32),
};

/* The choices for dp4a and dp2a. There is a table for each first type, by the second type. */
static const struct choice dots_unsigned[] = {
    CHOICE(dp4a, u32, 0, "4444", dp4a_uu),          CHOICE(dp4a, s32, 0, "4444", dp4a_us),
    CHOICE(dp2a, u32, FORM_LO, "4444", dp2a_lo_uu), CHOICE(dp2a, s32, FORM_LO, "4444", dp2a_lo_us),
    CHOICE(dp2a, u32, FORM_HI, "4444", dp2a_hi_uu), CHOICE(dp2a, s32, FORM_HI, "4444", dp2a_hi_us),
};

static const struct choice dots_signed[] = {
    CHOICE(dp4a, u32, 0, "4444", dp4a_su),          CHOICE(dp4a, s32, 0, "4444", dp4a_ss),
    CHOICE(dp2a, u32, FORM_LO, "4444", dp2a_lo_su), CHOICE(dp2a, s32, FORM_LO, "4444", dp2a_lo_ss),
    CHOICE(dp2a, u32, FORM_HI, "4444", dp2a_hi_su), CHOICE(dp2a, s32, FORM_HI, "4444", dp2a_hi_ss),
};

static ptx_execute *select_dot(const struct ptx_instruction *instruction, unsigned form)
{
    struct ptx_instruction by_second = *instruction;
    if (instruction->type_count != 2) return NULL;
    by_second.types[0] = instruction->types[1];
    if (instruction->types[0] == TYPE_u32) return choose(CHOICES(dots_unsigned), &by_second, form);
    if (instruction->types[0] == TYPE_s32) return choose(CHOICES(dots_signed), &by_second, form);
    return NULL;
}

ptx_execute *select_integer(const struct ptx_function *function,
                            struct ptx_instruction *instruction)
{
    unsigned form;
    enum rounding rounding;
    (void)function;
    if (!arithmetic_form(instruction, &form, &rounding)) return NULL;
    if (instruction->opcode == OP_dp4a || instruction->opcode == OP_dp2a)
        return select_dot(instruction, form);
    return choose(CHOICES(choices), instruction, form);
}
