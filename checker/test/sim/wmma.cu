/*
 * wmma.cu: products by a warp (mma.h): every shape and type, rows and columns, in global and in
 * shared memory. All numbers are small integers, so that every order of the additions gives the
 * same sum.
 */
#include "expect.h"

#include <mma.h>
#include <vector>

using namespace nvcuda;

/* The type that stores an element of a matrix */
template <class T> struct stored {
    typedef T type;
};
template <> struct stored<wmma::precision::tf32> {
    typedef float type;
};

/* Do rows follow each other in memory? */
template <class Layout> struct by_rows {
    static const bool value = true;
};
template <> struct by_rows<wmma::col_major> {
    static const bool value = false;
};

template <int m, int n, int k, class T, class C, class LA, class LB>
__global__ void multiply(const typename stored<T>::type *a, const typename stored<T>::type *b, C *c,
                         C *d, int lda, int ldb, int ldc, wmma::layout_t layout)
{
    __shared__ __align__(32) C copy[m * n];
    wmma::fragment<wmma::matrix_a, m, n, k, T, LA> fa;
    wmma::fragment<wmma::matrix_b, m, n, k, T, LB> fb;
    wmma::fragment<wmma::accumulator, m, n, k, C> fc, sum;
    wmma::load_matrix_sync(fa, a, lda);
    wmma::load_matrix_sync(fb, b, ldb);
    wmma::load_matrix_sync(fc, c, ldc, layout);
    wmma::mma_sync(sum, fa, fb, fc);
    wmma::fill_fragment(fc, (C)1);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(copy, fc, n, wmma::mem_row_major);
    __syncwarp();
    for (int i = 0; i < sum.num_elements; i++)
        sum.x[i] = sum.x[i] + sum.x[i];
    wmma::store_matrix_sync(d, sum, ldc, layout);
    __syncwarp();
    for (int i = threadIdx.x; i < m * n; i += 32) {
        int row = i / n, column = i % n;
        C *at = layout == wmma::mem_row_major ? &d[row * ldc + column] : &d[column * ldc + row];
        *at = *at + copy[i];
    }
}

template <class T> static T *on_gpu(const std::vector<T> &list)
{
    T *memory;
    EXPECT_OK(cudaMalloc(&memory, list.size() * sizeof(T)));
    EXPECT_OK(cudaMemcpy(memory, list.data(), list.size() * sizeof(T), cudaMemcpyHostToDevice));
    return memory;
}

static int number_a(int i, int j)
{
    return (i * 7 + j * 3) % 5;
}
static int number_b(int i, int j)
{
    return (i * 2 + j * 5) % 4;
}
static int number_c(int i, int j)
{
    return (i + j) % 3;
}

template <class T>
static std::vector<T> matrix(int rows, int columns, bool in_rows, int stride, int number(int, int))
{
    std::vector<T> list((in_rows ? rows : columns) * stride);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            list[in_rows ? i * stride + j : j * stride + i] = (T)(float)number(i, j);
    return list;
}

template <int m, int n, int k, class T, class C, class LA, class LB> static void check(bool in_rows)
{
    typedef typename stored<T>::type S;
    const bool rows_a = by_rows<LA>::value, rows_b = by_rows<LB>::value;
    const int lda = (rows_a ? k : m) + 16, ldb = (rows_b ? n : k) + 32,
              ldc = (in_rows ? n : m) + 16;
    S *a = on_gpu(matrix<S>(m, k, rows_a, lda, number_a));
    S *b = on_gpu(matrix<S>(k, n, rows_b, ldb, number_b));
    std::vector<C> result = matrix<C>(m, n, in_rows, ldc, number_c);
    C *c = on_gpu(result), *d = on_gpu(result);
    multiply<m, n, k, T, C, LA, LB>
        <<<1, 32>>>(a, b, c, d, lda, ldb, ldc, in_rows ? wmma::mem_row_major : wmma::mem_col_major);
    EXPECT_OK(cudaMemcpy(result.data(), d, result.size() * sizeof(C), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            int sum = 0;
            for (int l = 0; l < k; l++)
                sum += number_a(i, l) * number_b(l, j);
            float got = (float)result[in_rows ? i * ldc + j : j * ldc + i];
            wrong += got != (float)(3 * sum + 2 * number_c(i, j) + 1);
        }
    EXPECT(wrong == 0);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    cudaFree(d);
}

template <int m, int n, int k, class T, class C> static void check_layouts()
{
    check<m, n, k, T, C, wmma::row_major, wmma::col_major>(false);
    check<m, n, k, T, C, wmma::col_major, wmma::row_major>(true);
}

template <int m, int n, int k> static void check_types()
{
    check_layouts<m, n, k, half, float>();
    check<m, n, k, half, half, wmma::row_major, wmma::row_major>(true);
    check<m, n, k, __nv_bfloat16, float, wmma::row_major, wmma::row_major>(true);
    check<m, n, k, signed char, int, wmma::row_major, wmma::col_major>(true);
}

/* TF32 has 11 significant bits, and its sums those of a float. */
__global__ void round_numbers(float *out)
{
    out[0] = wmma::__float_to_tf32(1 + 0x1p-10f);
    out[1] = wmma::__float_to_tf32(1 + 0x1p-11f);
    out[2] = wmma::__float_to_tf32(-1 - 0x1p-12f);
}

static void check_rounding()
{
    float *out, got[3];
    EXPECT_OK(cudaMalloc(&out, sizeof got));
    round_numbers<<<1, 1>>>(out);
    EXPECT_OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got[0] == 1 + 0x1p-10f && got[1] == 1 + 0x1p-10f && got[2] == -1);
    cudaFree(out);
}

int main()
{
    check_types<16, 16, 16>();
    check_types<32, 8, 16>();
    check_types<8, 32, 16>();
    check_layouts<16, 16, 8, wmma::precision::tf32, float>();
    check<8, 8, 4, double, double, wmma::row_major, wmma::col_major>(true);
    check<16, 16, 16, unsigned char, int, wmma::row_major, wmma::row_major>(true);
    check_rounding();
    return expect_result();
}
