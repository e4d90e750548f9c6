#!/usr/bin/env bats
# files: the lock, the renaming and the place of the latest check.
bats_require_minimum_version 1.5.0

setup_file() {
    make -s -C "$BATS_TEST_DIRNAME/../.." -f checker/lab.mk
}

setup() {
    load helper
    FILES=$BUILD/files
    cd "$BATS_TEST_TMPDIR" || return
}

@test "only one command at a time holds a lock, and its exit code is passed on" {
    local i
    echo 0 >count
    for i in {1..20}; do
        # shellcheck disable=SC2016 # the inner shell expands it
        "$FILES" lock lock bash -c 'read -r n <count; sleep 0.01; echo $((n + 1)) >count' &
    done
    wait
    [ "$(cat count)" = 20 ]
    run -7 "$FILES" lock lock bash -c 'exit 7'
    run -3 "$FILES" lock lock ./nowhere
    [ "$output" = "files: cannot start ./nowhere: No such file or directory" ]
    run -3 "$FILES" lock nowhere/lock true
    [ "$output" = "files: cannot open nowhere/lock: No such file or directory" ]
}

@test "a script holds a lock until it ends" {
    # shellcheck disable=SC2016 # the inner shell expands it
    local hold='exec {file}>>lock; "$1" hold "$file" || exit; [[ ! ${2-} ]] || "${@:2}"'
    run -1 bash -c "$hold" - "$FILES" bash -c "$hold" - "$FILES"
    [ "$output" = "" ]
    run -0 bash -c "$hold" - "$FILES"
}

# Where FLOCK_ERRNO is set, flock(2) fails with this error, as on a file system without locks.
without_locks() {
    gcc -shared -fPIC -o noflock.so -x c - <<'END'
#include <errno.h>
#include <stdlib.h>
int flock(int file, int operation) { errno = atoi(getenv("FLOCK_ERRNO")); return -1; }
END
    NO_LOCKS=(env LD_PRELOAD="$PWD/noflock.so" FLOCK_ERRNO="$1")
}

@test "on a file system without locks, only one command at a time runs all the same" {
    local i errno
    for errno in 1 37 38; do # EPERM, ENOLCK, ENOSYS
        without_locks $errno
        echo 0 >count
        for i in {1..8}; do
            # shellcheck disable=SC2016 # the inner shell expands it
            "${NO_LOCKS[@]}" "$FILES" lock lock bash -c 'read -r n <count; sleep 0.01; echo $((n + 1)) >count' &
        done
        wait
        [ "$(cat count)" = 8 ]
    done
    run -7 "${NO_LOCKS[@]}" "$FILES" lock lock bash -c 'exit 7'
    run -3 "${NO_LOCKS[@]}" "$FILES" lock lock ./nowhere
    [ ! -L lock.held ]
}

@test "a lock whose holder was killed, or is far too old, is taken over; an interrupted one is given back" {
    local holder code=0
    without_locks 37
    "${NO_LOCKS[@]}" "$FILES" lock lock sleep 100 &
    holder=$!
    until [ -L lock.held ]; do sleep 0.01; done
    kill "$holder"
    wait "$holder" || code=$?
    [ "$code" = 143 ]
    [ ! -L lock.held ]
    ln -s "$(uname -n):999999999" lock.held
    run -0 timeout 10 "${NO_LOCKS[@]}" "$FILES" lock lock echo held
    [ "$output" = held ]
    ln -s other-machine:1 lock.held
    touch -h -d '16 minutes ago' lock.held
    run -0 timeout 10 "${NO_LOCKS[@]}" "$FILES" lock lock echo held
    ln -s other-machine:1 lock.held
    run -124 timeout 0.3 "${NO_LOCKS[@]}" "$FILES" lock lock echo held
}

@test "renames several folders, and removes what has one of their names" {
    mkdir -p lab/run-1 lab/run-2 lab/sim-0/deep lab/elsewhere
    echo mine >lab/run-1/file
    echo old | tee lab/sim-0/deep/file >lab/elsewhere/file
    ln -s ../elsewhere lab/sim-0/link
    "$FILES" rename lab run-1 sim-0 run-2 sim-1
    [ "$(ls lab)" = "$(printf 'elsewhere\nsim-0\nsim-1')" ]
    [ "$(cat lab/sim-0/file lab/elsewhere/file)" = "$(printf 'mine\nold')" ]
    "$FILES" rename lab
    run -3 "$FILES" rename lab gone sim-0
    [ "$output" = "files: cannot rename gone: No such file or directory" ]
}

@test "the latest check takes the place of the one before; there is always one" {
    local i
    for i in {1..30}; do mkdir "check-$i" && echo "$i" >"check-$i/number"; done
    "$FILES" keep check-1 last
    [ "$(cat last/number)" = 1 ]
    for i in {2..30}; do "$FILES" keep "check-$i" last & done
    for i in {1..50}; do [ -s last/number ]; done
    wait
    [ "$(ls)" = last ]
    [ "$(cat last/number)" -gt 1 ]
    run -3 "$FILES" keep nowhere last
    [ "$output" = "files: cannot rename nowhere: No such file or directory" ]
    [ -s last/number ]
}

@test "wrong arguments give a usage line" {
    local arguments
    for arguments in '' lock 'lock file' 'rename lab one' 'keep new' 'other a b'; do
        # shellcheck disable=SC2086 # a list of words
        run -2 "$FILES" $arguments
        [[ $output == "usage: files lock FILE PROGRAM"* ]]
    done
}
