#!/usr/bin/env bats
# mistakes.bats: wrong programs are refused, with the right diagnosis and line. mistakes/PROGRAM/expected.tsv lists
# them; a piece of text stands for the line, and the last line with this piece counts. mistakes/kinds.txt lists the
# kinds of mistakes.
bats_require_minimum_version 1.5.0

setup() {
    load helper
    load programs
}

# The rung is missed, and the mistake named first, with its line. A bonus rung is missed with "reached".
refused() { # FOLDER RUNG DIAGNOSIS PIECE KIND
    # AddressSanitizer has a free() of its own, which does not end where the C library's does.
    [[ ${SANITIZE-} != *address* || $1 != */host-free-* ]] || return 0
    [ "$(<"$1/code")" = "$(code_of "$2")" ] &&
        jq -e --argjson rung "$2" --arg name "$3" --argjson line "$(line_with "$1" "$4")" \
            '.rung == $rung and (.diagnoses[0] | .name == $name and .line == $line)' \
            "$1/verdict.json" >/dev/null
}

@test "every mistake in axpy is refused with the right reason and line" {
    all_as_expected mistakes axpy refused
}

@test "every mistake in rot is refused with the right reason and line" {
    all_as_expected mistakes rot refused
}

@test "every mistake in matvec is refused with the right reason and line" {
    all_as_expected mistakes matvec refused
}

@test "every mistake in matmul is refused with the right reason and line" {
    all_as_expected mistakes matmul refused
}

@test "half of the columns is reported, also if the next number of x is nearly 0" {
    open_programs mistakes matvec
    write_program half-of-the-columns 1 "$BATS_TEST_TMPDIR"
    WARPUP_SEED=2710 check_program "$BATS_TEST_TMPDIR" # x[2048] is -0.0003
    jq -e '.diagnoses[0].name == "partial-sum"' "$BATS_TEST_TMPDIR/verdict.json"
}

@test "x in half precision is reported, also if Diff is small for all sizes" {
    open_programs mistakes matvec
    write_program x-in-half 2 "$BATS_TEST_TMPDIR"
    WARPUP_SEED=3245 check_program "$BATS_TEST_TMPDIR"
    jq -e '.diagnoses[0].name == "half-precision"' "$BATS_TEST_TMPDIR/verdict.json"
}

@test "every kind of mistake that is listed has a program, and every program is of a listed kind" {
    local mistakes=$BATS_TEST_DIRNAME/mistakes table
    diff <(sort -u "$mistakes/kinds.txt") \
        <(for table in "$mistakes"/*/expected.tsv; do rows "$table" | cut -f 6; done | sort -u)
    for table in "$mistakes"/*/expected.tsv; do (($(rows "$table" | wc -l) >= 15)); done
}

@test "the programs with a less exact diagnosis are listed, and are at most one in twenty" {
    local mistakes=$BATS_TEST_DIRNAME/mistakes exercise all listed
    for exercise in axpy rot matvec matmul; do
        rows "$mistakes/$exercise/expected.tsv" | awk -F'\t' -v OFS=/ -v e="$exercise" '$4 == "wrong-result" { print e, $1 }'
    done | sort >"$BATS_TEST_TMPDIR/vague"
    sed -n 's/^| \([a-z]*\/[^ ]*\) |.*/\1/p' "$mistakes/README.md" | sort >"$BATS_TEST_TMPDIR/listed"
    [ -z "$(comm -23 "$BATS_TEST_TMPDIR/vague" "$BATS_TEST_TMPDIR/listed")" ]
    listed=$(wc -l <"$BATS_TEST_TMPDIR/listed")
    all=$(for exercise in axpy rot matvec matmul; do rows "$mistakes/$exercise/expected.tsv"; done | wc -l)
    ((listed > 0 && listed * 20 <= all))
}
