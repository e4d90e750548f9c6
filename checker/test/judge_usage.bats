#!/usr/bin/env bats
# The judge's measures of how the GPU is used, alternatives to pass a criterion, runs that may be refused,
# libraries, and faults in shared memory.
# shellcheck disable=SC2016 # filters of jq have dollars of their own
bats_require_minimum_version 1.5.0

load helper
load judge/fixture

# Gives the judge a ladder of its own, each row `ID MEASURE TEST VALUE [LIMIT]` on rung 1.
ladder() { # ROW...
    local row columns
    mkdir "$BATS_TEST_TMPDIR/tools"
    cp "$TOOLS"/{judge,floats} "$BATS_TEST_TMPDIR/tools/"
    TOOLS=$BATS_TEST_TMPDIR/tools
    for row; do
        read -ra columns <<<"$row"
        printf '1\t%s\t%s\t%s\t%s\t%s for {may_refuse}\tnext of %s\n' "${columns[@]:0:4}" "${columns[0]}" "${columns[0]}"
    done >"$TOOLS/ladder.tsv"
}

# The state of a criterion: passed, seen.
criterion() { # ID
    field ".criteria[] | select(.id == \"$1\") | \"\(.passed) \(.seen)\""
}

# Puts records of the accesses to shared memory into the speed run's trace.
shared() { # FIELDS
    records 'if .event == "kernel" then {event: "access", kernel: 1, space: "shared", kind: "load", size: 4, requests: 100,
        lanes: 3200, wavefronts: 100, ideal: 100, worst_lanes: 32, worst_wavefronts: 1, file: "program.cu", line: 7} + {'"$1"'}, . else . end' sim-2
}

@test "usage: intensity counts what lanes load, and what comes from DRAM" {
    take sim
    ladder 'loaded intensity >= 0.25' 'dram dram_intensity >= 0.2'
    records 'if .event == "kernel" then .dram_bytes = 2000000 else . end' sim-2
    judge
    is "$(criterion loaded)" 'true 0.25 flop per byte loaded'
    is "$(criterion dram)" 'false 0.1 flop per byte from DRAM'
    is "$(field '.intensity | tostring')" '{"loaded":0.25,"dram":0.1}'
    is "$(field '.work | tostring')" '{"arguments":"100000","bytes":1200000,"flops":200000}'
}

@test "usage: without loads there is no intensity" {
    take sim
    ladder 'loaded intensity >= 0.25'
    records 'if .event == "kernel" then .load_bytes = 0 else . end' sim-2
    judge
    is "$(criterion loaded)" 'null no kernel loads from global memory'
    is "$(field '.intensity.loaded')" null
}

@test "usage: accesses to shared memory count no sectors and no lane bytes" {
    take sim
    ladder 'vector bytes_per_access = 16' 'per shared_intensity >= 15' 'banks wavefronts <= 1' 'lanes active_lanes >= 20'
    shared ''
    judge
    is "$(criterion vector)" 'true 16 bytes per thread and access'
    is "$(criterion per)" 'true 15.6 flop per byte of shared memory'
    is "$(criterion banks)" 'true 1 wavefront per wavefront needed'
    is "$(field .wavefronts_per_request)" 1
}

@test "usage: bank conflicts are reported with the worst line" {
    take sim
    ladder 'banks wavefronts <= 2'
    shared 'wavefronts: 3200, worst_wavefronts: 32'
    judge
    is "$(criterion banks)" 'false 32 wavefronts per wavefront needed'
    is "$(field '.diagnoses[0] | "\(.name) \(.line) \(.criterion) \(.text)"')" \
        "bank-conflict 7 banks one warp's 32 loads of shared memory take 32 wavefronts; 1 would be enough"
    is "$(field '.diagnoses | length')" 1
    is "$(field .wavefronts_per_request)" 32
}

@test "usage: a kernel without shared memory has no bank conflicts and no shared loads" {
    take sim
    ladder 'banks wavefronts <= 1' 'per shared_intensity >= 9' 'tiles shared_bytes >= 1'
    judge
    is "$(criterion banks)" 'true the kernel uses no shared memory'
    is "$(criterion per)" 'true the kernel reads no shared memory'
    is "$(criterion tiles)" 'false none'
    is "$(field .wavefronts_per_request)" null
}

# Gives the speed run, of 391 blocks of 256 threads, lines that compute. Sets what they cost of its 300 ns.
arithmetic() { # DOUBLES CONVERSIONS DIVISIONS DOUBLES_COST_NS DIVISIONS_COST_NS
    records '{event: "arithmetic", kernel: 1, file: "program.cu", line: 6, floats: 900000, conversions: 10, divisions: 20} as $other
        | if .event == "kernel" then $other, ($other + {line: 7, doubles: '"$1"', conversions: '"$2"'}),
            ($other + {line: 8, divisions: '"$3"', divisions_64: 96}), . + {doubles_cost_ns: '"$4"', divisions_cost_ns: '"$5"'}
        else . end' sim-2
}

@test "usage: doubles, and divisions in a loop, are reported with their line if they cost speed" {
    take sim
    ladder 'kernel kernels >= 1' 'fast share >= 1.9'
    arithmetic 200192 400384 3202976 100 150
    judge
    is "$(field '.diagnoses | length')" 2
    is "$(field '.diagnoses[0] | "\(.name) \(.line) \(.criterion) \(.text)"')" \
        'double-arithmetic 7 fast each thread does 2 operations in double here, and 4 conversions from or to double. By the model, floats alone would make the kernel 1.5 times as fast'
    is "$(field '.diagnoses[1] | "\(.name) \(.line) \(.criterion) \(.text)"')" \
        'division-in-loop 8 fast each thread divides whole numbers 32 times here. By the model, the kernel would be 2 times as fast without these divisions'
}

@test "usage: arithmetic is not reported if it costs little, divides rarely, or if speed is reached or not required yet" {
    take sim
    cp sim-2/trace.jsonl trace
    quiet() { # CASE ROW...
        ladder "${@:2}"
        judge
        rm -r "$TOOLS"
        TOOLS=$BATS_FILE_TMPDIR/tools
        is "$1: $(field '.diagnoses | length')" "$1: 0"
    }
    arithmetic 200192 400384 3202976 30 30
    quiet 'little' 'fast share >= 1.9'
    cp trace sim-2/trace.jsonl
    arithmetic 0 0 600000 0 150
    quiet 'few divisions' 'fast share >= 1.9'
    cp trace sim-2/trace.jsonl
    arithmetic 200192 400384 3202976 100 150
    quiet 'reached' 'fast share >= 0.5'
    quiet 'not asked for yet' 'many kernels >= 2' 'fast share >= 1.9'
}

@test "usage: an invalid count of operations is a damaged trace" {
    take sim
    arithmetic 200192 -4 3202976 100 150
    judge
    is "$CODE" 2
    has "$(field '.internal_errors[0]')" 'sim-2/trace.jsonl:9: `conversions` is not a count'
}

@test "usage: shared memory of a block is the sum of static and dynamic, if kernels read the inputs there" {
    take sim
    ladder 'tiles shared_bytes >= 4096'
    records 'if .event == "launch" then .shared = 1024 elif .event == "kernel" then .static_shared = 4096 else . end' sim-2
    judge
    is "$(criterion tiles)" 'false 5120 bytes per block, but the kernel hardly reads them'
    records 'if .event == "kernel" then {event: "access", kernel: 1, space: "shared", kind: "load", size: 4, requests: 6250,
        wavefronts: 6250, ideal: 6250, lanes: 200000}, . else . end' sim-2
    judge
    is "$(criterion tiles)" 'true 5120 bytes per block'
}

@test "usage: the part of the loads that overlaps with computing" {
    take sim
    ladder 'overlap overlap >= 0.5'
    records 'if .event == "kernel" then .overlap_bytes = 0.75 * .load_bytes else . end' sim-2
    judge
    is "$(criterion overlap)" 'true 75 % of the loaded bytes while the block computes'
}

@test "usage: what tensor cores compute; with them a program may be faster than the limit, but not at will" {
    take both
    ladder 'tensor tensor >= 1' 'share share >= 1.15'
    printf '#limit\tcublas\n' >>"$TOOLS/ladder.tsv"
    echo '{"value":133.0,"unit":"Gflop/s","how":"measured","device":"NVIDIA H200"}' >"$CHECK/limit.json"
    judge
    is "$(criterion tensor)" 'false none'
    is "$(criterion share)" 'true 500 %'
    is "$(field '.diagnoses[0].name')" work-outside-the-timer
    records 'if .event == "kernel" then .tensor_flops = 600000 else . end' sim-2
    judge
    is "$(criterion tensor)" 'true 3 flop of tensor cores per flop of the problem'
    is "$(criterion share)" 'true 500 %'
    is "$(field '.diagnoses | length')" 0
    sed -i 's/133/124/' "$CHECK/limit.json" # 536 %, and 16 / 3 is 533 %
    judge
    is "$(field '.diagnoses[0].name')" work-outside-the-timer
}

@test "usage: the largest difference of block size or nthr from the first argument, over all runs" {
    take sim
    ladder 'asked block_mismatch <= 1' 'each threads_per_item <= 1'
    judge
    is "$(criterion asked)" 'false 256 threads per block with the arguments 100000'
    is "$(field '.criteria[] | select(.id == "asked").needed')" 'at most 1 thread more or fewer per block than the first argument'
    is "$(criterion each)" 'false 1 thread per element of the result'
    local run n
    for run in sim-0 sim-1 sim-2; do # blocks and lines that are as asked, of any shape
        n=$(jq -r '.argv[1]' "$CHECK/$run/run.json")
        records "if .event == \"launch\" then .block = [1, $n, 1] else . end" $run
        sed -i "s/GPU: nthr = *[0-9]*/GPU: nthr = $n/" "$CHECK/$run/stdout"
    done
    judge
    is "$(criterion asked | cut -d' ' -f 1)" true
    for run in sim-0 sim-1 sim-2; do # a kernel with blocks of its own that stores little does not count
        records 'if .event == "kernel" then
                (.id += 100 | .end = .start | .store_bytes = 4 | {event: "launch", id, kernel: "head", grid: [1, 1, 1], block: [1024, 1, 1], error: 0, t: .start}, .), .
            else . end' $run
    done
    judge
    is "$(criterion asked | cut -d' ' -f 1)" true
    sed -i "s/GPU: nthr = *[0-9]*/GPU: nthr = 256/" "$CHECK/sim-0/stdout"
    judge
    is "$(criterion asked)" 'false prints nthr = 256 for 31'
}

@test "usage: occupancy and what limits it" {
    local case
    for case in '256 0 0 1 threads 8' '32 0 0 0.5 blocks 32' '256 40 0 0.75 registers 6' '256 64 0 0.5 registers 4' \
        '1024 32 0 1 threads 2' '96 168 0 0.1875 registers 4' '128 0 32768 0.375 shared\ memory 6' '64 0 232448 0.03125 shared\ memory 1'; do
        rm -rf "$BATS_TEST_TMPDIR/check"
        take sim
        eval "set -- $case"
        records "if .event == \"launch\" then .block = [$1, 1, 1] elif .event == \"kernel\" then .registers = $2 | .static_shared = $3 else . end" sim-2
        judge
        is "$case: $(field '.occupancy | "\(.value) \(.limited_by) \(.blocks_per_sm)"')" "$case: $4 $5 $6"
    done
}

@test "usage: registers come from the real GPU where there is one" {
    take both
    ladder 'occupancy occupancy >= 0.8'
    records 'if .event == "kernel" then .registers = 40 else . end' real-1
    judge
    is "$(criterion occupancy)" 'false 75 %, limited by registers'
}

@test "usage: rows with one id are alternatives to pass, and the one that holds is shown" {
    take sim
    ladder 'either shared_bytes >= 1' 'either bytes_per_access >= 16'
    judge
    is "$(criterion either)" 'true 16 bytes per thread and access'
    is "$(field '.criteria | length')" 1
    ladder_row=$(sed 's/bytes_per_access\t>=\t16/bytes_per_access\t>=\t17/' "$TOOLS/ladder.tsv")
    printf '%s\n' "$ladder_row" >"$TOOLS/ladder.tsv"
    judge
    is "$(criterion either)" 'false none'
    is "$(field '.criteria[0].needed')" some
    is "$(field .next)" 'next of either'
}

@test "usage: one criterion has one rung, and few rows" {
    take sim
    ladder 'a threads >= 1' 'a threads >= 1' 'a threads >= 1' 'a threads >= 1' 'a threads >= 1'
    judge
    has "$(field '.internal_errors[0]')" 'ladder.tsv:5: too many alternatives'
    sed -i '3,$d; 2s/^1/2/' "$TOOLS/ladder.tsv"
    judge
    has "$(field '.internal_errors[0]')" 'ladder.tsv:2: one criterion has rows in two rungs'
}

# The speed run's kernel is a library's, which ran it once before the timer started.
library='if .event == "launch" then .t = 100 | .library = "cublasSgemm" |
        (., {event: "kernel", id: 1, start: 100, end: 500000, library: "cublasSgemm", store_bytes: 400000}, {event: "clock", t: 600000}, (.id = 2 | .t = 600500))
    elif .event == "kernel" then {event, id: 2, start: (.start + 600000), end: (.end + 600000), library: "cublasSgemm", load_bytes: 800000, store_bytes: 400000}
    elif .event == "access" then empty elif .t then .t += 600000 else . end'

@test "usage: a library may use the GPU as it likes, and its first call before the timer does not count" {
    take sim
    ladder 'threads threads >= 256' 'tiles shared_bytes >= 1' 'overlap overlap >= 0.5' 'share share >= 0.8' 'own library <= 0'
    records "$library" sim-2
    judge
    is "$(criterion threads)" 'true left to cublasSgemm'
    is "$(criterion tiles)" 'true left to cublasSgemm'
    is "$(criterion overlap)" 'true left to cublasSgemm'
    is "$(criterion share)" 'true 99.7 %, modelled'
    is "$(criterion own)" 'false cublasSgemm'
    is "$(field '.criteria[4].needed')" none
    is "$(field '.rate.value | round')" 3987
}

@test "usage: a library's call may be several kernels on the real GPU" {
    take both
    ladder 'share share >= 0.9'
    records "$library" sim-2
    records 'if .event == "kernel" then (range(4) as $i | .id = $i | .start += $i * 100000 | .end = .start + 100) else . end' real-1 real-2
    judge
    is "$(field '.rate.value * 10 | round')" 120
}

@test "usage: a modelled share of cuBLAS's rate is that of the SMs in use" {
    take sim
    ladder 'share share >= 0.5'
    printf '#limit\tcublas\n' >>"$TOOLS/ladder.tsv"
    records 'if .event == "begin" then .cublas_gflops = 2000 elif .event == "launch" then .grid = [33, 1, 1]
        elif .event == "kernel" then .start_ns = 101 else . end' sim-2
    judge
    is "$(field '.rate | "\(.value | round) \(.unit)"')" '664 Gflop/s'
    is "$(field '.limit | "\(.value | round) \(.unit)"')" '332 Gflop/s'
    is "$(criterion share)" 'true 200 %, modelled'
    is "$(field '.share | round')" 2
    sed -i 's/0\.5/3.1/' "$TOOLS/ladder.tsv"
    judge
    is "$(criterion share)" 'false 200 %, modelled'
    is "$(field '.criteria[0].needed')" 'at least 310 % of the limit'
    sed -i 's/3\.1/2/' "$TOOLS/ladder.tsv"
    judge
    is "$CODE $(field .status) $(field .undecided)" '1 undecided 1'
    is "$(criterion share)" "undecided 200 %, modelled: cannot be decided without a GPU, $(sed -n 's/^BAND("stream", \(.*\), \(.*\), .*/\1 to \2/p' "$TOP/checker/judge/measure/bands.def") of what is needed"
}

# Adds a run of 1000 elements, on this device, that is timed as a problem of another shape.
second_shape() { # DEVICE DIRECTORY
    cp -r "$2" "$2-other"
    change '.runs += [{dir: "'"$2-other"'", device: "'"$1"'", purpose: "speed_second_shape", arguments: ["1000"]}]' check.json
}

@test "usage: the timed size of the second shape has a share of its own, and changes no other measure" {
    ladder 'share share >= 0.9' 'other share_second_shape >= 0.6' 'all blocks_per_sm_filled >= 1'
    take sim
    judge
    is "$(criterion other)" 'null it was not timed at the size that this rung is about'
    second_shape sim sim-1
    judge
    is "$(criterion share)" 'true 99.7 %, modelled'
    is "$(criterion other)" 'true 75 % for 1000, modelled'
    is "$(criterion all)" 'true 391 blocks for 132 SMs'
    records 'if .event == "kernel" then .end = 1011 else . end' sim-1-other
    judge
    is "$(field '.criteria[1].passed')" false
    is "$(field '.diagnoses[0] | "\(.name) \(.criterion)"')" 'few-blocks other'
}

@test "usage: of a modelled run at the other size, the time to start its kernels is left out" {
    ladder 'share share >= 0.9' 'other share_second_shape >= 0.6'
    take sim
    second_shape sim sim-1
    records 'if .event == "kernel" then .end = 1010 | .start_ns = 6 else . end' sim-1-other
    judge
    is "$(criterion other)" 'true 75 % for 1000, modelled'
}

@test "usage: with a GPU, the other size counts only where it was measured; its floor is then the whole one" {
    ladder 'share share >= 0.9' 'other share_second_shape >= 0.9'
    take both
    second_shape sim sim-1
    judge
    is "$(criterion other)" 'null it was not timed at the size that this rung is about'
    second_shape real real-0
    judge
    is "$(criterion other)" 'false 75 % for 1000'
}

@test "usage: the other size counts for nothing if the program is wrong there" {
    ladder 'right right = 1' 'share share >= 0.9' 'other share_second_shape >= 0.9'
    take sim
    second_shape sim sim-1
    result sim-1-other 1000 noise
    judge
    is "$(criterion right)" 'false wrong for 1000, WARPUP_SEED=1'
    is "$(field '.criteria[2] | "\(.passed) \(.after)"')" 'null right'
}

# Makes the run for 1000 one whose arguments may be refused.
may_refuse() {
    rm -rf "$BATS_TEST_TMPDIR/check"
    take sim
    change '.runs[1].purpose = "may_refuse"' check.json
}

refused() {
    records 'select(.event == "begin" or .event == "end")' sim-1
    change '.exit = 1' sim-1/run.json
    : >sim-1/stdout
    echo 'program: N is no multiple of 32' >sim-1/stderr
}

@test "usage: arguments that may be refused are refused, or the result is right" {
    ladder 'runs runs = 1' 'right right = 1' 'refuses refuses = 1' 'any may_refuse = 1'
    may_refuse
    judge
    is "$(field '[.criteria[].passed] | tostring')" '[true,true,true,true]'
    is "$(field '.criteria[3].text')" 'any for 1000'
    refused
    judge
    is "$(field '[.criteria[].passed] | tostring')" '[true,true,true,false]'
    is "$(criterion any)" 'false the program refuses the size 1000; from this rung on, all sizes have to work'
    is "$(field '.diagnoses | length')" 0
}

@test "usage: a result that is neither right nor refused is reported" {
    ladder 'right right = 1' 'refuses refuses = 1'
    may_refuse
    result sim-1 1000 noise
    judge
    is "$(field '[.criteria[].passed] | tostring')" '[true,false]'
    is "$(criterion refuses)" 'false wrong for 1000, WARPUP_SEED=1'
    is "$(field '.diagnoses[0] | "\(.name) \(.criterion)"')" 'wrong-result refuses'
    may_refuse
    refused
    : >sim-1/stderr
    judge
    is "$(criterion refuses)" 'false returned an error for 1000, WARPUP_SEED=1'
    is "$(field '.diagnoses[0] | "\(.name) \(.criterion)"')" 'non-zero-exit refuses'
}

# A fault in shared memory of the run for 1000.
fault() { # NAME FIELDS
    rm -rf "$BATS_TEST_TMPDIR/check"
    take sim
    records 'if .event == "kernel" then ., ({event: "fault", name: "'"$1"'", count: 3, file: "program.cu", line: 5, kernel: 1,
        block: [3, 0, 0], thread: [40, 0, 0], space: "shared", kind: "load", bytes: 4} + {'"${2-}"'}) else . end' sim-1
    result sim-1 1000 noise # without a wrong result, some of these are not faults
    expect 'not yet' 0
}

@test "usage: races and unwritten words in shared memory are reported with the missing barrier" {
    fault race-in-block 'other_block: [3, 0, 0], other_thread: [8, 0, 0], other_line: 4'
    diagnosed race-in-block 5 'thread 40 of block 3 reads 4 bytes of shared memory that thread 8 (line 4) uses, and no barrier (__syncthreads) separates them'
    fault race-in-block 'other_block: [3, 0, 0], other_thread: [8, 0, 0], other_kind: "store"'
    diagnosed race-in-block 5 'thread 40 of block 3 reads 4 bytes of shared memory that thread 8 writes, and no barrier'
    fault race-in-block 'kind: "store", other_block: [3, 0, 0], other_thread: [8, 0, 0], other_kind: "store"'
    diagnosed race-in-block 5 'thread 40 of block 3 writes 4 bytes of shared memory that thread 8 writes too, and no barrier'
    fault race-in-block 'same_warp: true, other_block: [3, 0, 0], other_thread: [41, 0, 0], other_kind: "store"'
    diagnosed race-in-block 5 'and no barrier separates them: they are in one warp, so __syncwarp() is enough'
    [[ $(field .next) == 'put a __syncwarp()'* ]]
    records 'if .event == "fault" then ., (.same_warp = false | .line = 6) else . end' sim-1
    expect 'not yet' 0
    diagnosed race-in-block 5 'and no barrier (__syncthreads) separates them'
    [[ $(field .next) != *__syncwarp* ]]
    fault race-between-blocks 'space: "", kind: "store", other_block: [4, 0, 0], other_thread: [8, 0, 0], other_kind: "store"'
    diagnosed race-between-blocks 5 'both write this memory. Nothing decides which is last'
    fault uninitialised-read 'detail: "nothing has waited for the copy"'
    diagnosed uninitialised-read 5 'reads 4 bytes of shared memory that no thread of its block has written before'
    fault uninitialised-read 'other_block: [3, 0, 0], other_thread: [8, 0, 0], other_line: 4'
    diagnosed uninitialised-read 5 'Probably thread 8 had to write them, but that thread ended at line 4, before the barrier'
    fault uninitialised-read 'other_block: [3, 0, 0], other_thread: [8, 0, 0]'
    diagnosed uninitialised-read 5 'Probably thread 8 had to write them, but that thread ended, before the barrier'
    fault shared-out-of-bounds 'kind: "store"'
    diagnosed shared-out-of-bounds 5 'thread 40 of block 3 writes 4 bytes of shared memory out of bounds'
}

@test "usage: a read of shared memory that nothing has written is a fault only where the result is wrong" {
    take sim
    records 'if .event == "kernel" then ., {event: "fault", name: "uninitialised-read", count: 3, file: "program.cu", line: 5, kernel: 1,
        block: [3, 0, 0], thread: [40, 0, 0], space: "shared", kind: "load", bytes: 4} else . end' sim-1
    expect reached 6
    result sim-1 1000 noise
    expect 'not yet' 0
    diagnosed uninitialised-read 5 'reads 4 bytes of shared memory that no thread of its block has written before'
}

@test "usage: barriers and shuffles that not all threads reach" {
    fault barrier-divergence
    diagnosed barrier-divergence 5 'thread 40 of block 3 waits at a barrier (__syncthreads), but not every thread of its block reaches it'
    fault barrier-divergence 'other_block: [3, 0, 0], other_thread: [8, 0, 0]'
    diagnosed barrier-divergence 5 'but thread 8 of its block ends without reaching it'
    fault lanes-missing
    diagnosed lanes-missing 5 'the mask of thread 40 of block 3 includes lanes of its warp that never make this call'
}

@test "usage: of several faults, the one that explains the most comes first" {
    fault uninitialised-read 'detail: "nothing has waited for the copy"'
    records 'if .event == "fault" then ., (.name = "race-in-block" | .line = 6), (.name = "barrier-divergence" | .line = 7) else . end' sim-1
    expect 'not yet' 0
    is "$NAMES" ' barrier-divergence race-in-block uninitialised-read '
}

@test "usage: managed memory that moves while the timed kernels run is reported, on both devices" {
    take both
    records 'if .event == "alloc" then .space = "managed" else . end' sim-2 real-1 real-2
    expect reached 6
    records 'if .event == "kernel" then .end = .start + 4 * 301 else . end' real-1 real-2
    printed 996.68 1e-8 | tee real-1/stdout >real-2/stdout
    expect 'not yet' 4
    is "$(field '.diagnoses | length')" 0
    records 'if .event == "kernel" then .moved_bytes = 1200000 else . end' sim-2
    expect 'not yet' 4
    diagnosed managed-memory-moves 10 'with arguments 100000, 1.2 MB of managed memory move to the GPU when the kernel first touches them. The kernel waits for them, and reaches only 997 GB/s'
    is "$(field .next)" 'move the arrays to the GPU before you start the timer: cudaMemPrefetchAsync()'
    rm -r "$CHECK"
    take sim
    records 'if .event == "alloc" then .space = "managed" elif .event == "kernel" then .moved_bytes = 1200000 | .end = .start + 100000 else . end' sim-2
    printed 12 1e-8 >sim-2/stdout
    judge
    diagnosed managed-memory-moves 10 'with arguments 100000, 1.2 MB of managed memory'
}

@test "usage: on a GPU, a timer that includes the first call of a library is reported as such" {
    take both
    records 'if .event == "launch" then .library = "cublas" else . end' sim-2
    printed 0.05 1e-8 | tee real-1/stdout >real-2/stdout
    expect 'not yet' 1
    diagnosed first-library-call 15 'this is the first call of cublas'
}
