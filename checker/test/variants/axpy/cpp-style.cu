// cpp-style.cu: axpy as a C++ programmer writes it: vectors, a class that owns device memory,
// chrono for the time, lambdas, exceptions. Vector loads as in stage 6.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>
#include <omp.h>
#include <cuda_runtime.h>

namespace
{
void check(cudaError_t error)
{
    if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

template <class T> class DeviceArray
{
  public:
    explicit DeviceArray(const std::vector<T> &host) : size_{host.size()}
    {
        check(cudaMalloc(&data_, size_ * sizeof(T)));
        check(cudaMemcpy(data_, host.data(), size_ * sizeof(T), cudaMemcpyDefault));
    }
    DeviceArray(const DeviceArray &) = delete;
    DeviceArray &operator=(const DeviceArray &) = delete;
    ~DeviceArray()
    {
        cudaFree(data_);
    }
    T *data() const
    {
        return data_;
    }
    void copy_to(std::vector<T> &host) const
    {
        check(cudaMemcpy(host.data(), data_, size_ * sizeof(T), cudaMemcpyDefault));
    }

  private:
    T *data_ = nullptr;
    std::size_t size_;
};

__device__ float4 operator*(float a, float4 v)
{
    return make_float4(a * v.x, a * v.y, a * v.z, a * v.w);
}

__device__ float4 operator+(float4 u, float4 v)
{
    return {u.x + v.x, u.y + v.y, u.z + v.z, u.w + v.w};
}

__global__ void axpy_kernel(std::size_t n, float a, const float *x, float *y)
{
    const auto i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
    if (4 * i + 4 <= n) {
        auto &four = reinterpret_cast<float4 *>(y)[i];
        four = a * reinterpret_cast<const float4 *>(x)[i] + four;
    } else {
        for (auto j = 4 * i; j < n; ++j)
            y[j] += a * x[j];
    }
}

float input(std::uint64_t seed, std::uint64_t array, std::uint64_t i)
{
    auto h = (4 * seed + array) * 0x9e3779b97f4a7c15u + i;
    h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdu;
    h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53u;
    return static_cast<float>(h >> 40) / (1 << 23) - 1;
}

template <class Work> double seconds(Work work)
{
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void report(const std::string &device, int threads, std::size_t n, double t)
{
    std::cout << std::fixed << ' ' << device << ": nthr = " << std::setw(4) << threads
              << "   t0 = " << std::setprecision(4) << t << " sec   P = " << std::setw(7)
              << std::setprecision(3) << 2e-9 * n / t << " Gflop/s   B = " << std::setw(8)
              << 12e-9 * n / t << " GB/s\n";
}

void run(std::size_t n, std::uint64_t seed)
{
    const float a = 1.5f + 0.5f * input(seed, 2, 0);
    std::vector<float> x(n), y0(n);
    for (std::size_t i = 0; i < n; ++i) {
        x[i] = input(seed, 0, i);
        y0[i] = input(seed, 1, i);
    }
    auto y1 = y0;

    report("CPU", omp_get_max_threads(), n, seconds([&] {
#pragma omp parallel for
               for (std::size_t i = 0; i < n; ++i)
                   y0[i] += a * x[i];
           }));

    const DeviceArray<float> d_x{x}, d_y{y1};
    constexpr int threads = 256;
    const auto blocks = static_cast<unsigned>((n + 4 * threads - 1) / (4 * threads));
    report("GPU", threads, n, seconds([&] {
               axpy_kernel<<<blocks, threads>>>(n, a, d_x.data(), d_y.data());
               check(cudaGetLastError());
               check(cudaDeviceSynchronize());
           }));
    d_y.copy_to(y1);

    double apart = 0, length = 0;
    for (std::size_t i = 0; i < n; ++i) {
        apart += std::pow(double{y1[i]} - y0[i], 2);
        length += std::pow(double{y0[i]}, 2);
    }
    std::cout << std::scientific << std::setprecision(6) << " Diff = " << std::sqrt(apart / length)
              << '\n';
}
} // namespace

int main(int argc, char *argv[])
{
    try {
        const auto seed = std::getenv("WARPUP_SEED");
        run(std::stoull(argc > 1 ? argv[1] : ""), seed ? std::stoull(seed) : 1);
    } catch (const std::exception &error) {
        std::cerr << "axpy: " << error.what() << '\n';
        return 1;
    }
}
