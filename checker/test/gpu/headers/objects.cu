// Barriers, pipelines, atomics and other parts of libcu++.
// both: mbarrier\.init\.shared\.b64
// both: mbarrier\.arrive\.shared\.b64
// both: mbarrier\.test_wait\.shared\.b64
// both: cp\.async\.mbarrier\.arrive\.shared\.b64
// both: cp\.async\.commit_group
// both: cp\.async\.ca\.shared\.global .*, 4
// both: atom\.relaxed\.gpu\.add\.u32
// both: fence\.sc\.gpu
// both: ld\.relaxed\.gpu\.u32
// both: st\.relaxed\.gpu\.u32
// O3: ld\.global\.v2\.f64
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/span>
#include <cuda_pipeline.h>
#include <thrust/complex.h>
namespace cg = cooperative_groups;
__global__ void waits(float *f)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ float s[128];
    if (threadIdx.x == 0) init(&barrier, blockDim.x);
    __syncthreads();
    cuda::memcpy_async(s + 4 * threadIdx.x, f + 4 * threadIdx.x, cuda::aligned_size_t<16>(16), barrier);
    auto token = barrier.arrive();
    barrier.wait(std::move(token));
    f[0] = s[1];
    barrier.arrive_and_wait();
    auto mine = cuda::make_pipeline();
    mine.producer_acquire();
    cuda::memcpy_async(s, f, sizeof(float), mine);
    mine.producer_commit();
    mine.consumer_wait();
    mine.consumer_release();
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto ours = cuda::make_pipeline(block, &state);
    ours.producer_acquire();
    cuda::memcpy_async(block, s, f, 512, ours);
    ours.producer_commit();
    ours.consumer_wait();
    f[9] = s[3];
    ours.consumer_release();
    __pipeline_memcpy_async(s + threadIdx.x, f + threadIdx.x, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
}
__device__ cuda::atomic<int, cuda::thread_scope_device> counter;
__global__ void values(int *p, float *f, cuda::std::complex<double> *z, thrust::complex<float> *w,
                       cuda::std::span<float> span)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> ref(p[0]);
    ref.fetch_add(1, cuda::memory_order_relaxed);
    ref.store(3);
    p[1] = ref.load(cuda::memory_order_acquire);
    cuda::atomic_ref<float> number(f[0]);
    number += 2.0f;
    number.fetch_max(3.0f);
    counter.fetch_add(1);
    counter = 3;
    int expected = 3;
    counter.compare_exchange_strong(expected, 4);
    __shared__ cuda::atomic<int, cuda::thread_scope_block> shared;
    shared.fetch_sub(1, cuda::std::memory_order_relaxed);
    z[1] = z[0] * z[2];
    z[3] = z[4];
    w[1] = w[0] + thrust::exp(w[1]);
    cuda::std::array<int, 3> array;
    array.fill(p[9]);
    p[9] = array[p[8]];
    f[3] = span[2] + span.size() + cuda::std::numeric_limits<float>::max();
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
}
int main()
{
    cuda::std::complex<float> z(1, 2);
    cuda::atomic<int> a(2);
    a.fetch_add(2);
    return a.load() + (int)(z * z).real();
}
