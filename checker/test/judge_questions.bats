#!/usr/bin/env bats
# The questions that a check asks the judge before its end, and the runs that it reads one by one.
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
    ${WARPUP_UNDER-} "$TOOLS/questions" "$@"
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
    is "$(ask --extra-sizes a b nowhere)" fixed
    trace b "$(launch 8,1,1 256,1,1)"
    is "$(ask --extra-sizes a b)" ''
    trace c "$(launch 8,1,7 32,1,1)"
    trace d "$(launch 8,3,1 64,1,1)"
    trace b "$(launch 8,2,1 512,1,1)"
    is "$(ask --extra-sizes a b c d)" growing
    trace c "$(launch 8,1,7 32,1,1)" '{"event":"larger","kernel":1,"grid":[8,65536,1]}'
    is "$(ask --extra-sizes a b c d)" $'growing\nlarge_grid_y'
    is "$(ask --extra-sizes nowhere)" ''
}

@test "questions: is a library called before the timer starts?" {
    local call own mark='{"event":"mark","id":1}'
    take sim
    call=$(launch 1,1,1 1,1,1 ',"library":"cublas"') own=$(launch 1,1,1 1,1,1)
    trace a "$call" "$mark" "$call"
    run -0 ask --warmed-up a
    trace a "$mark" "$call" "$call" "$mark"
    run -1 ask --warmed-up a
    trace a "$call" "$mark" "$call" "$own"
    run -1 ask --warmed-up a
    run -1 ask --warmed-up nowhere
}

@test "questions: the numbers to perturb in a run" {
    take sim
    [[ $(ask --perturbed 1 1000) =~ ^[0-9a-f]{8}(,[0-9a-f]{8})*$ ]]
    is "$(ask --perturbed 1 many)" ''
}

@test "questions: is a result wrong, and which launch is the first timed one?" {
    take sim
    run -1 ask --wrong .
    is "$(ask --timed .)" 1
    cp sim-1/data-1.bin sim-1/data-0.bin
    cp sim-1/data-1.bin sim-1/data-2.bin
    run -0 ask --wrong .
    change '.runs[0].arguments = ["0"]' check.json
    run ask --wrong .
    [[ $status -le 1 ]]
}

@test "runs that were read one by one give the same verdict, and the same internal_errors" {
    local harm
    for harm in true 'rm sim-1/run.json' 'truncate -s 300 sim-1/trace.jsonl' 'cp sim-1/data-1.bin sim-1/data-2.bin'; do
        take both
        eval "$harm"
        judge_with >before || true
        ask --verdict . >after || true
        diff before after
    done
}

judge_with() {
    # shellcheck disable=SC2086 # words: test/sanitize puts valgrind in front
    ${WARPUP_UNDER-} "$TOOLS/judge" --exercise test --source program.cu --checker "$TOOLS" --runs . --seed 1
}
