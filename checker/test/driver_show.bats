#!/usr/bin/env bats
# What a check shows: the verdict of show/ in every format.
bats_require_minimum_version 1.5.0

setup() {
    load helper
    SHOW=$BATS_TEST_DIRNAME/show
    export WARPUP_VERDICT=$BATS_TEST_TMPDIR/verdict.bash LC_ALL=C.UTF-8 TERM=dumb
    unset NO_COLOR
    verdict_with .
}

# Prepares the verdict, changed by a filter of jq.
verdict_with() { # FILTER
    jq "$1" "$SHOW/verdict.json" >"$BATS_TEST_TMPDIR/verdict.json"
    jq -r --rawfile ladder "$SHOW/ladder.tsv" -f "$TOP/checker/show/verdict.jq" \
        "$BATS_TEST_TMPDIR/verdict.json" >"$WARPUP_VERDICT"
}

tap() {
    bats --tap "$SHOW/check.bats" || true
}

shown() {
    tap | "$TOP/checker/show/formatter"
}

@test "the student sees what the design shows" {
    diff "$SHOW/expected.txt" <(shown)
}

@test "without UTF-8 it is plain ASCII, with the same columns" {
    LC_ALL=C shown >"$BATS_TEST_TMPDIR/shown"
    run ! grep -nP '[^\x00-\x7f]' "$BATS_TEST_TMPDIR/shown"
    grep -qx '  x neighbouring threads read neighbouring elements' "$BATS_TEST_TMPDIR/shown"
    grep -qx '  rung 3 of 6  ###...   6.5 GB/s of 4240 GB/s, measured' "$BATS_TEST_TMPDIR/shown"
    grep -q 'next: let thread t take elements t, t + nthr \.\.\.' "$BATS_TEST_TMPDIR/shown"
}

@test "colour is for a terminal, and not with NO_COLOR" {
    script -qec true /dev/null >/dev/null 2>&1 || skip "there is no terminal to be had"
    local format="$TOP/checker/show/formatter"
    tap >"$BATS_TEST_TMPDIR/tap"
    script -qec "'$format' <'$BATS_TEST_TMPDIR/tap'" /dev/null >"$BATS_TEST_TMPDIR/colour"
    NO_COLOR=1 script -qec "'$format' <'$BATS_TEST_TMPDIR/tap'" /dev/null >"$BATS_TEST_TMPDIR/plain"
    grep -q $'\e\[32m✓' "$BATS_TEST_TMPDIR/colour"
    run ! grep -q $'\e' "$BATS_TEST_TMPDIR/plain"
}

@test "no line is wider than 80 columns" {
    local long="a word and another one, again and again, until the line is far too long to be shown as one line"
    verdict_with ".next = \"$long\" | .notes = [\"$long\"] | .criteria[1].seen = \"$long\" | .diagnoses[0].text = \"$long\" | .diagnoses[0].code = \"$long\""
    shown >"$BATS_TEST_TMPDIR/shown"
    run ! grep -nE '.{81}' "$BATS_TEST_TMPDIR/shown"
}

@test "the page of the first diagnosis is told, once" {
    verdict_with '.diagnoses |= [.[0], .[0] + {line: 60}]'
    shown >"$BATS_TEST_TMPDIR/shown"
    grep -c 'tells more' "$BATS_TEST_TMPDIR/shown" | grep -qx 1
    verdict_with '.diagnoses[0].explain = null'
    shown >"$BATS_TEST_TMPDIR/shown"
    run ! grep 'tells more' "$BATS_TEST_TMPDIR/shown"
}

@test "a diagnosis of speed shows only below its own criterion" {
    verdict_with '.criteria[2].passed = false | .criteria[5].passed = null | .criteria[5].after = "right"
        | .diagnoses += [{name: "wrong-result", file: "axpy.cu", line: 60, text: "element 5 is wrong", evidence: {}}]'
    shown >"$BATS_TEST_TMPDIR/shown"
    run ! grep 'sectors' "$BATS_TEST_TMPDIR/shown"
    grep -A2 'is right' "$BATS_TEST_TMPDIR/shown" | grep 'element 5 is wrong'
}

@test "could not check shows the reason once, and no rung" {
    verdict_with '.status = "could not check" | .next = "sim-right-0/trace.jsonl is empty"
        | .criteria[] |= (.passed = null | .seen = "sim-right-0/trace.jsonl is empty" | del(.after))'
    [ "$(shown | tail -n +3)" = "  could not check: sim-right-0/trace.jsonl is empty" ]
}

@test "a compiler's message stands alone" {
    verdict_with '.criteria[0].passed = false | .criteria[1:][] |= (.passed = null | .after = "compiles") | .rung = 0'
    printf 'axpy.cu:5:3: error: no\n' >"$BATS_TEST_TMPDIR/log"
    export WARPUP_LOG=$BATS_TEST_TMPDIR/log
    [ "$(shown | sed -n '3,5p')" = $'  ✗ compiles\naxpy.cu:5:3: error: no' ]
}

@test "TAP: passed, failed with the reason, skipped with what it waits for" {
    tap >"$BATS_TEST_TMPDIR/tap"
    grep -qx '1..8' "$BATS_TEST_TMPDIR/tap"
    grep -qx 'ok 1 compiles' "$BATS_TEST_TMPDIR/tap"
    grep -qx 'not ok 6 neighbouring threads read neighbouring elements' "$BATS_TEST_TMPDIR/tap"
    grep -qx "# axpy.cu:58: one warp's 32 loads touch 32 sectors of 32 bytes; 4 would do" "$BATS_TEST_TMPDIR/tap"
    grep -qx 'ok 7 fills the GPU # skip waits for: neighbouring threads read neighbouring elements' "$BATS_TEST_TMPDIR/tap"
}

@test "bats alone, without a check, skips all criteria" {
    unset WARPUP_VERDICT
    [ "$(tap | grep -c '# skip could not check')" = 8 ]
}

@test "a verdict in one line, for tables" {
    run -0 jq -r --arg name ex01_axpy --arg with next -f "$TOP/checker/bin/summary.jq" "$SHOW/verdict.json"
    [ "${lines[0]}" = "ex01_axpy             rung 3 of 6      6.5 GB/s   0.15 % of the limit, measured" ]
    [ "${lines[1]}" = "    next: let thread t take elements t, t + nthr …" ]
}

@test "of many diagnoses below one criterion three are shown, the rest counted" {
    verdict_with '.criteria[5].passed = true | .criteria[3].passed = false
        | .diagnoses = [range(5) | {name: "race-in-block", file: "axpy.cu", line: (50 + .), text: "race \(.)", evidence: {}}]'
    shown >"$BATS_TEST_TMPDIR/shown"
    grep -A9 'no race' "$BATS_TEST_TMPDIR/shown" | grep -c '^      race' | grep -qx 3
    grep -qx '      and 2 more; make check FORMAT=json lists them' "$BATS_TEST_TMPDIR/shown"
}

@test "a bank conflict shows below the criterion that asks for wavefronts, whichever way" {
    sed $'/^4\tcoalesced/{s/sectors/intensity/;p;s/intensity/wavefronts/}' "$SHOW/ladder.tsv" >"$BATS_TEST_TMPDIR/ladder.tsv"
    jq '.diagnoses[0].name = "bank-conflict" | .diagnoses[0].text = "it takes 32 wavefronts"' "$SHOW/verdict.json" |
        jq -r --rawfile ladder "$BATS_TEST_TMPDIR/ladder.tsv" -f "$TOP/checker/show/verdict.jq" >"$WARPUP_VERDICT"
    shown | grep -A2 'neighbouring' | grep -q 'it takes 32 wavefronts'
}
