#!/usr/bin/env bats
# The output of a check: the verdict of show/ in every format.
bats_require_minimum_version 1.5.0

setup_file() {
    make -s -C "$BATS_TEST_DIRNAME/../.." -f checker/lab.mk
}

setup() {
    load helper
    SHOW=$BATS_TEST_DIRNAME/show
    VERDICT=$BATS_TEST_TMPDIR/verdict.json
    SHOWN=$BATS_TEST_TMPDIR/shown
    export LC_ALL=C.UTF-8 TERM=dumb
    unset NO_COLOR
    verdict_with .
}

# Prepares the verdict, changed by a filter of jq.
verdict_with() { # FILTER
    jq "$1" "$SHOW/verdict.json" >"$VERDICT"
}

# Leaves in SHOWN what a format shows.
shown() { # FORMAT OPTION...
    "$BUILD/show" "$1" "$VERDICT" "${@:2}" >"$SHOWN"
}

@test "the student sees what the design shows" {
    shown pretty
    diff "$SHOW/expected.txt" "$SHOWN"
}

@test "with WARPUP_PLAIN=1, or without UTF-8, symbols are words, in ASCII" {
    LC_ALL=C shown pretty
    run ! grep -nP '[^\x00-\x7f]' "$SHOWN"
    diff "$SHOW/expected_plain.txt" "$SHOWN"
    WARPUP_PLAIN=1 shown pretty
    diff <(sed 's/ \.\.\. / … /' "$SHOW/expected_plain.txt") "$SHOWN"
    WARPUP_PLAIN=0 shown pretty
    diff "$SHOW/expected.txt" "$SHOWN"
    verdict_with '.criteria[5] |= (.passed = null | .seen = "no memory") | .diagnoses = []'
    WARPUP_PLAIN=1 shown pretty
    grep -A1 -x '  4 SKIP neighbouring threads read neighbouring elements' "$SHOWN" | grep -qx '        could not check: no memory'
}

# Shows the verdict on a terminal, with these variables.
on_terminal() { # VARIABLE=VALUE...
    env TERM=xterm "$@" script -qec "'$BUILD/show' pretty '$VERDICT'" /dev/null >"$SHOWN"
    grep -qE '✓|PASS' "$SHOWN"
}

@test "colours appear only on a terminal that is not dumb, and not with NO_COLOR; CLICOLOR_FORCE asks for them" {
    script -qec true /dev/null >/dev/null 2>&1 || skip "there is no terminal to be had"
    local variables
    on_terminal NO_COLOR=
    grep -q $'\e\[32m✓' "$SHOWN"
    on_terminal LC_ALL=C
    grep -q $'\e\[32mPASS' "$SHOWN"
    for variables in NO_COLOR=1 TERM=dumb WARPUP_PLAIN=1 'NO_COLOR=1 CLICOLOR_FORCE=1' 'WARPUP_PLAIN=1 CLICOLOR_FORCE=1'; do
        # shellcheck disable=SC2086 # a list of words
        on_terminal $variables
        run ! grep -q $'\e' "$SHOWN"
    done
    CLICOLOR_FORCE=1 shown pretty
    grep -q $'\e\[32m✓' "$SHOWN"
    CLICOLOR_FORCE=0 shown pretty
    run ! grep -q $'\e' "$SHOWN"
}

@test "no line is wider than 80 columns" {
    local long="a word and another one, again and again, until the line is far too long to be shown as one line"
    verdict_with ".next = \"$long\" | .notes = [\"$long\"] | .criteria[1].seen = \"$long\" | .diagnoses[0].text = \"$long\" | .diagnoses[0].code = \"$long\""
    shown pretty
    grep -q 'again and again' "$SHOWN"
    run ! grep -nE '.{81}' "$SHOWN"
}

@test "no control character of a program or a compiler reaches the terminal" {
    local format
    # shellcheck disable=SC2016 # jq's variable
    verdict_with '"a\u001b[31m\u0007b\u009b\u007fc\rd" as $text | .next = $text | .source = $text | .notes = [$text]
        | .criteria[1].seen = $text | .diagnoses[0].text = $text | .diagnoses[0].code = $text'
    printf '## Rung 4\n\nlook\n' >"$BATS_TEST_TMPDIR/hints.md"
    for format in pretty tap junit bats gcc sarif hint line; do
        shown "$format" --hints "$BATS_TEST_TMPDIR/hints.md"
        run ! grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' "$SHOWN"
    done
    grep -q 'a\[31mbcd' <("$BUILD/show" pretty "$VERDICT")
    printf 'axpy.cu:5: error: \e]0;title\a \x9b31m \xc3\x28 "\t|"\n' >"$BATS_TEST_TMPDIR/log"
    verdict_with '.criteria[0].passed = false'
    shown pretty --log "$BATS_TEST_TMPDIR/log"
    grep -qx 'axpy.cu:5: error: \]0;title 31m ( " |"' "$SHOWN"
}

@test "the page of the first diagnosis is named once" {
    verdict_with '.diagnoses |= [.[0], .[0] + {line: 60}]'
    shown pretty
    [ "$(grep -c 'make explain' "$SHOWN")" = 1 ]
    verdict_with '.diagnoses[0].explain = null'
    shown pretty
    run ! grep 'make explain' "$SHOWN"
}

@test "a diagnosis is shown only below the criterion that the judge names" {
    verdict_with '.criteria[2].passed = false | .criteria[5].passed = null | .criteria[5].after = "right" | .rung = 0
        | .diagnoses = [{name: "few-blocks", criterion: null, text: "1 block runs"}] + .diagnoses
            + [{name: "wrong-result", criterion: "right", file: "axpy.cu", line: 60, text: "element 5 is wrong"}]'
    shown pretty
    run ! grep '1 block runs\|sectors of 32' "$SHOWN"
    grep -A2 'is right' "$SHOWN" | grep 'element 5 is wrong'
}

@test "criteria that passed above the reached rung have no tick" {
    verdict_with '.rung = 0 | .criteria[1].passed = false'
    shown pretty
    [ "$(grep -c ✓ "$SHOWN")" = 1 ]
    grep -qx '    · has no memory fault, no race and no leak   passes so far' "$SHOWN"
}

@test "the last rung names the next exercise, and only the bonus rungs have a next step" {
    verdict_with '.status = "reached" | .rung = 5 | .criteria[].passed = true'
    shown pretty --next-exercise ex02_rot
    grep -qx '  complete: next is ex02_rot' "$SHOWN"
    grep -q '^  bonus: let thread t take' "$SHOWN"
    verdict_with '.status = "reached" | .rung = 6 | .criteria[].passed = true | .next = null'
    shown pretty
    [ "$(tail -n 1 "$SHOWN")" = "  complete: this is the last exercise" ]
}

@test ""could not check" shows the reason once, and no rung" {
    verdict_with '.status = "could not check" | .next = "sim-right-0/trace.jsonl is empty"
        | .criteria[] |= (.passed = null | .seen = "sim-right-0/trace.jsonl is empty" | del(.after))'
    shown pretty
    [ "$(tail -n +3 "$SHOWN")" = "  could not check: sim-right-0/trace.jsonl is empty" ]
}

@test "an undecided criterion fails in no format, and the rung stays open" {
    local format line
    verdict_with '.status = "undecided" | .rung = 3 | .undecided = 5 | .next = "measure rung 4 on a GPU" | .diagnoses = []
        | .criteria[] |= (.passed = true | del(.after))
        | .criteria[5] |= (.passed = "undecided" | .seen = "88 %: only a GPU can tell")'
    while IFS=: read -r format line; do
        shown "$format"
        grep -qF -- "$line" "$SHOWN" || { echo "$format" && cat "$SHOWN" && return 1; }
        run ! grep -qE '^not ok|<failure|    false|✗|"level": "(error|warning)"' "$SHOWN"
    done <<'END'
pretty:  4 ? neighbouring threads read neighbouring elements
pretty:        88 %: only a GPU can tell
pretty:  rung 3 of 6  ███▒▒░
tap:# skip 88 %: only a GPU can tell
junit:<skipped>88 %: only a GPU can tell</skipped>
bats:    skip '88 %: only a GPU can tell'
gcc:note: undecided: neighbouring threads read neighbouring elements: 88 %: only a GPU can tell
sarif:"level": "note"
line:rung 3 of 6, perhaps 5
END
}

@test "a compiler's message is shown alone" {
    verdict_with '.criteria[0].passed = false | .criteria[1:][] |= (.passed = null | .after = "compiles") | .rung = 0'
    printf 'axpy.cu:5:3: error: no\n' >"$BATS_TEST_TMPDIR/log"
    shown pretty --log "$BATS_TEST_TMPDIR/log"
    [ "$(sed -n '3,6p' "$SHOWN")" = $'  rung\n  0 ✗ compiles\naxpy.cu:5:3: error: no' ]
}

@test "a hint is the section of the next rung; before rung 1 it is the page's advice" {
    printf '## Rung 3\n\nold\n\n## Rung 4\n\n- look\n\n## Rung 5\n' >"$BATS_TEST_TMPDIR/hints.md"
    shown hint --hints "$BATS_TEST_TMPDIR/hints.md"
    [ "$(cat "$SHOWN")" = $'## Rung 4\n\n- look' ]
    verdict_with '.rung = 0 | .criteria[0].passed = false
        | .diagnoses = [{name: "does-not-compile", criterion: "compiles", file: "axpy.cu", line: 9, code: "int x = ;", text: "expected a value", explain: "x"}]'
    shown hint --pages "$TOP/checker/mistakes"
    [ "$(head -n 2 "$SHOWN")" = $'axpy.cu:9   int x = ;\nexpected a value' ]
    grep -q 'first message' "$SHOWN"
    [ "$(tail -n 1 "$SHOWN")" = "make explain does-not-compile says more" ]
    verdict_with '.rung = .rungs | .status = "reached"'
    shown hint
    [ "$(cat "$SHOWN")" = "Every rung is reached: there is no further hint." ]
}

@test "hints fit on a terminal of 80 columns" {
    # shellcheck disable=SC2016 # awk's field
    run -0 awk 'length($0) > 80 { print FILENAME ": " $0 }' "$TOP"/ex*/checker/hints.md "$TOP/checker/template/checker/hints.md"
    [ "$output" = "" ]
}

@test "TAP: passed, failed with the reason, skipped with the criterion that it waits for" {
    shown tap
    grep -qx '1..8' "$SHOWN"
    grep -qx 'ok 1 compiles' "$SHOWN"
    grep -qx 'not ok 6 neighbouring threads read neighbouring elements' "$SHOWN"
    grep -qx "# axpy.cu:58: one warp's 32 loads touch 32 sectors of 32 bytes; 4 would be enough" "$SHOWN"
    grep -qx 'ok 7 fills the GPU # skip waits for: neighbouring threads read neighbouring elements' "$SHOWN"
}

@test "bats gives the same results for the check.bats that a check writes" {
    verdict_with ".criteria[5].seen = \"it's 8 \$HOME\""
    "$BUILD/show" bats "$VERDICT" >"$BATS_TEST_TMPDIR/check.bats"
    bats --tap "$BATS_TEST_TMPDIR/check.bats" >"$BATS_TEST_TMPDIR/tap" || [ $? = 1 ]
    shown tap
    diff "$SHOWN" <(grep -v '^# (in test file\|^#   `false' "$BATS_TEST_TMPDIR/tap")
    bats --formatter junit "$BATS_TEST_TMPDIR/check.bats" >"$BATS_TEST_TMPDIR/junit" || [ $? = 1 ]
    shown junit
    diff <(testcases "$SHOWN") <(grep -v '^  `false' "$BATS_TEST_TMPDIR/junit" | sed -z 's/(in test file[^\n]*\n//' | testcases)
}

# The tests of a JUnit file, without their times.
testcases() { # [FILE]
    sed -n '/<testcase/,/<.testsuite>/p' "$@" | sed -E '/<(system-out|system-err|.testsuite)/d; /^$/d; s/ time="[^"]*"//g'
}

@test "JUnit: the file has the form of the published schema, whatever the texts are" {
    command -v python3 >/dev/null || skip "there is no python3"
    local form=$BATS_TEST_DIRNAME/class/junit.py
    shown junit
    python3 "$form" "$SHOWN"
    verdict_with '.criteria[].passed = true'
    shown junit
    python3 "$form" "$SHOWN"
    verdict_with '.criteria[0] += {text: "<&>\"\u0001\u001b\u0085", passed: false, seen: "]]>\ufffe"}
        | .criteria[1] += {passed: null, after: null, seen: "a\u0002"}'
    shown junit
    python3 "$form" "$SHOWN"
    sed -i 's/ id="0"//' "$SHOWN"
    run -1 python3 "$form" "$SHOWN"
}

@test "a verdict in one line, as in tables" {
    run -0 "$BUILD/show" line "$VERDICT" --name ex01_axpy --with next
    [ "${lines[0]}" = "ex01_axpy             rung 3 of 6      6.5 GB/s   0.15 % of the limit, measured" ]
    [ "${lines[1]}" = "    next: let thread t take elements t, t + nthr …" ]
}

@test "of many diagnoses below one criterion, three are shown and the rest counted" {
    verdict_with '.criteria[5].passed = true | .criteria[3].passed = false
        | .diagnoses = [range(5) | {name: "race-in-block", criterion: "clean", file: "axpy.cu", line: (50 + .), text: "race \(.)", evidence: {}}]'
    shown pretty
    [ "$(grep -A9 'no race' "$SHOWN" | grep -c '^        race')" = 3 ]
    grep -qx '        and 2 more; make check FORMAT=json lists them' "$SHOWN"
}

@test "gcc: a line for each finding, in the words of gcc; a finding without a place is at line 1" {
    shown gcc
    [ "$(cat "$SHOWN")" = "axpy.cu:58:1: warning: one warp's 32 loads touch 32 sectors of 32 bytes; 4 would be enough [uncoalesced-access]" ]
    verdict_with '.criteria[5].passed = null | .criteria[3].passed = false | .criteria[4].passed = false
        | .diagnoses += [{name: "leak", criterion: "clean", file: "more.cuh", line: 7, column: 12, text: "4 bytes × 2"},
            {name: "no-kernel", criterion: "clean", file: null, line: null, text: "no kernel runs"}]'
    LC_ALL=C shown gcc --file 'in ü/axpy.cu'
    [ "$(cat "$SHOWN")" = "in ü/more.cuh:7:12: warning: 4 bytes x 2 [leak]
in ü/axpy.cu:1:1: warning: no kernel runs [no-kernel]
in ü/axpy.cu:1:1: warning: not yet: times the whole kernel: 124 ms printed, the kernel took 123.9 ms; needed: half of the kernel's time [timer]" ]
    verdict_with '.status = "reached" | .criteria[].passed = true'
    shown gcc
    [ ! -s "$SHOWN" ]
}

@test "gcc: every message of the compilers that has a place, and why a check was not possible" {
    verdict_with '.criteria[0].passed = false | .criteria[1:][] |= (.passed = null | .after = "compiles") | .rung = 0
        | .diagnoses = [{name: "does-not-compile", criterion: "compiles", file: "axpy.cu", line: 9, text: "no"}]'
    printf '%s\n' "axpy.cu: In function 'int main()':" 'In file included from axpy.cu:3:' 'axpy.cu:9:12: error: no' \
        '    9 | int x:7: y' 'axpy.cu:10:1: note: there' 'x.h(3): error: expected a ";"' 'axpy.cu(4): warning #1: x' \
        'axpy.cu:12: a sentence' 'no place' >"$BATS_TEST_TMPDIR/log"
    shown gcc --log "$BATS_TEST_TMPDIR/log" --file ex01_axpy/axpy.cu
    [ "$(sed 's/ \[does-not-compile\]$//' "$SHOWN")" = 'ex01_axpy/axpy.cu:9:12: error: no
ex01_axpy/axpy.cu:10:1: note: there
ex01_axpy/x.h:3:1: error: expected a ";"
ex01_axpy/axpy.cu:12:1: error: a sentence' ]
    printf 'no place\n' >"$BATS_TEST_TMPDIR/log"
    shown gcc --log "$BATS_TEST_TMPDIR/log"
    [ "$(cat "$SHOWN")" = "axpy.cu:9:1: warning: no [does-not-compile]" ]
    verdict_with '.status = "could not check" | .next = "axpy.cu:7: the simulated GPU does not know tex1D"'
    shown gcc
    [ "$(cat "$SHOWN")" = "axpy.cu:7:1: error: could not check: the simulated GPU does not know tex1D [could-not-check]" ]
}

# True if the result shown is a SARIF log: what SARIF 2.1.0's schema requires of the parts that the lab writes.
is_sarif() {
    jq -e 'def text: type == "string" and length > 0;
        .version == "2.1.0" and (.runs | length) == 1 and (.runs[0] | . as $run
        | (.tool.driver | (.name | text) and all(.rules[]; (.id | text) and ((.shortDescription | not) or (.shortDescription.text | text)))
            and ([.rules[].id] | length == (unique | length)))
        and all(.invocations[]; .executionSuccessful | type == "boolean")
        and all(.results[]; (.message.text | text) and (.level | IN("error", "warning", "note"))
            and $run.tool.driver.rules[.ruleIndex].id == .ruleId and (.locations | length) == 1
            and all(.locations[].physicalLocation; (.artifactLocation.uri | test("^[A-Za-z0-9/._~%:-]+$"))
                and ((.region | not) or (.region.startLine >= 1 and (.region.startColumn // 1) >= 1)))))' "$SHOWN"
}

@test "SARIF: rules, results and their places; file names become URIs" {
    shown sarif --pages "$TOP/checker/mistakes" --file 'a b/ü.cu'
    is_sarif
    jq -e '.runs[0].results == [{ruleId: "uncoalesced-access", ruleIndex: 0, level: "warning",
        message: {text: "one warp\u0027s 32 loads touch 32 sectors of 32 bytes; 4 would be enough"},
        locations: [{physicalLocation: {artifactLocation: {uri: "a%20b/%C3%BC.cu"}, region: {startLine: 58}}}]}]
        and .runs[0].invocations[0].executionSuccessful' "$SHOWN"
    jq -e '.runs[0].tool.driver.rules[0].shortDescription.text | startswith("Neighbouring threads")' "$SHOWN"
    verdict_with '.criteria[0].passed = false'
    printf 'axpy.cu:5:3: error: \x9b31m\n/x/y.h:2:1: error: no\n' >"$BATS_TEST_TMPDIR/log"
    shown sarif --log "$BATS_TEST_TMPDIR/log"
    is_sarif
    jq -e '[.runs[0].results[].level] == ["error", "error", "warning"]
        and .runs[0].results[1].locations[0].physicalLocation.artifactLocation.uri == "file:///x/y.h"' "$SHOWN"
    verdict_with '.status = "could not check" | .next = "the trace is empty"'
    shown sarif
    is_sarif
    jq -e '.runs[0].invocations == [{executionSuccessful: false}] and (.runs[0].results | length) == 1' "$SHOWN"
    verdict_with '.status = "reached" | .criteria[].passed = true'
    shown sarif
    is_sarif
    jq -e '.runs[0].results == []' "$SHOWN"
}

@test "a file that is not a verdict is refused" {
    echo '[]' >"$VERDICT"
    run -2 "$BUILD/show" pretty "$VERDICT"
    [[ $output == "show: $VERDICT: there is no verdict: "* ]]
    run -2 "$BUILD/show" xml "$VERDICT"
    [[ $output == "usage: show "* ]]
}
