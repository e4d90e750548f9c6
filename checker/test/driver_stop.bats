#!/usr/bin/env bats
# driver_stop.bats: a script that is stopped ends its programs first, and then removes its directory (bin/stoppable.bash).
bats_require_minimum_version 1.5.0

setup() {
    load helper
    export GPU=sim PROFILE=h200
    OWN=$BATS_TEST_TMPDIR/own
    mkdir "$OWN"
    # A launcher that starts nothing, does not end, and takes no notice of SIGTERM.
    printf '#!/bin/bash\ntrap "" TERM\necho >"%s"\nwhile :; do sleep 0.1; done\n' "$BATS_TEST_TMPDIR/launched" >"$BATS_TEST_TMPDIR/launch"
    # A compiler that tells its version, and otherwise does not end.
    printf '#!/bin/bash\ncase $* in --version | -print-*) exec "%s" "$@" ;; esac\necho >"%s"\nwhile :; do sleep 0.1; done\n' \
        "$(command -v clang-16 || command -v clang)" "$BATS_TEST_TMPDIR/compiling" >"$BATS_TEST_TMPDIR/clang"
    chmod +x "$BATS_TEST_TMPDIR/launch" "$BATS_TEST_TMPDIR/clang"
}

teardown() {
    left | xargs -r kill -KILL
}

# The processes of the script: they have its own TMPDIR in their environment or among their arguments.
left() {
    printf '%s' "$OWN" >"$BATS_TEST_TMPDIR/pattern"
    grep -laF -f "$BATS_TEST_TMPDIR/pattern" /proc/[0-9]*/{environ,cmdline} 2>/dev/null | cut -d / -f 3 | sort -u
}

nothing_left() {
    left | xargs -rI{} ps -o pid,args -p {}
    find "$OWN" -mindepth 1
    [ -z "$(left)" ]
    [ -z "$(ls -A "$OWN")" ]
}

# Starts a script, sends it a signal when a command says that it is in the middle, and waits for it. Then nothing of it may
# be left, and it may have printed only the line NAME: stopped.
stop_script() { # SIGNAL CODE CONDITION SCRIPT ARGUMENT...
    local code=0
    TMPDIR=$OWN env --default-signal=INT,TERM,HUP "${@:4}" >"$BATS_TEST_TMPDIR/printed" 2>"$BATS_TEST_TMPDIR/said" 3>&- &
    until "$3"; do
        kill -0 $!
        sleep 0.05
    done
    kill "-$1" $!
    wait $! || code=$?
    cat "$BATS_TEST_TMPDIR/said"
    [ "$code" -eq "$2" ]
    nothing_left
    [ "$(cat "$BATS_TEST_TMPDIR/said")" = "${4##*/}: stopped" ]
}

# True when a program runs.
launched() { [ -e "$BATS_TEST_TMPDIR/launched" ]; }

# True when the compiler works. It is one that does not end.
compiling() { [ -e "$BATS_TEST_TMPDIR/compiling" ]; }

# As stop_script, while a program is compiled.
stop_compiling() { # SIGNAL CODE SCRIPT ARGUMENT...
    rm -f "$BATS_TEST_TMPDIR/compiling"
    WARPUP_CLANG=$BATS_TEST_TMPDIR/clang stop_script "$1" "$2" compiling "${@:3}"
}

# True when a check runs.
checking() { left | xargs -rI{} cat /proc/{}/cmdline 2>/dev/null | tr '\0' ' ' | grep -qF -- '--source'; }

@test "bench, stopped while a stage runs, leaves nothing" {
    export LAUNCH=$BATS_TEST_TMPDIR/launch
    stop_script TERM 143 launched "$TOP/solutions/bench" "$TOP/ex02_rot" print h200 1000
    rm "$BATS_TEST_TMPDIR/launched"
    stop_script INT 130 launched "$TOP/solutions/bench" "$TOP/ex02_rot" print h200 1000
}

@test "bench, stopped while stages are compiled, leaves nothing" {
    stop_compiling TERM 143 "$TOP/solutions/bench" "$TOP/ex04_matmul" print h200 256
}

@test "bench under timeout says that it was stopped, and nothing else" {
    local seconds=2
    export LAUNCH=$BATS_TEST_TMPDIR/launch
    # On a busy machine, the first seconds may not be enough for the start of a program.
    until launched; do
        seconds=$((2 * seconds))
        TMPDIR=$OWN run -124 timeout $seconds "$TOP/solutions/bench" "$TOP/ex02_rot" print h200 1000
        nothing_left
    done
    [ "$output" = "bench: stopped" ]
}

@test "compare, costs, calibrate and a stage's verification, stopped in the middle, leave nothing" {
    stop_compiling INT 130 "$TOP/solutions/kernels/compare" print h200 copy
    stop_compiling TERM 143 "$TOP/solutions/costs" "$TOP/ex01_axpy"
    stop_script TERM 143 checking "$TOP/solutions/stage" "$TOP/ex01_axpy" verify
    stop_compiling HUP 129 "$TOP/checker/bin/calibrate" "$BATS_TEST_TMPDIR/profile.tsv"
    LAUNCH=$BATS_TEST_TMPDIR/launch stop_script TERM 143 launched "$TOP/checker/bin/calibrate" "$BATS_TEST_TMPDIR/profile.tsv"
}

@test "a script that fails ends what it has started" {
    cat >"$BATS_TEST_TMPDIR/script" <<'END'
set -eu
source "$TOP/checker/bin/stoppable.bash"
main() {
    "$BUILD/run" --dir "$SCRATCH/run" --seconds 1000 -- sleep 1000 &
    until [[ -e $SCRATCH/run/stdout ]]; do sleep 0.05; done
    false
}
with_scratch main
END
    TMPDIR=$OWN run -1 bash "$BATS_TEST_TMPDIR/script"
    [ -z "$output" ]
    nothing_left
}
