// thrust, cub and curand: kernels of the library's namespaces.
// both: \.entry _ZN6thrust
#include <cub/cub.cuh>
#include <curand.h>
#include <curand_kernel.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/random.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>
struct saxpy {
    float a;
    __host__ __device__ float operator()(float x, float y) const
    {
        return a * x + y;
    }
};
__global__ void blocks(float *p)
{
    curandState s;
    curand_init(1, threadIdx.x, 0, &s);
    p[threadIdx.x] = curand_uniform(&s) + curand_normal(&s);
    typedef cub::BlockReduce<float, 128> reduce;
    __shared__ reduce::TempStorage room;
    float sum = reduce(room).Sum(p[threadIdx.x]);
    if (threadIdx.x == 0) p[0] = sum;
    typedef cub::BlockScan<int, 128> scan;
    __shared__ scan::TempStorage other;
    int value = threadIdx.x, before;
    scan(other).ExclusiveSum(value, before);
    p[before] = 1;
}
int main()
{
    thrust::device_vector<float> x(10, 1.0f), y(10);
    thrust::host_vector<float> h(10);
    y = h;
    thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), saxpy{2});
    float a = 3;
    thrust::for_each(thrust::device, x.begin(), x.end(), [=] __device__(float &v) { v *= a; });
    thrust::sort(x.begin(), x.end());
    float sum = thrust::reduce(x.begin(), x.end(), 0.0f, thrust::plus<float>());
    thrust::inclusive_scan(x.begin(), x.end(), y.begin());
    sum += thrust::transform_reduce(
        x.begin(), x.end(), [=] __host__ __device__(float v) { return v * v; }, 0.0f, thrust::plus<float>());
    auto most = thrust::max_element(x.begin(), x.end());
    using namespace thrust::placeholders;
    thrust::transform(x.begin(), x.end(), x.begin(), _1 * 2.0f + 1.0f);
    thrust::sequence(x.begin(), x.end());
    thrust::sort_by_key(x.begin(), x.end(), y.begin());
    thrust::sort(h.begin(), h.end());
    thrust::default_random_engine engine;
    thrust::uniform_real_distribution<float> uniform;
    sum += uniform(engine);
    size_t bytes = 0;
    cub::DeviceReduce::Sum(nullptr, bytes, thrust::raw_pointer_cast(x.data()), thrust::raw_pointer_cast(y.data()), 10);
    curandGenerator_t generator;
    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
    curandGenerateUniform(generator, thrust::raw_pointer_cast(x.data()), 10);
    thrust::remove_if(x.begin(), x.end(), [] __device__(float v) { return v < 0; });
    blocks<<<1, 128>>>(thrust::raw_pointer_cast(x.data()));
    return (int)(sum + *most);
}
