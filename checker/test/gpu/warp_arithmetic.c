/*
 * warp_arithmetic.c: tests instructions that compute. warp_samples.h has the cases: an instruction, the
 * bits of its inputs, and the bits that it gives. Each runs for the whole warp and for some lanes;
 * the other lanes must stay as they are. Conversions and roundings are also compared
 * with slower ways to the same result, for many numbers.
 */
#include "test/gpu/one_instruction.h"
#include "test/gpu/warp_samples.h"

#include "gpu/warp/convert.h"
#include "gpu/warp/half.h"

#include <fenv.h>

static int passed, failed_cases;

static void check(bool good, const char *text, const char *what, uint64_t got, uint64_t wanted)
{
    if (good)
        passed++;
    else {
        failed_cases++;
        printf("%s: %s: %llx instead of %llx\n", text, what, (unsigned long long)got,
               (unsigned long long)wanted);
    }
}

/* ---- samples -------------------------------------------------------------------------------- */

static const uint64_t before = 0x5a5a5a5a5a5a5a5a;

static uint64_t cut(const struct ptx_operand *operand, uint64_t value)
{
    unsigned bytes = one_stride(operand);
    return bytes == 0 ? value & 1 : bytes >= 8 ? value : value & ((UINT64_C(1) << 8 * bytes) - 1);
}

static void run_sample(const struct sample *sample, uint32_t mask)
{
    struct one one;
    if (!one_read(&one, sample->text)) {
        check(false, sample->text, "not known", 0, 0);
        ptx_free(one.module);
        return;
    }
    for (unsigned l = 0; l < LANES; l++) {
        for (unsigned k = 0; k < one.result_count; k++)
            one_set(one.results[k], l, before);
        for (unsigned k = 0; k < one.source_count; k++)
            one_set(one.sources[k], l, sample->in[k]);
    }
    uint64_t stays[2] = {0};
    for (unsigned k = 0; k < one.result_count; k++)
        stays[k] = one_get(one.results[k], 0);
    one_run(&one, mask);
    for (unsigned k = 0; k < one.result_count; k++)
        for (unsigned l = 0; l < LANES; l++) {
            uint64_t got = one_get(one.results[k], l);
            uint64_t wanted = mask >> l & 1 ? cut(one.results[k], sample->out[k]) : stays[k];
            if (got != wanted) {
                check(false, sample->text, mask >> l & 1 ? "result" : "other lane", got, wanted);
                l = LANES;
            }
        }
    ptx_free(one.module);
    passed++;
}

/* ---- chains with a carry -------------------------------------------------------------------- */

static void test_carry(void)
{
    static const struct {
        const char *text;
        uint64_t in[3], out;
        uint32_t carry_in, carry_out;
    } chain[] = {
        {"add.cc.u32 %r0, %r1, %r2;", {ALL, 2}, 1, 0, ALL},
        {"addc.cc.u32 %r0, %r1, %r2;", {ALL, 0}, 0, ALL, ALL},
        {"addc.u32 %r0, %r1, %r2;", {1, 2}, 4, ALL, ALL},
        {"sub.cc.u32 %r0, %r1, %r2;", {1, 2}, ALL, 0, ALL},
        {"subc.u32 %r0, %r1, %r2;", {5, 2}, 2, ALL, ALL},
        {"subc.cc.u32 %r0, %r1, %r2;", {0, 0}, ALL, ALL, ALL},
        {"mad.lo.cc.u32 %r0, %r1, %r2, %r3;", {ALL, ALL, ALL}, 0, 0, ALL},
        {"madc.hi.u32 %r0, %r1, %r2, %r3;", {ALL, ALL, 1}, ALL + UINT64_C(1) - 0 - 0, ALL, ALL},
        {"madc.hi.cc.s32 %r0, %r1, %r2, %r3;", {ALL, ALL, 1}, 2, ALL, 0},
        {"addc.cc.u64 %d0, %d1, %d2;", {MOST, 0}, 0, ALL, ALL},
        {"sub.cc.s64 %d0, %d1, %d2;", {3, 2}, 1, ALL, 0},
    };
    for (size_t i = 0; i < sizeof chain / sizeof chain[0]; i++) {
        struct one one;
        if (!one_read(&one, chain[i].text)) {
            check(false, chain[i].text, "not known", 0, 0);
            continue;
        }
        for (unsigned l = 0; l < LANES; l++)
            for (unsigned k = 0; k < one.source_count; k++)
                one_set(one.sources[k], l, chain[i].in[k]);
        test_warp.carry = chain[i].carry_in;
        one_run(&one, UINT32_MAX);
        check(one_get(one.results[0], 7) == cut(one.results[0], chain[i].out), chain[i].text,
              "result", one_get(one.results[0], 7), chain[i].out);
        check(test_warp.carry == chain[i].carry_out, chain[i].text, "carry", test_warp.carry,
              chain[i].carry_out);
        ptx_free(one.module);
    }
}

/* ---- many numbers --------------------------------------------------------------------------- */

static uint64_t state = 88172645463325252;

static uint64_t any(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* Often near to whole numbers, limits of types, or halves. */
static uint64_t any_of(enum ptx_type type)
{
    uint64_t bits = any();
    double near = ldexp((double)(int64_t)(any() % 17) - 8, (int)(any() % 70)) + 0.5 * (any() % 3);
    if (any() % 2 == 0) return bits;
    switch (type) {
    case TYPE_f32: return float_bits((float)near);
    case TYPE_f64: return double_bits(near);
    case TYPE_f16: return short_bits(FORMAT_F16, near, ROUND_NEAREST, false);
    case TYPE_bf16: return short_bits(FORMAT_BF16, near, ROUND_NEAREST, false);
    default: return (uint64_t)(int64_t)(near < 9e18 && near > -9e18 ? near : 1);
    }
}

/* The loops of cvt against the way that knows all of them. */
static void test_conversions(void)
{
    static const char *const names[] = {"u8",  "s8",  "u16",  "s16", "u32", "s32",
                                        "u64", "s64", "bf16", "f16", "f32", "f64"};
    static const enum ptx_type types[] = {TYPE_u8,   TYPE_s8,  TYPE_u16, TYPE_s16,
                                          TYPE_u32,  TYPE_s32, TYPE_u64, TYPE_s64,
                                          TYPE_bf16, TYPE_f16, TYPE_f32, TYPE_f64};
    static const char register_of[] = "hhhhrrddhhrd";
    static const char *const whole[] = {".rni", ".rzi", ".rmi", ".rpi"};
    static const char *const real[] = {".rn", ".rz", ".rm", ".rp"};
    for (int to = 0; to < 12; to++)
        for (int from = 0; from < 12; from++)
            for (int mode = 0; mode < 4; mode++) {
                bool shorter = to >= 8 && from >= 8 && to < from;
                bool modes = (to >= 8) != (from >= 8) || shorter;
                char text[100];
                struct one one;
                struct conversion how;
                if ((!modes && mode > 0) || (to == 8 && from == 9) || (to == 9 && from == 8))
                    continue;
                if ((to == 8 || from == 8) && (to < 8 || from < 8)) continue;
                if (to == from && to >= 8) continue;
                snprintf(text, sizeof text, "cvt%s.%s.%s %%%c0, %%%c1;",
                         !modes    ? ""
                         : to >= 8 ? real[mode]
                                   : whole[mode],
                         names[to], names[from], register_of[to], register_of[from]);
                if (!one_read(&one, text)) {
                    check(false, text, "not known", 0, 0);
                    continue;
                }
                conversion_of(one.instruction, &how);
                uint64_t in[LANES];
                for (int round = 0; round < 8; round++) {
                    for (unsigned l = 0; l < LANES; l++)
                        one_set(one.sources[0], l, in[l] = any_of(types[from]));
                    one_run(&one, UINT32_MAX);
                    static const int rounding[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD,
                                                   FE_UPWARD};
                    for (unsigned l = 0; l < LANES; l++) {
                        fesetround(rounding[how.rounding]);
                        uint64_t wanted = converted(&how, cut(one.sources[0], in[l]));
                        fesetround(FE_TONEAREST);
                        uint64_t got = one_get(one.results[0], l);
                        unsigned bits = 8 * ptx_type_bytes(types[to]);
                        uint64_t ones = bits == 64 ? MOST : (UINT64_C(1) << bits) - 1;
                        bool nan = types[to] == TYPE_f64 && (got & ~DNEG) > DINF &&
                                   (wanted & ~DNEG) > DINF;
                        nan |= types[to] == TYPE_f32 && (got & NOT) > INF && wanted == NOT;
                        if ((got & ones) != (wanted & ones) && !nan) {
                            printf("of %llx: ", (unsigned long long)in[l]);
                            check(false, text, "conversion", got, wanted);
                            round = 8, l = LANES;
                        }
                    }
                }
                passed++;
                ptx_free(one.module);
            }
}

/* Halves: fma of three numbers against 80-bit arithmetic, which is exact but for bfloat16's widest
 * sums. */
static void test_half_fma(void)
{
    struct one one;
    if (!one_read(&one, "fma.rn.f16 %h0, %h1, %h2, %h3;")) return;
    for (int round = 0; round < 2000; round++) {
        uint16_t in[3][LANES];
        for (unsigned l = 0; l < LANES; l++)
            for (unsigned k = 0; k < 3; k++)
                one_set(one.sources[k], l, in[k][l] = (uint16_t)any());
        one_run(&one, UINT32_MAX);
        for (unsigned l = 0; l < LANES; l++) {
            double a = short_value(FORMAT_F16, in[0][l]), b = short_value(FORMAT_F16, in[1][l]);
            double c = short_value(FORMAT_F16, in[2][l]);
            uint32_t wanted = short_bits(FORMAT_F16, a * b + c, ROUND_NEAREST, false);
            uint64_t got = one_get(one.results[0], l);
            if (got != wanted) {
                check(false, "fma.f16", "value", got, wanted);
                return;
            }
        }
    }
    passed++;
    ptx_free(one.module);
}

int main(void)
{
    static const uint32_t masks[] = {UINT32_MAX, 0x0f0f3331, 0x80000000, 1};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        for (size_t k = 0; k < sizeof masks / sizeof masks[0]; k++)
            run_sample(&samples[i], masks[k]);
    test_carry();
    test_conversions();
    test_half_fma();
    if (failed_cases != 0) return 1;
    printf("%d passed\n", passed);
    return 0;
}
