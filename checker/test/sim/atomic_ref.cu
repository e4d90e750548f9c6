/* atomic_ref.cu: cuda::atomic_ref, and the complex numbers of thrust and of libcu++, in a kernel.
 * Prints "as expected". */
#include <cuda/atomic>
#include <cuda/std/complex>
#include <cuda/std/cstddef>
#include <stdio.h>
#include <thrust/complex.h>

typedef thrust::complex<float> number;

struct results {
    float sum;
    unsigned int most;
    int count;
    double steps;
    int wrong;
};

__global__ void k(results *r, const number *z, number *to)
{
    cuda::std::size_t i = threadIdx.x;
    cuda::atomic_ref<float, cuda::thread_scope_device> sum(r->sum);
    sum.fetch_add(0.5f, cuda::memory_order_relaxed);
    cuda::atomic_ref<unsigned int>(r->most).fetch_max(threadIdx.x);
    cuda::atomic_ref<int, cuda::thread_scope_block> count(r->count);
    count++;
    --count;
    count += 2;
    cuda::atomic_ref<double> steps(r->steps);
    double seen = steps.load();
    while (!steps.compare_exchange_weak(seen, seen + 1))
        continue;
    to[i] = z[i] * number(0, 1) + thrust::conj(z[i]);
    cuda::std::complex<double> two = cuda::std::polar(2.0, 0.0);
    if (two.real() != 2 || cuda::std::norm(two) != 4) cuda::atomic_ref<int>(r->wrong).store(1);
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
}

int main()
{
    results *r;
    number *z, *to;
    cudaMallocManaged(&r, sizeof *r);
    cudaMallocManaged(&z, 64 * sizeof *z);
    cudaMallocManaged(&to, 64 * sizeof *to);
    *r = {};
    for (int i = 0; i < 64; i++)
        z[i] = number(i, 2);
    k<<<1, 64>>>(r, z, to);
    cudaDeviceSynchronize();
    bool right =
        r->sum == 32 && r->most == 63 && r->count == 128 && r->steps == 64 && r->wrong == 0;
    for (int i = 0; i < 64; i++)
        right = right && to[i] == number(i - 2, i - 2);
    printf(right ? "as expected\n" : "wrong\n");
    cudaFree(r);
    cudaFree(z);
    cudaFree(to);
    return 0;
}
