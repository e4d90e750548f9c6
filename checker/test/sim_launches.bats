#!/usr/bin/env bats
# sim_launches.bats: every way to launch beside <<<…>>>: cooperative launches, configurations with
# attributes, graphs. grid.cu and graphs.cu in sim/ hold what both the simulated and a real GPU must do; with
# an argument they make one mistake.

setup_file() {
    TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    export TOP BUILD=${WARPUP_BUILD:-$TOP/build}
    make -s -C "$TOP" -f checker/lab.mk
    for name in grid graphs; do
        "$BUILD/cc" "$TOP/checker/test/sim/$name.cu" "$BATS_FILE_TMPDIR/$name"
    done
}

# Runs a program; its output, then a line for each fault: name, line.
told() { # PROGRAM [MISTAKE]
    mkdir -p "$BATS_TEST_TMPDIR/run"
    WARPUP_TRACE=$BATS_TEST_TMPDIR/run timeout 60 "$BATS_FILE_TMPDIR/$1/program" "${@:2}"
    jq -r 'select(.event == "fault") | "\(.name) \(.line)"' "$BATS_TEST_TMPDIR/run/trace.jsonl"
}

# The mistake makes this fault, on the line with its mark, and no other.
tells() { # PROGRAM MISTAKE FAULT
    run told "$1" "$2"
    echo "$output"
    [ "${lines[-1]}" = "$3 $(grep -n "// $2\$" "$TOP/checker/test/sim/$1.cu" | cut -d: -f1)" ]
    [ "${#lines[@]}" -eq 2 ]
}

@test "a grid waits for itself: memory, shared memory, sizes" {
    run told grid
    echo "$output"
    [ "$output" = "as expected" ]
}

@test "with one thread, and without a trace, it is the same" {
    WARPUP_THREADS=1 run told grid
    [ "$output" = "as expected" ]
    run "$BATS_FILE_TMPDIR/grid/program"
    [ "$output" = "as expected" ]
}

@test "blocks of a cooperative launch that do not wait for each other race" {
    local line
    line=$(grep -n "// too-early\$" "$TOP/checker/test/sim/grid.cu" | cut -d: -f1)
    run told grid too-early
    echo "$output"
    # Whoever comes later is reported: the one that reads, or the one that writes what was read.
    [[ $output == *"race-between-blocks $line"* || $output == *"race-between-blocks $((line - 2))"* ]]
}

@test "a fault after the grid has waited has its line" {
    tells grid past-the-end out-of-bounds
}

@test "a grid waits for blocks that have ended" {
    tells grid some-end barrier-divergence
}

@test "a grid waits for itself without a cooperative launch" {
    run told grid not-cooperative
    echo "$output"
    [[ ${lines[-1]} == "assert-failed "* ]]
}

@test "graphs, captured and made of nodes, and launches with a configuration" {
    run told graphs
    echo "$output"
    [ "$output" = "as expected" ]
}

@test "a captured kernel that leaves its array has its line" {
    tells graphs past-the-end out-of-bounds
}

@test "branches of a graph that nothing orders" {
    run told graphs unordered
    echo "$output"
    [[ ${lines[-1]} == "streams-not-ordered "* ]]
}
