#!/usr/bin/env bats
# cheats.bats: programs that only pretend to do the work are refused, and the verdict names what the check saw. Those that
# would deceive a simulated GPU in their own process get the rung that their kernels deserve. cheats/PROGRAM/expected.tsv
# lists them; a piece of text stands for the line, and the last line with this piece counts.
bats_require_minimum_version 1.5.0

setup() {
    load helper
    load programs
}

# The rung, or "could not check", the first diagnosis and its line, and the exit code are what the table says.
refused() { # FOLDER RUNG DIAGNOSIS PIECE
    [ "$(<"$1/code")" = "$(code_of "$2")" ] &&
        jq -e --arg rung "$2" --arg name "$3" --argjson line "$(line_with "$1" "$4")" '
            (if .status == "could not check" then .status else .rung | tostring end) == $rung
            and (.diagnoses[0].name // "-") == $name and .diagnoses[0].line == $line' "$1/verdict.json" >/dev/null
}

@test "no cheat in axpy gets more than it deserves" {
    all_as_expected cheats axpy refused
}

@test "no cheat in rot gets more than it deserves" {
    all_as_expected cheats rot refused
}

@test "no cheat in matvec gets more than it deserves" {
    all_as_expected cheats matvec refused
}

@test "no cheat in matmul gets more than it deserves" {
    all_as_expected cheats matmul refused
}

@test "each day has its programs of a table, however short it is, and no program is left out" {
    local length day
    for length in 1 5 8 9 40; do
        for ((day = 1; day <= 16; day++)); do
            seq "$length" | WARPUP_EVERY=8 WARPUP_FIRST=$day sample >"$BATS_TEST_TMPDIR/$length-$day"
            [ -s "$BATS_TEST_TMPDIR/$length-$day" ]
        done
        diff <(cat "$BATS_TEST_TMPDIR/$length"-* | sort -nu) <(seq "$length")
        [ "$(seq "$length" | WARPUP_EVERY=1 sample | wc -l)" -eq "$length" ]
    done
}
