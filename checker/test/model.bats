# model.bats: the modelled times are near the measured ones: those that are recorded, and those that
# the model gives now. ex01_axpy runs at 8 Mi elements or fewer, where a test takes seconds: rates at
# such sizes, beyond the L2, are those of 64 Mi, at which its tables were measured.

setup() {
    load helper
    export GPU=sim
    MEASURED=$TOP/solutions/measured
}

# Holds a modelled table to a measured one, for every exercise and at the sizes that both have: rates
# within a factor of 2, and in the measured order wherever two stages of an exercise are more than 1.3 times
# apart. No stage may be missing there: of neither table, or (`some`) of the modelled one.
near() { # MODELLED MEASURED [some]
    awk -F'\t' -v some="${3-}" '
        /^#/ || $2 !~ /^[0-9]+$/ { next }
        { this = $1 SUBSEP $4; exercises[$1]; sizes[this] }
        FNR == NR { modelled[this, $2] = $5; is_modelled[this]; next }
        { measured[this, $2] = $5; is_measured[this] }
        function wrong(text) { print text; faults++ }
        function order(this, stages,    i, j, m) {
            for (i in stages)
                for (j in stages)
                    if (measured[this, i] > 1.3 * measured[this, j] && modelled[this, i] <= modelled[this, j])
                        wrong("stage " i " is not modelled faster than stage " j)
        }
        function compare(this, stages,    i, ratio) {
            for (i in stages) {
                if (!((this, i) in measured)) {
                    if (some == "") wrong("stage " i " is modelled, and not measured")
                    delete stages[i]
                } else if (!((this, i) in modelled)) {
                    wrong("stage " i " is measured, and not modelled")
                    delete stages[i]
                } else {
                    ratio = modelled[this, i] / measured[this, i]
                    printf "stage %s: measured %s, modelled %s, ratio %.2f\n", i, measured[this, i], modelled[this, i], ratio
                    if (!(ratio >= 0.5 && ratio <= 2)) wrong("that is too far")
                }
            }
            order(this, stages)
        }
        END {
            for (exercise in exercises) {
                pairs = 0
                for (this in sizes) {
                    split(this, part, SUBSEP)
                    if (part[1] != exercise || !(this in is_modelled && this in is_measured)) continue
                    print exercise ", " part[2]
                    split("", stages)
                    for (row in modelled) { split(row, r, SUBSEP); if (r[1] SUBSEP r[2] == this) stages[r[3]] }
                    for (row in measured) { split(row, r, SUBSEP); if (r[1] SUBSEP r[2] == this) stages[r[3]] }
                    compare(this, stages)
                    pairs++
                    all++
                }
                if (!pairs && some == "") wrong(exercise " has no size in both tables")
            }
            exit faults > 0 || !all
        }' "$1" "$2"
}

# The times that the model gives now for an exercise at some sizes.
model() { # EXERCISE PROFILE SIZE...
    "$TOP/solutions/bench" "$TOP/$1" print "${@:2}" >"$BATS_TEST_TMPDIR/$1"
}

# ex01_axpy now, at the last of some sizes, in the measured table's place of 64 Mi.
model_axpy() { # PROFILE SIZE...
    model ex01_axpy "$@"
    sed -i "s/\t${*: -1}\t/\t67108864\t/" "$BATS_TEST_TMPDIR/ex01_axpy"
}

@test "H200, as recorded: every stage is modelled within a factor of 2 of the measured, in the same order" {
    near "$MEASURED/simulated-h200.tsv" "$MEASURED/nvidia-h200.tsv"
}

@test "near() refuses a stage too far off, in the wrong order, or in only one table, and an exercise with no common size" {
    local rows=$'ex\t1\ta\t9\t100\nex\t2\tb\t9\t140\nex\t2\tb\t7\t1'
    refused() { if close "$@"; then return 1; fi; }
    close() { near <(printf '%s\n' "$1") <(printf '%s\n' "$2") "${@:3}"; }
    close "$rows" "$rows"
    close "$rows" "${rows//140/120}"
    close "${rows//$'\t7'/$'\t6'}" "$rows"
    refused "${rows//100/201}" "$rows"
    refused "${rows//140/90}" "$rows"
    refused "${rows%%$'\n'*}" "$rows"
    refused "$rows" "${rows%%$'\n'*}"
    close "$rows" "${rows%%$'\n'*}" some
    refused "$rows"$'\nother\t1\ta\t9\t1' "$rows"
    refused "$rows" "$rows"$'\nother\t1\ta\t9\t1'
    refused "$rows" ""
}

@test "H200: ex01_axpy is modelled now as recorded, and its modelled time is the same in every run" {
    model_axpy h200 100000 100000 8388608
    near "$BATS_TEST_TMPDIR/ex01_axpy" <(grep ^ex01_axpy "$MEASURED/nvidia-h200.tsv")
    awk -F'\t' '$2 ~ /^[0-9]+$/ && $4 == 100000 { times[$2] = times[$2] " " $10 }
        END { for (stage in times) { stages++; split(times[stage], t, " "); if (t[1] != t[2] || t[1] == "") exit 1 } exit stages < 6 }' \
        "$BATS_TEST_TMPDIR/ex01_axpy"
}

# The commit chooses one of these exercises, or the V100.
@test "H200: the other exercises are modelled now as they are recorded, to 2 %. V100: within a factor of 2 of the lectures' figures" {
    local exercise size row now recorded others
    others=$(echo v100 && awk -F'\t' '/^ex/ && $2 == 1 && $1 != "ex01_axpy" { print $1 "\t" $4 }' "$MEASURED/simulated-h200.tsv")
    [ "$(wc -l <<<"$others")" -gt 3 ]
    while IFS=$'\t' read -r exercise size; do
        if [ "$exercise" = v100 ]; then
            model_axpy v100 2097152 # four times its L2
            near "$BATS_TEST_TMPDIR/ex01_axpy" "$TOP/solutions/lectures-v100.tsv" some
            continue
        fi
        model "$exercise" h200 "$size"
        while IFS=$'\t' read -r row now recorded; do
            echo "$exercise, stage $row: now $now, recorded $recorded"
            awk -v a="$now" -v b="$recorded" 'BEGIN { exit !(a >= 0.98 * b && a <= 1.02 * b) }'
        done < <(awk -F'\t' -v OFS='\t' -v exercise="$exercise" '
            $1 == exercise && FNR == NR { now[$2] = $5 }
            $1 == exercise && FNR != NR { print $2, now[$2], $5 }' "$BATS_TEST_TMPDIR/$exercise" "$MEASURED/simulated-h200.tsv")
    done < <(part_of_commit <<<"$others")
}

@test "H200, as recorded: the last stage is at 98 % of the copy rate or more, and at 1.25 times cuBLAS or more" {
    awk -F'\t' '
        $1 != "ex01_axpy" { next }
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

@test "H200, as recorded: rot at 98 % of the copy rate, matvec at 1.05 times cublasSgemv, matmul at 0.95 times cublasSgemm" {
    awk -F'\t' '
        $1 == "ex02_rot" && $2 == 3 { seen++; good += $8 >= 0.98 }
        $1 == "ex03_matvec" { rate[$2, $4] = $5; sizes[$4] = $2 == 4 ? $4 : sizes[$4] }
        $1 == "ex04_matmul" && $2 == 6 && $4 >= 4096 { seen++; good += $8 >= 0.95 }
        END {
            for (size in sizes) {
                if (!sizes[size]) continue
                best = rate[4, size] > rate["cublas", size] ? rate[4, size] : rate["cublas", size]
                printf "matvec, %s: %.3f times cublasSgemv\n", size, rate[5, size] / best
                seen++
                good += rate[5, size] >= 1.05 * best
            }
            exit seen != 7 || good != seen
        }' "$TOP/solutions/measured/nvidia-h200.tsv"
}

# Holds rows of small kernels (kind, name, half, us) to the measured ones: each within a factor, and a share of them
# within a factor of 1.3. One is far off: clang leaves an array in local memory (a median of nine) that nvcc keeps in registers.
near_kernels() { # MODELLED MEASURED FACTOR SHARE [HALF]
    awk -F'\t' -v factor="$3" -v share="$4" -v half="${5-}" '
        /^#/ || $1 == "kind" { next }
        FNR == NR { modelled[$1, $2] = $4; next }
        ($1, $2) in modelled && (half == "" || $3 == half) {
            ratio = modelled[$1, $2] / $4
            if (ratio < 1) ratio = ratio > 0 ? 1 / ratio : 1e9
            count++
            close_ones += ratio <= 1.3
            if (ratio > factor) { print $1 ", " $2 ": measured " $4 " us, modelled " modelled[$1, $2]; far++ }
        }
        END {
            printf "%d of %d within a factor of 1.3, %d not within %s\n", close_ones, count, far, factor
            exit far > 0 || !count || close_ones < share * count
        }' "$1" "$2"
}

@test "H200 and H100, as recorded: the small kernels are modelled near the measured ones" {
    local gpu
    for gpu in h200 h100; do
        near_kernels "$MEASURED/kernels-simulated-$gpu.tsv" "$MEASURED/kernels-nvidia-$gpu.tsv" 2.2 0.85 held
        near_kernels "$MEASURED/kernels-simulated-$gpu.tsv" "$MEASURED/kernels-nvidia-$gpu.tsv" 9 0.88 fit
    done
}

@test "H200: kernels with atomic operations are modelled now as recorded, and near the measured ones" {
    local now=$BATS_TEST_TMPDIR/now
    "$TOP/solutions/kernels/compare" print h200 atomic >"$now"
    [ -s "$now" ]
    near_kernels "$now" "$MEASURED/kernels-nvidia-h200.tsv" 2.1 0.75
    near_kernels "$now" "$MEASURED/kernels-simulated-h200.tsv" 1.05 1
}

@test "H200: without the terms for contention, kernels with atomic operations are far from the measured ones" {
    local now=$BATS_TEST_TMPDIR/now
    awk -F'\t' -v OFS='\t' '/^(atomic_|shared_real_atomic_|contended_)/ { $2 = $1 == "atomic_sectors_per_ns" ? 1000 : 0 } 1' \
        "$TOP/checker/gpu/profiles/h200.tsv" >"$BATS_TEST_TMPDIR/careless.tsv"
    "$TOP/solutions/kernels/compare" print "$BATS_TEST_TMPDIR/careless.tsv" atomic >"$now"
    [ -s "$now" ]
    run near_kernels "$now" "$MEASURED/kernels-nvidia-h200.tsv" 2.1 0.75
    echo "$output"
    [ "$status" -eq 1 ]
    [[ $output == *"all threads"* ]]
}

@test "arithmetic takes as long as the profile says: on a full GPU, and a multiply-add for a warp alone" {
    "$BUILD/cc" "$TOP/solutions/arithmetic.cu" "$BATS_TEST_TMPDIR/arithmetic"
    "$BATS_TEST_TMPDIR/arithmetic/program" 16 | awk -F'\t' '
        FNR == NR { profile[$1] = $2; next }
        BEGIN {
            # Per clock of a full SM, as this program measured them on an H200
            full["float /"] = 7.22
            full["float sqrtf"] = 9.89
            full["double /"] = 4.61
            full["float to double and back"] = 15 / 2
            full["int32 /"] = full["int32 %"] = full["uint32 /"] = 3.74
            full["int64 / below 2^32"] = full["uint64 / below 2^32"] = 3.51
            # Clocks for a warp alone, as this program measured them on an H100. Divisions of a warp alone took
            # 50 to 180 clocks: the model lets independent ones overlap (gpu/time/README.md).
            alone["float multiply-add"] = 1.2
        }
        {
            name = substr($0, 1, 26)
            sub(/ +$/, "", name)
            split(substr($0, 27), column, " ")
            if (name in full) expected = full[name]
            else if (name == "float multiply-add") expected = profile["flops_per_clock"] / 2
            else next
            print name ": " column[1] " in a clock, " column[4] " clocks; expected " expected
            # clang looks whether 64-bit numbers fit into 32 bits, and then divides these.
            least = name ~ /64/ ? 0.75 : 0.9
            if (name in full && (column[1] < least * expected || column[1] > 1.1 * expected)) wrong = 1
            if (name in alone && (column[4] < 0.78 * alone[name] || column[4] > 1.25 * alone[name])) wrong = 1
            seen++
        }
        END { exit wrong || seen != 10 }' "$TOP/checker/gpu/profiles/h200.tsv" -
}

# The model has no terms for pairs 8 and 11: stores to many arrays, and instructions that ptxas joins.
@test "H200: lanes that go different ways, local memory, words of one bank, and what data decide take longer" {
    local -x WARPUP_PROFILE=h200 WARPUP_TRACE=$BATS_TEST_TMPDIR WARPUP_LIB=$TOP/checker
    "$BUILD/cc" "$TOP/checker/test/sim/uneven.cu" "$BATS_TEST_TMPDIR"
    "$BATS_TEST_TMPDIR/program"
    jq -r 'select(.event == "kernel") | [.id, .end - .start] | @tsv' "$BATS_TEST_TMPDIR/trace.jsonl" | sort -n |
        awk '{ ns[NR] = $2 }
            END {
                for (i = 1; i < NR; i += 2) {
                    printf "pair %d: %.2f times\n", (i + 1) / 2, ns[i + 1] / ns[i]
                    if (ns[i + 1] < 1.25 * ns[i] && i !~ /^(15|21)$/) near = 1
                }
                exit near || NR != 28
            }'
}

@test "the pages of solutions/measured show the contents of the tables" {
    "$TOP/solutions/pages" "$BATS_TEST_TMPDIR"
    local page
    for page in README.md model.md kernels.md counters.md; do
        diff "$TOP/solutions/measured/$page" "$BATS_TEST_TMPDIR/solutions/measured/$page"
    done
}

@test "wrong arguments get one line and exit code 2" {
    local arguments
    for arguments in "bench" "bench $TOP/checker" "bench $TOP/ex01_axpy print h200" "bench $TOP/ex01_axpy print h300 1000" \
        "counters" "counters $TOP/ex01_axpy everything" "costs" "costs $TOP/checker" \
        "kernels/compare" "kernels/compare print h200" "kernels/compare print h200 nothing"; do
        # shellcheck disable=SC2086 # a list of words
        run "$TOP/solutions/"$arguments
        echo "$arguments: $status, $output"
        [ "$status" -eq 2 ]
        [ "${#lines[@]}" -eq 1 ]
    done
}
