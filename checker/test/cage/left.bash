# left.bash: what hostile programs may have left on this machine, as a list of faults in one line. hostile and classroom
# source it.

# Numbers as in cage/sandbox-check: of a check with process number N, the steps and the simulated GPU run as these plus N.
readonly FIRST_STEP_USER=$((0x70000000)) FIRST_GPU_USER=$((0x60000000))

# Prints the processes and control groups of checks that have ended, and the mounts of any. Other checks may run on this
# machine: they are no fault.
left_of_checks() {
    local other
    other=$(ps -eo uid=,pid=,args= | awk -v step="$FIRST_STEP_USER" -v gpu="$FIRST_GPU_USER" '
        { user[$2] = $1; name[$2] = $3 }
        END {
            for (process in user) {
                first = user[process] >= step ? step : user[process] >= gpu ? gpu : 0
                if (first ? !(user[process] - first in user) : name[process] == "warpup-hostile")
                    print process, name[process]
            }
        }')
    [[ ! $other ]] || printf 'a process is left: %s; ' "${other//$'\n'/, }"
    other=$(groups_of_ended)
    [[ ! $other ]] || printf 'a control group is left: %s; ' "${other//$'\n'/, }"
    ! grep -qE '^(scratch|check) ' /proc/mounts || printf 'a mount is left; '
}

# Prints the control groups of checks that have ended.
groups_of_ended() {
    local group process number
    find /sys/fs/cgroup -maxdepth 8 -name 'warpup-*' 2>/dev/null | while IFS=- read -r group process number; do
        kill -0 "$process" 2>/dev/null || echo "$group-$process-$number"
    done
}
