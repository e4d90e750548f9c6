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

# What a verdict says, in the words of the table: rung, the criterion that is missed next, faults.
summary() { # FOLDER
    jq -r '[(.rung | tostring), ([.criteria[] | select(.passed == false) | .id][0] // "-")] | @tsv' \
        "$1/verdict.json"
}

@test "every variant of axpy earns its rung, and misses what it should and no more" {
    local name stage rung misses seen folder wrong=0
    while IFS=$'\t' read -r name stage rung misses <&3; do
        folder=$BATS_TEST_TMPDIR/$name
        write_program "$DIRECTORY" "$name" "$stage" "$folder"
        check_program "$folder"
        seen=$(summary "$folder")
        [ "$seen" = "$rung"$'\t'"$misses" ] && continue
        printf '%s: rung and first miss are %s; expected %s %s\n' "$name" "$seen" "$rung" "$misses"
        cat "$folder/stderr"
        jq -r '.diagnoses[] | "    \(.name) line \(.line): \(.text)"' "$folder/verdict.json"
        wrong=1
    done 3< <(rows "$DIRECTORY/expected.tsv")
    return $wrong
}
