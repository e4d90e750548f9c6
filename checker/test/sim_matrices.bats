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
