#!/usr/bin/env bats
# sim_libraries.bats: thrust, cub and curand. thrust.cu and cub.cu in sim/ hold what both the simulated and a real
# GPU must do.

setup() {
    TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    BUILD=${WARPUP_BUILD:-$TOP/build}
    make -s -C "$TOP" -f checker/lab.mk
    cd "$BATS_TEST_TMPDIR" || return
}

# Runs a program of sim/; its output, then a line for each fault.
told() { # NAME
    "$BUILD/cc" "$TOP/checker/test/sim/$1.cu" "$1"
    mkdir -p run
    WARPUP_TRACE=run timeout 60 "$1/program"
    jq -r 'select(.event == "fault") | "\(.name) \(.line)"' run/trace.jsonl
}

@test "thrust: vectors, maps, sums and order" {
    run told thrust
    echo "$output"
    [ "$output" = "as expected" ]
    jq -es 'any(.[]; .event == "launch" and .library == "thrust" and .line > 0)' run/trace.jsonl
}

@test "cub: sums and scans; curand in kernels: numbers of the right mean and variance" {
    run told cub
    echo "$output"
    [ "$output" = "as expected" ]
}

@test "curand: the numbers of NVIDIA's default generator, on the host and in device memory" {
    run told curand
    echo "$output"
    [ "$output" = "as expected" ]
    jq -es 'any(.[]; .event == "kernel" and .library == "curand")' run/trace.jsonl
}

@test "cuda::atomic_ref; complex numbers of thrust and libcu++, which a kernel moves with one access" {
    run told atomic_ref
    echo "$output"
    [ "$output" = "as expected" ]
    # A joined store has the line of what follows it.
    run jq -r --argjson line "$(grep -n 'to\[i\] = z\[i\]' "$TOP/checker/test/sim/atomic_ref.cu" | cut -d: -f1)" \
        'select(.event == "access" and .line >= $line) | "\(.kind) \(.size)"' run/trace.jsonl
    [ "$output" = $'load 8\nstore 8' ]
}

@test "cuda::std::span and array; a view that is longer than its memory" {
    "$BUILD/cc" "$TOP/checker/test/sim/span.cu" span
    mkdir right wrong
    WARPUP_TRACE=right span/program
    jq -es 'all(.[]; .event != "fault")' right/trace.jsonl
    WARPUP_TRACE=wrong run span/program longer
    [ "$(jq -r 'select(.event == "fault") | "\(.name) \(.line)"' wrong/trace.jsonl)" = \
        "out-of-bounds $(grep -n '// too-long$' "$TOP/checker/test/sim/span.cu" | cut -d: -f1)" ]
}

@test "bfloat16: conversions, rounding, arithmetic" {
    run told bf16
    echo "$output"
    [ -z "$output" ]
    bf16/program
}
