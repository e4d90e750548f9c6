// The C++ library beside kernels, and what kernels may use of it.
// O0: \bmalloc\b
// O0: \bfree\b
// both: \bvprintf\b
// both: \b__assertfail\b
#include <algorithm>
#include <array>
#include <chrono>
#include <complex>
#include <cstring>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <thread>
#include <vector>
struct one {
    int a;
    __device__ one(int x) : a(x)
    {
    }
};
struct owner {
    int *p;
    __host__ __device__ owner() : p(nullptr)
    {
    }
    __host__ __device__ owner(owner &&other) : p(std::move(other.p))
    {
    }
};
template <class F, class... A> __device__ void call(F &&f, A &&...a)
{
    f(std::forward<A>(a)...);
}
__global__ void kernel(int *p, one *s, int n)
{
    int *q = new int[n];
    q[threadIdx.x] = 1;
    p[0] = q[1];
    delete[] q;
    one *o = new one(3);
    p[1] = o->a;
    delete o;
    new (&s[3]) one(4);
    owner a, b = std::move(a);
    b.p = p;
    call([&](int x, int y) { p[x] = y; }, 3, b.p[4]);
    for (int x : {1, 2, 3})
        p[x] = x;
    std::memcpy(p, p + 8, 8);
    printf("%d %f\n", p[2], (double)p[3]);
    assert(p[4] == 5);
}
int main()
{
    std::vector<int> v(3);
    std::sort(v.begin(), v.end());
    kernel<<<1, 2>>>(v.data(), nullptr, 3);
    std::thread t([] {});
    t.join();
    std::complex<float> c(1, 2);
    auto now = std::chrono::steady_clock::now();
    std::cout << std::abs(c) << std::max(1, 2) << std::numeric_limits<float>::max() << "\n";
    return now.time_since_epoch().count() == 0;
}
