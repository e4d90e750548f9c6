#!/usr/bin/env bats
# view.bats: make view. What the page draws is what the simulated GPU counted.
# shellcheck disable=SC2154,SC2016 # run sets stderr; awk and jq have dollars of their own
bats_require_minimum_version 1.5.0

setup_file() {
    load helper
    cd "$TOP" || return
    make -s -f checker/lab.mk
    "$BUILD/cc" checker/test/view/patterns.cu "$BATS_FILE_TMPDIR/patterns"
    mkdir -p "$BATS_FILE_TMPDIR/check/source"
    run_patterns "$BATS_FILE_TMPDIR/check/sim-speed-0"
    cp checker/test/view/patterns.cu "$BATS_FILE_TMPDIR/check/source/"
    verdict strided coalesced >"$BATS_FILE_TMPDIR/check/verdict.json"
    echo '{"runs": [{"dir": "sim-speed-0", "device": "sim", "purpose": "speed", "arguments": []}]}' \
        >"$BATS_FILE_TMPDIR/check/check.json"
}

setup() {
    load helper
    CHECK=$BATS_FILE_TMPDIR/check
    TRACE=$CHECK/sim-speed-0/trace.jsonl
}

# A verdict that names the line with this mark.
verdict() { # MARK CRITERION
    jq -n --arg criterion "$2" --argjson line "$(grep -n "// $1\$" "$TOP/checker/test/view/patterns.cu" | cut -d: -f1)" '
        {exercise: "ex01_axpy", source: "patterns.cu", status: "not yet", rung: 3, rungs: 6, next: "look at <b>line</b> & more",
        devices: [{name: "NVIDIA H200", kind: "simulated", profile: "h200"}],
        criteria: [{id: $criterion, rung: 4, text: "neighbouring", passed: false, seen: "8.00"}],
        diagnoses: [{name: "uncoalesced-access", file: "patterns.cu", line: $line, text: "</script><b>far apart</b>",
            criterion: $criterion, evidence: {run: "sim-speed-0"}}]}'
}

view() { # page|json CHECK [OPTION...]
    "$BUILD/view" "$1" "$2" --pages "$TOP/checker/mistakes" --parts "$TOP/checker/view/page" "${@:3}"
}

need_node() {
    command -v node >/dev/null || skip "there is no Node.js"
}

# The page as a browser has it after its scripts have run; what they say on the console is in the file said.
open_page() { # PAGE
    local browser
    browser=$(command -v "${WARPUP_BROWSER:-chromium}" google-chrome | head -n 1) || skip "there is no browser"
    "$browser" --headless --no-sandbox --disable-gpu --enable-logging=stderr --virtual-time-budget=2000 --dump-dom \
        "file://$1" 2>"$BATS_TEST_TMPDIR/log" >"$BATS_TEST_TMPDIR/dom"
    grep CONSOLE "$BATS_TEST_TMPDIR/log" >"$BATS_TEST_TMPDIR/said" || true
}

# How often the page's one drawing of a warp has rectangles of this class.
rectangles() { # CLASS
    sed 's/<rect/\n<rect/g' "$BATS_TEST_TMPDIR/dom" | grep -cF "class=\"$1\""
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
    "$BUILD/cc" "$BATS_TEST_TMPDIR/large.cu" "$BATS_TEST_TMPDIR/large"
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
    "$BUILD/cc" "$BATS_TEST_TMPDIR/many.cu" "$BATS_TEST_TMPDIR/many"
    mkdir "$BATS_TEST_TMPDIR/run"
    WARPUP_TRACE=$BATS_TEST_TMPDIR/run "$BATS_TEST_TMPDIR/many/program"
    run -0 jq -s 'map(select(.event == "launch" and .kernel == "coalesced").id) as $ids |
        ($ids | length), ([.[] | select(.event == "sample" and (.kernel as $k | $ids | index($k)) != null).kernel] | unique | length)' \
        "$BATS_TEST_TMPDIR/run/trace.jsonl"
    [ "$output" = '6
2' ]
}

@test "what the page draws of each request is what was counted" {
    need_node
    view json "$CHECK" | node "$TOP/checker/test/view/drawn.cjs" >"$BATS_TEST_TMPDIR/drawn"
    run -0 awk -F'\t' '$6 != $7 { print; bad = 1 } END { exit bad }' "$BATS_TEST_TMPDIR/drawn"
    [ -z "$output" ]
    [ "$(wc -l <"$BATS_TEST_TMPDIR/drawn")" -ge 100 ]
}

# The counts of each kernel's marked line.
@test "the eleven patterns are drawn with the sectors and wavefronts that theory gives" {
    need_node
    view json "$CHECK" | node "$TOP/checker/test/view/drawn.cjs" |
        awk -F'\t' '$3 == "load" && !seen[$1]++ { print $1, $4, $6 }' >"$BATS_TEST_TMPDIR/drawn"
    diff - "$BATS_TEST_TMPDIR/drawn" <<'EOF'
coalesced global 4
stride_2 global 8
stride_8 global 32
stride_32 global 32
offset_by_one global 5
column_walk global 32
broadcast global 1
ways_2 shared 2
ways_8 shared 8
ways_32 shared 32
padded shared 1
EOF
}

@test "elements have the names of the source: parameters, shared arrays with their rows" {
    need_node
    run -0 node "$TOP/checker/test/view/names.cjs" < <(view json "$CHECK")
    # A compiler may load several neighbouring elements with one access.
    # shellcheck disable=SC2001 # every line loses its end
    [ "$(sed 's/ to .*//' <<<"$output")" = 'coalesced in[1]
stride_2 in[2]
stride_8 in[8]
stride_32 in[32]
offset_by_one in[2]
column_walk in[256]
broadcast in[0]
ways_2 words[2]
ways_8 words[8]
ways_32 words[32]
padded tile[1][0]' ]
}

@test "an element is one of the array's declaration, however wide the access is" {
    need_node
    run -0 node "$TOP/checker/test/view/elements.cjs"
    [ "$output" = 'x 16 16: x[4] to x[7]
x 4 4: x[1]
x 6 2: x, byte 6
v 12 4: v[1].y
v 16 8: v[2]
d 8 8: d[1]
b 3 1: b[3]
q 24 12: q[2]
tile 132 4: tile[1][0]
Ms 144 16: Ms[1][0] to Ms[1][3]
Ns 144 16: Ns[1][4] to Ns[1][7]
w 20 4: w[1].y
tile 5 1: tile, byte 5' ]
}

@test "the data has each count of the trace" {
    diff <(jq -c 'select(.event == "access") | [.kernel, .site, .requests, .sectors // .wavefronts, .ideal]' "$TRACE") \
        <(view json "$CHECK" | jq -c '.check.runs[0].kernels[] | .id as $id | .sites[] |
            [$id, .site, .requests, .sectors // .wavefronts, .ideal]')
}

@test "a browser opens the page without a word on its console; the drawing has 32 sectors; text stays text" {
    view page "$CHECK" >"$BATS_TEST_TMPDIR/page.html"
    [ "$(stat -c %s "$BATS_TEST_TMPDIR/page.html")" -lt 1000000 ]
    open_page "$BATS_TEST_TMPDIR/page.html"
    cat "$BATS_TEST_TMPDIR/said"
    [ ! -s "$BATS_TEST_TMPDIR/said" ]
    [ "$(rectangles 'sector moved')" -eq 32 ]
    [ "$(rectangles wanted)" -eq 31 ]
    [ "$(rectangles 'wanted picked')" -eq 1 ]
    grep -qF '&lt;b&gt;far apart' "$BATS_TEST_TMPDIR/dom"
}

@test "the page asks for nothing outside of itself" {
    view page "$CHECK" >"$BATS_TEST_TMPDIR/page.html"
    run -1 grep -nE "(src|href)=|@import|url\(|fetch\(|XMLHttpRequest|https?://" \
        <(sed 's|http://www.w3.org/2000/svg||; s|<link rel="icon" href="data:,">||' "$BATS_TEST_TMPDIR/page.html")
}

@test "a check that cannot be read, and a wrong call, are one line and exit code 2" {
    run -2 --separate-stderr view page "$BATS_TEST_TMPDIR"
    [[ $stderr == "view: $BATS_TEST_TMPDIR/verdict.json cannot be read: "* ]]
    [ "${#stderr_lines[@]}" -eq 1 ]
    run -2 "$BUILD/view" page "$CHECK"
    [[ $output == "usage: view "* ]]
    run -2 "$TOP/checker/bin/view" "$TOP/ex01_axpy" --stages 3
    [[ $output == "usage: view "* ]]
}

@test "make view: a page after a check, one line without a check, and before and after" {
    local exercise=$BATS_TEST_TMPDIR/ex07_patterns
    mkdir -p "$exercise/checker" "$exercise/build"
    touch "$exercise/checker/ladder.tsv"
    cp "$TOP/checker/test/view/patterns.cu" "$exercise/"
    run -2 "$TOP/checker/bin/view" "$exercise"
    [ "$output" = "could not check: there is no check to show yet: make check" ]
    cp -r "$CHECK" "$exercise/build/last"
    run -0 "$TOP/checker/bin/view" "$exercise"
    [ "$output" = "$exercise/build/view.html: open it in a browser" ]
    run -2 "$TOP/checker/bin/view" "$exercise" --before
    [ "$output" = "could not check: there is no check of another version of patterns.cu yet: change it, and check it again" ]
    cp -r "$CHECK" "$exercise/build/before"
    echo >>"$exercise/patterns.cu"
    run -0 --separate-stderr "$TOP/checker/bin/view" "$exercise" --before
    [ "$stderr" = "note: patterns.cu has changed since the latest check; the page shows the program that was checked" ]
    grep -qF '"title":"before"' "$exercise/build/view.html"
}
