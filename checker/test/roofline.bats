#!/usr/bin/env bats
# make roofline: the data that it draws, its pictures, and what it says when it cannot.
# shellcheck disable=SC2154,SC2016 # run sets stderr; scripts have dollars of their own
bats_require_minimum_version 1.5.0

# An exercise of the test's own: a ladder, a verdict, and stages that were counted before.
setup() {
    load helper
    command -v gnuplot >/dev/null || skip "there is no gnuplot"
    export GPU=sim STAGES=all
    EXERCISE="$BATS_TEST_TMPDIR/ex07_it's"
    mkdir -p "$EXERCISE"/{checker,build}
    cp "$BATS_TEST_DIRNAME/show/ladder.tsv" "$EXERCISE/checker/"
    verdict '{"rate": {"value": 600, "unit": "GB/s", "how": "modelled"}, "intensity": {"loaded": 0.5, "dram": 0.25},
        "work": {"arguments": "128 1000", "bytes": 24000, "flops": 8000}}'
    stages '1\tpoint\t0.25\t250.5\tmodelled\t128 1000\t0.333\n2\ttiles\t12.5\t20000\tmodelled\t128 1000\t0.333\n'
}

verdict() { # JSON
    echo "$1" >"$EXERCISE/build/verdict.json"
}

stages() { # TABLE
    # shellcheck disable=SC2059 # the format is the table
    printf "$1" >"$EXERCISE/build/roofline-stages-h200.tsv"
    touch -d '+1 minute' "$EXERCISE/build/roofline-stages-h200.tsv"
}

roofline() {
    "$TOP/checker/bin/roofline" "$EXERCISE"
}

@test "roofline: its data are the student's rate in flop, and the stages" {
    run -0 roofline
    diff <(cut -f 1-6 "$EXERCISE/build/roofline.tsv") - <<'END'
point	name	intensity	gflops	how	size
you	it's.cu	0.25	200	modelled	128 1000
1	point	0.25	250.5	modelled	128 1000
2	tiles	12.5	20000	modelled	128 1000
END
}

@test "roofline: a stage is drawn when the student has reached its rung" {
    STAGES='' run -0 roofline
    [ "$(cut -f 1 "$EXERCISE/build/roofline.tsv" | grep -c '^[12]$')" = 0 ]
    printf 'reached\t1\t5\n' >"$EXERCISE/progress.tsv"
    STAGES='' run -0 roofline
    [ "$(cut -f 1 "$EXERCISE/build/roofline.tsv" | grep '^[12]$')" = 1 ]
}

@test "roofline: each point has its share of the roof above it" {
    run -0 roofline
    [[ $output == *" you "*"0.25 "*" 200 "*"18.9 %"* ]]
    [[ $output == *"roof: 4240 GB/s, "*" Gflop/s "* ]]
}

@test "roofline: three pictures, the one on the terminal at most 80 columns wide" {
    run -0 roofline
    [[ $(head -c 4 "$EXERCISE/build/roofline.png") == *PNG ]]
    grep -q "^<svg" "$EXERCISE/build/roofline.svg"
    grep -q "it's.cu" "$EXERCISE/build/roofline.svg"
    grep -q '2  tiles' "$EXERCISE/build/roofline.svg"
    [[ $output == *"flop for each byte from DRAM"* ]]
    run ! grep -E '.{81}' <<<"$output"
}

@test "roofline: labels of equal points do not overlap" {
    stages '1\ta\t0.25\t200\tmodelled\t1\t0.3\n2\tb\t0.25\t200\tmodelled\t1\t0.3\n'
    run -0 roofline
    awk -F'\t' 'NR > 1 { at[NR] = $7 } END { for (i in at) for (j in at) if (i < j && at[i] / at[j] < 1.2 && at[j] / at[i] < 1.2) exit 1 }' \
        "$EXERCISE/build/roofline.tsv"
}

@test "roofline: for a program without a kernel, only the stages are drawn, and a note says why" {
    verdict '{"rate": null, "intensity": {"loaded": null, "dram": null}, "work": null}'
    run -0 roofline
    [[ $output == *"it's.cu has no kernel to count"* ]]
    [ "$(wc -l <"$EXERCISE/build/roofline.tsv")" = 3 ]
}

@test "roofline: a program without stages, and stages without a program, are drawn" {
    stages ''
    run -0 roofline
    [[ $output == *you* ]]
    stages '1\tpoint\t0.25\t250.5\tmodelled\t128 1000\t0.333\n'
    verdict '{"rate": null, "intensity": {"dram": null}, "work": null}'
    run -0 roofline
}

@test "roofline: one line and exit code 2 when it cannot draw" {
    stages ''
    verdict '{"rate": null, "intensity": {"dram": null}, "work": null}'
    run -2 --separate-stderr roofline
    [[ $stderr == *"could not check: there is no kernel to draw"* ]]
    verdict '{"rate":'
    run -2 --separate-stderr roofline
    [[ $stderr == "could not check: "*"verdict.json is damaged"* ]]
    run -2 --separate-stderr "$TOP/checker/bin/roofline" "$BATS_TEST_TMPDIR"
    [[ $stderr == "roofline: $BATS_TEST_TMPDIR is not an exercise"* ]]
    run -2 --separate-stderr "$TOP/checker/bin/roofline"
    [ "$stderr" = "usage: roofline EXERCISE" ]
}

# A real GPU, as far as its programs answer: NVIDIA H200, 4200 GB/s and 50000 Gflop/s.
fake_gpu() {
    local bin=$BATS_TEST_TMPDIR/bin tool
    export WARPUP_BUILD=$BATS_TEST_TMPDIR/build GPU=real PATH=$bin:$PATH
    mkdir "$bin" "$WARPUP_BUILD"
    ln -s "$BUILD"/* "$WARPUP_BUILD/"
    rm -f "$WARPUP_BUILD"/{copyrate,blasrate,tracer.so}
    touch "$WARPUP_BUILD/tracer.so"
    printf '#!/bin/sh\n%s\n' 'echo "GPU 0: NVIDIA H200 (UUID: GPU-0)"' >"$bin/nvidia-smi"
    printf '#!/bin/sh\n%s\n' 'echo "Cuda compilation tools, release 13.0, V13.0.1"' >"$bin/nvcc"
    printf '#!/bin/sh\n%s\n' 'echo '\''{"value":4200,"unit":"GB/s","how":"measured","device":"NVIDIA H200"}'\' >"$WARPUP_BUILD/copyrate"
    printf '#!/bin/sh\n%s\n' '[ "$1" = --sgemm ] && echo '\''{"value":50000,"unit":"Gflop/s","how":"measured","device":"NVIDIA H200"}'\' >"$WARPUP_BUILD/blasrate"
    for tool in "$bin"/* "$WARPUP_BUILD"/{copyrate,blasrate}; do chmod +x "$tool"; done
}

@test "roofline: under a real GPU's roof the stages have the rates recorded there" {
    [ -e "$TOP/solutions/measured/nvidia-h200.tsv" ] || skip "nothing was recorded"
    EXERCISE=$BATS_TEST_TMPDIR/ex01_axpy
    mv "$BATS_TEST_TMPDIR/ex07_it's" "$EXERCISE"
    stages '5\tgrid\t0.1667\t500\tmodelled\t1000\t0.166666\n9\tnowhere\t0.1667\t500\tmodelled\t1000\t0.1666\n'
    fake_gpu
    run -0 roofline
    [[ $output == *"axpy under the roof of NVIDIA H200, measured"* ]]
    [[ $output == *"roof: 4200 GB/s, 50000 Gflop/s (cuBLAS Sgemm)"* ]]
    awk -F'\t' '$1 == 5 { seen = $4 > 400 && $4 < 700 && $5 == "measured" && $6 > 1e8 } $1 == 9 { exit 1 } END { exit !seen }' \
        "$EXERCISE/build/roofline.tsv"
}

@test "roofline: a GPU whose roof cannot be measured is reported" {
    fake_gpu
    printf '#!/bin/sh\nexit 2\n' >"$WARPUP_BUILD/blasrate"
    run -2 roofline
    [[ $output == *"could not check: cuBLAS's rate could not be measured"* ]]
}
