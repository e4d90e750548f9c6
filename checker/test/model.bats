# model.bats: the modelled times are near the measured ones. The stages run at 16 Mi elements, where a
# test takes seconds: rates at that size are those of 64 Mi, at which the tables were measured.

SIZE=16777216

setup() {
    load helper
    export GPU=sim
}

# Holds the modelled rates of a profile to a measured table: each within a factor of 2, and in the
# same order wherever the measured ones are more than 2 % apart.
near() { # PROFILE TABLE
    "$TOP/solutions/bench" "$TOP/ex01_axpy" print "$1" $SIZE >"$BATS_TEST_TMPDIR/modelled"
    awk -F'\t' '
        /^#/ || $2 !~ /^[0-9]+$/ { next }
        FNR == NR { modelled[$2] = $5; next }
        $4 == 67108864 { measured[$2] = $5; pairs++ }
        END {
            for (i in measured) {
                ratio = modelled[i] / measured[i]
                printf "stage %s: measured %s GB/s, modelled %s, ratio %.2f\n", i, measured[i], modelled[i], ratio
                if (!(ratio >= 0.5 && ratio <= 2)) wrong++
                for (j in measured)
                    if (measured[i] > 1.02 * measured[j] && !(modelled[i] > modelled[j])) {
                        printf "stage %s is not modelled faster than stage %s\n", i, j
                        wrong++
                    }
            }
            exit wrong > 0 || pairs == 0
        }' "$BATS_TEST_TMPDIR/modelled" "$2"
}

@test "H200: every stage of ex01_axpy is modelled within a factor of 2 of the measured, in the same order" {
    near h200 "$TOP/solutions/measured/nvidia-h200.tsv"
}

@test "V100: one thread, neighbours and grid are modelled within a factor of 2 of the lectures' figures" {
    near v100 "$TOP/solutions/lectures-v100.tsv"
}

@test "H200, as recorded: the last stage is at 98 % of the copy rate or more, and at 1.25 times cuBLAS or more" {
    awk -F'\t' '
        $2 == 6 { rate[$4] = $5; share[$4] = $8 }
        $2 == "cublas" { cublas[$4] = $5 }
        END {
            for (size in rate) {
                printf "N = %s: %s of the copy rate, %.2f times cuBLAS\n", size, share[size], rate[size] / cublas[size]
                if (share[size] >= 0.98 && rate[size] >= 1.25 * cublas[size]) good++
            }
            exit good != 2
        }' "$TOP/solutions/measured/nvidia-h200.tsv"
}

@test "a modelled time is the same in every run" {
    "$TOP/solutions/bench" "$TOP/ex01_axpy" print h200 100000 100000 |
        awk -F'\t' '$2 ~ /^[0-9]+$/ { times[$2] = times[$2] " " $10 }
            END { for (stage in times) { split(times[stage], t, " "); if (t[1] != t[2] || t[1] == "") exit 1 } }'
}

@test "the pages of solutions/measured show what the tables hold" {
    "$TOP/solutions/pages" "$BATS_TEST_TMPDIR"
    local page
    for page in README.md model.md counters.md; do
        diff "$TOP/solutions/measured/$page" "$BATS_TEST_TMPDIR/solutions/measured/$page"
    done
}

@test "wrong arguments get one line and exit code 2" {
    local arguments
    for arguments in "bench" "bench $TOP/checker" "bench $TOP/ex01_axpy print h200" "bench $TOP/ex01_axpy print h300 1000" \
        "counters" "counters $TOP/ex01_axpy everything" "costs" "costs $TOP/checker"; do
        # shellcheck disable=SC2086 # a list of words
        run "$TOP/solutions/"$arguments
        echo "$arguments: $status, $output"
        [ "$status" -eq 2 ]
        [ "${#lines[@]}" -eq 1 ]
    done
}
