#!/usr/bin/env bats
# races.bats: races that the simulated GPU finds. Kernels of graph codes are compared with an exact
# oracle (races/graphs.cu). messages.cu makes one mistake at a time, for what its fault says.

setup_file() {
    TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    export TOP BUILD=${WARPUP_BUILD:-$TOP/build}
    make -s -C "$TOP" -f checker/lab.mk
    "$BUILD/cc" "$TOP/checker/test/races/messages.cu" "$BATS_FILE_TMPDIR/messages"
}

# The fields of the first fault that a case of messages.cu gives: name, line, other line, detail.
said() { # CASE [FIELD]
    WARPUP_CODE=source WARPUP_TRACE=$BATS_TEST_TMPDIR timeout 20 "$BATS_FILE_TMPDIR/messages/program" "$1"
    jq -r "select(.event == \"fault\") | .$2" "$BATS_TEST_TMPDIR/trace.jsonl" | head -n 1
}

# The line of messages.cu that bears this mark.
line() { # MARK
    grep -n "// $1\$" "$TOP/checker/test/races/messages.cu" | cut -d: -f1
}

@test "kernels of graph codes: no race is missed, and none is reported that is not there" {
    run "$TOP/checker/test/races/compare" sample 12
    echo "$output"
    [ "$status" -eq 0 ]
}

@test "a missing fence is named with the lines of the store, and of the atomic or flag after it" {
    for how in flag atomic; do
        article=$([ $how = flag ] && echo a || echo an)
        run said "behind-$article-$how" detail
        store=$(line "store-of-$how")
        [ "${lines[1]}" = "no __threadfence() between the store at line $store and the $how at line $((store + 1))" ]
        run said "behind-$article-$how" other_line
        [ "${lines[1]}" = "$store" ]
    done
}

@test "a race within a warp says that both threads are of one" {
    run said within-a-warp 'name + " " + (.same_warp | tostring)'
    [ "${lines[1]}" = "race-in-block true" ]
}

@test "atomics that only hold within a block race with those of other blocks" {
    run said scope-of-a-block 'name + " " + (.line | tostring)'
    [ "${lines[1]}" = "race-between-blocks $(line scope-of-a-block)" ]
}

@test "half of a double that nothing has written is reported; a member of a vector that nobody needs is not" {
    run said half-of-a-double 'name + " " + (.line | tostring)'
    [ "${lines[1]}" = "uninitialised-read $(line half-of-a-double)" ]
    run said part-of-a-vector name
    [ "$output" = cudaSuccess ]
}
