#!/usr/bin/env bats
# sim_async.bats: barriers and pipelines as objects, and asynchronous copies. sim/async.cu holds what both the
# simulated and a real GPU must do; with an argument it makes one mistake.

setup_file() {
    TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    export TOP BUILD=${WARPUP_BUILD:-$TOP/build}
    make -s -C "$TOP" -f checker/lab.mk
    "$BUILD/cc" "$TOP/checker/test/sim/async.cu" "$BATS_FILE_TMPDIR/async"
}

# Runs the program; its output, then a line for each fault: name, line.
told() { # [MISTAKE]
    mkdir -p "$BATS_TEST_TMPDIR/run"
    WARPUP_TRACE=$BATS_TEST_TMPDIR/run timeout 60 "$BATS_FILE_TMPDIR/async/program" "$@"
    jq -r 'select(.event == "fault") | "\(.name) \(.line)"' "$BATS_TEST_TMPDIR/run/trace.jsonl"
}

line() { # MARK
    grep -n "// $1\$" "$TOP/checker/test/sim/async.cu" | cut -d: -f1
}

@test "cuda::barrier, cuda::pipeline and cooperative_groups::memcpy_async" {
    run told
    echo "$output"
    [ "$output" = "as expected" ]
}

@test "a copy of a pipeline that nothing has waited for" {
    run told not-waited-for
    echo "$output"
    [ "${lines[1]}" = "uninitialised-read $(line not-waited-for)" ]
    [ "${#lines[@]}" -eq 2 ]
}

@test "to arrive at a barrier is not to wait" {
    run told only-arrived
    echo "$output"
    [[ $output == *"race-in-block $(line only-arrived)"* ]]
}

@test "a barrier to which not all of its threads come" {
    run told some-never-come
    echo "$output"
    [ "${lines[1]}" = "barrier-divergence $(line some-never-come)" ]
    [ "${#lines[@]}" -eq 2 ]
}
