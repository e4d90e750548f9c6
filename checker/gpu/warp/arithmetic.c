/*
 * arithmetic.c: chooses what executes an instruction that computes. Each family of instructions has
 * a file, whose table has the functions by opcode, type and form; what they share is here:
 * choosing, other roundings, and moving the lanes of a mask.
 */
#include "gpu/warp/arithmetic.h"

#include <fenv.h>

/* ---- choosing ------------------------------------------------------------------------------- */

static unsigned form_bit(enum ptx_modifier modifier)
{
    switch (modifier) {
    case M_ftz: return FORM_FTZ;
    case M_sat: return FORM_SAT;
    case M_nan: return FORM_NAN;
    case M_xorsign: return FORM_XORSIGN;
    case M_relu: return FORM_RELU;
    case M_lo: return FORM_LO;
    case M_hi: return FORM_HI;
    case M_wide: return FORM_WIDE;
    case M_cc: return FORM_CC;
    case M_approx: return FORM_APPROX;
    case M_full: return FORM_FULL;
    case M_wrap: return FORM_WRAP;
    case M_clamp: return FORM_CLAMP;
    case M_shiftamt: return FORM_SHIFT;
    case M_l: return FORM_LEFT;
    case M_r: return FORM_RIGHT;
    default: return 0;
    }
}

bool arithmetic_form(const struct ptx_instruction *instruction, unsigned *form,
                     enum rounding *rounding)
{
    *form = 0;
    *rounding = ROUND_NEAREST;
    for (int i = 0; i < instruction->modifier_count; i++) {
        enum ptx_modifier modifier = instruction->modifiers[i];
        unsigned bit = form_bit(modifier);
        switch (modifier) {
        case M_rn: break;
        case M_rz: *rounding = ROUND_ZERO; break;
        case M_rm: *rounding = ROUND_DOWN; break;
        case M_rp: *rounding = ROUND_UP; break;
        case M_abs: /* the second word of .xorsign.abs */
            if (!(*form & FORM_XORSIGN)) return false;
            break;
        default:
            if (bit == 0) return false;
            *form |= bit;
        }
    }
    return true;
}

bool has_widths(const struct ptx_instruction *instruction, const char *widths)
{
    for (int i = 0; i < instruction->operand_count; i++) {
        const struct ptx_operand *operand = &instruction->operand[i];
        if (operand->kind != OPERAND_VALUE || widths[i] == '\0') return false;
        if (operand->bytes != (widths[i] == 'x' ? 16 : widths[i] - '0')) return false;
    }
    return widths[instruction->operand_count] == '\0';
}

ptx_execute *choose(const struct choice *choices, size_t count,
                    const struct ptx_instruction *instruction, unsigned form)
{
    for (size_t i = 0; i < count; i++) {
        const struct choice *one = &choices[i];
        if (one->opcode == instruction->opcode && one->type == instruction->types[0] &&
            one->form == form && has_widths(instruction, one->widths))
            return one->execute;
    }
    return NULL;
}

/* Results go to registers: constants and special registers are other threads' too. */
static bool is_register(const struct ptx_operand *operand)
{
    return operand->kind == OPERAND_SINK ||
           (operand->kind == OPERAND_VALUE && operand->base == BASE_FRAME);
}

static bool writes_registers(const struct ptx_function *function,
                             const struct ptx_instruction *instruction)
{
    for (unsigned k = 0; k < instruction->results && k < instruction->operand_count; k++) {
        const struct ptx_operand *operand = &instruction->operand[k];
        if (operand->kind != OPERAND_VECTOR && !is_register(operand)) return false;
        for (unsigned e = 0; operand->kind == OPERAND_VECTOR && e < operand->count; e++)
            if (!is_register(&function->elements[operand->first + e])) return false;
    }
    return true;
}

ptx_execute *arithmetic_select(const struct ptx_function *function,
                               struct ptx_instruction *instruction)
{
    static select_family *const families[] = {
        select_integer,          select_carry,   select_bits,   select_float,
        select_special_function, select_compare, select_move,   select_address,
        select_convert,          select_half,    select_matrix, select_matrix_memory,
        select_texture};
    ptx_execute *execute = NULL;
    if (!writes_registers(function, instruction)) return NULL;
    for (size_t i = 0; i < sizeof families / sizeof families[0] && execute == NULL; i++)
        execute = families[i](function, instruction);
    return execute;
}

/* ---- roundings ------------------------------------------------------------------------------ */

/* The functions are compiled for any rounding of the processor's: they do not know what they are
 * called with. */
static void run_rounded(struct warp *warp, const struct ptx_instruction *instruction, uint32_t mask,
                        int rounding)
{
    ptx_execute *plain;
    memcpy(&plain, &instruction->detail, sizeof plain);
    fesetround(rounding);
    plain(warp, instruction, mask);
    fesetround(FE_TONEAREST);
}

static void run_to_zero(struct warp *warp, const struct ptx_instruction *instruction, uint32_t mask)
{
    run_rounded(warp, instruction, mask, FE_TOWARDZERO);
}

static void run_down(struct warp *warp, const struct ptx_instruction *instruction, uint32_t mask)
{
    run_rounded(warp, instruction, mask, FE_DOWNWARD);
}

static void run_up(struct warp *warp, const struct ptx_instruction *instruction, uint32_t mask)
{
    run_rounded(warp, instruction, mask, FE_UPWARD);
}

ptx_execute *with_rounding(struct ptx_instruction *instruction, ptx_execute *plain,
                           enum rounding rounding)
{
    if (plain == NULL || rounding == ROUND_NEAREST) return plain;
    memcpy(&instruction->detail, &plain, sizeof plain);
    return rounding == ROUND_ZERO ? run_to_zero : rounding == ROUND_DOWN ? run_down : run_up;
}

/* ---- lanes of a mask ------------------------------------------------------------------------ */

#define BITS_4(n)  UINT64_C(1) << (n), UINT64_C(2) << (n), UINT64_C(4) << (n), UINT64_C(8) << (n)
#define BITS_16(n) BITS_4(n), BITS_4(n + 4), BITS_4(n + 8), BITS_4(n + 12)
const uint64_t wide_bit[LANES] = {BITS_16(0), BITS_16(16)};

/* Both sides are read: a load that skips lanes would wait for the stores before it. */
static const uint16_t narrow_bit[] = {1,   2,   4,    8,    16,   32,   64,    128,
                                      256, 512, 1024, 2048, 4096, 8192, 16384, 32768};

/* The compiler must not know the bits: it would make a shift of each, and no vector code. */
static __attribute__((noipa)) void blend_half(bits_16 *d, const bits_16 *s, const uint16_t *bit,
                                              uint16_t mask)
{
    _Pragma("GCC ivdep") for (unsigned l = 0; l < LANES / 2; l++)
    {
        uint16_t chosen = mask & bit[l] ? UINT16_MAX : 0;
        d[l] = (s[l] & chosen) | (d[l] & ~chosen);
    }
}

void blend_2(void *to, const void *from, uint32_t mask)
{
    bits_16 *d = to;
    const bits_16 *s = from;
    blend_half(d, s, narrow_bit, (uint16_t)mask);
    blend_half(d + LANES / 2, s + LANES / 2, narrow_bit, (uint16_t)(mask >> 16));
}

void blend_4(void *to, const void *from, uint32_t mask)
{
    bits_32 *d = to;
    const bits_32 *s = from;
    ALL_LANES
    {
        uint32_t chosen = mask & (UINT32_C(1) << l) ? UINT32_MAX : 0;
        d[l] = (s[l] & chosen) | (d[l] & ~chosen);
    }
}

void blend_8(void *to, const void *from, uint32_t mask)
{
    bits_64 *d = to, wide = mask;
    const bits_64 *s = from;
    ALL_LANES
    {
        uint64_t chosen = wide & wide_bit[l] ? UINT64_MAX : 0;
        d[l] = (s[l] & chosen) | (d[l] & ~chosen);
    }
}

void blend_16(void *to, const void *from, uint32_t mask)
{
    EACH_LANE (lane, mask)
        memcpy((char *)to + 16 * lane, (const char *)from + 16 * lane, 16);
}
