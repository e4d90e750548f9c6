#!/usr/bin/env bats
# The slides' interactive figures: their rules are those of the simulated GPU and the judge, and a browser shows them
# well. One file of tests for each figure, in slides/test/figures.
bats_require_minimum_version 1.5.0

# The results of each figure's tests, written by a process of its own.
setup_file() {
    load helper
    local figure status=0
    "$TOP/slides/deck" --packages 2>"$BATS_FILE_TMPDIR/said" || status=$?
    export INSTALLED=$status
    ((status == 0)) || return 0
    for figure in $(figures); do
        node --test "$TOP/slides/test/figures/$figure.test.mjs" >"$BATS_FILE_TMPDIR/$figure" 2>&1 3>&- &
    done
    wait # what failed is in the files
}

setup() {
    load helper
    ((INSTALLED == 0)) || skip "$(tail -n 1 "$BATS_FILE_TMPDIR/said")"
}

figures() {
    sed -nE 's/^import \* as (\w+) from .*/\1/p' "$TOP/slides/figures/index.js"
}

# Passes when the tests of one figure ran, and none failed.
passed() { # FIGURE
    cat "$BATS_FILE_TMPDIR/$1"
    grep -qE '^(# |ℹ )fail 0$' "$BATS_FILE_TMPDIR/$1"
    grep -qE '^(# |ℹ )pass [1-9]' "$BATS_FILE_TMPDIR/$1"
}

@test "threads: requests and sectors are those that the simulated GPU counts" {
    passed threads
}

@test "banks: wavefronts are those that the simulated GPU counts" {
    passed banks
}

@test "occupancy: blocks and limits are those of the verdict" {
    passed occupancy
}

@test "roofline: peaks and stages are those of the tables" {
    passed roofline
}

@test "tiles: sums and loads are those of a tiled product" {
    passed tiles
}

@test "schedule: the recordings are whole, and more in flight means fewer idle clocks" {
    passed schedule
}

@test "every figure has a test here" {
    [ "$(figures | sort)" = "$(sed -n 's/^    passed //p' "$BATS_TEST_FILENAME" | sort)" ]
}
