/* thrust.cu: vectors and algorithms of thrust, on the device and on the host. */
#include "expect.h"

#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>

enum { N = 100003 };

struct axpy {
    float a;
    __host__ __device__ float operator()(float x, float y) const
    {
        return a * x + y;
    }
};
struct is_odd {
    __host__ __device__ bool operator()(int i) const
    {
        return i % 2 != 0;
    }
};
struct add_up {
    template <class T> __host__ __device__ void operator()(T all) const
    {
        thrust::get<2>(all) = thrust::get<0>(all) + thrust::get<1>(all);
    }
};

static void vectors()
{
    thrust::host_vector<int> h(N);
    thrust::sequence(h.begin(), h.end());
    thrust::device_vector<int> d = h, e(10, 7), f(h.begin(), h.begin() + 5);
    EXPECT(d.size() == N && e[9] == 7 && f[4] == 4);
    d[3] = 30;
    int three = d[3];
    EXPECT(three == 30);
    d[3] = 3;
    thrust::fill(e.begin(), e.begin() + 5, 1);
    EXPECT(thrust::reduce(e.begin(), e.end()) == 40);
    thrust::host_vector<int> back = d;
    EXPECT(back == h);
    thrust::copy(d.begin() + 10, d.begin() + 20, back.begin());
    EXPECT(back[0] == 10 && back[9] == 19);
    int *bare = thrust::raw_pointer_cast(d.data());
    EXPECT(bare == thrust::raw_pointer_cast(&d[0]));
    thrust::device_ptr<int> at = thrust::device_pointer_cast(bare);
    EXPECT(thrust::reduce(at, at + 10) == 45);
    EXPECT(thrust::reduce(thrust::device, bare, bare + 10, 0, thrust::maximum<int>()) == 9);
    e.resize(12, 3);
    EXPECT(e.size() == 12 && e[11] == 3 && e[0] == 1);
}

static void maps()
{
    using namespace thrust::placeholders;
    thrust::device_vector<float> x(N), y(N, 1), z(N);
    thrust::sequence(x.begin(), x.end());
    thrust::transform(x.begin(), x.end(), y.begin(), z.begin(), axpy{2});
    EXPECT(z[0] == 1 && z[N - 1] == 2 * (N - 1) + 1);
    thrust::transform(x.begin(), x.end(), y.begin(), z.begin(), 3 * _1 + _2);
    EXPECT(z[100] == 301);
    thrust::transform(x.begin(), x.end(), z.begin(), thrust::negate<float>());
    EXPECT(z[7] == -7);
    auto all = thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin(), z.begin()));
    thrust::for_each(all, all + N, add_up());
    EXPECT(z[50] == 51);
    thrust::for_each(thrust::device, all, all + N, add_up());
    EXPECT(thrust::inner_product(x.begin(), x.begin() + 10, y.begin(), 0.0f) == 45);
    thrust::adjacent_difference(x.begin(), x.end(), z.begin());
    EXPECT(z[0] == 0 && z[N - 1] == 1);
}

static void sums()
{
    thrust::device_vector<int> ones(N, 1), sums(N);
    EXPECT(thrust::reduce(ones.begin(), ones.end()) == N);
    EXPECT(thrust::transform_reduce(thrust::make_counting_iterator(0),
                                    thrust::make_counting_iterator(10), thrust::square<int>(), 0,
                                    thrust::plus<int>()) == 285);
    thrust::inclusive_scan(ones.begin(), ones.end(), sums.begin());
    EXPECT(sums[0] == 1 && sums[300] == 301 && sums[N - 1] == N);
    thrust::exclusive_scan(ones.begin(), ones.end(), sums.begin(), 5);
    EXPECT(sums[0] == 5 && sums[N - 1] == N + 4);
    thrust::sequence(sums.begin(), sums.end());
    EXPECT(thrust::count_if(sums.begin(), sums.end(), is_odd()) == N / 2);
    EXPECT(thrust::max_element(sums.begin(), sums.end()) - sums.begin() == N - 1);
    EXPECT(*thrust::min_element(sums.begin(), sums.end()) == 0);
    thrust::device_vector<int> odd(N);
    auto end = thrust::copy_if(sums.begin(), sums.end(), odd.begin(), is_odd());
    EXPECT(end - odd.begin() == N / 2 && odd[10] == 21);
    EXPECT(thrust::remove_if(sums.begin(), sums.end(), is_odd()) - sums.begin() == N - N / 2);
}

static void order()
{
    thrust::host_vector<int> h(N), places(N);
    thrust::default_random_engine generator(17);
    thrust::uniform_int_distribution<int> some(0, 999);
    for (int i = 0; i < N; i++) h[i] = some(generator);
    thrust::device_vector<int> d = h, values(N), last(1000), counts(1000);
    thrust::sequence(values.begin(), values.end());
    thrust::sort_by_key(d.begin(), d.end(), values.begin());
    EXPECT(thrust::is_sorted(d.begin(), d.end()));
    int wrong = 0;
    thrust::host_vector<int> keys = d, at = values;
    for (int i = 0; i < N; i++) wrong += h[at[i]] != keys[i];
    EXPECT(wrong == 0);
    thrust::counting_iterator<int> bins(0);
    thrust::upper_bound(d.begin(), d.end(), bins, bins + 1000, last.begin());
    thrust::adjacent_difference(last.begin(), last.end(), counts.begin());
    EXPECT(thrust::reduce(counts.begin(), counts.end()) == N);
    thrust::device_vector<int> each(1000), number(1000), one(N, 1);
    auto ends = thrust::reduce_by_key(d.begin(), d.end(), one.begin(), each.begin(), number.begin());
    EXPECT(ends.first - each.begin() == 1000 && number[5] == counts[5]);
    thrust::sort(d.begin(), d.end(), thrust::greater<int>());
    EXPECT(d[0] == 999 && d[N - 1] == 0);
    EXPECT(thrust::unique(d.begin(), d.end()) - d.begin() == 1000);
    thrust::sort(h.begin(), h.end());
    EXPECT(h[0] == 0 && h[N - 1] == 999);
}

int main()
{
    vectors();
    maps();
    sums();
    order();
    return expect_result();
}
