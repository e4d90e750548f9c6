#!/usr/bin/env bats
# sim_half.bats: cuda_fp16.h on the simulated GPU. half.cu holds what a real GPU must do as well.

setup_file() {
    TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    export TOP BUILD=${WARPUP_BUILD:-$TOP/build}
    make -s -C "$TOP" -f checker/lab.mk
}

@test "halves: conversions, roundings, arithmetic, functions, pairs, atomics, shuffles" {
    "$BUILD/cc" "$TOP/checker/test/sim/half.cu" "$BATS_TEST_TMPDIR/half"
    run "$BATS_TEST_TMPDIR/half/program"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$output" = "as expected" ]
}

@test "a half is an access of 2 bytes, a pair one of 4, on the student's line; a shared array of them is only that" {
    "$BUILD/cc" "$TOP/checker/test/sim/half_accesses.cu" "$BATS_TEST_TMPDIR/out"
    mkdir "$BATS_TEST_TMPDIR/run"
    WARPUP_TRACE=$BATS_TEST_TMPDIR/run "$BATS_TEST_TMPDIR/out/program"
    [ -z "$(jq -r 'select(.event == "fault") | .name' "$BATS_TEST_TMPDIR/run/trace.jsonl")" ]
    # Line 10 loads nothing new; the pair that line 21 stores has the line of what follows.
    diff - <(jq -r 'select(.event == "access") | [.line, .kind, .space, .size, .requests, .sectors // .wavefronts] | join(" ")' \
        "$BATS_TEST_TMPDIR/run/trace.jsonl" | sort) <<'END'
10 store global 2 1 2
12 load shared 2 1 1
12 store global 2 1 2
18 load global 4 1 4
19 store global 4 1 4
21 load global 4 1 4
22 atomic global 4 1 1
22 load global 4 1 4
22 store global 4 1 4
9 load global 2 1 2
9 store shared 2 1 1
END
}
