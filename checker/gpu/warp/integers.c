/*
 * integers.c: sums, products, quotients and minima of integers, chains with a carry, logic, shifts,
 * fields of bits, counts and permutations. Sums and products wrap around, so they are computed as
 * unsigned numbers.
 */
#include "gpu/warp/compute.h"
#include "gpu/warp/launch.h"

/* Name, the type, the unsigned one of its size, one that holds a product, bits. */
#define INTEGERS(X)                                                                                \
    X(u16, uint16_t, uint16_t, uint32_t, 16)                                                       \
    X(s16, int16_t, uint16_t, int32_t, 16)                                                         \
    X(u32, uint32_t, uint32_t, uint64_t, 32)                                                       \
    X(s32, int32_t, uint32_t, int64_t, 32)                                                         \
    X(u64, uint64_t, uint64_t, unsigned __int128, 64)                                              \
    X(s64, int64_t, uint64_t, __int128, 64)

/* ---- sums and products ---------------------------------------------------------------------- */

#define LEAST(x, y)   ((y) < (x) ? (y) : (x))
#define MOST(x, y)    ((x) < (y) ? (y) : (x))
#define LEAST_0(x, y) MOST(LEAST(x, y), 0)
#define MOST_0(x, y)  MOST(MOST(x, y), 0)

#define ARITHMETIC(name, T, U, W, bits)                                                            \
    SAME_2(add, name, 0, U, x + y)                                                                 \
    SAME_2(sub, name, 0, U, x - y)                                                                 \
    SAME_1(neg, name, 0, U, 0 - x)                                                                 \
    SAME_2(mul, name, FORM_LO, U, 1u * x * y)                                                      \
    BINARY(mul, name, FORM_HI, U, T, T, ((W)x * y) >> bits)                                        \
    SAME_3(mad, name, FORM_LO, U, 1u * x * y + z)                                                  \
    TERNARY(mad, name, FORM_HI, U, T, T, U, (U)(((W)x * y) >> bits) + z)                           \
    SAME_2(min, name, 0, T, LEAST(x, y))                                                           \
    SAME_2(max, name, 0, T, MOST(x, y))                                                            \
    UNARY(abs, name, 0, U, T, x < 0 ? (U)0 - (U)x : (U)x)                                          \
    TERNARY(sad, name, 0, U, T, T, U, z + (x < y ? (U)((U)y - (U)x) : (U)((U)x - (U)y)))
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtype-limits"
INTEGERS(ARITHMETIC)
#pragma GCC diagnostic pop

#define WIDE(name, T, W, U)                                                                        \
    BINARY(mul, name, FORM_WIDE, W, T, T, (W)x *y)                                                 \
    TERNARY(mad, name, FORM_WIDE, U, T, T, U, (U)((W)x * y) + z)
WIDE(u16, uint16_t, uint32_t, uint32_t)
WIDE(s16, int16_t, int32_t, uint32_t)
WIDE(u32, uint32_t, uint64_t, uint64_t)
WIDE(s32, int32_t, int64_t, uint64_t)

static inline int32_t clamped(int64_t value)
{
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int32_t)value;
}
SAME_2(add, s32, FORM_SAT, int32_t, clamped((int64_t)x + y))
SAME_2(sub, s32, FORM_SAT, int32_t, clamped((int64_t)x - y))
SAME_3(mad, s32, FORM_HI | FORM_SAT, int32_t, clamped(((int64_t)x * y >> 32) + z))
SAME_2(min, s32, FORM_RELU, int32_t, LEAST_0(x, y))
SAME_2(max, s32, FORM_RELU, int32_t, MOST_0(x, y))

/* The lower 24 bits of a number. */
#define LOW_S(x) ((int64_t)((int32_t)((uint32_t)(x) << 8) >> 8))
#define LOW_U(x) ((uint64_t)((x)&0xffffffu))
#define OF_24_BITS(name, LOW)                                                                      \
    SAME_2(mul24, name, FORM_LO, uint32_t, LOW(x) * LOW(y))                                        \
    SAME_2(mul24, name, FORM_HI, uint32_t, LOW(x) * LOW(y) >> 16)                                  \
    SAME_3(mad24, name, FORM_LO, uint32_t, (uint32_t)(LOW(x) * LOW(y)) + z)                        \
    SAME_3(mad24, name, FORM_HI, uint32_t, (uint32_t)(LOW(x) * LOW(y) >> 16) + z)
OF_24_BITS(u32, LOW_U)
OF_24_BITS(s32, LOW_S)
SAME_3(mad24, s32, FORM_HI | FORM_SAT, int32_t, clamped((LOW_S(x) * LOW_S(y) >> 16) + z))

/* Pairs of 16 bits, and .relu: a negative number becomes 0. */
#define PAIR(op, name, form, T, operation)                                                         \
    SAME_2(op, name, form, uint32_t,                                                               \
           (uint16_t)operation((T)x, (T)y) |                                                       \
               (uint32_t)(uint16_t)operation((T)(x >> 16), (T)(y >> 16)) << 16)
#define SUM(x, y) ((x) + (y))
#define PAIRS(name, T)                                                                             \
    PAIR(add, name, 0, T, SUM) PAIR(min, name, 0, T, LEAST) PAIR(max, name, 0, T, MOST)
PAIRS(u16x2, uint16_t)
PAIRS(s16x2, int16_t)
PAIR(min, s16x2, FORM_RELU, int16_t, LEAST_0)
PAIR(max, s16x2, FORM_RELU, int16_t, MOST_0)

/* Dot products of four bytes, or of two halves and the lower or upper two bytes. */
#define PART(x, T, i) ((int32_t)(T)((x) >> 8 * sizeof(T) * (i)))
#define DOT_2(H, B, first)                                                                         \
    ((uint32_t)(PART(x, H, 0) * PART(y, B, first)) +                                               \
     (uint32_t)(PART(x, H, 1) * PART(y, B, first + 1)))
#define DOT(op, first, second, form, ...)                                                          \
    RULE_3_(NAME(op, first), op, first, second, form, uint32_t, uint32_t, uint32_t, uint32_t,      \
            AS_IT_IS, z + __VA_ARGS__)
#define DOTS(first, A, H, second, B)                                                               \
    DOT(dp4a, first, second, 0,                                                                    \
        (uint32_t)(PART(x, A, 0) * PART(y, B, 0) + PART(x, A, 1) * PART(y, B, 1) +                 \
                   PART(x, A, 2) * PART(y, B, 2) + PART(x, A, 3) * PART(y, B, 3)))                 \
    DOT(dp2a, first, second, FORM_LO, DOT_2(H, B, 0))                                              \
    DOT(dp2a, first, second, FORM_HI, DOT_2(H, B, 2))
DOTS(u32, uint8_t, uint16_t, u32, uint8_t)
DOTS(u32, uint8_t, uint16_t, s32, int8_t)
DOTS(s32, int8_t, int16_t, u32, uint8_t)
DOTS(s32, int8_t, int16_t, s32, int8_t)

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
#define DIVISION(op, name, T, by_zero, by_minus_1, quotient)                                       \
    static void op##_##name(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)     \
    {                                                                                              \
        T *d = D_OF(warp, i, T);                                                                   \
        const T *a = A_OF(warp, i, T), *b = B_OF(warp, i, T);                                      \
        uint32_t zeros = 0;                                                                        \
        EACH_LANE (l, mask) {                                                                      \
            const T x = a[l], y = b[l];                                                            \
            if (y == 0) zeros |= 1u << l;                                                          \
            d[l] = (T)(y == 0 ? by_zero : y == (T)-1 && (T)-1 < (T)1 ? by_minus_1 : quotient);     \
        }                                                                                          \
        report_zero(warp, i, zeros);                                                               \
    }                                                                                              \
    RULE(op, name, name, 0, op##_##name, 3, sizeof(T), sizeof(T), sizeof(T))
#define DIVISIONS(name, T, U, W, bits)                                                             \
    DIVISION(div, name, T, (T)-1, (T)((U)0 - (U)x), x / y)                                         \
    DIVISION(rem, name, T, x, 0, x % y)
INTEGERS(DIVISIONS)

/* ---- sums of many words --------------------------------------------------------------------- */

/* add.cc, addc … Each lane has one carry flag, a bit of warp.carry: the carry of a sum, or the
 * borrow of a difference. `takes` says whether the flag is added or subtracted, `sets` whether the
 * instruction sets it. */
#define CHAIN(function, op, type, form, U, W, operands, takes, sets, sum)                          \
    static void function(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)        \
    {                                                                                              \
        uint32_t carries = 0;                                                                      \
        U *d = D_OF(warp, i, U);                                                                   \
        const U *a = A_OF(warp, i, U), *b = B_OF(warp, i, U),                                      \
                *c = operands > 2 ? C_OF(warp, i, U) : a;                                          \
        EACH_LANE (l, mask) {                                                                      \
            const U x = a[l], y = b[l], z = c[l];                                                  \
            const W flag = takes ? warp->carry >> l & 1 : 0;                                       \
            const W whole = sum;                                                                   \
            (void)z;                                                                               \
            d[l] = (U)whole;                                                                       \
            if ((U)(whole >> (8 * sizeof(U))) != 0) carries |= 1u << l;                            \
        }                                                                                          \
        if (sets) warp->carry = (warp->carry & ~mask) | carries;                                   \
    }                                                                                              \
    RULE(op, type, type, form, function, operands + 1, sizeof(U), sizeof(U), sizeof(U),            \
         operands > 2 ? sizeof(U) : 0)
#define CHAIN_(...) CHAIN(__VA_ARGS__)
#define CHAINS(op, opc, type, form, U, W, operands, sum)                                           \
    CHAIN_(NAME(op, type), op, type, form | FORM_CC, U, W, operands, false, true, sum)             \
    CHAIN_(NAME(op, type), opc, type, form, U, W, operands, true, false, sum)                      \
    CHAIN_(NAME(op, type), opc, type, form | FORM_CC, U, W, operands, true, true, sum)

/* The higher half of a product; a signed one is the unsigned one's, less what the signs make of it.
 */
#define HIGH_U(U, W) ((W)x * y >> (8 * sizeof(U)))
#define HIGH_S(U, W)                                                                               \
    (W)(U)(HIGH_U(U, W) - ((x >> (8 * sizeof(U) - 1)) ? y : 0) -                                   \
           ((y >> (8 * sizeof(U) - 1)) ? x : 0))
#define CHAINS_OF(type, U, W, HIGH)                                                                \
    CHAINS(add, addc, type, 0, U, W, 2, (W)x + y + flag)                                           \
    CHAINS(sub, subc, type, 0, U, W, 2, (W)x - y - flag)                                           \
    CHAINS(mad, madc, type, FORM_LO, U, W, 3, (W)(U)((W)x * y) + z + flag)                         \
    CHAINS(mad, madc, type, FORM_HI, U, W, 3, HIGH(U, W) + z + flag)
CHAINS_OF(u32, uint32_t, uint64_t, HIGH_U)
CHAINS_OF(s32, uint32_t, uint64_t, HIGH_S)
CHAINS_OF(u64, uint64_t, unsigned __int128, HIGH_U)
CHAINS_OF(s64, uint64_t, unsigned __int128, HIGH_S)

/* ---- logic and shifts ----------------------------------------------------------------------- */

/* A shift by more than the bits is one by all of them. */
#define LOGIC(b, u, s, bits, U, S)                                                                 \
    SAME_2(and, b, 0, U, x &y)                                                                     \
    SAME_2(or, b, 0, U, x | y)                                                                     \
    SAME_2(xor, b, 0, U, x ^ y)                                                                    \
    SAME_1(not, b, 0, U, ~x)                                                                       \
    SAME_1(cnot, b, 0, U, x == 0)                                                                  \
    BINARY(shl, b, 0, U, U, uint32_t, y < bits ? (U)x << (y & (bits - 1)) : 0)                     \
    BINARY(shr, b, 0, U, U, uint32_t, y < bits ? x >> (y & (bits - 1)) : 0)                        \
    BINARY(shr, u, 0, U, U, uint32_t, y < bits ? x >> (y & (bits - 1)) : 0)                        \
    BINARY(shr, s, 0, S, S, uint32_t, x >> (y < bits ? y : bits - 1))
LOGIC(b16, u16, s16, 16, uint16_t, int16_t)
LOGIC(b32, u32, s32, 32, uint32_t, int32_t)
LOGIC(b64, u64, s64, 64, uint64_t, int64_t)

#define PREDICATES(op, operands, expression)                                                       \
    static void op##_pred(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)       \
    {                                                                                              \
        uint32_t x = predicate_of(warp, &i->operand[1]);                                           \
        uint32_t y = predicate_of(warp, &i->operand[operands]);                                    \
        (void)y;                                                                                   \
        set_predicate(warp, &i->operand[0], expression, mask);                                     \
    }                                                                                              \
    RULE(op, pred, pred, 0, op##_pred, operands + 1, 0)
PREDICATES(and, 2, x &y)
PREDICATES(or, 2, x | y)
PREDICATES(xor, 2, x ^ y)
PREDICATES(not, 1, ~x)

/* ---- funnel shifts and permutations --------------------------------------------------------- */

#define BOTH ((uint64_t)y << 32 | x)
SAME_3(shf, b32, FORM_LEFT | FORM_WRAP, uint32_t, BOTH << (z & 31) >> 32)
SAME_3(shf, b32, FORM_RIGHT | FORM_WRAP, uint32_t, BOTH >> (z & 31))
SAME_3(shf, b32, FORM_LEFT | FORM_CLAMP, uint32_t, BOTH << (z < 32 ? z : 32) >> 32)
SAME_3(shf, b32, FORM_RIGHT | FORM_CLAMP, uint32_t, BOTH >> (z < 32 ? z : 32))

/* Four bytes of eight. The top bit of a selector says to repeat the sign of its byte. */
static inline uint32_t permuted(uint64_t bytes, uint32_t selectors)
{
    uint32_t result = 0;
    for (unsigned i = 0; i < 4; i++) {
        uint32_t selector = selectors >> 4 * i & 15, byte = bytes >> 8 * (selector & 7) & 255;
        if (selector & 8) byte = byte & 128 ? 255 : 0;
        result |= byte << 8 * i;
    }
    return result;
}
SAME_3(prmt, b32, 0, uint32_t, permuted(BOTH, z))

/* Selectors of prmt's modes, for the lower two bits of c. */
#define MODE(form, s0, s1, s2, s3)                                                                 \
    SAME_3(prmt, b32, form, uint32_t, permuted(BOTH, z & 2 ? (z & 1 ? s3 : s2) : (z & 1 ? s1 : s0)))
MODE(FORM_F4E, 0x3210u, 0x4321u, 0x5432u, 0x6543u)
MODE(FORM_B4E, 0x5670u, 0x6701u, 0x7012u, 0x0123u)
MODE(FORM_RC8, 0x0000u, 0x1111u, 0x2222u, 0x3333u)
MODE(FORM_ECL, 0x3210u, 0x3211u, 0x3222u, 0x3333u)
MODE(FORM_ECR, 0x0000u, 0x1110u, 0x2210u, 0x3210u)
MODE(FORM_RC16, 0x1010u, 0x3232u, 0x1010u, 0x3232u)

/* ---- counts and fields ---------------------------------------------------------------------- */

static inline uint32_t leading_zeros(uint64_t x, unsigned bits)
{
    return x == 0 ? bits : (uint32_t)__builtin_clzll(x) - (64 - bits);
}

/* The highest bit that is set, or, of a negative number, that is not; all ones if there is none. As
 * a distance from the highest bit with .shiftamt. */
static inline uint32_t highest(uint64_t x, unsigned bits, bool as_shift)
{
    uint32_t zeros = leading_zeros(x, bits);
    return zeros == bits ? UINT32_MAX : as_shift ? zeros : bits - 1 - zeros;
}

static inline uint64_t reversed(uint64_t x)
{
    x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
    x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
    return __builtin_bswap64(x);
}

/* `length` bits from `start` on. A signed field repeats its last bit, which is the number's own
 * where the field goes on past its end. */
static inline uint64_t field_of(uint64_t x, uint32_t start, uint32_t length, unsigned bits,
                                bool is_signed)
{
    uint32_t last = (start & 255) + (length & 255) - 1;
    start &= 255;
    length &= 255;
    if (length == 0) return 0;
    if (last >= bits) last = bits - 1;
    uint64_t sign = is_signed && (x >> last & 1) ? UINT64_MAX : 0;
    if (start >= bits) return sign;
    uint64_t field = x >> start, width = last - start + 1;
    return width < 64 ? (field & ((UINT64_C(1) << width) - 1)) | sign << width : field;
}

static inline uint64_t with_field(uint64_t field, uint64_t into, uint32_t start, uint32_t length,
                                  unsigned bits)
{
    start &= 255;
    length &= 255;
    if (start >= bits || length == 0) return into;
    uint64_t ones = (length >= 64 ? UINT64_MAX : (UINT64_C(1) << length) - 1) << start;
    return (into & ~ones) | (field << start & ones);
}

#define COUNTS(b, u, s, bits, U, S)                                                                \
    UNARY(popc, b, 0, uint32_t, U, __builtin_popcountll(x))                                        \
    UNARY(clz, b, 0, uint32_t, U, leading_zeros(x, bits))                                          \
    UNARY(bfind, u, 0, uint32_t, U, highest(x, bits, false))                                       \
    UNARY(bfind, s, 0, uint32_t, S, highest((U)(x < 0 ? ~x : x), bits, false))                     \
    UNARY(bfind, u, FORM_SHIFT, uint32_t, U, highest(x, bits, true))                               \
    UNARY(bfind, s, FORM_SHIFT, uint32_t, S, highest((U)(x < 0 ? ~x : x), bits, true))             \
    SAME_1(brev, b, 0, U, reversed(x) >> (64 - bits))                                              \
    TERNARY(bfe, u, 0, U, U, uint32_t, uint32_t, field_of(x, y, z, bits, false))                   \
    TERNARY(bfe, s, 0, U, U, uint32_t, uint32_t, field_of(x, y, z, bits, true))                    \
    static void bfi_##bits(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)      \
    {                                                                                              \
        const uint32_t *length = OPERAND_OF(warp, &i->operand[4], const uint32_t);                 \
        U *d = D_OF(warp, i, U);                                                                   \
        EACH_LANE (l, mask)                                                                        \
            d[l] = (U)with_field(A_OF(warp, i, U)[l], B_OF(warp, i, U)[l],                         \
                                 C_OF(warp, i, uint32_t)[l], length[l], bits);                     \
    }                                                                                              \
    RULE(bfi, b, b, 0, bfi_##bits, 5, sizeof(U), sizeof(U), sizeof(U), 4, 4)
COUNTS(b32, u32, s32, 32, uint32_t, int32_t)
COUNTS(b64, u64, s64, 64, uint64_t, int64_t)

/* A mask of bits from a bit on, with both clamped to 32, or taken modulo 32. */
static inline uint32_t ones_from(uint32_t start, uint32_t length)
{
    uint64_t ones = (UINT64_C(1) << (length < 32 ? length : 32)) - 1;
    return start < 32 ? (uint32_t)(ones << start) : 0;
}
SAME_2(bmsk, b32, FORM_CLAMP, uint32_t, ones_from(x, y))
SAME_2(bmsk, b32, FORM_WRAP, uint32_t, ones_from(x & 31, y & 31))

/* A number of y bits, made one of 32. */
#define EXTENDED(T, bits)                                                                          \
    ((bits) >= 32 ? (T)x : (bits) == 0 ? 0 : (T)(x << (32 - (bits))) >> (32 - (bits)))
SAME_2(szext, u32, FORM_CLAMP, uint32_t, EXTENDED(uint32_t, y))
SAME_2(szext, s32, FORM_CLAMP, uint32_t, EXTENDED(int32_t, y))
SAME_2(szext, u32, FORM_WRAP, uint32_t, EXTENDED(uint32_t, y & 31))
SAME_2(szext, s32, FORM_WRAP, uint32_t, EXTENDED(int32_t, y & 31))

/* The n-th bit that is set: from `base` on upwards, or downwards for a negative n; 0 is that of
 * `base` itself. */
static inline uint32_t nth_set(uint32_t x, uint32_t base, int32_t n)
{
    int step = n < 0 ? -1 : 1;
    int64_t left = n < 0 ? -(int64_t)n : n;
    if (base > 31) return UINT32_MAX;
    if (n == 0) return x >> base & 1 ? base : UINT32_MAX;
    for (int at = (int)base; at >= 0 && at < 32; at += step)
        if ((x >> at & 1) && --left == 0) return (uint32_t)at;
    return UINT32_MAX;
}
TERNARY(fns, b32, 0, uint32_t, uint32_t, uint32_t, int32_t, nth_set(x, y, z))

/* ---- instructions that a constant chooses ---------------------------------------------------- */

/* Bit i of the table is the result where a, b, c have the bits of i: a sum of up to eight products.
 */
static void lop3(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    uint32_t t[8], kept[LANES], *d = D_OF(warp, i, uint32_t), *to = mask == FULL_MASK ? d : kept;
    for (unsigned k = 0; k < 8; k++)
        t[k] = i->operand[4].value >> k & 1 ? UINT32_MAX : 0;
    const uint32_t *a = A_OF(warp, i, uint32_t), *b = B_OF(warp, i, uint32_t),
                   *c = C_OF(warp, i, uint32_t);
#define CHOOSE(by, yes, no) (((by) & (yes)) | (~(by) & (no)))
    ALL_LANES
    {
        uint32_t x = a[l], y = b[l], z = c[l];
        to[l] = CHOOSE(x, CHOOSE(y, CHOOSE(z, t[7], t[6]), CHOOSE(z, t[5], t[4])),
                       CHOOSE(y, CHOOSE(z, t[3], t[2]), CHOOSE(z, t[1], t[0])));
    }
    if (mask != FULL_MASK) blend(d, kept, sizeof *d, mask);
}

/* The tables that compilers write most. */
#define TABLES(X)                                                                                  \
    X(0x80, x &y &z)                                                                               \
    X(0xfe, x | y | z)                                                                             \
    X(0x96, x ^ y ^ z)                                                                             \
    X(0xca, (x & y) | (~x & z))                                                                    \
    X(0xe8, (x & y) | (z & (x | y)))                                                               \
    X(0x6a, (x & y) ^ z)                                                                           \
    X(0xea, (x & y) | z)
#define X(table, expression)                                                                       \
    EXECUTES(lop3_##table, uint32_t, const uint32_t *a = A_OF(warp, i, uint32_t);                  \
             const uint32_t *b = B_OF(warp, i, uint32_t);                                          \
             const uint32_t *c = C_OF(warp, i, uint32_t), const uint32_t x = a[l];                 \
             const uint32_t y = b[l]; const uint32_t z = c[l], expression)
TABLES(X)
#undef X

/* prmt with selectors that are a constant and ask for no signs: four shifts, the same for all
 * lanes. */
#define SELECTED(k) ((uint64_t)b[l] << 32 | a[l]) >> (8 * (selectors >> 4 * (k)&7))
EXECUTES(prmt_fixed, uint32_t, const uint32_t *a = A_OF(warp, i, uint32_t);
         const uint32_t *b = B_OF(warp, i, uint32_t);
         const uint64_t selectors = i->operand[3].value, (void)0,
         (SELECTED(0) & 255) | (SELECTED(1) & 255) << 8 | (SELECTED(2) & 255) << 16 |
             (SELECTED(3) & 255) << 24)

ptx_execute *select_fixed(const struct ptx_function *function, struct ptx_instruction *i)
{
    const struct ptx_operand *last = &i->operand[i->operand_count - 1];
    (void)function;
    if (i->operand_count < 4 || i->modifier_count != 0 || !last->immediate) return NULL;
    if (i->opcode == OP_prmt && has_sizes(i, "4444") && (last->value & 0x8888) == 0)
        return prmt_fixed;
    if (i->opcode != OP_lop3 || !has_sizes(i, "44444") || last->value > 255) return NULL;
    switch (last->value) {
#define X(table, expression)                                                                       \
    case table: return lop3_##table;
        TABLES(X)
#undef X
    default: return lop3;
    }
}
