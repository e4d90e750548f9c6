/* Every call that is marked with the sign # is on the wrong side, and no other. */
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define BOTH __host__ __device__

int plain(int x) { return x + 1; }
__host__ int marked(int x) { return plain(x); }
constexpr int square(int x) { return x * x; }
template <class T> T generic(T x) { return x; }

__device__ int forward(int x);
__device__ float overloaded(float x) { return x; }
int overloaded(int x) { return x; }
BOTH int both(int x) { return x; }
extern "C" __device__ int c_linkage(int x) { return x; }
float *__device__ late(float *x) { return x; }
template <int N> __device__ __forceinline__ int times(int x) { return N * x; }

namespace tools
{
static inline __device__ int inside(int x) { return forward(x) + both(x); }
int outside(int x) { return x; }
} // namespace tools

struct implicit {
    float x = 1;
    __device__ float get() const { return x; }
    float out() const { return x; }
};

struct written {
    implicit in;
    written(float x) { in.x = x; }
};

struct defaulted {
    BOTH defaulted(float x) : in{x} {}
    defaulted(const defaulted &) = default;
    BOTH ~defaulted() {}
    BOTH float operator()() const { return in.x; }
    implicit in;
};

struct derived : defaulted {
    using defaulted::defaulted;
    defaulted more = 2.0f;
};

__global__ void allowed(float *x, int n)
{
    implicit a, b = a;
    derived c(1.0f), d(c);
    auto lambda = [=](float y) { return y + overloaded(y) + times<3>(n); };
    float *(*pointer)(float *) = late;
    a = std::move(b);
    x[0] = lambda(sqrtf(x[1])) + std::sqrt(x[2]) + std::abs(x[3]) + fabs(x[4]) + std::fmax(x[5], 1.0f);
    x[1] = min(n, 3) + max(x[1], 2.0f) + c() + d.more() + a.get() + c_linkage(n) + abs(n);
    x[2] = *late(x) + *pointer(x) + tools::inside(n) + __ldg(x) + atomicAdd(x, 1.0f) + pow(x[3], 2);
    if (n < 0) printf("%d\n", n);
    assert(n > 0);
    float *more = new float[2];
    memset(more, 0, 8);
    delete[] more;
}

template <class F> __global__ void apply(F f, float *x)
{
    x[0] = f(x[1]); // # the functor of main's last launch
}

struct host_functor {
    float operator()(float x) const { return x; }
};

struct device_functor {
    __device__ float operator()(float x) const { return x; }
};

__device__ int forward(int x)
{
    return tools::outside(x); // #
}

__global__ void refused(float *x, int n)
{
    implicit a;
    written w(2.0f); // #
    x[0] = plain(n); // #
    x[1] = marked(n); // #
    x[2] = square(n); // #
    x[3] = generic(x[4]); // #
    x[4] = overloaded(n); // #
    x[5] = a.out(); // #
    x[6] = std::max(x[5], 2.0f); // #
    x[7] = rand(); // #
    cudaMemcpy(x, x + 1, 4, cudaMemcpyDefault); // #
}

int main()
{
    std::vector<float> v(8);
    std::sort(v.begin(), v.end());
    allowed<<<1, 1>>>(nullptr, both(1) + plain(2));
    auto launch = [=] { allowed<<<1, 1>>>(nullptr, marked(1) + square(3)); };
    launch();
    apply<<<1, 1>>>(device_functor{}, nullptr);
    apply<<<1, 1>>>(host_functor{}, nullptr);
    allowed(nullptr, 1); // #
    return c_linkage(0); // #
}
