/*
 * mma.h: products of small matrices by a warp (nvcuda::wmma). A fragment is what one thread holds
 * of a matrix; loads, stores and products are wmma instructions, whose registers hold a fragment's
 * elements in order.
 */
#ifndef __CUDA_MMA_H__
#define __CUDA_MMA_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda
{
namespace wmma
{

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision
{
struct tf32;
}
enum layout_t { mem_row_major, mem_col_major };

/* Rounds to the nearest number of 11 significant bits; of two, to the one of larger magnitude. */
WARPUP_DEVICE float __float_to_tf32(float value)
{
    float result;
    asm("{ .reg .b32 r; cvt.rna.tf32.f32 r, %1; mov.b32 %0, r; }" : "=f"(result) : "f"(value));
    return result;
}

namespace details
{
/* How the elements of a type are stored */
template <class T> struct element {
    typedef T stored;
};
template <> struct element<precision::tf32> {
    typedef float stored;
};
/* The common part of all fragments: `size` elements */
template <class T, int size> struct __align__(8) fragment_base
{
    enum { num_elements = size, num_storage_elements = size };
    typedef T element_type;
    typedef typename element<T>::stored storage_element_type;
    storage_element_type x[size];
};
/* The compiler's number of a layout: columns are 1. */
template <class Layout> struct by_columns;
template <> struct by_columns<row_major> {
    enum { value = 0 };
};
template <> struct by_columns<col_major> {
    enum { value = 1 };
};
} // namespace details

template <class Use, int m, int n, int k, class T, class Layout = void> class fragment;

template <class T, int size, class V>
WARPUP_DEVICE void fill_fragment(details::fragment_base<T, size> &f, const V &value)
{
#pragma unroll
    for (int i = 0; i < size; i++)
        f.x[i] = (typename details::element<T>::stored)value;
}

/* The shapes that GPUs have, how many elements of each matrix a thread holds, and the instructions.
 * R is the type by which the compiler knows a matrix's registers. */
#define WARPUP_FACTOR(use, M, N, K, T, size, R, S, load)                                           \
    template <class Layout>                                                                        \
    class fragment<use, M, N, K, T, Layout> : public details::fragment_base<T, size>               \
    {                                                                                              \
    };                                                                                             \
    template <class Layout>                                                                        \
    WARPUP_DEVICE void load_matrix_sync(fragment<use, M, N, K, T, Layout> &f, const S *at,         \
                                        unsigned int stride)                                       \
    {                                                                                              \
        load((R *)f.x, (const R *)at, stride, details::by_columns<Layout>::value);                 \
    }
#define WARPUP_SUM(M, N, K, T, size, R, load, store)                                               \
    template <> class fragment<accumulator, M, N, K, T> : public details::fragment_base<T, size>   \
    {                                                                                              \
    };                                                                                             \
    WARPUP_DEVICE void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const T *at,         \
                                        unsigned int stride, layout_t layout)                      \
    {                                                                                              \
        if (layout == mem_row_major)                                                               \
            load((R *)f.x, (const R *)at, stride, 0);                                              \
        else                                                                                       \
            load((R *)f.x, (const R *)at, stride, 1);                                              \
    }                                                                                              \
    WARPUP_DEVICE void store_matrix_sync(T *at, const fragment<accumulator, M, N, K, T> &f,        \
                                         unsigned int stride, layout_t layout)                     \
    {                                                                                              \
        if (layout == mem_row_major)                                                               \
            store((R *)at, (R *)f.x, stride, 0);                                                   \
        else                                                                                       \
            store((R *)at, (R *)f.x, stride, 1);                                                   \
    }
/* d = a b + c */
#define WARPUP_PRODUCT(M, N, K, T, A, D, RD, C, RC, multiply, ...)                                 \
    template <class LayoutA, class LayoutB>                                                        \
    WARPUP_DEVICE void mma_sync(fragment<accumulator, M, N, K, D> &d,                              \
                                const fragment<matrix_a, M, N, K, T, LayoutA> &a,                  \
                                const fragment<matrix_b, M, N, K, T, LayoutB> &b,                  \
                                const fragment<accumulator, M, N, K, C> &c __VA_ARGS__)            \
    {                                                                                              \
        enum {                                                                                     \
            layouts =                                                                              \
                2 * details::by_columns<LayoutA>::value + details::by_columns<LayoutB>::value      \
        };                                                                                         \
        WARPUP_MULTIPLY(multiply, (RD *)d.x, (const A *)a.x, (const A *)b.x, (const RC *)c.x)      \
    }

#define WARPUP_LIMITED , bool limited = false
#define WARPUP_MULTIPLY(multiply, d, a, b, c)                                                      \
    if (limited)                                                                                   \
        multiply(d, a, b, c, layouts, 1);                                                          \
    else                                                                                           \
        multiply(d, a, b, c, layouts, 0);
#define WARPUP_SHAPE(M, N, K, size_a, size_b, shape)                                               \
    WARPUP_FACTOR(matrix_a, M, N, K, __half, 16, int, __half, __hmma_##shape##_ld_a)               \
    WARPUP_FACTOR(matrix_b, M, N, K, __half, 16, int, __half, __hmma_##shape##_ld_b)               \
    WARPUP_FACTOR(matrix_a, M, N, K, __nv_bfloat16, size_a, int, __nv_bfloat16,                    \
                  __mma_bf16_##shape##_ld_a)                                                       \
    WARPUP_FACTOR(matrix_b, M, N, K, __nv_bfloat16, size_b, int, __nv_bfloat16,                    \
                  __mma_bf16_##shape##_ld_b)                                                       \
    WARPUP_FACTOR(matrix_a, M, N, K, signed char, size_a, int, signed char,                        \
                  __imma_##shape##_ld_a_s8)                                                        \
    WARPUP_FACTOR(matrix_b, M, N, K, signed char, size_b, int, signed char,                        \
                  __imma_##shape##_ld_b_s8)                                                        \
    WARPUP_FACTOR(matrix_a, M, N, K, unsigned char, size_a, int, unsigned char,                    \
                  __imma_##shape##_ld_a_u8)                                                        \
    WARPUP_FACTOR(matrix_b, M, N, K, unsigned char, size_b, int, unsigned char,                    \
                  __imma_##shape##_ld_b_u8)                                                        \
    WARPUP_SUM(M, N, K, __half, 8, int, __hmma_##shape##_ld_c_f16, __hmma_##shape##_st_c_f16)      \
    WARPUP_SUM(M, N, K, float, 8, float, __hmma_##shape##_ld_c_f32, __hmma_##shape##_st_c_f32)     \
    WARPUP_SUM(M, N, K, int, 8, int, __imma_##shape##_ld_c, __imma_##shape##_st_c_i32)             \
    WARPUP_PRODUCT(M, N, K, __half, int, __half, int, __half, int, __hmma_##shape##_mma_f16f16,    \
                   WARPUP_LIMITED)                                                                 \
    WARPUP_PRODUCT(M, N, K, __half, int, __half, int, float, float, __hmma_##shape##_mma_f16f32,   \
                   WARPUP_LIMITED)                                                                 \
    WARPUP_PRODUCT(M, N, K, __half, int, float, float, __half, int, __hmma_##shape##_mma_f32f16,   \
                   WARPUP_LIMITED)                                                                 \
    WARPUP_PRODUCT(M, N, K, __half, int, float, float, float, float, __hmma_##shape##_mma_f32f32,  \
                   WARPUP_LIMITED)                                                                 \
    WARPUP_PRODUCT(M, N, K, signed char, int, int, int, int, int, __imma_##shape##_mma_s8,         \
                   WARPUP_LIMITED)                                                                 \
    WARPUP_PRODUCT(M, N, K, unsigned char, int, int, int, int, int, __imma_##shape##_mma_u8,       \
                   WARPUP_LIMITED)
WARPUP_SHAPE(16, 16, 16, 8, 8, m16n16k16)
WARPUP_SHAPE(32, 8, 16, 16, 4, m32n8k16)
WARPUP_SHAPE(8, 32, 16, 4, 16, m8n32k16)
#undef WARPUP_SHAPE
#undef WARPUP_MULTIPLY

#define WARPUP_MULTIPLY(multiply, d, a, b, c) multiply(d, a, b, c, layouts, 0);
#define WARPUP_BFLOAT16(M, N, K, shape)                                                            \
    WARPUP_PRODUCT(M, N, K, __nv_bfloat16, int, float, float, float, float,                        \
                   __mma_bf16_##shape##_mma_f32, )
WARPUP_BFLOAT16(16, 16, 16, m16n16k16)
WARPUP_BFLOAT16(32, 8, 16, m32n8k16)
WARPUP_BFLOAT16(8, 32, 16, m8n32k16)
#undef WARPUP_BFLOAT16
WARPUP_FACTOR(matrix_a, 16, 16, 8, precision::tf32, 4, int, float, __mma_tf32_m16n16k8_ld_a)
WARPUP_FACTOR(matrix_b, 16, 16, 8, precision::tf32, 4, int, float, __mma_tf32_m16n16k8_ld_b)
WARPUP_SUM(16, 16, 8, float, 8, float, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32)
WARPUP_PRODUCT(16, 16, 8, precision::tf32, int, float, float, float, float,
               __mma_tf32_m16n16k8_mma_f32, )
WARPUP_FACTOR(matrix_a, 8, 8, 4, double, 1, double, double, __dmma_m8n8k4_ld_a)
WARPUP_FACTOR(matrix_b, 8, 8, 4, double, 1, double, double, __dmma_m8n8k4_ld_b)
WARPUP_SUM(8, 8, 4, double, 2, double, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64)
WARPUP_PRODUCT(8, 8, 4, double, double, double, double, double, double, __dmma_m8n8k4_mma_f64, )
#undef WARPUP_MULTIPLY
#undef WARPUP_LIMITED
#undef WARPUP_PRODUCT
#undef WARPUP_SUM
#undef WARPUP_FACTOR

} // namespace wmma
} // namespace nvcuda

#endif
