# chroot.bash: small systems of other releases, in chroots, for scripts that prove or build the lab there. They need
# root and debootstrap, and a network to make chroots, which stay for the next time. Nothing stays mounted, however such
# a script ends: it works in a mount namespace of its own. Scripts source it; it does nothing by itself.
#
# Environment: WARPUP_CHROOTS, where the chroots are: build/chroots unless set; WARPUP_MIRROR, a mirror of Debian: unless
# set, the one that this machine's apt uses.
# shellcheck disable=SC2034 # what it sets is for those who source it

# Ends the script with one line and exit code 2.
refuse() { # REASON
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 2
}

# Runs the script once more in namespaces of its own, unless this is that run. When this process ends, even by SIGKILL,
# all that runs there ends, and its mounts end with it.
in_own_namespace() { # ARGUMENT...
    local code=0
    if [[ ${WARPUP_UNSHARED-} == yes ]]; then
        trap 'exit 130' INT
        trap 'exit 143' TERM
        return
    fi
    ((EUID == 0)) || refuse "please run it as root: it makes chroots"
    command -v debootstrap >/dev/null || refuse "please run: apt-get install -y debootstrap"
    WARPUP_UNSHARED=yes setpriv --pdeathsig KILL unshare --mount --mount-proc --pid --fork --kill-child "$0" "$@" &
    # shellcheck disable=SC2064 # the process that was started just now
    trap "kill -KILL $! 2>/dev/null" EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    wait $! || code=$?
    trap - EXIT
    exit $code
}

# Sets CHROOTS to the directory of the chroots, and MIRROR to where Debian's packages come from.
find_chroots() {
    CHROOTS=${WARPUP_CHROOTS:-$PWD/build/chroots}
    mkdir -p -- "$CHROOTS"
    CHROOTS=$(cd -- "$CHROOTS" && pwd)
    # shellcheck disable=SC2016 # the variables are apt's
    MIRROR=${WARPUP_MIRROR:-$(apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Identifier: Packages' |
        awk '$1 == "Debian" && !found++ { print $2 }')}
    MIRROR=${MIRROR:-http://deb.debian.org/debian}
}

# Makes ROOT by a command, unless it is there and whole.
make_once() { # COMMAND...
    [[ ! -e $ROOT/.whole ]] || return 0
    rm -rf --one-file-system -- "$ROOT"
    "$@" >"$ROOT.made.log" 2>&1 || refuse "$ROOT cannot be made: see $ROOT.made.log"
    touch "$ROOT/.whole"
}

# Makes ROOT as a copy of its release's own chroot, with these packages; FOREIGN names another architecture, if some are
# of it. The mirror may be a snapshot: its lists of packages may have expired.
install_packages() { # RELEASE PACKAGE...
    cp -a --one-file-system -- "$CHROOTS/$1" "$ROOT" &&
        rm -f -- "$ROOT/.whole" &&
        cp -L /etc/resolv.conf "$ROOT/etc/" &&
        echo 'Acquire::Check-Valid-Until "false";' >"$ROOT/etc/apt/apt.conf.d/old-mirror" &&
        echo force-unsafe-io >"$ROOT/etc/dpkg/dpkg.cfg.d/fast" &&
        have_proc &&
        { [[ ! ${FOREIGN-} ]] || inside dpkg --add-architecture "$FOREIGN"; } &&
        inside apt-get update -q &&
        inside apt-get install -q -y --no-install-recommends "${@:2}"
}

have_proc() {
    mountpoint -q "$ROOT/proc" || mount -t proc proc "$ROOT/proc"
}

# Runs a command in the chroot ROOT. EMULATOR is what comes before it, if its programs are of another kind of machine.
EMULATOR=()
inside() { # COMMAND...
    "${EMULATOR[@]}" chroot "$ROOT" /usr/bin/env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
        LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@" </dev/null
}
