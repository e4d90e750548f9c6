#!/usr/bin/env bats
# sim_compile.bats: compiling for the simulated GPU: what it does not know, what a check has to know of a program, and what
# the program's own code may do. gpu_cc.bats has the messages of the compiler.
bats_require_minimum_version 1.5.0

setup_file() {
    TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    export TOP BUILD=${WARPUP_BUILD:-$TOP/build}
    make -s -C "$TOP" -f checker/lab.mk
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

compile() { # FILE
    run "$BUILD/cc" "$1" out
    echo "$output"
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

@test "a product of an int parameter is noted; one of a long, or of the block's own numbers, is not" {
    local type index noted
    while read -r noted type index; do
        cat >index.cu <<EOT
__global__ void k($type n, float *to) { long i = $index; if (i < n) to[i] = 1; }
int main() { k<<<1, 1>>>(1, nullptr); }
EOT
        rm -rf out
        compile index.cu
        [ "$status" -eq 0 ]
        [ "$noted" = yes ] || [ ! -e out/multiplies ]
        [ "$noted" = no ] || [ -e out/multiplies ]
    done <<'EOT'
yes int n * threadIdx.x / 512
yes unsigned blockIdx.x * n + threadIdx.x
no long n * threadIdx.x / 512
no int blockIdx.x * blockDim.x + threadIdx.x
EOT
}

@test "device code must not have exceptions, or values for shared variables" {
    cat >code.cu <<'EOF'
__global__ void k(int n, float *x)
{
    if (n == 1) throw n; // #
    try { x[0] = 1; } // #
    catch (int) { x[0] = 0; }
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
    diff <(grep '^code.cu:' <<<"$output" | cut -d : -f 1,2 | sort -u) <(grep -n '// #' code.cu | sed 's/^/code.cu:/' | cut -d : -f 1,2 | sort -u)
    printf '%s\n' '__global__ void k(float *x) {' '__shared__ float s[2] = {0};' '*x = s[1]; } int main() { }' >shared.cu
    compile shared.cu
    [ "$status" -eq 1 ]
    [[ $output == "shared.cu:2:"*": error: initializer not allowed for __shared__ variable"* ]]
}

@test "what the simulated GPU does not know: one line, exit code 2" {
    unknown 'tiles of more than 32 threads' '#include <cooperative_groups.h>' \
        '__global__ void k() { auto t = cooperative_groups::tiled_partition<64>(cooperative_groups::this_thread_block()); }'
    unknown cuda_fp8.h '' '#include <cuda_fp8.h>'
    unknown thrust/set_operations.h '' '#include <thrust/set_operations.h>'
    unknown cudaExternalMemory_t 'int main() {' 'cudaExternalMemory_t memory; }'
    unknown cudaIpcMemHandle_t 'int main() {' 'cudaIpcMemHandle_t handle; }'
    unknown __prof_trigger '__global__ void k() {' '__prof_trigger(0); }'
    unknown 'a kernel launched by a kernel' '__global__ void a() { } __global__ void k() {' 'a<<<1, 1>>>(); }' 'int main() { }'
    unknown wgmma.fence.sync.aligned '__global__ void k() {' 'asm volatile("wgmma.fence.sync.aligned;"); }' 'int main() { }'
}

@test "a relative WARPUP_BUILD is a folder of the lab, wherever the program is" {
    cp "$TOP/checker/test/sim/watch.cu" "$TOP/checker/test/sim/expect.h" .
    WARPUP_BUILD=$(realpath --relative-to="$TOP" "$BUILD") compile watch.cu
    [ "$status" -eq 0 ]
}

@test "the host's start-up code runs once" {
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

@test "names in faults are those of the source" {
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
    compile past.cu
    mkdir run
    WARPUP_TRACE=run out/program
    [ "$(jq -r 'select(.event == "fault") | "\(.kernel_name): \(.detail)"' run/trace.jsonl)" = \
        "past<float>: byte 16 of piece, which has 16 bytes" ]
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

