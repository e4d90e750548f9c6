/*
 * half_arithmetic.c: arithmetic of f16 and bf16, alone and in pairs. All numbers of a warp become
 * floats, which hold sums, differences and products well enough that the second rounding changes
 * nothing; fma goes by doubles.
 */
#include "gpu/warp/half.h"

enum { NUMBERS_MAX = 2 * LANES };

typedef void operate(float *d, const float *a, const float *b, const float *c, unsigned count);

#define OPERATE(name, expression)                                                                  \
    static void name(float *d, const float *a, const float *b, const float *c, unsigned count)     \
    {                                                                                              \
        (void)b, (void)c;                                                                          \
        _Pragma("GCC ivdep") for (unsigned l = 0; l < count; l++) d[l] = expression;               \
    }

/* A sum whose last digit is odd if it is not exact, so that it rounds to the right short number. */
static inline double odd_sum(double x, double y)
{
    double sum = x + y, back = sum - x, rest = (x - (sum - back)) + (y - back);
    uint64_t bits = double_bits(sum), differ = double_bits(rest) ^ bits;
    uint64_t moved = (int64_t)differ < 0 ? bits - 1 : bits + 1;
    double odd = double_of(bits & 1 ? bits : moved);
    return fabs(rest) > 0 ? odd : sum;
}

static inline float odd_sum_of_floats(float x, float y)
{
    float sum = x + y, back = sum - x, rest = (x - (sum - back)) + (y - back);
    uint32_t bits = float_bits(sum), differ = float_bits(rest) ^ bits;
    uint32_t moved = (int32_t)differ < 0 ? bits - 1 : bits + 1;
    float odd = float_of(bits & 1 ? bits : moved);
    return fabsf(rest) > 0 ? odd : sum;
}

static inline float least(float x, float y)
{
    float equal = float_of(float_bits(x) | float_bits(y));
    return y != y ? x : x == y ? equal : x < y ? x : y;
}

static inline float most(float x, float y)
{
    float equal = float_of(float_bits(x) & float_bits(y));
    return y != y ? x : x == y ? equal : x > y ? x : y;
}

static inline float with_nan(float x, float y, float value)
{
    return x != x || y != y ? float_of(0x7fffffff) : value;
}

static inline float with_sign(float x, float y, float value)
{
    return float_of((float_bits(value) & 0x7fffffffu) |
                    ((float_bits(x) ^ float_bits(y)) & 0x80000000u));
}

OPERATE(add, a[l] + b[l])
OPERATE(sub, a[l] - b[l])
OPERATE(mul, a[l] * b[l])
OPERATE(fma_half, odd_sum_of_floats(a[l] * b[l], c[l])) /* a float holds a product of halves */
OPERATE(fma_bfloat, odd_float(odd_sum((double)a[l] * (double)b[l], (double)c[l])))
OPERATE(negate, -a[l])
OPERATE(magnitude, fabsf(a[l]))
OPERATE(power_of_2, exp2f(a[l]))
OPERATE(tangent, tanhf(a[l]))
OPERATE(minimum, least(a[l], b[l]))
OPERATE(maximum, most(a[l], b[l]))
OPERATE(minimum_nan, with_nan(a[l], b[l], least(a[l], b[l])))
OPERATE(maximum_nan, with_nan(a[l], b[l], most(a[l], b[l])))
OPERATE(minimum_sign, with_sign(a[l], b[l], least(fabsf(a[l]), fabsf(b[l]))))
OPERATE(maximum_sign, with_sign(a[l], b[l], most(fabsf(a[l]), fabsf(b[l]))))
OPERATE(minimum_nan_sign,
        with_nan(a[l], b[l], with_sign(a[l], b[l], least(fabsf(a[l]), fabsf(b[l])))))
OPERATE(maximum_nan_sign,
        with_nan(a[l], b[l], with_sign(a[l], b[l], most(fabsf(a[l]), fabsf(b[l])))))

static const struct operation {
    uint8_t opcode;
    uint16_t form; /* without .ftz, .sat and .relu, which are for all */
    uint8_t operands;
    operate *operate, *of_bfloats; /* the second, if it is another one */
} operations[] = {
    {OP_add, 0, 2, add, NULL},
    {OP_sub, 0, 2, sub, NULL},
    {OP_mul, 0, 2, mul, NULL},
    {OP_fma, 0, 3, fma_half, fma_bfloat},
    {OP_neg, 0, 1, negate, NULL},
    {OP_abs, 0, 1, magnitude, NULL},
    {OP_ex2, FORM_APPROX, 1, power_of_2, NULL},
    {OP_tanh, FORM_APPROX, 1, tangent, NULL},
    {OP_min, 0, 2, minimum, NULL},
    {OP_max, 0, 2, maximum, NULL},
    {OP_min, FORM_NAN, 2, minimum_nan, NULL},
    {OP_max, FORM_NAN, 2, maximum_nan, NULL},
    {OP_min, FORM_XORSIGN, 2, minimum_sign, NULL},
    {OP_max, FORM_XORSIGN, 2, maximum_sign, NULL},
    {OP_min, FORM_NAN | FORM_XORSIGN, 2, minimum_nan_sign, NULL},
    {OP_max, FORM_NAN | FORM_XORSIGN, 2, maximum_nan_sign, NULL},
};

/* ---- a warp's numbers ----------------------------------------------------------------------- */

static inline void load(enum short_format format, float *to, const void *from, unsigned count)
{
    if (format == FORMAT_F16)
        halves_to_floats(to, from, count);
    else
        bfloats_to_floats(to, from, count);
}

void flush_shorts(enum short_format format, float *values, unsigned count)
{
    const float least_normal = format == FORMAT_F16 ? 0x1p-14f : 0x1p-126f;
    for (unsigned l = 0; l < count; l++)
        values[l] = fabsf(values[l]) < least_normal ? float_of(float_bits(values[l]) & 0x80000000u)
                                                    : values[l];
}

/* .sat and .relu: a NaN becomes 0 with .sat, and stays one with .relu. */
static void modify(enum short_format format, float *values, unsigned form, unsigned count)
{
    if (form & FORM_SAT)
        for (unsigned l = 0; l < count; l++)
            values[l] = saturated(values[l]);
    if (form & FORM_RELU)
        for (unsigned l = 0; l < count; l++)
            values[l] = values[l] <= 0 ? 0 : values[l];
    if (form & FORM_FTZ) flush_shorts(format, values, count);
}

static inline __attribute__((always_inline)) void run(struct warp *warp,
                                                      const struct ptx_instruction *i,
                                                      uint32_t mask, enum short_format format,
                                                      unsigned count)
{
    const struct operation *operation = i->detail;
    float values[3][NUMBERS_MAX], result[NUMBERS_MAX];
    _Alignas(8) uint16_t shorts[NUMBERS_MAX];
    unsigned form = 0;
    enum rounding rounding;
    if (i->modifier_count != 0) arithmetic_form(i, &form, &rounding);
    load(format, values[0], A_OF(warp, i, char), count);
    if (operation->operands > 1) load(format, values[1], B_OF(warp, i, char), count);
    if (operation->operands > 2) load(format, values[2], C_OF(warp, i, char), count);
    if (form & FORM_FTZ)
        for (unsigned k = 0; k < operation->operands; k++)
            flush_shorts(format, values[k], count);
    operate *operate = format == FORMAT_BF16 && operation->of_bfloats != NULL
                           ? operation->of_bfloats
                           : operation->operate;
    operate(result, values[0], values[1], values[2], count);
    if (form & (FORM_SAT | FORM_RELU | FORM_FTZ)) modify(format, result, form, count);
    if (format == FORMAT_F16)
        floats_to_halves(shorts, result, count);
    else
        floats_to_bfloats(shorts, result, count);
    blend(D_OF(warp, i, char), shorts, count / LANES * 2, mask);
}

#define RUN(name, format, count)                                                                   \
    static void name(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)            \
    {                                                                                              \
        run(warp, i, mask, format, count);                                                         \
    }
RUN(run_f16, FORMAT_F16, LANES)
RUN(run_f16x2, FORMAT_F16, 2 * LANES)
RUN(run_bf16, FORMAT_BF16, LANES)
RUN(run_bf16x2, FORMAT_BF16, 2 * LANES)

/* ---- choosing ------------------------------------------------------------------------------- */

/* Without .ftz, signs change on the bits. */
UNARY(neg_16, uint16_t, uint16_t, x ^ 0x8000u)
UNARY(abs_16, uint16_t, uint16_t, x & 0x7fffu)
UNARY(neg_pair, uint32_t, uint32_t, x ^ 0x80008000u)
UNARY(abs_pair, uint32_t, uint32_t, x & 0x7fff7fffu)

static const struct operation *find_operation(uint8_t opcode, unsigned form)
{
    for (size_t k = 0; k < sizeof operations / sizeof operations[0]; k++)
        if (operations[k].opcode == opcode && operations[k].form == form) return &operations[k];
    return NULL;
}

ptx_execute *select_half(const struct ptx_function *function, struct ptx_instruction *i)
{
    static const char *const widths[2][3] = {{"22", "222", "2222"}, {"44", "444", "4444"}};
    unsigned form, common = FORM_FTZ | FORM_SAT | FORM_RELU;
    enum rounding rounding;
    ptx_execute *execute;
    (void)function;
    if (i->opcode == OP_setp || i->opcode == OP_set) return select_half_compare(i);
    switch (i->types[0]) {
    case TYPE_f16: execute = run_f16; break;
    case TYPE_f16x2: execute = run_f16x2; break;
    case TYPE_bf16: execute = run_bf16; break;
    case TYPE_bf16x2: execute = run_bf16x2; break;
    default: return NULL;
    }
    bool pair = execute == run_f16x2 || execute == run_bf16x2;
    if (!arithmetic_form(i, &form, &rounding) || rounding != ROUND_NEAREST) return NULL;
    const struct operation *operation = find_operation(i->opcode, form & ~common);
    if (operation == NULL || !has_widths(i, widths[pair][operation->operands - 1])) return NULL;
    i->detail = operation;
    if (i->opcode == OP_neg && form == 0) return pair ? neg_pair : neg_16;
    if (i->opcode == OP_abs && form == 0) return pair ? abs_pair : abs_16;
    return execute;
}
