#!/usr/bin/env bats
# sim_ptx.bats: inline PTX on the simulated GPU: what it computes (sim/ptx.cu holds what a real GPU must do as well),
# its accesses and mistakes, and what is not known.
bats_require_minimum_version 1.5.0

setup() {
    load helper
    load sim/told
    make -s -C "$TOP" -f checker/lab.mk
    cd "$BATS_TEST_TMPDIR" || return
}

# Runs a kernel of 64 threads. Its first line is line 4: x is 256 floats in global memory, s as many in shared memory,
# `at` the shared address of the thread's four.
kernel() { # LINE...
    {
        echo '__global__ void k(float *x) {'
        echo '    __shared__ float4 s[64]; float a = 0, b, c, d; int t = threadIdx.x;'
        echo '    unsigned at = __cvta_generic_to_shared(&s[t]);'
        printf '%s\n' "$@" '    x[t] = a + b + c + d; }'
        echo 'int main() { float *x; cudaMalloc(&x, 1024); cudaMemset(x, 0, 1024);'
        echo '    k<<<1, 64>>>(x); cudaDeviceSynchronize(); cudaFree(x); }'
    } >k.cu
    told k.cu
}

@test "PTX: numbers, bits, registers, memory, the block, the warp, matrices" {
    run told "$TOP/checker/test/sim/ptx.cu"
    echo "$output"
    [ "$output" = "as expected" ]
}

@test "the accesses of PTX are the thread's, on the student's lines" {
    run -0 kernel 'asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(x + 4 * t));' \
        'asm volatile("st.shared.f32 [%0+4], %1;" :: "r"(at), "f"(a));' \
        'asm volatile("ld.global.cs.f32 %0, [%1];" : "=f"(b) : "l"(x + 8 * (t % 32)));' \
        'asm volatile("{ .reg .pred p; setp.lt.s32 p, %0, 4; @p st.global.f32 [%1], %2; }" :: "r"(t), "l"(x + t), "f"(a));'
    diff - <(jq -r 'select(.event == "access" and .line < 8) | [.line, .kind, .space, .size, .requests, .sectors // .wavefronts] | join(" ")' \
        run/trace.jsonl | sort) <<'END'
4 load global 16 2 32
5 store shared 4 2 8
6 load global 4 2 64
7 store global 4 1 1
END
}

@test "mistakes in PTX: past the end, a wrong alignment, no barrier, a copy that nobody waited for" {
    local load='asm volatile("ld.shared.f32 %0, [%1];" : "=f"(b) : "r"(at ^ 512));'
    local copy='asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(at), "l"(x + t));'
    run -0 kernel 'b = c = d = 0;' 'asm volatile("ld.global.f32 %0, [%1+512];" : "=f"(b) : "l"(x + 2 * t + 7));'
    [[ $output == "out-of-bounds 5" ]]
    run -0 kernel 'b = c = d = 0;' 'asm volatile("ld.global.v2.f32 {%0, %1}, [%2];" : "=f"(b), "=f"(c) : "l"(x + t));'
    [[ $output == "misaligned-access 5" ]]
    run -0 kernel 'b = c = d = 0; asm volatile("st.shared.f32 [%0], %1;" :: "r"(at), "f"(a));' "$load"
    [[ $output == "race-in-block "* || $output == "uninitialised-read "* ]]
    run -0 kernel 'b = c = d = 0; asm volatile("st.shared.f32 [%0], %1; bar.sync 0;" :: "r"(at), "f"(a));' "$load"
    [[ -z $output ]]
    run -0 kernel "b = c = d = 0; $copy" '__syncthreads();' "$load"
    [[ -n $output ]]
    run -0 kernel "b = c = d = 0; $copy" 'asm volatile("cp.async.wait_all;"); __syncthreads();' "$load"
    [[ -z $output ]]
}

@test "PTX that is not known is named, unless no kernel can come to it" {
    cat >unknown.cu <<'END'
__device__ inline void unused() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__global__ void k(float *x) {
    asm volatile("wgmma.commit_group.sync.aligned;" : "+f"(*x));
}
#ifdef __x86_64__
static unsigned ticks() { unsigned a, d; asm volatile("rdtsc" : "=a"(a), "=d"(d)); asm volatile("pause"); return a; }
#else
static unsigned long ticks() { unsigned long a; asm volatile("mrs %0, cntvct_el0" : "=r"(a)); asm volatile("yield"); return a; }
#endif
int main() { return ticks() == 1; }
END
    run -2 "$BUILD/cc" unknown.cu out
    [ "$output" = 'unknown.cu:3: the simulated GPU does not know wgmma.commit_group.sync.aligned' ]
    sed -i 's/wgmma.commit_group.sync.aligned/fma.rz.f32 %0, %0, %0, %0/' unknown.cu
    run -0 "$BUILD/cc" unknown.cu out
}

@test "PTX whose text macros make" {
    run -2 kernel '#define SPACE ".nowhere"' 'b = c = d = 0;' 'asm volatile("ld" SPACE ".f32 %0, [%1];" : "=f"(b) : "l"(x + t));'
    echo "$output"
    [ "${lines[0]}" = "k.cu:6: the simulated GPU does not know ld.nowhere.f32" ]
    run -0 kernel '#define SPACE ".global"' 'b = c = d = 0;' 'asm volatile("ld" SPACE ".f32 %0, [%1];" : "=f"(b) : "l"(x + t));'
    [ -z "$output" ]
}
