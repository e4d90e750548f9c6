#!/usr/bin/env bats
# stage.bats: the stages of every exercise that has some, and the tool that works on them.

bats_require_minimum_version 1.5.0

setup() {
    load helper
    STAGE=$TOP/solutions/stage
    copy="$BATS_TEST_TMPDIR/a lab/ex01_axpy"
}

# Sets copy to a copy of axpy that a test may change, in a directory with a space in its name.
copy_axpy() {
    mkdir -p "$(dirname "$copy")"
    mkdir -p "$copy"
    tar -C "$TOP/ex01_axpy" --exclude=./build -c . | tar -C "$copy" -x
    cp "$copy/checker/starter.cu" "$copy/axpy.cu"
}

# A hash of the copy's solutions, to see that nothing changed.
fingerprint() {
    (cd "$copy" && cat solutions/* checker/starter.cu axpy.cu | sha256sum)
}

# Edits a stage that was written out: replaces one text by another, which must be there.
edit() { # STAGE OLD NEW
    local file=$copy/axpy.stage$1.cu
    "$STAGE" "$copy" write "$1"
    grep -qF -- "$2" "$file"
    perl -pi -e 'BEGIN { ($old, $new) = splice @ARGV, 0, 2 } s/\Q$old\E/$new/g' "$2" "$3" "$file"
}

@test "all patches apply exactly, none is missing, recutting changes nothing" {
    local series
    for series in "$TOP"/ex*/solutions/series; do
        run -0 "$STAGE" "${series%/solutions/series}" prove-patches
        [[ $output == *"patches apply exactly"* ]]
    done
}

@test "a patch that is not in the series is found" {
    copy_axpy
    cp "$copy/solutions/02-wait.patch" "$copy/solutions/07-stray.patch"
    run -1 "$STAGE" "$copy" prove-patches
    [[ $output == *"07-stray.patch is not in the series"* ]]
}

@test "a patch that applies only with an offset is refused" {
    copy_axpy
    sed -i '1i /* one line more */' "$copy/checker/starter.cu"
    run -2 "$STAGE" "$copy" prove-patches
    [ "$output" = "stage: 01-one-thread.patch does not apply exactly to the stage before it" ]
}

@test "quilt reads the series and reaches the last stage" {
    command -v quilt >/dev/null || skip "quilt is not installed"
    copy_axpy
    cd "$copy"
    QUILT_PATCHES=solutions run -0 quilt push -a --fuzz=0
    run -0 diff axpy.cu <("$STAGE" . print "$(grep -c . solutions/series)")
}

@test "every patch begins with prose, its first line a sentence" {
    local patch
    for patch in "$TOP"/ex*/solutions/*.patch; do
        [[ $(head -n 1 "$patch") == [[:alnum:]]*. ]]
        [ "$(sed -n 2p "$patch")" = "" ]
        [ "$(sed '/^--- a/,$d' "$patch" | wc -l)" -ge 4 ]
    done
}

@test "list names every stage" {
    run -0 "$STAGE" "$TOP/ex01_axpy" list
    [ "${#lines[@]}" -eq 8 ]
    [[ ${lines[0]} == *"The starter."* ]]
    [[ ${lines[6]} == *06-vector-loads*"Four elements per thread"* ]]
    [[ ${lines[7]} == *07-overlap*"The whole job"* ]]
}

@test "write leaves the student's file and an edited stage alone" {
    copy_axpy
    echo "/* my work */" >>"$copy/axpy.cu"
    before=$(fingerprint)
    run -0 "$STAGE" "$copy" write 4
    [ "$output" = "$copy/axpy.stage4.cu" ]
    [ "$(fingerprint)" = "$before" ]
    echo "/* an edit */" >>"$copy/axpy.stage4.cu"
    run -2 "$STAGE" "$copy" write 4
    [[ $output == *"exists already and differs"* ]]
    [ "$(tail -n 1 "$copy/axpy.stage4.cu")" = "/* an edit */" ]
}

@test "diff shows the step, and its gain if both stages were measured" {
    copy_axpy
    local measured="$BATS_TEST_TMPDIR/a lab/solutions/measured"
    mkdir -p "$measured"
    cp "$STAGE" "$measured/.."
    {
        printf '# a comment\nexercise\tstage\tname\tsize\trate\tunit\thow\n'
        printf 'ex01_axpy\t%s\tany\t%s\t%s\tGB/s\tmeasured\n' \
            2 67108864 0.21 3 67108864 6.5 4 67108864 13 4 268435456 14
    } >"$measured/nvidia-x.tsv"
    printf 'some\tother\ttable\nex01_axpy\t3\t4\n' >"$measured/other.tsv"
    run -0 "$measured/../stage" "$copy" diff 3 4
    [[ $output == *"+    for (size_t i = threadIdx.x; i < n; i += blockDim.x)"* ]]
    [ "${lines[-1]}" = "nvidia-x, N = 67108864: 6.5 to 13 GB/s measured, 2 times" ]
    run -0 "$measured/../stage" "$copy" diff 1 2
    [[ $output != *times* ]]
    run -0 "$measured/../stage" "$copy" list
    [[ ${lines[4]} == *"13 GB/s measured (nvidia-x)" ]]
}

@test "recutting a stage that did not change changes no byte" {
    copy_axpy
    before=$(fingerprint)
    for k in 0 1 2 3 4 5 6 7; do
        "$STAGE" "$copy" write $k
        run -0 "$STAGE" "$copy" recut $k
        [ "$output" = "" ]
        [ "$(fingerprint)" = "$before" ]
    done
}

@test "recut carries a change through the later stages" {
    copy_axpy
    edit 1 gpu_alloc gpu_floats
    run -0 "$STAGE" "$copy" recut 1
    [[ $output == *"recut: 01-one-thread.patch"* ]]
    for k in 1 2 3 4 5 6; do # stage 7 adds a call of its own
        "$STAGE" "$copy" print $k | grep -q 'd_x = gpu_floats(n)'
        run -1 grep gpu_alloc <("$STAGE" "$copy" print $k)
    done
    diff <(sed '/^--- a/,$d' "$copy/solutions/01-one-thread.patch") \
        <(sed '/^--- a/,$d' "$TOP/ex01_axpy/solutions/01-one-thread.patch")
    run -0 "$STAGE" "$copy" prove-patches
}

@test "recutting the starter renews it, and every stage follows" {
    copy_axpy
    edit 0 ' Diff = %e' ' Diff = %.3e'
    run -0 "$STAGE" "$copy" recut 0
    cmp "$copy/axpy.cu" "$copy/axpy.stage0.cu"
    cmp "$copy/checker/starter.cu" "$copy/axpy.stage0.cu"
    "$STAGE" "$copy" print 7 | grep -qF ' Diff = %.3e'
}

@test "a recut that meets a conflict is refused, and changes nothing" {
    copy_axpy
    edit 4 'i += blockDim.x)' 'i += 512)'
    before=$(fingerprint)
    run -2 "$STAGE" "$copy" recut 4
    [ "$output" = "stage: stage 5 changes the same lines as the new stage 4 does: nothing was recut" ]
    [ "$(fingerprint)" = "$before" ]
    run -0 ls -A "$copy/solutions"
    [[ $output != *.new* ]]
}

@test "replace changes one stage and leaves the others as they are" {
    copy_axpy
    for k in 3 5 6; do "$STAGE" "$copy" print $k >"$BATS_TEST_TMPDIR/$k"; done
    edit 4 'i += blockDim.x)' 'i += 512)'
    run -0 "$STAGE" "$copy" replace 4
    "$STAGE" "$copy" print 4 | cmp - "$copy/axpy.stage4.cu"
    for k in 3 5 6; do "$STAGE" "$copy" print $k | cmp - "$BATS_TEST_TMPDIR/$k"; done
    run -0 "$STAGE" "$copy" prove-patches
}

@test "a stage that would change nothing is refused" {
    copy_axpy
    "$STAGE" "$copy" print 3 >"$BATS_TEST_TMPDIR/3.cu"
    before=$(fingerprint)
    run -2 "$STAGE" "$copy" recut 2 "$BATS_TEST_TMPDIR/3.cu"
    [ "$output" = "stage: stage 3 would change nothing: nothing was recut" ]
    [ "$(fingerprint)" = "$before" ]
}

@test "something that does not exist is reported in one line" {
    run -2 "$STAGE" "$TOP/ex01_axpy" print 8
    [ "$output" = "stage: there is no stage 8; stages are 0 to 7" ]
    run -2 "$STAGE" "$TOP/ex01_axpy" print ../0
    [ "${#lines[@]}" -eq 1 ]
    run -2 "$STAGE" "$BATS_TEST_TMPDIR" list
    [[ $output == *"has no solutions/series" ]]
    run -2 "$STAGE" "$TOP/ex01_axpy" recut 3 /nowhere
    [[ $output == "stage: there is no file /nowhere"* ]]
    run -2 "$STAGE"
    [[ $output == usage:* ]]
}
