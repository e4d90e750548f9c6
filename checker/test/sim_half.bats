#!/usr/bin/env bats
# sim_half.bats: cuda_fp16.h on the simulated GPU. half.cu holds what a real GPU must do as well.

setup_file() {
    TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    export TOP
    make -s -C "$TOP" -f checker/lab.mk
}

@test "halves: conversions, roundings, arithmetic, functions, pairs, atomics, shuffles" {
    "$TOP/checker/sim/compile" "$TOP/checker/test/sim/half.cu" "$BATS_TEST_TMPDIR/half"
    run "$BATS_TEST_TMPDIR/half/program"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$output" = "as expected" ]
}

# One warp. Line 7 uses a number twice and loads it once; line 14 names both members of a pair.
@test "a half is an access of 2 bytes, a pair one of 4, on the student's line; a shared array of them is only that" {
    cat >"$BATS_TEST_TMPDIR/accesses.cu" <<'END'
#include <cuda_fp16.h>
__global__ void halves(const half *x, half *y)
{
    __shared__ half tile[32][33];
    int i = threadIdx.x;
    tile[i][0] = x[i];
    y[i] = x[i] * x[i];
    __syncthreads();
    y[i] = __hadd(tile[31 - i][0], __float2half(1.0f));
}
__global__ void pairs(const half2 *x, half2 *y)
{
    int i = threadIdx.x;
    y[i].x = x[i].x; y[i].y = x[i].y;
    y[i] = __hfma2(x[i], x[i], __float2half2_rn(1.0f));
    atomicAdd(y + 32, x[i]);
}
int main()
{
    void *x;
    cudaMalloc(&x, 512);
    cudaMemset(x, 0, 512);
    halves<<<1, 32>>>((half *)x, (half *)x + 128);
    pairs<<<1, 32>>>((half2 *)x, (half2 *)x + 64);
    cudaFree(x);
}
END
    "$TOP/checker/sim/compile" "$BATS_TEST_TMPDIR/accesses.cu" "$BATS_TEST_TMPDIR/out"
    mkdir "$BATS_TEST_TMPDIR/run"
    WARPUP_TRACE=$BATS_TEST_TMPDIR/run "$BATS_TEST_TMPDIR/out/program"
    [ -z "$(jq -r 'select(.event == "fault") | .name' "$BATS_TEST_TMPDIR/run/trace.jsonl")" ]
    diff - <(jq -r 'select(.event == "access") | [.line, .kind, .space, .size, .requests, .sectors // .wavefronts] | join(" ")' \
        "$BATS_TEST_TMPDIR/run/trace.jsonl" | sort) <<'END'
14 load global 4 1 4
14 store global 4 1 4
15 load global 4 1 4
15 store global 4 1 4
16 atomic global 4 1 1
16 load global 4 1 4
6 load global 2 1 2
6 store shared 2 1 1
7 load global 2 1 2
7 store global 2 1 2
9 load shared 2 1 1
9 store global 2 1 2
END
}
