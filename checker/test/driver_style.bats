#!/usr/bin/env bats
# The lab's own files are formatted, free of warnings of the linters, and short.
bats_require_minimum_version 1.5.0

setup() {
    load helper
    cd "$TOP" || return
}

# The lab's files of some kinds, without what was built.
files() { # PATTERN...
    local pattern names=()
    for pattern in "$@"; do names+=(-o -name "$pattern"); done
    find . \( -name build -o -name node_modules -o -name '.[a-z]*' ! -name .ci \) -prune -o -type f \( "${names[@]:1}" \) -print | sort
}

# The lab's shell scripts: by their name or their first line.
scripts() {
    files '*.bash' '*.bats'
    files '*' | grep -v '\.[a-z]*$' | xargs -d '\n' grep -lE '^#!.*\b(ba)?sh$'
}

# Passes on the files that the latest commit changed, and one in three of the others: a linter takes long. With WARPUP_EVERY=1, all.
in_turn() {
    awk -v every=$((${WARPUP_EVERY:-1} > 1 ? 3 : 1)) -v first="${WARPUP_FIRST:-0}" -v names="$(git diff --name-only HEAD~1 2>/dev/null)" '
        BEGIN { count = split(names, name, "\n"); for (k = 1; k <= count; k++) changed["./" name[k]] }
        $0 in changed || NR % every == first % every'
}

# Formatters and linters ask for something else from version to version: the lab's files are as these have it.
needs() { # PROGRAM VERSION...
    local program=$1 version wanted
    command -v "$program" >/dev/null || skip "there is no $program"
    version=$("$program" --version | grep -oE '[0-9]+\.[0-9]+' | sed -n 1p)
    for wanted in "${@:2}"; do
        [[ $version != "$wanted".* && $version != "$wanted" ]] || return 0
    done
    skip "$program $version may ask for something else than ${*:2} does"
}

@test "C and CUDA files are formatted" {
    needs clang-format 14
    files '*.c' '*.h' '*.cu' | grep -v '/test/' | in_turn | xargs -d '\n' clang-format --dry-run --Werror
}

@test "Python files are formatted, and their lines fit" {
    command -v python3 >/dev/null || skip "there is no python3"
    mapfile -t python < <(files '*.py' && files '*' | grep -v '\.[a-z]*$' | xargs -d '\n' grep -lE '^#!.*\bpython3\b')
    [ "${#python[@]}" -gt 10 ]
    awk 'length > 125 { print FILENAME ": " FNR; long = 1 } END { exit long }' "${python[@]}"
    needs black 23 24 25
    black --quiet --check --line-length 120 "${python[@]}"
}

@test "the modules of class compile, and import each other one way" {
    command -v python3 >/dev/null || skip "there is no python3"
    cd checker/class || return
    python3 -ESs -c 'import sys
for name in sys.argv[1:]: compile(open(name).read(), name, "exec")' ./*.py class
    grep -oE "^from ($(printf '%s|' *.py | sed 's/\.py//g; s/|$//')) " ./*.py class |
        sed -E 's,^\./,,; s,(\.py)?:from, ,' >"$BATS_TEST_TMPDIR/imports"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/imports")" -gt 20 ]
    tsort "$BATS_TEST_TMPDIR/imports" >/dev/null
}

@test "shellcheck reports nothing" {
    needs shellcheck 0.9 0.10
    scripts | in_turn | xargs -d '\n' shellcheck --external-sources
}

@test "every link of a page leads to a file" {
    local page link broken=0
    while IFS=: read -r page link; do # the book's first page links pages that are built
        [[ -e ${page%/*}/$link || $page == ./slides/book/start.md ]] || { echo "$page: $link" && broken=1; }
    done < <(files '*.md' | xargs -d '\n' grep -oHE '\]\([^):#]+[)#]' | sed -E 's/\]\(([^)#]*).$/\1/')
    [ "$broken" -eq 0 ]
}

@test "no file has more than 600 lines, and none is unfinished" {
    files '*.c' '*.h' '*.cu' '*.bash' '*.bats' '*.mk' '*.md' '*.py' Makefile | xargs -d '\n' wc -l |
        awk '$1 > 600 && $2 != "total" { print; long = 1 } END { exit long }'
    files '*' | xargs -d '\n' grep -nE '(TO)DO|(FIX)ME' >"$BATS_TEST_TMPDIR/unfinished" || true
    cat "$BATS_TEST_TMPDIR/unfinished"
    [ ! -s "$BATS_TEST_TMPDIR/unfinished" ]
}

# Prints the lines of tests that cannot fail: bash ignores what fails before && and after !.
toothless() { # FILE...
    grep -nE '^ *(\[|\(\().*(\]|\)\)) && (\[|\(\()|^ *! ' "$@"
}

@test "no test has a line that cannot fail" {
    printf '%s\n' '    [ a ] && [ b ]' '    ! grep x file' '    [[ a && b ]]' >"$BATS_TEST_TMPDIR/bad.bats"
    [ "$(toothless "$BATS_TEST_TMPDIR/bad.bats" | cut -d : -f 1 | paste -sd ' ')" = "1 2" ]
    run -1 toothless checker/test/*.bats checker/test/*.bash checker/test/judge/*.bash
}

# Prints the lines of scripts with pipefail whose reader ends early: the writer then fails, but only sometimes.
early_readers() { # FILE...
    grep -lE '^set .*pipefail' "$@" | xargs -d '\n' grep -nE '[^|]\| *(grep -[A-Za-z]*q|head )' | grep -v '|| true$'
}

@test "no script with pipefail has a pipe whose reader ends before its writer" {
    printf '%s\n' 'set -euo pipefail' 'a | grep -qx b' 'head -n 1 c | cat' 'c | head -n 1 || true' 'e || grep -q f g' 'h | head -n 1' \
        >"$BATS_TEST_TMPDIR/bad"
    [ "$(early_readers "$BATS_TEST_TMPDIR/bad" | cut -d : -f 1 | paste -sd ' ')" = "2 6" ]
    mapfile -t all < <(scripts)
    run -1 early_readers "${all[@]}"
}

@test "shell scripts have jq write JSON" {
    scripts | grep -v '\.bats$' | xargs -d '\n' grep -nE '[{,] *\\"[a-z_]+\\":' >"$BATS_TEST_TMPDIR/written" || true
    cat "$BATS_TEST_TMPDIR/written"
    [ ! -s "$BATS_TEST_TMPDIR/written" ]
}

@test "every target has a line of help" {
    local file target targets
    for file in Makefile checker/exercise.mk solutions/{instructor,stages}.mk; do
        read -ra targets < <(sed -n 's/^\.PHONY: //p' "$file")
        for target in "${targets[@]}"; do
            grep -q "^$target:.*## " "$file" || { echo "$file: $target"; return 1; }
        done
    done
}

@test "the checker contains no name of an exercise" {
    run -1 grep -rnE 'ex0[1-9]_' checker --exclude='*.md' --exclude-dir=test
}

@test "every variable that the lab reads is in the table of checker/README.md, and begins with WARPUP_" {
    grep -ohE "(getenv\(|environ(\.get\(|\[))\"[A-Z_]+|[$]\{WARPUP_[A-Z_]+" -r checker day1/quiz/quiz --exclude-dir=test \
        --include='*.[ch]' --include='*.bash' --include='*.py' --include=sandbox-* --include=check --include=setup --include=quiz |
        grep -oE '[A-Z][A-Z_]+$' | sort -u >"$BATS_TEST_TMPDIR/read"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/read")" -gt 25 ]
    grep '^|' checker/README.md | grep -oE "[\`][A-Z_]+[\`]" | tr -d "\`" | sort -u >"$BATS_TEST_TMPDIR/listed"
    # Not the lab's own: the system's, a convention of terminals, make class's, and what programs of tests read
    comm -23 "$BATS_TEST_TMPDIR/read" "$BATS_TEST_TMPDIR/listed" |
        grep -vxE 'PATH|TERM|TMPDIR|HOME|LANG|LC_.*|COLUMNS|NO_COLOR|CLICOLOR_FORCE|(CUDA|OMP|OPENBLAS|SLURM|GITHUB|CI)_.*|LAB_SEED' \
            >"$BATS_TEST_TMPDIR/missing" || true
    cat "$BATS_TEST_TMPDIR/missing"
    [ ! -s "$BATS_TEST_TMPDIR/missing" ]
}
