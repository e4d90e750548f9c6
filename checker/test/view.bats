#!/usr/bin/env bats
# view.bats: make view. What the page draws is what the simulated GPU counted.
bats_require_minimum_version 1.5.0

setup_file() {
    load helper
    cd "$TOP" || return
    make -s -f checker/lab.mk
    checker/sim/compile checker/test/view/patterns.cu "$BATS_FILE_TMPDIR/patterns"
    run_patterns "$BATS_FILE_TMPDIR/run"
}

setup() {
    load helper
    TRACE=$BATS_FILE_TMPDIR/run/trace.jsonl
}

run_patterns() { # DIRECTORY
    mkdir "$1"
    WARPUP_TRACE=$1 "$BATS_FILE_TMPDIR/patterns/program"
}

# Each sample: which kernel, site and sample it is, and what it uses by its own offsets. Every allocation begins with a
# sector, every shared variable here with bank 0.
drawn() {
    jq -r 'select(.event == "sample") | . as $sample | [.offsets[] | values] |
        if $sample.array then map(. / 4 | floor) | unique | group_by(. % 32) | map(length) | max
        else map(. / 32 | floor) | unique | length end |
        "\($sample.kernel) \($sample.site) \($sample.which) \(.)"' "$TRACE"
}

counted() {
    jq -r 'select(.event == "sample") | "\(.kernel) \(.site) \(.which) \(.sectors // .wavefronts)"' "$TRACE"
}

@test "a sample's addresses touch as many sectors, or take as many wavefronts, as were counted" {
    diff <(drawn) <(counted)
    [ "$(drawn | wc -l)" -ge 100 ]
}

@test "the worst sample is the worst request of its place" {
    diff <(jq -r 'select(.which == "worst") | "\(.kernel) \(.site) \(.sectors // .wavefronts)"' "$TRACE") \
        <(jq -r 'select(.event == "access") | "\(.kernel) \(.site) \(.worst_sectors // .worst_wavefronts)"' "$TRACE")
}

@test "samples do not depend on the number of cores" {
    local threads
    sed 's/BLOCKS = 4/BLOCKS = 256/; s/1 << 16/1 << 20/' "$TOP/checker/test/view/patterns.cu" >"$BATS_TEST_TMPDIR/large.cu"
    "$TOP/checker/sim/compile" "$BATS_TEST_TMPDIR/large.cu" "$BATS_TEST_TMPDIR/large"
    for threads in 1 3; do
        mkdir "$BATS_TEST_TMPDIR/$threads"
        WARPUP_THREADS=$threads WARPUP_TRACE=$BATS_TEST_TMPDIR/$threads "$BATS_TEST_TMPDIR/large/program"
        grep '"sample"' "$BATS_TEST_TMPDIR/$threads/trace.jsonl" >"$BATS_TEST_TMPDIR/$threads/samples"
    done
    diff "$BATS_TEST_TMPDIR"/{1,3}/samples
}

@test "a launch names the arrays that its arguments point to" {
    run -0 jq -c 'select(.event == "launch" and (.kernel == "coalesced" or .kernel == "padded")).pointers' "$TRACE"
    [ "$output" = '[1,2]
[2]' ]
}

@test "only the first two launches of a kernel have samples" {
    sed 's/padded<<</for (int i = 0; i < 5; i++) coalesced<<<BLOCKS, THREADS>>>(in + i, out);\n    &/' \
        "$TOP/checker/test/view/patterns.cu" >"$BATS_TEST_TMPDIR/many.cu"
    "$TOP/checker/sim/compile" "$BATS_TEST_TMPDIR/many.cu" "$BATS_TEST_TMPDIR/many"
    mkdir "$BATS_TEST_TMPDIR/run"
    WARPUP_TRACE=$BATS_TEST_TMPDIR/run "$BATS_TEST_TMPDIR/many/program"
    # shellcheck disable=SC2016 # a filter of jq
    run -0 jq -s 'map(select(.event == "launch" and .kernel == "coalesced").id) as $ids |
        ($ids | length), ([.[] | select(.event == "sample" and (.kernel as $k | $ids | index($k)) != null).kernel] | unique | length)' \
        "$BATS_TEST_TMPDIR/run/trace.jsonl"
    [ "$output" = '6
2' ]
}
