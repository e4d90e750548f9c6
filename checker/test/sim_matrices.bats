#!/usr/bin/env bats
# sim_matrices.bats: products by a warp: mma.h, and the same instructions in PTX. The programs in sim/ hold what both
# the simulated and a real GPU must do.

bats_require_minimum_version 1.5.0

setup() {
    load helper
    load sim/told
    make -s -C "$TOP" -f checker/lab.mk
    cd "$BATS_TEST_TMPDIR" || return
}

@test "mma.h: all shapes and types, rows and columns, roundings" {
    run told "$TOP/checker/test/sim/wmma.cu"
    echo "$output"
    [ "$output" = "as expected" ]
}

# Lines 6, 7 and 9 load and store; the block has this number of threads.
one_product() { # THREADS
    cat >product.cu <<END
#include <mma.h>
using namespace nvcuda::wmma;
__global__ void k(const half *a, const half *b, float *c) {
    fragment<matrix_a, 16, 16, 16, half, row_major> x; fragment<matrix_b, 16, 16, 16, half, row_major> y; fragment<accumulator, 16, 16, 16, float> z;
    fill_fragment(z, 0);
    load_matrix_sync(x, a, 64);
    load_matrix_sync(y, b, 64);
    mma_sync(z, x, y, z);
    store_matrix_sync(c, z, 64, mem_row_major);
}
int main() {
    half *a, *b; float *c;
    cudaMalloc(&a, 64 * 64 * 2); cudaMalloc(&b, 64 * 64 * 2); cudaMalloc(&c, 64 * 64 * 4);
    cudaMemset(a, 0, 64 * 64 * 2); cudaMemset(b, 0, 64 * 64 * 2);
    k<<<1, $1>>>(a, b, c);
    cudaDeviceSynchronize();
    cudaFree(a); cudaFree(b); cudaFree(c);
}
END
    told product.cu
}

# An H200 counts the same.
@test "the accesses of a load and a store are the warp's, on the student's lines" {
    run -0 one_product 32
    [ -z "$output" ]
    diff - <(jq -r 'select(.event == "access") | [.line, .kind, .space, .size, .requests, .sectors] | join(" ")' \
        run/trace.jsonl | sort) <<'END'
6 load global 4 4 32
7 load global 4 4 32
9 store global 8 4 32
END
}

@test "a product for which lanes of the warp are missing" {
    run -0 one_product 16
    echo "$output"
    [[ $output == "lanes-missing 6"* ]]
}

@test "tensor cores add and cut off as an H200's do, bit by bit" {
    run -0 told "$TOP/checker/test/sim/sums.cu"
    diff - "$TOP/checker/test/sim/sums.txt" <<<"$output"
}

# A warp of one block multiplies 100 times. An instruction takes its operations' time at the rate of the H200's profile,
# on one tensor core of four; m16n8k4 and wmma's TF32 reach 72 % of the rate, and bfloat16 twice the rate.
@test "what tensor cores compute is counted, and takes its time" {
    cat >rates.cu <<'END'
#include <mma.h>
using namespace nvcuda;
__global__ void short_ones(float *out) {
    float d[4] = {};
    for (int i = 0; i < 100; i++)
        asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %4}, {%4}, {%0, %1, %2, %3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(0));
    out[threadIdx.x] = d[0];
}
__global__ void whole_ones(float *out) {
    float d[4] = {};
    for (int i = 0; i < 100; i++)
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, {%0, %1, %2, %3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(0));
    out[threadIdx.x] = d[0];
}
__global__ void bfloats(float *out) {
    float d[4] = {};
    for (int i = 0; i < 100; i++)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, {%0, %1, %2, %3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(0));
    out[threadIdx.x] = d[0];
}
__global__ void fragments(float *out) {
    wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> d;
    wmma::fill_fragment(a, 0); wmma::fill_fragment(b, 0); wmma::fill_fragment(d, 0);
    for (int i = 0; i < 100; i++) wmma::mma_sync(d, a, b, d);
    out[threadIdx.x] = d.x[0];
}
int main() {
    float *out;
    cudaMalloc(&out, 128);
    short_ones<<<1, 32>>>(out); whole_ones<<<1, 32>>>(out); bfloats<<<1, 32>>>(out); fragments<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
END
    run -0 told rates.cu
    jq -r 'select(.event == "kernel") | [.tensor_flops / 100, .compute_ns / 100] | @tsv' run/trace.jsonl |
        awk -F'\t' '
            { print; if ($1 != flops[NR] || $2 < 0.99 * ns[NR] || $2 > 1.01 * ns[NR]) wrong = 1 }
            BEGIN {
                split("1024 2048 4096 4096", flops, " ")
                ns[2] = ns[3] = 2048 / 1221 / 1.98 # of a whole SM; one warp alone takes four times as long, which is in latency_ns
                ns[1] = ns[2] / 2 / 0.72
                ns[4] = ns[2] * 2 / 0.72
            }
            END { exit wrong || NR != 4 }'
}
