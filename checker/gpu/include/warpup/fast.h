/*
 * fast.h: the fast mathematical functions of kernels (__expf …): a few approximating instructions
 * each.
 */
#ifndef WARPUP_FAST_H
#define WARPUP_FAST_H

#include "../host_defines.h"

WARPUP_DEVICE float __expf(float x) { return __nvvm_ex2_approx_ftz_f(x * 1.4426950408889634f); }
WARPUP_DEVICE float __exp10f(float x) { return __nvvm_ex2_approx_ftz_f(x * 3.3219280948873623f); }
WARPUP_DEVICE float __log2f(float x) { return __nvvm_lg2_approx_ftz_f(x); }
WARPUP_DEVICE float __logf(float x) { return __nvvm_lg2_approx_ftz_f(x) * 0.6931471805599453f; }
WARPUP_DEVICE float __log10f(float x) { return __nvvm_lg2_approx_ftz_f(x) * 0.3010299956639812f; }
WARPUP_DEVICE float __sinf(float x) { return __nvvm_sin_approx_ftz_f(x); }
WARPUP_DEVICE float __cosf(float x) { return __nvvm_cos_approx_ftz_f(x); }
WARPUP_DEVICE float __fdividef(float x, float y) { return __nvvm_div_approx_ftz_f(x, y); }
WARPUP_DEVICE float __tanf(float x)
{
    return __nvvm_div_approx_ftz_f(__nvvm_sin_approx_ftz_f(x), __nvvm_cos_approx_ftz_f(x));
}
WARPUP_DEVICE float __tanhf(float x)
{
    float y;
    asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
WARPUP_DEVICE float __powf(float x, float y)
{
    return __nvvm_ex2_approx_ftz_f(y * __nvvm_lg2_approx_ftz_f(x));
}
WARPUP_DEVICE void __sincosf(float x, float *sine, float *cosine)
{
    *sine = __sinf(x);
    *cosine = __cosf(x);
}

#endif
