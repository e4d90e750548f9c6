#!/usr/bin/env bats
# class_slurm.bats: make class with EXECUTOR=slurm, on a real Slurm that slurm/cluster starts on this machine.
bats_require_minimum_version 1.5.0

setup() {
    load helper
    teardown() { # in place of the helper's
        [ ! -e "$CLUSTER" ] || checker/test/slurm/cluster down "$CLUSTER"
    }
    cd "$TOP" || return
    command -v python3 >/dev/null || skip "there is no python3"
    CLUSTER=$BATS_TEST_TMPDIR/cluster
    SLURM_CONF=$(checker/test/slurm/cluster up "$CLUSTER") || skip "there is no Slurm here"
    export SLURM_CONF FROM=$BATS_TEST_TMPDIR/from TO=$BATS_TEST_TMPDIR/to EXERCISES=ex01_axpy SEED=7 GPU=sim EXECUTOR=slurm
    export WARPUP_SANDBOX_CHECK=$TOP/checker/test/class/sandbox-check CALLS=$BATS_TEST_TMPDIR/calls
    unset DEADLINE UNSAFE JOBS
    mkdir "$FROM"
    : >"$CALLS"
}

# Programs of rung 2, each of which takes some SECONDS to check
hand_in() { # SECONDS NAME...
    local name
    for name in "${@:2}"; do
        mkdir "$FROM/$name"
        printf '// %s\n' 'rung 2' "sleep $1" "by $name" >"$FROM/$name/axpy.cu"
    done
}

# The finished checks, and when each was written
finished() {
    find "$TO/.work/checks" -name check.json -printf '%h %T@\n' 2>/dev/null | sort
}

@test "two nodes share a class; with class, controller and a node killed in turn, nothing is lost or done twice" {
    local kept
    hand_in 1 a b c d e f g h i j k l m n o p
    checker/class/class 3>&- 2>&1 &
    until (($(finished | wc -l) >= 2)); do sleep 0.2; done
    kill -KILL $!
    wait $! || true
    kept=$(finished)
    checker/test/slurm/cluster stop "$CLUSTER" controller
    checker/class/class >"$BATS_TEST_TMPDIR/log" 2>&1 3>&- &
    sleep 3
    checker/test/slurm/cluster start "$CLUSTER" controller
    checker/test/slurm/cluster stop "$CLUSTER" n1
    while kill -0 $! 2>/dev/null; do checker/test/slurm/cluster tend "$CLUSTER" && sleep 1; done
    wait $!
    [ "$(cut -d , -f 3,4 "$TO/grades.csv" | sort | uniq -c | tr -s ' ')" = $' 16 graded,2\n 1 state,rung' ]
    [ -z "$(comm -23 <(printf '%s\n' "$kept") <(finished))" ]
    [ -z "$(squeue -h)" ]
    [ "$(sort "$CALLS" | uniq -c | awk '$1 > 2' | wc -l)" = 0 ]
}

@test "in a reservation, what no node can do is said with the reason; no sandbox ends the array" {
    hand_in 0 a
    scontrol create reservation=course users=root nodes=ALL starttime=now duration=60
    export SBATCH_RESERVATION=course
    printf '// %s\n' 'exit 2' 'by b' >"$FROM/a/axpy.cu"
    run -1 checker/class/class
    [[ $output == *"could not do 1 checks"*"there is no room"* ]]
    [[ $(scontrol show job -o) == *"Reservation=course"* ]]
    printf '// %s\n' 'exit 3' 'by b' >"$FROM/a/axpy.cu"
    run -3 checker/class/class
    [[ $output == *"there is no room"*"UNSAFE=1"* ]]
    [ -z "$(squeue -h)" ]
}
