/*
 * arithmetic_bits.c: logic, shifts, fields of bits, counts and permutations.
 */
#include "gpu/warp/arithmetic.h"

#define WIDTHS(X) X(16, uint16_t, int16_t) X(32, uint32_t, int32_t) X(64, uint64_t, int64_t)

/* A shift by more than the bits is one by all of them. */
#define LOGIC(bits, U, S)                                                                          \
    BINARY(and_##bits, U, U, U, x &y)                                                              \
    BINARY(or_##bits, U, U, U, x | y)                                                              \
    BINARY(xor_##bits, U, U, U, x ^ y)                                                             \
    UNARY(not_##bits, U, U, ~x)                                                                    \
    UNARY(cnot_##bits, U, U, x == 0)                                                               \
    BINARY(shl_##bits, U, U, uint32_t, y < bits ? (U)x << (y & (bits - 1)) : 0)                    \
    BINARY(shr_u##bits, U, U, uint32_t, y < bits ? x >> (y & (bits - 1)) : 0)                      \
    BINARY(shr_s##bits, S, S, uint32_t, x >> (y < bits ? y : bits - 1))
WIDTHS(LOGIC)

/* ---- predicates ----------------------------------------------------------------------------- */

#define ON_PREDICATES(name, expression)                                                            \
    static void name##_pred(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)     \
    {                                                                                              \
        uint32_t x = predicate_of(warp, &i->operand[1]);                                           \
        uint32_t y = i->operand_count > 2 ? predicate_of(warp, &i->operand[2]) : 0;                \
        (void)y;                                                                                   \
        set_predicate(warp, &i->operand[0], expression, mask);                                     \
    }
ON_PREDICATES(and, x &y)
ON_PREDICATES(or, x | y)
ON_PREDICATES(xor, x ^ y)
ON_PREDICATES(not, ~x)

/* ---- any function of three words ------------------------------------------------------------ */

/* Bit i of the table is the result where a, b, c have the bits of i: a sum of up to eight products.
 */
static void lop3(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    uint32_t terms[8], kept[LANES], *d = D_OF(warp, i, uint32_t),
                                    *to = mask == FULL_MASK ? d : kept;
    const uint32_t table = (uint32_t)i->operand[4].value;
    for (unsigned t = 0; t < 8; t++)
        terms[t] = table >> t & 1 ? UINT32_MAX : 0;
    const uint32_t *a = A_OF(warp, i, uint32_t), *b = B_OF(warp, i, uint32_t),
                   *c = C_OF(warp, i, uint32_t);
    ALL_LANES
    {
        uint32_t x = a[l], y = b[l], z = c[l];
        uint32_t with = (x & ((y & ((z & terms[7]) | (~z & terms[6]))) |
                              (~y & ((z & terms[5]) | (~z & terms[4])))));
        uint32_t without = (~x & ((y & ((z & terms[3]) | (~z & terms[2]))) |
                                  (~y & ((z & terms[1]) | (~z & terms[0])))));
        to[l] = with | without;
    }
    if (mask != FULL_MASK) blend_4(d, kept, mask);
}

/* The tables that compilers write most. */
TERNARY(lop3_and, uint32_t, uint32_t, uint32_t, uint32_t, x &y &z)
TERNARY(lop3_or, uint32_t, uint32_t, uint32_t, uint32_t, x | y | z)
TERNARY(lop3_xor, uint32_t, uint32_t, uint32_t, uint32_t, x ^ y ^ z)
TERNARY(lop3_choose, uint32_t, uint32_t, uint32_t, uint32_t, (x & y) | (~x & z))
TERNARY(lop3_majority, uint32_t, uint32_t, uint32_t, uint32_t, (x & y) | (z & (x | y)))
TERNARY(lop3_and_xor, uint32_t, uint32_t, uint32_t, uint32_t, (x & y) ^ z)
TERNARY(lop3_and_or, uint32_t, uint32_t, uint32_t, uint32_t, (x & y) | z)

static ptx_execute *select_lop3(const struct ptx_instruction *instruction)
{
    const struct ptx_operand *table = &instruction->operand[4];
    if (!has_widths(instruction, "44444") || !table->immediate || table->value > 255) return NULL;
    switch (table->value) {
    case 0x80: return lop3_and;
    case 0xfe: return lop3_or;
    case 0x96: return lop3_xor;
    case 0xca: return lop3_choose;
    case 0xe8: return lop3_majority;
    case 0x6a: return lop3_and_xor;
    case 0xea: return lop3_and_or;
    default: return lop3;
    }
}

/* ---- funnel shifts and permutations --------------------------------------------------------- */

#define BOTH ((uint64_t)y << 32 | x)
TERNARY(shf_l_wrap, uint32_t, uint32_t, uint32_t, uint32_t, BOTH << (z & 31) >> 32)
TERNARY(shf_r_wrap, uint32_t, uint32_t, uint32_t, uint32_t, BOTH >> (z & 31))
TERNARY(shf_l_clamp, uint32_t, uint32_t, uint32_t, uint32_t, BOTH << (z < 32 ? z : 32) >> 32)
TERNARY(shf_r_clamp, uint32_t, uint32_t, uint32_t, uint32_t, BOTH >> (z < 32 ? z : 32))

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
TERNARY(prmt, uint32_t, uint32_t, uint32_t, uint32_t, permuted(BOTH, z))

/* prmt with selectors that are a constant and ask for no signs: four shifts, the same for all
 * lanes. */
static void prmt_fixed(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    const uint32_t selectors = (uint32_t)i->operand[3].value;
    const unsigned first = 8 * (selectors & 7), second = 8 * (selectors >> 4 & 7);
    const unsigned third = 8 * (selectors >> 8 & 7), fourth = 8 * (selectors >> 12 & 7);
    const uint32_t *a = A_OF(warp, i, uint32_t), *b = B_OF(warp, i, uint32_t);
    uint32_t kept[LANES], *d = D_OF(warp, i, uint32_t), *to = mask == FULL_MASK ? d : kept;
    ALL_LANES
    {
        uint64_t both = (uint64_t)b[l] << 32 | a[l];
        to[l] = (uint32_t)((both >> first & 255) | (both >> second & 255) << 8 |
                           (both >> third & 255) << 16 | (both >> fourth & 255) << 24);
    }
    if (mask != FULL_MASK) blend_4(d, kept, mask);
}

/* Selectors of prmt's modes, for the lower two bits of c. */
#define MODE(name, s0, s1, s2, s3)                                                                 \
    TERNARY(prmt_##name, uint32_t, uint32_t, uint32_t, uint32_t,                                   \
            permuted(BOTH, (z & 2   ? z & 1 ? s3 : s2                                              \
                            : z & 1 ? s1                                                           \
                                    : s0)))
MODE(f4e, 0x3210u, 0x4321u, 0x5432u, 0x6543u)
MODE(b4e, 0x5670u, 0x6701u, 0x7012u, 0x0123u)
MODE(rc8, 0x0000u, 0x1111u, 0x2222u, 0x3333u)
MODE(ecl, 0x3210u, 0x3211u, 0x3222u, 0x3333u)
MODE(ecr, 0x0000u, 0x1110u, 0x2210u, 0x3210u)
MODE(rc16, 0x1010u, 0x3232u, 0x1010u, 0x3232u)

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

#define COUNTS(bits, U, S)                                                                         \
    UNARY(popc_##bits, uint32_t, U, __builtin_popcountll(x))                                       \
    UNARY(clz_##bits, uint32_t, U, leading_zeros(x, bits))                                         \
    UNARY(bfind_u##bits, uint32_t, U, highest(x, bits, false))                                     \
    UNARY(bfind_s##bits, uint32_t, S, highest((U)(x < 0 ? ~x : x), bits, false))                   \
    UNARY(bfind_shift_u##bits, uint32_t, U, highest(x, bits, true))                                \
    UNARY(bfind_shift_s##bits, uint32_t, S, highest((U)(x < 0 ? ~x : x), bits, true))              \
    UNARY(brev_##bits, U, U, reversed(x) >> (64 - bits))                                           \
    TERNARY(bfe_u##bits, U, U, uint32_t, uint32_t, field_of(x, y, z, bits, false))                 \
    TERNARY(bfe_s##bits, U, U, uint32_t, uint32_t, field_of(x, y, z, bits, true))                  \
    static void bfi_##bits(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)      \
    {                                                                                              \
        const uint32_t *length = OPERAND_OF(warp, &i->operand[4], const uint32_t);                 \
        U *d = D_OF(warp, i, U);                                                                   \
        EACH_LANE (l, mask)                                                                        \
            d[l] = (U)with_field(A_OF(warp, i, U)[l], B_OF(warp, i, U)[l],                         \
                                 C_OF(warp, i, uint32_t)[l], length[l], bits);                     \
    }
COUNTS(32, uint32_t, int32_t)
COUNTS(64, uint64_t, int64_t)

/* A mask of z bits from bit y on, with both clamped to 32, or taken modulo 32. */
static inline uint32_t ones_from(uint32_t start, uint32_t length)
{
    uint64_t ones = (UINT64_C(1) << (length < 32 ? length : 32)) - 1;
    return start < 32 ? (uint32_t)(ones << start) : 0;
}
BINARY(bmsk_clamp, uint32_t, uint32_t, uint32_t, ones_from(x, y))
BINARY(bmsk_wrap, uint32_t, uint32_t, uint32_t, ones_from(x & 31, y & 31))

/* A number of y bits, made one of 32. */
static inline uint32_t extended(uint32_t x, uint32_t bits, bool is_signed)
{
    if (bits >= 32) return x;
    if (bits == 0) return 0;
    uint32_t up = x << (32 - bits);
    return is_signed ? (uint32_t)((int32_t)up >> (32 - bits)) : up >> (32 - bits);
}
BINARY(szext_clamp_u, uint32_t, uint32_t, uint32_t, extended(x, y, false))
BINARY(szext_clamp_s, uint32_t, uint32_t, uint32_t, extended(x, y, true))
BINARY(szext_wrap_u, uint32_t, uint32_t, uint32_t, extended(x, y & 31, false))
BINARY(szext_wrap_s, uint32_t, uint32_t, uint32_t, extended(x, y & 31, true))

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
TERNARY(fns, uint32_t, uint32_t, uint32_t, int32_t, nth_set(x, y, z))

/* ---- choosing ------------------------------------------------------------------------------- */

#define LOGIC_ROWS(bits, w)                                                                        \
    CHOICE(and, b##bits, 0, w w w, and_##bits), CHOICE(or, b##bits, 0, w w w, or_##bits),          \
        CHOICE(xor, b##bits, 0, w w w, xor_##bits), CHOICE(not, b##bits, 0, w w, not_##bits),      \
        CHOICE(cnot, b##bits, 0, w w, cnot_##bits), CHOICE(shl, b##bits, 0, w w "4", shl_##bits),  \
        CHOICE(shr, b##bits, 0, w w "4", shr_u##bits),                                             \
        CHOICE(shr, u##bits, 0, w w "4", shr_u##bits),                                             \
        CHOICE(shr, s##bits, 0, w w "4", shr_s##bits)

#define COUNT_ROWS(bits, w)                                                                        \
    CHOICE(popc, b##bits, 0, "4" w, popc_##bits), CHOICE(clz, b##bits, 0, "4" w, clz_##bits),      \
        CHOICE(bfind, u##bits, 0, "4" w, bfind_u##bits),                                           \
        CHOICE(bfind, s##bits, 0, "4" w, bfind_s##bits),                                           \
        CHOICE(bfind, u##bits, FORM_SHIFT, "4" w, bfind_shift_u##bits),                            \
        CHOICE(bfind, s##bits, FORM_SHIFT, "4" w, bfind_shift_s##bits),                            \
        CHOICE(brev, b##bits, 0, w w, brev_##bits),                                                \
        CHOICE(bfe, u##bits, 0, w w "44", bfe_u##bits),                                            \
        CHOICE(bfe, s##bits, 0, w w "44", bfe_s##bits),                                            \
        CHOICE(bfi, b##bits, 0, w w w "44", bfi_##bits)

static const struct choice choices[] = {
    LOGIC_ROWS(16, "2"),
    LOGIC_ROWS(32, "4"),
    LOGIC_ROWS(64, "8"),
    COUNT_ROWS(32, "4"),
    COUNT_ROWS(64, "8"),
    CHOICE(and, pred, 0, "000", and_pred),
    CHOICE(or, pred, 0, "000", or_pred),
    CHOICE(xor, pred, 0, "000", xor_pred),
    CHOICE(not, pred, 0, "00", not_pred),
    CHOICE(shf, b32, FORM_LEFT | FORM_WRAP, "4444", shf_l_wrap),
    CHOICE(shf, b32, FORM_RIGHT | FORM_WRAP, "4444", shf_r_wrap),
    CHOICE(shf, b32, FORM_LEFT | FORM_CLAMP, "4444", shf_l_clamp),
    CHOICE(shf, b32, FORM_RIGHT | FORM_CLAMP, "4444", shf_r_clamp),
    CHOICE(prmt, b32, 0, "4444", prmt),
    CHOICE(bmsk, b32, FORM_CLAMP, "444", bmsk_clamp),
    CHOICE(bmsk, b32, FORM_WRAP, "444", bmsk_wrap),
    CHOICE(szext, u32, FORM_CLAMP, "444", szext_clamp_u),
    CHOICE(szext, s32, FORM_CLAMP, "444", szext_clamp_s),
    CHOICE(szext, u32, FORM_WRAP, "444", szext_wrap_u),
    CHOICE(szext, s32, FORM_WRAP, "444", szext_wrap_s),
    CHOICE(fns, b32, 0, "4444", fns),
};

static ptx_execute *select_mode(const struct ptx_instruction *instruction)
{
    if (instruction->types[0] != TYPE_b32 || !has_widths(instruction, "4444")) return NULL;
    switch (instruction->modifiers[0]) {
    case M_f4e: return prmt_f4e;
    case M_b4e: return prmt_b4e;
    case M_rc8: return prmt_rc8;
    case M_ecl: return prmt_ecl;
    case M_ecr: return prmt_ecr;
    case M_rc16: return prmt_rc16;
    default: return NULL;
    }
}

ptx_execute *select_bits(const struct ptx_function *function, struct ptx_instruction *instruction)
{
    unsigned form;
    enum rounding rounding;
    (void)function;
    if (instruction->opcode == OP_prmt && instruction->modifier_count == 1)
        return select_mode(instruction);
    if (!arithmetic_form(instruction, &form, &rounding)) return NULL;
    if (instruction->opcode == OP_lop3 && form == 0) return select_lop3(instruction);
    ptx_execute *found = choose(CHOICES(choices), instruction, form);
    const struct ptx_operand *selectors = &instruction->operand[3];
    return found == prmt && selectors->immediate && (selectors->value & 0x8888) == 0 ? prmt_fixed
                                                                                     : found;
}
