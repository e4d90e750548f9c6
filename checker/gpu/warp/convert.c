/*
 * convert.c: cvt: the conversions that programs use often, each as a loop over the lanes. All
 * others are executed lane by lane by convert_any.c, pairs by convert_pairs.c.
 */
#include "gpu/warp/convert.h"
#include "gpu/warp/half.h"

/* ---- whole numbers -------------------------------------------------------------------------- */

/* Conversions of a type, in a register that may be wider, to registers of 2, 4 and 8 bytes. */
#define WHOLE(R, T, name)                                                                          \
    UNARY(name##_to_16, uint16_t, R, (T)x)                                                         \
    UNARY(name##_to_32, uint32_t, R, (T)x)                                                         \
    UNARY(name##_to_64, uint64_t, R, (T)x)
#define WHOLES(X)                                                                                  \
    X(uint16_t, uint8_t, u8, u8_of_16)                                                             \
    X(uint16_t, int8_t, s8, s8_of_16)                                                              \
    X(uint16_t, uint16_t, u16, u16_of_16)                                                          \
    X(uint16_t, int16_t, s16, s16_of_16)                                                           \
    X(uint32_t, uint8_t, u8, u8_of_32)                                                             \
    X(uint32_t, int8_t, s8, s8_of_32)                                                              \
    X(uint32_t, uint16_t, u16, u16_of_32)                                                          \
    X(uint32_t, int16_t, s16, s16_of_32)                                                           \
    X(uint32_t, uint32_t, u32, u32_of_32)                                                          \
    X(uint32_t, int32_t, s32, s32_of_32)                                                           \
    X(uint64_t, uint8_t, u8, u8_of_64)                                                             \
    X(uint64_t, int8_t, s8, s8_of_64)                                                              \
    X(uint64_t, uint16_t, u16, u16_of_64)                                                          \
    X(uint64_t, int16_t, s16, s16_of_64)                                                           \
    X(uint64_t, uint32_t, u32, u32_of_64)                                                          \
    X(uint64_t, int32_t, s32, s32_of_64)                                                           \
    X(uint64_t, uint64_t, u64, u64_of_64)                                                          \
    X(uint64_t, int64_t, s64, s64_of_64)
#define X(R, T, type, name) WHOLE(R, T, name)
WHOLES(X)
#undef X

static const struct {
    uint8_t bytes, type;
    ptx_execute *to[3];
} wholes[] = {
#define X(R, T, type, name) {sizeof(R), TYPE_##type, {name##_to_16, name##_to_32, name##_to_64}},
    WHOLES(X)
#undef X
};

/* To a narrower type is the same as from it; to a wider one, the register is filled up as the
 * source's type says. */
static ptx_execute *select_whole(const struct conversion *how, unsigned from_bytes,
                                 unsigned to_bytes)
{
    bool narrower = value_bytes(how->to) < value_bytes(how->from);
    enum ptx_type type = narrower ? how->to : how->from;
    if (!narrower && value_bytes(how->to) < to_bytes && is_signed_type(how->from) &&
        !is_signed_type(how->to))
        return convert_any;
    for (size_t k = 0; k < sizeof wholes / sizeof wholes[0]; k++)
        if (wholes[k].bytes == from_bytes && wholes[k].type == type)
            return wholes[k].to[to_bytes == 8 ? 2 : to_bytes == 4 ? 1 : 0];
    return convert_any;
}

/* ---- whole to real -------------------------------------------------------------------------- */

UNARY(f32_of_u8, float, uint16_t, (uint8_t)x)
UNARY(f32_of_s8, float, uint16_t, (int8_t)x)
UNARY(f32_of_u16, float, uint16_t, x)
UNARY(f32_of_s16, float, int16_t, x)
UNARY(f32_of_u32, float, uint32_t, x)
UNARY(f32_of_s32, float, int32_t, x)
UNARY(f32_of_u64, float, uint64_t, x)
UNARY(f32_of_s64, float, int64_t, x)
UNARY(f64_of_u16, double, uint16_t, x)
UNARY(f64_of_s16, double, int16_t, x)
UNARY(f64_of_u32, double, uint32_t, x)
UNARY(f64_of_s32, double, int32_t, x)
UNARY(f64_of_u64, double, uint64_t, x)
UNARY(f64_of_s64, double, int64_t, x)

/* ---- real to whole -------------------------------------------------------------------------- */

/* The nearest number of a type, of a real number without fraction. `last` is the largest real
 * number below `end`, which is too large. A NaN becomes `none`. */
#define TO_WHOLE(name, R, T, low, last, end, none)                                                 \
    static inline T name(R value)                                                                  \
    {                                                                                              \
        R inside = value == value ? value : 0;                                                     \
        inside = inside < low ? low : inside;                                                      \
        inside = inside > last ? last : inside;                                                    \
        T whole = (T)inside;                                                                       \
        whole = value >= end                                                                       \
                    ? (T)(((T)-1 < (T)1) ? (T)(UINT64_MAX >> (65 - 8 * sizeof(T))) : (T)-1)        \
                    : whole;                                                                       \
        return value == value ? whole : (T)(none);                                                 \
    }
TO_WHOLE(s32_of_f32, float, int32_t, -0x1p31f, 0x1.fffffep30f, 0x1p31f, 0)
TO_WHOLE(u32_of_f32, float, uint32_t, 0.0f, 0x1.fffffep31f, 0x1p32f, 0)
TO_WHOLE(s64_of_f32, float, int64_t, -0x1p63f, 0x1.fffffep62f, 0x1p63f, UINT64_C(1) << 63)
TO_WHOLE(u64_of_f32, float, uint64_t, 0.0f, 0x1.fffffep63f, 0x1p64f, UINT64_C(1) << 63)
TO_WHOLE(s32_of_f64, double, int32_t, -0x1p31, 0x1p31 - 1, 0x1p31, UINT32_C(1) << 31)
TO_WHOLE(u32_of_f64, double, uint32_t, 0.0, 0x1p32 - 1, 0x1p32, UINT32_C(1) << 31)
TO_WHOLE(s64_of_f64, double, int64_t, -0x1p63, 0x1.fffffffffffffp62, 0x1p63, UINT64_C(1) << 63)
TO_WHOLE(u64_of_f64, double, uint64_t, 0.0, 0x1.fffffffffffffp63, 0x1p64, UINT64_C(1) << 63)

#define TO_WHOLES(X)                                                                               \
    X(s32, int32_t, f32, float, f)                                                                 \
    X(u32, uint32_t, f32, float, f)                                                                \
    X(s64, int64_t, f32, float, f)                                                                 \
    X(u64, uint64_t, f32, float, f)                                                                \
    X(s32, int32_t, f64, double, )                                                                 \
    X(u32, uint32_t, f64, double, )                                                                \
    X(s64, int64_t, f64, double, )                                                                 \
    X(u64, uint64_t, f64, double, )
#define X(to, T, from, R, f)                                                                       \
    UNARY(to##_of_##from##_near, T, R, to##_of_##from(__builtin_rint##f(x)))                       \
    UNARY(to##_of_##from##_zero, T, R, to##_of_##from(__builtin_trunc##f(x)))                      \
    UNARY(to##_of_##from##_down, T, R, to##_of_##from(__builtin_floor##f(x)))                      \
    UNARY(to##_of_##from##_up, T, R, to##_of_##from(__builtin_ceil##f(x)))
TO_WHOLES(X)
#undef X

/* ---- real to real --------------------------------------------------------------------------- */

UNARY(f64_of_f32, double, float, x)
UNARY(f64_of_f32_ftz, double, float, flushed(x))
UNARY(f32_of_f64, float, double, canonical((float)x))
UNARY(f32_of_f64_ftz, float, double, flushed(canonical((float)x)))
UNARY(f32_whole_near, float, float, __builtin_rintf(x))
UNARY(f32_whole_zero, float, float, __builtin_truncf(x))
UNARY(f32_whole_down, float, float, __builtin_floorf(x))
UNARY(f32_whole_up, float, float, __builtin_ceilf(x))
UNARY(f32_whole_near_ftz, float, float, __builtin_rintf(flushed(x)))
UNARY(f32_whole_zero_ftz, float, float, __builtin_truncf(flushed(x)))
UNARY(f32_whole_down_ftz, float, float, __builtin_floorf(flushed(x)))
UNARY(f32_whole_up_ftz, float, float, __builtin_ceilf(flushed(x)))
UNARY(f64_whole_near, double, double, __builtin_rint(x))
UNARY(f64_whole_zero, double, double, __builtin_trunc(x))
UNARY(f64_whole_down, double, double, __builtin_floor(x))
UNARY(f64_whole_up, double, double, __builtin_ceil(x))
UNARY(f32_sat, float, float, saturated(x))
UNARY(f32_sat_ftz, float, float, flushed(saturated(x)))

/* Short numbers: a call converts them all. */
#define FROM_SHORT(name, convert)                                                                  \
    static void name(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)            \
    {                                                                                              \
        float kept[LANES], *d = D_OF(warp, i, float);                                              \
        convert(mask == FULL_MASK ? d : kept, A_OF(warp, i, uint16_t), LANES);                     \
        if (mask != FULL_MASK) blend_4(d, kept, mask);                                             \
    }
#define TO_SHORT(name, convert)                                                                    \
    static void name(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)            \
    {                                                                                              \
        uint16_t kept[LANES], *d = D_OF(warp, i, uint16_t);                                        \
        convert(mask == FULL_MASK ? d : kept, A_OF(warp, i, float), LANES);                        \
        if (mask != FULL_MASK) blend_2(d, kept, mask);                                             \
    }
FROM_SHORT(f32_of_f16, halves_to_floats)
FROM_SHORT(f32_of_bf16, bfloats_to_floats)
TO_SHORT(f16_of_f32, floats_to_halves)
TO_SHORT(bf16_of_f32, floats_to_bfloats)

/* ---- choosing ------------------------------------------------------------------------------- */

/* The exact types in registers of their size. `whole` is WHOLE_NOT for conversions that round as
 * `rounding` says. */
static const struct row {
    uint8_t to, from, whole;
    bool ftz, sat;
    const char *widths;
    ptx_execute *execute;
} rows[] = {
#define REAL_OF(to, from, widths)                                                                  \
    {                                                                                              \
        TYPE_##to, TYPE_##from, WHOLE_NOT, false, false, widths, to##_of_##from                    \
    }
    REAL_OF(f32, u8, "42"),
    REAL_OF(f32, s8, "42"),
    REAL_OF(f32, u16, "42"),
    REAL_OF(f32, s16, "42"),
    REAL_OF(f32, u32, "44"),
    REAL_OF(f32, s32, "44"),
    REAL_OF(f32, u64, "48"),
    REAL_OF(f32, s64, "48"),
    REAL_OF(f64, u16, "82"),
    REAL_OF(f64, s16, "82"),
    REAL_OF(f64, u32, "84"),
    REAL_OF(f64, s32, "84"),
    REAL_OF(f64, u64, "88"),
    REAL_OF(f64, s64, "88"),
    REAL_OF(f64, f32, "84"),
    REAL_OF(f32, f64, "48"),
    REAL_OF(f32, f16, "42"),
    REAL_OF(f32, bf16, "42"),
    REAL_OF(f16, f32, "24"),
    REAL_OF(bf16, f32, "24"),
    {TYPE_f64, TYPE_f32, WHOLE_NOT, true, false, "84", f64_of_f32_ftz},
    {TYPE_f32, TYPE_f64, WHOLE_NOT, true, false, "48", f32_of_f64_ftz},
    {TYPE_f32, TYPE_f32, WHOLE_NOT, false, true, "44", f32_sat},
    {TYPE_f32, TYPE_f32, WHOLE_NOT, true, true, "44", f32_sat_ftz},
    {TYPE_f32, TYPE_f32, WHOLE_NEAREST, false, false, "44", f32_whole_near},
    {TYPE_f32, TYPE_f32, WHOLE_ZERO, false, false, "44", f32_whole_zero},
    {TYPE_f32, TYPE_f32, WHOLE_DOWN, false, false, "44", f32_whole_down},
    {TYPE_f32, TYPE_f32, WHOLE_UP, false, false, "44", f32_whole_up},
    {TYPE_f32, TYPE_f32, WHOLE_NEAREST, true, false, "44", f32_whole_near_ftz},
    {TYPE_f32, TYPE_f32, WHOLE_ZERO, true, false, "44", f32_whole_zero_ftz},
    {TYPE_f32, TYPE_f32, WHOLE_DOWN, true, false, "44", f32_whole_down_ftz},
    {TYPE_f32, TYPE_f32, WHOLE_UP, true, false, "44", f32_whole_up_ftz},
    {TYPE_f64, TYPE_f64, WHOLE_NEAREST, false, false, "88", f64_whole_near},
    {TYPE_f64, TYPE_f64, WHOLE_ZERO, false, false, "88", f64_whole_zero},
    {TYPE_f64, TYPE_f64, WHOLE_DOWN, false, false, "88", f64_whole_down},
    {TYPE_f64, TYPE_f64, WHOLE_UP, false, false, "88", f64_whole_up},
#define WHOLE_ROW(to, from, whole, ftz, way)                                                       \
    {                                                                                              \
        TYPE_##to, TYPE_##from, whole, ftz, false, NULL, to##_of_##from##_##way                    \
    }
#define X(to, T, from, R, f)                                                                       \
    WHOLE_ROW(to, from, WHOLE_NEAREST, false, near), WHOLE_ROW(to, from, WHOLE_ZERO, false, zero), \
        WHOLE_ROW(to, from, WHOLE_DOWN, false, down), WHOLE_ROW(to, from, WHOLE_UP, false, up),    \
        WHOLE_ROW(to, from, WHOLE_NEAREST, true, near),                                            \
        WHOLE_ROW(to, from, WHOLE_ZERO, true, zero),
    TO_WHOLES(X)
#undef X
};

static bool is_row(const struct row *row, const struct ptx_instruction *i,
                   const struct conversion *how)
{
    if (row->to != how->to || row->from != how->from || row->whole != how->whole ||
        row->sat != how->sat)
        return false;
    if (row->ftz != how->ftz) return false;
    if (row->widths != NULL) return has_widths(i, row->widths);
    return i->operand[0].bytes == value_bytes(how->to) &&
           i->operand[1].bytes == value_bytes(how->from);
}

static bool is_short(enum ptx_type type)
{
    return type == TYPE_f16 || type == TYPE_bf16;
}

/* Loops for short numbers round to the nearest; those of processors' types follow its rounding. */
static ptx_execute *select_row(struct ptx_instruction *i, const struct conversion *how)
{
    if (how->relu || how->finite || how->away) return convert_any;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        if (!is_row(&rows[k], i, how)) continue;
        if (how->rounding == ROUND_NEAREST) return rows[k].execute;
        return is_short(how->to) ? convert_any : with_rounding(i, rows[k].execute, how->rounding);
    }
    return convert_any;
}

/* A modifier of cvt, put down in `how`. */
static bool take_modifier(enum ptx_modifier modifier, struct conversion *how)
{
    switch (modifier) {
    case M_rn: return true;
    case M_rz: how->rounding = ROUND_ZERO; return true;
    case M_rm: how->rounding = ROUND_DOWN; return true;
    case M_rp: how->rounding = ROUND_UP; return true;
    case M_rna: return how->away = true;
    case M_rni: how->whole = WHOLE_NEAREST; return true;
    case M_rzi: how->whole = WHOLE_ZERO; return true;
    case M_rmi: how->whole = WHOLE_DOWN; return true;
    case M_rpi: how->whole = WHOLE_UP; return true;
    case M_ftz: return how->ftz = true;
    case M_sat: return how->sat = true;
    case M_relu: return how->relu = true;
    case M_satfinite: return how->finite = true;
    case M_pack: return how->pack = true;
    default: return false;
    }
}

bool conversion_of(const struct ptx_instruction *i, struct conversion *how)
{
    *how = (struct conversion){.to = i->types[0], .from = i->types[1]};
    for (int k = 0; k < i->modifier_count; k++)
        if (!take_modifier(i->modifiers[k], how)) return false;
    return i->type_count >= 2;
}

/* A register holds its type, or is wider. */
static bool holds(const struct ptx_operand *operand, enum ptx_type type)
{
    return operand->kind == OPERAND_VALUE && operand->bytes <= 8 &&
           operand->bytes >= value_bytes(type);
}

static bool is_whole(enum ptx_type type)
{
    switch (type) {
    case TYPE_u8:
    case TYPE_u16:
    case TYPE_u32:
    case TYPE_u64: return true;
    default: return is_signed_type(type);
    }
}

ptx_execute *select_convert(const struct ptx_function *function, struct ptx_instruction *i)
{
    struct conversion how;
    (void)function;
    if (i->opcode != OP_cvt || !conversion_of(i, &how)) return NULL;
    bool known = (is_whole(how.to) || is_real_type(how.to)) &&
                 (is_whole(how.from) || is_real_type(how.from));
    if (how.pack || !known || i->operand_count != 2) return select_pairs(i, &how);
    if (!holds(&i->operand[0], how.to) || !holds(&i->operand[1], how.from)) return NULL;
    if (is_real_type(how.to) || is_real_type(how.from)) return select_row(i, &how);
    unsigned from_bytes = i->operand[1].bytes == 1 ? 2 : i->operand[1].bytes;
    return how.sat ? convert_any : select_whole(&how, from_bytes, i->operand[0].bytes);
}
