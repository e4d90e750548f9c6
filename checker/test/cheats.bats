#!/usr/bin/env bats
# cheats.bats: programs that would seem to do what they do not are refused, and the verdict names what
# was seen. cheats/PROGRAM/expected.tsv lists them; the line is told by a piece of it, and is the last
# that has it.
bats_require_minimum_version 1.5.0

setup() {
    load helper
    load programs
}

# What a check said, in the words of the table: the rung, or "could not check"; the first diagnosis
# and its line; and the exit code.
seen() { # FOLDER
    jq -r --arg code "$(<"$1/code")" '[(if .status == "could not check" then .status else .rung end),
        (.diagnoses[0] | .name // "-", .line), $code] | map(tostring) | join(" ")' "$1/verdict.json"
}

# Every cheat in a program is in its table, is given the rung that the table says and no other, and what
# was seen is named.
all_refused() { # PROGRAM
    open_programs cheats "$1"
    table_is_complete
    local name stage rung diagnosis piece folder expected wrong=0
    while IFS=$'\t' read -r name stage rung diagnosis piece <&3; do
        folder=$BATS_TEST_TMPDIR/$name
        write_program "$name" "$stage" "$folder"
        check_program "$folder"
        expected="$rung $diagnosis $(line_with "$folder" "$piece") $(code_of "$rung")"
        [ "$(seen "$folder")" != "$expected" ] || continue
        printf '%s: expected rung, diagnosis, line and exit code %s; the check said %s\n' "$name" \
            "$expected" "$(seen "$folder")"
        jq -r '.diagnoses[] | "    \(.name) line \(.line): \(.text)"' "$folder/verdict.json"
        cat "$folder/stderr"
        wrong=1
    done 3< <(rows "$DIRECTORY/expected.tsv")
    return $wrong
}

@test "every cheat in axpy is refused, and what was seen is named" {
    all_refused axpy
}

@test "every cheat in rot is refused, and what was seen is named" {
    all_refused rot
}

@test "every cheat in matvec is refused, and what was seen is named" {
    all_refused matvec
}

@test "every cheat in matmul is refused, and what was seen is named" {
    all_refused matmul
}
