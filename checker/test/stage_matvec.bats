#!/usr/bin/env bats
# stage_matvec.bats: matvec's starter under each compiler and with bad arguments, and every stage right
# for awkward numbers of rows and columns.

# shellcheck disable=SC2030,SC2031,SC2034 # bats runs each test in a shell of its own; stages.bash uses PROGRAM
bats_require_minimum_version 1.5.0

setup() {
    load helper
    load stages
    EXERCISE=$TOP/ex03_matvec PROGRAM=matvec
}

setup_file() {
    setup
    compile_starter
}

@test "matvec: the starter is C and C++ without a warning, and prints its two lines and the difference" {
    is_c_and_cpp
    prints_three_lines 33 65
}

@test "matvec: every stage compiles under nvcc without a warning" {
    nvcc_is_silent
}

@test "matvec: the starter refuses bad arguments in one line" {
    refuses
    refuses 10
    refuses 10 20 30
    for n in "" 0 00 -1 +5 abc 12abc 1e6 1.5 0x10 " 7" nan 18446744073709551615 18446744073709551616 \
        4611686018427387904; do
        refuses "$n" 10
        refuses 10 "$n"
    done
    refuses 4294967296 4294967296
    refuses 18446744073709551615 18446744073709551615
    refuses 1000000000 1000000000
    WARPUP_SEED=x refuses 10 10
}

@test "matvec: every stage is right for 1 x 1 to 4096 x 8192, also for sizes that are not multiples" {
    make -s -C "$TOP" -f checker/lab.mk
    stages_are_right "1 1" "1 1000" "1000 1" "33 65" "33 2700" "1023 4097" "3 65539" "2 100000" "4096 8192"
}
