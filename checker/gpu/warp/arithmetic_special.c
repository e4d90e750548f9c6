/*
 * arithmetic_special.c: roots, sines, powers and logarithms, which a GPU's special function units
 * approximate. Here they are as exact as the C library's functions, so better than PTX asks for.
 * Also testp and copysign.
 */
#include "gpu/warp/arithmetic.h"

static inline float inverse_root(float x)
{
    return (float)(1.0 / sqrt((double)x));
}

#define SPECIAL(name, function)                                                                    \
    UNARY(name##_f32, float, float, canonical(function(x)))                                        \
    UNARY(name##_ftz_f32, float, float, flushed(canonical(function(flushed(x)))))
SPECIAL(sin, sinf)
SPECIAL(cos, cosf)
SPECIAL(ex2, exp2f)
SPECIAL(lg2, log2f)
SPECIAL(tanh, tanhf)
SPECIAL(rsqrt, inverse_root)

UNARY(rsqrt_f64, double, double, 1.0 / sqrt(x))

/* rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 know 20 digits of the argument and of the result. */
static inline double upper_half(double value)
{
    double magnitude = fabs(value);
    if (magnitude < 0x1p-1022) value = copysign(0, value);
    return value == value ? double_of(double_bits(value) & 0xffffffff00000000u) : value;
}
UNARY(rcp_approx_f64, double, double, upper_half(1.0 / upper_half(x)))
UNARY(rsqrt_approx_f64, double, double, upper_half(1.0 / sqrt(upper_half(x))))

BINARY(copysign_f32, uint32_t, uint32_t, uint32_t, (x & 0x80000000u) | (y & 0x7fffffffu))
BINARY(copysign_f64, uint64_t, uint64_t, uint64_t,
       (x & UINT64_C(1) << 63) | (y & ~(UINT64_C(1) << 63)))

/* ---- testp ---------------------------------------------------------------------------------- */

static bool is_of_class(int class, enum ptx_modifier test)
{
    switch (test) {
    case M_finite: return class != FP_INFINITE && class != FP_NAN;
    case M_infinite: return class == FP_INFINITE;
    case M_number: return class != FP_NAN;
    case M_notanumber: return class == FP_NAN;
    case M_normal: return class == FP_NORMAL || class == FP_ZERO;
    default: return class == FP_SUBNORMAL;
    }
}

static void testp(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    const struct ptx_operand *from = &i->operand[1];
    uint32_t bits = 0;
    EACH_LANE (l, mask) {
        int class = from->bytes == 8 ? fpclassify(OPERAND_OF(warp, from, const double)[l])
                                     : fpclassify(OPERAND_OF(warp, from, const float)[l]);
        if (is_of_class(class, i->modifiers[0])) bits |= 1u << l;
    }
    set_predicate(warp, &i->operand[0], bits, mask);
}

static ptx_execute *select_testp(const struct ptx_instruction *instruction)
{
    static const uint8_t tests[] = {M_finite,     M_infinite, M_number,
                                    M_notanumber, M_normal,   M_subnormal};
    const char *widths = instruction->types[0] == TYPE_f64 ? "08" : "04";
    if (instruction->modifier_count != 1 || !has_widths(instruction, widths)) return NULL;
    return memchr(tests, instruction->modifiers[0], sizeof tests) ? testp : NULL;
}

/* ---- choosing ------------------------------------------------------------------------------- */

#define ROWS(name)                                                                                 \
    CHOICE(name, f32, FORM_APPROX, "44", name##_f32),                                              \
        CHOICE(name, f32, FORM_APPROX | FORM_FTZ, "44", name##_ftz_f32)

static const struct choice choices[] = {
    ROWS(sin),
    ROWS(cos),
    ROWS(ex2),
    ROWS(lg2),
    ROWS(tanh),
    ROWS(rsqrt),
    CHOICE(rsqrt, f64, FORM_APPROX, "88", rsqrt_f64),
    CHOICE(rsqrt, f64, FORM_APPROX | FORM_FTZ, "88", rsqrt_approx_f64),
    CHOICE(rcp, f64, FORM_APPROX | FORM_FTZ, "88", rcp_approx_f64),
    CHOICE(copysign, f32, 0, "444", copysign_f32),
    CHOICE(copysign, f64, 0, "888", copysign_f64),
};

ptx_execute *select_special_function(const struct ptx_function *function,
                                     struct ptx_instruction *instruction)
{
    unsigned form;
    enum rounding rounding;
    (void)function;
    if (instruction->opcode == OP_testp) return select_testp(instruction);
    if (!arithmetic_form(instruction, &form, &rounding)) return NULL;
    return choose(CHOICES(choices), instruction, form);
}
