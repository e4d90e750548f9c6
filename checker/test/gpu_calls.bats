#!/usr/bin/env bats
# calls.bats: CUDA calls on the simulated GPU that know streams, host threads and registered memory (calls.cu).
bats_require_minimum_version 1.5.0

setup_file() {
    TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    BUILD=${WARPUP_BUILD:-$TOP/build}
    export TOP BUILD
    make -s -C "$TOP" -f checker/lab.mk
    "$BUILD/cc" "$TOP/checker/test/gpu/calls.cu" "$BATS_FILE_TMPDIR/calls"
}

# Runs the program; its last line, then a line for each fault: name, line.
told() { # [MISTAKE]
    rm -rf "$BATS_TEST_TMPDIR/run"
    mkdir "$BATS_TEST_TMPDIR/run"
    WARPUP_TRACE=$BATS_TEST_TMPDIR/run timeout 60 "$BUILD/gpu" "$BATS_FILE_TMPDIR/calls/program" "$@" | tail -n 1
    jq -r 'select(.event == "fault") | "\(.name) \(.line)"' "$BATS_TEST_TMPDIR/run/trace.jsonl"
}

# The mistake makes this fault, on the line with its mark, and no other.
tells() { # MISTAKE FAULT
    run told "$1"
    echo "$output"
    [ "$output" = "as expected"$'\n'"$2 $(grep -n "// $1\$" "$TOP/checker/test/gpu/calls.cu" | cut -d: -f1)" ]
}

@test "memory of streams, registered memory, streams of threads, refused launches: all right" {
    run told
    echo "$output"
    [ "$output" = "as expected" ]
}

@test "memory that a stream makes or frees while another one uses it" {
    tells made-elsewhere streams-not-ordered
    tells freed-elsewhere use-after-free
    tells used-after-free use-after-free
}

@test "a copy of memory of which only a part is registered" {
    tells partly-registered copy-out-of-bounds
}

@test "registered memory that the host reads before the copy to it has finished" {
    tells registered-too-early host-too-early
}
