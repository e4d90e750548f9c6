#!/usr/bin/env bats
# The judge on results that come to the host in every allowed way: it must find them, and nothing else.
bats_require_minimum_version 1.5.0

load helper
load judge/fixture

setup() {
    take sim
}

# Replaces the copy back of the run for 1000 by several, one per line: OFFSET BYTES SNAPSHOT.
pieces() { # LINES
    local copies='' offset bytes data
    while read -r offset bytes data; do
        copies+="(.host += $offset | .offset = $offset | .bytes = $bytes | .data = \"$data\"), "
    done <<<"$1"
    records "if .direction == \"d2h\" then ${copies%, } else . end" sim-1
}

@test "result: pieces in any order are joined" {
    "$TOOLS/floats" 1000 head 300 >sim-1/data-7.bin
    "$TOOLS/floats" 1000 from 300 >sim-1/data-8.bin
    pieces $'1200 2800 data-8.bin\n0 1200 data-7.bin'
    expect reached 6
}

@test "result: pieces with a gap between them are not a result" {
    "$TOOLS/floats" 1000 head 300 >sim-1/data-7.bin
    "$TOOLS/floats" 1000 from 301 >sim-1/data-8.bin
    "$TOOLS/floats" 1000 noise >sim-1/data-2.bin
    pieces $'1204 2796 data-8.bin\n0 1200 data-7.bin'
    differs sim-1
    expect 'not yet' 0
    diagnosed partial-copy 15 'at most 699 of 1000'
}

@test "result: a later copy replaces parts of an earlier one, in its middle and at its ends" {
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
    differs sim-1
    expect 'not yet' 0
    diagnosed wrong-result 5 '10 of 1000 elements are wrong. Element 100'
}

@test "result: padding after it does not matter" {
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
    differs sim-1
    expect 'not yet' 0
    diagnosed all-zeros 15
}

@test "result: pinned memory that the kernel writes counts by its last contents" {
    records 'select(.event != "copy") | if .event == "alloc" then .space = "pinned" else . end' sim-1
    expect reached 6
}

@test "result: a result that is only in device memory has not come to the host" {
    records 'select(.event != "copy")' sim-1
    expect 'not yet' 0
    diagnosed not-copied-back 15
}

@test "result: timed runs without kept contents are judged by their Diff" {
    records 'del(.data)' sim-2
    expect reached 6
    printed 3987 0.1 >sim-2/stdout
    expect 'not yet' 0
    diagnosed printed-diff - 'with arguments 100000, the program prints Diff = 0.1'
}

@test "result: without any kept contents nothing can be decided" {
    records 'del(.data)' sim-0 sim-1 sim-2
    expect 'could not check' 0
    is "$(field '.criteria[] | select(.id == "right").seen')" 'the trace does not contain the data that came to the host'
}

@test "result: an expensive result is sampled, and its edges are always compared" {
    change '.runs[2].arguments = ["100000", "1e7"]' check.json
    expect reached 6
    result sim-2 100000 wrong 99999
    expect 'not yet' 0
    diagnosed wrong-result 5 '1 of 16384 elements is wrong. Element 99999'
    result sim-2 100000 kth 100
    expect 'not yet' 0
    diagnosed wrong-result 5
}

# The run has a square of 32 x 32 elements, of which this many bytes came to the host.
moved() { # WAY FIGURE BYTES
    cd / && rm -rf "$CHECK" && take sim
    change '.runs[1].arguments = ["1024"]' check.json
    rm -r sim-1
    good_run sim-1 sim 1024
    "$TOOLS/floats" 1024 "$1" "$2" >sim-1/data-0.bin
    records 'if .direction == "d2h" then .bytes = '"$3"' | .kernel_bytes = '"${4-$3}"' else . end' sim-1
    "$TOOLS/floats" 1024 noise >sim-1/data-2.bin
}

@test "result: in double, padded, transposed, in structures or after something, if Diff is small" {
    while read -r way figure bytes; do
        moved "$way" "$figure" "$bytes"
        expect reached 6
        differs sim-1
        expect 'not yet' 0
        moved "$way" "$figure" "$bytes" 4092
        expect 'not yet' 0
        diagnosed result-from-host 18
        moved "$way" "$figure" "$bytes"
        printf '\0\0\310\102' | dd of=sim-1/data-0.bin bs=4 seek=$((bytes / 4 - 1)) conv=notrunc status=none
        expect 'not yet' 0
        diagnosed result-not-found 18 'Diff = 1.02e-08 is small, but what came back from the GPU is not the result'
        is "$(field '.criteria[] | select(.id == "right").seen')" 'not found in the data that came back for 1024, WARPUP_SEED=1'
    done <<END
doubles 0 8192
padded 5 4736
transposed 0 4096
pairs 0 8192
after 7 4124
END
}

@test "result: brought back piece by piece through one small buffer" {
    "$TOOLS/floats" 1000 head 300 >sim-1/data-7.bin
    "$TOOLS/floats" 1000 from 300 >sim-1/data-8.bin
    pieces $'1200 2800 data-8.bin\n0 1200 data-7.bin'
    records 'if .direction == "d2h" then .host = 70000000 | .kernel_bytes = .bytes else . end' sim-1
    expect reached 6
    records 'if .direction == "d2h" and .offset == 0 then .kernel_bytes = 400 else . end' sim-1
    expect 'not yet' 0
    diagnosed result-from-host 18 'this line copies 1200 bytes to the host. The host itself wrote 800 of them'
    differs sim-1
    expect 'not yet' 0
}

@test "result: a right array next to the one that the program compares" {
    pieces $'90000 4000 data-7.bin\n0 4000 data-0.bin'
    "$TOOLS/floats" 1000 scaled 1.5 >sim-1/data-7.bin
    differs sim-1
    expect 'not yet' 0
    diagnosed wrong-result 18 'the printed Diff uses the array that this line copies: 1000 of its 1000 elements are wrong'
    printed 3987 0.4 >sim-1/stdout
    expect 'not yet' 0
    diagnosed printed-diff - 'prints Diff = 0.4'
}

@test "result: a right float may differ by rounding, but not by more" {
    "$TOOLS/floats" 1000 scaled 1.00000006 >sim-1/data-0.bin
    expect reached 6
    result sim-1 1000 scaled 1.0001
    expect 'not yet' 0
}

@test "result: a result that came to the host in part" {
    take sim
    records 'if .direction == "d2h" then .bytes = 2000 else . end' sim-1
    "$TOOLS/floats" 1000 head 500 >sim-1/data-0.bin
    differs sim-1
    expect 'not yet' 0
    diagnosed partial-copy 18 "the GPU's memory holds the right result, 4000 bytes, but only 2000 bytes were copied to the host"
    "$TOOLS/floats" 1000 noise >sim-1/data-2.bin
    expect 'not yet' 0
    diagnosed partial-copy 15 'at most 500 of 1000 elements came to the host'
}

@test "result: copied to the host before the launch, or in part" {
    take sim
    records 'if .event == "launch" then {event: "copy", direction: "d2h", bytes: 4000, host: 70000000, from: 2, offset: 0, data: "data-3.bin", start: 60, end: 70, file: "program.cu", line: 14}, .
             elif .event == "copy" and .direction == "d2h" then empty else . end' sim-1
    "$TOOLS/floats" 1000 input 1 >sim-1/data-3.bin
    differs sim-1
    expect 'not yet' 0
    diagnosed not-copied-back 14 'this copy to the host comes before the kernel launch'
    take_again_sim
    records 'if .event == "copy" and .direction == "d2h" then .start = 1001 | .end = 1300 else . end' sim-1
    records 'if .event == "kernel" then .end = 1200 else . end' sim-1
    "$TOOLS/floats" 1000 input 1 >sim-1/data-0.bin
    differs sim-1
    expect 'not yet' 0
    diagnosed copy-too-early 18 'this copy to the host began before the kernel had finished'
    take_again_sim
    records 'if .event == "copy" and .direction == "d2h" then .bytes = 2000 else . end' sim-1
    truncate -s 2000 sim-1/data-0.bin
    differs sim-1
    expect 'not yet' 0
    diagnosed partial-copy 18 'only 2000 bytes were copied to the host'
}

take_again_sim() {
    cd / && rm -rf "$BATS_TEST_TMPDIR/check"
    take sim
}

# A textbook's three products of TF32 parts are right for every seed; what has fewer digits is not.
@test "matmul's oracle allows what rounding explains, on tensor cores too, and refuses fewer digits" {
    gcc -O2 -std=c11 -I "$TOP/checker" -o "$BATS_TEST_TMPDIR/roundings" "$BATS_TEST_DIRNAME/judge/roundings.c" \
        "$TOP"/ex04_matmul/checker/oracle.c -lm
    local n way accepted seeds last
    while read -r n way accepted; do
        last=$way seeds=$([[ $n = 33 ]] && echo 200 || echo 10000)
        case $way in
            float | 3-tf32*) ((accepted == seeds)) ;;
            *bf16) [ "$n" != 33 ] || ((accepted * 100 <= 2 * seeds)) ;;
            *) ((accepted * 100 <= seeds)) ;;
        esac || fail "N = $n: of $seeds, the oracle accepts $accepted of $way"
    done < <("$BATS_TEST_TMPDIR/roundings" 10000 1 2 5 && "$BATS_TEST_TMPDIR/roundings" 200 33)
    [ "$last" = 3-bf16 ]
}
