#!/usr/bin/env bats
# The questions that a check asks the judge before its end, and the records that it hands over.
bats_require_minimum_version 1.5.0

load helper
load judge/fixture

# A folder with this trace.
trace() { # FOLDER RECORD...
    mkdir -p "$1"
    printf '%s\n' '{"event":"begin","version":1,"kind":"simulated"}' "${@:2}" >"$1/trace.jsonl"
}

kernel() { # START END [FIELDS]
    printf '{"event":"kernel","id":1,"start":%s,"end":%s%s}' "$1" "$2" "${3-}"
}

launch() { # GRID BLOCK [FIELDS]
    printf '{"event":"launch","id":1,"grid":[%s],"block":[%s]%s}' "$1" "$2" "${3-}"
}

ask() {
    # shellcheck disable=SC2086 # words: test/sanitize puts valgrind in front
    ${WARPUP_UNDER-} "$TOOLS/judge" "$@"
}

@test "questions: the time of the kernels is the smallest sum between two clock readings" {
    local clock='{"event":"clock"}' mark='{"event":"mark","id":1}'
    take sim
    trace a "$(kernel 0 900)" "$clock" "$(kernel 1000 1100)" "$(kernel 1100 1150)" "$mark" "$clock" "$(kernel 2000 2700)"
    is "$(ask --kernel-ns a)" 150
    trace a "$(kernel 0 900)" "$clock" "$(kernel 1000 1100 ',"repeats":true')" "$clock"
    is "$(ask --kernel-ns a)" 900
    trace a "$clock"
    is "$(ask --kernel-ns a)" 0
    is "$(ask --kernel-ns nowhere)" 0
}

@test "questions: on a GPU, the time of the kernels is that of all of them" {
    take sim
    trace a "$(kernel 0 900)" '{"event":"clock"}' "$(kernel 1000 1100)"
    sed -i 's/simulated/real/' a/trace.jsonl
    is "$(ask --kernel-ns a)" 1000
}

@test "questions: the time of the kernels is at least the work of simulating them" {
    take sim
    trace a "$(kernel 0 10 ',"load_requests":1000,"store_requests":500,"atomic_requests":500,"load_sectors":8000,"atomic_sectors":72000')"
    is "$(ask --kernel-ns a)" 1200
}

@test "questions: what is suspicious about launches" {
    take sim
    trace a "$(launch 4,1,1 256,1,1)"
    trace b "$(launch 1,1,1 1,1,1)" "$(launch 8,1,1 128,1,1)" "$(launch 99,1,1 1,1,1 ',"library":"cublas"')"
    is "$(ask --suspicions a b nowhere)" fixed
    trace b "$(launch 8,1,1 256,1,1)"
    is "$(ask --suspicions a b)" ''
    trace c "$(launch 8,1,7 32,1,1)"
    trace d "$(launch 8,3,1 64,1,1)"
    trace b "$(launch 8,2,1 512,1,1)"
    is "$(ask --suspicions a b c d)" $'growing\ntall'
    is "$(ask --suspicions nowhere)" ''
}

@test "questions: is a library called before the timer starts?" {
    local call own mark='{"event":"mark","id":1}'
    take sim
    call=$(launch 1,1,1 1,1,1 ',"library":"cublas"') own=$(launch 1,1,1 1,1,1)
    trace a "$call" "$mark" "$call"
    run -0 ask --rehearsed a
    trace a "$mark" "$call" "$call" "$mark"
    run -1 ask --rehearsed a
    trace a "$call" "$mark" "$call" "$own"
    run -1 ask --rehearsed a
    run -1 ask --rehearsed nowhere
}

@test "questions: the numbers to alter, for one run or for each line" {
    take sim
    [[ $(ask --probes 1 1000) =~ ^[0-9a-f]{8}(,[0-9a-f]{8})*$ ]]
    is "$(printf '1000\nmany\n1000\n' | ask --probes 1)" "$(ask --probes 1 1000; echo; ask --probes 1 1000)"
    run -2 ask --probes one 1000
}

# The records of what the fixture's check.json says.
records_of() {
    jq -r '(.compile[] | ["compile", .device, .exit]),
        (.runs | to_entries[] | ["run", (.value.dir | split("-")[0]), "made", .key, (.value.arguments | join(" ")), .value.purpose]),
        (if .limit then ["limit", .limit.dir] else empty end), (.notes[] | ["note", .]) | map(tostring) | join("\t")' check.json
}

@test "records: the judge writes check.json from them, and judges as if it had been there" {
    local -x WARPUP_SEAL=00112233445566778899aabbccddeeff
    local run number=0
    take both
    for run in $(jq -r '.runs[].dir' check.json); do mv "$run" "${run%-*}-made-$number" && number=$((number + 1)); done
    records_of >records
    printf 'note\tone\tmore\n' >>records
    jq -c '.runs |= [to_entries[] | .value + {dir: "\(.value.dir | split("-")[0])-made-\(.key)"}]
        | .notes += ["one\tmore"]' check.json >wanted
    mv wanted check.json
    unset WARPUP_SEAL
    judge_with >before || true
    cp check.json wanted
    rm check.json
    judge_with --records records >after || true
    diff before after
    diff <(jq -S . wanted) <(jq -S 'del(.seal)' check.json)
    WARPUP_SEAL=00112233445566778899aabbccddeeff judge_with --records records >sealed || true
    is "$(jq -r .seal check.json)" 00112233445566778899aabbccddeeff
    is "$(jq -r .status sealed)" 'could not check'
}

judge_with() { # OPTION...
    # shellcheck disable=SC2086 # words: test/sanitize puts valgrind in front
    ${WARPUP_UNDER-} "$TOOLS/judge" --exercise test --source program.cu --checker "$TOOLS" --runs . --seed 1 "$@"
}

@test "records: a damaged one gives could not check" {
    local record
    take sim
    for record in $'run\tsim' $'compile\tsim' $'odd\tone' $'limit' $'run\tsim\tright\t0\t1000'; do
        printf '%s\n' "$record" >records
        run -2 judge_with --records records
        is "$(jq -r .status <<<"$output")" 'could not check'
        run -2 ask --wrong 1 . records
    done
    run -2 ask --timed 1 . nowhere
    change '.runs[0].arguments = ["0"]' check.json
    run -0 ask --timed 1 .
    run ask --wrong 1 .
    [[ $status -le 2 ]]
}
