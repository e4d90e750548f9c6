#!/usr/bin/env bats
# sim_warp.bats: what the threads of a block do together on the simulated GPU: warp functions,
# barriers, static and dynamic shared memory, copies to it. lanes.cu and shared.cu hold what a real
# GPU must do as well; together.cu, beyond.cu and copies.cu make one mistake at a time.

setup_file() {
    TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    export TOP BUILD=${WARPUP_BUILD:-$TOP/build}
    make -s -C "$TOP" -f checker/lab.mk
    for name in lanes together shared beyond copies overlap groups; do
        "$BUILD/cc" "$TOP/checker/test/sim/$name.cu" "$BATS_FILE_TMPDIR/$name"
    done
}

# Runs a program; its output, then a line for each fault that its trace tells: name, line, detail.
told() { # NAME ARGUMENT...
    local run=$BATS_TEST_TMPDIR/$1
    mkdir -p "$run"
    WARPUP_TRACE=$run timeout "${WARPUP_SECONDS:-20}" "$BATS_FILE_TMPDIR/$1/program" "${@:2}"
    jq -r 'select(.event == "fault") | "\(.name) \(.line) \(.detail // "")"' "$run/trace.jsonl"
}

# The line of a program that bears this mark.
line() { # NAME MARK
    grep -n "// $2\$" "$TOP/checker/test/sim/$1.cu" | cut -d: -f1
}

# The program's case of this name tells a fault on the line with that name as its mark, first of all.
tells() { # NAME CASE FAULT DETAIL
    WARPUP_CODE=source run told "$1" "$2" # no barrier or dead load of a mistake is optimised away
    echo "$output"
    [ "${lines[0]}" = cudaSuccess ]
    [ "${lines[1]}" = "$3 $(line "$1" "$2") $4" ]
}

# The counts of the n-th kernel of shared.cu.
kernel_field() { # N FIELD
    jq -r --argjson n "$1" "select(.event == \"kernel\" and .id == \$n) | .$2" \
        "$BATS_TEST_TMPDIR/shared/trace.jsonl"
}

@test "shuffles, votes, matches, reductions and counting barriers, as on a real GPU" {
    run told lanes
    [ "$output" = "as expected" ]
}

@test "cooperative groups: blocks, tiles, coalesced lanes, reductions" {
    run told groups
    [ "$output" = "as expected" ]
}

@test "a barrier that threads reach in different places is reported with both lines" {
    local other
    other=$(($(line together two-places) + 3))
    tells together two-places barrier-divergence "other threads of the block wait at together.cu:$other"
    other=$(($(line together in-a-loop) + 2))
    tells together in-a-loop barrier-divergence "other threads of the block wait at together.cu:$other"
}

@test "a barrier in a function, in a loop, or after threads have ended is not reported" {
    [ "$(told together one-place)" = cudaSuccess ]
}

@test "a lane outside its own mask, and lanes that wait elsewhere, are reported" {
    tells together partial-mask lanes-missing "lane 16 of the warp calls it, but the mask 0x0000ffff does not include this lane"
    tells together missing-lanes lanes-missing \
        "it waits for lane 16 of the warp, but that lane waits at a barrier of the block"
    [ "$(told together half-warp)" = cudaSuccess ]
}

@test "static and dynamic shared memory, in templates and functions, and their limits" {
    run told shared
    echo "$output"
    [ "$output" = "as expected" ]
}

@test "a kernel's static shared memory, with that of functions it calls, and how many blocks fit" {
    told shared
    [ "$(kernel_field 1 static_shared)" = 259 ]
    [ "$(kernel_field 2 static_shared)" = 0 ]
    [ "$(kernel_field 5 static_shared)" = 256 ]
    [ "$(kernel_field 6 static_shared)" = 4096 ]
    [ "$(kernel_field 7 static_shared)" = 264 ]
    # 228 KB for blocks of 48 KB and 1 KB of the system's
    [ "$(kernel_field 10 blocks_per_sm)" = 4 ]
}

@test "accesses past the end of a shared array, or before its start, are reported with the array's name" {
    tells beyond one-past shared-out-of-bounds "byte 256 of left, which has 256 bytes"
    tells beyond one-before shared-out-of-bounds "4 bytes before the start of s"
    tells beyond small-tile shared-out-of-bounds "byte 128 of tile, which has 128 bytes"
}

@test "an access past the end of a local array is reported, though a GPU goes on" {
    WARPUP_CODE=source run told beyond local-array
    [ "${lines[0]}" = cudaSuccess ]
    [[ ${lines[1]} = "out-of-bounds $(line beyond local-array) byte "* ]]
    WARPUP_CODE=source run told beyond whole-local-array
    [ "$output" = cudaSuccess ]
}

@test "an access past the dynamic shared memory of the launch is reported" {
    tells beyond too-few-bytes shared-out-of-bounds "byte 252 of the dynamic shared memory, which has 252 bytes"
    WARPUP_CODE=source run told beyond forgotten-bytes
    [ "${lines[1]}" = "shared-out-of-bounds $(line beyond too-few-bytes) byte 0 of the dynamic shared memory, which has 0 bytes" ]
}

@test "a kernel with more than 48 KB of static shared memory is refused, as nvcc refuses it" {
    printf '%s\n' '__global__ void large(float *x) {' '__shared__ float s[12289];' \
        's[threadIdx.x] = 1; x[0] = s[0]; }' 'int main() { large<<<1, 1>>>(nullptr); }' \
        >"$BATS_TEST_TMPDIR/large.cu"
    run "$BUILD/cc" "$BATS_TEST_TMPDIR/large.cu" "$BATS_TEST_TMPDIR/large"
    [ "$status" -eq 1 ]
    [ "$output" = "large.cu:1: error: large declares 49156 bytes of shared memory; at most 49152 are possible" ]
    printf '%s\n' 'template <int N> __global__ void wide(float *x) {' '__shared__ float s[N];' \
        's[threadIdx.x] = 1; x[0] = s[0]; }' 'int main() { wide<12288><<<1, 1>>>(nullptr); }' \
        >"$BATS_TEST_TMPDIR/wide.cu"
    "$BUILD/cc" "$BATS_TEST_TMPDIR/wide.cu" "$BATS_TEST_TMPDIR/wide"
}

@test "asynchronous copies: batches, sizes and zeros, as on a real GPU" {
    [ "$(told copies right)" = "cudaSuccess
as expected" ]
    [ "$(told copies sizes)" = "cudaSuccess
as expected" ]
}

@test "data of an asynchronous copy must not be read before a thread has waited for it" {
    local why="nothing has waited for the asynchronous copy to it (__pipeline_wait_prior)"
    tells copies not-awaited uninitialised-read "$why"
    tells copies not-committed uninitialised-read "$why"
    tells copies one-too-few uninitialised-read "$why"
}

@test "waiting for a copy is not a barrier, and a copy must not start too early" {
    told copies no-barrier | grep -qx "race-in-block $(line copies no-barrier) "
    told copies too-soon | grep -qx "race-in-block $(line copies too-soon) "
    tells copies too-small shared-out-of-bounds "byte 128 of s, which has 128 bytes"
}

@test "loads overlap with computing if a warp computes between the load and its store or wait" {
    run told overlap
    [ -z "$output" ]
    [ "$(jq -r 'select(.event == "kernel") | "\(.overlap_bytes) of \(.load_bytes)"' \
        "$BATS_TEST_TMPDIR/overlap/trace.jsonl" | paste -sd, -)" = \
        "0 of 4096,0 of 4096,3840 of 4096,0 of 4096,3840 of 4096,3840 of 4096,3840 of 4096,0 of 4096" ]
}
