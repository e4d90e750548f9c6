# stoppable.bash: for scripts that run programs and have a directory for their files. When a signal asks such a script to
# stop, all its programs end first, and then the directory is removed. Scripts source it; it does nothing by itself.

# Runs a command as `stoppable` does, with SCRATCH, a directory that is removed when the script ends. The temporary files
# of the programs are there too: a compiler that is stopped leaves them.
with_scratch() { # COMMAND...
    SCRATCH=$(mktemp -d) || exit 2
    trap 'rm -rf -- "$SCRATCH"' EXIT
    TMPDIR=$SCRATCH stoppable "$@"
}

# Runs a command, ends all processes that it has left, and returns its exit code. A signal ends them and the script.
# bash takes no notice of a signal while it waits for a program. So the command is a process beside this one, which only
# waits. The command has a process group of its own, so that one call of kill reaches all processes. They hold LIFE, a
# pipe that nobody writes to, and LEFT is its other end.
stoppable() { # COMMAND...
    local code=0
    NESTED=${WARPUP_STOPPABLE-}
    export WARPUP_STOPPABLE=yes
    exec {LIFE}<> <(:)
    exec {LEFT}<"/dev/fd/$LIFE"
    trap 'stopped 1' HUP
    trap 'stopped 2' INT
    trap 'stopped 15' TERM
    set -m # a job has its own process group
    "$@" </dev/null &
    set +m
    exec {LIFE}>&-
    wait $! || code=$?
    end_job
    return "$code"
}

# Ends the script because of a signal. One line says so, unless another script that was stopped too says it.
stopped() { # SIGNAL
    local said
    trap '' HUP INT TERM
    exec {said}>&2 2>/dev/null # bash reports that the command's shell was killed
    kill -KILL "$!" || true # this shell would report how its program ends
    end_job
    ! declare -F doing >/dev/null || DOING=yes doing '' 2>&"$said"
    [[ $NESTED ]] || printf '%s: stopped\n' "${0##*/}" >&"$said"
    exit $((128 + $1))
}

# Ends the processes of the job's group, and waits for them. None is left when the group is empty, or when nobody holds
# LIFE any more: the dead may stay in the group. A process gets SIGKILL only if it ignores SIGTERM for a while.
end_job() {
    local round signal=TERM code
    for ((round = 0; round < 20; round++)); do
        ((round < 10)) || signal=KILL
        kill -"$signal" -- "-$!" 2>/dev/null || return 0
        code=0
        read -r -t 1 -u "$LEFT" || code=$?
        ((code > 128)) || return 0
    done
}
