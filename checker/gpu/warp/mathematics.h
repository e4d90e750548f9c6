/*
 * mathematics.h: what the files with mathematical functions share. A function that is not PTX gets
 * its arguments from the bytes of the call, lane by lane, and puts its result there. The lists in
 * these files say for each: its name, the types of result and arguments, and an expression in x, y,
 * z and w.
 */
#ifndef WARPUP_MATHEMATICS_H
#define WARPUP_MATHEMATICS_H

#include "gpu/warp/arithmetic.h"

struct native_row {
    const char *name;
    native_function *run;
};

/* The row of this name in a table, or NULL. */
native_function *find_native(const struct native_row *rows, size_t count, const char *name);

native_function *native_number(const char *name);  /* mathematics_numbers.c */
native_function *native_pointer(const char *name); /* mathematics_pointers.c */

/* Functions that the C library does not have (mathematics_functions.c). */
double sine_of_pi(double x); /* sin(pi x), exact where it is 0 */
double cosine_of_pi(double x);
double inverse_erf(double y);
double inverse_erfc(double y);
double scaled_erfc(double x); /* exp(x x) erfc(x) */
double bessel_i0(double x);
double bessel_i1(double x);

/* Has the call this argument, of this size, and a result? A call of a function that the program
 * declared in another way gets no result. */
static inline bool has_argument(const struct ptx_call *call, unsigned k, size_t bytes)
{
    return k < call->argument_count && call->argument_bytes[k] == bytes;
}

static inline bool has_result(const struct ptx_call *call, size_t bytes)
{
    return call->result_count == 1 && call->result_bytes[0] == bytes;
}

#define ARGUMENT(k, type, x)                                                                       \
    type x;                                                                                        \
    memcpy(&x, at + call->argument[k], sizeof x)

/* before and after: what is done around all lanes: roundings are changed there. */
#define NATIVE(name, R, fits, arguments, before, after, expression)                                \
    static void native_##name(struct warp *warp, const struct ptx_instruction *i,                  \
                              const struct ptx_call *call, unsigned char *area, uint32_t stride,   \
                              uint32_t mask)                                                       \
    {                                                                                              \
        (void)warp, (void)i;                                                                       \
        if (!has_result(call, sizeof(R)) || !(fits)) return;                                       \
        before;                                                                                    \
        EACH_LANE (lane, mask) {                                                                   \
            unsigned char *at = area + (size_t)lane * stride;                                      \
            arguments;                                                                             \
            R result = (R)(expression);                                                            \
            memcpy(at + call->result[0], &result, sizeof result);                                  \
        }                                                                                          \
        after;                                                                                     \
    }

#define FITS_1(A)       has_argument(call, 0, sizeof(A))
#define FITS_2(A, B)    FITS_1(A) && has_argument(call, 1, sizeof(B))
#define FITS_3(A, B, C) FITS_2(A, B) && has_argument(call, 2, sizeof(C))
#define NATIVE_1(name, R, A, expression)                                                           \
    NATIVE(name, R, FITS_1(A), ARGUMENT(0, A, x), (void)0, (void)0, expression)
#define NATIVE_2(name, R, A, B, expression)                                                        \
    NATIVE(name, R, (FITS_2(A, B)), ARGUMENT(0, A, x);                                             \
           ARGUMENT(1, B, y), (void)0, (void)0, expression)
#define NATIVE_3(name, R, A, B, C, expression)                                                     \
    NATIVE(name, R, (FITS_3(A, B, C)), ARGUMENT(0, A, x); ARGUMENT(1, B, y);                       \
           ARGUMENT(2, C, z), (void)0, (void)0, expression)

#endif
