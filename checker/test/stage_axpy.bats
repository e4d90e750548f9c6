#!/usr/bin/env bats
# stage_axpy.bats: axpy's starter under each compiler and with bad arguments, and every stage of
# axpy right for sizes around a warp, a block and a million.

# shellcheck disable=SC2030,SC2031,SC2154 # bats sets output and stderr_lines
bats_require_minimum_version 1.5.0

setup() {
    load helper
    EXERCISE=$TOP/ex01_axpy
}

# The starter, compiled once for the tests of this file.
setup_file() {
    gcc -std=c11 -O3 -Wall -Wextra -Werror -fopenmp -x c "$BATS_TEST_DIRNAME/../../ex01_axpy/checker/starter.cu" \
        -o "$BATS_FILE_TMPDIR/axpy" -lm
}

# The program refuses: it says one line on stderr and nothing else, and exits with an error.
refuses() { # ARGUMENT...
    run --separate-stderr "$BATS_FILE_TMPDIR/axpy" "$@"
    [ "$status" -eq 1 ]
    [ "$output" = "" ]
    [ "${#stderr_lines[@]}" -eq 1 ]
}

@test "the starter is C and C++, without a warning" {
    gcc -std=gnu11 -O3 -Wall -Wextra -Werror -fopenmp -x c "$EXERCISE/checker/starter.cu" -o "$BATS_TEST_TMPDIR/c" -lm
    g++ -O3 -Wall -Wextra -Werror -fopenmp -x c++ "$EXERCISE/checker/starter.cu" -o "$BATS_TEST_TMPDIR/c++"
}

@test "every stage compiles under nvcc without a warning" {
    command -v nvcc >/dev/null || skip "there is no nvcc"
    for k in 0 1 2 3 4 5 6 7; do
        "$TOP/solutions/stage" "$EXERCISE" print $k >"$BATS_TEST_TMPDIR/axpy.cu"
        run -0 nvcc -O3 -Werror all-warnings -Xcompiler -fopenmp,-Wall,-Wextra,-Werror \
            -o "$BATS_TEST_TMPDIR/axpy" "$BATS_TEST_TMPDIR/axpy.cu"
        [ "$output" = "" ]
    done
}

@test "the starter prints its two lines and the difference" {
    run -0 "$BATS_FILE_TMPDIR/axpy" 1000
    [ "${#lines[@]}" -eq 3 ]
    line='^ CPU: nthr = +[0-9]+   t0 = [0-9.]+ sec   P = +[0-9.]+ Gflop/s   B = +[0-9.]+ GB/s$'
    [[ ${lines[0]} =~ $line && ${lines[1]} =~ $line ]]
    [ "${lines[2]}" = " Diff = 0.000000e+00" ]
}

@test "the starter refuses bad arguments in one line" {
    refuses
    refuses ""
    for n in 0 00 -1 -0 +5 abc 12abc 1e6 1.5 0x10 " 7" "7 " nan inf 99999999999999999999 \
        18446744073709551616 18446744073709551615 9223372036854775808 4611686018427387904 \
        1000000000000000; do
        refuses "$n"
    done
    refuses 10 20
    refuses --help
}

@test "the starter refuses a bad seed, and takes any whole number" {
    for seed in "" x -1 1.5 99999999999999999999; do
        WARPUP_SEED=$seed refuses 10
    done
    for seed in 0 1 18446744073709551615; do
        WARPUP_SEED=$seed run -0 "$BATS_FILE_TMPDIR/axpy" 10
    done
}

# Runs one stage on the simulated GPU at every size; the judge holds it to the oracle.
right_everywhere() { # STAGE
    local check=$BATS_TEST_TMPDIR/$1 runs='' n
    mkdir -p "$check"
    "$TOP/solutions/stage" "$EXERCISE" print "$1" >"$check/axpy.cu"
    "$BUILD/cc" "$check/axpy.cu" "$check/compiled"
    export WARPUP_SNAPSHOT=1 WARPUP_PROFILE=h200 WARPUP_LIB=$TOP/checker WARPUP_SEED=$((1000 + $1))
    for n in 1 2 31 32 33 255 257 1000 65537 1048576; do
        mkdir "$check/$n"
        WARPUP_TRACE=$check/$n "$BUILD/run" --dir "$check/$n" --seconds 20 -- "$check/compiled/program" $n
        runs+=",{\"dir\":\"$n\",\"device\":\"sim\",\"purpose\":\"right\",\"arguments\":[\"$n\"]}"
    done
    cat >"$check/check.json" <<END
{"seed":$WARPUP_SEED,"compile":[{"device":"sim","exit":0,"log":"/dev/null"}],"runs":[${runs#,}],"limit":null,"notes":[]}
END
    "$BUILD/ex01_axpy/judge" --exercise ex01_axpy --source axpy.cu --checker "$EXERCISE/checker" \
        --runs "$check" --seed "$WARPUP_SEED" >"$check/verdict.json" || [ $? -le 2 ]
    run -0 jq -r '.criteria[] | select(.id == "right" or .id == "clean") | .passed' "$check/verdict.json"
    [ "$output" = $'true\ntrue' ]
}

@test "every stage is right for n = 1, 2, 31, 32, 33, 255, 257, 1000, 65537, 2^20" {
    make -s -C "$TOP" -f checker/lab.mk
    for stage in 1 2 3 4 5 6 7; do right_everywhere $stage; done
}
