# helper.bash: what the lab's tests share. A test file loads it, or its setup() does.

TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
BUILD=${WARPUP_BUILD:-$TOP/build}
export TOP BUILD

# Passes on one of a long test's parts, one per line, that of the commit: part k of n, n as many as there are. With WARPUP_EVERY=1, as it
# is unless `all` sets it, passes on all of them.
part_of_commit() {
    awk -v every="${WARPUP_EVERY:-1}" -v first="${WARPUP_FIRST:-0}" '
        { part[NR - 1] = $0 }
        END { for (k = 0; k < NR; k++) if (every == 1 || k == first % NR) print part[k] }'
}

# Passes on those of a table's rows that belong to WARPUP_EVERY and WARPUP_FIRST: with 8 and 3, every eighth row, the fourth of each
# eight; without them, all rows. Of a table that has fewer rows, it passes on one.
sample() {
    awk -v every="${WARPUP_EVERY:-1}" -v first="${WARPUP_FIRST:-0}" '
        { row[NR - 1] = $0 }
        END {
            if (every > NR) every = NR
            for (k = 0; k < NR; k++) if (k % every == first % every) print row[k]
        }'
}

# The same for rows that take seconds each: one in three.
third() {
    WARPUP_EVERY=$((${WARPUP_EVERY:-1} > 3 ? 3 : 1)) sample
}

# Mounts a small file system over a directory, or skips the test where that is not permitted.
# Unmounted again by umount_tmpfs or at the test's end.
mount_tmpfs() { # DIRECTORY OPTIONS
    mount -t tmpfs -o "$2" tmpfs "$1" 2>/dev/null || skip "mounting is not permitted here"
    MOUNTED+=("$1")
}

umount_tmpfs() {
    local directory
    for directory in "${MOUNTED[@]}"; do umount -l "$directory"; done
    MOUNTED=()
}

teardown() {
    umount_tmpfs
}
