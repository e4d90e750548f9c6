/* launches.cu: every way in which a program may name a kernel. Each adds its number to a sum. */
#include "expect.h"

static int *sum; /* on the device */

__global__ void plain(int *at, int value)
{
    atomicAdd(at, value);
}

static __global__ void hidden(int *at, int value)
{
    atomicAdd(at, value);
}

namespace
{
__global__ void nameless(int *at, int value)
{
    atomicAdd(at, value);
}
} // namespace

namespace outer
{
namespace inner
{
__global__ void nested(int *at, int value)
{
    atomicAdd(at, value);
}
template <class T, int factor> __global__ void scaled(T *at, T value)
{
    atomicAdd(at, factor * value);
}
} // namespace inner
} // namespace outer

template <class T> __global__ void deduced(T *at, T value)
{
    atomicAdd(at, value);
}

__global__ void overloaded(int *at, int value)
{
    atomicAdd(at, value);
}
__global__ void overloaded(int *at, float value)
{
    atomicAdd(at, (int)(10 * value));
}

struct pair {
    int a, b;
};
__global__ void with_struct(int *at, pair values, const int *nothing)
{
    if (nothing == nullptr) atomicAdd(at, values.a + values.b);
}

__global__ void with_default(int *at, pair values = {5, 6})
{
    atomicAdd(at, values.a + values.b);
}

/* A reference is an address that the kernel gets. */
__global__ void by_reference(int *at, pair &values)
{
    atomicAdd(at, values.a + values.b);
    values.a = 20;
}

template <class T> __global__ void aligned(int *at)
{
    __shared__ alignas(16) T values[1];
    values[0] = (size_t)values % 16 == 0;
    atomicAdd(at, values[0]);
}

__global__ void shape(int *at, dim3 grid, dim3 block)
{
    bool right = gridDim.x == grid.x && gridDim.y == grid.y && gridDim.z == grid.z &&
                 blockDim.x == block.x && blockDim.y == block.y && blockDim.z == block.z &&
                 threadIdx.x < blockDim.x && blockIdx.z < gridDim.z && warpSize == 32;
    if (right) atomicAdd(at, 1);
}

extern "C" __global__ void __launch_bounds__(256) c_named(int *at, int value)
{
    atomicAdd(at, value);
}

/* Is what a kernel takes where a kernel is launched with it: that copies no owner, and ends none. */
struct owner {
    int *memory;
    unsigned *ended;
    operator int *() const { return memory; }
    operator pair() { return {2, 3}; }
    ~owner() { ++*ended; }
};

/* The sum since it was last asked for. */
static int taken()
{
    int value = -1, zero = 0;
    EXPECT_OK(cudaMemcpy(&value, sum, sizeof value, cudaMemcpyDeviceToHost));
    EXPECT_OK(cudaMemcpy(sum, &zero, sizeof zero, cudaMemcpyHostToDevice));
    return value;
}

template <int n, class T> static void from_template(T value)
{
    outer::inner::scaled<T, n><<<1, 1>>>(sum, value);
}

struct object {
    int value;
    void launch(int count)
    {
        plain<<<count, 1>>>(sum, value);
    }
};

#define LAUNCH(kernel, blocks, ...) kernel<<<(blocks), 1>>>(sum, __VA_ARGS__)
#define SHAPE(grid, block)          <<<(grid), (block)>>>

static void (*const table[])(int *, int) = {plain, hidden, nameless};

static void by_name()
{
    plain<<<1, 1>>>(sum, 1);
    EXPECT(taken() == 1);
    hidden<<<2, 3>>>(sum, 1);
    EXPECT(taken() == 6);
    nameless<<<dim3(2, 2), dim3(1, 2, 3)>>>(sum, 1);
    EXPECT(taken() == 24);
    outer::inner::nested<<<1, 1, 0>>>(sum, 4);
    EXPECT(taken() == 4);
    ::outer::inner::scaled<int, (3 > 2 ? 5 : 6)><<<1, 1, 0, 0>>>(sum, 2);
    EXPECT(taken() == 10);
    deduced<<<1, 32>>>(sum, 2);
    deduced<int><<<1, 1>>>(sum, 1);
    EXPECT(taken() == 65);
    overloaded<<<1, 1>>>(sum, 3);
    overloaded<<<1, 1>>>(sum, 0.5f);
    EXPECT(taken() == 8);
    with_struct<<<1, 1>>>(sum, pair{3, 4}, NULL);
    EXPECT(taken() == 7);
    c_named<<<1, 256>>>(sum, 1);
    EXPECT(taken() == 256);
    aligned<float><<<1, 1>>>(sum);
    EXPECT(taken() == 1);
    plain<<<1,
            2>>>(sum, // one
                 5);
    EXPECT(taken() == 10);
}

static void by_detour()
{
    LAUNCH(plain, 2, 3);
    LAUNCH(deduced<int>, 1, 1);
    EXPECT(taken() == 7);
    from_template<7>(3);
    from_template<2>(3);
    EXPECT(taken() == 27);
    object one = {5};
    one.launch(3);
    EXPECT(taken() == 15);
    plain SHAPE(2, 2)(sum, 1);
    outer::inner::scaled<int, 3> SHAPE(1, dim3(2, 1))(sum, 2);
    with_struct SHAPE(1, 1)(sum, pair{1, 1}, nullptr);
    EXPECT(taken() == 18);
    auto host = [&](int n) { hidden<<<n, 1>>>(sum, n); };
    host(3);
    EXPECT(taken() == 9);
    bool yes = sum != nullptr;
    yes ? plain<<<1, 1>>>(sum, 1) : hidden<<<1, 1>>>(sum, 2);
    if (yes) (plain)<<<1, 1>>>(sum, 10);
    EXPECT(taken() == 11);
}

static void by_pointer()
{
    void (*chosen)(int *, int) = hidden;
    chosen<<<1, 1>>>(sum, 2);
    EXPECT(taken() == 2);
    for (int i = 0; i < 3; i++)
        table[i]<<<1, 1>>>(sum, i);
    EXPECT(taken() == 3);
    void (*local[2])(int *, int) = {nameless, deduced<int>};
    local[1]<<<1, 4>>>(sum, 1);
    (*local[0])<<<1, 4>>>(sum, 2);
    EXPECT(taken() == 12);
    int value = 6;
    void *arguments[] = {&sum, &value};
    EXPECT_OK(cudaLaunchKernel(plain, dim3(2), dim3(1), arguments, 0, 0));
    EXPECT_OK(cudaLaunchKernel((const void *)hidden, dim3(1), dim3(1), arguments, 0, 0));
    EXPECT(taken() == 18);
}

static void by_conversion()
{
    unsigned ended = 0;
    {
        owner one = {sum, &ended};
        const owner &same = one;
        plain<<<1, 1>>>(same, 5);
        with_struct<<<1, 1>>>(same, one, NULL);
        EXPECT(taken() == 10 && ended == 0);
    }
    EXPECT(ended == 1);
    with_struct<<<1, 1>>>(sum, {1, 2}, 0);
    deduced<<<1, 1>>>(sum, 0);
    overloaded<<<1, 1>>>(sum, 0);
    with_default<<<1, 1>>>(sum);
    EXPECT(taken() == 14);
    pair *managed;
    EXPECT_OK(cudaMallocManaged(&managed, sizeof *managed));
    *managed = {4, 1};
    by_reference<<<1, 1>>>(sum, *managed);
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT(taken() == 5 && managed->a == 20);
    EXPECT_OK(cudaFree(managed));
}

/* ---- the same launch again ------------------------------------------------------------------ */

enum { MANY = 100000 }; /* some regions of memory */
__device__ int extra;

__global__ void twice(int *to, const int *from)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < MANY) to[i] = 2 * from[i] + extra;
}

__global__ void pick(int *to, const int *from, const int *where)
{
    to[threadIdx.x] = from[*where + threadIdx.x];
}

static int last_of(const int *array)
{
    int value;
    EXPECT_OK(cudaMemcpy(&value, array + MANY - 1, sizeof value, cudaMemcpyDefault));
    return value;
}

static int launch_twice(int *to, const int *from)
{
    for (int times = 0; times < 4; times++)
        twice<<<(MANY + 255) / 256, 256>>>(to, from);
    return last_of(to);
}

/* A launch that is repeated sees what has changed in between: what it reads, what it writes, a
 * variable, and what an index leads it to. */
static void again()
{
    int *from, *to, seven = 7, far = MANY - 1;
    EXPECT_OK(cudaMalloc(&from, MANY * sizeof *from));
    EXPECT_OK(cudaMalloc(&to, MANY * sizeof *to));
    EXPECT_OK(cudaMemset(from, 0, MANY * sizeof *from));
    EXPECT(launch_twice(to, from) == 0);
    EXPECT_OK(cudaMemcpy(from + MANY - 1, &seven, sizeof seven, cudaMemcpyDefault));
    EXPECT(launch_twice(to, from) == 14);
    EXPECT_OK(cudaMemcpyToSymbol(extra, &seven, sizeof seven));
    EXPECT(launch_twice(to, from) == 21);
    EXPECT_OK(cudaMemset(to, 0, MANY * sizeof *to));
    EXPECT(launch_twice(to, from) == 21);
    for (int times = 0; times < 6; times++) {
        if (times == 3) EXPECT_OK(cudaMemcpy(from, &far, sizeof far, cudaMemcpyDefault));
        pick<<<1, 1>>>(to + MANY - 1, from, from);
        EXPECT(last_of(to) == (times < 3 ? 0 : 7));
    }
    for (int times = 0; times < 5; times++)
        plain<<<1, 32>>>(to + MANY - 1, 1);
    EXPECT(last_of(to) == 7 + 5 * 32);
    EXPECT_OK(cudaFree(from));
    EXPECT_OK(cudaFree(to));
}

int main()
{
    EXPECT_OK(cudaMalloc(&sum, sizeof *sum));
    EXPECT_OK(cudaMemset(sum, 0, sizeof *sum));
    by_name();
    by_detour();
    by_pointer();
    by_conversion();
    dim3 gridDim(2, 3, 4), blockDim = dim3(4, 2, 1); /* names that a kernel knows otherwise */
    shape<<<gridDim, blockDim>>>(sum, gridDim, blockDim);
    EXPECT(taken() == 2 * 3 * 4 * 8);
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT_OK(cudaFree(sum));
    again();
    return expect_result();
}
