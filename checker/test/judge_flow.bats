#!/usr/bin/env bats
# The judge on right results that the GPU did not make, on work outside the printed time, and on incomplete traces.
bats_require_minimum_version 1.5.0

load helper
load judge/fixture

# A perturbed run, which found the numbers in this many places. Its result is that of the plain inputs.
perturbed() { # PLACES
    WARPUP_PERTURB=$("$TOOLS/questions" --perturbed 1 1000)
    export WARPUP_PERTURB
    cp -r sim-1 perturbed
    records 'if .event == "launch" then {event: "perturbed", numbers: '"$1"'}, . else . end' perturbed
    change '.runs += [{dir: "perturbed", device: "sim", purpose: "perturbed", arguments: ["1000"]}]' check.json
}

@test "flow: a result that kernels wrote counts as made by kernels" {
    take sim
    records 'if .direction == "d2h" then .kernel_bytes = .bytes else . end' sim-1
    expect reached 6
}

@test "flow: a result does not count as the GPU's if the host wrote a part of it" {
    take sim
    records 'if .direction == "d2h" then .kernel_bytes = 3000 else . end' sim-1
    expect 'not yet' 0
    diagnosed result-from-host 18 'The host itself wrote 1000 of them; no kernel did'
    is "$(field '.criteria[] | select(.id == "right").seen')" 'right for 1000, but no kernel wrote 1000 of the 4000 bytes that came back'
}

@test "flow: what the host wrote next to the result does not matter" {
    take sim
    head -c 96 /dev/zero >>sim-1/data-0.bin
    records 'if .direction == "d2h" then .bytes = 4096 | .kernel_bytes = 4000 else . end' sim-1
    expect reached 6
}

@test "flow: also on a real GPU, a result that is copied there and back is the host's" {
    take both
    records 'if .direction == "d2h" then {event: "copy", direction: "h2d", bytes: .bytes, host: 6, to: 2, offset: 0, start: .start, end: .start}, . else . end' real-0
    expect 'not yet' 0
    diagnosed result-from-host - 'this line copies 4000 bytes to the host. The host itself wrote 4000 of them'
}

# Writes the result that kernels made of the perturbed inputs.
made() { # WAY...
    "$TOOLS/floats" 1000 "$@" >perturbed/data-0.bin
    cp perturbed/data-0.bin perturbed/data-2.bin
}

@test "flow: the result for the changed inputs is made from them" {
    take sim
    perturbed 2
    made perturbed -1
    expect reached 6
}

@test "flow: an intermediate result that was perturbed by chance changes other elements, and proves nothing" {
    take sim
    perturbed 3
    made perturbed 7
    expect reached 6
}

@test "flow: a result that changes with the inputs, but not to the right one, is not made from them" {
    take sim
    perturbed 2
    made wrong 361
    expect 'not yet' 0
    diagnosed result-from-host 15 'The result changed, but it is not the result for the changed input'
}

@test "flow: if an array of a perturbed run is neither result, it is not known what computes the result" {
    take sim
    perturbed 2
    made noise
    expect 'could not check' 0
}

@test "flow: a result that stays right when the inputs are perturbed is not made from them" {
    take sim
    perturbed 2
    expect 'not yet' 0
    diagnosed result-from-host 15 'the check changed element 361 of input array 0'
}

@test "flow: if a result follows only one of two inputs, the other is named" {
    take sim
    perturbed 2
    WARPUP_PERTURB=${WARPUP_PERTURB%,*} made perturbed -1
    expect 'not yet' 0
    diagnosed result-from-host 15 'of input array 1'
}

@test "flow: a result is not made from an input that is not in the GPU's memory" {
    take sim
    perturbed 0
    expect 'not yet' 0
    diagnosed result-from-host 15 'of input array 0 was nowhere in the GPU'
}

@test "flow: it does not matter how a perturbed run ends" {
    take sim
    perturbed 2
    made perturbed -1
    change '.exit = 3' perturbed/run.json
    printed 12 NaN >perturbed/stdout
    expect reached 6
}

@test "flow: a wrong result is reported as wrong, whatever a perturbed run shows" {
    take sim
    perturbed 0
    result sim-1 1000 noise
    expect 'not yet' 0
    diagnosed wrong-result 5
}

@test "flow: timed kernels that load less than the inputs are not all of the work" {
    take sim
    records 'if .event == "kernel" then .load_bytes = 400000 else . end' sim-2
    expect 'not yet' 1
    diagnosed work-outside-the-timer 15 'with arguments 100000, kernels load 400000 bytes between the clock readings that give 0.000301 ms. The inputs have 800000'
    records 'if .event == "begin" then . elif .event == "launch" then .grid = [7, 1, 1] else . end |
        if .event == "clock" and .t <= 1000 then {event: "launch", id: 9, kernel: "add", grid: [391, 1, 1], block: [256, 1, 1],
            shared: 0, stream: 0, error: 0, t: 10, file: "program.cu", line: 9}, . else . end' sim-2
    expect 'not yet' 1
    diagnosed work-outside-the-timer 15 'the timed launch add<<<7, 256>>> does only a part of the work: that of line 9 has 391 blocks'
}

@test "flow: kernels that are much faster than the limit are not all of the work" {
    take both
    records 'if .event == "kernel" then .end = .start + 100 else . end' real-1 real-2
    printed 11000 1e-8 | tee real-1/stdout >real-2/stdout
    expect 'not yet' 1
    diagnosed work-outside-the-timer 15 "this GPU's limit is 4000"
}

@test "flow: a printed time that no clock gives was not measured" {
    take sim
    records 'if .event == "kernel" then .end += 100000 else . end' sim-2
    printed 12 1e-8 >sim-2/stdout
    expect 'not yet' 1
    diagnosed time-not-measured 15 'no two clock readings differ by the printed time'
}

@test "flow: a time without a kernel is not the time of the work" {
    take sim
    records 'if .event == "kernel" then .start += 100000 | .end += 250000 elif .event == "sync" then empty
        elif .event == "launch" then {event: "clock", t: 100900}, (.t += 100000)
        elif .event == "clock" and .t > 1000 then .t += 250000
        elif .direction == "d2h" then .start += 250000 | .end += 250000 else . end' sim-2
    printed 12 1e-8 >sim-2/stdout
    expect 'not yet' 1
    diagnosed work-outside-the-timer 15 'kernels load 0 bytes'
}

@test "flow: the CPU line needs a clock reading, and a time in which a CPU can do the work" {
    take sim
    records 'select(.event != "clock")' sim-2
    expect 'not yet' 0
    diagnosed time-not-measured - "the CPU line prints"
    cd / && rm -rf "$CHECK" && take sim
    sed -i '1s/P =.*/P = 1e9 Gflop\/s B = 1e9 GB\/s/' sim-2/stdout
    expect 'not yet' 0
    diagnosed part-a-skipped - 'less than any CPU needs'
    cd / && rm -rf "$CHECK" && take sim
    sed -i '1s/t0 = .*/t0 = 0.020000000 sec/' sim-2/stdout
    expect 'not yet' 0
    diagnosed time-not-measured - 'with arguments 100000, the CPU line prints 20 ms, but the program did not measure it with a system clock'
    sed -i '1s/t0 = .*/t0 = 1.000 sec/' sim-2/stdout
    records 'if .event == "clock" and .t < 1000 then .t = -1e6 | ., (.t = 1), (.t = 900) else . end' sim-2
    expect reached 6
    sed -i '1s/nthr = .*/nthr = 1 t0 = 0.000000899 sec B = 1335 GB\/s/' sim-2/stdout
    expect reached 6
}

@test "flow: an allocation in the timer counts as time, however short it is" {
    take sim
    records 'if .event == "launch" then {event: "alloc", id: 9, space: "device", bytes: 4, address: 64, t: 950, file: "program.cu", line: 14}, . elif .event == "clock" and .t > 1000 then .t += 1000 else . end' sim-2
    printed 920 1e-8 >sim-2/stdout
    expect 'not yet' 1
    diagnosed printed-figure 14 'The timer includes the memory allocation in this line'
    records 'if .event == "alloc" and .id == 9 then del(.file) else . end' sim-2
    expect reached 6
}

@test "flow: a wrong divisor is only assumed for a time without copies" {
    local longer='if .event == "kernel" or .event == "sync" then .end += 100000 elif .event == "clock" and .t > 1000 then .t += 100000 elif .direction == "d2h" then .start += 100000 | .end += 100000 else . end'
    take sim
    records "$longer" sim-2
    printed 23.85 1e-8 >sim-2/stdout
    expect 'not yet' 1
    diagnosed printed-figure 15 'The time between two clock readings is divided by 2'
    records 'if .direction == "h2d" then .start = 920 | .end = 930 else . end' sim-2
    expect 'not yet' 1
    diagnosed time-not-measured 15 'no two clock readings differ by the printed time'
}

@test "flow: with a key, a trace without a checksum is not complete" {
    take sim
    change '.key = "00112233445566778899aabbccddeeff"' check.json
    could_not_judge 'sim-0/trace.jsonl has no checksum at its end'
    diagnosed trace-not-whole - 'has no checksum'
}

@test "flow: with a key, a missing trace of a real GPU's run is reported" {
    take both
    rm real-1/trace.jsonl
    expect 'could not check' 0
    is "$NAMES" "  "
    change '.key = "00112233445566778899aabbccddeeff" | .runs |= map(select(.device == "real"))' check.json
    expect 'could not check' 0
    diagnosed trace-not-whole -
}
