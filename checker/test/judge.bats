#!/usr/bin/env bats
# The judge on good checks, and on programs that are right but slow, or watch the wrong time.
bats_require_minimum_version 1.5.0

setup_file() {
    load helper
    source "$BATS_TEST_DIRNAME/judge/fixture.bash"
    build_judge
    export TOOLS
    make_good_checks
}

setup() {
    load helper
    source "$BATS_TEST_DIRNAME/judge/fixture.bash"
}

@test "judge: a good program on the simulated GPU reaches the top, with modelled figures" {
    take sim
    expect reached 6
    is "$(field '[.criteria[].passed] | unique | tostring')" '[true]'
    is "$(field '.rate | "\(.value | round) \(.unit) \(.how)"')" '3987 GB/s modelled'
    is "$(field '.limit | "\(.value) \(.unit) \(.how)"')" '4240 GB/s modelled'
    is "$(field '.share * 1000 | round')" 940
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
