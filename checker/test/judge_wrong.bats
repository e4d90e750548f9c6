#!/usr/bin/env bats
# The judge on wrong programs: each is refused with the name of its mistake and its line.
bats_require_minimum_version 1.5.0

load helper
load judge/fixture

# The check of a program that makes a fault in its run for 1000.
fault() { # NAME [FIELDS]
    rm -rf "$BATS_TEST_TMPDIR/check"
    take sim
    records 'if .event == "kernel" then ., ({event: "fault", name: "'"$1"'", count: 3, file: "program.cu", line: 5} + {'"${2-}"'}) else . end' sim-1
}

in_kernel='kernel: 1, kernel_name: "add", block: [3, 0, 0], thread: [232, 0, 0], kind: "store", bytes: 4'

@test "wrong: every fault of the trace is reported with its line" {
    fault out-of-bounds "$in_kernel, alloc: 2, alloc_bytes: 4000, offset: 4000"
    expect 'not yet' 0
    diagnosed out-of-bounds 5 'thread 232 of block 3 writes 4 bytes out of bounds, just past the end of an array of 4000 bytes (3 times here)'
    is "$(field '.diagnoses[0] | "\(.criterion) \(.code)"')" 'clean y[i] = 2 * x[i] + y[i];'
    fault host-pointer-in-kernel "$in_kernel"
    expect 'not yet' 0
    diagnosed host-pointer-in-kernel 5 "uses a pointer to host memory"
    fault null-pointer "$in_kernel"
    expect 'not yet' 0
    diagnosed null-pointer 5 'uses a null pointer'
    fault misaligned-access "$in_kernel"
    expect 'not yet' 0
    diagnosed misaligned-access 5 'not a multiple of 4'
    fault assert-failed "$in_kernel, detail: \"i < n\""
    expect 'not yet' 0
    diagnosed assert-failed 5 'thread 232 of block 3: i < n'
    fault use-after-free "$in_kernel"
    expect 'not yet' 0
    diagnosed use-after-free 5 'memory that is already freed'
    fault uninitialised-read "$in_kernel, kind: \"load\""
    expect 'not yet' 0
    diagnosed uninitialised-read 5 'reads 4 bytes that nothing has written'
}

@test "wrong: races name both threads" {
    fault race-between-blocks "$in_kernel, other_block: [4, 0, 0], other_thread: [1, 2, 0]"
    expect 'not yet' 0
    diagnosed race-between-blocks 5 'thread 232 of block 3 and thread (1, 2, 0) of block 4'
    [[ $(field '.diagnoses[0].text') != *bits* ]]
    fault race-between-blocks "$in_kernel, other_block: [259, 0, 0], other_thread: [232, 0, 0]"
    expect 'not yet' 0
    diagnosed race-between-blocks 5 'The numbers of these threads differ by a multiple of 65536, as if the index had only 16 bits'
    fault race-in-block "$in_kernel"
    expect 'not yet' 0
    diagnosed race-in-block 5
}

@test "wrong: a fault is the cause of a wrong result, and is shown there" {
    fault race-in-block "$in_kernel"
    expect 'not yet' 0
    is "$(field '.diagnoses[0] | "\(.name) \(.criterion)"')" 'race-in-block clean'
    result sim-1 1000 zeros
    expect 'not yet' 0
    is "$(field '.diagnoses | map("\(.name) \(.criterion)") | join(", ")')" 'race-in-block right, wrong-result right'
}

@test "wrong: faults of the host are reported" {
    fault device-pointer-on-host
    expect 'not yet' 0
    diagnosed device-pointer-on-host 5 "the host uses a pointer to the GPU's memory"
    fault double-free
    expect 'not yet' 0
    diagnosed double-free 5
    fault bad-free
    expect 'not yet' 0
    diagnosed bad-free 5
    fault copy-direction
    expect 'not yet' 0
    diagnosed copy-direction 5
    fault copy-out-of-bounds 'bytes: 8000, alloc_bytes: 4000'
    expect 'not yet' 0
    diagnosed copy-out-of-bounds 5 'the copy of 8000 bytes'
    fault leak 'bytes: 4000'
    expect 'not yet' 0
    diagnosed leak 5 '4000 bytes are allocated, but never freed'
    is "$(field '.criteria[] | select(.id == "clean") | "\(.passed) \(.seen)"')" 'false leak'
}

@test "wrong: a leak that the tracer saw is reported with its line" {
    take sim
    records 'if .event == "final" and .alloc == 2 then .leaked = true else . end' sim-0 sim-1 sim-2
    expect 'not yet' 0
    diagnosed leak 11 'bytes are allocated, but never freed'
    is "$(field '.diagnoses | length')" 1
}

@test "wrong: a refused launch says why, in words" {
    take sim
    records 'if .event == "launch" then .block = [2048, 1, 1] | .error = 9 | .error_name = "cudaErrorInvalidConfiguration"
             elif .event == "kernel" or .event == "access" then empty else . end' sim-0 sim-1 sim-2
    result sim-0 31 input 1
    expect 'not yet' 0
    diagnosed launch-refused 15 'with arguments 31, the GPU refused the launch add<<<1, 2048>>>: 2048 threads per block; the GPU takes at most 1024'
    is "$(field '.diagnoses[0].criterion')" kernel
    records 'if .event == "launch" then .block = [256, 1, 1] | .grid = [0, 1, 1] else . end' sim-0
    expect 'not yet' 0
    diagnosed launch-refused 15 'the grid has 0 blocks'
    records 'if .event == "launch" then .block = [512, 1, 1] | .grid = [4, 1, 1] | .error = 701 else . end' sim-0
    expect 'not yet' 0
    diagnosed launch-refused 15 '512 threads of this kernel need more registers than a block can have'
}

@test "wrong: an error that a kernel causes on a GPU is reported once, by its name if it has one" {
    take both
    change '(.compile, .runs) |= map(select(.device == "real"))' check.json
    change '.exit = 1' real-1/run.json
    records 'if .event == "sync" then {event: "error", call: ("cudaDeviceSynchronize", "cudaFree"), code: 716, name: "cudaErrorMisalignedAddress", text: "misaligned address", t: 5} else . end' real-1
    expect 'not yet' 0
    diagnosed misaligned-access - 'cudaDeviceSynchronize failed: misaligned address'
    is "$(field '[.diagnoses[].name] | tostring')" '["misaligned-access","non-zero-exit"]'
    records 'if .event == "error" then .code = 700 | .name = "cudaErrorIllegalAddress" else . end' real-1
    expect 'not yet' 0
    diagnosed api-error - '(cudaErrorIllegalAddress)'
}

@test "wrong: a failed copy is explained by what the tracer knows about its pointers" {
    take both
    change '(.compile, .runs) |= map(select(.device == "real"))' check.json
    records 'if .event == "sync" then {event: "fault", name: "copy-out-of-bounds", kind: "copy", bytes: 4004, alloc: 1, detail: "4004 bytes are copied where the allocation has 4000", count: 1},
        {event: "error", call: "cudaMemcpy", code: 1, name: "cudaErrorInvalidValue", text: "invalid argument", t: 5} else . end' real-1
    expect 'not yet' 0
    is "$(field '[.diagnoses[].name] | tostring')" '["copy-out-of-bounds"]'
    is "$(field '.diagnoses[0].text')" '4004 bytes are copied where the allocation has 4000'
}

@test "wrong: the consequences of a fault on the GPU are not reported" {
    take both
    records 'if .event == "clock" and .t < 1000 then {event: "fault", name: "out-of-bounds", kernel: 1, kind: "load", bytes: 4, block: [0,0,0], thread: [0,0,0], count: 1, file: "program.cu", line: 5}, . else . end' sim-2
    records 'if .event == "sync" then {event: "fault", name: "copy-out-of-bounds", kind: "copy", bytes: 4004, alloc: 1, detail: "too many", count: 1} else . end' real-1
    expect 'not yet' 0
    diagnosed out-of-bounds 5
    is "$(field '.diagnoses | length')" 1
}

@test "wrong: a failed call is reported with its text" {
    take sim
    records 'if .event == "clock" and .t < 1000 then {event: "error", call: "cudaMalloc", code: 2, name: "cudaErrorMemoryAllocation", text: "out of memory", t: 5, file: "program.cu", line: 10}, . else . end' sim-1
    expect 'not yet' 0
    diagnosed api-error 10 'cudaMalloc failed: out of memory (cudaErrorMemoryAllocation)'
}

@test "wrong: a query of a stream that is not ready is not a failure" {
    take sim
    records 'if .event == "clock" and .t < 1000 then {event: "error", call: "cudaStreamQuery", code: 600, name: "cudaErrorNotReady", t: 5}, . else . end' sim-1
    expect reached 6
}

@test "wrong: faults on the simulated GPU count, even if the GPU ran without one" {
    take both
    records 'if .event == "kernel" then ., {event: "fault", name: "out-of-bounds", count: 1, file: "program.cu", line: 5, block: [0,0,0], thread: [0,0,0]} else . end' sim-1
    expect 'not yet' 0
    diagnosed out-of-bounds 5
}

@test "wrong: a right result in device memory was not copied back" {
    take sim
    records 'select(.direction != "d2h")' sim-0 sim-1 sim-2
    sed -i 's/Diff = .*/Diff = 0.5/' ./*/stdout
    expect 'not yet' 0
    diagnosed not-copied-back 15 "the GPU's memory holds the right result"
    is "$(field '.diagnoses[0].criterion')" right
}

@test "wrong: no result anywhere" {
    take sim
    records 'select(.direction != "d2h")' sim-0 sim-1 sim-2
    "$TOOLS/floats" 31 noise >sim-0/data-2.bin
    "$TOOLS/floats" 1000 noise >sim-1/data-2.bin
    "$TOOLS/floats" 100000 noise >sim-2/data-2.bin
    expect 'not yet' 0
    diagnosed not-copied-back 15 'with arguments 31, the program copies no result to the host'
}

@test "wrong: a result that was never written is all zeros, or an input" {
    take sim
    result sim-1 1000 zeros
    expect 'not yet' 0
    diagnosed all-zeros 15 'every element that came back is 0'
    result sim-1 1000 input 1
    expect 'not yet' 0
    diagnosed never-written 15 'input array 1, unchanged'
}

@test "wrong: a grid that is rounded down misses the tail" {
    take sim
    records 'if .event == "launch" then .grid = [3, 1, 1] else . end' sim-1
    result sim-1 1000 tail 232
    expect 'not yet' 0
    diagnosed tail-missing 15 'exactly the last 232 of 1000 elements are wrong: the launch has only 768 threads, as if 1000 / 256 was rounded down'
}

@test "wrong: a tail that kernels computed is not missing, also if it begins where the threads end" {
    take sim
    records 'if .event == "launch" then .grid = [3, 1, 1] elif .event == "copy" and .direction == "d2h" then .kernel_bytes = .bytes else . end' sim-1
    result sim-1 1000 tail 232
    expect 'not yet' 0
    diagnosed wrong-result 5
    result sim-1 1000 goes-on 768
    expect 'not yet' 0
    diagnosed not-reset 5 '232 of 1000 elements also contain the sum of element i - 768'
}

@test "wrong: equal chunks miss the tail" {
    take sim
    records 'if .event == "launch" then .grid = [1, 1, 1] | .block = [512, 1, 1] else . end' sim-1
    result sim-1 1000 tail 488
    expect 'not yet' 0
    diagnosed tail-missing 15
    records 'if .event == "launch" then .grid = [1, 1, 1] | .block = [300, 1, 1] else . end' sim-1
    result sim-1 1000 tail 100
    expect 'not yet' 0
    diagnosed tail-missing 15 '300 threads with 3 elements each cover only the first 900'
}

@test "wrong: wide accesses miss the remainder of n / 4" {
    take sim
    result sim-0 31 tail 3
    expect 'not yet' 0
    diagnosed tail-missing 15 'exactly the last 3 of 31 elements are wrong: accesses of 4 elements leave out the remainder of 31 / 4'
}

@test "wrong: a copy of n bytes is reported with its line" {
    take sim
    records 'if .event == "copy" and .to == 2 then .bytes = 1000 else . end' sim-1
    result sim-1 1000 tail 750
    expect 'not yet' 0
    diagnosed partial-copy 13 'this line copies 1000 of 4000 bytes: 1 byte per element instead of 4'
}

@test "wrong: a copy of n bytes explains why the kernel reads unwritten memory" {
    fault uninitialised-read "$in_kernel"
    records 'if .event == "copy" and .to == 2 then .bytes = 1000 else . end' sim-1
    expect 'not yet' 0
    diagnosed partial-copy 13
    also_diagnosed uninitialised-read
}

@test "wrong: exactly the first quarter is right" {
    take sim
    result sim-1 1000 tail 750
    expect 'not yet' 0
    diagnosed partial-copy 15 'exactly the first quarter is right: 250 of 1000 elements, as many as 1000 bytes hold'
}

@test "wrong: arithmetic finds patterns of wrong results" {
    take sim
    result sim-1 1000 scaled 2
    expect 'not yet' 0
    diagnosed scaled 5 'every element is 2 times its right value'
    result sim-1 1000 repeated 2
    expect 'not yet' 0
    diagnosed wrong-result 5
    records 'if .event == "kernel" then .store_bytes *= 2 else . end' sim-1
    expect 'not yet' 0
    diagnosed repeated 15 'input array 1 was changed 2 times instead of once'
    result sim-1 1000 shifted 3
    expect 'not yet' 0
    diagnosed shifted 15 'element i holds the value of element i + 3'
    result sim-1 1000 kth 8
    expect 'not yet' 0
    diagnosed every-kth 15 'one element in 8 is wrong: elements 0, 8, 16'
    result sim-1 1000 only 32
    expect 'not yet' 0
    diagnosed every-kth 15 'one element in 32 is right: elements 0, 32, 64'
}

# Changes the run of 1000 elements into one with another number.
resize() { # N
    change '.runs[1].arguments = ["'"$1"'"]' check.json
    rm -r sim-1
    good_run sim-1 sim "$1"
}

# A result that is wrong in this way has a name, on the line of the store or of the launch. If its first element is
# wrong in another way, it has not.
named() { # N WAY FIGURE DIAGNOSIS LINE WORDS
    result sim-1 "$1" "$2" "$3"
    expect 'not yet' 0
    diagnosed "$4" "$5" "$6"
    printf '\1\0\310\102' | dd of=sim-1/data-0.bin bs=4 conv=notrunc status=none
    expect 'not yet' 0
    diagnosed wrong-result 5
}

@test "wrong: a pattern must hold for all values: with one exception it is not reported" {
    take sim
    named 1000 plus 0.5 off-by-a-constant 5 'every element is 0.5 too large'
    named 1000 half 0 half-precision 5 'at most 11 significant bits. A half has 11, a float has 24'
    named 1000 halves 1 half-precision 5 'right for input array 0 rounded to 11 significant bits. A half has 11'
    named 1000 halves 3 half-precision 5 'right for input arrays 0 and 1 rounded to 11'
    named 1000 formula 0 wrong-formula 5 'your kernel computes 2 x - y: the sign of y is wrong'
    named 1000 first 1 partial-sum 5 'the sum of only the first 1 of its 2 terms'
    named 1000 stripes 64 every-kth 15 'in every 128 elements, 64 are wrong: 64 to 127, 192 to 255 and so on. They are 0'
}

@test "wrong: only whole numbers, and only nan" {
    take sim
    result sim-1 1000 whole
    expect 'not yet' 0
    diagnosed whole-numbers 5 'every element that came back is a whole number'
    printf '\1\0\0\77' | dd of=sim-1/data-0.bin bs=4 seek=3 conv=notrunc status=none
    expect 'not yet' 0
    diagnosed wrong-result 5
    result sim-1 1000 nans
    expect 'not yet' 0
    diagnosed not-a-number 5 'all 1000 elements are NaN'
    printf '\0\0\0\100' | dd of=sim-1/data-0.bin bs=4 seek=3 conv=notrunc status=none
    expect 'not yet' 0
    diagnosed wrong-result 5 '1000 of 1000 elements are wrong, and 999 of them NaN'
}

@test "wrong: patterns of a matrix: its transpose, its edges, its blocks" {
    take sim
    resize 1024
    named 1024 transposed 0 transposed 5 'element (i, j) holds the value of element (j, i)'
    named 1024 rotated 256 blocks-moved 15 "4 of 4 blocks of 256 elements are in the wrong place: block 0 holds the elements of block 1"
    records 'if .event == "launch" then .grid = [2, 1, 1] | .block = [8, 16, 1] else . end' sim-1
    result sim-1 1024 corner 16
    expect 'not yet' 0
    diagnosed tail-missing 15 'only the first 16 rows and the first 16 columns are right: the launch has exactly this many threads. They are 0'
    result sim-1 1024 corner 15
    expect 'not yet' 0
    diagnosed wrong-result 5
}

@test "wrong: a missing second half is reported" {
    take sim
    result sim-2 100000 stripes 50000
    expect 'not yet' 0
    diagnosed tail-missing 15 'exactly the last 50000 of 100000 elements are wrong: only the first half is computed. They are 0'
}

@test "wrong: a pattern that the largest wrong result does not show is not reported" {
    take sim
    result sim-1 1000 stripes 64
    result sim-2 100000 stripes 40000
    expect 'not yet' 0
    diagnosed wrong-result 5 'with arguments 1000'
    result sim-2 100000 stripes 64
    expect 'not yet' 0
    diagnosed every-kth 15 'with arguments 1000'
}

@test "wrong: repeated runs that print different Diffs" {
    take both
    result real-1 100000 noise
    result real-2 100000 noise
    result sim-2 100000 noise
    printed 3987 0.25 >real-1/stdout
    printed 3987 0.75 >real-2/stdout
    printed 3987 0.25 >sim-2/stdout
    expect 'not yet' 0
    also_diagnosed differs-from-run-to-run
    printed 3987 0.25 >real-2/stdout
    expect 'not yet' 0
    [[ $NAMES != *differs* ]]
}

@test "wrong: on a real GPU alone the same patterns have the same names" {
    take both
    change '.runs |= map(select(.device == "real")) | .compile |= map(select(.device == "real"))' check.json
    records 'if .event == "launch" then .grid = [3, 1, 1] else . end' real-0
    local way figure name
    while read -r way figure name; do
        result real-0 1000 "$way" "$figure"
        judge
        is "$way: $(field '.diagnoses[0] | "\(.name) \(.line)"')" "$way: $name null"
    done <<END
zeros 0 all-zeros
input 1 never-written
nans 0 not-a-number
tail 232 tail-missing
tail 750 partial-copy
scaled 2 scaled
repeated 2 wrong-result
formula 0 wrong-formula
first 1 partial-sum
plus 0.5 off-by-a-constant
shifted 3 shifted
kth 8 every-kth
stripes 64 every-kth
whole 0 whole-numbers
half 0 half-precision
halves 2 half-precision
wrong 77 wrong-result
END
    records 'if .event == "kernel" then ., . else . end' real-0
    result real-0 1000 repeated 2
    judge
    is "$(field '.diagnoses[0].name')" repeated
    result real-0 1000
    records 'select(.direction != "d2h")' real-0
    judge
    is "$(field '.diagnoses[0].name')" not-copied-back
}

@test "wrong: without a pattern, only the wrong elements are reported" {
    take sim
    result sim-1 1000 wrong 77
    expect 'not yet' 0
    diagnosed wrong-result 5 '1 of 1000 elements is wrong. Element 77 is'
    is "$(field '.diagnoses[0].evidence | "\(.wrong) \(.first)"')" '1 77'
    is "$(field '.criteria[] | select(.id == "right") | "\(.passed) \(.seen)"')" 'false wrong for 1000, WARPUP_SEED=1'
}

@test "wrong: a finding is reported once, for a size that is large enough" {
    take sim
    change '.runs[0].arguments = ["2"]' check.json
    rm -r sim-0
    good_run sim-0 sim 2
    result sim-0 2 input 1
    result sim-1 1000 input 1
    result sim-2 100000 input 1
    expect 'not yet' 0
    diagnosed never-written 15 'with arguments 1000, the kernel never wrote its output: what came back is input array 1'
    is "$(field '.diagnoses | length')" 1
    result sim-0 2 formula
    result sim-1 1000
    result sim-2 100000
    sed -i 's/^ Diff = .*/ Diff = 1.02e-08/' sim-[12]/stdout
    expect 'not yet' 0
    diagnosed wrong-formula 5 'with arguments 2, your kernel computes 2 x - y: the sign of y is wrong'
}

@test "wrong: nan is never right" {
    take sim
    result sim-1 1000 nan 5
    expect 'not yet' 0
    diagnosed not-a-number 5 '1 of 1000 elements is NaN; the first is element 5, and all others are right'
    is "$(field '.diagnoses[0].evidence.got')" null
}

@test "wrong: a printed Diff that is nan, infinite or large is refused, even with a right result" {
    take sim
    for diff in nan -nan inf 0.25 -0.25; do
        printed 3987 $diff >sim-1/stdout
        expect 'not yet' 0
        diagnosed printed-diff - "prints Diff = $diff"
        is "$(field '.criteria[] | select(.id == "right").passed')" false
    done
}

@test "wrong: a program that crashed, with its signal and its last words" {
    take sim
    change '.exit = null | .signal = 11' sim-1/run.json
    sed -i '$d' sim-1/trace.jsonl
    truncate -s -20 sim-1/trace.jsonl
    echo 'oh no' >sim-1/stderr
    expect 'not yet' 0
    diagnosed crashed - 'with arguments 1000, the program crashed with a segmentation fault (signal 11). It printed: oh no'
    is "$(field '.criteria[] | select(.id == "runs") | "\(.passed) \(.seen)"')" 'false crashed for 1000, WARPUP_SEED=1'
    is "$(field '.criteria[] | select(.id == "right") | "\(.passed) \(.after)"')" 'null runs'
}

@test "wrong: the fault that caused a crash comes before it, and explains it" {
    take sim
    change '.exit = null | .signal = 11' sim-1/run.json
    records 'if .event == "end" then {event: "fault", name: "device-pointer-on-host", file: "program.cu", line: 19}, . else . end' sim-1
    expect 'not yet' 0
    diagnosed device-pointer-on-host 19
    is "$(field '.diagnoses[0].criterion')" runs
    also_diagnosed crashed
}

@test "wrong: a program that hangs" {
    take sim
    change '.exit = null | .signal = 9 | .timed_out = true | .seconds = 10.01' sim-2/run.json
    : >sim-2/trace.jsonl
    : >sim-2/stdout
    expect 'not yet' 0
    diagnosed timed-out - 'with arguments 100000, the program was still running after 10 s'
}

@test "wrong: a program that returns an error" {
    take sim
    change '.exit = 3' sim-0/run.json
    echo 'no memory' >sim-0/stderr
    expect 'not yet' 0
    diagnosed non-zero-exit - 'with arguments 31, the program ended with exit code 3. It printed: no memory'
}

@test "wrong: a program that prints nothing, or not all its lines" {
    take sim
    : >sim-1/stdout
    expect 'not yet' 0
    diagnosed no-output - 'with arguments 1000, the program printed nothing'
    printf ' CPU: B = 3\n Diff = 0\n' >sim-1/stdout
    expect 'not yet' 0
    diagnosed missing-line - 'printed one line of results; it needs two: the CPU line first, then the line of part B'
    printf ' CPU: B = 3\n GPU: B = 3\n' >sim-1/stdout
    expect 'not yet' 0
    diagnosed missing-line - 'with arguments 1000, the program did not print the Diff line'
}

@test "wrong: a program that prints megabytes" {
    take sim
    yes | head -c 1000000 >sim-1/stdout
    change '.stdout_truncated = true' sim-1/run.json
    expect 'not yet' 0
    also_diagnosed output-truncated
    is "$(field '.criteria[] | select(.id == "runs").passed')" false
}

@test "wrong: an invented line without a kernel" {
    take sim
    records 'select(.event != "launch" and .event != "kernel" and .event != "access")' sim-0 sim-1 sim-2
    expect 'not yet' 0
    diagnosed no-kernel -
    is "$(field '.diagnoses[0].criterion')" kernel
}

@test "wrong: a program that does not compile, with its compiler's message" {
    take both
    change '.compile[].exit = 1 | .runs = []' check.json
    printf 'program.cu: In function main:\nprogram.cu:12:5: error: expected ; before return\n' >compile-sim.log
    printf 'program.cu(12): error: expected a ;\n' >compile-real.log
    expect 'not yet' 0
    diagnosed does-not-compile 12 'expected ; before return'
    is "$(field '.criteria[] | select(.id == "runs") | "\(.passed) \(.after)"')" 'null compiles'
    change '.compile[0].exit = 0' check.json
    expect 'not yet' 0
    diagnosed does-not-compile 12 'expected a ;'
}

@test "wrong: devices that disagree are reported, and neither result counts" {
    take both
    result real-0 1000 noise
    could_not_judge 'the devices disagree with arguments 1000: the result is right on the simulated GPU and wrong on the GPU'
    take_again
    result sim-1 1000 noise
    could_not_judge 'wrong on the simulated GPU and right on the GPU'
}

take_again() {
    cd / && rm -rf "$BATS_TEST_TMPDIR/check"
    take both
}

@test "wrong: a fault explains why the devices disagree" {
    take both
    result real-0 1000 noise
    records 'if .event == "kernel" then ., {event: "fault", name: "race-between-blocks", file: "program.cu", line: 5} else . end' sim-1
    expect 'not yet' 0
    diagnosed race-between-blocks 5
}

@test "wrong: a size that only the GPU ran can be wrong alone" {
    take both
    result real-1 100000 wrong 99999
    result real-2 100000 wrong 99999
    change '.runs |= map(select(.dir != "sim-2"))' check.json
    expect 'not yet' 0
    diagnosed wrong-result - 'Element 99999'
}

# Two events in the GPU's timed runs, at these times. CUDA reports this distance in ms; the program prints this time of
# part B.
timed_by_events() { # FROM TO MS PRINTED-MS
    cd / && rm -rf "$BATS_TEST_TMPDIR/check"
    take both
    records 'if .event == "alloc" and .id == 2 then ., {event: "mark", id: 1, stream: 0, t: '"$1"'}
             elif .event == "final" and .alloc == 1 then {event: "mark", id: 2, stream: 0, t: '"$2"'},
                 {event: "elapsed", from: 1, to: 2, ms: '"$3"'}, .
             else . end' real-1 real-2
    printed "$(awk -v ms="$4" 'BEGIN { print 12 * 100000 / ms * 1e-6 }')" 1.02e-08 | tee real-1/stdout >real-2/stdout
}

@test "wrong: on a real GPU too, the check reports what a timer with events includes" {
    timed_by_events 20 9000 0.5 0.5
    expect 'not yet' 1
    diagnosed times-the-copies - 'the timer includes copies between host and GPU'
    timed_by_events 999 1500 0.5 500
    expect 'not yet' 1
    diagnosed wrong-unit 15 'it uses milliseconds as if they were seconds'
    timed_by_events 999 1500 0.5 0.5
    expect reached 6
}

@test "wrong: P and B that are computed from different times" {
    take sim
    printf ' CPU: B = 3\n GPU: P = 664.5 Gflop/s B = 2658 GB/s\n Diff = 1e-8\n' >sim-2/stdout
    expect 'not yet' 1
    diagnosed wrong-rate - 'P = 664.5 Gflop/s and B = 2658 GB/s are computed from different times'
    is "$(field .next)" "compute P and B from the same time, with the handout's formulas"
    printf ' CPU: B = 3\n GPU: P = 664.5 Gflop/s B = 3700 GB/s\n Diff = 1e-8\n' >sim-2/stdout
    expect reached 6
}
