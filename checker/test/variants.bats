#!/usr/bin/env bats
# variants.bats: correct programs that are written otherwise than the solution earn the rung that
# they deserve, and nothing is said against them. variants/axpy/expected.tsv lists them.
bats_require_minimum_version 1.5.0

setup() {
    load helper
    load programs
    DIRECTORY=$BATS_TEST_DIRNAME/variants/axpy
}

@test "every variant of axpy is in the table" {
    table_is_complete "$DIRECTORY" "$DIRECTORY/expected.tsv"
}

# What a check said, in the words of the table: the rung, and the first criterion that is missed.
summary() { # FOLDER
    jq -r '[(.rung | tostring), ([.criteria[] | select(.passed == false) | .id][0] // "-")] | @tsv' \
        "$1/verdict.json"
}

# The exit code that goes with a rung of axpy, whose last required one is 5.
code_of() { # RUNG
    if (($1 >= 5)); then echo 0; else echo 1; fi
}

@test "every variant of axpy earns its rung, and misses what it should and no more" {
    local name stage rung misses seen code folder wrong=0
    while IFS=$'\t' read -r name stage rung misses <&3; do
        folder=$BATS_TEST_TMPDIR/$name
        write_program "$DIRECTORY" "$name" "$stage" "$folder"
        check_program "$folder"
        seen=$(summary "$folder")
        code=$(<"$folder/code")
        [ "$seen $code" = "$rung"$'\t'"$misses $(code_of "$rung")" ] && continue
        printf '%s: rung and first miss are %s, exit code %s; expected %s %s\n' \
            "$name" "$seen" "$code" "$rung" "$misses"
        cat "$folder/stderr"
        jq -r '.diagnoses[] | "    \(.name) line \(.line): \(.text)"' "$folder/verdict.json"
        wrong=1
    done 3< <(rows "$DIRECTORY/expected.tsv")
    return $wrong
}
