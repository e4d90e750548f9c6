#!/usr/bin/env bats
# The day's demos on the simulated GPU: each one is right, makes no fault, and prints the figures that
# theory gives and that the simulated GPU counts.
bats_require_minimum_version 1.5.0

# Builds and runs all demos in parallel: NAME/table has the output, NAME/trace.jsonl the trace.
setup_file() {
    load helper
    local name
    printf '%s\n' "$TOP"/day1/demos/*.cu | xargs -P "$(nproc)" -n 1 "$BATS_TEST_DIRNAME/demo_run.bash" "$BATS_FILE_TMPDIR" 3>&-
}

setup() {
    load helper
    OUT=$BATS_FILE_TMPDIR
}

names() {
    basename -s .cu "$TOP"/day1/demos/*.cu
}

# Columns of a demo's rows: those that begin with a number.
columns() { # NAME COLUMN...
    local name=$1
    shift
    awk -v wanted="$*" '
        /^ *[0-9]/ && !/</ { n = split(wanted, w, " "); for (i = 1; i <= n; i++) printf "%s%s", $w[i], i < n ? " " : "\n" }' "$OUT/$name/table"
}

# Applies jq to a trace, as an array of records.
traced() { # NAME FILTER
    jq -rs "$2" "$OUT/$1/trace.jsonl"
}

# The line of a demo's source that holds some text.
line_of() { # NAME TEXT
    grep -nF "$2" "$TOP/day1/demos/$1.cu" | cut -d: -f1
}

@test "every demo ends well, without a word on stderr" {
    local name
    for name in $(names); do
        cat "$OUT/$name/log"
        [ "$(cat "$OUT/$name/ended")" = 0 ]
        [ ! -s "$OUT/$name/log" ]
    done
}

@test "no demo causes a fault or ignores an error" {
    local name
    for name in $(names); do
        run -0 traced "$name" '.[] | select(.event == "fault" or .event == "unknown") | tojson'
        echo "$name: $output"
        [ -z "$output" ]
        [ "$(traced "$name" '.[-1].event')" = end ]
    done
}

@test "a table has at most 12 rows of at most 72 columns, and says when it is modelled" {
    local name
    for name in $(names); do
        head -n 1 "$OUT/$name/table" | grep -q 'simulated; times are modelled$'
        awk -v name="$name" 'length > 72 { print name ": " $0; bad = 1 } END { if (NR > 14) { print name ": " NR; bad = 1 } exit bad }' \
            "$OUT/$name/table"
        [ "$(wc -l <"$TOP/day1/demos/$name.cu")" -le 120 ]
    done
}

@test "coalescing: sectors by stride are those that are counted" {
    diff <(columns coalescing 1 2) <(printf '%s\n' '1 4' '2 8' '4 16' '8 32' '16 32' '32 32')
    diff <(columns coalescing 2) <(traced coalescing '[.[] | select(.event == "access" and .kind == "load" and .space == "global")
        | .sectors / .requests] | _nwise(2) | unique[]')
}

@test "bank-conflicts: wavefronts by stride are those that are counted" {
    local line
    line=$(line_of bank-conflicts "the timed read")
    diff <(columns bank-conflicts 1 2) <(printf '%s\n' '1 1' '2 2' '3 1' '4 4' '8 8' '16 16' '31 1' '32 32' '33 1')
    diff <(columns bank-conflicts 2) <(traced bank-conflicts "[.[] | select(.event == \"access\" and .space == \"shared\"
        and .kind == \"load\" and .line == $line) | .wavefronts / .requests] | _nwise(2) | unique[]")
}

@test "divergence: the ways of a warp are those that are counted" {
    local line
    line=$(line_of divergence "the load of a way")
    # 2 blocks of 32 warps, 64 loads in each way that a warp goes; each launch twice, by warp and by lane
    diff <(columns divergence 3 2) <(traced divergence "[.[] | select(.event == \"access\" and .kind == \"load\" and .line == $line)
        | .requests / (2 * 32 * 64)] | _nwise(4) | \"\\(.[0]) \\(.[2])\"")
}

@test "alignment: loads and sectors of a warp are those that are counted" {
    local printed
    printed=$(awk '/float/ || /__align__/ { print $(NF - 2), $(NF - 1) }' "$OUT/alignment/table")
    diff <(echo "$printed") <(printf '%s\n' '1 4' '1 8' '1 16' '3 36' '1 16')
    # requests and sectors of a whole warp: 32 lanes
    # shellcheck disable=SC2016 # the variables are jq's
    diff <(echo "$printed") <(traced alignment '(map(select(.event == "launch")) | map({key: "\(.id)", value: (.grid[0] * .block[0] / 32)})
        | from_entries) as $warps | [.[] | select(.event == "kernel") | "\(.load_requests / $warps["\(.id)"]) \(.load_sectors / $warps["\(.id)"])"]
        | _nwise(2) | .[0]')
    grep -qE '^struct \{ char double char \} +24 +8$' "$OUT/alignment/table"
    grep -qE '^struct \{ double char char \} +16 +8$' "$OUT/alignment/table"
}

@test "scope-and-lifetime: copies, and what the second launch finds in them" {
    diff <(awk '/^(int|__|cuda)/ { print $(NF - 2), $(NF - 1), $NF }' "$OUT/scope-and-lifetime/table") \
        <(printf '%s\n' '51200 1 1' '51200 1 1' '100 512 512' '1 51200 102400' '1 7 7' '1 51200 102400')
}

@test "occupancy: one register too many costs two blocks" {
    grep -qE '^  registers per warp: +1024 +1280 +1280 +1536 +2048 +2304$' "$OUT/occupancy/table"
    grep -qE '^  blocks of 256 held: +8 +6 +6 +5 +4 +3$' "$OUT/occupancy/table"
}

@test "device-facts: the figures of the profile" {
    local sms
    sms=$(awk -F '\t' '$1 == "sms" { print $2 }' "$TOP/checker/gpu/profiles/h200.tsv")
    grep -qE "^streaming multiprocessors \(SMs\) +$sms\$" "$OUT/device-facts/table"
    grep -qE '^a block of 1024 threads +ran$' "$OUT/device-facts/table"
    grep -qE '^a block of 1025 threads +refused$' "$OUT/device-facts/table"
}

@test "constant-memory and transfer: a row for each step" {
    diff <(columns constant-memory 1) <(printf '%s\n' 1 2 4 8 16 32)
    diff <(columns transfer 1) <(printf '%s\n' 4 64 1024)
}

# Tables without their figures.
words() { # FILE
    sed -E '/^#/d; s/[0-9.]+/N/g; s/ +/ /g' "$1"
}

@test "a demo's table in the slides is what the demo prints, except for measured numbers" {
    local name
    for name in $(names); do
        diff <(words "$TOP/day1/measured/simulated/$name.txt") <(words "$OUT/$name/table")
        grep -qx "# make -C day1 demo NAME=$name GPU=sim" "$TOP/day1/measured/simulated/$name.txt"
    done
}

@test "make lists the demos; for an unknown name it prints their names" {
    run -0 make -s -C "$TOP/day1" demos
    [ "${#lines[@]}" -eq "$(names | wc -l)" ]
    [[ "$output" == *"  coalescing           reads of global memory with a stride"* ]]
    run -2 make -s -C "$TOP/day1" demo NAME=nothing GPU=sim
    [[ "$output" == *"there is no demo nothing; there are: alignment "* ]]
    run -2 make -s -C "$TOP/day1" demo
    [[ "$output" == *"give a name; there are: alignment "* ]]
}

@test "latency: each ring is in the cache that has room for it" {
    diff <(columns latency 1) <(printf '%s\n' 16 64 1024 4096 16384 262144)
    awk '/^ *[0-9]/ { if ($1 <= 64) l1 = $2; else if ($1 <= 16384) l2 = $2; else dram = $2 }
        END { exit !(3 * l1 < l2 && 2 * l2 < dram) }' "$OUT/latency/table"
}

@test "bytes in flight: twice the bytes, twice the rate, up to the memory's rate" {
    diff <(columns in-flight 1) <(printf '%s\n' 2 8 32 128 512 1024 2048 4096)
    awk '/^ *[0-9]/ { rate[$1] = $2 } END { exit !(rate[8] > 3.5 * rate[2] && rate[32] > 3.5 * rate[8] && rate[4096] > 3000) }' \
        "$OUT/in-flight/table"
}

@test "launch: the call returns before the kernel has ended, and a row of launches overlaps" {
    awk '{ us = $NF } /call of a launch/ { call = us } /a wait  / { wait = us } /100 launches/ { each = us }
        END { exit !(call > 0 && call < wait && each < wait) }' "$OUT/launch/table"
}

@test "make measure draws five demos beside the profile; a demo that lost a row is reported" {
    run -0 make -s -C "$TOP/day1" measure GPU=sim
    [ "$(grep -c 'simulated; times are modelled' <<<"$output")" -eq 5 ]
    grep -qE '^  256 MB: in DRAM +█{28} +4[0-9]{2} ns +profile 400, [+-][0-9]+ %$' <<<"$output"
    [[ ${lines[-1]} == "Profile: NVIDIA H200. Bars: "* ]]
    echo 'latency: nothing' >"$BATS_TEST_TMPDIR/output"
    run -1 awk -F '\t' -v demo=latency -v bar='#' -f "$TOP/day1/measure.awk" "$TOP/checker/gpu/profiles/h200.tsv" \
        "$TOP/day1/machine.tsv" "$BATS_TEST_TMPDIR/output"
    [[ $output == *'latency printed no row "shared"'* ]]
}
