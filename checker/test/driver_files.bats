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
