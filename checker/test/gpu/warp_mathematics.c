/*
 * warp_mathematics.c: tests the mathematical functions that kernels call: every name is known, and
 * results are close to exact ones (the C library's, or an inverse function's).
 */
#include "gpu/warp/natives.h"
#include "test/gpu/own_memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { STRIDE = 64, RESULT = 40 };

static int passed;
static struct warp warp;
static unsigned char area[STRIDE * LANES];
static struct ptx_call call;
static const struct ptx_instruction instruction = {.call = &call};

/* One function of up to four arguments of `bytes`; `count` says how many. */
static void set_call(unsigned count, const uint32_t *sizes, uint32_t result)
{
    memset(&call, 0, sizeof call);
    call.argument_count = count;
    for (unsigned k = 0; k < count && k < 4; k++) {
        call.argument[k] = 8 * k;
        call.argument_bytes[k] = sizes[k];
    }
    call.result_count = 1;
    call.result[0] = RESULT;
    call.result_bytes[0] = result;
}

static ptx_execute *find(const char *name)
{
    ptx_execute *found = native_named(name);
    if (found == NULL) {
        printf("%s is not known\n", name);
        exit(1);
    }
    passed++;
    return found;
}

static double double_result(const char *name, unsigned count, const double *in)
{
    const uint32_t sizes[] = {8, 8, 8, 8};
    double result;
    set_call(count, sizes, 8);
    memset(area, 0xff, sizeof area);
    memcpy(area + 3 * STRIDE, in, count * sizeof *in);
    find(name)(&warp, &instruction, 1 << 3);
    memcpy(&result, area + 3 * STRIDE + RESULT, sizeof result);
    return result;
}

static float float_result(const char *name, unsigned count, const double *in)
{
    const uint32_t sizes[] = {4, 4, 4, 4};
    float result;
    set_call(count, sizes, 4);
    for (unsigned k = 0; k < count; k++) {
        float value = (float)in[k];
        memcpy(area + 31 * STRIDE + 8 * k, &value, sizeof value);
    }
    find(name)(&warp, &instruction, UINT32_C(1) << 31);
    memcpy(&result, area + 31 * STRIDE + RESULT, sizeof result);
    return result;
}

static void expect(const char *name, double got, double wanted, double error)
{
    bool good = got == wanted || fabs(got - wanted) <= error * fabs(wanted) ||
                (got != got && wanted != wanted);
    if (!good) {
        printf("%s: %.17g instead of %.17g\n", name, got, wanted);
        exit(1);
    }
    passed++;
}

static const struct {
    const char *name;
    unsigned count;
    double in[4], out;
} values[] = {
    {"exp", 1, {1}, 2.718281828459045},
    {"exp2", 1, {0.5}, 1.4142135623730951},
    {"exp10", 1, {2}, 100},
    {"expm1", 1, {0.5}, 0.6487212707001282},
    {"log", 1, {10}, 2.302585092994046},
    {"log2", 1, {8}, 3},
    {"log10", 1, {1000}, 3},
    {"log1p", 1, {0.5}, 0.4054651081081644},
    {"sin", 1, {0.5}, 0.479425538604203},
    {"cos", 1, {0.5}, 0.8775825618903728},
    {"tan", 1, {0.5}, 0.5463024898437905},
    {"sinpi", 1, {0.5}, 1},
    {"sinpi", 1, {3}, 0},
    {"cospi", 1, {0.5}, 0},
    {"cospi", 1, {1}, -1},
    {"asin", 1, {0.5}, 0.5235987755982989},
    {"acos", 1, {0.5}, 1.0471975511965979},
    {"atan", 1, {0.5}, 0.4636476090008061},
    {"sinh", 1, {0.5}, 0.5210953054937474},
    {"cosh", 1, {0.5}, 1.1276259652063807},
    {"tanh", 1, {0.5}, 0.46211715726000976},
    {"asinh", 1, {0.5}, 0.48121182505960347},
    {"acosh", 1, {2}, 1.3169578969248166},
    {"atanh", 1, {0.5}, 0.5493061443340549},
    {"cbrt", 1, {27}, 3},
    {"rcbrt", 1, {27}, 1 / 3.0},
    {"rsqrt", 1, {4}, 0.5},
    {"erf", 1, {0.5}, 0.5204998778130465},
    {"erfc", 1, {0.5}, 0.4795001221869535},
    {"erfinv", 1, {0.5}, 0.4769362762044699},
    {"erfcinv", 1, {0.25}, 0.8134198475976186},
    {"erfcx", 1, {2}, 0.2553956763105058},
    {"normcdf", 1, {1}, 0.8413447460685429},
    {"normcdfinv", 1, {0.975}, 1.959963984540054},
    {"lgamma", 1, {5}, 3.1780538303479458},
    {"tgamma", 1, {5}, 24},
    {"j0", 1, {1}, 0.7651976865579666},
    {"j1", 1, {1}, 0.44005058574493355},
    {"y0", 1, {1}, 0.08825696421567697},
    {"y1", 1, {1}, -0.7812128213002887},
    {"cyl_bessel_i0", 1, {1}, 1.2660658777520084},
    {"cyl_bessel_i1", 1, {1}, 0.565159103992485},
    {"logb", 1, {10}, 3},
    {"pow", 2, {2, 10}, 1024},
    {"atan2", 2, {1, -1}, 2.356194490192345},
    {"hypot", 2, {3, 4}, 5},
    {"rhypot", 2, {3, 4}, 0.2},
    {"fmod", 2, {7, -4}, 3},
    {"remainder", 2, {7, 4}, -1},
    {"fdim", 2, {7, 4}, 3},
    {"norm3d", 3, {2, 3, 6}, 7},
    {"rnorm3d", 3, {2, 3, 6}, 1 / 7.0},
    {"norm4d", 4, {1, 1, 1, 1}, 2},
    {"rnorm4d", 4, {1, 1, 1, 1}, 0.5},
};

/* Names that are only looked for. */
static const char *const names[] = {"ldexp", "ldexpf", "jn",      "jnf",     "yn",
                                    "ynf",   "lround", "lroundf", "ilogb",   "ilogbf",
                                    "frexp", "frexpf", "remquo",  "remquof", "nextafterf"};

static void test_pointers(void)
{
    const uint32_t sizes[] = {4, 8};
    float whole = 0, x = 2.5f, rest;
    uint64_t to = (uint64_t)(uintptr_t)&whole;
    set_call(2, sizes, 4);
    memcpy(area, &x, 4), memcpy(area + 8, &to, 8);
    find("modff")(&warp, &instruction, 1);
    memcpy(&rest, area + instruction.call->result[0], 4);
    expect("modff", (double)whole, 2, 0);
    expect("modff", (double)rest, 0.5, 0);
}

int main(void)
{
    warp.call_area = area;
    warp.call_stride = STRIDE;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char name[40];
        snprintf(name, sizeof name, "%sf", values[i].name);
        expect(values[i].name, double_result(values[i].name, values[i].count, values[i].in),
               values[i].out, 6e-16);
        expect(name, (double)float_result(name, values[i].count, values[i].in),
               (double)(float)values[i].out, 2.4e-7);
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        find(names[i]);
    if (native_named("no_such_function") != NULL) return 1;
    for (double y = 1e-300; y < 1; y *= 7)
        expect("erfc of erfcinv", erfc(double_result("erfcinv", 1, &y)), y, 3e-13);
    test_pointers();
    printf("%d passed\n", passed);
    return 0;
}
