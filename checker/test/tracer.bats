# tracer.bats: the tracer, the copy rate and the rate of cuBLAS. Without a GPU, tests that need one are
# skipped. The test of how calls are joined with the GPU's work runs everywhere.

bats_require_minimum_version 1.5.0

setup() {
    load helper
    TMP=$BATS_TEST_TMPDIR
}

# Skips the test if no program can be traced here.
need_gpu() {
    # shellcheck source=checker/bin/lab.bash
    source "$TOP/checker/bin/lab.bash"
    find_gpu && find_nvcc && find_tracer || skip "$WHY_NOT"
}

# Builds a program of tracer/ as students build theirs, and runs it with the tracer, in $TMP.
trace() { # NAME [FLAG...]
    nvcc -O3 -arch=native -o "$TMP/$1" "$BATS_TEST_DIRNAME/tracer/$1.cu" "${@:2}"
    run env WARPUP_TRACE="$TMP" WARPUP_SNAPSHOT=1 CUDA_INJECTION64_PATH="$BUILD/tracer.so" "$TMP/$1"
}

# The events of the trace, in one line.
events() {
    jq -r .event "$TMP/trace.jsonl" | paste -s -d ' '
}

# Tests a jq condition on the list of the records of the trace.
holds() { # CONDITION
    jq -es "$1" "$TMP/trace.jsonl" >/dev/null || { echo "does not hold: $1"; cat "$TMP/trace.jsonl"; return 1; }
}

# Floats of a saved file.
floats() { # FILE COUNT
    od -An -v -t f4 -w4 -N $((4 * $2)) "$TMP/$1" | tr -s ' \n' ' '
}

joins() { # [lost|fault|graph|node|SIGNAL]
    local sources=("$TOP"/checker/tracer/tracer_{crash,errors,events}.c "$TOP"/checker/trace/*.c)
    gcc -std=c11 -Wall -Wextra -Werror -I"$TOP/checker" \
        -o "$TMP/joins" "$BATS_TEST_DIRNAME/tracer/joins.c" "${sources[@]}" -ldl -lpthread
    WARPUP_TRACE=$TMP "$TMP/joins" "$@"
}

@test "the record of the GPU's work comes after the call that started it" {
    joins
    [ "$(events)" = "alloc launch kernel copy launch launch kernel launch kernel end" ]
    holds '[.[] | select(.event == "launch") | .kernel] == ["scale<3>", "hidden", "plain", "cublas::axpy"]'
    holds '[.[] | select(.event == "kernel") | [.id, .start]] == [[1, 200], [3, 500], [4, 700]]'
    holds '.[3] | .start == 400 and .end == 480 and .from == 1 and .data == "data-0.bin"'
    holds '.[4] | .error == 1 and .error_name == "cudaErrorInvalidValue"'
    holds '.[-1].dropped == 0'
}

@test "a lost record of a kernel counts as dropped, unless a fault explains it" {
    joins lost
    holds '.[-1].dropped == 1'
    joins fault
    holds '.[-1].dropped == 0 and any(.[]; .name == "cudaErrorIllegalAddress")'
}

@test "the work of a graph comes where the graph is launched, with its own times" {
    joins graph
    [ "$(events)" = "alloc launch kernel copy launch launch kernel copy launch kernel copy copy launch kernel copy launch kernel end" ]
    holds '[.[] | select(.event == "copy")][1:] | map([.direction, .bytes, .start]) ==
        [["h2d", 32, 2100], ["d2h", 32, 2500], ["h2d", 16, 2150], ["d2h", 16, 2400]]'
    holds '[.[] | select(.event == "kernel") | [.id, .start]] == [[1, 200], [3, 500], [4, 2300], [5, 2200], [6, 700]]'
    holds '.[-1].dropped == 0'
    joins node
    holds '.[-1].dropped == 1'
}

@test "a program that gets a signal leaves what was recorded, and ends by that signal" {
    local number
    joins
    jq -c 'select(.event != "end")' "$TMP/trace.jsonl" >"$TMP/expected"
    for number in 6 8 11; do
        run joins "$number"
        [ "$status" -eq $((128 + number)) ]
        holds ".[-1] | .event == \"end\" and .how == \"signal $number\" and .dropped == 0"
        diff "$TMP/expected" <(jq -c 'select(.event != "end")' "$TMP/trace.jsonl")
    done
}

@test "without a GPU, the copy rate is one line on stderr and exit code 2" {
    # shellcheck source=checker/bin/lab.bash
    source "$TOP/checker/bin/lab.bash"
    [ -x "$BUILD/copyrate" ] || skip "the copy rate is built where CUDA is"
    find_gpu && skip "there is a GPU"
    run --separate-stderr "$BUILD/copyrate"
    [ "$status" -eq 2 ]
    [ "$output" = "" ]
    # shellcheck disable=SC2154 # set by run
    [ "${#stderr_lines[@]}" -eq 1 ]
}

@test "on a GPU, the copy rate is one line of JSON" {
    need_gpu
    run "$BUILD/copyrate"
    [ "$status" -eq 0 ]
    jq -e '.value > 10 and .unit == "GB/s" and .how == "measured" and (.device | length > 0)' <<<"$output"
}

@test "every call of a program is traced" {
    need_gpu
    trace calls
    [ "$status" -eq 0 ]
    holds '.[0] | .event == "begin" and .kind == "real" and .version == 1 and .sms > 0 and .capability >= 70'
    holds '.[-1] | .event == "end" and .how == "exit" and .dropped == 0'
    holds '[.[] | select(.event == "alloc") | .space] == ["device", "managed", "pinned", "device"]'
    holds '[.[] | select(.event == "launch" and .error == 0) | [.kernel, .grid[0], .grid[1], .shared, .stream]]
        == [["scale<3>", 4, 1, 0, 1], ["scale<2>", 2, 2, 128, 2], ["hidden", 1, 1, 0, 0]]'
    holds '[.[] | select(.event == "copy") | .direction] == ["h2d", "d2h", "h2d", "d2h", "d2h"]'
    holds '[.[] | select(.event == "copy" and .async)] | length == 1 and .[0].stream == 1 and .[0].from == 1'
    holds '[.[] | select(.event == "copy")][-1] | .offset == 8 and .bytes == 64'
    holds '[.[] | select(.event == "sync") | .what] == ["stream", "event", "stream", "device"]'
    holds '[.[] | select(.event == "set")] | length == 1 and .[0].value == 7 and .[0].bytes == 40'
    holds '[.[] | select(.event == "elapsed")] | length == 1 and .[0].from == 1 and .[0].to == 2 and .[0].ms > 0'
    holds 'all(.[] | select(.event == "kernel"); .end > .start and .registers > 0)'
    holds '[.[] | select(.event == "kernel") | .static_shared] == [0, 0, 128]'
}

@test "refused launches and failed calls are recorded with their error codes" {
    need_gpu
    trace calls
    read -ra codes <<<"$output"
    holds "[.[] | select(.event == \"launch\" and .error != 0) | .error] == [${codes[0]}, ${codes[1]}]"
    holds "[.[] | select(.event == \"error\") | [.call, .code]]
        == [[\"cudaMemcpy\", ${codes[2]}], [\"cudaMemcpy\", ${codes[3]}], [\"cudaFree\", ${codes[4]}]]"
}

@test "wrong pointers are recorded as faults" {
    need_gpu
    trace calls
    holds '[.[] | select(.event == "fault") | [.name, .kind, .alloc, .bytes]]
        == [["copy-direction", "copy", null, 4000], ["copy-out-of-bounds", "copy", 1, 32], ["double-free", "free", null, null]]'
    holds 'any(.[]; .detail == "the copy has 32 bytes, but the allocation has only 16 left")'
}

@test "contents are saved: of a copy when it is complete, of memory when it is freed" {
    need_gpu
    trace calls
    local copied managed
    copied=$(jq -r 'select(.event == "copy" and .async) | .data' "$TMP/trace.jsonl")
    [ "$(floats "$copied" 4)" = " 0 3 6 9 " ]
    managed=$(jq -r 'select(.event == "final" and .alloc == 2) | .data' "$TMP/trace.jsonl")
    [ "$(floats "$managed" 4)" = " 0 2 4 6 " ]
    holds '[.[] | select(.event == "final") | [.alloc, .leaked]] == [[1, false], [2, false], [3, false], [4, true]]'
}

@test "a copy after an event is not complete when the event is" {
    need_gpu
    trace after
    [ "$status" -eq 0 ]
    local copied
    copied=$(jq -r 'select(.event == "copy") | .data' "$TMP/trace.jsonl")
    [ "$(tail -c 8 "$TMP/$copied" | od -An -v -t f4 | tr -s ' ')" = " 1 1" ]
}

@test "an illegal address in a kernel is recorded, and the trace is complete" {
    need_gpu
    trace fault
    [ "$status" -eq 3 ]
    [ "$output" = "cudaErrorIllegalAddress: an illegal memory access was encountered" ]
    holds '[.[] | select(.event == "error") | [.call, .code]] == [["cudaDeviceSynchronize", 700], ["cudaFree", 700]]'
    holds '[.[] | select(.event == "launch")] | length == 2'
    holds '.[-1] | .event == "end" and .dropped == 0'
}

@test "kernels are in the trace even if the program does not wait for them" {
    need_gpu
    trace unawaited
    [ "$status" -eq 0 ]
    holds '[.[] | select(.event == "kernel")] | length == 2'
    holds '[.[] | select(.event == "final") | .leaked] == [true, true]'
}

@test "the trace of a program that crashed has all records, and says how it ended" {
    need_gpu
    trace crash
    [ "$status" -eq 139 ]
    [ "$(events)" = "begin launch kernel sync end" ]
    holds '.[-1] | .how == "signal 11" and .dropped == 0'
}

@test "the trace of a program that left with _exit() has its beginning, and no end" {
    need_gpu
    trace left
    [ "$status" -eq 0 ]
    [ "$(events)" = begin ]
}

@test "a program that starts no kernel has a trace with a beginning and an end" {
    need_gpu
    trace asking
    [ "$status" -eq 0 ]
    [ "$(events)" = "begin end" ]
}

@test "the kernels of a library are traced, and its calls are not errors of the program" {
    need_gpu
    trace library -lcublas
    [ "$status" -eq 0 ]
    holds '[.[] | select(.event == "launch")] | length == 1 and (.[0].kernel | test("axpy"))'
    holds '[.[] | select(.event == "kernel")] | length == 1'
    holds '[.[] | select(.event == "error")] | length == 0'
}

@test "without WARPUP_TRACE the tracer does nothing" {
    need_gpu
    nvcc -O3 -arch=native -o "$TMP/asking" "$BATS_TEST_DIRNAME/tracer/asking.cu"
    run env -u WARPUP_TRACE CUDA_INJECTION64_PATH="$BUILD/tracer.so" "$TMP/asking"
    [ "$status" -eq 0 ]
    [ "$output" = "" ]
}
