// Products by a warp.
// both: wmma\.load\.a\.sync\.aligned\.row\.m16n16k16\.f16
// both: wmma\.mma\.sync\.aligned\.row\.col\.m16n16k16\.f32\.f32
// both: wmma\.mma\.sync\.aligned\.row\.col\.m32n8k16\.f32\.bf16\.bf16\.f32
// both: wmma\.mma\.sync\.aligned\.row\.col\.m16n16k8\.f32\.tf32\.tf32\.f32
// both: wmma\.mma\.sync\.aligned\.row\.col\.m8n8k4\.f64\.f64\.f64\.f64
// both: wmma\.mma\.sync\.aligned\.row\.col\.m8n32k16\.s32\.u8\.u8\.s32
// both: wmma\.store\.d\.sync\.aligned\.row\.m16n16k16\.f16
#include <mma.h>
using namespace nvcuda;
template <class T, int M, int N, int K, class S, class C> __global__ void product(const T *a, const T *b, C *c)
{
    wmma::fragment<wmma::matrix_a, M, N, K, S, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, M, N, K, S, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, M, N, K, C> sum;
    wmma::fill_fragment(sum, (C)0.0f);
    wmma::load_matrix_sync(left, a, 16);
    wmma::load_matrix_sync(right, b, 16);
    for (int i = 0; i < left.num_elements; i++)
        left.x[i] = left.x[i] + left.x[0];
    wmma::mma_sync(sum, left, right, sum);
    wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}
int main()
{
    product<half, 16, 16, 16, half, float><<<1, 32>>>(0, 0, 0);
    product<half, 16, 16, 16, half, half><<<1, 32>>>(0, 0, 0);
    product<__nv_bfloat16, 32, 8, 16, __nv_bfloat16, float><<<1, 32>>>(0, 0, 0);
    product<float, 16, 16, 8, wmma::precision::tf32, float><<<1, 32>>>(0, 0, 0);
    product<double, 8, 8, 4, double, double><<<1, 32>>>(0, 0, 0);
    product<unsigned char, 8, 32, 16, unsigned char, int><<<1, 32>>>(0, 0, 0);
}
