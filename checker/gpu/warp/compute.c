/*
 * compute.c: finds the rule that executes an instruction, among those of all files of this room
 * (compute.h). Also what rules share: roundings, and moving the lanes of a mask.
 */
#include "gpu/warp/compute.h"

#include <fenv.h>

/* ---- choosing ------------------------------------------------------------------------------- */

static const uint32_t forms[MODIFIERS] = {[M_ftz] = FORM_FTZ,     [M_sat] = FORM_SAT,
                                          [M_nan] = FORM_NAN,     [M_xorsign] = FORM_XORSIGN,
                                          [M_relu] = FORM_RELU,   [M_lo] = FORM_LO,
                                          [M_hi] = FORM_HI,       [M_wide] = FORM_WIDE,
                                          [M_cc] = FORM_CC,       [M_approx] = FORM_APPROX,
                                          [M_full] = FORM_FULL,   [M_wrap] = FORM_WRAP,
                                          [M_clamp] = FORM_CLAMP, [M_shiftamt] = FORM_SHIFT,
                                          [M_l] = FORM_LEFT,      [M_r] = FORM_RIGHT,
                                          [M_rni] = FORM_RNI,     [M_rzi] = FORM_RZI,
                                          [M_rmi] = FORM_RMI,     [M_rpi] = FORM_RPI,
                                          [M_rna] = FORM_AWAY,    [M_satfinite] = FORM_FINITE,
                                          [M_pack] = FORM_PACK,   [M_f4e] = FORM_F4E,
                                          [M_b4e] = FORM_B4E,     [M_rc8] = FORM_RC8,
                                          [M_ecl] = FORM_ECL,     [M_ecr] = FORM_ECR,
                                          [M_rc16] = FORM_RC16};

bool rule_form(const struct ptx_instruction *i, unsigned *form, enum rounding *rounding)
{
    *form = 0;
    *rounding = ROUND_NEAREST;
    for (int k = 0; k < i->modifier_count; k++) {
        enum ptx_modifier modifier = i->modifiers[k];
        *form |= forms[modifier];
        switch (modifier) {
        case M_rn: break;
        case M_rz: *rounding = ROUND_ZERO; break;
        case M_rm: *rounding = ROUND_DOWN; break;
        case M_rp: *rounding = ROUND_UP; break;
        case M_abs: /* the second word of .xorsign.abs */
            if (!(*form & FORM_XORSIGN)) return false;
            break;
        default:
            if (forms[modifier] == 0) return false;
        }
    }
    return true;
}

static bool fits(const struct rule *rule, const struct ptx_instruction *i)
{
    if (rule->count != i->operand_count) return false;
    for (int k = 0; k < rule->count; k++)
        if (i->operand[k].kind != OPERAND_VALUE || i->operand[k].bytes != rule->bytes[k])
            return false;
    return true;
}

ptx_execute *find_rule(const struct ptx_instruction *i, unsigned form)
{
    extern const struct rule __start_rules[], __stop_rules[];
    uint8_t type = i->types[0], last = i->type_count > 1 ? i->types[1] : type;
    for (const struct rule *one = __start_rules; one < __stop_rules; one++)
        if (one->opcode == i->opcode && one->form == form &&
            (one->type == TYPE_any || one->type == type) &&
            (one->last == TYPE_any || one->last == last) && fits(one, i))
            return one->execute;
    return NULL;
}

bool has_sizes(const struct ptx_instruction *i, const char *sizes)
{
    for (int k = 0; k < i->operand_count; k++) {
        const struct ptx_operand *operand = &i->operand[k];
        if (operand->kind != OPERAND_VALUE || sizes[k] == '\0') return false;
        if (operand->bytes != (sizes[k] == 'x' ? 16 : sizes[k] - '0')) return false;
    }
    return sizes[i->operand_count] == '\0';
}

/* ---- roundings ------------------------------------------------------------------------------ */

/* The functions are compiled for any rounding of the processor's: they do not know what they are
 * called with. */
#define ROUNDED(name, mode)                                                                        \
    static void name(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)            \
    {                                                                                              \
        ptx_execute *plain;                                                                        \
        memcpy(&plain, &i->detail, sizeof plain);                                                  \
        fesetround(mode);                                                                          \
        plain(warp, i, mask);                                                                      \
        fesetround(FE_TONEAREST);                                                                  \
    }
ROUNDED(run_to_zero, FE_TOWARDZERO)
ROUNDED(run_down, FE_DOWNWARD)
ROUNDED(run_up, FE_UPWARD)

ptx_execute *with_rounding(struct ptx_instruction *i, ptx_execute *plain, enum rounding rounding)
{
    static ptx_execute *const rounded[] = {NULL, run_to_zero, run_down, run_up};
    if (plain == NULL || rounding == ROUND_NEAREST) return plain;
    memcpy(&i->detail, &plain, sizeof plain);
    return rounded[rounding];
}

/* ---- lanes of a mask ------------------------------------------------------------------------ */

#define BITS_4(n)  UINT64_C(1) << (n), UINT64_C(2) << (n), UINT64_C(4) << (n), UINT64_C(8) << (n)
#define BITS_16(n) BITS_4(n), BITS_4(n + 4), BITS_4(n + 8), BITS_4(n + 12)
const uint64_t wide_bit[LANES] = {BITS_16(0), BITS_16(16)};
static const uint16_t narrow_bit[] = {BITS_16(0)};

/* Both sides are read: a load that skips lanes would wait for the stores before it. The compiler
 * must not know the bits of narrow values: it would make a shift of each, and no vector code. */
#define BLEND(T, count, bit)                                                                       \
    static __attribute__((noipa)) void blend_##T(T *d, const T *s, T mask, const uint16_t *narrow) \
    {                                                                                              \
        (void)narrow;                                                                              \
        _Pragma("GCC ivdep") for (unsigned l = 0; l < (count); l++)                                \
        {                                                                                          \
            T chosen = mask & (bit) ? (T)-1 : 0;                                                   \
            d[l] = (s[l] & chosen) | (d[l] & (T)~chosen);                                          \
        }                                                                                          \
    }
BLEND(bits_16, LANES / 2, narrow[l])
BLEND(bits_32, LANES, UINT32_C(1) << l)
BLEND(bits_64, LANES, wide_bit[l])

void blend(void *to, const void *from, size_t bytes, uint32_t mask)
{
    bits_16 *d = to;
    const bits_16 *s = from;
    switch (mask == FULL_MASK ? 0 : bytes) {
    case 0: memcpy(to, from, bytes * LANES); break;
    case 2:
        blend_bits_16(d, s, (uint16_t)mask, narrow_bit);
        blend_bits_16(d + LANES / 2, s + LANES / 2, (uint16_t)(mask >> 16), narrow_bit);
        break;
    case 4: blend_bits_32(to, from, mask, NULL); break;
    case 8: blend_bits_64(to, from, mask, NULL); break;
    default:
        EACH_LANE (lane, mask)
            memcpy((char *)to + bytes * lane, (const char *)from + bytes * lane, bytes);
    }
}
