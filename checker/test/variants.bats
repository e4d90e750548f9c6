#!/usr/bin/env bats
# variants.bats: correct programs that are written otherwise than the solution earn the rung that
# they deserve, and nothing is said against them. variants/PROGRAM/expected.tsv lists them.
bats_require_minimum_version 1.5.0

setup() {
    load helper
    load programs
}

# What a check said, in the words of the table: the rung, and the first criterion that is missed.
summary() { # FOLDER
    jq -r '[(.rung | tostring), ([.criteria[] | select(.passed == false) | .id][0] // "-")] | @tsv' \
        "$1/verdict.json"
}

# The check finds fault with how the program computes.
scolded() { # FOLDER
    jq -e '[.diagnoses[].name] | any(. == "double-arithmetic" or . == "division-in-loop")' "$1/verdict.json" >/dev/null
}

# Every variant of a program is in its table, earns its rung, and misses what it should and no more.
all_earn() { # PROGRAM
    open_programs variants "$1"
    table_is_complete
    local name stage rung misses seen code folder wrong=0
    while IFS=$'\t' read -r name stage rung misses _ <&3; do
        folder=$BATS_TEST_TMPDIR/$name
        write_program "$name" "$stage" "$folder"
        check_program "$folder"
        seen=$(summary "$folder")
        code=$(<"$folder/code")
        [ "$seen $code" = "$rung"$'\t'"$misses $(code_of "$rung")" ] && ! scolded "$folder" && continue
        printf '%s: rung and first miss are %s, exit code %s; expected %s %s\n' \
            "$name" "$seen" "$code" "$rung" "$misses"
        cat "$folder/stderr"
        jq -r '.diagnoses[] | "    \(.name) line \(.line): \(.text)"' "$folder/verdict.json"
        wrong=1
    done 3< <(rows "$DIRECTORY/expected.tsv")
    return $wrong
}

@test "every variant of axpy earns its rung, and misses what it should and no more" {
    all_earn axpy
}

@test "every variant of rot earns its rung, and misses what it should and no more" {
    all_earn rot
}

@test "every variant of matvec earns its rung, and misses what it should and no more" {
    all_earn matvec
}

@test "every variant of matmul earns its rung, and misses what it should and no more" {
    all_earn matmul
}
