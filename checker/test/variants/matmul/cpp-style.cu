// cpp-style.cu: matmul as a C++ programmer writes it: a class of matrices on either side, chrono,
// exceptions, a kernel that takes views with operator(), 1-D blocks for a 2-D problem.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <type_traits>
#include <vector>
#include <omp.h>

#define CHECK(call) linalg::check((call), #call, __LINE__)

namespace linalg
{
inline void check(cudaError_t status, const char *call, int line)
{
    if (status == cudaSuccess) return;
    std::ostringstream text;
    text << call << " in line " << line << ": " << cudaGetErrorString(status);
    throw std::runtime_error{text.str()};
}

template <class T> struct view {
    T *data;
    int n;

    __host__ __device__ T &operator()(int row, int column) const
    {
        return data[static_cast<std::size_t>(row) * n + column];
    }
    __host__ __device__ bool holds(int row, int column) const
    {
        return row < n && column < n;
    }
    __host__ __device__ std::remove_const_t<T> at_or_zero(int row, int column) const
    {
        return holds(row, column) ? (*this)(row, column) : T{};
    }
};

template <class T> class device_matrix
{
  public:
    explicit device_matrix(int n) : n_{n}
    {
        T *memory;
        CHECK(cudaMalloc(&memory, bytes()));
        memory_.reset(memory);
    }
    device_matrix(int n, const std::vector<T> &from) : device_matrix{n}
    {
        CHECK(cudaMemcpy(memory_.get(), from.data(), bytes(), cudaMemcpyHostToDevice));
    }
    void copy_to(std::vector<T> &to) const
    {
        CHECK(cudaMemcpy(to.data(), memory_.get(), bytes(), cudaMemcpyDeviceToHost));
    }
    operator view<T>()
    {
        return {memory_.get(), n_};
    }
    operator view<const T>() const
    {
        return {memory_.get(), n_};
    }

  private:
    struct release {
        void operator()(T *memory) const
        {
            cudaFree(memory);
        }
    };
    std::size_t bytes() const
    {
        return sizeof(T) * n_ * n_;
    }

    int n_;
    std::unique_ptr<T, release> memory_;
};

template <class T, int side> struct tile {
    T element[side][side];

    __device__ void fetch(view<const T> from, int row, int column, int y, int x)
    {
        element[y][x] = from.at_or_zero(row + y, column + x);
    }
};

template <class T, int side>
__global__ void __launch_bounds__(side *side) product(view<const T> M, view<const T> N, view<T> P)
{
    __shared__ tile<T, side> of_M, of_N;
    const int y = threadIdx.x / side, x = threadIdx.x % side;
    const int tiles = (P.n + side - 1) / side;
    const int row = blockIdx.x / tiles * side, column = blockIdx.x % tiles * side;
    T sum{};
    for (int k0 = 0; k0 < P.n; k0 += side) {
        of_M.fetch(M, row, k0, y, x);
        of_N.fetch(N, k0, column, y, x);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < side; ++k)
            sum += of_M.element[y][k] * of_N.element[k][x];
        __syncthreads();
    }
    if (P.holds(row + y, column + x)) P(row + y, column + x) = sum;
}

template <int side = 32, class T>
void multiply(const device_matrix<T> &M, const device_matrix<T> &N, device_matrix<T> &P)
{
    const view<T> result = P;
    const int tiles = (result.n + side - 1) / side;
    product<T, side><<<tiles * tiles, side * side>>>(M, N, result);
    CHECK(cudaGetLastError());
}
} // namespace linalg

namespace
{
using real = float;
using seconds = std::chrono::duration<double>;

real input(std::uint64_t seed, std::uint64_t array, std::uint64_t i)
{
    auto h = (4 * seed + array) * 0x9e3779b97f4a7c15u + i;
    h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdu;
    h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53u;
    return static_cast<real>(h >> 40) / (1 << 23) - 1;
}

std::vector<real> matrix(int n, std::uint64_t seed, std::uint64_t array)
{
    std::vector<real> all(std::size_t(n) * n);
#pragma omp parallel for
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = input(seed, array, i);
    return all;
}

template <class Work> double time_of(Work &&work)
{
    const auto start = std::chrono::steady_clock::now();
    std::forward<Work>(work)();
    return seconds{std::chrono::steady_clock::now() - start}.count();
}

void report(const char *device, int nthr, int n, double t)
{
    std::cout << std::fixed << ' ' << device << ": nthr = " << std::setw(4) << nthr
              << "   t0 = " << std::setprecision(4) << t << " sec   P = " << std::setprecision(3)
              << std::setw(7) << 2e-9 * n * n * n / t << " Gflop/s   B = " << std::setw(8)
              << 12e-9 * n * n / t << " GB/s\n";
}

void run(int n, std::uint64_t seed)
{
    const auto M = matrix(n, seed, 0), N = matrix(n, seed, 1);
    std::vector<real> P0(M.size()), P1(M.size());
    report("CPU", omp_get_max_threads(), n, time_of([&] {
#pragma omp parallel for
               for (int i = 0; i < n; ++i)
                   for (int k = 0; k < n; ++k)
                       for (int j = 0; j < n; ++j)
                           P0[std::size_t(i) * n + j] +=
                               M[std::size_t(i) * n + k] * N[std::size_t(k) * n + j];
           }));

    const linalg::device_matrix<real> on_gpu_M{n, M}, on_gpu_N{n, N};
    linalg::device_matrix<real> on_gpu_P{n};
    report("GPU", 1024, n, time_of([&] {
               linalg::multiply(on_gpu_M, on_gpu_N, on_gpu_P);
               CHECK(cudaDeviceSynchronize());
           }));
    on_gpu_P.copy_to(P1);

    double apart = 0, length = 0;
    for (std::size_t i = 0; i < P0.size(); ++i) {
        apart += std::pow(double{P1[i]} - P0[i], 2);
        length += std::pow(double{P0[i]}, 2);
    }
    std::cout << std::scientific << " Diff = " << std::sqrt(apart / length) << std::endl;
}
} // namespace

int main(int argc, char *argv[])
try {
    const int n = argc == 2 ? std::stoi(argv[1]) : 0;
    if (n < 1) throw std::invalid_argument{"usage: matmul N"};
    const auto seed = std::getenv("WARPUP_SEED");
    run(n, seed == nullptr ? 1 : std::stoull(seed));
} catch (const std::exception &problem) {
    std::cerr << "matmul: " << problem.what() << '\n';
    return EXIT_FAILURE;
}
