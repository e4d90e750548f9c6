#!/usr/bin/env bats
# The judge on the whole job, from the host's arrays to the host's arrays: its result, its copies, and its rate.
bats_require_minimum_version 1.5.0

load helper
load judge/fixture

# A good check whose runs do a job in two pieces after part B. A byte takes 1 ns on the bus. The second piece goes to the
# GPU while the first one comes back.
with_jobs() { # sim|both
    local size runs=(sim-0:31 sim-1:1000 sim-2:100000)
    [[ $1 == sim ]] || runs+=(real-0:1000 real-1:100000 real-2:100000)
    take "$1"
    for size in "${runs[@]}"; do add_job "${size%:*}" "${size#*:}"; done
    ladder 'right right = 1' 'share share >= 0.5' 'job end_to_end = 1' 'both copy_overlap >= 0.45' 'bus bus_share >= 0.6'
    change '.bus = {dir: "bus.json"}' check.json
    echo '{"value":1.25,"unit":"GB/s","how":"measured"}' >bus.json
}

add_job() { # DIRECTORY N
    local half=$(($2 / 2)) rest=$(($2 - $2 / 2))
    head -c $((4 * half)) "$1/data-0.bin" >"$1/data-3.bin"
    tail -c $((4 * rest)) "$1/data-0.bin" >"$1/data-4.bin"
    records 'def copy(d; bytes; start; line): {event: "copy", direction: d, bytes: bytes, from: 2, to: 2, stream: 1,
            host: 60000000, start: (10000 + start), end: (10000 + start + bytes), file: "program.cu", line: line};
        def clock(t): {event: "clock", call: "clock_gettime", t: (10000 + t), file: "program.cu", line: 10};
        if .event == "begin" then .bus_gbs = 1.25
        elif .direction == "d2h" then ., clock(0),
            copy("h2d"; 8 * '$half'; 0; 11), copy("h2d"; 8 * '$rest'; 8 * '$half'; 12),
            (copy("d2h"; 4 * '$half'; 8 * '$half'; 19) | .host = 90000000 | .data = "data-3.bin"),
            (copy("d2h"; 4 * '$rest'; 8 * '"$2"'; 20) | .host = 90000000 + 4 * '$half' | .data = "data-4.bin"),
            clock(10 * '"$2"' + 4)
        else . end' "$1"
    sed -i "/Diff/i JOB: t0 = $(awk -v n="$2" 'BEGIN { printf "%.9f", 10e-9 * n }') sec" "$1/stdout"
}

# Replaces the ladder by rows without text.
ladder() { # 'ID MEASURE TEST VALUE'...
    local row columns
    for row; do
        read -ra columns <<<"$row"
        printf '1\t%s\t%s\t%s\t%s\ttext\tnext of %s\n' "${columns[@]}" "${columns[0]}"
    done >"$TOOLS/ladder.tsv"
}

criterion() { # ID
    field '.criteria[] | select(.id == "'"$1"'") | "\(.passed) \(.seen)"'
}

teardown() {
    cp "$TOP/checker/test/judge/ladder.tsv" "$TOOLS/"
}

@test "job: its result, how much its copies overlap, and its share of the bus" {
    with_jobs sim
    judge
    is "$(criterion job)" 'true yes'
    is "$(criterion both)" 'true 50 % of the time of the copies to the host, others go to the GPU; kernels run for 0 ms beside copies'
    is "$(criterion bus)" 'true 64 % of 1.25 GB/s in each direction, modelled'
    is "$(field '.diagnoses | length')" 0
}

@test "job: its own faults count against the job, and those before it against all" {
    with_jobs sim
    records 'def fault: {event: "fault", name: "copy-too-early", kind: "copy", t: 1, file: "program.cu", line: 19};
        if .direction == "d2h" and .line == 20 then fault, . else . end' sim-1
    ladder 'right right = 1' 'clean faults = 0' 'share share >= 0.5' 'job end_to_end = 1'
    judge
    is "$(criterion clean)" 'true none'
    is "$(criterion job)" 'false copy-too-early'
    is "$(field '.diagnoses[] | "\(.name) \(.line) \(.criterion)"')" 'copy-too-early 19 job'
    records 'if .event == "fault" then empty elif .event == "launch" then ., {event: "fault", name: "copy-too-early", kind: "copy",
        t: 1, file: "program.cu", line: 9} else . end' sim-1
    judge
    is "$(criterion clean)" 'false copy-too-early'
    is "$(field '.diagnoses[] | "\(.name) \(.line) \(.criterion)"')" 'copy-too-early 9 clean'
}

@test "job: with a GPU, its time and the bus are measured" {
    with_jobs both
    change '.value = 1.5' bus.json
    judge
    is "$(criterion bus)" 'false 53 % of 1.5 GB/s in each direction'
    change '.bus = null' check.json
    judge
    is "$(criterion bus)" 'null the rate of this bus is not known'
}

@test "job: a program without a line JOB misses the job, and nothing else" {
    with_jobs sim
    sed -i /JOB/d sim-*/stdout
    judge
    is "$(criterion right)" 'true yes'
    is "$(criterion job)" 'false it prints no line JOB'
    is "$(field '.diagnoses | length')" 0
}

@test "job: a wrong result names the first wrong element, and the copy that brought it" {
    with_jobs sim
    head -c 2000 /dev/zero >sim-1/data-4.bin
    judge
    is "$(field '.diagnoses[0] | "\(.name) \(.line) \(.criterion) \(.text)"')" \
        "job-wrong 20 job with arguments 1000, the job's result is wrong from element 500 on"
    is "$(criterion right)" 'true yes'
}

@test "job: copies that bring too few bytes are not a job, also if part B's copies bring the others" {
    local line
    for line in 12 20; do
        with_jobs sim
        records 'select(.line != '$line' or .event != "copy" or .start < 10000)' sim-1
        judge
        is "$(field '.diagnoses[0].name')" job-wrong
        rm -r "$CHECK"
    done
}

@test "job: what came to the host before its kernels ran is not its result" {
    with_jobs sim
    records 'if .line == 19 and .direction == "d2h" then .last_kernel = 1 else . end' sim-1
    judge
    is "$(field '.diagnoses[0] | "\(.name) \(.line) \(.text)"')" \
        'job-wrong 19 with arguments 1000, no kernel of the job wrote all that this copy brings to the host'
}

@test "job: a printed time that is much shorter than that of its copies is not one" {
    with_jobs sim
    sed -i 's/JOB.*/JOB: t0 = 0.000000100 sec/' sim-2/stdout
    judge
    is "$(field '.diagnoses[0] | "\(.name) \(.criterion) \(.text)"')" \
        'work-outside-the-timer job this copy of the job is not between the clock readings that give the 0.0001 ms of the line JOB'
}

@test "job: its timer encloses all of its copies, and nothing else" {
    local wrong
    while IFS='|' read -r wrong seconds expected; do
        with_jobs sim
        records "$wrong" sim-2
        sed -i "s/JOB.*/JOB: t0 = $seconds sec/" sim-2/stdout
        judge
        is "$(field '.diagnoses[0] | "\(.name) \(.line) \(.criterion)"')" "$expected job"
        is "$(criterion job | cut -c 1-5)" false
        rm -r "$CHECK"
    done <<'END'
if .event == "clock" and .t == 10000 then .t = 110000 else . end|0.000900004|work-outside-the-timer 11
if .event == "clock" and .t > 10000 then .t = 900000 else . end|0.000890000|timer-stopped-early 20
if .event == "clock" and .t > 10000 then .t = 9010000 else . end|0.009000000|printed-figure null
if .event == "clock" and .t > 10000 then .t = 9010000 else . end|9.000000000|wrong-unit null
END
}

@test "job: what it brings to the host may go through one small buffer" {
    with_jobs sim
    records 'if .event == "copy" and .direction == "d2h" and .start >= 10000 then .host = 90000000 | .offset = 0 else . end' sim-{0,1,2}
    judge
    is "$(criterion job)" 'true yes'
    head -c 2000 /dev/zero >sim-1/data-4.bin
    judge
    is "$(criterion job)" "false with arguments 1000, the job's result is wrong from element 500 on"
}

@test "job: copies of pageable memory, and copies one after another, are named" {
    with_jobs sim
    records 'if .direction == "d2h" and .start >= 10000 then .start += 800000 | .end += 800000
        elif .event == "clock" and .t > 10000 then .t = 2010000 else . end' sim-2
    sed -i 's/JOB.*/JOB: t0 = 0.002 sec/' sim-2/stdout
    judge
    is "$(criterion both)" 'false 0 % of the time of the copies to the host, others go to the GPU; kernels run for 0 ms beside copies'
    is "$(field '.diagnoses[0] | "\(.name) \(.line) \(.criterion)"')" 'copies-in-turn 19 both'
    records 'if .line == 12 and .start >= 10000 then .pinned = false else . end' sim-2
    judge
    is "$(field '.diagnoses[0] | "\(.name) \(.line) \(.criterion)"')" 'pageable-copies 12 both'
}
