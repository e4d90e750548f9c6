#!/usr/bin/env bats
# The runner: whatever a program does, the runner reports it truly, and nothing of it remains.
bats_require_minimum_version 1.5.0

setup_file() {
    make -s -C "$BATS_TEST_DIRNAME/../.." -f checker/lab.mk
}

setup() {
    load helper
    DIR="$BATS_TEST_TMPDIR/a run"
    mkdir "$DIR"
}

# Runs a line of shell under the runner; further arguments are the runner's options.
run_line() {
    local line=$1
    shift
    "$BUILD/run" --dir "$DIR" "$@" -- bash -c "$line" program
}

# One field of run.json.
field() {
    jq -r ".$1" "$DIR/run.json"
}

@test "a program's output, end and arguments are kept" {
    "$BUILD/run" --dir "$DIR" -- bash -c 'echo out; echo err >&2; exit 7' 'a "b"' $'\x01' ü $'\xff'
    [ "$(cat "$DIR/stdout")" = out ]
    [ "$(cat "$DIR/stderr")" = err ]
    [ "$(field exit)" = 7 ]
    [ "$(field signal)" = null ]
    [ "$(field timed_out)" = false ]
    [ "$(field internal_error)" = null ]
    [ "$(field 'argv[3]')" = 'a "b"' ]
    [ "$(field 'argv[5:]|join(" ")')" = "ü ?" ]
}

@test "a link that the program makes does not lead the report elsewhere" {
    echo mine >"$BATS_TEST_TMPDIR/file"
    "$BUILD/run" --dir "$DIR" -- ln -sf "$BATS_TEST_TMPDIR/file" "$DIR/run.json"
    [ "$(field exit)" = 0 ]
    [ "$(<"$BATS_TEST_TMPDIR/file")" = mine ]
}

@test "the directory is made, with hard links to files in it" {
    mkdir "$BATS_TEST_TMPDIR/images"
    cp "$(type -P true)" "$BATS_TEST_TMPDIR/images/program"
    echo data >"$BATS_TEST_TMPDIR/images/more"
    "$BUILD/run" --dir "$DIR/new" --link "$BATS_TEST_TMPDIR/images/program" --link "$BATS_TEST_TMPDIR/images/more" \
        -- "$DIR/new/program"
    jq -e '.exit == 0' "$DIR/new/run.json"
    [ "$DIR/new/program" -ef "$BATS_TEST_TMPDIR/images/program" ]
    echo other >"$DIR/more"
    "$BUILD/run" --dir "$DIR" --link "$BATS_TEST_TMPDIR/images/more" -- true
    [ "$(cat "$DIR/more")" = data ]
    run -3 "$BUILD/run" --dir "$DIR" --link "$DIR/nowhere" -- true
    [ "$output" = "run: cannot write $DIR/nowhere: No such file or directory" ]
    run -3 "$BUILD/run" --dir "$DIR/not/there" -- true
    [ "$output" = "run: cannot write $DIR/not/there/: No such file or directory" ]
}

@test "a signal is reported" {
    run_line 'kill -SEGV $$'
    [ "$(field exit)" = null ]
    [ "$(field signal)" = 11 ]
}

@test "a program that hangs is ended, even if it ignores SIGTERM" {
    run_line 'sleep 60' --seconds 0.2
    [ "$(field timed_out)" = true ]
    run_line 'trap "" TERM; while :; do sleep 60; done' --seconds 0.2
    [ "$(field timed_out)" = true ]
    [ "$(field signal)" = 9 ]
}

@test "the time limit counts processor time, of the children too" {
    run_line '(while :; do :; done) & while :; do :; done' --seconds 0.5
    [ "$(field timed_out)" = true ]
    jq -e '.processor_seconds >= 0.4 and .processor_seconds < 2' "$DIR/run.json"
}

@test "what computes at the same time counts once for the time limit" {
    (($(nproc) > 1)) || skip "there is only one processor"
    # two children, a second each; where other programs take the processors, they are not at the same time
    run_line 'for child in 1 2; do (ulimit -t 1; while :; do :; done) & done; wait' --seconds 1.5
    jq -e '.processor_seconds >= 1.5 and (.timed_out == false or .seconds >= 1.5)' "$DIR/run.json"
}

@test "time in which other programs use the processors does not count" {
    local others=() i
    for ((i = 0; i < 4 * $(nproc); i++)); do
        (while :; do :; done) &
        others+=($!)
    done
    # about 0.3 s of work, which takes several times as long beside the others
    run_line 'for ((i = 0; i < 60000; i++)); do :; done' --seconds 1.5
    kill "${others[@]}"
    [ "$(field timed_out)" = false ]
    [ "$(field exit)" = 0 ]
}

@test "a machine that stands still for a while does not use up the time limit" {
    "$BUILD/run" --dir "$DIR" --seconds 3 -- sh -c "touch '$BATS_TEST_TMPDIR/began' && exec sleep 4" &
    until [ -e "$BATS_TEST_TMPDIR/began" ]; do sleep 0.1; done
    kill -STOP $!
    sleep 3.2
    kill -CONT $!
    wait $!
    [ "$(field timed_out)" = false ]
}

@test "a program that reads input gets none" {
    run_line 'read -r answer || echo none'
    [ "$(cat "$DIR/stdout")" = none ]
}

@test "megabytes of output are cut, and do not block the program" {
    run_line 'yes | head -c 50000000; exit 3' --output-bytes 1000
    [ "$(stat -c %s "$DIR/stdout")" = 1000 ]
    [ "$(field stdout_truncated)" = true ]
    [ "$(field stderr_truncated)" = false ]
    [ "$(field exit)" = 3 ]
}

@test "children and daemons end with the program" {
    local name="sleep 98.$RANDOM"
    run_line "$name & setsid $name & (setsid setsid $name &) ; exit 0"
    [ "$(field exit)" = 0 ]
    sleep 0.1
    run ! pgrep -f "$name"
}

@test "a program may delete itself and its directory's files" {
    local program="$BATS_TEST_TMPDIR/own program"
    # shellcheck disable=SC2016 # the program expands it, not we
    printf '#!/bin/bash\nrm -- "$0"\necho gone\n' >"$program"
    chmod +x "$program"
    "$BUILD/run" --dir "$DIR" -- "$program"
    [ "$(cat "$DIR/stdout")" = gone ]
    [ "$(field exit)" = 0 ]
}

@test "an interrupted runner leaves nothing running and says so" {
    local name="sleep 97.$RANDOM" signal expected code
    for signal in INT:130 TERM:143 HUP:129; do
        expected=${signal#*:} code=0
        "$BUILD/run" --dir "$DIR" -- bash -c "setsid $name & $name" &
        local runner=$!
        until pgrep -f "^$name" >/dev/null; do sleep 0.02; done
        kill "-${signal%:*}" "$runner"
        wait "$runner" || code=$?
        [ "$code" = "$expected" ]
        [ "$(field internal_error)" = interrupted ]
        run ! pgrep -f "^$name"
    done
}

@test "a killed runner takes the program with it" {
    local name="sleep 96.$RANDOM"
    "$BUILD/run" --dir "$DIR" -- sleep "${name#* }" &
    local runner=$!
    until pgrep -f "^$name" >/dev/null; do sleep 0.02; done
    kill -KILL "$runner"
    wait "$runner" || true
    sleep 0.1
    run ! pgrep -f "^$name"
}

@test "a program that cannot be started is an error of the lab" {
    run -3 "$BUILD/run" --dir "$DIR" -- "$DIR/nowhere"
    [ "$output" = "run: cannot start $DIR/nowhere: No such file or directory" ]
    [ "$(field internal_error)" = "cannot start $DIR/nowhere: No such file or directory" ]
}

@test "a full disk and a read-only disk give one clear line each" {
    mount_tmpfs "$DIR" size=64k
    run -3 "$BUILD/run" --dir "$DIR" -- bash -c 'yes | head -c 500000'
    [ "$output" = "run: cannot write $DIR/run.json: No space left on device" ]
    mount -o remount,ro "$DIR"
    run -3 "$BUILD/run" --dir "$DIR" -- true
    [ "$output" = "run: cannot write $DIR/stdout: Read-only file system" ]
}

@test "wrong arguments give a usage line" {
    run -2 "$BUILD/run" --dir "$DIR"
    [[ "$output" == "usage: "* ]]
    run -2 "$BUILD/run" --dir "$DIR" --seconds -1 -- true
    run -2 "$BUILD/run" --dir "$DIR" --seconds x -- true
    run -2 "$BUILD/run" -- true
}
