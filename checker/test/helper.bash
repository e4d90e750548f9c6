# helper.bash: what the lab's tests share. A test file loads it, or its setup() does.

TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
BUILD=${WARPUP_BUILD:-$TOP/build}
export TOP BUILD

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
