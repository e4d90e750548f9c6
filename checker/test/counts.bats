# counts.bats: the simulated GPU counts what the hardware counts, at the recorded sizes.

setup() {
    load helper
    export GPU=sim
}

# Every stage of an exercise, except those that leave the work to a library: at least this many counts agree, and those
# that do not are explained.
all_equal() { # EXERCISE COUNTS
    cd "$TOP" || return
    run solutions/counters "$1" check
    echo "$output"
    [ "$status" -eq 0 ]
    [[ $output =~ ^"counters-nvidia-h200: "([0-9]+)" of "[0-9]+" counts equal" ]]
    [ "${BASH_REMATCH[1]}" -ge "$2" ]
}

# The commit chooses two of the four exercises. The number is that of requests and sectors alone.
@test "all stages of the exercises have the counts of Nsight Compute, at least all numbers of requests and sectors" {
    local exercise count
    while read -r exercise count; do
        all_equal "$exercise" "$count" </dev/null
    done < <(printf '%s\n' 'ex01_axpy 48' 'ex04_matmul 40' 'ex03_matvec 32' 'ex02_rot 24' | WARPUP_EVERY=$((${WARPUP_EVERY:-1} > 1 ? 2 : 1)) sample)
}

# Every count that differs, and every row that says why one does.
differing() {
    awk -F'\t' -v OFS='\t' '
        /^#/ { next }
        $1 == "exercise" { for (i = 1; i <= NF; i++) title[i] = $i; next }
        FNR == NR { for (i = 4; i <= NF; i++) counted[$1, $2, $3, i] = $i; next }
        { for (i = 4; i <= NF; i++) if (counted[$1, $2, $3, i] != $i) print $1, $2, $3, title[i] }' \
        "$TOP/solutions/measured/counters-simulated.tsv" "$TOP/solutions/measured/counters-nvidia-h200.tsv"
}

explained() {
    awk -F'\t' -v OFS='\t' '!/^#/ && $1 != "exercise" && $5 != "" { print $1, $2, $3, $4 }' \
        "$TOP/solutions/measured/counters-why.tsv"
}

# The exercises that use shared memory, and the patterns, of which a count of wavefronts is missing.
not_recorded() {
    awk -F'\t' '
        /^#/ || $1 == "exercise" { next }
        FNR == NR { if ($8 + $9 > 0) wanted[$1, $2, $3] = $1; next }
        NF >= 10 { delete wanted[$1, $2, $3] }
        END { for (row in wanted) print wanted[row] }' \
        "$TOP/solutions/measured/counters-simulated.tsv" "$TOP/solutions/measured/counters-nvidia-h200.tsv" | sort -u
}

@test "the patterns: shared-memory wavefronts equal Nsight Compute's, or a reason is given" {
    not_recorded | grep wavefronts && skip "not recorded yet: solutions/counters wavefronts record"
    all_equal wavefronts 100
}

@test "the stages: shared-memory wavefronts equal Nsight Compute's, or a reason is given" {
    local missing
    missing=$(not_recorded | grep -v wavefronts | paste -s -d ' ')
    [ -z "$missing" ] || skip "not recorded yet: $missing (solutions/counters … record)"
    diff <(differing | grep 'wavefronts$' | sort) <(explained | grep 'wavefronts$' | sort)
}

@test "the patterns' wavefronts are recorded as the simulated GPU counts them now" {
    cp -r "$TOP/solutions" "$BATS_TEST_TMPDIR"
    ln -s "$TOP"/ex0* "$TOP/build" "$TOP/README.md" "$BATS_TEST_TMPDIR"
    # The scripts find the lab by their own place, so they are copied.
    mkdir "$BATS_TEST_TMPDIR/checker"
    ln -s "$TOP"/checker/* "$BATS_TEST_TMPDIR/checker"
    rm "$BATS_TEST_TMPDIR/checker/bin"
    cp -r "$TOP/checker/bin" "$BATS_TEST_TMPDIR/checker"
    "$BATS_TEST_TMPDIR/solutions/counters" wavefronts
    # The part that was counted last comes first.
    diff <(sort "$TOP/solutions/measured/counters-simulated.tsv") <(sort "$BATS_TEST_TMPDIR/solutions/measured/counters-simulated.tsv")
}

@test "exactly the recorded counts that differ from the hardware's have a reason" {
    diff <(differing | sort) <(explained | sort)
}
