#!/usr/bin/env bats
# sim_engine.bats: what the simulated GPU counts and which faults it reports, on kernels small enough
# to work out by hand.

setup_file() {
    TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    export TOP BUILD=${WARPUP_BUILD:-$TOP/build}
    make -s -C "$TOP" -f checker/lab.mk
    for name in warps patterns faults members arithmetic; do
        "$BUILD/cc" "$TOP/checker/test/sim/$name.cu" "$BATS_FILE_TMPDIR/$name"
    done
    run_program warps >"$BATS_FILE_TMPDIR/warps.out"
    run_program patterns >"$BATS_FILE_TMPDIR/patterns.out"
}

run_program() { # NAME ARGUMENT...
    local directory=$BATS_FILE_TMPDIR/$1-run
    mkdir -p "$directory"
    # Near the source, both sides of a branch keep their stores, and loops are as written.
    [ "$1" != warps ] || local -x WARPUP_CODE=source
    WARPUP_TRACE=$directory "$BATS_FILE_TMPDIR/$1/program" "${@:2}"
}

# Load requests, load sectors, store requests, store sectors and threads of a program's n-th kernel.
counts() { # NAME N
    jq -r --argjson n "$2" 'select(.event == "kernel" and .id == $n)
        | [.load_requests, .load_sectors, .store_requests, .store_sectors, .threads] | join(" ")' \
        "$BATS_FILE_TMPDIR/$1-run/trace.jsonl"
}

# Requests and wavefronts of the loads from shared memory in the n-th kernel of patterns.cu.
wavefronts() { # N
    jq -r --argjson n "$1" 'select(.event == "access" and .kernel == $n and .space == "shared"
        and .kind == "load") | [.requests, .wavefronts] | join(" ")' \
        "$BATS_FILE_TMPDIR/patterns-run/trace.jsonl"
}

# Runs faults.cu with one fault; prints how it ended, and the names and lines of the reported faults.
fault() { # WHICH
    run_program faults "$1"
    jq -r 'select(.event == "fault") | "\(.name) \(.line)"' "$BATS_FILE_TMPDIR/faults-run/trace.jsonl"
}

# The line of faults.cu that bears this mark.
line() { # MARK
    grep -n "// $1\$" "$TOP/checker/test/sim/faults.cu" | cut -d: -f1
}

@test "both programs ran to their end" {
    [ "$(cat "$BATS_FILE_TMPDIR/warps.out")" = cudaSuccess ]
    [ "$(cat "$BATS_FILE_TMPDIR/patterns.out")" = "cudaSuccess 64" ]
}

@test "few addresses are enough: ulimit -v, WARPUP_ADDRESSES_GB" {
    [[ ! ${SANITIZE-} ]] || skip "AddressSanitizer takes addresses of its own"
    export WARPUP_THREADS=2
    for program in warps patterns; do
        diff <(ulimit -v $((16 << 20)) && run_program "$program") "$BATS_FILE_TMPDIR/$program.out"
        diff <(WARPUP_ADDRESSES_GB=1 run_program "$program") "$BATS_FILE_TMPDIR/$program.out"
    done
    run bash -c 'ulimit -v $((1 << 20)) && "$1/program"' - "$BATS_FILE_TMPDIR/warps"
    [ "$status" -eq 2 ]
    [ "$output" = "warp-up: no addresses are left for the simulated GPU's memory: the run ends here" ]
}

@test "a branch: each side is a request of its own" {
    [ "$(counts warps 1)" = "1 4 2 8 32" ]
}

@test "a triangular loop: lanes leave one by one" {
    # step i has lanes i + 1 … 31: from 124 bytes (4 sectors) down to 4 bytes (1)
    local sectors=0 i
    for ((i = 0; i < 31; i++)); do sectors=$((sectors + 4 - (i + 1) / 8)); done
    [ "$(counts warps 2)" = "31 $sectors 1 4 32" ]
}

@test "a loop with continue: the other half waits" {
    [ "$(counts warps 3)" = "600 2400 1 4 32" ]
}

@test "a loop in a loop: lanes meet at the end of each outer step" {
    local sectors=0 i
    for ((i = 0; i < 31; i++)); do sectors=$((sectors + 4 * (4 - (i + 1) / 8))); done
    [ "$(counts warps 4)" = "124 $sectors 4 16 32" ]
}

@test "a block of 40 threads has a warp of 8" {
    [ "$(counts warps 5)" = "2 2 2 5 40" ]
}

@test "a kernel longer than a log" {
    [ "$(counts warps 6)" = "5000 20000 1 4 32" ]
}

@test "sectors: strides of 1, 2, 8 and 32 elements" {
    [ "$(counts patterns 1)" = "1 4 1 4 32" ]
    [ "$(counts patterns 2)" = "1 8 1 4 32" ]
    [ "$(counts patterns 3)" = "1 32 1 4 32" ]
    [ "$(counts patterns 4)" = "1 32 1 4 32" ]
}

@test "sectors: shifted by one, backwards, 16 bytes per lane, 1 byte per lane" {
    [ "$(counts patterns 5)" = "1 5 1 4 32" ]
    [ "$(counts patterns 6)" = "1 4 1 4 32" ]
    [ "$(counts patterns 7)" = "1 16 1 16 32" ]
    [ "$(counts patterns 8)" = "1 1 1 1 32" ]
}

# Kind, size, requests and sectors of the accesses to global memory of members.cu's n-th kernel.
members() { # N
    jq -r --argjson n "$1" 'select(.event == "access" and .kernel == $n and .space == "global")
        | [.kind, .size, .requests, .sectors] | join(" ")' "$BATS_FILE_TMPDIR/members-run/trace.jsonl"
}

@test "members: those of a vector or of an aligned structure are one access; a structure's own x, y, z are not" {
    run_program members
    [ "$(members 1 | sort | uniq -c | tr -s ' ')" = " 3 load 4 1 12"$'\n'" 3 store 4 1 12" ]
    [ "$(members 2)" = "load 16 1 16"$'\n'"store 16 1 16" ]
    [ "$(members 3 | sort | uniq -c | tr -s ' ')" = " 2 load 8 1 16"$'\n'" 2 store 8 1 16" ]
    # clang loads what is used, 8 and 4 bytes; nvcc loads 4 bytes three times
    [ "$(members 4 | sort | uniq -c | tr -s ' ')" = " 1 load 4 1 16"$'\n'" 1 load 8 1 16"$'\n'" 3 store 4 1 12" ]
    [ "$(members 5 | grep -c ' 4 1 12')" -eq 4 ]
    [ "$(members 6)" = "load 8 1 8"$'\n'"store 8 1 8" ]
    [ "$(members 7)" = "load 16 1 16"$'\n'"store 16 1 16" ]
    [ "$(members 8)" = "load 8 1 8"$'\n'"store 4 1 4" ]
    [ "$(members 9 | sort | uniq -c | tr -s ' ')" = " 2 load 4 1 8"$'\n'" 2 store 4 1 8" ]
    [ "$(members 10 | paste -sd ,)" = "load 1 1 16,load 2 1 16,store 2 1 16,store 1 1 16,load 1 1 16,load 2 1 16,store 4 1 4" ]
    [ -z "$(jq -r 'select(.event == "fault").name' "$BATS_FILE_TMPDIR/members-run/trace.jsonl")" ]
}

@test "banks: strides of 1, 2, 32, 33 words, and a broadcast" {
    [ "$(wavefronts 9)" = "1 1" ]
    [ "$(wavefronts 10)" = "1 2" ]
    [ "$(wavefronts 11)" = "1 32" ]
    [ "$(wavefronts 12)" = "1 1" ]
    [ "$(wavefronts 13)" = "1 1" ]
}

@test "a __device__ variable is global memory, a __constant__ one is not" {
    [ "$(counts patterns 14)" = "1 1 1 4 32" ]
}

@test "atomics are counted on their own, and do not race" {
    [ "$(jq -r 'select(.event == "kernel" and .id == 15) | .atomic_requests' \
        "$BATS_FILE_TMPDIR/patterns-run/trace.jsonl")" = 2 ]
    [ "$(fault atomics)" = cudaSuccess ]
}

@test "a counter that gives out work: neighbouring lanes get neighbours, and all blocks share the work" {
    local trace=$BATS_FILE_TMPDIR/patterns-run/trace.jsonl
    [ "$(counts patterns 16)" = "128 512 128 512 512" ]
    [ "$(counts patterns 17)" = "$(counts patterns 16)" ]
    jq -se 'map(select(.event == "kernel" and .id > 15)) | .[1].latency_ns < 4 * .[0].latency_ns and
        .[1].even_threads > 400' "$trace"
}

# The counts of a kernel of arithmetic.cu, or of one of its lines: floats, their divisions, doubles, their
# divisions, conversions, integer divisions of 32 and of 64 bits.
computed() { # N [MARK]
    local line
    line=$(grep -n "// ${2-}\$" "$TOP/checker/test/sim/arithmetic.cu" | cut -d: -f1)
    jq -r --argjson n "$1" --argjson line "${line:-null}" '
        select(if $line then .event == "arithmetic" and .kernel == $n and .line == $line
            else .event == "kernel" and .id == $n end)
        | [.floats, .float_divisions, .doubles, .double_divisions, .conversions, .divisions, .divisions_64]
        | join(" ")' "$BATS_FILE_TMPDIR/arithmetic-run/trace.jsonl"
}

@test "arithmetic: each operation of each thread is counted, by its kind and by its line" {
    [ "$(run_program arithmetic)" = cudaSuccess ]
    [ "$(computed 1)" = "560 0 0 0 0 0 0" ] # 40 threads, 7 steps, 2 each
    [ "$(computed 2)" = "70 0 0 0 0 0 0" ]  # 5 threads
    [ "$(computed 3)" = "32 0 640 0 960 0 0" ] # x and sum become doubles, the sum a float: 10 times
    [ "$(computed 3 doubles)" = "0 0 640 0 960 0 0" ]
    [ "$(computed 3 'as float')" = "32 0 0 0 0 0 0" ] # exact in float
    [ "$(computed 4)" = "0 0 0 0 0 640 0" ]
    [ "$(computed 4 divisions)" = "0 0 0 0 0 320 0" ] # the remainder comes with the quotient
    [ "$(computed 4 'long divisions')" = "0 0 0 0 0 320 0" ] # by 7 is multiplying; both numbers fit in 32 bits
    [ "$(computed 5)" = "4 2 1 1 4 0 0" ] # a root is a division, fmaf() two operations, __expf() one and a special one
    [ "$(computed 6)" = "12800 0 0 0 0 0 0" ]
    [ "$(computed 6 before)" = "6400 0 0 0 0 0 0" ]
    [ "$(computed 6 behind)" = "6400 0 0 0 0 0 0" ]
    [ "$(computed 7)" = "9830400 0 0 0 0 0 0" ] # 16384 threads, on all cores
    WARPUP_CODE=source run_program arithmetic
    [ "$(computed 4)" = "0 0 0 0 0 320 320" ] # as it is written
}

@test "illegal addresses end the kernel, with the line" {
    [ "$(fault past-end)" = "cudaErrorIllegalAddress
out-of-bounds $(line past-end)" ]
    [ "$(fault freed)" = "cudaErrorIllegalAddress
use-after-free $(line reads)" ]
    [ "$(fault host)" = "cudaErrorIllegalAddress
host-pointer-in-kernel $(line reads)" ]
    [ "$(fault null)" = "cudaErrorIllegalAddress
null-pointer $(line reads)" ]
    [ "$(fault misaligned)" = "cudaErrorMisalignedAddress
misaligned-access $(line misaligned)" ]
    [ "$(fault misaligned-array)" = "cudaErrorMisalignedAddress
misaligned-access $(line misaligned-array)" ]
}

@test "reads of unwritten memory are reported, global and shared" {
    [ "$(fault unwritten)" = "cudaSuccess
uninitialised-read $(line reads)" ]
    [ "$(fault unwritten-shared)" = "cudaSuccess
uninitialised-read $(line unwritten-shared)" ]
}

@test "races: of readers in several blocks, one is named" {
    [ "$(WARPUP_THREADS=1 fault last-writes)" = "cudaSuccess
race-between-blocks $(line last-writes)" ]
    jq -es 'any(.event == "fault" and .block[0] == 2 and .other_block[0] < 2 and .other_thread == [0, 0, 0] and .other_kind == "load")' \
        "$BATS_FILE_TMPDIR/faults-run/trace.jsonl"
}

@test "no race: data that a block published by a fence while other blocks run" {
    [ "$(WARPUP_THREADS=8 fault publishes)" = cudaSuccess ]
}

@test "no race: blocks that take turns by a lock in a device variable; data that the last one overwrites" {
    [ "$(WARPUP_THREADS=8 fault in-turn)" = cudaSuccess ]
    [ "$(fault last-overwrites)" = cudaSuccess ]
    [ "$(fault resets-alone)" = cudaSuccess ]
}

@test "no race: threads of a block that store the same value; data that one of them publishes for all" {
    [ "$(fault leave-the-same)" = cudaSuccess ]
}

@test "members that nvcc joins must be aligned together; a single one need not" {
    [ "$(fault adds-members)" = "cudaErrorMisalignedAddress
misaligned-access $(line adds-members)" ]
    [ "$(fault stores-members)" = "cudaErrorMisalignedAddress
misaligned-access $(line stores-members)" ]
    [ "$(fault single-members)" = cudaSuccess ]
}

@test "an exchange does not read, so its memory may be uninitialised" {
    [ "$(fault exchanges)" = cudaSuccess ]
}

@test "a float4 that begins in an array may end in its padding, and not begin there" {
    [ "$(fault padding)" = cudaSuccess ]
    [ "$(fault past-padding)" = "cudaSuccess
uninitialised-read $(line sums-of-four)" ]
}

@test "past the end of a device variable, or a constant one: the variable is named" {
    [ "$(fault past-variable)" = "cudaErrorIllegalAddress
out-of-bounds $(line past-variable)" ]
    [ "$(jq -r 'select(.event == "fault").detail' "$BATS_FILE_TMPDIR/faults-run/trace.jsonl")" = "byte 32 of few, which has 32 bytes" ]
    [ "$(fault past-constant)" = "cudaErrorIllegalAddress
out-of-bounds $(line past-constant)" ]
    [ "$(jq -r 'select(.event == "fault").detail' "$BATS_FILE_TMPDIR/faults-run/trace.jsonl")" = "byte 24 of fewer, which has 16 bytes" ]
}

@test "races: between blocks, between threads, in shared memory" {
    [ "$(fault all-sum)" = "cudaSuccess
race-between-blocks $(line all-sum)" ]
    [ "$(fault adds-to-variable)" = "cudaSuccess
race-between-blocks $(line adds-to-variable)" ]
    [ "$(fault two-threads)" = "cudaSuccess
race-in-block $(line all-sum)" ]
    [ "$(fault same-place)" = "cudaSuccess
race-in-block $(line same-place)" ]
    fault neighbour | grep -qx "race-in-block $(line neighbour)"
    [ "$(fault resets-early)" = "cudaSuccess
race-in-block $(line resets-early)" ]
    [ "$(fault resets-shared)" = "cudaSuccess
race-in-block $(line resets-shared)" ]
}

@test "a race says what each of the two threads did" {
    kinds() { fault "$1" >/dev/null && jq -r 'select(.event == "fault") | "\(.kind) \(.other_kind)"' "$BATS_FILE_TMPDIR/faults-run/trace.jsonl"; }
    [ "$(kinds same-place)" = "store store" ]
    [ "$(kinds two-threads)" = "store load" ]
    [ "$(kinds resets-early)" = "store atomic" ]
    [ "$(kinds resets-shared)" = "store atomic" ]
}

@test "a barrier orders both memories" {
    [ "$(fault through-barrier)" = cudaSuccess ]
    [ "$(fault neighbour-in-time)" = cudaSuccess ]
}

@test "the fault record says which threads and which allocation" {
    run_program faults past-end
    run jq -c 'select(.name == "out-of-bounds") | [.block, .thread, .kind, .bytes, .alloc, .offset, .alloc_bytes]' \
        "$BATS_FILE_TMPDIR/faults-run/trace.jsonl"
    [ "$output" = '[[0,0,0],[31,0,0],"store",4,1,256,256]' ]
}
