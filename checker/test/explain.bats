#!/usr/bin/env bats
# explain.bats: the pages of mistakes/, one for each diagnosis, and how they are shown.

bats_require_minimum_version 1.5.0

setup() {
    load helper
    cd "$TOP" || return
    unset NO_COLOR
}

# The names that the judge ranks, one per line.
ranked() {
    "$BUILD/ex01_axpy/judge" --diagnoses | awk -F'\t' 'NR > 1 { print $1 }' | sort
}

pages() {
    basename -s .md checker/mistakes/*.md | sort
}

@test "every diagnosis has a page, and every page has a diagnosis" {
    [ "$(pages | wc -l)" -gt 40 ]
    diff <(ranked) <(pages)
}

@test "the judge ranks every name that it uses, and that a device gives to a fault" {
    cat checker/judge/*/*.c checker/gpu/*/*.c checker/tracer/*.c | tr '\n' ' ' |
        grep -oE '(diagnoses_add|[^_]add|pattern_found|fault[_a-z]*|copy_refuse|break_off|[^_]fail)\([^;"]*"[a-z]+(-[a-z]+)+"' |
        grep -oE '"[a-z-]+"$' | tr -d '"' | sort -u >"$BATS_TEST_TMPDIR/given"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/given")" -gt 15 ]
    diff <(comm -23 "$BATS_TEST_TMPDIR/given" <(ranked)) /dev/null
}

@test "every page has four parts, an example, and fits a terminal" {
    awk '
        function wrong(what) { print FILENAME ": " what; failed = 1 }
        function finish() {
            if (parts != "What it looks like/Why it happens/How to find it/Wrong and right/") wrong("parts: " parts)
            if (lines < 15 || lines > 30) wrong(lines " lines")
            if (seen < 1) wrong("no words of the verdict")
            if (example != 2 || wrongs != 1 || rights != 1) wrong("not one wrong and one right line")
        }
        FNR == 1 {
            if (NR > 1) { name = FILENAME; FILENAME = before; finish(); FILENAME = name }
            parts = ""; seen = example = wrongs = rights = 0; before = FILENAME
            name = FILENAME; gsub(/.*\/|\.md$/, "", name)
            if ($0 != "# " name) wrong("its first line is not its name")
        }
        FNR == 3 && !/^[A-Z].*\.$/ { wrong("its third line is no sentence") }
        FNR == 3 && length > 56 { wrong("its sentence is too long for the list") }
        length > 80 || /[^ -~]/ { wrong("line " FNR " does not fit a terminal") }
        /^## / { part = substr($0, 4); parts = parts part "/" }
        /^    / && part ~ /^What/ { seen++ }
        /^    / && part ~ /^Wrong/ { example++; wrongs += /\/\/ wrong/; rights += /\/\/ right/ }
        { lines = FNR }
        END { finish(); exit failed }' checker/mistakes/*.md
}

# Every message that a page quotes: the page, a tab, the message. An empty line ends a message.
quoted() {
    awk '
        function finish() { if (message != "") print page "\t" message; message = "" }
        FNR == 1 || /^$/ || /^## / { finish(); page = FILENAME }
        /^## / { part = $0 }
        part == "## What it looks like" && sub(/^    /, "") { message = message (message == "" ? "" : " ") $0 }
        END { finish() }' checker/mistakes/*.md
}

# The string literals of the files that make messages, one per line, and the message of the compiler for an unknown name.
# Literals side by side are one; comments and characters do not count.
formats() {
    local literal='"(\\.|[^"\\\n])*"'
    find checker/judge checker/gpu checker/tracer ./*/checker \( -name '*.[ch]' -o -name '*.def' \) -exec grep -hozP \
        "((?s:/\*.*?\*/)|//[^\n]*|'(\\\\.|[^'\\\\])+')(*SKIP)(*F)|$literal(\s*$literal)*" {} + |
        sed -z 's/"\s*\n\s*"//g' | tr '\0' '\n'
    echo '__global__ void f() { int n = nthr; }' >"$BATS_TEST_TMPDIR/wrong.cu"
    { "$BUILD/cc" "$BATS_TEST_TMPDIR/wrong.cu" "$BATS_TEST_TMPDIR" 2>&1 || true; } | sed -n 's/.*\(error: .*\)/"\1"/p'
}

# The messages of stdin that the lab never prints
never_printed() {
    jq --null-input --raw-input --raw-output --rawfile formats "$BATS_TEST_TMPDIR/formats" \
        --from-file "$BATS_TEST_DIRNAME/emitted.jq"
}

@test "every message that a page quotes is one that the lab can print" {
    quoted >"$BATS_TEST_TMPDIR/quoted"
    formats >"$BATS_TEST_TMPDIR/formats"
    [ "$(cut -f 1 "$BATS_TEST_TMPDIR/quoted" | sort -u | wc -l)" -eq "$(pages | wc -l)" ]
    [ "$(wc -l <"$BATS_TEST_TMPDIR/formats")" -gt 500 ]
    cut -f 2 "$BATS_TEST_TMPDIR/quoted" | never_printed >"$BATS_TEST_TMPDIR/never"
    grep -wFf "$BATS_TEST_TMPDIR/never" "$BATS_TEST_TMPDIR/quoted" | sed 's/\t/ quotes what nothing prints: /' || true
    [ ! -s "$BATS_TEST_TMPDIR/never" ]
}

@test "a message with a changed word, number or end is not one that the lab can print" {
    printf '%s\n' '"%zu of %s"' '"%s waits at %zu%% of %s"' '"the big loop"' '"%s: %s"' >"$BATS_TEST_TMPDIR/formats"
    run -0 never_printed < <(printf '%s\n' 'axpy waits at 5% of the big loop' 'axpy<<<1, 2>>> waits at 5% of 1, 2, 3' 'the big loop')
    [ -z "$output" ]
    printf '%s\n' 'axpy waits at 5% of the small loop' 'axpy waits at x% of the big loop' 'axpy waits at 5% of' \
        'the big loops' 'nobody: knows' >"$BATS_TEST_TMPDIR/wrong"
    run -0 never_printed <"$BATS_TEST_TMPDIR/wrong"
    [ "$output" = "$(cat "$BATS_TEST_TMPDIR/wrong")" ]
}

@test "make explain lists the pages, and shows one with either way to name it" {
    run --separate-stderr -0 make -s explain
    [ "${#lines[@]}" -eq "$(pages | wc -l)" ]
    [[ $output == *"leak                    The program did not free all its memory."* ]]
    run -0 make -s explain leak
    [ "${lines[0]}" = leak ]
    [ "${lines[2]}" = "What it looks like" ]
    [ "$output" = "$(make -s -C ex01_axpy explain NAME=leak)" ]
    [ "$output" = "$(make -s -C ex01_axpy explain leak)" ]
    run -0 make -s -C ex01_axpy explain
    [ "${#lines[@]}" -eq "$(pages | wc -l)" ]
}

@test "a name without a page: prints similar names and exits with code 2" {
    run -2 --separate-stderr checker/bin/explain conflict
    [ -z "$output" ]
    # shellcheck disable=SC2154
    [[ $stderr == "there is no page for conflict; similar names: bank-conflict, "* ]]
    run -2 checker/bin/explain doublefree
    [[ $output == *"similar names: double-free, "* ]]
    run -2 checker/bin/explain ../README
    run -2 make -s explain leek
    [[ $output == *"similar names: leak, "* ]]
}

@test "headings are bold where a check has colours" {
    script -qec true /dev/null >/dev/null 2>&1 || skip "no terminal can be made here"
    TERM=xterm script -qec 'checker/bin/explain leak' /dev/null | grep -q $'^\e\[1mleak\e\[0m'
    local variables
    for variables in NO_COLOR=1 TERM=dumb WARPUP_PLAIN=1; do
        script -qec "env TERM=xterm $variables checker/bin/explain leak" /dev/null >"$BATS_TEST_TMPDIR/page"
        grep -q leak "$BATS_TEST_TMPDIR/page"
        run ! grep -q $'\e' "$BATS_TEST_TMPDIR/page"
    done
    grep -q $'^\e\[1mleak\e\[0m' <(CLICOLOR_FORCE=1 checker/bin/explain leak)
    run ! grep -q $'\e' <(checker/bin/explain leak)
}
