#!/usr/bin/env bats
# stage_rot.bats: rot's starter under each compiler and with bad arguments, and every stage right for
# awkward numbers of points and of threads.

# shellcheck disable=SC2030,SC2031,SC2034 # bats runs each test in a shell of its own; stages.bash uses PROGRAM
bats_require_minimum_version 1.5.0

setup() {
    load helper
    load stages
    EXERCISE=$TOP/ex02_rot PROGRAM=rot
}

setup_file() {
    setup
    compile_starter
}

@test "rot: the starter is C and C++ without a warning, and prints its two lines and the difference" {
    is_c_and_cpp
    prints_three_lines 32 1000
}

@test "rot: every stage compiles under nvcc without a warning" {
    nvcc_is_silent
}

@test "rot: the starter refuses bad arguments in one line" {
    refuses
    refuses 32
    refuses 32 10 20
    refuses "" 10
    for threads in 0 1025 -1 +5 abc 12abc 1e2 1.5 0x10 " 7" "7 " 4294967297 18446744073709551617; do
        refuses "$threads" 10
    done
    for n in "" 0 00 -1 +5 abc 12abc 1e6 1.5 0x10 " 7" nan 18446744073709551615 18446744073709551616 \
        2305843009213693952 4611686018427387904 1000000000000000; do
        refuses 32 "$n"
    done
    WARPUP_SEED=x refuses 32 10
}

@test "rot: every stage is right for N = 1, 31, 1000, 2^20 + 3 with THREADS = 1, 3, 32, 100, 1024" {
    make -s -C "$TOP" -f checker/lab.mk
    local threads n sizes=()
    for threads in 1 3 32 100 1024; do
        for n in 1 31 1000 1048579; do sizes+=("$threads $n"); done
    done
    stages_are_right "${sizes[@]}"
}
