#!/usr/bin/env bats
# The judge shows the cause first, without its consequences, and nothing of a rung that has to wait.
bats_require_minimum_version 1.5.0

load helper
load judge/fixture

criterion_of() { # DIAGNOSIS
    field '.diagnoses[] | select(.name == "'"$1"'").criterion'
}

@test "first: a call that failed before a fault comes before it, one that failed afterwards does not" {
    take sim
    local error='{event: "error", call: "cudaMalloc", code: 1, name: "cudaErrorInvalidValue", text: "invalid argument", t: 5, file: "program.cu", line: 10}'
    local fault='{event: "fault", name: "null-pointer", kind: "load", bytes: 4, block: [0, 0, 0], thread: [0, 0, 0], file: "program.cu", line: 5}'
    records "if .event == \"launch\" then $error, ., $fault else . end" sim-1
    expect 'not yet' 0
    diagnosed api-error 10 'with arguments 1000, cudaMalloc failed: invalid argument'
    also_diagnosed null-pointer
    is "$(field .next)" "check this call's arguments, and the return value of every CUDA call"
    cd / && rm -rf "$CHECK" && take sim
    records "if .event == \"launch\" then $fault, ., $error else . end" sim-1
    expect 'not yet' 0
    diagnosed null-pointer 5
    also_diagnosed api-error
}

@test "first: a call that only asks or advises may fail" {
    take sim
    local error='{event: "error", call: "cudaDeviceCanAccessPeer", code: 101, name: "cudaErrorInvalidDevice", text: "invalid device ordinal", t: 5, file: "program.cu", line: 10}'
    records "if .event == \"launch\" then $error, . else . end" sim-1
    expect reached 6
    records 'if .event == "error" then .call = "cudaSetDevice" else . end' sim-1
    expect 'not yet' 0
    diagnosed api-error 10 'cudaSetDevice failed: invalid device ordinal'
}

# The real GPU's first call in real-1 fails, and the program ends.
gpu_fails() { # CODE NAME
    cd / && rm -rf "$BATS_TEST_TMPDIR/check"
    take both
    records 'if .event == "alloc" and .id == 1 then {event: "error", call: "cudaMalloc", code: '"$1"', name: "'"$2"'", text: "no luck", t: 5} else . end' real-1
    change '.exit = 1' real-1/run.json
}

@test "first: a GPU that cannot be used is not the mistake of the program" {
    gpu_fails 46 cudaErrorDevicesUnavailable
    expect 'could not check' 0
    is "$(field .next)" 'the GPU could not be used: cudaMalloc failed: no luck (cudaErrorDevicesUnavailable)'
    gpu_fails 2 cudaErrorMemoryAllocation
    expect 'could not check' 0
    records 'if .event == "alloc" and .id == 1 then {event: "error", call: "cudaMalloc", code: 2, name: "cudaErrorMemoryAllocation", t: 5} else . end' sim-1
    expect 'not yet' 0
    gpu_fails 1 cudaErrorInvalidValue
    expect 'not yet' 0
}

@test "first: memory that other programs of the GPU hold is not the mistake of the program" {
    local error='call: "cudaMalloc", code: 2, name: "cudaErrorMemoryAllocation", text: "out of memory", t: 5'
    fails() { # FIELDS-OF-ERROR
        cd / && rm -rf "$BATS_TEST_TMPDIR/check"
        take both
        change '.runs |= map(select(.device == "real")) | .compile |= map(select(.device == "real"))' check.json
        change '.exit = 1' real-1/run.json
        records "if .event == \"begin\" then .memory_bytes = 1000000 elif .event == \"alloc\" and .id == 1 then {event: \"error\", $1} else . end" real-1
    }
    fails "$error, bytes: 4000"
    expect 'could not check' 0
    is "$(field .next)" 'the GPU could not be used: cudaMalloc failed: out of memory (cudaErrorMemoryAllocation)'
    fails "$error, bytes: 900000"
    expect 'not yet' 0
    diagnosed api-error -
    fails "$error"
    expect 'not yet' 0
    fails 'call: "cudaEventCreate", code: 2, name: "cudaErrorMemoryAllocation", text: "out of memory", t: 5'
    expect 'could not check' 0
}

@test "first: the earliest refused launch or failed call comes first" {
    take sim
    local error='{event: "error", call: "cudaMalloc", code: 2, name: "cudaErrorMemoryAllocation", text: "out of memory", t: 5, file: "program.cu", line: 10}'
    records "if .event == \"launch\" then $error, (.block = [2048, 1, 1] | .error = 9)
             elif .event == \"kernel\" or .event == \"access\" then empty else . end" sim-0 sim-1 sim-2
    expect 'not yet' 0
    diagnosed api-error 10
    also_diagnosed launch-refused
    is "$(criterion_of launch-refused)" kernel
}

@test "first: the next step comes from the first diagnosis, else from the ladder" {
    take sim
    result sim-1 1000 scaled 2
    expect 'not yet' 0
    is "$(field .next)" 'compare this line with part A: is a factor used twice, or not at all?'
    result sim-1 1000 wrong 77
    expect 'not yet' 0
    is "$(field .next)" 'next of right'
}

@test "first: a diagnosis of a later rung names that rung's criterion while it waits" {
    take sim
    records 'if .event == "launch" then .grid = [1, 1, 1] else . end' sim-2
    printed 0.5 1e-8 >sim-2/stdout
    expect 'not yet' 1
    is "$(criterion_of few-blocks)" fills
    is "$(field '.criteria[] | select(.id == "fills") | "\(.passed) \(.after)"')" 'null times_kernel_only'
}

@test "first: a wrong result does not explain the crash of another run" {
    take sim
    change '.exit = null | .signal = 11' sim-2/run.json
    result sim-1 1000 scaled 2
    expect 'not yet' 0
    is "$(criterion_of crashed)" runs
    is "$(criterion_of scaled)" right
}

@test "first: a wrong program has no rate and no share" {
    take sim
    expect reached 6
    is "$(field '.rate.unit')" GB/s
    result sim-1 1000 wrong 77
    expect 'not yet' 0
    is "$(field '[.rate, .share] | tostring')" '[null,null]'
    is "$(field '.criteria[] | select(.id == "full") | "\(.passed) \(.seen)"')" 'null null'
}

@test "first: after an aborted kernel nothing is said about its time, or about where the result came from" {
    take sim
    local error='{event: "error", call: "cudaDeviceSynchronize", code: 700, name: "cudaErrorIllegalAddress", t: 1301, file: "program.cu", line: 16}'
    records "if .event == \"sync\" then $error elif .direction == \"d2h\" then .kernel_bytes = 3000
             elif .event == \"kernel\" then .load_bytes = 400000 else . end" sim-2
    printed 99999 1e-8 >sim-2/stdout
    expect 'not yet' 0
    diagnosed api-error 16
    is "$NAMES" ' api-error '
    has "$(field '.criteria[] | select(.id == "timer") | "\(.passed) \(.after)"')" 'null clean'
}

@test "first: a program that hangs or crashes in a kernel names it and its line" {
    take sim
    change '.exit = null | .signal = 9 | .timed_out = true | .seconds = 10.01' sim-1/run.json
    records 'if .event == "kernel" or .event == "access" or .t > 1000 or .start > 1000 then empty else . end' sim-1
    expect 'not yet' 0
    diagnosed timed-out 15 'the program was still running after 10 s. The kernel add<<<4, 256>>> had not finished'
    change '.timed_out = false | .signal = 11' sim-1/run.json
    expect 'not yet' 0
    diagnosed crashed 15 'a segmentation fault (signal 11). The kernel add<<<4, 256>>> had not finished'
}

@test "first: a crash after a copy that is longer than the result names the copy" {
    take sim
    change '.exit = null | .signal = 11' sim-1/run.json
    records 'if .direction == "d2h" then .bytes = 8000 else . end' sim-1
    expect 'not yet' 0
    diagnosed crashed 18 'This copy brings 8000 bytes to the host; the result has 4000. The copy probably goes past the end of the host array'
}

@test "first: if a kernel reads what a short copy did not set, the copy is named" {
    take sim
    records 'if .event == "copy" and .to == 1 then .bytes = 2000
             elif .event == "kernel" then ., {event: "fault", name: "uninitialised-read", kind: "load", bytes: 4, alloc: 1, block: [3, 0, 0], thread: [9, 0, 0], file: "program.cu", line: 5}
             else . end' sim-1
    expect 'not yet' 0
    diagnosed partial-copy 12 "only 2000 of this array's 4000 bytes are copied to the GPU, but the kernel also reads the rest"
    also_diagnosed uninitialised-read
}

@test "first: a last chunk that is computed twice is not reported as missing" {
    take sim
    records 'if .event == "launch" then .grid = [1, 1, 1] | .block = [10, 1, 1] else . end' sim-1
    result sim-1 1000 twice 100
    expect 'not yet' 0
    diagnosed tail-missing 15 'the last of 10 chunks of 100 elements is computed twice'
    result sim-1 1000 tail 100
    expect 'not yet' 0
    diagnosed tail-missing 15 'the last of 10 chunks of 100 elements is missing'
}
