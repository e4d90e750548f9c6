# groups.bash: control groups for the steps of a check, of version 1 and of version 2 (cgroups(7)). sandbox-check and sandbox-mount source it.
# shellcheck disable=SC2034 # what it sets is for those who source it

# Makes control groups that limit the memory and the processes of all steps together, where this user may make some, and
# sets MADE to them. However many processes they have, together they have the claim on the processors of one process
# outside: a submission must not keep its grader waiting. When this script ends, another process removes them, even if this
# one is killed.
open_groups() { # MEMORY_MB PROCESSES
    local bytes=$(($1 << 20))
    MADE=()
    make_group memory memory.limit_in_bytes $bytes memory.memsw.limit_in_bytes $bytes
    make_group pids pids.max "$2"
    make_group cpu cpu.shares 1024
    [[ ${MADE[*]} ]] || make_group '' memory.max $bytes memory.swap.max 0 pids.max "$2" cpu.weight 100
    ((${#MADE[@]} == 0)) || exec {LIFE}> >(trap '' INT TERM HUP && cat >/dev/null && close_groups)
}

# Makes a group of a controller of version 1, or of version 2 if its name is empty: below this process's own group, or
# below the nearest one above it in which that is possible.
make_group() { # CONTROLLER [FILE VALUE]...
    local root path group
    find_hierarchy "$1"
    [[ $root && $path ]] || return 0
    path=${path%/}
    while true; do
        group=$root$path/warpup-$$-$SRANDOM
        if mkdir -- "$group" 2>/dev/null; then
            if limit_group "$group" "${@:2}"; then
                MADE+=("$group")
                return
            fi
            rmdir -- "$group"
        fi
        [[ $path ]] || return 0
        path=${path%/*}
    done
}

# Sets root to where a controller's groups are, and path to this process's own one there; both empty if there are none.
find_hierarchy() { # CONTROLLER
    local place type options number controllers one
    root='' path=''
    while read -r _ place type options _; do
        if [[ ! $1 && $type == cgroup2 ]] || [[ $1 && $type == cgroup && ,$options, == *,"$1",* ]]; then
            root=$place && break
        fi
    done </proc/mounts
    while IFS=: read -r number controllers one; do
        if [[ ! $1 && $number == 0 ]] || [[ $1 && ,$controllers, == *,"$1",* ]]; then path=$one && break; fi
    done </proc/self/cgroup
}

# Sets the limits of a group. Fails if the first one cannot be set, or if no process can be moved there: then the group
# is of no use. Not every kernel has the others.
limit_group() { # GROUP FILE VALUE...
    local i
    { printf '%s' "$3" >"$1/$2"; } 2>/dev/null || return 1
    for ((i = 4; i < $#; i += 2)); do
        { printf '%s' "${@:i+1:1}" >"$1/${!i}"; } 2>/dev/null || true
    done
    (printf '%s' "$BASHPID" >"$1/cgroup.procs") 2>/dev/null
}

# Removes the groups when their last process has ended.
close_groups() {
    local group attempts
    for group in "${MADE[@]}"; do
        for ((attempts = 0; attempts < 100; attempts++)); do
            [[ -d $group ]] && ! rmdir -- "$group" 2>/dev/null || break
            sleep 0.1
        done
    done
}

# Sets FIGURE to a number from a file of the groups; 0 if no group has it.
group_figure() { # FILE KEY
    local group key number
    FIGURE=0
    for group in "${MADE[@]}"; do
        [[ -r $group/$1 ]] || continue
        while read -r key number; do
            [[ $key != "$2" ]] || FIGURE=$((FIGURE + number))
        done <"$group/$1"
    done
}
