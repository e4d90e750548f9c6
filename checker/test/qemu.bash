# qemu.bash: a Debian for arm64 on a machine that is none, for aarch64 and systems, which source it after chroot.bash. It
# does nothing by itself.
#
# Linux starts qemu where a program of aarch64 is called (binfmt_misc). It does so only in namespaces of their own, from
# Linux 6.7 on: nothing changes for other programs of this machine.

need_qemu() {
    command -v qemu-aarch64-static >/dev/null || refuse "please run: apt-get install -y qemu-user-static"
    export -f begin_qemu
}

# Such a program is known by the first 20 bytes of its file; the second list says which of their bits count.
begin_qemu() {
    local zeros='\x00\x00\x00\x00\x00\x00\x00\x00\x00' ones='\xff\xff\xff\xff\xff\xff\xff'
    mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc &&
        printf %s ":aarch64:M::\x7fELF\x02\x01\x01$zeros\x02\x00\xb7\x00:$ones\x00$ones\xff\xfe\xff\xff\xff:$(
            command -v qemu-aarch64-static):OCF" >/proc/sys/fs/binfmt_misc/register
}

# Runs a command whose programs may be of aarch64, or a function of the script that is exported. In a namespace of users
# that is made by root, these are the same users.
with_qemu() { # COMMAND...
    local go process here code=0
    here=$(readlink /proc/self/ns/user)
    exec {go}<> <(:)
    # shellcheck disable=SC2016 # expanded by the inner shell
    unshare --user --mount bash -c 'read -r -u "$0" && begin_qemu && "$@"' "$go" "$@" &
    process=$!
    while [[ $(readlink "/proc/$process/ns/user") == "$here" ]]; do sleep 0.01; done
    echo '0 0 65536' >"/proc/$process/uid_map"
    echo '0 0 65536' >"/proc/$process/gid_map"
    echo >&"$go"
    exec {go}>&-
    wait "$process" || code=$?
    return $code
}

# Unpacks a Debian of this release into ROOT, with these packages and those that they need. None of its programs runs
# meanwhile, so no package is configured.
unpack_arm64() { # RELEASE PACKAGE,...
    local package
    debootstrap --arch=arm64 --foreign --variant=minbase --include="$2" "$1" "$ROOT" "$MIRROR"
    for package in "$ROOT"/var/cache/apt/archives/*.deb; do dpkg-deb -x "$package" "$ROOT" || return; done
}
