#!/usr/bin/env bats
# sim_api.bats: CUDA's runtime API on the simulated GPU. The programs in sim/ hold what both it and a
# real GPU must do; misuse.cu commits one fault at a time, order.cu too, watch.cu looks at its own watch.

bats_require_minimum_version 1.5.0

setup_file() {
    TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    export TOP BUILD=${WARPUP_BUILD:-$TOP/build}
    make -s -C "$TOP" -f checker/lab.mk
    for name in launches errors memory symbols types streams order device kernels waits misuse endings watch; do
        "$BUILD/cc" "$TOP/checker/test/sim/$name.cu" "$BATS_FILE_TMPDIR/$name"
    done
}

as_expected() { # NAME
    run timeout "${WARPUP_SECONDS:-20}" "$BATS_FILE_TMPDIR/$1/program"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "${lines[-1]}" = "as expected" ]
}

# Passes when a program left a trace, and there is no fault in it.
faultless() { # CASE [PROGRAM]
    local found
    found=$(faults "$@")
    [ -z "$found" ]
}

# Runs a program, misuse.cu or another, with one fault; prints the faults that its trace tells, with
# their lines.
faults() { # CASE [PROGRAM]
    rm -rf "$BATS_TEST_TMPDIR/run"
    mkdir "$BATS_TEST_TMPDIR/run"
    WARPUP_TRACE=$BATS_TEST_TMPDIR/run run "$BATS_FILE_TMPDIR/${2-misuse}/program" "$1"
    jq -r 'select(.event == "fault") | "\(.name) \(.line)"' "$BATS_TEST_TMPDIR/run/trace.jsonl"
}

# The line of the program that bears this mark.
line() { # MARK [PROGRAM]
    grep -n "// $1\$" "$TOP/checker/test/sim/${2-misuse}.cu" | cut -d: -f1
}

# Runs endings.cu: it prints this error, and its trace tells this fault, or this unknown thing, on the
# line with the mark.
# shellcheck disable=SC2154 # run sets stderr
ends() { # CASE ERROR FAULT MARK
    mkdir -p "$BATS_TEST_TMPDIR/run"
    WARPUP_TRACE=$BATS_TEST_TMPDIR/run run --separate-stderr "$BATS_FILE_TMPDIR/endings/program" "$1"
    echo "$1: $output $stderr"
    [ "$output" = "$2" ]
    local seen
    seen=$(jq -r 'select(.event == "fault" or .event == "unknown") | "\(.name // .what) \(.line)"' \
        "$BATS_TEST_TMPDIR/run/trace.jsonl")
    echo "$seen"
    [ "$seen" = "$3 $(grep -n "// $4\$" "$TOP/checker/test/sim/endings.cu" | cut -d: -f1)" ]
}

# The case makes the fault of that name, on its own line, and no other.
tells() { # CASE FAULT [PROGRAM]
    local seen
    seen=$(faults "$1" "${3-misuse}")
    echo "$1: $seen"
    [ "$seen" = "$2 $(line "$1" "${3-misuse}")" ]
}

@test "a kernel can be launched under every kind of name" {
    as_expected launches
}

@test "each call gives the error that a real GPU gives, for as long as it does" {
    as_expected errors
}

@test "memory of every kind is allocated, copied, filled and freed" {
    as_expected memory
}

@test "device variables and constants are copied to and from by their names" {
    as_expected symbols
}

@test "vector types have CUDA's sizes and alignments" {
    as_expected types
}

@test "streams work side by side, and wait where CUDA says" {
    as_expected streams
}

@test "unordered work of two streams that uses the same bytes is reported" {
    faultless right order
    grep -q '"event":"end","how":"exit"' "$BATS_TEST_TMPDIR/run/trace.jsonl"
    local name
    for name in input pageable kernels one-element fill library; do tells $name streams-not-ordered order; done
    for name in library-back next-part event-too-soon; do tells $name copy-too-early order; done
}

@test "the device is the profile's" {
    as_expected device
    [ "${lines[0]}" = "NVIDIA H200 9.0, 132 SMs" ]
    WARPUP_PROFILE=v100 as_expected device
    [[ ${lines[0]} == *V100*" 7.0, 80 SMs" ]]
}

@test "every profile is whole: each row has its source, and no rate is above the data sheet's" {
    local profile
    for profile in "$TOP"/checker/gpu/profiles/*.tsv; do
        WARPUP_PROFILE=$profile run -0 "$BATS_FILE_TMPDIR/device/program"
        [[ ${lines[0]} == "$(awk -F '\t' '$1 == "name" { print $2 }' "$profile") "* ]]
        awk -F '\t' -v file="$profile" '
            /^#/ { next }
            { value[$1] = $2 }
            NF != 4 || $4 == "" { print file ":" FNR ": no source"; wrong = 1 }
            END {
                if (value["copy_gbs"] > value["stream_gbs"] || value["stream_gbs"] > value["peak_gbs"]) { print file ": rates"; wrong = 1 }
                exit wrong
            }' "$profile"
    done
}

@test "a profile that is missing or damaged ends the program with one line and exit code 2" {
    WARPUP_PROFILE=none run "$BATS_FILE_TMPDIR/device/program"
    [ "$status" -eq 2 ]
    [[ $output == *"profiles/none.tsv: No such file or directory" ]]
    printf 'name\tX\nsms\tmany\n' >"$BATS_TEST_TMPDIR/bad.tsv"
    WARPUP_PROFILE=$BATS_TEST_TMPDIR/bad.tsv run "$BATS_FILE_TMPDIR/device/program"
    [ "$status" -eq 2 ]
    [ "$output" = "$BATS_TEST_TMPDIR/bad.tsv:2: the value is not a number" ]
}

@test "kernels have CUDA's mathematics, atomics, loads and printf" {
    as_expected kernels
    [ "${lines[1]}" = "thread 1 of 2 says 1.5 hello" ]
}

@test "a device pointer that the host follows is reported with its line, also through a library" {
    tells read device-pointer-on-host
    tells write device-pointer-on-host
    tells through-library device-pointer-on-host
    tells freed-read use-after-free
    [ "$(tail -n 1 "$BATS_TEST_TMPDIR/run/trace.jsonl" | jq -r .how)" = "signal 11" ]
}

@test "copies and fills: wrong way, too long, null, freed" {
    tells direction copy-direction
    tells set-host copy-direction
    tells too-long copy-out-of-bounds
    tells set-too-long copy-out-of-bounds
    tells symbol-too-long copy-out-of-bounds
    tells null null-pointer
    tells freed-copy use-after-free
}

@test "frees: twice, of foreign memory, inside an allocation, of the wrong kind" {
    tells twice double-free
    tells foreign bad-free
    tells inside bad-free
    tells pinned bad-free
}

@test "a kernel that ends badly: the error, the fault and its line" {
    ends assert cudaErrorAssert assert-failed assert
    [[ $stderr == "endings.cu:"*"block: [0,0,0], thread: [5,0,0] Assertion"* ]]
    ends divide cudaErrorLaunchFailure assert-failed divide
    ends null cudaErrorIllegalAddress null-pointer store
    ends host cudaErrorIllegalAddress host-pointer-in-kernel store
}

@test "a kernel may take memory with malloc() and new, which stays the GPU's" {
    local name
    for name in malloc new; do
        faultless "$name" endings
        [ "$("$BATS_FILE_TMPDIR/endings/program" "$name")" = cudaSuccess ]
    done
}

@test "a leak is one only when the program ended well and did not reset the device" {
    tells leak leak
    faultless none
    faultless gave-up
    faultless reset
    faultless assert
    [ "$(tail -n 1 "$BATS_TEST_TMPDIR/run/trace.jsonl" | jq -r .how)" = "signal 6" ]
}

@test "only memory that the host uses before it has waited is reported, with the line" {
    local early
    mkdir -p "$BATS_TEST_TMPDIR/run"
    WARPUP_TRACE=$BATS_TEST_TMPDIR/run as_expected waits
    early=$(grep -n '// early: ' "$TOP/checker/test/sim/waits.cu" | cut -d: -f1)
    diff <(echo "$early") <(jq -r 'select(.event == "fault") | select(.name == "host-too-early").line' \
        "$BATS_TEST_TMPDIR/run/trace.jsonl" | sort -n)
    [ "$(jq -r 'select(.event == "fault") | .name' "$BATS_TEST_TMPDIR/run/trace.jsonl" | sort -u)" = host-too-early ]
    jq -r '.detail // empty' "$BATS_TEST_TMPDIR/run/trace.jsonl"
    WARPUP_TRACE='' as_expected waits
}

# The kernel's one thread adds 200000 numbers, each sum after the one before: at least 4 clocks each, 0.4 ms.
@test "the clock: the program's work takes real time, a launch no time, and the kernel its time once the program waits" {
    mkdir -p "$BATS_TEST_TMPDIR/run"
    WARPUP_TRACE=$BATS_TEST_TMPDIR/run run "$BATS_FILE_TMPDIR/watch/program"
    echo "$output"
    awk '{ us[$1] = $2 }
        END {
            exit !(us["own"] >= 20000 && us["own"] < 40000 && us["launch"] < us["wait"] / 2 &&
                us["wait"] > 400 && us["wait"] < 7000 && us["events"] > 400 &&
                us["omp"] > us["wait"] && us["chrono"] > us["wait"] && us["chrono"] < 9000 &&
                us["busy"] > us["wait"] && us["busy"] < 9000 &&
                us["called"] > 400 && us["called"] < 7000 && us["flag"] > 400 && us["flag"] < 9000)
        }' <<<"$output"
    local reads
    reads=$(jq -r 'select(.event == "clock") | "\(.call) \(.file)"' "$BATS_TEST_TMPDIR/run/trace.jsonl" |
        sort | uniq -c | tr -s ' ')
    echo "$reads"
    [ "$reads" = " 2 clock watch.cu"$'\n'" 2 clock_gettime watch.cu"$'\n'" 7 gettimeofday watch.cu"$'\n'" 2 omp_get_wtime watch.cu" ]
}

@test "a trace is complete: it begins, ends, counts its records and has dropped none" {
    faults none
    local trace=$BATS_TEST_TMPDIR/run/trace.jsonl
    [ "$(head -n 1 "$trace" | jq -r '"\(.event) \(.version) \(.kind)"')" = "begin 1 simulated" ]
    [ "$(tail -n 1 "$trace" | jq -r '"\(.event) \(.records) \(.dropped)"')" = "end $(($(wc -l <"$trace") - 1)) 0" ]
}
