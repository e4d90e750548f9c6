#!/usr/bin/env bats
# sim_classes.bats: what people write, a class of programs each, right and wrong (sim/classes.cu and sim/classes_memory.cuh).

setup_file() {
    TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    export TOP BUILD=${WARPUP_BUILD:-$TOP/build}
    make -s -C "$TOP" -f checker/lab.mk
    "$BUILD/cc" "$TOP/checker/test/sim/classes.cu" "$BATS_FILE_TMPDIR"
}

# A case prints "right" or the name of an error and has no fault, or has the expected fault at its line and no other.
as_expected() { # CASE EXPECTED
    local printed faults trace=$BATS_TEST_TMPDIR/$1
    mkdir -p "$trace"
    printed=$(WARPUP_TRACE=$trace timeout 60 "$BATS_FILE_TMPDIR/program" "$1" 2>&1)
    faults=$(jq -r 'select(.event == "fault") | [.name, .line // 0, ((.file // "") | split("/") | last)] | join(" ")' "$trace/trace.jsonl" | sort -u)
    if [[ $2 == *-* ]]; then only_fault "$2" <<<"$faults"; else [ "$printed" = "$2" ] && [ -z "$faults" ]; fi ||
        { printf '%s is not %s: %s; %s\n' "$1" "$2" "$printed" "${faults//$'\n'/, }" && return 1; }
}

only_fault() { # NAME, from lines "NAME LINE FILE"
    local name line file
    while read -r name line file; do
        [ "$name" = "$1" ] || return
        [ "$line" -eq 0 ] || sed -n "${line}p" "$TOP/checker/test/sim/$file" | grep -q "// .*$1" || return
    done
}

all_as_expected() { # [CASE], but this one
    local bad=0 name expected
    while read -r name expected; do
        [ "$name" = "${1-}" ] || as_expected "$name" "$expected" || bad=1
    done < <("$BATS_FILE_TMPDIR/program")
    ((bad == 0))
}

@test "every class of programs, near the source" {
    export WARPUP_CODE=source
    all_as_expected
}

@test "every class of programs, as nvcc optimises" {
    export WARPUP_CODE=optimised
    all_as_expected
}

# Near the source nvcc stores each member of a vector on its own.
@test "every class of programs, with nvcc" {
    command -v nvcc >/dev/null || skip "there is no nvcc"
    DEVICE_COMPILER=nvcc "$BUILD/cc" "$TOP/checker/test/sim/classes.cu" "$BATS_FILE_TMPDIR"
    export WARPUP_CODE=source
    all_as_expected misaligned_vector
}
