/*
 * convert_pairs.c: cvt from two numbers to a pair of short ones, and from pairs to pairs. Also
 * cvt.pack, which saturates whole numbers and puts them side by side. Of a pair, the first source
 * is in the upper half.
 */
#include "gpu/warp/convert.h"
#include "gpu/warp/half.h"

static bool pair_format(enum ptx_type type, enum short_format *format)
{
    switch (type) {
    case TYPE_f16x2: *format = FORMAT_F16; return true;
    case TYPE_bf16x2: *format = FORMAT_BF16; return true;
    case TYPE_e4m3x2: *format = FORMAT_E4M3; return true;
    case TYPE_e5m2x2: *format = FORMAT_E5M2; return true;
    default: return false;
    }
}

static unsigned bits_of(enum short_format format)
{
    return format == FORMAT_F16 || format == FORMAT_BF16 ? 16 : 8;
}

static uint32_t short_of(const struct conversion *how, enum short_format format, double value)
{
    if (how->relu && value < 0) value = 0;
    return short_bits(format, value, how->rounding, how->finite);
}

static void set_pair(struct warp *warp, const struct ptx_instruction *i, unsigned lane,
                     unsigned bits, uint32_t high, uint32_t low)
{
    const struct ptx_operand *d = &i->operand[0];
    set_lane_bits(OPERAND_OF(warp, d, char), d->bytes, lane, (uint64_t)high << bits | low);
}

static void pair_of_floats(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    struct conversion how;
    enum short_format format = FORMAT_F16;
    conversion_of(i, &how);
    pair_format(how.to, &format);
    EACH_LANE (l, mask)
        set_pair(warp, i, l, bits_of(format), short_of(&how, format, A_OF(warp, i, float)[l]),
                 short_of(&how, format, B_OF(warp, i, float)[l]));
}

static void pair_of_pair(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    struct conversion how;
    enum short_format to = FORMAT_F16, from = FORMAT_F16;
    const struct ptx_operand *a = &i->operand[1];
    conversion_of(i, &how);
    pair_format(how.to, &to);
    pair_format(how.from, &from);
    EACH_LANE (l, mask) {
        uint64_t both = lane_bits(OPERAND_OF(warp, a, char), a->bytes, l);
        double high = short_value(from, (uint32_t)(both >> bits_of(from)));
        double low = short_value(from, (uint32_t)both & ((UINT32_C(1) << bits_of(from)) - 1));
        set_pair(warp, i, l, bits_of(to), short_of(&how, to, high), short_of(&how, to, low));
    }
}

/* The usual pairs: in one loop. */
#define PAIR_LOOP(name, convert)                                                                   \
    static void name(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)            \
    {                                                                                              \
        uint16_t high[LANES], low[LANES];                                                          \
        uint32_t both[LANES];                                                                      \
        convert(high, A_OF(warp, i, float), LANES);                                                \
        convert(low, B_OF(warp, i, float), LANES);                                                 \
        ALL_LANES both[l] = (uint32_t)high[l] << 16 | low[l];                                      \
        blend_4(D_OF(warp, i, uint32_t), both, mask);                                              \
    }
PAIR_LOOP(f16x2_of_floats, floats_to_halves)
PAIR_LOOP(bf16x2_of_floats, floats_to_bfloats)

/* ---- cvt.pack ------------------------------------------------------------------------------- */

/* Two numbers side by side, of 16 bits; or two of 8 (4, 2) bits, beside the lower ones of c. */
static void pack(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    struct conversion how;
    conversion_of(i, &how);
    unsigned bits = 8 * value_bytes(how.to);
    uint32_t ones = (UINT32_C(1) << bits) - 1;
    how.from = TYPE_s32;
    EACH_LANE (l, mask) {
        uint32_t a = (uint32_t)converted(&how, A_OF(warp, i, uint32_t)[l]) & ones;
        uint32_t b = (uint32_t)converted(&how, B_OF(warp, i, uint32_t)[l]) & ones;
        uint32_t c = i->operand_count == 4 ? C_OF(warp, i, uint32_t)[l] << 2 * bits : 0;
        D_OF(warp, i, uint32_t)[l] = c | a << bits | b;
    }
}

static ptx_execute *select_pack(const struct ptx_instruction *i, const struct conversion *how)
{
    bool halves = how->to == TYPE_u16 || how->to == TYPE_s16,
         bytes = how->to == TYPE_u8 || how->to == TYPE_s8;
    if (!how->sat || how->from != TYPE_s32) return NULL;
    return (halves && has_widths(i, "444")) || (bytes && has_widths(i, "4444")) ? pack : NULL;
}

/* ---- choosing ------------------------------------------------------------------------------- */

ptx_execute *select_pairs(struct ptx_instruction *i, const struct conversion *how)
{
    enum short_format to, from;
    bool plain = how->rounding == ROUND_NEAREST && !how->relu && !how->finite;
    if (how->pack) return select_pack(i, how);
    if (!pair_format(how->to, &to)) return NULL;
    const char *two = bits_of(to) == 16 ? "444" : "244";
    if (how->from == TYPE_f32 && has_widths(i, two)) {
        if (plain && to == FORMAT_F16) return f16x2_of_floats;
        if (plain && to == FORMAT_BF16) return bf16x2_of_floats;
        return pair_of_floats;
    }
    if (!pair_format(how->from, &from) || i->operand_count != 2) return NULL;
    bool fits = i->operand[0].bytes * 8u == 2 * bits_of(to) &&
                i->operand[1].bytes * 8u == 2 * bits_of(from);
    bool values = i->operand[0].kind == OPERAND_VALUE && i->operand[1].kind == OPERAND_VALUE;
    return fits && values ? pair_of_pair : NULL;
}
