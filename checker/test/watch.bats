#!/usr/bin/env bats
# make watch, driven in tmux as by a student. Nearly all tests have a check that answers immediately: the verdict of
# show/verdict.json, with the rung that the program's text names.
# shellcheck disable=SC2154 # bats sets output and stderr
bats_require_minimum_version 1.5.0

load helper

setup_file() {
    make -s -C "$BATS_TEST_DIRNAME/../.." -f checker/lab.mk
}

setup() {
    command -v tmux >/dev/null || skip "there is no tmux"
    LAB="$BATS_TEST_TMPDIR/a lab"
    EXERCISE=$LAB/ex01_axpy
    PROGRAM=$EXERCISE/axpy.cu
    CALLS=$LAB/calls
    TERMINAL=(tmux -L "watch-$BATS_SUITE_TEST_NUMBER-$$" -f /dev/null)
    mkdir -p "$LAB/checker/bin" "$EXERCISE"
    ln -s "$TOP"/checker/* "$LAB/checker/" 2>/dev/null || true
    ln -s "$TOP"/checker/bin/* "$LAB/checker/bin/"
    rm "$LAB/checker/bin/check"
    write_check
    cp -a "$TOP/ex01_axpy/"{checker,Makefile} "$EXERCISE/"
    export LANG=C.UTF-8 GPU=sim WARPUP_BUILD=$BUILD CALLS VERDICT=$TOP/checker/test/show/verdict.json
    unset LC_ALL NO_COLOR MAKEFLAGS
    echo 'rung 1' >"$PROGRAM"
    : >"$CALLS"
}

teardown() {
    [ -z "${TERMINAL-}" ] || "${TERMINAL[@]}" kill-server 2>/dev/null || true
    [ -z "${WATCH-}" ] || kill "$WATCH" 2>/dev/null || true
}

# The check of these tests: `rung N` is a program at that rung, and `hang` one whose check does not end.
write_check() {
    cat >"$LAB/checker/bin/check" <<'CHECK'
#!/usr/bin/env bash
set -eu
program=$(<"$1/axpy.cu")
printf '%s %s\n' "$PPID" "$program" >>"$CALLS"
if [[ $program == hang ]]; then
    sleep 4321 &
    sleep 4321
fi
[[ $program == rung* ]] || { echo "could not check: $program" >&2 && exit 2; }
jq --argjson rung "${program#rung }" '.rung = $rung' "$VERDICT" >"$1/build/verdict.json"
"$WARPUP_BUILD/show" "$3" "$1/build/verdict.json"
exit 1
CHECK
    chmod +x "$LAB/checker/bin/check"
}

# Starts make watch in a terminal of 80 x 24. When it ends, its exit code and the terminal's settings are there.
# Another terminal has another server, because the first one may still be about to end.
open_watch() { # [COMMAND]
    TERMINAL[2]+=+
    env -u TMUX "${TERMINAL[@]}" new-session -d -x 80 -y 24 -c "$EXERCISE" bash -c \
        "trap : INT; stty -a >../before; ${1-make -s watch}"'; echo "ended with $?"; stty -a >../after; sleep 1000'
}

press() { # KEY
    "${TERMINAL[@]}" send-keys "$1"
}

screen() {
    "${TERMINAL[@]}" capture-pane -p
}

# Presses a key, and looks for what it shows: the end of a check may have come in between.
asks() { # KEY PATTERN
    press "$1"
    sleep 0.3
    shows "$2"
}

# Waits until something holds.
wait_for() { # COMMAND...
    local tries
    for ((tries = 0; tries < 200; tries++)); do
        if "$@"; then return; fi
        sleep 0.1
    done
    screen 2>/dev/null || true
    return 1
}

shows() { # PATTERN
    screen | grep -q -- "$1"
}

checked() { # TIMES
    (($(wc -l <"$CALLS") == $1))
}

has_ended() {
    shows "ended with $1" && [ -s "$LAB/after" ]
}

# make watch has ended, its terminal is as before, and no process of its check is left.
has_left_nothing() { # EXIT-CODE
    wait_for has_ended "$1"
    diff "$LAB/before" "$LAB/after"
    nothing_hangs
    [ "$(ls "$EXERCISE/build")" = "$(printf 'verdict.json\nwatch.lock')" ]
}

nothing_hangs() {
    local process
    for process in $(pgrep -f 'sleep 4321'); do
        if grep -qzFx "CALLS=$CALLS" "/proc/$process/environ" 2>/dev/null; then return 1; fi
    done
}

@test "every save shows its verdict, keys show more, and q ends" {
    open_watch
    wait_for shows 'rung 1 of 6'
    wait_for shows 'checked ..:..:..  h hint  e explain  d changes  v verdict  q quit'
    press d
    wait_for shows 'There is no verdict before this one'
    echo 'rung 3' >"$PROGRAM"
    wait_for shows 'rung 3 of 6'
    press d
    wait_for shows '^-   rung 1 of 6'
    shows '^+   rung 3 of 6'
    run ! shows 'compiles'
    press h
    wait_for shows '^## Rung 4'
    press e
    wait_for shows '^uncoalesced-access'
    shows 'v verdict  space more  q quit'
    press Space
    wait_for shows "// right"
    run ! shows '^uncoalesced-access'
    press v
    wait_for shows 'rung 3 of 6'
    touch -d '1 hour ago' "$PROGRAM"
    wait_for checked 3
    wait_for asks d '^nothing in the verdict'
    echo 'is broken' >"$PROGRAM"
    wait_for shows 'could not check: is broken'
    press q
    has_left_nothing 0
}

@test "a check that hangs ends at the next save; Ctrl-C and a signal end all" {
    echo hang >"$PROGRAM"
    open_watch
    wait_for checked 1
    shows 'checking axpy.cu  h hint'
    echo 'rung 2' >"$PROGRAM"
    wait_for shows 'rung 2 of 6'
    wait_for nothing_hangs
    echo hang >"$PROGRAM"
    wait_for checked 3
    press C-c
    has_left_nothing 130
    "${TERMINAL[@]}" kill-server
    rm "$LAB/after"
    open_watch
    wait_for checked 4
    kill "$(tail -n 1 "$CALLS" | cut -d ' ' -f 1)"
    has_left_nothing 2
}

@test "a file that is being saved is waited for" {
    open_watch
    wait_for shows 'rung 1 of 6'
    : >"$PROGRAM"
    wait_for shows 'waiting for axpy.cu'
    echo 'rung 2' >"$PROGRAM"
    wait_for shows 'rung 2 of 6'
    rm "$PROGRAM"
    wait_for shows 'waiting for axpy.cu'
    echo 'rung 3' >"$LAB/new"
    mv "$LAB/new" "$PROGRAM"
    wait_for shows 'rung 3 of 6'
    checked 3
    local i
    for ((i = 0; i < 10; i++)); do
        printf '%s' hang >"$PROGRAM"
        sleep 0.02
    done
    echo 'rung 4' >"$PROGRAM"
    wait_for shows 'rung 4 of 6'
    nothing_hangs
}

@test "a smaller and a larger terminal, and one without UTF-8 and colours" {
    LANG=C open_watch
    wait_for shows 'FAIL neighbouring'
    run ! grep -P '[^\x00-\x7f]' <(screen)
    press h
    wait_for shows '^## Rung 2'
    "${TERMINAL[@]}" resize-window -x 60 -y 12
    sleep 0.5
    [ "$(screen | wc -l)" = 12 ]
    screen | tail -n 1 | grep '^checked'
    press Space
    "${TERMINAL[@]}" resize-window -x 100 -y 40
    press v
    wait_for shows '^axpy.cu on simulated GPU'
    shows 'rung 1 of 6'
    press q
    wait_for has_ended 0
    diff <(sed 1d "$LAB/before") <(sed 1d "$LAB/after")
}

@test "a dumb terminal gets no escape sequences, and NO_COLOR no colours" {
    command -v script >/dev/null || skip "there is no script"
    open_watch 'TERM=dumb script -qec "make -s watch" ../dumb'
    wait_for shows 'rung 1 of 6'
    press q
    wait_for has_ended 0
    grep 'checked ..:..:..  h hint  e explain  d changes  v verdict  q quit' "$LAB/dumb"
    run ! grep $'\e' "$LAB/dumb"
    "${TERMINAL[@]}" kill-server
    open_watch 'NO_COLOR=1 script -qec "make -s watch" ../plain'
    wait_for shows 'rung 1 of 6'
    press q
    wait_for has_ended 0
    grep -q $'\e\\[J' "$LAB/plain"
    run ! grep $'\e\\[3[0-9]m' "$LAB/plain"
}

@test "for an editor: findings between two lines, without a terminal; a second watch ends with one line" {
    make -s -C "$EXERCISE" watch FORMAT=gcc </dev/null >"$LAB/out" 2>&1 &
    WATCH=$!
    wait_for grep -q '^checked' "$LAB/out"
    run -2 --separate-stderr "$LAB/checker/bin/watch" "$EXERCISE" --format gcc
    [ "$stderr" = "could not check: make watch is running in this exercise already" ]
    [ "$output" = "" ]
    echo 'is broken' >"$PROGRAM"
    wait_for grep -q 'is broken' "$LAB/out"
    kill "$(tail -n 1 "$CALLS" | cut -d ' ' -f 1)"
    wait "$WATCH" || true
    [ "$(head -n 5 "$LAB/out")" = "checking axpy.cu
axpy.cu:58:1: warning: one warp's 32 loads touch 32 sectors of 32 bytes; 4 would be enough [uncoalesced-access]
checked axpy.cu
checking axpy.cu
could not check: is broken" ]
}

@test "a wrong call gets one line" {
    run -2 "$LAB/checker/bin/watch" "$EXERCISE" </dev/null
    [ "$output" = "make watch needs a terminal; make watch FORMAT=gcc does not" ]
    run -2 "$LAB/checker/bin/watch" "$EXERCISE" --format json
    [ "$output" = "FORMAT=json: for make watch it has to be pretty or gcc" ]
    run -2 "$LAB/checker/bin/watch" "$LAB" --format gcc
    [ "$output" = "watch: $LAB is not an exercise (it has no checker/ladder.tsv)" ]
    run -2 "$LAB/checker/bin/watch"
    [[ $output == "usage: "* ]]
}
