#!/usr/bin/env bats
# make scan: the table, its pictures, and what it says when it cannot.
# shellcheck disable=SC2154 # run sets stderr
bats_require_minimum_version 1.5.0

# An exercise of the test's own: the first one's checker, with a program on its fifth stage.
setup() {
    load helper
    command -v gnuplot >/dev/null || skip "there is no gnuplot"
    export GPU=sim STAGES=all
    AXPY=$TOP/ex01_axpy
    EXERCISE=$BATS_TEST_TMPDIR/ex01_axpy
    mkdir -p "$EXERCISE"
    cp -r "$AXPY/checker" "$EXERCISE/"
    plan 'name\tN\nvalues\t1000 50000\nsim\t{}\nreal\t{}\n'
}

plan() { # TABLE
    # shellcheck disable=SC2059 # the format is the table
    printf "$1" >"$EXERCISE/checker/scan.tsv"
}

program() { # STAGE
    "$TOP/solutions/stage" "$AXPY" print "$1" >"$EXERCISE/axpy.cu"
}

scan() {
    "$TOP/checker/bin/scan" "$EXERCISE"
}

@test "scan: a rate for each value, in a table and three pictures" {
    program 5
    run -0 scan
    [ "$(head -n 1 "$EXERCISE/build/scan.tsv")" = $'N\tyou' ]
    awk -F'\t' 'NR == 2 && $1 != 1000 || NR == 3 && ($1 != 50000 || $2 < 10) { exit 1 }' "$EXERCISE/build/scan.tsv"
    [[ $output == *"axpy on the simulated NVIDIA H200, modelled"*" 50000 "*"rates in GB/s"* ]]
    [[ $(head -c 4 "$EXERCISE/build/scan.png") == *PNG ]]
    grep -q '>you<' "$EXERCISE/build/scan.svg"
    run ! grep -E '.{81}' <<<"$output"
}

@test "scan: a program that does not compile, has no kernel or is wrong is reported in one line" {
    echo 'int main() { return x; }' >"$EXERCISE/axpy.cu"
    run -2 --separate-stderr scan
    [[ $output == "note: axpy.cu does not compile: axpy.cu:1"* ]]
    [[ $stderr == *"could not check: there is nothing to draw"* ]]
    cp "$EXERCISE/checker/starter.cu" "$EXERCISE/axpy.cu"
    run -2 scan
    [[ $output == *"note: axpy.cu has no rate; make check says why"* ]]
}

@test "scan: one line and exit code 2 for an exercise without a plan, or with a broken one" {
    rm "$EXERCISE/checker/scan.tsv"
    run -2 scan
    [ "$output" = "could not check: ex01_axpy has nothing to scan: it has no checker/scan.tsv" ]
    plan 'name\tN\nvalues\t1 2\nsim\t5\nreal\t{}\n'
    run -2 scan
    [[ $output == *"scan.tsv needs the rows name, values, sim and real"* ]]
    plan 'nom\tN\n'
    run -2 scan
    [[ $output == *"scan.tsv: unknown key nom"* ]]
}

@test "scan: every exercise's plan holds arguments that its oracle knows" {
    local plan
    for plan in "$TOP"/ex*/checker/scan.tsv; do
        [ -e "$plan" ] || continue
        awk -F'\t' '/^#/ { next } { seen[$1]++ } END { exit !(seen["name"] && seen["values"] && seen["sim"] && seen["real"]) }' "$plan"
    done
}
