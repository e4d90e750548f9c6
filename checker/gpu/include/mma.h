/*
 * mma.h: products of small matrices by a warp (nvcuda::wmma). A fragment is what one thread holds
 * of a matrix; fragment.c says which elements these are. Loads, stores and products are done there.
 */
#ifndef __CUDA_MMA_H__
#define __CUDA_MMA_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "warpup/fragment.h"

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
WARPUP_INLINE float __float_to_tf32(float value)
{
    return warpup_tf32(value);
}

} // namespace wmma
} // namespace nvcuda

namespace warpup
{

/* How the elements of a type are stored, and what fragment.c calls the type */
template <class T> struct element {
    typedef T stored;
};
template <> struct element<nvcuda::wmma::precision::tf32> {
    typedef float stored;
};
#define WARPUP_ELEMENT(T, name)                                                                    \
    inline __attribute__((always_inline)) constexpr warpup_element element_of(T *)                 \
    {                                                                                              \
        return name;                                                                               \
    }
WARPUP_ELEMENT(__half, WARPUP_HALF)
WARPUP_ELEMENT(__nv_bfloat16, WARPUP_BFLOAT16)
WARPUP_ELEMENT(nvcuda::wmma::precision::tf32, WARPUP_TF32)
WARPUP_ELEMENT(float, WARPUP_FLOAT)
WARPUP_ELEMENT(double, WARPUP_DOUBLE)
WARPUP_ELEMENT(signed char, WARPUP_S8)
WARPUP_ELEMENT(unsigned char, WARPUP_U8)
WARPUP_ELEMENT(int, WARPUP_S32)
#undef WARPUP_ELEMENT

/* What all fragments are: `size` elements */
template <class T, int size> struct __align__(8) fragment_base
{
    enum { num_elements = size, num_storage_elements = size };
    typedef T element_type;
    typedef typename element<T>::stored storage_element_type;
    storage_element_type x[size];
};

template <int m, int n, int k, class T>
inline __attribute__((always_inline)) warpup_fragment shape_of(warpup_matrix matrix, bool by_rows,
                                                               int size)
{
    return {(unsigned char)matrix,
            (unsigned char)element_of((T *)nullptr),
            by_rows,
            (unsigned char)size,
            m,
            (unsigned char)n,
            (unsigned char)k};
}

} // namespace warpup

namespace nvcuda
{
namespace wmma
{

template <class Use, int m, int n, int k, class T, class Layout = void> class fragment;

/* The shapes that GPUs have, and how many elements of each matrix a thread holds */
#define WARPUP_FACTOR(use, M, N, K, T, size)                                                       \
    template <>                                                                                    \
    class fragment<use, M, N, K, T, row_major> : public ::warpup::fragment_base<T, size>           \
    {                                                                                              \
    };                                                                                             \
    template <>                                                                                    \
    class fragment<use, M, N, K, T, col_major> : public ::warpup::fragment_base<T, size>           \
    {                                                                                              \
    };
#define WARPUP_FACTORS(M, N, K, T, size_a, size_b)                                                 \
    WARPUP_FACTOR(matrix_a, M, N, K, T, size_a)                                                    \
    WARPUP_FACTOR(matrix_b, M, N, K, T, size_b)
#define WARPUP_SUMS(M, N, K, T, size)                                                              \
    template <> class fragment<accumulator, M, N, K, T> : public ::warpup::fragment_base<T, size>  \
    {                                                                                              \
    };
#define WARPUP_SHAPES(M, N, K, size_a, size_b)                                                     \
    WARPUP_FACTORS(M, N, K, __half, 16, 16)                                                        \
    WARPUP_FACTORS(M, N, K, __nv_bfloat16, size_a, size_b)                                         \
    WARPUP_FACTORS(M, N, K, signed char, size_a, size_b)                                           \
    WARPUP_FACTORS(M, N, K, unsigned char, size_a, size_b)                                         \
    WARPUP_SUMS(M, N, K, __half, 8)                                                                \
    WARPUP_SUMS(M, N, K, float, 8)                                                                 \
    WARPUP_SUMS(M, N, K, int, 8)
WARPUP_SHAPES(16, 16, 16, 8, 8)
WARPUP_SHAPES(32, 8, 16, 16, 4)
WARPUP_SHAPES(8, 32, 16, 4, 16)
WARPUP_FACTORS(16, 16, 8, precision::tf32, 4, 4)
WARPUP_SUMS(16, 16, 8, float, 8)
WARPUP_FACTORS(8, 8, 4, double, 1, 1)
WARPUP_SUMS(8, 8, 4, double, 2)
#undef WARPUP_SHAPES
#undef WARPUP_SUMS
#undef WARPUP_FACTORS
#undef WARPUP_FACTOR

template <class T, int size, class V>
WARPUP_INLINE void fill_fragment(::warpup::fragment_base<T, size> &f, const V &value)
{
    for (int i = 0; i < size; i++)
        f.x[i] = (typename ::warpup::element<T>::stored)value;
}

#define WARPUP_LOAD(use, matrix)                                                                   \
    template <int m, int n, int k, class T, class S>                                               \
    WARPUP_INLINE void load_matrix_sync(fragment<use, m, n, k, T, row_major> &f, const S *at,      \
                                        unsigned int stride)                                       \
    {                                                                                              \
        static_assert(sizeof(S) == sizeof f.x[0], "the memory has another type");                  \
        auto shape = ::warpup::shape_of<m, n, k, T>(matrix, true, f.num_elements);                 \
        warpup_fragment_load(shape, f.x, at, stride);                                              \
    }                                                                                              \
    template <int m, int n, int k, class T, class S>                                               \
    WARPUP_INLINE void load_matrix_sync(fragment<use, m, n, k, T, col_major> &f, const S *at,      \
                                        unsigned int stride)                                       \
    {                                                                                              \
        static_assert(sizeof(S) == sizeof f.x[0], "the memory has another type");                  \
        auto shape = ::warpup::shape_of<m, n, k, T>(matrix, false, f.num_elements);                \
        warpup_fragment_load(shape, f.x, at, stride);                                              \
    }
WARPUP_LOAD(matrix_a, WARPUP_MATRIX_A)
WARPUP_LOAD(matrix_b, WARPUP_MATRIX_B)
#undef WARPUP_LOAD

template <int m, int n, int k, class T>
WARPUP_INLINE void load_matrix_sync(fragment<accumulator, m, n, k, T> &f, const T *at,
                                    unsigned int stride, layout_t layout)
{
    auto shape =
        ::warpup::shape_of<m, n, k, T>(WARPUP_SUM, layout == mem_row_major, f.num_elements);
    warpup_fragment_load(shape, f.x, at, stride);
}

template <int m, int n, int k, class T>
WARPUP_INLINE void store_matrix_sync(T *at, const fragment<accumulator, m, n, k, T> &f,
                                     unsigned int stride, layout_t layout)
{
    auto shape =
        ::warpup::shape_of<m, n, k, T>(WARPUP_SUM, layout == mem_row_major, f.num_elements);
    warpup_fragment_store(shape, f.x, at, stride);
}

/* d = a b + c */
template <int m, int n, int k, class D, class T, class A, class B, class C>
WARPUP_INLINE void mma_sync(fragment<accumulator, m, n, k, D> &d,
                            const fragment<matrix_a, m, n, k, T, A> &a,
                            const fragment<matrix_b, m, n, k, T, B> &b,
                            const fragment<accumulator, m, n, k, C> &c, bool saturate = false)
{
    warpup_fragments all = {{::warpup::shape_of<m, n, k, T>(WARPUP_MATRIX_A, true, a.num_elements),
                             ::warpup::shape_of<m, n, k, T>(WARPUP_MATRIX_B, true, b.num_elements),
                             ::warpup::shape_of<m, n, k, C>(WARPUP_SUM, true, c.num_elements),
                             ::warpup::shape_of<m, n, k, D>(WARPUP_SUM, true, d.num_elements)},
                            {a.x, b.x, c.x},
                            d.x,
                            saturate,
                            0};
    warpup_fragment_multiply(&all);
}

} // namespace wmma
} // namespace nvcuda

#endif
