/*
 * mathematics_pointers.c: mathematical functions that store a second result through a pointer, or
 * read an array. Their accesses to memory are those of the calling thread, one request for all
 * lanes.
 */
#include "gpu/warp/mathematics.h"

/* The arguments of a call that are pointers, by lane. */
static void take_pointers(uint64_t address[LANES], const struct ptx_call *call, unsigned k,
                          const unsigned char *area, uint32_t stride, uint32_t mask)
{
    EACH_LANE (lane, mask)
        memcpy(&address[lane], area + (size_t)lane * stride + call->argument[k],
               sizeof address[lane]);
}

static void store(struct warp *warp, const struct ptx_instruction *i, const struct ptx_call *call,
                  unsigned k, const unsigned char *area, uint32_t stride, uint32_t mask,
                  uint32_t bytes, void *values)
{
    uint64_t address[LANES] = {0};
    take_pointers(address, call, k, area, stride, mask);
    access_values(warp, i, true, SPACE_GENERIC, mask, address, bytes, values);
}

/* R f(A, second result *) */
#define SPLIT(name, R, A, S, expression)                                                           \
    static void native_##name(struct warp *warp, const struct ptx_instruction *i,                  \
                              const struct ptx_call *call, unsigned char *area, uint32_t stride,   \
                              uint32_t mask)                                                       \
    {                                                                                              \
        S second[LANES] = {0};                                                                     \
        if (!has_result(call, sizeof(R)) || !(FITS_2(A, uint64_t))) return;                        \
        EACH_LANE (lane, mask) {                                                                   \
            unsigned char *at = area + (size_t)lane * stride;                                      \
            S *rest = &second[lane];                                                               \
            ARGUMENT(0, A, x);                                                                     \
            R result = expression;                                                                 \
            memcpy(at + call->result[0], &result, sizeof result);                                  \
        }                                                                                          \
        store(warp, i, call, 1, area, stride, mask, sizeof(S), second);                            \
    }
SPLIT(frexpf, float, float, int, frexpf(x, rest))
SPLIT(frexp, double, double, int, frexp(x, rest))
SPLIT(modff, float, float, float, modff(x, rest))
SPLIT(modf, double, double, double, modf(x, rest))

/* R f(A, A, int *) */
#define QUOTIENT(name, R, function)                                                                \
    static void native_##name(struct warp *warp, const struct ptx_instruction *i,                  \
                              const struct ptx_call *call, unsigned char *area, uint32_t stride,   \
                              uint32_t mask)                                                       \
    {                                                                                              \
        int second[LANES] = {0};                                                                   \
        if (!has_result(call, sizeof(R)) || !(FITS_3(R, R, uint64_t))) return;                     \
        EACH_LANE (lane, mask) {                                                                   \
            unsigned char *at = area + (size_t)lane * stride;                                      \
            ARGUMENT(0, R, x);                                                                     \
            ARGUMENT(1, R, y);                                                                     \
            R result = function(x, y, &second[lane]);                                              \
            memcpy(at + call->result[0], &result, sizeof result);                                  \
        }                                                                                          \
        store(warp, i, call, 2, area, stride, mask, sizeof(int), second);                          \
    }
QUOTIENT(remquof, float, remquof)
QUOTIENT(remquo, double, remquo)

/* void f(A, A *sine, A *cosine) */
#define TWO_RESULTS(name, R, first, last)                                                          \
    static void native_##name(struct warp *warp, const struct ptx_instruction *i,                  \
                              const struct ptx_call *call, unsigned char *area, uint32_t stride,   \
                              uint32_t mask)                                                       \
    {                                                                                              \
        R sine[LANES] = {0}, cosine[LANES] = {0};                                                  \
        if (!(FITS_3(R, uint64_t, uint64_t))) return;                                              \
        EACH_LANE (lane, mask) {                                                                   \
            unsigned char *at = area + (size_t)lane * stride;                                      \
            ARGUMENT(0, R, x);                                                                     \
            sine[lane] = (R)first(x);                                                              \
            cosine[lane] = (R)last(x);                                                             \
        }                                                                                          \
        store(warp, i, call, 1, area, stride, mask, sizeof(R), sine);                              \
        store(warp, i, call, 2, area, stride, mask, sizeof(R), cosine);                            \
    }
TWO_RESULTS(sincosf, float, sinf, cosf)
TWO_RESULTS(sincos, double, sin, cos)
TWO_RESULTS(sincospif, float, sine_of_pi, cosine_of_pi)
TWO_RESULTS(sincospi, double, sine_of_pi, cosine_of_pi)

/* The root of the sum of squares of an array: R f(int n, const R *). Lanes whose arrays have ended
 * wait. */
#define NORM(name, R, expression)                                                                  \
    static void native_##name(struct warp *warp, const struct ptx_instruction *i,                  \
                              const struct ptx_call *call, unsigned char *area, uint32_t stride,   \
                              uint32_t mask)                                                       \
    {                                                                                              \
        double norm[LANES] = {0};                                                                  \
        uint64_t address[LANES] = {0};                                                             \
        int32_t count[LANES] = {0};                                                                \
        if (!has_result(call, sizeof(R)) || !(FITS_2(int32_t, uint64_t))) return;                  \
        take_pointers(address, call, 1, area, stride, mask);                                       \
        EACH_LANE (lane, mask)                                                                     \
            memcpy(&count[lane], area + (size_t)lane * stride + call->argument[0],                 \
                   sizeof count[lane]);                                                            \
        for (int32_t k = 0;; k++) {                                                                \
            R values[LANES] = {0};                                                                 \
            uint32_t left = 0;                                                                     \
            EACH_LANE (lane, mask)                                                                 \
                if (k < count[lane]) left |= 1u << lane;                                           \
            if (left == 0) break;                                                                  \
            left = access_values(warp, i, false, SPACE_GENERIC, left, address, sizeof(R), values); \
            if (left == 0) break;                                                                  \
            for (unsigned lane = 0; lane < LANES; lane++) {                                        \
                norm[lane] = hypot(norm[lane], (double)values[lane]);                              \
                address[lane] += sizeof(R);                                                        \
            }                                                                                      \
        }                                                                                          \
        EACH_LANE (lane, mask) {                                                                   \
            double x = norm[lane];                                                                 \
            R result = (R)(expression);                                                            \
            memcpy(area + (size_t)lane * stride + call->result[0], &result, sizeof result);        \
        }                                                                                          \
    }
NORM(normf, float, x)
NORM(norm, double, x)
NORM(rnormf, float, 1 / x)
NORM(rnorm, double, 1 / x)

static const struct native_row rows[] = {
#define ROW(name)                                                                                  \
    {                                                                                              \
#        name, native_##name                                                                       \
    }
    ROW(frexpf), ROW(frexp),     ROW(modff),    ROW(modf),  ROW(remquof), ROW(remquo), ROW(sincosf),
    ROW(sincos), ROW(sincospif), ROW(sincospi), ROW(normf), ROW(norm),    ROW(rnormf), ROW(rnorm),
};

native_function *native_pointer(const char *name)
{
    return find_native(rows, sizeof rows / sizeof rows[0], name);
}
