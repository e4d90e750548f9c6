// modern.cu: axpy in C++17: namespaces, `using`, unique_ptr with a deleter of its own, structured
// bindings, constexpr, default arguments, managed memory with prefetch, a launch in a template and
// in a generic lambda, helpers as if they came from headers of their own.
#ifndef HELPERS_CUDA_HPP // once the file helpers/cuda.hpp
#define HELPERS_CUDA_HPP
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>
#include <cuda_runtime.h>

namespace helpers::cuda
{
inline void check(cudaError_t status, const char *file = __FILE__, int line = __LINE__)
{
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(1);
}

struct deleter {
    void operator()(void *memory) const noexcept { cudaFree(memory); }
};

template <class T> using managed_array = std::unique_ptr<T[], deleter>;

template <class T> [[nodiscard]] managed_array<T> make_managed(std::size_t count)
{
    T *memory = nullptr;
    check(cudaMallocManaged(&memory, count * sizeof(T)));
    return managed_array<T>{memory};
}

inline void prefetch(const void *memory, std::size_t bytes, int device)
{
#if CUDART_VERSION >= 13000
    check(cudaMemPrefetchAsync(memory, bytes, cudaMemLocation{cudaMemLocationTypeDevice, device}, 0));
#else
    check(cudaMemPrefetchAsync(memory, bytes, device));
#endif
}

template <class Kernel, class... Arguments>
void launch(Kernel kernel, std::pair<unsigned, unsigned> shape, Arguments... arguments)
{
    auto [blocks, threads] = shape;
    kernel<<<blocks, threads>>>(arguments...);
    check(cudaGetLastError());
}
} // namespace helpers::cuda
#endif

#ifndef HELPERS_INPUT_HPP // once the file helpers/input.hpp
#define HELPERS_INPUT_HPP
#include <cstdint>

namespace helpers
{
using u64 = std::uint64_t;

struct generator {
    u64 seed = 1;

    constexpr float operator()(u64 array, u64 i) const noexcept
    {
        u64 h = (4 * seed + array) * 0x9e3779b97f4a7c15u + i;
        h = (h ^ h >> 33) * 0xff51afd7ed558ccdu;
        h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53u;
        return static_cast<float>(h >> 40) / 8388608.0f - 1.0f;
    }
};
} // namespace helpers
#endif

#include <chrono>
#include <cmath>
#include <omp.h>

namespace axpy
{
constexpr unsigned threads = 256, per_thread = 4;

constexpr unsigned blocks_for(std::size_t n)
{
    return static_cast<unsigned>((n + threads * per_thread - 1) / (threads * per_thread));
}

template <unsigned count>
__global__ void __launch_bounds__(threads)
    kernel(std::size_t n, float a, const float *__restrict__ x, float *__restrict__ y)
{
    const auto first = count * (blockIdx.x * std::size_t{threads} + threadIdx.x);
    if (first + count <= n) {
        if constexpr (count == 4) {
            const auto u = __ldg(reinterpret_cast<const float4 *>(x + first));
            auto &v = *reinterpret_cast<float4 *>(y + first);
            v = make_float4(a * u.x + v.x, a * u.y + v.y, a * u.z + v.z, a * u.w + v.w);
        }
    } else {
        for (auto i = first; i < n; ++i) y[i] += a * x[i];
    }
}

void report(std::string_view device, int nthr, std::size_t n, double t)
{
    std::printf(" %s: nthr = %4d   t0 = %.9f sec   P = %7.3f Gflop/s   B = %8.3f GB/s\n",
                device.data(), nthr, t, 2e-9 * n / t, 12e-9 * n / t);
}
} // namespace axpy

int main(int argc, char **argv)
{
    namespace cuda = helpers::cuda;
    using clock = std::chrono::high_resolution_clock;
    const auto n = argc == 2 ? std::strtoull(argv[1], nullptr, 10) : 0;
    if (n == 0) return std::fputs("usage: axpy N\n", stderr), 1;
    const char *seed = std::getenv("WARPUP_SEED");
    const helpers::generator input{seed ? std::strtoull(seed, nullptr, 10) : 1};
    const float a = 1.5f + 0.5f * input(2, 0);

    auto x = cuda::make_managed<float>(n), y = cuda::make_managed<float>(n);
    auto reference = std::make_unique<float[]>(n);
    for (std::size_t i = 0; i < n; ++i) {
        x[i] = input(0, i);
        y[i] = reference[i] = input(1, i);
    }

    auto timed = [](auto &&work) {
        auto start = clock::now();
        work();
        return std::chrono::duration<double>{clock::now() - start}.count();
    };
    axpy::report("CPU", omp_get_max_threads(), n, timed([&] {
#pragma omp parallel for simd
                     for (std::size_t i = 0; i < n; ++i)
                         reference[i] += a * x[i];
                 }));

    int device;
    cuda::check(cudaGetDevice(&device));
    for (auto *memory : {x.get(), y.get()})
        cuda::prefetch(memory, n * sizeof(float), device);
    cuda::check(cudaDeviceSynchronize());
    axpy::report("GPU", axpy::threads, n, timed([&] {
                     cuda::launch(axpy::kernel<axpy::per_thread>,
                                  {axpy::blocks_for(n), axpy::threads}, n, a, x.get(), y.get());
                     cuda::check(cudaDeviceSynchronize());
                 }));

    double apart = 0, length = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const auto [u, v] = std::pair<double, double>{reference[i], y[i]};
        apart += (u - v) * (u - v);
        length += u * u;
    }
    std::printf(" Diff = %e\n", std::sqrt(apart / length));
}
