#!/usr/bin/env bats
# The judge on good checks, and on programs that are right but slow, or measure the wrong time.
bats_require_minimum_version 1.5.0

load helper
load judge/fixture

@test "judge: a good program on the simulated GPU reaches the top, with modelled figures" {
    take sim
    expect reached 6
    is "$(field '[.criteria[].passed] | unique | tostring')" '[true]'
    is "$(field '.rate | "\(.value | round) \(.unit) \(.how)"')" '3987 GB/s modelled'
    is "$(field '.limit | "\(.value) \(.unit) \(.how)"')" '4000 GB/s modelled'
    is "$(field '.share * 1000 | round')" 997
    is "$(field '.diagnoses | length')" 0
    is "$(field '.next')" null
    is "$(field '.devices | tostring')" '[{"name":"NVIDIA H200","kind":"simulated","profile":"h200"}]'
    is "$(field '.criteria[] | select(.id == "right").text')" 'is right for n = 31, 1000'
    is "$(field '.criteria[] | select(.id == "kernel").seen')" 'add<<<391, 256>>>'
}

@test "judge: with a GPU the figures are measured, the best of the repeated runs" {
    take both
    expect reached 6
    is "$(field '.rate | "\(.value | round) \(.unit) \(.how)"')" '3987 GB/s measured'
    is "$(field '.limit | "\(.value) \(.how)"')" '4000 measured'
    is "$(field '[.devices[].kind] | tostring')" '["simulated","real"]'
    is "$(field '.notes[0]')" 'a note'
}

@test "judge: a launch that nobody waits for stops the timer early, on the line of the timer" {
    take sim
    records 'if .event == "kernel" then .end = .start + 61201000
             elif .event == "clock" and .t > 1000 then .t = 2000 else . end' sim-2
    printed 3000 1e-8 >sim-2/stdout
    expect 'not yet' 1
    diagnosed timer-stopped-early 17 'the timer stopped 61.2 ms before the kernel finished'
    is "$(field '.diagnoses[0].criterion')" timer
    is "$(field '.diagnoses[0].file')" program.cu
    is "$(field '.diagnoses[0].code')" 'line 17'
    is "$(field '.criteria[] | select(.id == "half") | "\(.passed) \(.after)"')" 'null timer'
}

@test "judge: a timer that stopped late enough only by chance, because nothing waits for the kernel, fails" {
    take sim
    records 'select(.event != "sync")' sim-2
    expect 'not yet' 1
    diagnosed timer-stopped-early 17 'nothing waits for the kernel before the timer stops'
    is "$(field '.criteria[] | select(.id == "timer").seen')" 'nothing waits for the kernel before the timer stops'
    rm -rf "$CHECK"
    take sim
    records 'if .event == "sync" then .what = "query" else . end' sim-2
    expect reached 6
    rm -rf "$CHECK"
    take sim
    records 'select(.event != "sync"), if .event == "alloc" and .id == 2 then .id = 3 | .space = "pinned" | .address = 950000000 else empty end' sim-2
    expect reached 6
}

@test "judge: if a function of the program reads the clock, the line of the launch is named" {
    take sim
    records 'if .event == "kernel" then .end = .start + 61201000
             elif .event == "clock" then .line = 3 | .t = ([.t, 2000] | min) else . end' sim-2
    printed 3000 1e-8 >sim-2/stdout
    expect 'not yet' 1
    diagnosed timer-stopped-early 15
    is "$(field '.diagnoses[0].evidence.timer_line')" 3
}

@test "judge: a timer that stopped early on the GPU has the line that the simulated GPU saw" {
    take both
    records 'if .event == "clock" and .t > 1000 then .t = 1001 else . end' sim-2
    records 'if .event == "kernel" then .end = .start + 5000000 else . end' real-1 real-2
    expect 'not yet' 1
    diagnosed timer-stopped-early 17 'stopped 5 ms before the kernel'
}

@test "judge: a timer that the simulated GPU saw stop early stopped early, even if a busy GPU's timer does not show it" {
    take both
    records 'if .event == "kernel" then .end = .start + 5000000
             elif .event == "clock" and .t > 1000 then .t = 2000 else . end' sim-2
    expect 'not yet' 1
    diagnosed timer-stopped-early 17 'the timer stopped 5 ms before the kernel finished'
}

@test "judge: on a GPU alone, a timer that stopped early is reported if nothing waits for the kernel" {
    take both
    change '(.compile, .runs) |= map(select(.device == "real"))' check.json
    records 'if .event == "kernel" then .end = .start + 5000000 else . end' real-1 real-2
    expect 'not yet' 1
    diagnosed printed-figure -
    records 'select(.event != "sync")' real-1 real-2
    expect 'not yet' 1
    diagnosed timer-stopped-early - 'the kernel took 5 ms. Nothing waits for the kernel before the copy of the result'
}

@test "judge: a printed rate that is too high for the kernel's time is reported, without a guess at the reason" {
    take sim
    printed 99999 1e-8 >sim-2/stdout
    expect 'not yet' 1
    diagnosed printed-figure 15 'with arguments 100000, the program prints 1.2e-05 ms, but the kernel took 0.000301 ms'
}

@test "judge: a timer that times more than the kernel misses rung 2" {
    take sim
    printed 0.5 1e-8 >sim-2/stdout
    expect 'not yet' 1
    diagnosed printed-figure 15 'prints 2.4 ms'
    is "$(field '.diagnoses[0].criterion')" times_kernel_only
    is "$(field '.criteria[] | select(.id == "timer").passed')" true
}

@test "judge: a timer that shows a millisecond more passes" {
    take sim
    records 'if .event == "clock" and .t > 1000 then .t += 922000
        elif .direction == "d2h" then .start += 1000000 | .end += 1000000 else . end' sim-2
    printed 1.3 1e-8 >sim-2/stdout
    expect reached 6
}

@test "judge: on a GPU, a launch that takes 6 ms until the kernel runs may show in the timer" {
    take both
    records 'if .event == "launch" then .returned = 6001000
        elif .start then (if .start >= 1000 then .start += 6000000 | .end += 6000000 else . end) else . end' real-1 real-2
    printed 0.2 1e-8 >real-1/stdout
    cp real-1/stdout real-2/stdout
    expect reached 6
}

@test "judge: 6 ms in a real GPU's timer that the simulated GPU does not see are nobody's mistake" {
    take both
    printed 0.2 1e-8 | tee real-1/stdout >real-2/stdout
    expect 'could not check' 1
    has "$(field .next)" 'The simulated GPU saw nothing else in the timer: other programs probably use this machine'
    is "$(field '.diagnoses | length')" 0
    printed 0.2 1e-8 >sim-2/stdout
    records 'if .event == "clock" and .t > 1000 then .t += 5999599
             elif .direction == "d2h" then .start += 6000000 | .end += 6000000 else . end' sim-2
    expect 'not yet' 1
    diagnosed printed-figure 15 'the program prints 6 ms'
}

@test "judge: other programs may disturb the second call of a library, but its first one takes long by itself" {
    take both
    printed 0.2 1e-8 | tee real-1/stdout >real-2/stdout
    records 'if .event == "launch" or .event == "kernel" then .library = "cublas" else . end' sim-2 real-1 real-2
    expect 'not yet' 1
    diagnosed first-library-call 15
    records 'if .event == "launch" then (.id = 9 | .t = 60), . elif .event == "kernel" then (.id = 9 | .start = 60 | .end = 100), . else . end' sim-2 real-1 real-2
    expect 'could not check' 1
    has "$(field .next)" 'other programs probably use this machine'
    is "$(field '.diagnoses | length')" 0
}

@test "judge: the first timed launch is known from a run of its size" {
    take sim
    change '.runs |= map(select(.purpose == "speed"))' check.json
    is "$("$TOOLS/questions" --timed .)" 1
}

@test "judge: on a GPU, a wait that takes 6 ms beyond the kernel may show in the timer" {
    take both
    records 'if .event == "sync" then .end += 6000000 else . end' real-1 real-2
    printed 0.2 1e-8 >real-1/stdout
    cp real-1/stdout real-2/stdout
    expect reached 6
}

@test "judge: an infinite rate is a time of 0" {
    take sim
    printed inf 1e-8 >sim-2/stdout
    expect 'not yet' 1
    is "$(field '.criteria[] | select(.id == "timer").passed')" false
}

# The kernel ran once before, 10 ms earlier.
warmed_up='if .event == "launch" then (.t = 100), {event: "kernel", id: 1, start: 100, end: 500, store_bytes: 400000, load_requests: 1}, CLOCK, (.id = 2 | .t += 10000000)
    elif .event == "kernel" then .id = 2 | .start += 10000000 | .end += 10000000
    elif .event == "access" then .kernel = 2
    elif .event == "clock" and .t > 1000 then .t += 10000000 else . end'

@test "judge: a kernel that ran before the timer to warm up does not count as time" {
    take both
    records "${warmed_up/CLOCK/{event: \"clock\", t: 10000900\}}" sim-2
    records "${warmed_up/CLOCK,/}" real-1 real-2
    expect reached 6
    is "$(field '.rate.value | round')" 3987
}

@test "judge: a timer that includes a warm-up is reported as such, also if its time is far too long" {
    take both
    records 'if .event == "launch" then ., {event: "kernel", id: 1, start: 1000, end: 1301, load_bytes: 800000, store_bytes: 400000}, (.id = 2 | .t = 1310)
             elif .event == "kernel" then .id = 2 | .start = 1310 | .end = 1611
             elif .event == "clock" and .t > 1000 then .t = 1700 else . end' sim-2 real-1 real-2
    printed 0.5 1e-8 | tee real-1/stdout >real-2/stdout
    expect 'not yet' 1
    diagnosed times-several-runs 15 'the timer includes 2 kernels, but each of them computes the whole result'
    is "$(field '.diagnoses[0].criterion')" times_kernel_only
}

@test "judge: kernels that make the result only together are not several runs, and no mean of them is its time" {
    take sim
    records 'if .event == "launch" then ., {event: "kernel", id: 1, start: 1000, end: 1301, load_requests: 1, load_bytes: 400000, store_bytes: 400000}, (.id = 2 | .t = 1310)
             elif .event == "kernel" then .id = 2 | .start = 1310 | .end = 1611 | .load_bytes = 400000
             elif .event == "clock" and .t > 1000 then .t = 1700 else . end' sim-2
    printed 0.5 1e-8 >sim-2/stdout
    expect 'not yet' 1
    diagnosed printed-figure 15 'the kernel took 0.000611 ms'
    printed 4000 1e-8 >sim-2/stdout
    expect 'not yet' 1
    diagnosed printed-figure 15 'with arguments 100000, the program prints 0.0003 ms, but the kernel took 0.000611 ms'
}

@test "judge: between a long lap that warms up and a short one, not each time in some unit is a mean" {
    take sim
    local late=${warmed_up//10000000/1000000000}
    records "${late/CLOCK/{event: \"clock\", t: 1000000900\}}" sim-2
    records 'if .event == "launch" and .id == 1 then .t = 1000
        elif .event == "kernel" and .id == 1 then .start = 1000 | .end = 1400 | .load_bytes = 800000
        elif .event == "kernel" then .end += 300000
        elif .start > 1000000000 or .t > 1000001000 then (.t, .start, .end | values) += 300000 else . end' sim-2
    printed 3.98 1e-8 >sim-2/stdout
    expect 'not yet' 4
    is "$(field '.criteria[] | select(.id == "timer").passed')" true
    printed 7.966 1e-8 >sim-2/stdout # half of the time
    expect 'not yet' 1
    diagnosed printed-figure 15 'is divided by 2, but the result is computed 1 time'
}

@test "judge: on a GPU alone, a kernel that ran before the timer does no harm" {
    take both
    change '(.compile, .runs) |= map(select(.device == "real"))' check.json
    records 'if .event == "launch" then ., {event: "kernel", id: 1, start: 100, end: 900}, {event: "sync", what: "device", start: 110, end: 901}, (.id = 2)
             elif .event == "kernel" then .id = 2 | .end = 1301 else . end' real-1 real-2
    expect 'could not check' 1
    has "$(field '.criteria[] | select(.id == "timer").seen')" 'only the simulated GPU could tell which of the kernels are timed'
    is "$(field '.diagnoses | length')" 0
}

@test "judge: on a GPU alone, a timer that shows the mean of several launches passes" {
    take both
    change '(.compile, .runs) |= map(select(.device == "real"))' check.json
    records 'if .event == "launch" then ., (.id = 2) elif .event == "kernel" then ., (.id = 2 | .start += 400 | .end += 400) else . end' real-1 real-2
    printed 3000 1e-8 | tee real-1/stdout >real-2/stdout
    expect 'could not check' 1
    is "$(field '.diagnoses | length')" 0
}

@test "judge: a program may warm up for a while: the one timed kernel is known, one of several is not" {
    take both
    records "${warmed_up/CLOCK/{event: \"clock\", t: 10000900\}}" sim-2
    records 'if .event == "launch" then (.id = 8 | .t = 100), {event: "kernel", id: 8, start: 100, end: 500}, (.id = 9 | .t = 600), {event: "kernel", id: 9, start: 600, end: 900}, . else . end' real-1 real-2
    expect reached 6
    records 'if .event == "kernel" then .store_bytes = 200000 | .load_bytes = 400000 else . end' sim-2
    printed 400 1e-8 >sim-2/stdout
    expect 'could not check' 1
    has "$(field '.criteria[] | select(.id == "timer").seen')" 'the number of kernels differs from run to run'
}

@test "judge: laps of a warm-up that take about as long as the timer are not taken for it" {
    take sim
    records 'if .event == "clock" and .t < 1000 then {event: "clock", t: 100}, {event: "alloc", id: 9, bytes: 4, address: 8, t: 110, file: "program.cu", line: 3}, {event: "free", id: 9, t: 115},
                 {event: "launch", id: 8, kernel: "add", grid: [391, 1, 1], block: [256, 1, 1], stream: 0, error: 0, t: 120}, {event: "kernel", id: 8, start: 120, end: 421, load_bytes: 800000, store_bytes: 400000, load_requests: 1},
                 {event: "sync", what: "device", start: 121, end: 421}, {event: "clock", t: 500}, .
             else . end' sim-2
    sed -i 's/^ GPU: .*/ GPU: nthr =  256   t0 = 0.000000402 sec   P = 497.512 Gflop\/s   B = 2985.075 GB\/s/' sim-2/stdout
    expect reached 6
}

@test "judge: a large problem may take more kernels than one that is simulated: all that fit in its time are timed" {
    take both
    records 'if .event == "launch" then ., (.id = 2 | .kernel = "sum")
             elif .event == "kernel" then .end = 1350, (.id = 2 | .start = 1350 | .end = 1402) else . end' real-1 real-2
    printed 2985 1e-8 | tee real-1/stdout >real-2/stdout
    expect reached 5
    is "$(field '.rate.value | round')" 2985
    is "$(field '.diagnoses | length')" 0
}

@test "judge: pieces of one result are all timed" {
    take both
    records "${warmed_up/CLOCK/{event: \"clock\", t: 9000000\}}" sim-2
    records 'if .event == "kernel" then .store_bytes = 200000 else . end' sim-2
    records "${warmed_up/CLOCK,/}" real-1 real-2
    expect 'not yet' 1
    diagnosed printed-figure 15 'the kernel took 10 ms'
}

@test "judge: one thread misses rung 3, and later rungs wait for it" {
    take sim
    records 'if .event == "kernel" then .threads = 1 else . end' sim-0 sim-1 sim-2
    expect 'not yet' 2
    is "$(field '.next')" 'next of threads'
    is "$(field '.criteria[] | select(.id == "threads") | "\(.passed) \(.seen), \(.needed)"')" 'false 1 thread, at least 256 threads'
    is "$(field '[.criteria[] | select(.after == "threads").id] | join(" ")')" 'coalesced fills half vector full'
    is "$(field '.criteria[] | select(.id == "full").seen')" '99.7 %, modelled'
}

@test "judge: accesses that touch more sectors than they need are reported with the worst line" {
    take sim
    records 'if .event == "access" and .kind == "load" then .size = 4 | .worst_sectors = 32 | .sectors = 32 * .requests | .ideal = 4 * .requests
             elif .event == "kernel" then .load_sectors = 32 * .load_requests | .load_ideal = 4 * .load_requests else . end' sim-2
    expect 'not yet' 3
    diagnosed uncoalesced-access 5 "one warp's 32 loads touch 32 sectors of 32 bytes; 4 would be enough"
    is "$(field '.diagnoses[0].code')" 'y[i] = 2 * x[i] + y[i];'
    is "$(field '.diagnoses[0].column')" 5
    is "$(field '.criteria[] | select(.id == "coalesced").seen')" '3.33 sectors moved per sector needed'
}

@test "judge: one block does not fill the GPU" {
    take sim
    records 'if .event == "launch" then .grid = [1, 1, 1] else . end' sim-2
    expect 'not yet' 4
    is "$(field '.criteria[] | select(.id == "fills").seen')" '1 block for 132 SMs'
    is "$(field '.criteria[] | select(.id == "half").passed')" true
}

@test "judge: the blocks of a small run say nothing about a large one" {
    take sim
    change '.runs |= map(select(.purpose == "right"))' check.json
    records 'if .event == "launch" then .grid = [1, 1, 1] else . end' sim-1
    result sim-1 1000 wrong 77
    expect 'not yet' 0
    is "$(field '[.diagnoses[].name] | join(" ")')" wrong-result
    is "$(field '.criteria[] | select(.id == "fills") | "\(.passed) \(.after)"')" 'null right'
}

@test "judge: the required rung is enough, and the bonus rung is shown" {
    take sim
    records 'if .event == "access" then .size = 4 | .lanes *= 4 else . end' sim-2
    expect reached 5
    is "$(field '.next')" 'next of vector'
    is "$(field '.criteria[] | select(.id == "full").passed')" true
}

@test "judge: a slow kernel misses the floor, measured against the GPU's own limit" {
    take both
    change '.value = 9000' limit.json
    expect 'not yet' 4
    is "$(field '.criteria[] | select(.id == "half").seen')" '44 %'
    is "$(field '.next')" 'next of half'
}

@test "judge: without the GPU's limit there is no share: the criterion neither passes nor fails" {
    take both
    change '.limit = null' check.json
    expect 'could not check' 4
    is "$(field '.criteria[] | select(.id == "half") | "\(.passed) \(.seen)"')" 'null the limit of this GPU is not known'
    is "$(field '.limit')" null
    is "$(field '.rate.how')" measured
}

@test "judge: an earlier failure remains, even if something else could not be checked" {
    take both
    change '.limit = null' check.json
    records 'if .event == "kernel" then .threads = 1 else . end' sim-0 sim-1 sim-2
    expect 'not yet' 2
}

@test "judge: a program that the simulated GPU does not know is checked only on the GPU" {
    take both
    change '.compile[0].exit = 2 | .runs |= map(select(.device == "real"))' check.json
    echo 'program.cu:7: the simulated GPU does not know textures' >compile-sim.log
    expect 'could not check' 2
    is "$(field '.criteria[] | select(.id == "threads") | "\(.passed) \(.seen)"')" 'null the simulated GPU does not know textures; checked on the GPU only'
    is "$(field '.criteria[] | select(.id == "compiles").passed')" true
    is "$(field '.criteria[] | select(.id == "half").passed')" true
}

@test "judge: when the simulated GPU meets something that it does not know, its runs do not count" {
    take both
    records 'if .event == "clock" and .t < 1000 then {event: "unknown", what: "cudaGraphLaunch", file: "program.cu", line: 8}, . else . end' sim-1
    result sim-1 1000 noise
    expect 'could not check' 2
    is "$(field '.criteria[] | select(.id == "right").passed')" true
    has "$(field '.criteria[] | select(.id == "coalesced").seen')" 'does not know cudaGraphLaunch'
}

@test "judge: a program that the simulated GPU does not know cannot be checked without a GPU" {
    take sim
    change '.compile[0].exit = 2 | .runs = []' check.json
    echo 'program.cu:7: the simulated GPU does not know textures' >compile-sim.log
    could_not_judge 'the simulated GPU does not know textures, and this machine has no GPU to check it on'
}

@test "judge: if a program launches no kernel for one size, the message names this size" {
    take sim
    records 'select(.event == "begin" or .event == "clock" or .event == "end")' sim-0
    expect 'not yet' 0
    diagnosed no-kernel - 'with arguments 31, the program launches no kernel'
}

@test "judge: a starter without CUDA is on rung 0, with or without a trace on the GPU" {
    take both
    records 'select(.event == "begin" or .event == "clock" or .event == "end")' sim-*
    records 'select(.event == "begin" or .event == "end")' real-0
    rm real-1/trace.jsonl real-2/trace.jsonl
    sed -i 's/GPU/CPU/' ./*/stdout
    expect 'not yet' 0
    diagnosed no-kernel - 'launches no kernel'
    is "$(field '.criteria[] | select(.id == "runs").passed')" true
    is "$(field '.criteria[] | select(.id == "kernel").passed')" false
    is "$(field '.criteria[] | select(.id == "right") | "\(.passed) \(.after)"')" 'null kernel'
    is "$(field '.next')" 'next of kernel'
}

@test "judge: the same check gives the same verdict, to the byte" {
    take both
    judge
    first=$VERDICT
    judge
    is "$VERDICT" "$first"
}

@test "judge: the seed of the command line replaces that of the check" {
    take sim
    judge --seed 2
    is "$(field '.status')" 'not yet'
    is "$(field '.seed')" 2
    sed -i 's/"seed":1/"seed":18446744073709551614/' check.json
    judge --seed 18446744073709551614
    is "$(field '.status')" 'not yet'
    is "$(field '.seed')" 18446744073709551614
}

@test "judge: printed lines may differ in spaces, order and units, and may miss figures" {
    take sim
    printf 'hello\nCPU: B=3\n gpu :nthr=7 B =  3.987 TB/s\nDiff=0\n' >sim-2/stdout
    expect reached 6
    printf 'CPU: P=300 Gflop/s\n GPU: t0 = 0.3 us\n diff = 1e-9 (max)\n' >sim-2/stdout
    expect reached 6
}
