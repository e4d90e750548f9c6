#!/usr/bin/env bats
# server.bats: the process that is the simulated GPU: how it starts and ends, and what a program can do to it.
bats_require_minimum_version 1.5.0

setup_file() {
    TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    BUILD=${WARPUP_BUILD:-$TOP/build}
    HERE=$BATS_TEST_DIRNAME/gpu/server
    GPU=$BUILD/gpu
    export TOP BUILD HERE GPU
    make -s -C "$TOP" -f checker/lab.mk
    "$BUILD/cc" "$HERE/ends.cu" "$BATS_FILE_TMPDIR/ends"
    ENDS=$BATS_FILE_TMPDIR/ends/program
    RAW=$BATS_FILE_TMPDIR/raw
    gcc -std=c11 -w -I "$TOP/checker" -I "$BUILD/obj" "$HERE/raw.c" -o "$RAW"
    export ENDS RAW
}

setup() {
    export WARPUP_TRACE=$BATS_TEST_TMPDIR
}

# The end of the program, as the trace has it.
ending() {
    tail -1 "$BATS_TEST_TMPDIR/trace.jsonl" | jq -r '"\(.event) \(.how)"'
}

faults() {
    jq -r 'select(.event == "fault") | "\(.name) \(.line)"' "$BATS_TEST_TMPDIR/trace.jsonl"
}

line_of() { # TEXT
    grep -nF "$1" "$HERE/ends.cu" | head -1 | cut -d: -f1
}

# The program ends in this way, whether the GPU starts it or it starts its GPU.
ends() { # STATUS HOW WAY
    run "$GPU" "$ENDS" "$3"
    [ "$status" -eq "$1" ]
    [ "$(ending)" = "end $2" ]
    rm "$BATS_TEST_TMPDIR/trace.jsonl"
    run "$ENDS" "$3"
    [ "$status" -eq "$1" ]
    [ "$(ending)" = "end $2" ]
}

@test "the GPU ends with the program's exit code" {
    ends 0 exit nothing
    ends 3 exit exit
    ends 4 exit _exit
}

@test "a signal that ends the program ends the GPU, too" {
    ends 134 'signal 6' abort
    run "$GPU" "$ENDS" kill
    [ "$status" -eq 137 ]
    [ "$(ending)" = 'end signal 9' ]
}

@test "host code that touches device memory is a fault with its line" {
    ends 139 'signal 11' touch
    [ "$(faults)" = "device-pointer-on-host $(line_of 'memory[3] = 5')" ]
}

@test "free() of device memory is a fault with its line" {
    ends 139 'signal 11' free
    [ "$(faults)" = "bad-free $(line_of 'free(memory)')" ]
}

@test "memory that is not freed is a leak, if the program succeeds" {
    ends 0 exit leak
    [ "$(faults)" = "leak $(line_of 'cudaMalloc(&memory, 64)')" ]
    ends 3 exit exit
    [ -z "$(faults)" ]
}

@test "a forked child has no GPU" {
    run "$GPU" "$ENDS" fork
    [ "$output" = $'child cudaErrorInitializationError\nstatus 7\nend' ]
    run "$ENDS" fork
    [ "$output" = $'child cudaErrorInitializationError\nstatus 7\nend' ]
    [ "$(ending)" = 'end exit' ]
}

@test "a child that is forked before the first call of CUDA has a GPU of its own" {
    run "$GPU" "$ENDS" early
    [ "$output" = $'child 1: 2\nchild 2: 3\nend' ]
    [ "$(ending)" = 'end exit' ]
    [ "$(grep -c '"event":"launch"' "$WARPUP_TRACE/trace.jsonl")" -eq 0 ]
    run "$ENDS" early
    [ "$output" = $'child 1: 2\nchild 2: 3\nend' ]
}

@test "a forked child does not change memory that its parent has registered" {
    run "$GPU" "$ENDS" registered
    [ "$output" = $'number 1\nend' ]
}

@test "a program that executes itself again has a GPU again" {
    local sum
    sum=$("$ENDS" threads)
    run "$GPU" "$ENDS" exec
    [ "$status" -eq 0 ]
    [ "$output" = "$sum" ]
    run "$ENDS" exec
    [ "$status" -eq 0 ]
    [ "$output" = "$sum" ]
}

@test "the GPU that a program starts is not its child" {
    run "$ENDS" wait
    [ "${lines[0]}" = 'wait -1' ]
}

@test "many threads launch at the same time" {
    run "$GPU" "$ENDS" threads
    [ "${lines[0]}" = 'sum 10240' ]
}

@test "a program does not see the variables that are for its GPU" {
    export WARPUP_KEY=00112233445566778899aabbccddeeff WARPUP_PERTURB=1 WARPUP_LARGER=1:2
    run "$GPU" "$ENDS" environment
    [ "$status" -eq 0 ]
    [[ $output != *WARPUP_TRACE* && $output != *WARPUP_KEY* && $output != *WARPUP_PERTURB* && $output != *WARPUP_LARGER* ]]
    run "$ENDS" environment
    [ "$status" -eq 0 ]
    [[ $output != *WARPUP_TRACE* && $output != *WARPUP_KEY* && $output != *WARPUP_PERTURB* && $output != *WARPUP_LARGER* ]]
}

@test "a program of the same user cannot read the GPU's process" {
    [ "$(id -u)" -ne 0 ] || skip "root may read everything"
    run "$GPU" "$ENDS" look
    [[ $output != *readable* ]]
}

@test "without an environment, a file says what the GPU has to do" {
    printf 'WARPUP_TRACE=%s\n' "$BATS_TEST_TMPDIR" >"$BATS_TEST_TMPDIR/variables"
    run env -i "$GPU" --variables "$BATS_TEST_TMPDIR/variables" "$ENDS" environment
    [ "$status" -eq 0 ]
    [ "$(ending)" = 'end exit' ]
    [ ! -e "$BATS_TEST_TMPDIR/variables" ]
    [[ $output != *WARPUP_TRACE* ]]
}

@test "a signal for the GPU goes to the program" {
    local status=0
    "$GPU" "$ENDS" sleep &
    sleep 0.5
    kill -TERM $!
    wait $! || status=$?
    [ "$status" -eq 143 ]
    [ "$(ending)" = 'end signal 15' ]
}

@test "the program ends if its GPU is killed" {
    "$GPU" "$ENDS" sleep &
    sleep 0.5
    kill -KILL $!
    wait $! || true
    sleep 0.2
    run -1 pgrep -f "$ENDS sleep"
}

@test "closed standard streams change nothing" {
    "$GPU" "$ENDS" leak <&- >&- 2>&-
    [ "$(ending)" = 'end exit' ]
    "$ENDS" leak <&- >&- 2>&-
    [ "$(ending)" = 'end exit' ]
}

@test "a program that cannot be run is named" {
    run -127 "$GPU" ./no-such-program
    [ "$output" = 'warp-up: cannot run ./no-such-program: No such file or directory' ]
}

@test "valgrind and gdb run a program" {
    command -v valgrind gdb >/dev/null || skip "not installed"
    export WARPUP_ADDRESSES_GB=1
    run valgrind -q "$ENDS"
    [[ $output == *end* ]]
    run gdb -q -batch -ex run "$ENDS"
    [[ $output == *end* ]]
}

@test "the GPU ends soon after its program, whatever a kernel does" {
    "$GPU" "$ENDS" forever &
    sleep 1
    kill -KILL "$(pgrep -f "^$ENDS forever")"
    wait $! || true
    run -1 pgrep -f "^$GPU $ENDS forever"
    [ "$SECONDS" -lt 60 ]
}

@test "the trace is whole even if the disk stands still for seconds after the program's end" {
    # The pipe has room for the first record alone, until it is read.
    local trace=$BATS_TEST_TMPDIR/trace.jsonl
    mkfifo "$trace"
    exec 7<>"$trace"
    head -c $((65536 - 600)) /dev/zero >&7
    "$GPU" "$ENDS" leak 7<&- &
    sleep 6
    timeout 5 head -c $((65536 - 600)) <&7 >/dev/null
    (timeout 5 cat <&7 || true) >"$trace.read" &
    wait $!
    exec 7<&-
    grep -q '"event":"end","how":"exit"' "$trace.read"
}

@test "a script's first program has the script's GPU, and later ones start one of their own" {
    printf '"%s" leak\n"%s"\n' "$ENDS" "$ENDS" >"$BATS_TEST_TMPDIR/script"
    run "$GPU" bash "$BATS_TEST_TMPDIR/script"
    [ "$status" -eq 0 ]
    [ "$output" = end ]
    [ "$(faults)" = "leak $(line_of 'cudaMalloc(&memory, 64)')" ]
}

@test "programs of nvcc run with the library of their CUDA" {
    command -v "${NVCC:=/usr/local/cuda/bin/nvcc}" >/dev/null || skip "no nvcc"
    "$NVCC" -O3 -cudart shared -Wno-deprecated-gpu-targets -o "$BATS_TEST_TMPDIR/own" "$HERE/managed.cu" -lcublas
    LD_LIBRARY_PATH=$BUILD run "$GPU" "$BATS_TEST_TMPDIR/own"
    echo "$output"
    [ "$status" -eq 0 ]
    [ "${lines[-1]}" = 'as expected' ]
    [ -z "$(faults)" ]
    jq -r 'select(.event == "clock").call' "$BATS_TEST_TMPDIR/trace.jsonl" | grep -qx clock_gettime
}

@test "messages with a wrong size, or of an unknown call, end the run" {
    for what in short long size number twice go; do
        run --separate-stderr "$GPU" "$RAW" "$what"
        [ "$status" -eq 2 ]
        # shellcheck disable=SC2154 # run sets it
        [[ ${stderr_lines[0]} == 'warp-up: '*': the run ends here' ]]
        [ "${#stderr_lines[@]}" -eq 1 ]
        [[ $(ending) != end* ]]
    done
}

@test "a program cannot lie about its time" {
    for what in honest other; do
        run "$GPU" "$RAW" "$what"
        [ "$status" -eq 0 ]
        echo "$output"
        ms=$(sed -n 's/^ms //p' <<<"$output")
        [ "$ms" -ge 80 ]
        [ "$ms" -lt 1000 ]
    done
}

@test "a clock does not show the time in which the GPU's process gets no core" {
    run "$GPU" "$ENDS" stopped
    echo "$output"
    [ "$(grep took <<<"$output" | sort -u | wc -l)" -eq 1 ]
}

@test "handles that do not exist are errors of CUDA" {
    run "$GPU" "$RAW" handles
    [ "$status" -eq 0 ]
    [ "${lines[-1]}" = end ]
    [ "$(grep -c 'error 0' <<<"$output")" -le 2 ] # hello and touched
}

@test "calls with any arguments do not end the GPU" {
    for seed in 1 2 3 4 5; do
        run timeout 20 "$GPU" "$RAW" every "$seed"
        [ "$status" -eq 0 ]
        [ "${lines[-1]}" = end ]
    done
}
