/*
 * ptx_value.c: see ptx_value.h. Numbers of a floating type are computed as the C type of that name,
 * halves in double with one rounding. Approximations are as exact as the C library's functions.
 */
#include "sim/ptx/ptx_value.h"

#include "warpup/fragment.h"
#include "warpup/runtime.h"

#include <math.h>
#include <string.h>

enum { LANES_OF_SHIFT = 31 };

/* ---- bits and numbers ----------------------------------------------------------------------- */

uint64_t ptx_cut(enum ptx_type type, uint64_t bits)
{
    unsigned bytes = ptx_bytes(type);
    return bytes == 8 ? bits : bits & ((1ull << 8 * bytes) - 1);
}

static int64_t signed_value(enum ptx_type type, uint64_t bits)
{
    unsigned unused = 64 - 8 * ptx_bytes(type);
    return ptx_is_signed(type) ? (int64_t)(bits << unused) >> unused : (int64_t)bits;
}

static float float_of(uint64_t bits)
{
    uint32_t word = (uint32_t)bits;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static uint64_t float_bits(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t double_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* To the nearest number with the first 16 bits of a float; of two, the even one */
static uint64_t bfloat_bits(float value)
{
    uint64_t word = float_bits(value);
    if (value != value) return 0x7fff;
    return (word + 0x7fff + (word >> 16 & 1)) >> 16;
}

static double number(enum ptx_type type, uint64_t bits)
{
    switch (type) {
    case PTX_F16: return warpup_half_value((uint16_t)bits);
    case PTX_BF16: return float_of(bits << 16);
    case PTX_F64: return double_of(bits);
    default: return float_of(bits);
    }
}

static uint64_t bits_of(enum ptx_type type, double value)
{
    switch (type) {
    case PTX_F16: return warpup_half(value, WARPUP_NEAREST);
    case PTX_BF16: return bfloat_bits((float)value);
    case PTX_F64: return double_bits(value);
    default: return float_bits((float)value);
    }
}

/* ---- numbers with a fraction ---------------------------------------------------------------- */

/* Of two, the one that is a number; +0 is larger than -0. */
static double larger(double a, double b)
{
    return isnan(b) || a > b || (a == b && signbit(b)) ? a : b;
}

/* Rounded by the caller: for floats and halves a double is wide enough, except for a sum of three.
 */
static bool number_result(enum ptx_operation operation, double a, double b, double *result)
{
    switch (operation) {
    case PTX_ABS: *result = fabs(a); return true;
    case PTX_NEGATE: *result = -a; return true;
    case PTX_ADD: *result = a + b; return true;
    case PTX_SUBTRACT: *result = a - b; return true;
    case PTX_MULTIPLY: *result = a * b; return true;
    case PTX_DIVIDE: *result = a / b; return true;
    case PTX_MAX: *result = larger(a, b); return true;
    case PTX_MIN: *result = -larger(-a, -b); return true;
    case PTX_SQRT: *result = sqrt(a); return true;
    case PTX_RSQRT: *result = 1 / sqrt(a); return true;
    case PTX_RCP: *result = 1 / a; return true;
    case PTX_EX2: *result = exp2(a); return true;
    case PTX_LG2: *result = log2(a); return true;
    case PTX_SIN: *result = sin(a); return true;
    case PTX_COS: *result = cos(a); return true;
    case PTX_TANH: *result = tanh(a); return true;
    default: return false;
    }
}

static double fused(enum ptx_type type, double a, double b, double c)
{
    if (type == PTX_F32) return fmaf((float)a, (float)b, (float)c);
    return fma(a, b, c);
}

static bool compute_float(const struct ptx_instruction *one, enum ptx_type type, const uint64_t v[],
                          uint64_t *result)
{
    double value, a = number(type, v[0]), b = one->group_count > 2 ? number(type, v[1]) : 0;
    bool three = one->operation == PTX_FMA || one->operation == PTX_MAD;
    if (three)
        value = fused(type, a, b, number(type, v[2]));
    else if (!number_result(one->operation, a, b, &value))
        return false;
    *result = bits_of(type, value);
    return true;
}

/* Both halves of a pair */
static bool compute_pair(const struct ptx_instruction *one, const uint64_t v[], uint64_t *result)
{
    uint64_t low[3] = {0}, high[3] = {0}, low_result, high_result;
    for (int i = 0; i + 1 < one->group_count; i++) {
        low[i] = v[i] & 0xffff;
        high[i] = v[i] >> 16;
    }
    if (!compute_float(one, PTX_F16, low, &low_result) ||
        !compute_float(one, PTX_F16, high, &high_result))
        return false;
    *result = low_result | high_result << 16;
    return true;
}

/* ---- integers ------------------------------------------------------------------------------- */

/* The product in full: `low` and `high` of twice as many bits */
static uint64_t product(const struct ptx_instruction *one, enum ptx_type type, uint64_t a,
                        uint64_t b)
{
    unsigned bits = 8 * ptx_bytes(type);
    __int128 whole = ptx_is_signed(type) ? (__int128)signed_value(type, a) * signed_value(type, b)
                                         : (__int128)((unsigned __int128)a * b);
    return (uint64_t)(ptx_has(one, "hi") ? whole >> bits : whole);
}

/* Numbers by 0 have all bits set on a GPU. */
static uint64_t quotient(enum ptx_type type, uint64_t a, uint64_t b, bool remainder)
{
    int64_t x = signed_value(type, a), y = signed_value(type, b);
    if (b == 0) return remainder ? a : UINT64_MAX;
    if (!ptx_is_signed(type)) return remainder ? a % b : a / b;
    if (y == -1) return remainder ? 0 : -(uint64_t)x;
    return (uint64_t)(remainder ? x % y : x / y);
}

static uint64_t extract(enum ptx_type type, uint64_t from, unsigned start, unsigned length)
{
    unsigned bits = 8 * ptx_bytes(type);
    start &= 255;
    length &= 255;
    if (length == 0) return 0;
    unsigned last = start + length - 1;
    if (last >= bits) last = bits - 1;
    bool negative = ptx_is_signed(type) && (from >> last & 1);
    uint64_t field = start >= bits ? 0 : from >> start;
    if (length < bits) field &= (1ull << length) - 1;
    unsigned known = start >= bits ? 0 : last - start + 1;
    if (negative && known < 64) field |= UINT64_MAX << known;
    return field;
}

static uint64_t insert(enum ptx_type type, uint64_t field, uint64_t into, unsigned start,
                       unsigned length)
{
    unsigned bits = 8 * ptx_bytes(type);
    start &= 255;
    length &= 255;
    if (start >= bits || length == 0) return into;
    uint64_t mask = length >= 64 ? UINT64_MAX : (1ull << length) - 1;
    mask <<= start;
    return (into & ~mask) | (field << start & mask);
}

/* Four of the eight bytes of two words; a selector's top bit repeats the byte's sign. */
static uint64_t permute(uint64_t a, uint64_t b, uint64_t selectors)
{
    uint64_t bytes = a | b << 32, result = 0;
    for (int i = 0; i < 4; i++) {
        uint64_t selector = selectors >> 4 * i & 15, byte = bytes >> 8 * (selector & 7) & 255;
        if (selector & 8) byte = byte & 128 ? 255 : 0;
        result |= byte << 8 * i;
    }
    return result;
}

/* Any function of three bits: bit i of the table is its value for a, b, c = the bits of i. */
static uint64_t look_up(uint64_t a, uint64_t b, uint64_t c, uint64_t table)
{
    uint64_t result = 0;
    for (unsigned i = 0; i < 8; i++)
        if (table >> i & 1) result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return result;
}

static uint64_t funnel(const struct ptx_instruction *one, uint64_t low, uint64_t high, uint64_t by)
{
    uint64_t both = low | high << 32;
    unsigned steps = (unsigned)by;
    if (ptx_has(one, "wrap"))
        steps &= LANES_OF_SHIFT;
    else if (steps > 32)
        steps = 32;
    return ptx_has(one, "l") ? both << steps >> 32 : both >> steps;
}

static uint64_t shifted(enum ptx_operation operation, enum ptx_type type, uint64_t a, uint64_t by)
{
    unsigned bits = 8 * ptx_bytes(type);
    if (operation == PTX_SHIFT_LEFT) return by >= bits ? 0 : a << by;
    if (ptx_is_signed(type))
        return (uint64_t)(signed_value(type, a) >> (by >= bits ? bits - 1 : by));
    return by >= bits ? 0 : a >> by;
}

static uint64_t reversed(enum ptx_type type, uint64_t a)
{
    uint64_t result = 0;
    unsigned bits = 8 * ptx_bytes(type);
    for (unsigned i = 0; i < bits; i++)
        if (a >> i & 1) result |= 1ull << (bits - 1 - i);
    return result;
}

/* Is a < b? */
static bool below(enum ptx_type type, uint64_t a, uint64_t b)
{
    return ptx_is_signed(type) ? signed_value(type, a) < signed_value(type, b) : a < b;
}

static bool compute_integer(const struct ptx_instruction *one, enum ptx_type type,
                            const uint64_t v[], uint64_t *result)
{
    unsigned bits = 8 * ptx_bytes(type);
    switch (one->operation) {
    case PTX_ABS: *result = signed_value(type, v[0]) < 0 ? -v[0] : v[0]; return true;
    case PTX_NEGATE: *result = -v[0]; return true;
    case PTX_ADD: *result = v[0] + v[1]; return true;
    case PTX_SUBTRACT: *result = v[0] - v[1]; return true;
    case PTX_MULTIPLY: *result = product(one, type, v[0], v[1]); return true;
    case PTX_MAD: *result = product(one, type, v[0], v[1]) + v[2]; return true;
    case PTX_DIVIDE:
    case PTX_REMAINDER:
        *result = quotient(type, v[0], v[1], one->operation == PTX_REMAINDER);
        return true;
    case PTX_MAX: *result = below(type, v[0], v[1]) ? v[1] : v[0]; return true;
    case PTX_MIN: *result = below(type, v[1], v[0]) ? v[1] : v[0]; return true;
    case PTX_AND: *result = v[0] & v[1]; return true;
    case PTX_OR: *result = v[0] | v[1]; return true;
    case PTX_XOR: *result = v[0] ^ v[1]; return true;
    case PTX_NOT: *result = type == PTX_PRED ? v[0] == 0 : ~v[0]; return true;
    case PTX_SHIFT_LEFT:
    case PTX_SHIFT_RIGHT:
        *result = shifted(one->operation, type, v[0], (uint32_t)v[1]);
        return true;
    case PTX_FUNNEL: *result = funnel(one, v[0], v[1], (uint32_t)v[2]); return true;
    case PTX_POPC: *result = (uint64_t)__builtin_popcountll(v[0]); return true;
    case PTX_CLZ:
        *result = v[0] == 0 ? bits : (uint64_t)__builtin_clzll(v[0]) - (64 - bits);
        return true;
    case PTX_BREV: *result = reversed(type, v[0]); return true;
    case PTX_BFE: *result = extract(type, v[0], (unsigned)v[1], (unsigned)v[2]); return true;
    case PTX_BFI: *result = insert(type, v[0], v[1], (unsigned)v[2], (unsigned)v[3]); return true;
    case PTX_PRMT: *result = permute(v[0], v[1], v[2]); return true;
    case PTX_LOP3: *result = look_up(v[0], v[1], v[2], v[3]); return true;
    default: return false;
    }
}

/* ---- comparisons and conversions ------------------------------------------------------------ */

/* The words that hold for a below b, equal to it, above it, and for no number: setp's */
static uint64_t compare(const struct ptx_instruction *one, enum ptx_type type, uint64_t a,
                        uint64_t b)
{
    static const struct {
        const char *word;
        bool below, equal, above, unordered;
    } relations[] = {
        {"eq", 0, 1, 0, 0},  {"ne", 1, 0, 1, 0},  {"lt", 1, 0, 0, 0},  {"le", 1, 1, 0, 0},
        {"gt", 0, 0, 1, 0},  {"ge", 0, 1, 1, 0},  {"lo", 1, 0, 0, 0},  {"ls", 1, 1, 0, 0},
        {"hi", 0, 0, 1, 0},  {"hs", 0, 1, 1, 0},  {"equ", 0, 1, 0, 1}, {"neu", 1, 0, 1, 1},
        {"ltu", 1, 0, 0, 1}, {"leu", 1, 1, 0, 1}, {"gtu", 0, 0, 1, 1}, {"geu", 0, 1, 1, 1},
    };
    bool is_float = ptx_is_float(type), no_number = false, less, equal;
    if (is_float) {
        double x = number(type, a), y = number(type, b);
        no_number = isnan(x) || isnan(y);
        less = x < y;
        equal = x == y;
    } else {
        less = below(type, a, b);
        equal = a == b;
    }
    for (size_t i = 0; i < sizeof relations / sizeof relations[0]; i++)
        if (ptx_has(one, relations[i].word))
            return no_number ? relations[i].unordered
                   : less    ? relations[i].below
                   : equal   ? relations[i].equal
                             : relations[i].above;
    return 0;
}

static double rounded(const struct ptx_instruction *one, double value)
{
    if (ptx_has(one, "rni")) return rint(value);
    if (ptx_has(one, "rzi")) return trunc(value);
    if (ptx_has(one, "rmi")) return floor(value);
    if (ptx_has(one, "rpi")) return ceil(value);
    return value;
}

/* The nearest integer that the type has; 0 for a NaN, for 64 bits the first bit alone */
static uint64_t whole_of(enum ptx_type type, double value)
{
    unsigned bits = 8 * ptx_bytes(type);
    double most = ldexp(1, (int)bits - ptx_is_signed(type)),
           least = ptx_is_signed(type) ? -most : 0;
    if (isnan(value)) return bits == 64 ? 1ull << 63 : 0;
    if (value >= most) return ptx_is_signed(type) ? (1ull << (bits - 1)) - 1 : UINT64_MAX;
    if (value <= least) return ptx_is_signed(type) ? 1ull << (bits - 1) : 0;
    return ptx_is_signed(type) ? (uint64_t)(int64_t)value : (uint64_t)value;
}

static uint64_t convert(const struct ptx_instruction *one, const uint64_t v[])
{
    enum ptx_type to = one->types[0], from = one->types[1];
    if (to == PTX_TF32) return float_bits(warpup_tf32(float_of(v[0])));
    if (to == PTX_F16X2 || to == PTX_BF16X2) {
        enum ptx_type half = to == PTX_F16X2 ? PTX_F16 : PTX_BF16;
        return bits_of(half, float_of(v[1])) | bits_of(half, float_of(v[0])) << 16;
    }
    if (!ptx_is_float(from)) {
        int64_t whole = signed_value(from, v[0]);
        if (!ptx_is_float(to)) return (uint64_t)whole;
        if (to == PTX_F32 && ptx_is_signed(from)) return float_bits((float)whole);
        if (to == PTX_F32) return float_bits((float)v[0]);
        return bits_of(to, ptx_is_signed(from) ? (double)whole : (double)v[0]);
    }
    double value = rounded(one, number(from, v[0]));
    if (!ptx_is_float(to)) return whole_of(to, value);
    if (ptx_has(one, "sat")) value = value > 0 ? (value < 1 ? value : 1) : 0;
    return bits_of(to, value);
}

/* ---- all ------------------------------------------------------------------------------------ */

bool ptx_compute(const struct ptx_instruction *one, const uint64_t v[], uint64_t *result)
{
    enum ptx_type type = one->types[0];
    uint64_t cut[5] = {0};
    switch (one->operation) {
    case PTX_CONVERT:
        cut[0] = ptx_cut(one->types[1], v[0]);
        if (one->group_count == 3) cut[1] = ptx_cut(one->types[1], v[1]);
        *result = ptx_cut(type, convert(one, cut));
        return true;
    case PTX_SET_PREDICATE:
        *result = compare(one, type, ptx_cut(type, v[0]), ptx_cut(type, v[1]));
        return true;
    case PTX_SELECT: *result = ptx_cut(type, v[2] ? v[0] : v[1]); return true;
    default: break;
    }
    for (int i = 0; i + 1 < one->group_count; i++)
        cut[i] = ptx_cut(type, v[i]);
    if (one->operation == PTX_MAD && ptx_has(one, "wide")) cut[2] = v[2];
    bool known = type == PTX_F16X2    ? compute_pair(one, cut, result)
                 : ptx_is_float(type) ? compute_float(one, type, cut, result)
                                      : compute_integer(one, type, cut, result);
    bool wide = ptx_has(one, "wide"),
         counts = one->operation == PTX_POPC || one->operation == PTX_CLZ;
    if (known && wide)
        *result = ptx_bytes(type) == 2 ? (uint32_t)*result : *result;
    else if (known && !counts)
        *result = ptx_cut(type, *result);
    return known;
}
