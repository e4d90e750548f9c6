#!/usr/bin/env bats
# The lab's own files: formatted, clean in the linters' eyes, and short.
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

@test "C and CUDA files are formatted" {
    command -v clang-format >/dev/null || skip "there is no clang-format"
    files '*.c' '*.h' '*.cu' | grep -v '/test/' | xargs -d '\n' clang-format --dry-run --Werror
}

@test "shellcheck has nothing to say" {
    command -v shellcheck >/dev/null || skip "there is no shellcheck"
    scripts | xargs -d '\n' shellcheck
}

@test "no file is longer than 600 lines, and none is unfinished" {
    files '*.c' '*.h' '*.cu' '*.bash' '*.bats' '*.mk' '*.md' Makefile | xargs -d '\n' wc -l |
        awk '$1 > 600 && $2 != "total" { print; long = 1 } END { exit long }'
    files '*' | xargs -d '\n' grep -nE '(TO)DO|(FIX)ME' >"$BATS_TEST_TMPDIR/unfinished" || true
    cat "$BATS_TEST_TMPDIR/unfinished"
    [ ! -s "$BATS_TEST_TMPDIR/unfinished" ]
}

@test "every row of a ladder has its test, in the same order" {
    local exercise
    for exercise in */checker/ladder.tsv; do
        exercise=${exercise%/checker/ladder.tsv}
        diff <(awk -F '\t' '!/^#/ && $1 != "rung" && !seen[$2]++ { print $2 "\t" $6 }' "$exercise/checker/ladder.tsv") \
            <(sed -nE 's/^@test "(.*)" \{ criterion (\w+); \}$/\2\t\1/p' "$exercise/checker/check.bats")
    done
}

@test "every target has a line of help" {
    local file target targets
    for file in Makefile checker/exercise.mk; do
        read -ra targets < <(sed -n 's/^\.PHONY: //p' "$file")
        for target in "${targets[@]}"; do
            grep -q "^$target:.*## " "$file" || { echo "$file: $target"; return 1; }
        done
    done
}

@test "the checker names no exercise" {
    run ! grep -rnE 'ex0[1-9]_' checker --include='*.[ch]' --include='*.mk' --include='*.bash' --include='*.jq' --exclude-dir=test
}
