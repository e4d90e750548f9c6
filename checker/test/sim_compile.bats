#!/usr/bin/env bats
# sim_compile.bats: compiling for the simulated GPU: the messages for programs that do not compile, or that use
# something that the simulated GPU does not know. The host's code stays unchanged.
bats_require_minimum_version 1.5.0

setup_file() {
    TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    export TOP
    make -s -C "$TOP" -f checker/lab.mk
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

compile() { # FILE
    run "$TOP/checker/sim/compile" "$1" out
    echo "$output"
}

# The program's compilation fails with these first words, and says nothing of the lab's own files.
refused() { # FILE WORDS
    compile "$TOP/checker/test/sim/compile/$1"
    [ "$status" -eq 1 ]
    [[ $output == "$2"* ]]
    [[ $output != *sim/include* && $output != *source.cpp* && $output != *warpup* && $output != *WARPUP* ]]
}

# One line of source: the simulated GPU does not know something in it.
unknown() { # NAME TEXT...
    printf '%s\n' "${@:2}" >u.cu
    compile u.cu
    [ "$status" -eq 2 ]
    [ "$output" = "u.cu:2: the simulated GPU does not know $1" ]
}

@test "a kernel that makes a float of an index is noted, in whatever words; one that only computes is not" {
    local index noted
    while read -r noted index; do
        cat >index.cu <<EOT
template <class T> __device__ long at() { return T(blockIdx.x) * T(blockDim.x) + T(threadIdx.x); }
__global__ void k(long n, float *to) { long i = $index; if (i < n) to[i] = 2.0f * to[i] + 0.5f; }
int main(int argc, char **) { float n = (float)argc; k<<<1, 1>>>((long)n, nullptr); }
EOT
        rm -rf out
        compile index.cu
        [ "$status" -eq 0 ]
        [ "$noted" = yes ] || [ ! -e out/converts ]
        [ "$noted" = no ] || [ -e out/converts ]
    done <<'EOT'
yes 1.0f * blockIdx.x * blockDim.x + threadIdx.x
yes at<float>()
yes __float2ll_rn(__uint2float_rn(threadIdx.x))
no at<double>()
no blockIdx.x * blockDim.x + threadIdx.x
EOT
}

@test "a header of NVIDIA's samples that is not beside the program is missing, as nvcc says" {
    printf '#include <helper_cuda.h>\nint main() { }\n' >sample.cu
    compile sample.cu
    [ "$status" -eq 1 ]
    [[ $output == "sample.cu:1:10: fatal error: helper_cuda.h: No such file or directory"* ]]
}

@test "another g++ is refused in one line, exit code 3" {
    printf '#!/bin/sh\necho 10.2.1\n' >old
    chmod +x old
    echo 'int main() { }' >empty.cu
    CXX=$PWD/old compile empty.cu
    [ "$status" -eq 3 ]
    [[ $output == "compile: $PWD/old is version 10.2.1; the lab needs g++ "* ]]
    [ ! -e out ]
}

@test "a program that does not compile: the student's file, line and words, exit code 1" {
    refused undeclared.cu "undeclared.cu:1:38: error: 'y' was not declared in this scope"
    refused arguments.cu "arguments.cu:6:5: error: invalid conversion from 'float*' to 'int'"
    refused count.cu "count.cu:6:5: error: too few arguments to function 'void k(int, float*)'"
    refused chevron.cu "chevron.cu:4:8: error: expected primary-expression before '<' token"
    refused name.cu "name.cu:3:5: error: 'kernl' was not declared in this scope"
    [ "$(grep -c "'kernl' was" <<<"$output")" -eq 1 ]
    [[ $output == *"name.cu:4:5: error: 'cudaMalocc' was not declared in this scope; did you mean 'cudaMalloc'?"* ]]
    refused group.cu "group.cu:4:52: error: 'tile_partition' is not a member of 'cg'; did you mean 'tiled_partition'?"
    echo '__global__ void k() { }' >no-main.cu
    compile no-main.cu
    [ "$status" -eq 1 ]
    [ "$output" = "no-main.cu: error: there is no function main" ]
    refused undef.cu "undef.cu:2: undefined reference to \`f()'"
}

@test "a newer linker's message about a missing function becomes the same text" {
    run awk -v include=/lab/include/ -v scratch=/scratch/ -v name=a.cu -v names="$TOP/checker/sim/translate/names.txt" \
        -f "$TOP/checker/sim/translate/messages.awk" <<END
/usr/bin/x86_64-linux-gnu-ld.bfd: /tmp/ccxcT3BC.o: in function \`main':
$PWD/a.cu:2:(.text.startup+0x5): undefined reference to \`f()'
collect2: error: ld returned 1 exit status
END
    [ "$status" -eq 0 ]
    [ "$output" = "a.cu:2: undefined reference to \`f()'" ]
}

@test "calls that nvcc refuses: of the host by a kernel, of the device by the host, without <<<>>>" {
    cp "$TOP/checker/test/sim/compile/sides.cu" .
    compile sides.cu
    [ "$status" -eq 1 ]
    diff <(cut -d : -f 1,2 <<<"$output" | sort -u) <(grep -n '// #' sides.cu | sed 's/^/sides.cu:/' | cut -d : -f 1,2 | sort -u)
    is_told() { [[ $output == *"error: $1"* ]] || { echo "not told: $1"; return 1; } }
    is_told 'calling a __host__ function("plain") from a __global__ function("refused") is not allowed'
    is_told 'calling a __host__ function("tools::outside") from a __device__ function("forward") is not allowed'
    is_told 'calling a __device__ function("c_linkage") from a __host__ function("main") is not allowed'
    is_told 'a __global__ function call must be configured'
}

@test "device code must not have exceptions, arrays of a length known at run time, or values for shared variables" {
    cat >code.cu <<'EOF'
__global__ void k(int n, float *x)
{
    float some[n]; // #
    some[0] = 1;
    if (n == 1) throw n; // #
    try { x[0] = some[0]; }
    catch (int) { x[0] = 0; } // #
}
int main(int argc, char *argv[])
{
    char own[argc];
    own[0] = 0;
    try { k<<<1, 1>>>(argc, nullptr); }
    catch (int) { throw; }
    __syncthreads(); // #
    return own[0] + __popc(3) + atomicAdd(&argc, 1); // #
}
EOF
    compile code.cu
    [ "$status" -eq 1 ]
    diff <(cut -d : -f 1,2 <<<"$output" | sort -u) <(grep -n '// #' code.cu | sed 's/^/code.cu:/' | cut -d : -f 1,2 | sort -u)
    printf '%s\n' '__global__ void k(float *x) {' '__shared__ float s[2] = {0};' '*x = s[1]; } int main() { }' >shared.cu
    compile shared.cu
    [ "$status" -eq 1 ]
    [[ $output == "shared.cu:2:"*": error: initializer not allowed for __shared__ variable"* ]]
}

@test "a lambda belongs to the side of its function; marking it requires an option" {
    cat >lambda.cu <<'EOF'
template <class F> __global__ void apply(F f, float *x) { x[0] = f(x[1]); }
__device__ float twice(float x) { auto f = [](float y) { return y + y; }; return f(x); }
template <class F> __device__ F operator<<(F f, int) { return f; }
template <class F> __device__ float value(F f) { return (f << 1)(1); }
__global__ void k(float *x) { auto f = [=](int i) { return twice(x[i]); }; x[0] = f(1) + value(f); }
int main()
{
    k<<<1, 1>>>(nullptr);
#ifdef MARKED
    apply<<<1, 1>>>([] __device__ (float x) { return x; }, nullptr);
#endif
}
EOF
    compile lambda.cu
    [ "$status" -eq 0 ]
    sed -i '1i #define MARKED' lambda.cu
    compile lambda.cu
    [ "$status" -eq 1 ]
    [[ $output == "lambda.cu:11:"*": error: __host__ or __device__ annotation on lambda requires --extended-lambda nvcc flag" ]]
    sed -i '1d; s/\[=\](int i)/[=] __device__ (int i)/' lambda.cu
    compile lambda.cu
    [ "$status" -eq 1 ]
    [[ $output == "lambda.cu:5:"*": error: __host__ or __device__ annotation on lambda requires --extended-lambda nvcc flag" ]]
}

@test "what the simulated GPU does not know: one line, exit code 2" {
    unknown cooperative_groups/scan.h '' '#include <cooperative_groups/scan.h>'
    unknown cooperative_groups::invoke_one '#include <cooperative_groups.h>' \
        '__global__ void k() { cooperative_groups::invoke_one(cooperative_groups::this_thread_block(), [] { }); }'
    unknown 'tiles of more than 32 threads' '#include <cooperative_groups.h>' \
        '__global__ void k() { auto t = cooperative_groups::tiled_partition<64>(cooperative_groups::this_thread_block()); }'
    unknown cuda_fp8.h '' '#include <cuda_fp8.h>'
    unknown 'cudaMalloc in a kernel' '' '__global__ void k(float *x) { cudaMalloc(&x, 4); } int main() { }'
    unknown 'a __shared__ variable with a constructor' 'struct own { __device__ own() { } int x; };' \
        '__global__ void k(int *x) { __shared__ own one; *x = one.x; } int main() { }'
    unknown thrust/set_operations.h '' '#include <thrust/set_operations.h>'
    unknown cudaExternalMemory_t 'int main() {' 'cudaExternalMemory_t memory; }'
    unknown __managed__ '' '__device__ __managed__ int x;'
    unknown cudaMemPool_t 'int main() {' 'cudaMemPool_t pool; }'
    unknown __brkpt '__global__ void k() {' '__brkpt(); }'
    unknown cudaDeviceProp::clusterLaunch 'int main() { cudaDeviceProp p;' 'return p.clusterLaunch; }'
    unknown cooperative_groups::labeled_partition $'#include <cooperative_groups.h>\nnamespace g = cooperative_groups;\n#line 2' \
        '__global__ void k() { auto t = g::labeled_partition(g::coalesced_threads(), 1); }'
    unknown cooperative_groups::binary_partition \
        $'#include <cooperative_groups.h>\nusing namespace cooperative_groups;\n#line 2' \
        '__global__ void k() { auto t = binary_partition(coalesced_threads(), 1); }'
    unknown '%gridid in PTX' '__global__ void k(int *x) {' 'int l; asm("mov.u32 %0, %%gridid;" : "=r"(l)); *x = l; }'
    unknown 'bar.arrive in PTX' '__global__ void k(int a) {' 'asm volatile("bar.arrive %0, 64;" :: "r"(a)); }'
    unknown 'PTX in asm statements' '__device__ void f(float a) {' 'asm volatile("" : "+f"(a)); }'
    unknown 'a macro that holds only <<<...>>>, after a name that several kernels have' \
        $'#define SHAPE <<<1, 1>>>\ntemplate <class T> __global__ void k(T) { } int main() {\n#line 2' 'k SHAPE(1); }'
}

@test "the student's own headers with kernels, folders with spaces, no header at all" {
    mkdir -p "a b/parts"
    printf '#include "one.h"\n#include "parts/kernels.cuh"\nint main() { return run() - ONE; }\n' >"a b/p q.cu"
    echo '#define ONE 1' >"a b/one.h"
    printf '%s\n' '__device__ int v;' '__global__ void k() { v = 1; }' \
        'static int run() { int h; k<<<1, 1>>>(); cudaMemcpyFromSymbol(&h, v, 4); return h; }' \
        >"a b/parts/kernels.cuh"
    compile "a b/p q.cu"
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    out/program
}

@test "a source or a folder that does not exist is an error of the lab: exit code 3" {
    compile nothing.cu
    [ "$status" -eq 3 ]
    [ "$output" = "compile: nothing.cu: cannot be read" ]
    WARPUP_BUILD=/nowhere compile "$TOP/checker/test/sim/watch.cu"
    [ "$status" -eq 3 ]
}

@test "a relative WARPUP_BUILD is a folder of the lab, wherever the program is" {
    cp "$TOP/checker/test/sim/watch.cu" "$TOP/checker/test/sim/expect.h" .
    WARPUP_BUILD=$(realpath --relative-to="$TOP" "$BUILD") compile watch.cu
    [ "$status" -eq 0 ]
}

@test "host code is compiled as plain g++ compiles it: no callback in the host's image" {
    cp "$TOP/checker/test/sim/memory.cu" "$TOP/checker/test/sim/expect.h" .
    compile memory.cu
    [ "$status" -eq 0 ]
    run -0 nm -D --undefined-only out/program
    [[ $output != *tsan* && $output != *sanitizer* ]]
    run -0 nm -D --undefined-only out/device.so
    [[ $output == *__tsan_read* && $output == *__sanitizer_cov_trace_pc* ]]
}

@test "the host's start-up code runs once, and not in the device's image" {
    cat >start.cu <<'EOF'
#include <stdio.h>
struct loud { loud() { printf("made\n"); } ~loud() { printf("gone\n"); } } one;
__global__ void k() { }
int main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }
EOF
    compile start.cu
    run out/program
    [ "$output" = $'made\ngone' ]
}

@test "a program may use its own names and delete itself without disturbing the simulated GPU" {
    cat >names.cu <<'EOF'
#include <stdio.h>
#include <unistd.h>
int shadow = 1, memory = 2, engine = 3, cursor = 4, image_code = 5, running_worker = 6;
extern "C" int profile() { return 7; }
extern "C" void clock_stop() { }
extern "C" void memory_open() { }
__device__ int total;
__global__ void k(int n) { atomicAdd(&total, n); }
int main(int argc, char *argv[])
{
    unlink("out/device.so");
    unlink(argv[0]);
    k<<<2, 2>>>(shadow + memory + engine + cursor + image_code + running_worker + profile());
    int sum = 0;
    cudaMemcpyFromSymbol(&sum, total, sizeof sum);
    printf("%d\n", sum);
    return 0;
}
EOF
    compile names.cu
    mkdir run
    WARPUP_TRACE=run run out/program
    [ "$output" = 112 ]
    [ "$(jq -r 'select(.event == "access") | .line' run/trace.jsonl | sort -u)" = 8 ]
}

@test "names in faults are those of the source, also where the linker leaves out libraries that are not used" {
    # shellcheck disable=SC2016 # the wrapper expands it
    printf '#!/bin/sh\nexec g++ "$@" -Wl,--as-needed\n' >as-needed
    chmod +x as-needed
    cat >past.cu <<'EOF'
template <class T> __global__ void past(T *x)
{
    __shared__ T piece[4];
    piece[threadIdx.x + 4] = 1;
}
int main()
{
    past<float><<<1, 1>>>(nullptr);
    cudaDeviceSynchronize();
}
EOF
    CXX=$PWD/as-needed compile past.cu
    run ! grep -q 'libstdc++' <(readelf -d out/program)
    mkdir run
    WARPUP_TRACE=run out/program
    [ "$(jq -r 'select(.event == "fault") | "\(.kernel_name): \(.detail)"' run/trace.jsonl)" = \
        "past<float>: byte 16 of piece, which has 16 bytes" ]
}

# A program of these lines could change or hide what the simulated GPU records.
distrusted() { # WORDS TEXT...
    printf '%s\n' "${@:2}" >d.cu
    compile d.cu
    [ "$status" -eq 4 ]
    [[ $output == "$1"* ]]
}

@test "a program that could change or hide what is recorded is refused in one line, exit code 4" {
    local main='int main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }'
    distrusted 'd.cu: its function getenv would replace' '__global__ void k() { }' \
        'extern "C" char *getenv(const char *) noexcept { return 0; }' "$main"
    distrusted 'd.cu: some of its code would run before' '__global__ void k() { }' 'static void f() { }' '#ifndef __CUDA_ARCH__' \
        '__attribute__((section(".preinit_array"), used)) static void (*const first)() = f;' '#endif' "$main"
    distrusted 'd.cu: it chooses a function while it is loaded' '__global__ void k() { }' \
        'extern "C" { static void f() { } __attribute__((used)) static void *choose() { return (void *)f; } }' \
        'void g() __attribute__((ifunc("choose")));' 'void (*volatile keep)() = g;' "$main"
    distrusted 'd.cu:1: the function "k" hides its memory accesses' \
        '__attribute__((no_sanitize("thread"))) __global__ void k() { }' "$main"
    distrusted 'd.cu:1: the name WARPUP_UNSEEN belongs to' 'WARPUP_UNSEEN __global__ void k() { }' "$main"
    distrusted 'd.cu: assembly outside of functions' 'asm(".text\n.globl f\nf: ret\n");' '__global__ void k() { }' "$main"
}

@test "a program's own functions, variables and constructors, and assembly in host code, are accepted" {
    printf '%s\n' '#include <cstdio>' '#include <vector>' 'extern __shared__ float s[];' \
        'static int write(const char *text) { return puts(text); }' 'int write_count;' \
        '__attribute__((constructor)) static void first() { write_count = 0; }' \
        'static unsigned ticks() { unsigned a, d; asm volatile("rdtsc" : "=a"(a), "=d"(d)); return a; }' \
        '__global__ void k() { s[0] = 1; asm volatile("" ::: "memory"); }' \
        'int main() { std::vector<int> v(3); v.push_back(1); write("hello"); ticks(); k<<<1, 1, 4>>>();' \
        '    return cudaDeviceSynchronize(); }' >honest.cu
    compile honest.cu
    [ "$status" -eq 0 ]
    run -0 out/program
    [ "$output" = hello ]
}

@test "a program may have libstdc++ in itself, and shows none of it" {
    printf '%s\n' '#include <iostream>' '#include <stdexcept>' '__global__ void k() { }' \
        'int main() { try { k<<<1, 1>>>(); throw std::runtime_error("caught"); }' \
        '    catch (const std::exception &e) { std::cout << e.what() << std::endl; } return cudaDeviceSynchronize(); }' >own.cu
    printf '#!/bin/sh\nexec g++ "$@" -static-libstdc++ -Wl,--export-dynamic-symbol=__cxa_throw\n' >g++-with-own
    chmod +x g++-with-own
    CXX=$PWD/g++-with-own compile own.cu
    [ "$status" -eq 0 ]
    run -0 out/program
    [ "$output" = caught ]
}
