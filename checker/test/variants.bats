#!/usr/bin/env bats
# variants.bats: correct programs that are written otherwise than the solution earn the rung that
# they deserve, and nothing is said against them. variants/PROGRAM/expected.tsv lists them.
bats_require_minimum_version 1.5.0

setup() {
    load helper
    load programs
}

# The rung, the first criterion that is missed or undecided (with a question mark) and the exit code are those of the table. The check finds no fault with how the
# program computes.
earned() { # FOLDER RUNG MISSES
    [ "$(<"$1/code")" = "$(code_of "$2")" ] &&
        jq -e --argjson rung "$2" --arg misses "$3" '.rung == $rung
            and ([.criteria[] | if .passed == false then .id elif .passed == "undecided" then .id + "?" else empty end][0]
                // "-") == $misses
            and all(.diagnoses[].name; . != "double-arithmetic" and . != "division-in-loop")' "$1/verdict.json" >/dev/null
}

@test "every variant of axpy earns its rung, and misses exactly what it should" {
    all_as_expected variants axpy earned
}

@test "every variant of rot earns its rung, and misses exactly what it should" {
    all_as_expected variants rot earned
}

@test "every variant of matvec earns its rung, and misses exactly what it should" {
    all_as_expected variants matvec earned
}

@test "every variant of matmul earns its rung, and misses exactly what it should" {
    all_as_expected variants matmul earned
}
