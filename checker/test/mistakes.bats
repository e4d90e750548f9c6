#!/usr/bin/env bats
# mistakes.bats: wrong programs are refused, by the right name and at the right line.
# mistakes/axpy/expected.tsv lists them; the line is told by a piece of it that occurs only there.
bats_require_minimum_version 1.5.0

setup() {
    load helper
    load programs
    DIRECTORY=$BATS_TEST_DIRNAME/mistakes/axpy
}

@test "every mistake in axpy is in the table" {
    table_is_complete "$DIRECTORY" "$DIRECTORY/expected.tsv"
}

# The lines of the program that hold a piece of text, one a line; "null" for no line.
lines_with() { # FOLDER PIECE
    if [ "$2" = - ]; then echo null; else grep -nF -- "$2" "$1/axpy.cu" | cut -d : -f 1; fi
}

# The check did not say "reached", named the mistake first, and told the line, which is but one.
refused() { # FOLDER RUNG DIAGNOSIS PIECE
    local line
    line=$(lines_with "$1" "$4")
    [[ $line =~ ^([0-9]+|null)$ ]] || return
    [ "$(<"$1/code")" = 1 ] &&
        jq -e --argjson rung "$2" --arg name "$3" --argjson line "$line" \
            '.rung == $rung and (.diagnoses[0] | .name == $name and .line == $line)' \
            "$1/verdict.json" >/dev/null
}

@test "every mistake in axpy is refused with the right reason and line" {
    local name stage rung diagnosis piece folder wrong=0
    while IFS=$'\t' read -r name stage rung diagnosis piece <&3; do
        folder=$BATS_TEST_TMPDIR/$name-$stage
        write_program "$DIRECTORY" "$name" "$stage" "$folder"
        check_program "$folder"
        refused "$folder" "$rung" "$diagnosis" "$piece" && continue
        printf '%s on stage %s: expected rung %s, %s at line %s; the check said\n' \
            "$name" "$stage" "$rung" "$diagnosis" "$(lines_with "$folder" "$piece" | tr '\n' ' ')"
        printf '    exit code %s, ' "$(<"$folder/code")"
        jq -r '"rung \(.rung)", (.diagnoses[] | "    \(.name) line \(.line): \(.text)")' "$folder/verdict.json"
        cat "$folder/stderr"
        wrong=1
    done 3< <(rows "$DIRECTORY/expected.tsv")
    return $wrong
}
