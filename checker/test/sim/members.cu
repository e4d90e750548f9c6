/* members.cu: which accesses to members x, y … are put together, as nvcc does it: those of CUDA's
 * vectors and of structures that are aligned like these, and of no structure that only looks like
 * one. One kernel a case (sim_engine.bats). */
#include <cuda_runtime.h>

struct point {
    float x, y, z;
};

__global__ void own(const point *from, point *to)
{
    int i = threadIdx.x;
    to[i].x = from[i].x;
    to[i].y = from[i].y;
    to[i].z = from[i].z;
}

__global__ void quadruples(const float4 *from, float4 *to)
{
    int i = threadIdx.x;
    to[i].x = from[i].x;
    to[i].y = from[i].y;
    to[i].z = from[i].z;
    to[i].w = from[i].w;
}

/* A pair that stands beside another one is not its half. */
__global__ void pairs(const float2 *from, float2 *to)
{
    int i = 2 * threadIdx.x;
    to[i].x = from[i].x;
    to[i].y = from[i].y;
    to[i + 1].x = from[i + 1].x;
    to[i + 1].y = from[i + 1].y;
}

/* One line names members of both. */
__global__ void both(const float4 *from, point *to)
{
    int i = threadIdx.x;
    to[i].x = from[i].x;
    to[i].y = from[i].y;
    to[i].z = from[i].z;
}

/* One line in a template is of the one here, of the other there. */
template <class T> __device__ void copy_of(const T &from, T &to)
{
    to.x = from.x;
    to.y = from.y;
}

__global__ void templates(const float4 *vectors, float4 *to, const point *points, point *others)
{
    __shared__ float4 shared[32];
    int i = threadIdx.x;
    copy_of(vectors[i], shared[i]);
    copy_of(shared[i], to[i]);
    copy_of(points[i], others[i]);
}

/* Structures that are aligned: by a class template with another name, by a C typedef, by the class
 * of which it is derived; their members are reached through references, pointers and functions. */
template <class T> class alignas(2 * sizeof(T)) aligned_pair
{
    T re_, im_;

  public:
    __device__ friend T sum(const aligned_pair &p)
    {
        return p.re_ + p.im_;
    }
    __device__ void set(T re, T im)
    {
        re_ = re, im_ = im;
    }
};
using number = aligned_pair<float>;

__global__ void classes(const number *from, number *to)
{
    int i = threadIdx.x;
    to[i].set(sum(from[i]), 1);
}

typedef struct __align__(16)
{
    float a, b, c, d;
}
row;

__global__ void typedefs(const row *from, row *to)
{
    const row *r = &from[threadIdx.x];
    row *t = &to[threadIdx.x];
    t->a = r->a;
    t->b = r->b;
    t->c = r->c;
    t->d = r->d;
}

struct derived : number {
    __device__ float total() const
    {
        return sum(*this);
    }
};

__global__ void bases(const derived *from, float *to)
{
    to[threadIdx.x] = from[threadIdx.x].total();
}

/* Not aligned to more than a member */
typedef struct {
    float a, b;
} plain;

__global__ void plains(const plain *from, plain *to)
{
    const plain *p = &from[threadIdx.x];
    float a = p->a, b = p->b;
    to[threadIdx.x].a = a;
    to[threadIdx.x].b = b;
}

/* Small members of structures that are aligned to much more */
struct alignas(16) particle {
    float x;
    short kind;
    bool alive;
};

struct note {
    double value;
    char known;
    short count;
};

__global__ void small(const particle *from, const note *notes, particle *to, int *known)
{
    int i = threadIdx.x;
    if (!from[i].alive) to[i].kind = from[i].kind;
    to[i].alive = true;
    known[i] = notes[i].known + notes[i].count;
}

int main()
{
    void *from, *to, *others;
    cudaMalloc(&from, 64 * sizeof(float4));
    cudaMalloc(&to, 64 * sizeof(float4));
    cudaMalloc(&others, 64 * sizeof(float4));
    cudaMemset(from, 0, 64 * sizeof(float4));
    own<<<1, 32>>>((point *)from, (point *)to);
    quadruples<<<1, 32>>>((float4 *)from, (float4 *)to);
    pairs<<<1, 32>>>((float2 *)from, (float2 *)to);
    both<<<1, 32>>>((float4 *)from, (point *)to);
    templates<<<1, 32>>>((float4 *)from, (float4 *)to, (point *)from, (point *)others);
    classes<<<1, 32>>>((number *)from, (number *)to);
    typedefs<<<1, 32>>>((row *)from, (row *)to);
    bases<<<1, 32>>>((derived *)from, (float *)to);
    plains<<<1, 32>>>((plain *)from, (plain *)to);
    small<<<1, 32>>>((particle *)from, (note *)from, (particle *)to, (int *)others);
    cudaDeviceSynchronize();
    cudaFree(from);
    cudaFree(to);
    cudaFree(others);
    return 0;
}
