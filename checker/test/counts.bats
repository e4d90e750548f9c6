# counts.bats: the simulated GPU counts what the hardware counts, at the recorded sizes.

setup() {
    load helper
    export GPU=sim
}

# Every stage of an exercise, but for those that leave the work to a library.
all_equal() { # EXERCISE COUNTS
    run "$TOP/solutions/counters" "$TOP/$1" check
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$output" = "counters-nvidia-h200: $2 of $2 counts equal" ]
}

@test "ex01_axpy: requests and sectors of every stage equal Nsight Compute's, all 48 numbers" {
    all_equal ex01_axpy 48
}

@test "ex02_rot: requests and sectors of every stage equal Nsight Compute's, all 24 numbers" {
    all_equal ex02_rot 24
}

@test "ex03_matvec: requests and sectors of every stage equal Nsight Compute's, all 32 numbers" {
    all_equal ex03_matvec 32
}

@test "ex04_matmul: requests and sectors of every stage equal Nsight Compute's, all 40 numbers" {
    all_equal ex04_matmul 40
}

@test "the recorded counts of the simulated GPU differ from the hardware's only where nvcc unrolls" {
    local differing
    differing=$(awk -F'\t' '
        /^#/ || $1 == "exercise" { next }
        FNR == NR { for (i = 4; i <= 7; i++) counted[$1, $2, $3, i] = $i; next }
        {
            for (i = 4; i <= 7; i++) {
                c = counted[$1, $2, $3, i]
                if (c != $i) print $1, $2, $3, i, (i % 2 == 0 && c < $i && $i <= 1.01 * c) ? "few" : "wrong"
            }
        }' "$TOP/solutions/measured/counters-simulated.tsv" "$TOP/solutions/measured/counters-nvidia-h200.tsv")
    [ "$differing" = "ex01_axpy 3 20003 4 few"$'\n'"ex01_axpy 3 20003 6 few" ]
}
