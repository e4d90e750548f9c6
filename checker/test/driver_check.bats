#!/usr/bin/env bats
# A check and bad input: each gets one clear line and the right exit code, and the next check works.
# Every test works in its own copy of the exercise, in a path with spaces.
# shellcheck disable=SC2154 # bats sets stderr
bats_require_minimum_version 1.5.0

setup_file() {
    make -s -C "$BATS_TEST_DIRNAME/../.." -f checker/lab.mk
    "$BATS_TEST_DIRNAME/../../solutions/stage" "$BATS_TEST_DIRNAME/../../ex01_axpy" print 5 \
        >"$BATS_FILE_TMPDIR/stage5.cu"
}

setup() {
    load helper
    export GPU=sim NO_COLOR=1 LC_ALL=C.UTF-8
    LAB="$BATS_TEST_TMPDIR/a lab"
    EXERCISE="$LAB/ex01_axpy"
    mkdir -p "$EXERCISE"
    ln -s "$TOP/checker" "$LAB/checker"
    cp -r "$TOP/ex01_axpy/checker" "$EXERCISE/"
    printf 'both\tright\t1000\nsim\tspeed\t65536\n' >"$EXERCISE/checker/sizes.tsv"
    cp "$BATS_FILE_TMPDIR/stage5.cu" "$EXERCISE/axpy.cu"
    PROGRAM="$EXERCISE/axpy.cu"
}

check() {
    "$TOP/checker/check" "$EXERCISE" "$@"
}

# Puts statements at the beginning of the program's main(), on the line of its brace.
begin_main_with() {
    awk -v code="$1" '
        { line = $0; if (main && $0 == "{") { line = "{ " code; main = 0 } print line }
        /^int main\(/ { main = 1 }' "$BATS_FILE_TMPDIR/stage5.cu" >"$PROGRAM"
}

# The program is unchanged, and its check works and leaves only what it should.
next_check_works() {
    cp "$BATS_FILE_TMPDIR/stage5.cu" "$PROGRAM"
    check --format json >"$BATS_TEST_TMPDIR/next.json" || [ $? = 1 ]
    jq -e '.status != "could not check" and .rung > 0' "$BATS_TEST_TMPDIR/next.json"
    nothing_left
}

nothing_left() {
    [ "$(ls --ignore=before "$EXERCISE/build")" = "$(printf 'last\nverdict.json')" ]
    run ! pgrep -f "$LAB"
}

# Makes a program of this name that comes first in PATH; it does what the lines of shell say.
fake() { # NAME LINES
    mkdir -p "$BATS_TEST_TMPDIR/bin"
    printf '#!/bin/bash\n%s\n' "$2" >"$BATS_TEST_TMPDIR/bin/$1"
    chmod +x "$BATS_TEST_TMPDIR/bin/$1"
    [[ $PATH == "$BATS_TEST_TMPDIR/bin:"* ]] || PATH=$BATS_TEST_TMPDIR/bin:$PATH
}

fake_gpu() {
    fake nvidia-smi 'echo "GPU 0: NVIDIA Test (UUID: GPU-0)"'
}

# PATH without the folders that hold nvcc.
hide_nvcc() {
    local folder kept=''
    while read -r -d : folder; do
        [ -x "$folder/nvcc" ] || kept+=$folder:
    done <<<"$PATH:"
    PATH=${kept%:}
}

# --- what is wrong with the call ---

@test "wrong arguments give one line and exit code 2" {
    run -2 "$TOP/checker/check"
    [[ "$output" == "usage: "* ]]
    run -2 "$TOP/checker/check" "$LAB/nowhere"
    [ "$output" = "check: $LAB/nowhere is not an exercise (it has no checker/ladder.tsv)" ]
    run -2 check --format xml
    [ "$output" = "FORMAT=xml: it has to be pretty, tap, junit, bats, gcc, sarif or json" ]
    run -2 check --source "$LAB/nowhere.cu"
    [ "$output" = "check: there is no file $LAB/nowhere.cu" ]
    GPU=cpu run -2 check
    [ "$output" = "GPU=cpu: it has to be auto, sim or real" ]
    PROFILE=abacus run -2 check
    [[ "$output" == "PROFILE=abacus: there is no such profile; there are: "*h200* ]]
    WARPUP_SEED=x run -2 check
    [ "$output" = "WARPUP_SEED=x: it has to be a whole number of at most 19 digits" ]
    LAB_SEED=x run -2 check
    [ "${lines[0]}" = "note: LAB_SEED is called WARPUP_SEED now; the next release does not read LAB_SEED" ]
    [ "${lines[1]}" = "WARPUP_SEED=x: it has to be a whole number of at most 19 digits" ]
}

# --- what is wrong with the machine ---

@test "GPU=real without a GPU says what is missing" {
    fake nvidia-smi 'echo "No devices were found"; exit 6'
    GPU=real run -2 check
    [[ "$output" == "could not check: GPU=real: "*"nvidia-smi finds no GPU" ]]
}

@test "GPU=real without nvcc says so; GPU=auto checks on the simulated GPU and says so" {
    hide_nvcc
    fake_gpu
    GPU=real run -2 check
    [ "$output" = "could not check: GPU=real: there is no nvcc (CUDA toolkit 11 or newer) in PATH" ]
    GPU=auto check --format json >"$LAB/verdict.json" || [ $? = 1 ]
    jq -e '[.devices[].kind] == ["simulated"]' "$LAB/verdict.json"
    jq -e '.notes == ["there is no nvcc (CUDA toolkit 11 or newer) in PATH; checked on the simulated GPU only"]' "$LAB/verdict.json"
}

@test "nvcc links those of CUDA's libraries that a program names" {
    libraries() { bash -c 'source "$1" && find_libraries "$2" && echo "${LIBRARIES[*]}"' - "$TOP/checker/bin/lab.bash" "$1"; }
    [ "$(libraries "$TOP/ex01_axpy/checker/starter.cu")" = "" ]
    cd "$BATS_TEST_TMPDIR"
    printf '#include <cublas_v2.h>\n' >blas.cu
    [ "$(libraries blas.cu)" = -lcublas ]
    printf '#include <curand_kernel.h>\n#include <cublasLt.h>\n' >two.cu
    [ "$(libraries two.cu)" = '-lcublas -lcublasLt -lcurand' ]
}

@test "an nvcc that is too old is named with its version" {
    fake_gpu
    fake nvcc 'echo "Cuda compilation tools, release 10.2, V10.2.89"'
    GPU=real run -2 check
    [ "$output" = "could not check: GPU=real: nvcc 10.2 is too old: 11.0 or newer is needed" ]
}

@test "a GPU without a driver is reported" {
    fake nvidia-smi 'echo "NVIDIA-SMI has failed because it could not communicate with the NVIDIA driver."; exit 9'
    GPU=real run -2 check
    [ "$output" = "could not check: GPU=real: there is a GPU, but its driver does not answer (run nvidia-smi for details)" ]
    GPU=auto check --format json >"$LAB/verdict.json" || [ $? = 1 ]
    jq -e '.notes | length == 1' "$LAB/verdict.json"
}

@test "a missing program of the system is reported by name" {
    mkdir "$BATS_TEST_TMPDIR/few"
    local program
    for program in bash gcc g++ dirname awk sed grep find as; do
        ln -s "$(command -v $program)" "$BATS_TEST_TMPDIR/few/"
    done
    PATH=$BATS_TEST_TMPDIR/few run -2 check
    [ "$output" = "could not check: make not found; checker/bin/setup installs it" ]
}

@test "a compiler that the lab does not support gives one line; WARPUP_CLANG and DEVICE_COMPILER name another one" {
    unset DEVICE_COMPILER
    local text
    text() { run -2 check && tr -s ' \n' '  ' <<<"$output"; }
    fake old-clang 'echo "Debian clang version 15.0.7"'
    export WARPUP_CLANG=old-clang
    text="$(text)"
    [[ $text == *"could not check: the compiler for the simulated GPU failed: "*"/old-clang is version 15; the lab needs 16 or newer: "* ]]
    fake no-clang 'echo "gcc (Debian 12.2.0)"'
    WARPUP_CLANG=no-clang
    text="$(text)"
    [[ $text == *"/no-clang is not clang; to install it: "* ]]
    WARPUP_CLANG=clang-0
    text="$(text)"
    [[ $text == *"there is no clang-0; to install clang: "* ]]
    unset WARPUP_CLANG
    export DEVICE_COMPILER=gcc
    text="$(text)"
    [[ $text == *"DEVICE_COMPILER is clang or nvcc, not gcc "* ]]
    unset DEVICE_COMPILER
    nothing_left
}

@test "nvcc compiles for the simulated GPU too" {
    command -v nvcc >/dev/null || skip "there is no nvcc"
    DEVICE_COMPILER=nvcc next_check_works
}

@test "setup, the compiler driver and the README name the same versions" {
    local oldest
    oldest=$(sed -n 's/.*CLANG_OLDEST=\([0-9]*\).*/\1/p' "$TOP/checker/bin/setup")
    grep -q "CLANG_OLDEST = $oldest," "$TOP/checker/gpu/cc/compiler.c"
    grep -q "clang $oldest" "$TOP/README.md"
    grep -q "NVCC_OLDEST = $(sed -n 's/.*NVCC_OLDEST=\([0-9]*\).*/\1/p' "$TOP/checker/bin/setup") " "$TOP/checker/gpu/cc/compiler.c"
}

@test "a read-only disk and a full disk give one line each" {
    mkdir "$EXERCISE/build"
    mount_tmpfs "$EXERCISE/build" size=96k
    run -2 check
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == "could not check: "*"$EXERCISE/build"*": No space left on device" ]]
    mount -o remount,ro "$EXERCISE/build"
    run -2 check
    [ "$output" = "could not check: $EXERCISE/build cannot be written: Read-only file system" ]
    umount_tmpfs
    next_check_works
}

# --- what is wrong with the program ---

# Checks a program that begins with these statements; it must not reach, for this reason.
refused_with() { # CODE TEXT
    begin_main_with "$1"
    run -1 check
    echo "$output"
    [[ "$output" == *"$2"* ]]
}

@test "a program that does not compile: the compiler's message, the student's line, nothing else" {
    begin_main_with 'int x = ;'
    run -1 check
    local line
    line=$(grep -n 'int x = ;' "$PROGRAM" | cut -d : -f 1)
    echo "$output"
    [[ "$output" == *$'\n'"axpy.cu:$line:"*"error:"* ]]
    run ! grep -E "device-only|/tmp/|build/|checker/" <<<"$output"
    nothing_left
}

@test "what a compiler quotes reaches the terminal without control characters" {
    begin_main_with $'int x = "\e[31m\a";'
    run -1 check
    [[ $output == *"axpy.cu:"*"error:"* ]]
    [[ $output == *'[31m'* ]]
    run ! grep -P '[\x00-\x08\x0b-\x1f\x7f]' <<<"$output"
}

@test "of what a compiler says, the first 200 lines are kept" {
    { printf 'int main()\n{\n' && for i in {1..300}; do printf 'void m%d();\nm%d();\n' "$i" "$i"; done && echo '}'; } >"$PROGRAM"
    run -1 check
    [ "$(grep -c 'undefined reference' "$EXERCISE/build/last/compile-sim.log")" = 200 ]
    [ "$(sed 1,200d "$EXERCISE/build/last/compile-sim.log")" = "Only the first 200 lines are kept." ]
}

@test "after a compile error, make hint is about this error" {
    begin_main_with 'int x = ;'
    run -0 check --hint
    echo "$output"
    [[ ${lines[0]} == "axpy.cu:"*"   { int x = ;" ]]
    [[ $output == *"first message"* ]]
    [ "${lines[-1]}" = "make explain does-not-compile says more" ]
}

@test "a check shows no diagnoses of rungs above the missed one" {
    "$TOP/solutions/stage" "$TOP/ex01_axpy" print 1 >"$PROGRAM"
    run -1 check
    echo "$output"
    jq -e '.diagnoses | any(.name == "few-blocks")' "$EXERCISE/build/verdict.json"
    [[ $output == *"make explain timer-stopped-early"* ]]
    [[ $output != *few-blocks* ]]
    [[ $output != *"1 block runs"* ]]
}

@test "a source whose name begins with a dash" {
    cp "$BATS_FILE_TMPDIR/stage5.cu" "$LAB/-o.cu"
    cd "$LAB"
    check --source -o.cu --format json >"$LAB/verdict.json" || [ $? = 1 ]
    jq -e '.source == "-o.cu" and .rung > 0' "$LAB/verdict.json"
}

@test "a program that crashes" {
    refused_with '*(volatile int *)8 = 1;' 'signal 11'
    nothing_left
}

@test "a program that hangs is ended with its children" {
    export WARPUP_SECONDS=1
    refused_with 'if (fork() >= 0) for (;;) pause();' 'still running after 1'
    unset WARPUP_SECONDS
    next_check_works
}

@test "a program that prints megabytes" {
    begin_main_with 'for (int i = 0; i < 20000000; i++) putchar(65 + i % 26);'
    run -1 check
    [ "$(stat -c %s "$EXERCISE/build/last/sim-right-0/stdout")" -le 1000000 ]
    nothing_left
}

@test "a program that returns non-zero" {
    refused_with 'return 3;' 'exit code 3'
    nothing_left
}

@test "a program that prints nothing" {
    refused_with 'return 0;' 'printed nothing'
    nothing_left
}

@test "a program that never launches" {
    cp "$TOP/ex01_axpy/checker/starter.cu" "$PROGRAM"
    run -1 check
    [[ "$output" == *"✗ runs a kernel"* ]]
    [[ "$output" == *"rung 0 of 7"* ]]
}

@test "a launch of 2^31 threads" {
    sed 's/<<<[^>]*>>>/<<<1u << 21, 1024>>>/' "$BATS_FILE_TMPDIR/stage5.cu" >"$PROGRAM"
    export WARPUP_SECONDS=1
    run -1 check
    echo "$output"
    [[ "$output" == *"axpy.cu"* ]]
    unset WARPUP_SECONDS
    next_check_works
}

@test "a program that allocates more than there is" {
    begin_main_with 'void *p; if (cudaMalloc(&p, (size_t)1 << 50) != cudaSuccess) { fprintf(stderr, "no room\n"); return 1; }'
    run -1 check
    [[ "$output" == *"rung 0 of 7"* ]]
    nothing_left
}

@test "a program that deletes its own source and its own directory" {
    begin_main_with 'remove("axpy.cu"); remove(argv[0]);'
    cp "$PROGRAM" "$LAB/kept.cu"
    run check
    cmp "$PROGRAM" "$LAB/kept.cu"
    [[ "$output" == *"axpy.cu was missing after a run; the check restored it"* ]]
    next_check_works
}

# --- what is wrong with the trace ---

# shellcheck disable=SC2016 # the launcher expands it
@test "a trace that is cut, damaged, empty or missing gives "could not check"" {
    local harm
    for harm in 'truncate -s 300 "$trace"' ': >"$trace"' 'rm "$trace"' 'sed -i "2s/./x/" "$trace"'; do
        fake harm $'"$@"\ncode=$?\ntrace=$WARPUP_TRACE/trace.jsonl\n'"$harm"$'\nexit $code'
        LAUNCH=harm run check --format json
        echo "$harm: $output"
        [ "$status" = 2 ]
        jq -e '.status == "could not check" and (.next | test("trace.jsonl"))' <<<"$output"
    done
    next_check_works
}

# --- what happens around it ---

@test "two checks at the same time do not disturb one another" {
    check --format json >"$LAB/1.json" & local one=$!
    check --format json >"$LAB/2.json" & local two=$!
    wait $one || [ $? = 1 ]
    wait $two || [ $? = 1 ]
    [ "$(jq .rung "$LAB/1.json")" = "$(jq .rung "$LAB/2.json")" ]
    jq -e .rung "$EXERCISE/build/verdict.json"
    nothing_left
}

@test "Ctrl-C in the middle leaves nothing" {
    local signal expected after code
    begin_main_with 'if (fork() >= 0) for (;;) pause();'
    for after in 0.2 1.2; do
        for signal in INT:130 TERM:143; do
            code=0 expected=${signal#*:}
            env --default-signal=INT setsid --wait "$TOP/checker/check" "$EXERCISE" &
            sleep "$after"
            # as a terminal does: to every process of the foreground group
            pkill "-${signal%:*}" -s "$(pgrep -f "^(bash|/)[^ ]*[ /].*check (--exercise )?$EXERCISE" | head -n 1)" || true
            wait $! || code=$?
            [ "$code" = "$expected" ]
            [ ! -d "$EXERCISE/build" ] || [ -z "$(ls "$EXERCISE/build")" ]
            run ! pgrep -f "$LAB"
        done
    done
    next_check_works
}

@test "what killed checks left is removed after an hour" {
    mkdir -p "$EXERCISE/build/check-old" "$EXERCISE/build/check-new"
    touch -d '2 hours ago' "$EXERCISE/build/check-old"
    check --format json >"$LAB/verdict.json" || [ $? = 1 ]
    [ ! -e "$EXERCISE/build/check-old" ]
    [ -e "$EXERCISE/build/check-new" ]
}

@test "a check needs no jq, flock, bats, gawk, cmp, diff3 or gnuplot at run time" {
    local program folder=$BATS_TEST_TMPDIR/bin
    mkdir "$folder"
    for program in jq flock bats gawk cmp diff3 diff patch gnuplot pgrep; do
        printf '#!/bin/bash\necho "%s" >>"%s"\nexit 9\n' $program "$BATS_TEST_TMPDIR/used" >"$folder/$program"
        chmod +x "$folder/$program"
    done
    PATH=$folder:$PATH check --format json >"$LAB/verdict.json" || [ $? = 1 ]
    PATH=$folder:$PATH check --format json >"$LAB/verdict.json" || [ $? = 1 ] # now there is an earlier one
    jq -e '.status != "could not check" and .rung > 0' "$LAB/verdict.json"
    [ ! -e "$BATS_TEST_TMPDIR/used" ]
}

@test "the launcher starts every run, and nothing else" {
    fake launcher "printf '%s\n' \"\$*\" >>'$LAB/launched'"$'\nshift\nexec "$@"'
    LAUNCH="launcher --fast" check --format json >"$LAB/verdict.json" || [ $? = 1 ]
    [ "$(wc -l <"$LAB/launched")" = "$(jq '.runs | length' "$EXERCISE/build/last/check.json")" ]
    [ "$(wc -l <"$LAB/launched")" -ge 2 ]
    run ! grep -v '^--fast .*/program ' "$LAB/launched"
}

@test "a launcher that passes no environment on" {
    LAUNCH="env -i" check --format json >"$LAB/verdict.json" || [ $? = 1 ]
    jq -e '.status != "could not check" and .rung > 0' "$LAB/verdict.json"
    nothing_left
    # shellcheck disable=SC2016 # the launcher expands it
    fake launcher 'env >>"$LAUNCHED"; tr "\0" "\n" </proc/$PPID/environ >>"$LAUNCHED"; exec "$@"'
    LAUNCHED=$LAB/launched LAUNCH=launcher check --format json >"$LAB/verdict.json" || [ $? = 1 ]
    grep -q '^WARPUP_TRACE=' "$LAB/launched"
    run ! grep -E 'WARPUP_(KEY|PERTURB)' "$LAB/launched"
}

@test "make check fails only when it could not check" {
    cp "$TOP/ex01_axpy/Makefile" "$EXERCISE/"
    cp "$TOP/ex01_axpy/checker/starter.cu" "$PROGRAM"
    run -0 --separate-stderr make -s -C "$EXERCISE" check
    [[ $output == *"rung 0 of 7"* ]]
    [ "$stderr" = "" ]
    GPU=cpu run -2 make -s -C "$EXERCISE" check
    [[ $output == *"GPU=cpu: it has to be auto, sim or real"* ]]
}

@test "a terminal shows what the check does, in one line that is erased again; a file does not" {
    script -qec true /dev/null >/dev/null 2>&1 || skip "there is no terminal to be had"
    TERM=xterm script -qec "'$TOP/checker/check' '$EXERCISE' >'$LAB/shown'" /dev/null >"$LAB/terminal" || [ $? = 1 ]
    local doing
    for doing in 'axpy.cu: compiling' 'axpy.cu: checking its results on the simulated GPU' \
        'axpy.cu: timing it on the simulated GPU, with 65536' 'axpy.cu: judging'; do
        grep -qF $'\r\e[K'"$doing" "$LAB/terminal"
    done
    [ "$(tail -c 4 "$LAB/terminal")" = $'\r\e[K' ]
    [ "$(wc -l <"$LAB/terminal")" = 0 ]
    grep -q 'rung . of 7' "$LAB/shown"
    WARPUP_PLAIN=1 script -qec "TERM=xterm '$TOP/checker/check' '$EXERCISE' --format tap" /dev/null >"$LAB/terminal" || [ $? = 1 ]
    run ! grep -q $'\e' "$LAB/terminal"
    grep -q 'ok 1 compiles' "$LAB/terminal"
    check >/dev/null 2>"$LAB/stderr" || [ $? = 1 ]
    [ ! -s "$LAB/stderr" ]
}

@test "--source checks another file and leaves the latest verdict alone" {
    mkdir "$LAB/elsewhere"
    cp "$TOP/ex01_axpy/checker/starter.cu" "$LAB/elsewhere/axpy.cu"
    run -1 check --source "$LAB/elsewhere/axpy.cu" --format json
    jq -e '.rung == 0 and .source == "axpy.cu"' <<<"$output"
    [ -z "$(ls "$EXERCISE/build")" ]
}
