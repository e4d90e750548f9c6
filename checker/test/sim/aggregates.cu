/*
 * aggregates.cu: structs of 1 to 32 bytes that kernels copy, pass, return, assign and capture. Each
 * kernel is one warp that moves 32 of them from one array to another. A compiler for GPUs moves a
 * struct in pieces of its alignment, 16 bytes at most; so many accesses and sectors are expected.
 * Prints a row per kernel, in the order of their launches: type, way, loads, sectors of these,
 * stores, sectors of these, bytes each way.
 */
#include <cuda_runtime.h>

#include <string.h>

#include "expect.h"

enum { LANES = 32, SECTOR = 32, LARGEST = 64 };

struct one_byte {
    signed char a;
};
struct two_bytes {
    unsigned char a, b;
};
struct three_bytes {
    char a[3];
};
struct one_short {
    short a;
};
struct two_shorts {
    short a, b;
};
struct four_shorts {
    short a[4];
};
struct eight_bytes {
    char a[8];
};
struct one_float {
    float x;
};
struct bits {
    unsigned a : 3, b : 5, c : 24;
};
struct point {
    float x, y;
};
struct alignas(8) aligned_point {
    float x, y;
};
struct three_floats {
    float x, y, z;
};
struct four_floats {
    float x[4];
};
struct alignas(16) aligned_four {
    float x, y, z, w;
};
struct one_double {
    double x;
};
struct two_doubles {
    double x, y;
};
struct mixed {
    int n;
    double x;
};
struct nested {
    point a;
    point b[2];
};
struct large {
    float x[6];
    double y;
};
struct derived : point {
    int n;
};
union number {
    float f;
    int i;
};
union wide_number {
    float f;
    double d;
};
struct __attribute__((packed)) packed {
    char a;
    int b;
};

class complex
{
    float re, im;

  public:
    __host__ __device__ complex()
    {
    }
    __host__ __device__ complex(float r, float i) : re(r), im(i)
    {
    }
    __host__ __device__ complex operator+(const complex &other) const
    {
        return complex(re + other.re, im + other.im);
    }
    __host__ __device__ friend complex operator*(complex a, complex b)
    {
        return complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
    }
};

template <class T> struct holder {
    T value;
    __device__ T get() const
    {
        return value;
    }
};

enum way {
    COPIED,
    PASSED,
    RETURNED,
    ASSIGNED,
    REFERRED,
    HELD,
    CAPTURED,
    NOT_INLINED,
    CHAINED,
    WAYS
};
static const char *const way_names[] = {"copied", "passed",   "returned",    "assigned", "referred",
                                        "held",   "captured", "not-inlined", "chained"};

template <class T> __device__ T same(T a)
{
    return a;
}
template <class T> __device__ T element(const T *from, int i)
{
    return from[i];
}
template <class T> __device__ const T &choose(const T &a)
{
    return a;
}
template <class T> __device__ __noinline__ T far(T a)
{
    return a;
}

template <class T, int way> __global__ void move(T *to, const T *from)
{
    int i = threadIdx.x;
    if (way == COPIED) to[i] = from[i];
    if (way == PASSED) to[i] = same(from[i]);
    if (way == RETURNED) to[i] = element(from, i);
    if (way == ASSIGNED) {
        T a;
        a = from[i];
        T b = a;
        to[i] = b;
    }
    if (way == REFERRED) {
        T &result = to[i];
        result = choose(from[i]);
    }
    if (way == HELD) {
        holder<T> h = {from[i]};
        to[i] = h.get();
    }
    if (way == CAPTURED) {
        T a = from[i];
        auto give = [=]() { return a; };
        to[i] = give();
    }
    if (way == NOT_INLINED) to[i] = far(from[i]);
    if (way == CHAINED) to[i] = same(same(element(&choose(from[i]), 0)));
}

/* Sectors that a warp touches when each lane accesses `piece` bytes at `at` of its element. */
static int sectors(int bytes, int at, int piece)
{
    int count = 0, last = -1;
    for (int lane = 0; lane < LANES; lane++)
        for (int sector = (lane * bytes + at) / SECTOR;
             sector <= (lane * bytes + at + piece - 1) / SECTOR; sector++)
            if (sector > last) {
                last = sector;
                count++;
            }
    return count;
}

/* The row of a kernel: its loads and stores, in pieces of these bytes. */
static void print_row(const char *type, const char *way, int bytes, int load_piece, int store_piece,
                      int arrays)
{
    int loaded = 0, stored = 0;
    for (int at = 0; at < bytes; at += load_piece)
        loaded += arrays * sectors(bytes, at, load_piece);
    for (int at = 0; at < bytes; at += store_piece)
        stored += sectors(bytes, at, store_piece);
    printf("%s %s %d %d %d %d %d\n", type, way, arrays * (bytes / load_piece), loaded,
           bytes / store_piece, stored, LANES * bytes);
}

alignas(16) static unsigned char before[2 * LANES * LARGEST], after[LANES * LARGEST];
static void *d_from, *d_to;

/* Padding counts for nothing: a copy by a real GPU leaves it out. */
template <class T> static bool same(const T &a, const T &b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}
static bool same(const mixed &a, const mixed &b)
{
    return a.n == b.n && memcmp(&a.x, &b.x, sizeof a.x) == 0;
}

template <class T> static bool all_same()
{
    const T *a = (const T *)before, *b = (const T *)after;
    for (int i = 0; i < LANES; i++)
        if (!same(a[i], b[i])) return false;
    return true;
}

template <class T, int way> static void move_once(const char *type, int piece)
{
    cudaMemset(d_to, 0, LANES * LARGEST);
    move<T, way><<<1, LANES>>>((T *)d_to, (const T *)d_from);
    EXPECT_OK(cudaMemcpy(after, d_to, LANES * sizeof(T), cudaMemcpyDeviceToHost));
    EXPECT(all_same<T>());
    print_row(type, way_names[way], sizeof(T), piece, piece, 1);
}

template <class T> static void move_all_ways(const char *type, int piece)
{
    move_once<T, COPIED>(type, piece);
    move_once<T, PASSED>(type, piece);
    move_once<T, RETURNED>(type, piece);
    move_once<T, ASSIGNED>(type, piece);
    move_once<T, REFERRED>(type, piece);
    move_once<T, HELD>(type, piece);
    move_once<T, CAPTURED>(type, piece);
    move_once<T, NOT_INLINED>(type, piece);
    move_once<T, CHAINED>(type, piece);
}
#define MOVE(type, piece) move_all_ways<type>(#type, piece)

/* ---- more than moving ----------------------------------------------------------------------- */

static __device__ point operator+(point a, point b)
{
    return point{a.x + b.x, a.y + b.y};
}
static __device__ point turn(float c, float s, point r)
{
    return point{c * r.x - s * r.y, s * r.x + c * r.y};
}

__global__ void rotate(point *v, const point *r, const point *s)
{
    int i = threadIdx.x;
    v[i] = turn(0.5f, 0.25f, r[i]) + s[i];
}
__global__ void multiply(complex *v, const complex *r, const complex *s)
{
    int i = threadIdx.x;
    v[i] = r[i] * s[i];
}
__global__ void add(complex *v, const complex *r, const complex *s)
{
    int i = threadIdx.x;
    v[i] = r[i] + s[i];
}
__global__ void clear(point *v)
{
    v[threadIdx.x] = point();
}
__global__ void clear_large(large *v)
{
    v[threadIdx.x] = large();
}
__global__ void parameter(point *v, point p)
{
    v[threadIdx.x] = p;
}
__global__ void through_shared(point *v, const point *r)
{
    __shared__ point kept[LANES];
    int i = threadIdx.x;
    kept[i] = r[i];
    __syncthreads();
    v[i] = kept[LANES - 1 - i];
}
__global__ void choice(float *v, const float *x, const float *y)
{
    int k = threadIdx.x;
    float c = 0.5f, s = 0.25f;
    v[k] = (k & 1 ? s : c) * x[k] + (k & 1 ? c : -s) * y[k];
}

static void run_others()
{
    point p = {1, 2}, *points = (point *)d_to;
    const point *from = (const point *)d_from;
    rotate<<<1, LANES>>>(points, from, from + LANES);
    print_row("point", "rotated", sizeof(point), 4, 4, 2);
    multiply<<<1, LANES>>>((complex *)d_to, (complex *)d_from, (complex *)d_from + LANES);
    print_row("complex", "multiplied", sizeof(complex), 4, 4, 2);
    add<<<1, LANES>>>((complex *)d_to, (complex *)d_from, (complex *)d_from + LANES);
    print_row("complex", "added", sizeof(complex), 4, 4, 2);
    clear<<<1, LANES>>>(points);
    print_row("point", "cleared", sizeof(point), 4, 4, 0);
    clear_large<<<1, LANES>>>((large *)d_to);
    print_row("large", "cleared", sizeof(large), 8, 8, 0);
    parameter<<<1, LANES>>>(points, p);
    print_row("point", "parameter", sizeof(point), 4, 4, 0);
    through_shared<<<1, LANES>>>(points, from);
    print_row("point", "shared", sizeof(point), 4, 4, 1);
    choice<<<1, LANES>>>((float *)d_to, (float *)d_from, (float *)d_from + LANES);
    print_row("float", "choice", sizeof(float), 4, 4, 2);
    EXPECT_OK(cudaDeviceSynchronize());
}

int main()
{
    for (size_t i = 0; i < sizeof before; i++)
        before[i] = (unsigned char)(i * 7 % 251);
    EXPECT_OK(cudaMalloc(&d_from, sizeof before));
    EXPECT_OK(cudaMalloc(&d_to, LANES * LARGEST));
    EXPECT_OK(cudaMemcpy(d_from, before, sizeof before, cudaMemcpyHostToDevice));
    MOVE(one_byte, 1);
    MOVE(two_bytes, 1);
    MOVE(three_bytes, 1);
    MOVE(one_short, 2);
    MOVE(two_shorts, 2);
    MOVE(four_shorts, 2);
    MOVE(eight_bytes, 1);
    MOVE(one_float, 4);
    MOVE(bits, 4);
    MOVE(point, 4);
    MOVE(aligned_point, 8);
    MOVE(float2, 8);
    MOVE(three_floats, 4);
    MOVE(float3, 4);
    MOVE(four_floats, 4);
    MOVE(aligned_four, 16);
    MOVE(float4, 16);
    MOVE(one_double, 8);
    MOVE(two_doubles, 8);
    MOVE(double2, 16);
    MOVE(mixed, 8);
    MOVE(nested, 4);
    MOVE(large, 8);
    MOVE(derived, 4);
    MOVE(number, 4);
    MOVE(wide_number, 8);
    MOVE(packed, 1);
    MOVE(complex, 4);
    run_others();
    EXPECT_OK(cudaFree(d_from));
    EXPECT_OK(cudaFree(d_to));
    return expect_failures == 0 ? 0 : 1;
}
