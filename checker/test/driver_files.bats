#!/usr/bin/env bats
# files: the lock, and the folders of checks.
bats_require_minimum_version 1.5.0

setup_file() {
    make -s -C "$BATS_TEST_DIRNAME/../.." -f checker/lab.mk
}

setup() {
    load helper
    FILES=$BUILD/fsutil
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
    [ "$output" = "fsutil: cannot start ./nowhere: No such file or directory" ]
    run -3 "$FILES" lock nowhere/lock true
    [ "$output" = "fsutil: cannot open nowhere/lock: No such file or directory" ]
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

# Builds a program around checker/fsutil/folders.c: folders rename FROM TO, or folders keep NEW LAST.
build_folders() {
    gcc -std=c11 -I"$TOP/checker" -o folders -x c - "$TOP/checker/fsutil/folders.c" <<'END'
#include "fsutil/folders.h"
#include <stdio.h>
#include <string.h>
int main(int argc, char *argv[])
{
    bool renames = argc == 4 && strcmp(argv[1], "rename") == 0;
    bool done = renames ? folder_rename(argv[2], argv[3]) : folder_keep(argv[2], argv[3]);
    if (!done) perror(argv[2]);
    return done ? 0 : 3;
}
END
}

@test "a folder that is renamed takes the place of another, and links lead nowhere" {
    build_folders
    mkdir -p run-1 sim-0/deep elsewhere
    echo mine >run-1/file
    echo old | tee sim-0/deep/file >elsewhere/file
    ln -s ../elsewhere sim-0/link
    ./folders rename run-1 sim-0
    [ "$(ls)" = "$(printf 'elsewhere\nfolders\nsim-0')" ]
    [ "$(cat sim-0/file elsewhere/file)" = "$(printf 'mine\nold')" ]
    run -3 ./folders rename gone sim-1
    [ "$output" = "gone: No such file or directory" ]
}

@test "the latest check takes the place of the one before; there is always one" {
    local i
    build_folders
    for i in {1..30}; do mkdir "check-$i" && echo "$i" >"check-$i/number"; done
    ./folders keep check-1 last
    [ "$(cat last/number)" = 1 ]
    for i in {2..30}; do ./folders keep "check-$i" last & done
    for i in {1..50}; do [ -s last/number ]; done
    wait
    [ "$(ls)" = "$(printf 'folders\nlast')" ]
    [ "$(cat last/number)" -gt 1 ]
    run -3 ./folders keep nowhere last
    [ "$output" = "nowhere: No such file or directory" ]
    [ -s last/number ]
}

@test "wrong arguments give a usage line" {
    local arguments
    for arguments in '' lock 'lock file' 'other a b'; do
        # shellcheck disable=SC2086 # a list of words
        run -2 "$FILES" $arguments
        [[ $output == "usage: fsutil lock FILE PROGRAM"* ]]
    done
}
