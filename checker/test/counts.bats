# counts.bats: the simulated GPU counts what the hardware counts, at the recorded sizes.

setup() {
    load helper
    export GPU=sim
}

@test "ex01_axpy: requests and sectors of every stage equal Nsight Compute's, all 48 numbers" {
    run "$TOP/solutions/counters" "$TOP/ex01_axpy" check
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$output" = "counters-nvidia-h200: 48 of 48 counts equal" ]
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
