#!/usr/bin/env bats
# Progress: what checks add to progress.tsv, and what make progress and make next show of it.
# shellcheck disable=SC2154 # bats sets stderr
bats_require_minimum_version 1.5.0

setup_file() {
    make -s -C "$BATS_TEST_DIRNAME/../.." -f checker/lab.mk
}

setup() {
    load helper
    export LC_ALL=C.UTF-8 TERM=dumb TZ=UTC
    unset WARPUP_PLAIN
    PROGRESS=$BUILD/progress
    VERDICT=$BATS_TEST_TMPDIR/verdict.json
    cd "$BATS_TEST_TMPDIR" || return
    mkdir ex01_axpy ex02_rot
    FILE=ex01_axpy/progress.tsv
}

# Adds a verdict, changed by a filter of jq, of a program with this text.
note() { # FILTER TEXT [EXERCISE]
    jq "$1" "$BATS_TEST_DIRNAME/show/verdict.json" >"$VERDICT"
    printf '%s\n' "$2" >program.cu
    "$PROGRESS" note "${3:-ex01_axpy}/progress.tsv" "$VERDICT" program.cu
}

# The lines about the first exercise, with one date for all times.
shown() {
    "$PROGRESS" show ex01_axpy ex02_rot | sed -E '/^ex02_rot/,$d; s/20[0-9]{2}-[0-9-]+ [0-9:]+/DATE/g'
}

@test "an exercise that was not checked is next" {
    run -0 "$PROGRESS" show ex01_axpy ex02_rot
    [ "$output" = $'ex01_axpy       not checked yet\nex02_rot        not checked yet\n
next: ex01_axpy, which is not checked yet\n      in ex01_axpy: make check' ]
}

@test "a rung keeps the time at which it was first reached; attempts count different programs since then" {
    note '.rung = 1 | .rate = null' one
    sed -i -E 's/^(reached\t1\t).*/\186400/' "$FILE"
    note '.rung = 1 | .rate = null' two
    note '.rung = 1 | .rate = null' two
    [ "$(shown)" = $'ex01_axpy       rung 1 of 6  █░░░░░   1 attempt since then\n    rung 1 on 1970-01-02 00:00' ]
    note '.rung = 3 | .rate = null' three
    note '.rung = 2 | .rate = null' four
    [ "$(shown)" = $'ex01_axpy       rung 3 of 6  ███░░░   now rung 2, 1 attempt since then
    rung 1 on 1970-01-02 00:00, rungs 2 to 3 on DATE' ]
    grep -qP '^reached\t1\t86400$' "$FILE"
}

@test "the best rate of each device is kept; measured and modelled ones never mix" {
    note '.rate.value = 6.5 | .share = 0.0015' one
    note '.rate.value = 60 | .share = 0.015' two
    note '.rate.value = 9 | .share = 0.5' three
    note '.rate = {value: 4000, unit: "GB/s", how: "modelled"} | .share = 0.94' four
    note '.rate.value = 9999 | .rung = 0' wrong
    note '.rate.value = 5 | .share = 0.01 | .devices[1].name = "Other GPU"' five
    [ "$(shown | tail -n +3)" = $'    best measured: 60 GB/s, 1.5 % of the limit, NVIDIA H200
    best modelled: 4000 GB/s, 94 % of the limit, H200 profile
    best measured: 5 GB/s, 1 % of the limit, Other GPU' ]
}

@test "a check that was not possible adds nothing" {
    note '.status = "could not check" | .rung = 0' one
    [ ! -e "$FILE" ]
}

@test "next is the exercise that was worked on, then the first that is not complete, then bonus rungs" {
    local next=("$PROGRESS" next ex01_axpy ex02_rot)
    note '.rung = 0' starter ex02_rot
    note '.rung = 0' starter
    [ "$("${next[@]}" | head -n 1)" = "next: ex01_axpy, rung 1: neighbouring threads read neighbouring elements" ]
    note '.rung = 2' one ex02_rot
    [ "$("${next[@]}" | tail -n 2)" = $'      let thread t take elements t, t + nthr …\n      in ex02_rot: make check' ]
    note '.rung = 6 | .criteria[].passed = true | .next = null' all ex02_rot
    [ "$("${next[@]}" | head -n 1)" = "next: ex01_axpy, rung 1: neighbouring threads read neighbouring elements" ]
    note '.rung = 5' most
    [ "$("${next[@]}" | head -n 1)" = "next: ex01_axpy, bonus rung 6: neighbouring threads read neighbouring elements" ]
    note '.rung = 6' every
    [ "$("${next[@]}")" = "next: nothing, every rung of every exercise is reached" ]
}

@test "of a damaged file, what can be read is kept, and the old file too" {
    note '.rung = 2 | .rate.value = 60' one
    sed -i -E '/^end/d; s/^attempts.*/attempts\tmany/; s/^(reached\t.\t).*/\186400/' "$FILE"
    printf 'reached\t99\t1\n\0rate\tguessed\t1\tGB/s\t1\tX\nreached' >>"$FILE"
    cp "$FILE" damaged
    run -0 --separate-stderr "$PROGRESS" show ex01_axpy
    [[ ${lines[1]} == "    progress.tsv is damaged: this is what can be read of it" ]]
    run -0 --separate-stderr note '.rung = 3 | .rate.value = 6' two
    [ "$stderr" = "note: $FILE was damaged. It is now $FILE.damaged.1, and what could be read is kept" ]
    cmp damaged "$FILE.damaged.1"
    [ "$(shown)" = $'ex01_axpy       rung 3 of 6  ███░░░
    rungs 1 to 2 on 1970-01-02 00:00, rung 3 on DATE
    best measured: 60 GB/s, 0.15 % of the limit, NVIDIA H200' ]
    head -c 4000 /dev/urandom >"$FILE"
    run -0 --separate-stderr note . three
    [[ $stderr == *"is now $FILE.damaged.2, and"* ]]
    run -0 --separate-stderr note . four
    [ ! "$stderr" ]
}

@test "a file that was cut anywhere is never an error" {
    local bytes size
    note '.rung = 2 | .rate.value = 60' one
    cp "$FILE" whole
    size=$(stat -c %s whole)
    for ((bytes = 0; bytes < size - 1; bytes += 7)); do
        head -c "$bytes" whole >"$FILE"
        "$PROGRESS" show ex01_axpy >said
        grep -q damaged said
    done
}

@test "a full disk, a read-only one, and a folder in its place give one line; the old file is kept" {
    mkdir full
    mount_tmpfs full size=4k
    note . one full
    cp full/progress.tsv before
    run -3 note '.rung = 5' three full
    [ "$output" = "progress: cannot write full/progress.tsv: No space left on device" ]
    cmp before full/progress.tsv
    [ "$(ls full)" = progress.tsv ]
    mount -o remount,ro full
    run -3 note . four full
    [ "$output" = "progress: cannot write full/progress.tsv: Read-only file system" ]
    umount_tmpfs
    mkdir "$FILE"
    run -3 note . five
    [ "$output" = "progress: cannot read $FILE: Is a directory" ]
    run -0 "$PROGRESS" next ex01_axpy ex02_rot
    [ "${lines[0]}" = "next: ex02_rot, which is not checked yet" ]
    run -0 "$PROGRESS" show ex01_axpy ex02_rot
    [ "${lines[0]}" = "ex01_axpy       progress.tsv cannot be read: Is a directory" ]
}

@test "checks that end at the same time are all counted" {
    local i
    jq '.rung = 0' "$BATS_TEST_DIRNAME/show/verdict.json" >"$VERDICT"
    for i in {1..20}; do
        echo "$i" >"program$i.cu"
        "$BUILD/fsutil" lock lock "$PROGRESS" note "$FILE" "$VERDICT" "program$i.cu" &
    done
    wait
    grep -qP '^attempts\t20$' "$FILE"
}

@test "in plain words, and never wider than 80 columns" {
    note '.rung = 2 | .rate.value = 51234.5 | .rate.unit = "Gflop/s" | .devices[1].name = "NVIDIA H100 80GB HBM3 MIG 1g.10gb, partition 3"' one
    WARPUP_PLAIN=1 shown >said
    grep -qx 'ex01_axpy       rung 2 of 6' said
    shown >said
    run ! grep -nE '.{81}' said
}

@test "only checks of the student's own file count; make clean and make reset keep what was reached" {
    export GPU=sim
    mkdir lab
    ln -s "$TOP/checker" lab/checker
    cp "$TOP/Makefile" lab/
    mkdir lab/ex01_axpy
    cp -r "$TOP/ex01_axpy/"{Makefile,checker} lab/ex01_axpy/
    printf 'both\tright\t1000\nsim\tspeed\t65536\n' >lab/ex01_axpy/checker/sizes.tsv
    "$TOP/solutions/stage" "$TOP/ex01_axpy" print 1 >lab/ex01_axpy/axpy.cu
    "$TOP/solutions/stage" "$TOP/ex01_axpy" print 2 >two.cu
    run -1 "$TOP/checker/check" lab/ex01_axpy --source two.cu
    [ ! -e lab/ex01_axpy/progress.tsv ]
    run -0 make -s -C lab check
    [[ $output == *$'\nex01_axpy       rung 1 of 7  █░░░░░░\n    rung 1 on '* ]]
    cp lab/ex01_axpy/progress.tsv before
    run -0 make -s -C lab/ex01_axpy reset
    run -0 make -s -C lab clean
    cmp before lab/ex01_axpy/progress.tsv
    run -0 make -s -C lab progress
    [[ $output == *$'next: ex01_axpy, rung 2: times the whole kernel\n'* ]]
    local folder
    for folder in lab lab/ex01_axpy; do
        run -0 make -s -C "$folder" next
        [ "${lines[0]}" = "next: ex01_axpy, rung 2: times the whole kernel" ]
    done
}

# The exercise's questions: a rate for rung 1, and how many times as fast for rung 3.
write_questions() {
    mkdir -p ex01_axpy/checker
    printf '%s\t%s\t%s\t%s\n' rung unit h200 question 1 GB/s MC4yMDM= 'How many GB/s?' 3 times MzI= 'How many times as fast?' \
        >ex01_axpy/checker/predict.tsv
}

@test "a guess is asked for, kept, and shown beside what came, with the rung below it on the same device" {
    write_questions
    [ "$("$PROGRESS" ask ex01_axpy)" = "  Rung 1: How many GB/s?" ]
    "$PROGRESS" guess ex01_axpy '1/4'
    [ "$("$PROGRESS" ask ex01_axpy | tail -n 1)" = "  So far you expect: 0.25 GB/s" ]
    run -1 "$PROGRESS" compare ex01_axpy
    note '.rung = 1 | .rate = {value: 0.5, unit: "GB/s", how: "modelled"}' one
    [ "$("$PROGRESS" compare ex01_axpy | tr -s '\n ' ' ')" = \
        " Rung 1: you predicted 0.25 GB/s. It came to 0.5 GB/s, modelled. An H200 reached 0.203 GB/s. Can you explain the difference? " ]
    "$PROGRESS" guess ex01_axpy 10
    note '.rung = 2 | .rate = {value: 0.4, unit: "GB/s", how: "modelled"}' two
    [[ "$("$PROGRESS" compare ex01_axpy)" == *"Rung 1: you predicted"*"0.4 GB/s"* ]] # rung 2 has no question, and the same kernel
    note '.rung = 3 | .rate = {value: 8, unit: "GB/s", how: "modelled"}' three
    [[ "$("$PROGRESS" compare ex01_axpy | tr -s '\n ' ' ')" == *"you predicted 10 times as fast. It came to 20 times as fast, modelled. An H200 reached 32 times"* ]]
    run -1 "$PROGRESS" ask ex01_axpy
    cp "$FILE" before
    note '.rung = 3 | .rate = {value: 800, unit: "GB/s", how: "measured"}' three
    run -1 "$PROGRESS" compare ex01_axpy # nothing below it was measured
    run -0 "$PROGRESS" show ex01_axpy
    [[ $output != *damaged* ]]
}

@test "a guess that is not a number is refused; an instructor may require one" {
    write_questions
    run -1 "$PROGRESS" require ex01_axpy
    [ "$output" = "make check: first write down what you expect of rung 1: make predict" ]
    local guess
    for guess in many 0 -2 1/0 nan ''; do
        run -3 "$PROGRESS" guess ex01_axpy "$guess"
        [[ $output == 'predict: "'"$guess"'" is not a number above 0,'* ]]
    done
    [ ! -e "$FILE" ]
    "$PROGRESS" guess ex01_axpy '3 times'
    "$PROGRESS" require ex01_axpy
    note '.rung = 1 | .rate = null' one
    "$PROGRESS" require ex01_axpy # rung 2 has no question
}

@test "every exercise has questions, and what an H200 reached is what was measured" {
    local exercise rung unit h200 question below
    for exercise in "$TOP"/ex0*; do
        exercise=${exercise##*/} below=1
        [ "$(wc -l <"$TOP/$exercise/checker/predict.tsv")" -ge 4 ]
        while IFS=$'\t' read -r rung unit h200 question; do
            [[ $question == *\? && $h200 != *[0-9].[0-9]* ]]
            h200=$(base64 -d <<<"$h200")
            local rates
            rates=$(awk -F'\t' -v e="$exercise" -v r="$rung" -v b="$below" -v times="$unit" '
                $1 == e && $2 == r { top[$4] = $5 } $1 == e && $2 == b { low[$4] = $5 }
                END { for (s in top) print times == "times" ? (s in low ? top[s] / low[s] : 0) : top[s] }' "$TOP/solutions/measured/nvidia-h200.tsv")
            echo "$exercise $rung: $h200 of $rates"
            awk -v h200="$h200" '($1 - h200) / h200 < 0.02 && (h200 - $1) / h200 < 0.02 { found = 1 } END { exit !found }' <<<"$rates"
            below=$rung
        done < <(tail -n +2 "$TOP/$exercise/checker/predict.tsv")
    done
}
