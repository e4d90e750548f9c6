#!/usr/bin/env bats
# make calibrate: the microbenchmarks give back the profile of the simulated GPU that they run on, and what the script
# says when it cannot measure.
# shellcheck disable=SC2154 # run sets stderr
bats_require_minimum_version 1.5.0

setup_file() {
    load helper
    make -s -C "$TOP" -j"$(nproc)" -f checker/lab.mk
    "$BUILD/cc" "$TOP/checker/calibrate/calibrate.cu" "$BATS_FILE_TMPDIR/sim"
    WARPUP_LIB=$TOP/checker WARPUP_PROFILE=h200 "$BATS_FILE_TMPDIR/sim/program" small >"$BATS_FILE_TMPDIR/h200"
}

setup() {
    load helper
    export WARPUP_LIB=$TOP/checker
    PROFILES=$TOP/checker/gpu/profiles
    cd "$BATS_TEST_TMPDIR" || return
}

# Prints each figure that is more than 15 % off. A figure follows from times to which other resources add: the
# microbenchmarks keep what these take below half of the time. The model adds times as cubes, so half of the time adds 4 %,
# and up to three resources matter.
#
# These cannot be given back:
# - memory_gb, because the simulated GPU has no more memory than this machine;
# - barrier_ns and shared_float_atomic_ns, because the model counts the instructions of a loop by themselves;
# - what the program itself calls an estimate, because another figure hides it.
# Only the sum of kernel_start_ns and block_overhead_ns comes back: an empty kernel has one overhead.
near() { # PROFILE PRINTED
    awk -F'\t' '
        BEGIN {
            split("memory_gb barrier_ns shared_float_atomic_ns", names, " ")
            for (i in names) other[names[i]]
        }
        /^#/ || NF < 2 { next }
        FNR == NR { figure[$1] = $2; next }
        { seen[$1] }
        $1 == "kernel_start_ns" || $1 == "block_overhead_ns" { starts += $2; next }
        $1 in other || $3 ~ /^estimate/ { next }
        $1 == "name" ? $2 != figure[$1] : $2 < 0.85 * figure[$1] || $2 > 1.15 * figure[$1] {
            print $1 ": the profile has " figure[$1] ", the microbenchmarks say " $2
            wrong = 1
        }
        END {
            start = figure["kernel_start_ns"] + figure["block_overhead_ns"]
            if (starts < 0.85 * start || starts > 1.15 * start) {
                print "start and overhead: the profile has " start ", the microbenchmarks say " starts
                wrong = 1
            }
            for (name in figure) if (!(name in seen)) { print name " is missing"; wrong = 1 }
            exit wrong
        }' "$1" "$2"
}

# Measures the simulated GPU of a profile.
gives_back() { # FILE
    WARPUP_PROFILE=$1 "$BATS_FILE_TMPDIR/sim/program" small >printed
    near "$1" printed
}

@test "calibrate: the figures of an H200, an A100 and a V100 come back" {
    near "$PROFILES/h200.tsv" "$BATS_FILE_TMPDIR/h200"
    gives_back "$PROFILES/a100.tsv"
    gives_back "$PROFILES/v100.tsv"
}

@test "calibrate: the figures of a GPU that does not exist come back" {
    awk -F'\t' -v OFS='\t' '
        $4 ~ /measured|fitted/ { $2 *= NR % 3 == 0 ? 1.3 : NR % 3 == 1 ? 0.8 : 1 }
        { print }' "$PROFILES/h200.tsv" >other.tsv
    run -1 diff "$PROFILES/h200.tsv" other.tsv
    gives_back "$PWD/other.tsv"
}

@test "calibrate: a figure that is not what the profile says is noticed" {
    sed 's/^l2_gbs\t[0-9]*/l2_gbs\t6000/; /^sync_us/d' "$BATS_FILE_TMPDIR/h200" >printed
    run -1 near "$PROFILES/h200.tsv" printed
    [ "$output" = $'l2_gbs: the profile has 8000, the microbenchmarks say 6000\nsync_us is missing' ]
}

calibrate() { # [FILE [TIMES]]
    "$TOP/checker/bin/calibrate" "$@"
}

@test "calibrate: the profile that it writes can be used, and an older one is kept" {
    echo old >mine.tsv
    GPU=sim PROFILE=l4 run -0 --separate-stderr calibrate mine.tsv times
    [[ $output == "mine.tsv: "*" figures of the NVIDIA L4, measured in "* ]]
    [[ $stderr == "note: the mine.tsv that was there is now mine.tsv.1" ]]
    [ "$(cat mine.tsv.1)" = old ]
    grep -q $'^copy_gbs\t[0-9.]*\tGB/s\tmeasured: make calibrate, 20' mine.tsv
    grep -q $'^# copies within the GPU\t[0-9.]* us' times
    [ "$(cut -f 1 mine.tsv | grep -c '^[a-z]')" = "$(cut -f 1 "$PROFILES/h200.tsv" | grep -c '^[a-z]')" ]
    mkdir trace
    WARPUP_TRACE=$PWD/trace WARPUP_PROFILE=./mine.tsv run -2 "$BATS_FILE_TMPDIR/sim/program" large
    grep -q '"device":"NVIDIA L4"' trace/trace.jsonl
}

# Puts a program of this name into PATH.
fake() { # NAME LINES
    mkdir -p bin
    printf '#!/bin/bash\n%s\n' "$2" >"bin/$1"
    chmod +x "bin/$1"
    export PATH=$PWD/bin:$PATH
}

fake_gpu() {
    # shellcheck disable=SC2016 # expands in the program
    fake nvidia-smi '[[ $* != -L ]] || echo "GPU 0: NVIDIA Test (UUID: GPU-0)"'
}

# An nvcc whose programs print a file.
# shellcheck disable=SC2016 # expands in the program
fake_nvcc() { # FILE
    fake nvcc '[[ $1 != --version ]] || { echo "release 13.0, V13.0"; exit; }
        while [[ $1 != -o ]]; do shift; done
        printf "#!/bin/bash\ncat '"'$1'"'\n" >"$2"; chmod +x "$2"'
}

# One line on stderr that begins like this, exit code 2, and no profile.
refused() { # LINE [FILE]
    run -2 --separate-stderr calibrate "${2:-mine.tsv}"
    [ -z "$output" ]
    [[ $stderr == "could not calibrate: $1"* ]]
    [[ $stderr != *$'\n'* ]]
    [ ! -f "${2:-mine.tsv}" ]
}

@test "calibrate: no GPU, no nvcc, a GPU in use and a program that fails give one line each" {
    fake nvidia-smi 'echo "No devices were found"; exit 6'
    refused ""
    [[ $stderr == *"nvidia-smi finds no GPU" ]]
    fake_gpu
    fake nvcc 'exit 1'
    refused "$PWD/bin/nvcc does not print its version"
    # shellcheck disable=SC2016 # expands in the program
    fake nvcc '[[ $1 != --version ]] || { echo "release 13.0, V13.0"; exit; }; echo "no space" >&2; exit 1'
    refused "nvcc does not compile the microbenchmarks: no space"
    fake_nvcc "$PWD/none"
    refused "cat: "
    touch empty
    fake_nvcc "$PWD/empty"
    refused "the microbenchmarks did not print the name of the GPU"
    printf 'name\tNVIDIA Test\tdevice properties\t0\n' >empty
    refused "the microbenchmarks did not print capability"
    fake nvidia-smi 'case $* in -L) echo "GPU 0: NVIDIA Test" ;; *) echo python3 ;; esac'
    refused "another program uses the GPU: python3"
}

@test "calibrate: figures whose times vary are named" {
    sed '/^l2_gbs/s/[0-9.]*$/23.4/' "$BATS_FILE_TMPDIR/h200" >printed
    fake_gpu
    fake_nvcc "$PWD/printed"
    run -0 --separate-stderr calibrate
    [[ $output == "nvidia-h200.tsv: "* ]]
    [ "$stderr" = "note: these times varied by more than 10 %, so the figures are uncertain: l2_gbs (23 %)" ]
}

@test "calibrate: a profile that cannot be written gives one line" {
    fake_gpu
    fake_nvcc "$BATS_FILE_TMPDIR/h200"
    refused "none/mine.tsv cannot be written" none/mine.tsv
    mkdir folder
    refused "folder is a directory" folder
    mount_tmpfs "$PWD/folder" size=4k
    head -c 4096 /dev/zero >folder/file || true
    refused "folder/mine.tsv cannot be written" folder/mine.tsv
    [ "$(ls folder)" = file ]
}

@test "calibrate: the microbenchmarks take no other arguments" {
    run -2 "$BATS_FILE_TMPDIR/sim/program" large
    [ "$output" = "usage: calibrate [small]" ]
    run -2 calibrate a b c
    [ "$output" = "usage: calibrate [FILE [TIMES]]" ]
}
