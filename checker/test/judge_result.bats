#!/usr/bin/env bats
# The judge on results that come to the host in every lawful way: it must find them, and must not
# take anything else for them.
bats_require_minimum_version 1.5.0

load helper
load judge/fixture

setup() {
    take sim
}

# Replaces the copy back of the run for 1000 by several: OFFSET BYTES SNAPSHOT, each a line.
pieces() { # LINES
    local copies='' offset bytes data
    while read -r offset bytes data; do
        copies+="(.host += $offset | .offset = $offset | .bytes = $bytes | .data = \"$data\"), "
    done <<<"$1"
    records "if .direction == \"d2h\" then ${copies%, } else . end" sim-1
}

@test "result: pieces in any order are put together" {
    "$TOOLS/floats" 1000 head 300 >sim-1/data-7.bin
    "$TOOLS/floats" 1000 from 300 >sim-1/data-8.bin
    pieces $'1200 2800 data-8.bin\n0 1200 data-7.bin'
    expect reached 6
}

@test "result: a hole between the pieces is no result" {
    "$TOOLS/floats" 1000 head 300 >sim-1/data-7.bin
    "$TOOLS/floats" 1000 from 301 >sim-1/data-8.bin
    "$TOOLS/floats" 1000 noise >sim-1/data-2.bin
    pieces $'1204 2796 data-8.bin\n0 1200 data-7.bin'
    expect 'not yet' 0
    diagnosed partial-copy 15 'at most 699 of 1000'
}

@test "result: a later copy lies over an earlier one, in its middle and at its ends" {
    "$TOOLS/floats" 1000 noise >sim-1/data-7.bin
    "$TOOLS/floats" 1000 head 400 >sim-1/data-8.bin
    "$TOOLS/floats" 1000 from 400 >sim-1/data-9.bin
    pieces $'0 4000 data-7.bin\n0 1600 data-8.bin\n1600 2400 data-9.bin'
    expect reached 6
    cd / && rm -rf "$CHECK" && take sim
    "$TOOLS/floats" 1000 noise | head -c 40 >sim-1/data-5.bin
    tail -c +401 sim-1/data-0.bin | head -c 40 >sim-1/data-6.bin
    pieces $'0 4000 data-0.bin\n400 40 data-5.bin\n400 40 data-6.bin'
    expect reached 6
}

@test "result: an earlier right copy does not save a later wrong one" {
    "$TOOLS/floats" 1000 noise | head -c 40 >sim-1/data-5.bin
    "$TOOLS/floats" 1000 noise >sim-1/data-2.bin
    pieces $'0 4000 data-0.bin\n400 40 data-5.bin'
    expect 'not yet' 0
    diagnosed wrong-result 15 '10 of 1000 elements are wrong; element 100'
}

@test "result: padding behind it does not matter" {
    head -c 96 /dev/zero >>sim-1/data-0.bin
    records 'if .direction == "d2h" then .bytes = 4096 else . end' sim-1
    expect reached 6
}

@test "result: both arrays in one piece of memory" {
    cat sim-1/data-1.bin sim-1/data-0.bin >both
    mv both sim-1/data-0.bin
    records 'if .direction == "d2h" then .bytes = 8000 else . end' sim-1
    expect reached 6
}

@test "result: one of several arrays that came to the host" {
    pieces $'90000 4000 data-1.bin\n0 4000 data-0.bin\n180000 4000 data-1.bin'
    expect reached 6
}

@test "result: managed memory counts by its last contents" {
    records 'select(.event != "copy") | if .event == "alloc" then .space = "managed" else . end' sim-0 sim-1 sim-2
    expect reached 6
    "$TOOLS/floats" 1000 zeros >sim-1/data-2.bin
    cp sim-1/data-2.bin sim-1/data-1.bin
    expect 'not yet' 0
    diagnosed all-zeros 15
}

@test "result: pinned memory that the kernel writes counts by its last contents" {
    records 'select(.event != "copy") | if .event == "alloc" then .space = "pinned" else . end' sim-1
    expect reached 6
}

@test "result: device memory alone is not the host's" {
    records 'select(.event != "copy")' sim-1
    expect 'not yet' 0
    diagnosed not-copied-back 15
}

@test "result: timed runs without kept contents are held to their Diff" {
    records 'del(.data)' sim-2
    expect reached 6
    printed 3987 0.1 >sim-2/stdout
    expect 'not yet' 0
    diagnosed printed-diff - 'for 100000, the program prints Diff = 0.1'
}

@test "result: without any kept contents it cannot be told" {
    records 'del(.data)' sim-0 sim-1 sim-2
    expect 'could not check' 0
    is "$(field '.criteria[] | select(.id == "right").seen')" 'the trace does not hold what came to the host'
}

@test "result: what is costly to recompute is sampled, its edges always" {
    change '.runs[2].arguments = ["100000", "1e7"]' check.json
    expect reached 6
    result sim-2 100000 wrong 99999
    expect 'not yet' 0
    diagnosed wrong-result 15 '1 of 16384 elements are wrong; element 99999'
    result sim-2 100000 kth 100
    expect 'not yet' 0
    diagnosed wrong-result 15
}

@test "result: a right float may be off by rounding, and no more" {
    result sim-1 1000 scaled 1.00000006
    expect reached 6
    result sim-1 1000 scaled 1.0001
    expect 'not yet' 0
}
