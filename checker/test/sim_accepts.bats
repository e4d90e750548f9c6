#!/usr/bin/env bats
# sim_accepts.bats: CUDA that nvcc compiles, in the ways in which people write it.

setup() {
    TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    BUILD=${WARPUP_BUILD:-$TOP/build}
    make -s -C "$TOP" -f checker/lab.mk
    cd "$BATS_TEST_TMPDIR" || return
}

# Compiles without a word, for nvcc as well where it is, and runs to the end.
accepts() { # ARGUMENT... SOURCE
    run "$BUILD/cc" "$@" out
    echo "$output"
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    out/program
    if command -v nvcc >/dev/null; then nvcc -arch=sm_90 -rdc=true -o nvcc.out "$@"; fi
}

@test "a launch with spaces in its brackets, in code and in a macro with comments" {
    cat >spaces.cu <<'EOT'
__global__ void k(float *x) { x[threadIdx.x] = 1; }
template <class T> __global__ void t(T *x) { x[threadIdx.x] = 1; }
template <int n> struct number { enum { value = n }; };
#define BOTH(x) \
    k<< <1, 32>> >(x); \
    /* the other */ \
    t<float> << < number<1>::value, 32 >> > (x) // both
int main()
{
    float *x;
    cudaMalloc(&x, 128);
    k<< <1, 32>> >(x);
    k<< <dim3(1), dim3(32) >> >(x);
    t<float><< <1, 4 << 3, 0>> >(x);
    k<< <1 << 0, 32>>>(x);
    BOTH(x);
    cudaFree(x);
    return cudaGetLastError();
}
EOT
    accepts spaces.cu
}

@test "dynamic shared memory of several types in templates, in functions that are const, in classes" {
    cat >shared.cu <<'EOT'
template <class T> struct memory {
    __device__ operator T *() { extern __shared__ int words[]; return (T *)words; }
    __device__ operator const T *() const { extern __shared__ int words[]; return (T *)words; }
    __device__ T *get() noexcept { extern __shared__ int words[]; return (T *)words; }
};
template <class T> __global__ void b(T *to)
{
    T *s = memory<T>();
    const memory<T> constant;
    s[threadIdx.x] = 1;
    to[threadIdx.x] = constant[threadIdx.x] + memory<T>().get()[threadIdx.x];
}
template <class T> __global__ void c(T *to)
{
    extern __shared__ __align__(sizeof(T)) unsigned char bytes[];
    T *s = reinterpret_cast<T *>(bytes);
    s[threadIdx.x] = 1;
    to[threadIdx.x] = s[threadIdx.x];
}
template <class T> void run()
{
    T *to;
    cudaMalloc(&to, 32 * sizeof(T));
    b<<<1, 32, 32 * sizeof(T)>>>(to);
    c<<<1, 32, 32 * sizeof(T)>>>(to);
    cudaFree(to);
}
int main() { run<float>(); run<double>(); run<int>(); return cudaGetLastError(); }
EOT
    accepts shared.cu
}

@test "CUDA's small headers, the guards of its large ones, and the names that they bring along" {
    cat >headers.cu <<'EOT'
#include <cuComplex.h>
#include <cuda.h>
#include <cuda_device_runtime_api.h>
#include <device_launch_parameters.h>
#include <driver_functions.h>
#include <math_constants.h>
#include <sm_30_intrinsics.h>
#include <vector_functions.h>
#if !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_H__) || !defined(__CUDA_RUNTIME_API_H__) || \
    !defined(__VECTOR_TYPES_H__) || !defined(__cuda_cuda_h__)
#error a guard is missing
#endif
__global__ void k(cuFloatComplex *z, cuDoubleComplex *w)
{
    z[0] = cuCmulf(make_cuFloatComplex(1, 2), make_cuComplex(3, 4));
    z[1] = cuCdivf(z[0], make_cuFloatComplex(3, 4));
    w[0] = cuCadd(cuConj(make_cuDoubleComplex(1, 2)), cuComplexFloatToDouble(z[0]));
}
int main()
{
    cuFloatComplex *z, h[2];
    cuDoubleComplex *w, g;
    std::pair<int, int> limits(INT_MIN, INT_MAX);
    cudaMalloc(&z, sizeof h);
    cudaMalloc(&w, sizeof g);
    k<<<1, 1>>>(z, w);
    cudaMemcpy(h, z, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpy(&g, w, sizeof g, cudaMemcpyDeviceToHost);
    cudaFree(z);
    cudaFree(w);
    if (h[0].x != -5 || h[0].y != 10 || g.x != -4 || g.y != 8) return 1;
    return fabsf(h[1].x - 1) > 1e-6f || fabsf(h[1].y - 2) > 1e-6f || limits.first > limits.second;
}
EOT
    accepts headers.cu
}

@test "the driver's calls that ask for a device" {
    cat >driver.cu <<'EOT'
#include <cuda.h>
#include <string.h>
int main()
{
    CUdevice device;
    int count = 0, major = 0;
    char name[64] = "";
    size_t bytes = 0;
    if (cuInit(0) != CUDA_SUCCESS || cuDeviceGetCount(&count) != CUDA_SUCCESS || count < 1) return 1;
    if (cuDeviceGet(&device, 0) != CUDA_SUCCESS || cuDeviceGet(&device, 99) != CUDA_ERROR_INVALID_DEVICE) return 2;
    if (cuDeviceGetName(name, sizeof name, device) != CUDA_SUCCESS || strncmp(name, "NVIDIA", 6) != 0) return 3;
    if (cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) || major < 5) return 4;
    return cuDeviceTotalMem(&bytes, device) != CUDA_SUCCESS || bytes == 0;
}
EOT
    run "$BUILD/cc" driver.cu out
    echo "$output"
    [ "$status" -eq 0 ]
    out/program
}

@test "several sources, header folders and macros, as with nvcc" {
    mkdir -p parts include
    cat >main.cu <<'EOT'
#include "parts/second.cuh"
static __device__ float table[2] = {1, 2};
__global__ void one(float *x) { x[threadIdx.x] = 2 * 3 + table[1] + FACTOR; }
int main()
{
    float *x, h[32];
    cudaMalloc(&x, sizeof h);
    one<<<1, 32>>>(x);
    second(x);
    cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return h[0] != 109 || h[1] != 108;
}
EOT
    cat >parts/second.cuh <<'EOT'
#pragma once
#include <common.cuh>
#include "../include/common.cuh"
void second(float *x);
EOT
    cat >include/common.cuh <<'EOT'
#pragma once
template <class T> __global__ void plus(T *x)
{
    extern __shared__ T s[];
    s[threadIdx.x] = x[threadIdx.x];
    x[threadIdx.x] = s[threadIdx.x] + 1;
}
EOT
    cat >parts/second.cu <<'EOT'
#include "second.cuh"
void second(float *x) { plus<<<1, 1, 128>>>(x); }
EOT
    accepts -I include -D FACTOR=100 -O3 -std=c++17 main.cu parts/second.cu
    sed -i 's/s\[threadIdx.x\] + 1/t[threadIdx.x] + 1/' include/common.cuh
    run "$BUILD/cc" -Iinclude -DFACTOR=1 main.cu parts/second.cu out
    [ "$status" -eq 1 ]
    [[ ${lines[0]} == "include/common.cuh:6:"*"error: use of undeclared identifier 't'"* ]]
    run "$BUILD/cc" -x main.cu out
    [ "$status" -eq 3 ]
}

@test "a kernel that launches a kernel does more than the simulated GPU knows" {
    cat >nested.cu <<'EOT'
__global__ void child(float *x) { x[threadIdx.x] = 1; }
__global__ void parent(float *x)
{
    child<<<1, 32>>>(x);
}
int main() { parent<<<1, 1>>>(nullptr); }
EOT
    run "$BUILD/cc" nested.cu out
    [ "$status" -eq 2 ]
    [ "$output" = "nested.cu:4: the simulated GPU does not know a kernel launched by a kernel" ]
}

@test "kernels and static variables that main alone launches and sets; C++'s special functions" {
    cat >alone.cu <<'EOT'
#include <cmath>
static __constant__ int factors[2];
static __device__ int sum, unread;
template <int n> static __global__ void add(const int *x)
{
    if (threadIdx.x > 0)
        return;
    atomicAdd(&sum, n * factors[0] * factors[1] * *x);
}
static void launch(const int *x)
{
    add<1><<<1, 32>>>(x);
    add<10><<<1, 32>>>(x);
}
int main()
{
    const int values[] = {2, 3}, one = 1;
    int *x, result = 0;
    cudaMalloc(&x, sizeof *x);
    cudaMemcpy(x, &one, sizeof one, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(factors, values, sizeof values);
    cudaMemcpyToSymbol(unread, &one, sizeof one);
    launch(x);
    cudaMemcpyFromSymbol(&result, sum, sizeof result);
    cudaFree(x);
    bool zeta = std::fabs(std::riemann_zeta(2.0) - 1.6449340668) < 1e-9;
    return result == 66 && zeta && cudaGetLastError() == cudaSuccess ? 0 : 1;
}
EOT
    accepts alone.cu
}
