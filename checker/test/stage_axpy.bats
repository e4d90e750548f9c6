#!/usr/bin/env bats
# stage_axpy.bats: axpy's starter under each compiler and with bad arguments, and every stage of
# axpy right for sizes around a warp, a block and a million.

# shellcheck disable=SC2030,SC2031,SC2034 # bats runs each test in a shell of its own; stages.bash uses PROGRAM
bats_require_minimum_version 1.5.0

setup() {
    load helper
    load stages
    EXERCISE=$TOP/ex01_axpy PROGRAM=axpy
}

setup_file() {
    setup
    compile_starter
}

@test "axpy: the starter is C and C++ without a warning, and prints its two lines and the difference" {
    is_c_and_cpp
    prints_three_lines 1000
}

@test "axpy: every stage compiles under nvcc without a warning" {
    nvcc_is_silent
}

@test "axpy: the starter refuses bad arguments in one line" {
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

@test "axpy: the starter refuses a bad seed, and takes any whole number" {
    for seed in "" x -1 1.5 99999999999999999999; do
        WARPUP_SEED=$seed refuses 10
    done
    for seed in 0 1 18446744073709551615; do
        WARPUP_SEED=$seed run -0 "$BATS_FILE_TMPDIR/starter" 10
    done
}

@test "axpy: every stage is right for n = 1, 2, 31, 32, 33, 255, 257, 1000, 65537, 2^20" {
    make -s -C "$TOP" -f checker/lab.mk
    stages_are_right 1 2 31 32 33 255 257 1000 65537 1048576
}
