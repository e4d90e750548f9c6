#!/usr/bin/env bats
# explain.bats: the pages of mistakes/, one for each diagnosis, and how they are shown.

bats_require_minimum_version 1.5.0

setup() {
    load helper
    cd "$TOP" || return
    unset NO_COLOR
}

# The names that the judge ranks, a line each.
ranked() {
    sed -n '/^static const struct {/,/^} known/d; /{"[a-z-]*", {"/s/.*{"\([a-z-]*\)", {.*/\1/p' checker/judge/diagnose/diagnose.c | sort
}

# The names that the documents tell: the judge's table, and the faults of a trace.
# shellcheck disable=SC2016 # these are Markdown's marks
documented() {
    {
        sed -n '/^## Diagnoses/,/^## /s/^| \(`[^|]*`\) |.*/\1/p' checker/judge/README.md | grep -o '`[^`]*`'
        sed -n '/^## Faults/,/^A launch/p' checker/trace/README.md | grep -o '`[a-z-]*-[a-z-]*`\|`leak`'
    } | tr -d '`' | sort -u
}

pages() {
    basename -s .md checker/mistakes/*.md | sort
}

@test "every diagnosis has a page, and every page is of a diagnosis" {
    [ "$(pages | wc -l)" -gt 40 ]
    diff <(ranked) <(pages)
    diff <(documented) <(pages)
}

@test "every name that the judge gives out is one that it ranks" {
    grep -hoE '(diagnoses_add\([^;]*|add\(diagnoses, run|found\(|\(struct pattern\)\{)[ ,]*"[a-z]+(-[a-z]+)*"' checker/judge/*/*.c |
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

@test "make explain lists the pages, and shows one by either way to name it" {
    run --separate-stderr -0 make -s explain
    [ "${#lines[@]}" -eq "$(pages | wc -l)" ]
    [[ $output == *"leak                    Memory was not given back."* ]]
    run -0 make -s explain leak
    [ "${lines[0]}" = leak ]
    [ "${lines[2]}" = "What it looks like" ]
    [ "$output" = "$(make -s -C ex01_axpy explain NAME=leak)" ]
    [ "$output" = "$(make -s -C ex01_axpy explain leak)" ]
    run -0 make -s -C ex01_axpy explain
    [ "${#lines[@]}" -eq "$(pages | wc -l)" ]
}

@test "a name that is not there: the nearest ones, and exit code 2" {
    run -2 --separate-stderr checker/bin/explain conflict
    [ -z "$output" ]
    # shellcheck disable=SC2154
    [[ $stderr == "there is no page for conflict; near it: bank-conflict, "* ]]
    run -2 checker/bin/explain doublefree
    [[ $output == *"near it: double-free, "* ]]
    run -2 checker/bin/explain ../README
    run -2 make -s explain leek
    [[ $output == *"near it: leak, "* ]]
}

@test "headings are bold on a terminal, and not with NO_COLOR" {
    script -qec true /dev/null >/dev/null 2>&1 || skip "there is no terminal to be had"
    TERM=xterm script -qec 'checker/bin/explain leak' /dev/null | grep -q $'^\e\[1mleak\e\[0m'
    run ! grep -q $'\e' <(NO_COLOR=1 script -qec 'checker/bin/explain leak' /dev/null)
    run ! grep -q $'\e' <(checker/bin/explain leak)
}
