#!/usr/bin/env bats
# cc.bats: the compiler driver of the simulated GPU: its messages, its exit codes, and what it makes.
bats_require_minimum_version 1.5.0

setup_file() {
    TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    BUILD=${WARPUP_BUILD:-$TOP/build}
    export TOP BUILD
    make -s -C "$TOP" -f checker/lab.mk
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

compile() { # ARGUMENT...
    run "$BUILD/cc" "$@" out
    echo "$output"
}

# The program's compilation fails with these first words, and says nothing of the lab's own files.
refused() { # FILE WORDS
    compile "$TOP/checker/test/sim/compile/$1"
    [ "$status" -eq 1 ]
    [[ $output == "$2"* ]]
    [[ $output != *gpu/include* && $output != *warpup* && $output != *WARPUP* ]]
}

# One line of source: the simulated GPU does not know something in it.
unknown() { # NAME TEXT...
    printf '%s\n' "${@:2}" >u.cu
    compile u.cu
    [ "$status" -eq 2 ]
    [ "$output" = "u.cu:2: the simulated GPU does not know $1" ]
}

@test "a program becomes a file with both builds of its device code" {
    cat >axpy.cu <<'EOF'
__global__ void axpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}
int main() { axpy<<<1, 1>>>(0, 0, nullptr, nullptr); }
EOF
    WARPUP_KEEP=1 compile axpy.cu
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    readelf -p .nv_fatbin out/program | grep -q WARPUP-PTX
    grep -q 'fma.rn.f32' out/device0o.ptx
    grep -q 'mul' out/device0.ptx
    grep -aq '\.file.*"axpy.cu"' out/program
    rm -rf out
    compile axpy.cu
    [ "$(ls out)" = program ]
}

@test "-maxrregcount limits the registers of each kernel; nvcc's other options are accepted" {
    printf '%s\n' '__global__ void k(float *x) { x[threadIdx.x] += 1; }' 'int main() { }' >r.cu
    compile -maxrregcount=32 -arch=sm_90 -O3 -lineinfo -lcublas -Xcompiler -Wall r.cu
    [ "$status" -eq 0 ]
    [ "$(grep -ac '^.maxnreg 32' out/program)" -eq 2 ]
}

@test "several sources make one program" {
    printf '%s\n' 'int other();' '__global__ void one() { }' 'int main() { one<<<1, 1>>>(); return other(); }' >one.cu
    printf '%s\n' '__global__ void two() { }' 'int other() { two<<<1, 1>>>(); return 0; }' >two.cu
    compile one.cu two.cu
    [ "$status" -eq 0 ]
    [ "$(readelf -p .nv_fatbin out/program | grep -c WARPUP-PTX)" -eq 2 ]
}

@test "sources in C and C++ beside CUDA are host code: their language, no kernels, any header of CUDA" {
    cat >main.cu <<'EOF'
extern "C" void *of_c(int n);
int of_cpp(int *p);
__global__ void k(int *p) { *p = 41; }
void launch(int *p) { k<<<1, 1>>>(p); }
int main() { return of_c(4) != 0 && of_cpp(nullptr) == 42 ? 0 : 1; }
EOF
    cat >of_c.c <<'EOF'
#include <cuda_runtime.h>
#include <stdlib.h>
void *of_c(int n) { int *class = malloc(n * sizeof *class); return cudaGetLastError() == cudaSuccess ? class : 0; }
EOF
    cat >of_cpp.cpp <<'EOF'
#include <cmath>
#include <cuda_fp16.h>
#ifdef __CUDACC__
#error this is the host's compiler
#endif
void launch(int *p);
template <class T> T min(T a, T b) { return a < b ? a : b; }
int of_cpp(int *p)
{
    int h = 0;
    cudaMalloc(&p, sizeof *p);
    launch(p);
    cudaMemcpy(&h, p, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(p);
    return h + (int)__half2float(__float2half(1.0f)) + min(0, 1);
}
EOF
    compile main.cu of_c.c of_cpp.cpp
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    out/program
    printf '%s\n' '__global__ void k() { }' 'int main() { }' >k.cpp
    compile k.cpp
    [ "$status" -eq 1 ]
    [[ $output == "k.cpp:1:1: error: unknown type name '__global__'"* ]]
}

@test "a program that does not compile: the student's file, line and words, exit code 1" {
    refused undeclared.cu "undeclared.cu:1:38: error: use of undeclared identifier 'y'"
    refused arguments.cu "arguments.cu:6:17: error: cannot initialize a parameter of type 'int' with an lvalue of type 'float *'"
    refused count.cu "count.cu:6:18: error: too few arguments to function call, expected 2, have 1"
    refused chevron.cu "chevron.cu:4:16: error: expected expression"
    refused name.cu "name.cu:3:5: error: use of undeclared identifier 'kernl'"
    [[ $output == *"name.cu:4:5: error: use of undeclared identifier 'cudaMalocc'; did you mean 'cudaMalloc'?"* ]]
    refused group.cu "group.cu:4:52: error: no member named 'tile_partition' in namespace 'cooperative_groups'"
    refused undef.cu "undef.cu:2: undefined reference to \`f()'"
    echo '__global__ void k() { }' >no-main.cu
    compile no-main.cu
    [ "$status" -eq 1 ]
    [ "$output" = "no-main.cu: error: there is no function main" ]
    printf '#include <helper_cuda.h>\nint main() { }\n' >sample.cu
    compile sample.cu
    [ "$status" -eq 1 ]
    [[ $output == "sample.cu:1:10: fatal error: helper_cuda.h: No such file or directory"* ]]
}

@test "what nvcc refuses is refused, with the line" {
    local file failed=0 line
    for file in "$TOP"/checker/test/sim/refused/*.cu; do
        line=$(grep -n '// refused$' "$file" | cut -d: -f1)
        run "$BUILD/cc" "$file" out
        [[ $status -eq 1 && ${lines[0]} == "${file##*/}:$line:"*" error: "* ]] ||
            { echo "${file##*/}: $status ${lines[0]-}" && failed=1; }
        [[ $output != *WARPUP_* ]] || { echo "${file##*/}: $output" && failed=1; }
    done
    [ "$failed" -eq 0 ]
}

@test "calls that nvcc refuses: of the host by a kernel, of the device by the host, without <<<>>>" {
    # clang takes the overload that a kernel may call, where nvcc refuses the better one.
    sed 's,\(overloaded(n);\) // #,\1,' "$TOP/checker/test/sim/compile/sides.cu" >sides.cu
    compile sides.cu
    [ "$status" -eq 1 ]
    diff <(cut -d : -f 1,2 <<<"$(grep '^sides.cu:' <<<"$output")" | sort -u) \
        <(grep -n '// #' sides.cu | sed 's/^/sides.cu:/' | cut -d : -f 1,2 | sort -u)
    is_told() { [[ $output == *"error: $1"* ]] || { echo "not told: $1"; return 1; } }
    is_told 'calling a __host__ function("plain") from a __global__ function("refused") is not allowed'
    is_told 'calling a __host__ function("outside") from a __device__ function("forward") is not allowed'
    is_told 'calling a __device__ function("c_linkage") from a __host__ function("main") is not allowed'
    is_told 'a __global__ function call must be configured'
}

@test "threadIdx in host code gets a plain sentence" {
    echo 'int main() { return threadIdx.x; }' >t.cu
    compile t.cu
    [ "$status" -eq 1 ]
    [[ $output == "t.cu:1:"*": error: threadIdx exists only in device code"* ]]
    [ "$(grep -c error <<<"$output")" -eq 1 ]
}

@test "a lambda belongs to the side of its function; marking it requires an option" {
    cat >lambda.cu <<'EOF'
template <class F> __global__ void apply(F f, float *x) { x[0] = f(x[1]); }
__device__ float twice(float x) { auto f = [](float y) { return y + y; }; return f(x); }
__global__ void k(float *x) { auto f = [=](int i) { return twice(x[i]); }; x[0] = f(1); }
int main()
{
    k<<<1, 1>>>(nullptr);
#ifdef MARKED
    apply<<<1, 1>>>([] __device__ (float x) { return x; }, nullptr);
#endif
}
EOF
    compile lambda.cu
    [ "$status" -eq 1 ]
    [[ $output == "lambda.cu:8:"*": error: __host__ or __device__ annotation on lambda requires --extended-lambda nvcc flag" ]]
    compile --extended-lambda -DMARKED lambda.cu
    [ "$status" -eq 0 ]
}

@test "device code that ptxas refuses: too much shared memory, a function that is not defined" {
    printf '%s\n' '__global__ void k(int *x) { __shared__ int big[13000]; big[*x] = 1; *x = big[1]; }' 'int main() { }' >big.cu
    compile big.cu
    [ "$status" -eq 1 ]
    [[ $output == "big.cu:1: error: k declares 52000 bytes of shared memory; at most 49152 are possible" ]]
    printf '%s\n' '__device__ void nowhere(int *);' '__global__ void k(int *x) {' 'nowhere(x); }' 'int main() { }' >u.cu
    compile u.cu
    [ "$status" -eq 1 ]
    [[ $output == "u.cu:3: error: undefined reference to 'nowhere"* ]]
}

@test "variables that are used before they are set, and two dynamic arrays, get a warning" {
    printf '%s\n' '__global__ void k(int *x) {' 'int y;' 'if (x[0]) y = 1;' 'x[1] = y; }' 'int main() { }' >unset.cu
    compile unset.cu
    [ "$status" -eq 0 ]
    [ "$output" = "unset.cu:2: warning: 'y' is used before it is set" ]
    printf '%s\n' '__global__ void k(int *x) {' 'extern __shared__ int a[];' 'extern __shared__ float b[];' \
        'a[0] = 1; b[1] = 2; *x = a[1] + b[0]; }' 'int main() { }' >twins.cu
    compile twins.cu
    [ "$status" -eq 0 ]
    [ "$output" = "twins.cu:3: warning: b begins at the same byte as a: a kernel has one dynamic array" ]
}

@test "what the simulated GPU does not know: one line, exit code 2" {
    unknown cuda_fp8.h '' '#include <cuda_fp8.h>'
    unknown cudaExternalMemory_t 'int main() {' 'cudaExternalMemory_t memory; }'
    unknown cudaIpcMemHandle_t 'int main() {' 'cudaIpcMemHandle_t handle; }'
    unknown __prof_trigger '__global__ void k() {' '__prof_trigger(0); }'
    unknown 'a kernel launched by a kernel' '__global__ void a() { } __global__ void k() {' 'a<<<1, 1>>>(); }' 'int main() { }'
}

@test "the student's own headers with kernels, and folders with spaces" {
    mkdir -p "a b/parts"
    printf '#include "one.h"\n#include "parts/kernels.cuh"\nint main() { return run() - ONE; }\n' >"a b/p q.cu"
    echo '#define ONE 1' >"a b/one.h"
    printf '%s\n' '__device__ int v;' '__global__ void k() { v = 1; }' \
        'static int run() { int h; k<<<1, 1>>>(); cudaMemcpyFromSymbol(&h, v, 4); return h; }' \
        >"a b/parts/kernels.cuh"
    compile "a b/p q.cu"
    [ "$status" -eq 0 ]
    [ -z "$output" ]
}

@test "a failure of the lab's own is one line and exit code 3: no source, no build, no compiler, an old one" {
    compile nothing.cu
    [ "$status" -eq 3 ]
    [ "$output" = "cc: nothing.cu: cannot be read" ]
    echo 'int main() { }' >empty.cu
    WARPUP_BUILD=/nowhere compile empty.cu
    [ "$status" -eq 3 ]
    WARPUP_CLANG=/nowhere/clang compile empty.cu
    [ "$status" -eq 3 ]
    [[ $output == "cc: there is no /nowhere/clang; to install clang: "* ]]
    # shellcheck disable=SC2016 # the script is to expand them
    printf '#!/bin/sh\necho clang version 14.0.6\n' >clang-old
    chmod +x clang-old
    WARPUP_CLANG=$PWD/clang-old compile empty.cu
    [ "$status" -eq 3 ]
    [[ $output == "cc: $PWD/clang-old is version 14; the lab needs 16 or newer: "* ]]
    DEVICE_COMPILER=icc compile empty.cu
    [ "$status" -eq 3 ]
}

@test "a compiler that crashes is a failure of the lab, not an error of the program" {
    # shellcheck disable=SC2016 # the compiler expands it
    printf '#!/bin/sh\n[ "$1" = --version ] && echo clang version 16.0.6 && exit\n[ "$1" = -print-resource-dir ] && echo /x/lib/clang/16 && exit\nkill -SEGV $$\n' >clang-bad
    chmod +x clang-bad
    echo 'int main() { }' >empty.cu
    WARPUP_CLANG=$PWD/clang-bad compile empty.cu
    [ "$status" -eq 3 ]
    [[ $output == "cc: $PWD/clang-bad crashed: "* ]]
}

@test "compiled headers give the same device code as the headers themselves" {
    cp "$TOP/checker/test/sim/memory.cu" "$TOP/checker/test/sim/expect.h" .
    WARPUP_KEEP=1 compile memory.cu
    mv out with
    WARPUP_KEEP=1 compile -D_OWN memory.cu
    mv out without
    diff with/device0o.ptx without/device0o.ptx
}

@test "compiled headers serve the same clang under another path" {
    [[ ${DEVICE_COMPILER-clang} == clang ]] || skip "nvcc compiles its headers itself"
    local name
    name=$(command -v clang-16 || command -v clang)
    name=${name##*/}
    mkdir elsewhere
    # shellcheck disable=SC2016 # the script is to expand them
    printf '#!/bin/sh\necho "$*" >>%s/said\nPATH=${PATH#*:} exec %s "$@"\n' "$PWD" "$name" >"elsewhere/$name"
    chmod +x "elsewhere/$name"
    echo 'int main() {}' >n.cu
    PATH=$PWD/elsewhere:$PATH compile n.cu
    [ "$status" -eq 0 ]
    [ "$(grep -c -e -include-pch said)" = 3 ]
}

@test "a vector stays one access when an inline function, a template or an operator gets it by value" {
    cat >v.cu <<'EOF'
inline __device__ float2 plain(float2 r) { return make_float2(2 * r.x, 2 * r.y); }
template <class T> __device__ __forceinline__ T twice(T r) { return make_float2(2 * r.x, 2 * r.y); }
inline __device__ float2 operator*(float c, float2 r) { return make_float2(c * r.x, c * r.y); }
struct doubler { __host__ __device__ float2 operator()(float2 r) const { return make_float2(2 * r.x, 2 * r.y); } };
struct pair { float x, y; };
inline __device__ pair twice(pair r) { return {2 * r.x, 2 * r.y}; }
#define KERNEL(name, type, e) __global__ void name(const type *a, type *o) { o[threadIdx.x] = e(a[threadIdx.x]); }
KERNEL(a, float2, plain) KERNEL(b, float2, twice) KERNEL(c, float2, 2 *) KERNEL(d, float2, doubler())
KERNEL(two_words, pair, twice)
int main() {}
EOF
    WARPUP_KEEP=1 compile v.cu
    [ "$status" -eq 0 ]
    [ "$(grep -c 'ld.global[a-z.]*.v2.f32' out/device0o.ptx)" = 4 ]
    [ "$(grep -c 'ld.global[a-z.]*.f32.*%f' out/device0o.ptx)" = 2 ]
}

@test "with nvcc the program has both builds too" {
    command -v nvcc >/dev/null || skip "there is no nvcc"
    printf '%s\n' '__global__ void k(float *x) { x[threadIdx.x] += 1; }' 'int main() { k<<<1, 1>>>(nullptr); }' >n.cu
    DEVICE_COMPILER=nvcc WARPUP_KEEP=1 compile n.cu
    [ "$status" -eq 0 ]
    readelf -p .nv_fatbin out/program | grep -q WARPUP-PTX
    grep -aq '\.file.*"n.cu"' out/program
    run ! grep n_cu out/keep0/n.module_id # nvcc-parallel has named the module, and nvcc has not compiled it again
}
