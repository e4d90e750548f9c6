# fixture.bash: what the tests of make class share: folders FROM and TO of a test, programs that are handed in, and the
# columns of the grades. `sandbox-check` takes the place of the sandbox. Loaded with helper.bash.

class_setup() {
    command -v python3 >/dev/null || skip "there is no python3"
    cd "$TOP" || return
    export FROM=$BATS_TEST_TMPDIR/from TO=$BATS_TEST_TMPDIR/to EXERCISES=ex01_axpy SEED=7 JOBS=2 GPU=sim
    export WARPUP_SANDBOX_CHECK=$TOP/checker/test/class/sandbox-check CALLS=$BATS_TEST_TMPDIR/calls
    unset DEADLINE EXECUTOR UNSAFE
    mkdir -p "$FROM"
    : >"$CALLS"
}

# A program of its own for each NAME, which asks the sandbox of the tests for some things.
hand_in() { # FILE LINE...
    [[ $1 != */* ]] || mkdir -p "$FROM/${1%/*}"
    { printf '// %s\n' "${@:2}" && printf '// by %s\n' "$1"; } >"$FROM/$1"
}

class() {
    run "-${1:-0}" checker/class/class
}

# Rows of grades.csv: the columns that are given, without the heading.
grades() { # COLUMNS
    sed 1d "$TO/grades.csv" | cut -d , -f "$1"
}
