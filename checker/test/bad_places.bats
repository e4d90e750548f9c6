#!/usr/bin/env bats
# A check in bad places: an installation or a copy of the lab that is not whole, limits, full disks, other users' folders.
# Each gives one clear line and exit code 2, or works. The program is never blamed.
bats_require_minimum_version 1.5.0

setup_file() {
    make -s -C "$BATS_TEST_DIRNAME/../.." -f checker/lab.mk
    "$BATS_TEST_DIRNAME/../../solutions/stage" "$BATS_TEST_DIRNAME/../../ex01_axpy" print 3 >"$BATS_FILE_TMPDIR/stage3.cu"
}

setup() {
    load helper
    export GPU=sim NO_COLOR=1 LC_ALL=C
    unset WARPUP_PLAIN DEVICE_COMPILER WARPUP_CLANG CLANG
    EXERCISE="$BATS_TEST_TMPDIR/Übung mit Leerzeichen/ex01_axpy"
    mkdir -p "$EXERCISE"
    cp -r "$TOP/ex01_axpy/checker" "$EXERCISE/"
    printf 'both\tright\t1000\nsim\tspeed\t65536\n' >"$EXERCISE/checker/sizes.tsv"
    cp "$BATS_FILE_TMPDIR/stage3.cu" "$EXERCISE/axpy.cu"
}

check() {
    "$TOP/checker/check" "$EXERCISE" "$@"
}

# The check is not possible, for this reason, as one text.
not_possible() { # REASON
    run -2 check
    echo "$output"
    [[ "$(tr -s ' \n' '  ' <<<"$output")" == *"could not check: "*"$1"* ]]
    [[ $output != *FAIL* ]]
}

# A clang that says its version and where its headers are, and otherwise does what the lines of shell say.
fake_compiler() { # LINES
    local real
    real=$(type -P clang-{21..16} | head -n 1)
    [ "$real" ] || skip "there is no clang with its version in its name"
    export WARPUP_CLANG=$BATS_TEST_TMPDIR/clang
    # shellcheck disable=SC2016 # for the program
    printf '#!/bin/bash\n[[ $1 != --version && $1 != -print-* ]] || exec %s "$@"\n%s\n' "$real" "$1" >"$WARPUP_CLANG"
    chmod +x "$WARPUP_CLANG"
}

@test "a compiler that is only half installed is not the program's error" {
    fake_compiler 'echo "clang: error: unable to execute command: Executable \"ld\" doesn'"'"'t exist!" >&2; exit 1'
    not_possible "clang failed: clang: error: unable to execute command: Executable \"ld\" doesn't exist!"
    fake_compiler 'echo "axpy.cu:9:10: fatal error: '"'cmath'"' file not found" >&2; exit 1'
    not_possible "clang finds no headers of C++; to install them: sudo apt install g++, or your system's g++"
    fake_compiler 'echo "axpy.cu:9:10: fatal error: '"'omp.h'"' file not found" >&2; exit 1'
    not_possible "the headers of OpenMP are missing; to install them: "
    fake_compiler 'echo "error: unable to create target: '"'No available targets are compatible with triple nvptx64'"'" >&2; exit 1'
    not_possible "clang cannot make code for NVIDIA's GPUs; to install one that can: "
}

@test "a compiler that the system killed, or that failed by itself, is not the program's error" {
    # shellcheck disable=SC2016 # for the program
    fake_compiler 'kill -KILL $$'
    not_possible "clang crashed: Killed"
    fake_compiler 'echo "PLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/" >&2; exit 1'
    not_possible "clang crashed"
}

@test "an error of the program stays one" {
    sed -i 's/^int main/int x = ;\n&/' "$EXERCISE/axpy.cu"
    run -1 check
    [[ $output == *"0 FAIL compiles"$'\n'"axpy.cu:"*": error: expected expression"* ]]
}

@test "a library that is missing when the program starts is not its error" {
    sed -i '/^int main/,/^{$/s/^{$/& if (argc > 0) { fputs("program: error while loading shared libraries: libdw.so.1: cannot open\\n", stderr); exit(127); }/' "$EXERCISE/axpy.cu"
    not_possible "error while loading shared libraries: libdw.so.1: cannot open; checker/bin/setup installs what is missing"
}

@test "the simulated GPU has fewer addresses where they are limited; too few give the reason" {
    check() { (ulimit -v "$LIMIT" && "$TOP/checker/check" "$EXERCISE"); }
    LIMIT=2000000 run -1 check
    [[ $output == *"rung 3 of 7"* ]]
    LIMIT=600000 not_possible "no addresses are left for the simulated GPU's memory"
}

@test "a TMPDIR that is full, or where no program may run, does not matter" {
    export TMPDIR=$BATS_TEST_TMPDIR/own
    mkdir "$TMPDIR"
    mount_tmpfs "$TMPDIR" size=4k
    head -c 4096 /dev/zero >"$TMPDIR/file"
    run -1 check
    [[ $output == *"rung 3 of 7"* ]]
    rm "$TMPDIR/file"
    mount -o remount,noexec,size=9m "$TMPDIR"
    run -1 check
    [[ $output == *"rung 3 of 7"* ]]
}

@test "a lab that belongs to somebody else, as a home to root where NFS squashes root, gives one line" {
    [ "$EUID" = 0 ] || skip "only root can become another user"
    type -P setpriv >/dev/null || skip "there is no setpriv"
    chmod a+X "$BATS_RUN_TMPDIR" "${BATS_TEST_TMPDIR%/*}" "$BATS_TEST_TMPDIR"
    local user=("$(type -P setpriv)" --reuid=12345 --regid=12345 --clear-groups)
    "${user[@]}" test -x "$TOP/checker/check" || skip "other users cannot read the lab"
    run -2 "${user[@]}" "$TOP/checker/check" "$EXERCISE"
    [ "$output" = "could not check: $EXERCISE/build cannot be written: Permission denied" ]
}

# A copy of what make reads before the first script runs.
copy_makefiles() {
    COPY=$BATS_TEST_TMPDIR/copy
    mkdir -p "$COPY/checker/bin" "$COPY/ex01_axpy/checker"
    cp "$TOP/Makefile" "$COPY/"
    cp "$TOP"/checker/*.mk "$COPY/checker/"
    cp "$TOP/checker/bin/check" "$TOP/checker/bin/explain" "$COPY/checker/bin/"
    cp -r "$TOP/checker/mistakes" "$COPY/checker/"
    cp "$TOP/ex01_axpy/Makefile" "$COPY/ex01_axpy/"
}

@test "a checkout with the line ends of Windows is named, and the command that it names repairs it" {
    local folder command
    copy_makefiles
    find "$COPY" -type f -exec sed -i 's/$/\r/' {} +
    for folder in "$COPY" "$COPY/ex01_axpy"; do
        run -2 make -s -C "$folder" check
        [[ $output == *"checker/preflight.mk:"*" the lab's files have the line ends of Windows. Repair them in its top folder: "* ]]
        [ "${#lines[@]}" = 1 ]
    done
    command=${output#*top folder: }
    (cd "$COPY" && eval "${command%.  Stop.}")
    run -0 make -s -C "$COPY" explain leak
    [ "${lines[0]}" = leak ]
}

@test "git gives the lab's files the line ends that bash needs, on Windows too" {
    cd "$TOP"
    git rev-parse >/dev/null 2>&1 || skip "this copy of the lab is not a git checkout"
    [ "$(git check-attr eol checker/check Makefile | sort -u | grep -c 'eol: lf')" = 2 ]
}

@test "a file system that lets nothing run, or a copy without permissions, is named" {
    copy_makefiles
    chmod -x "$COPY/checker/bin/check"
    run -2 make -s -C "$COPY" check
    [[ $output == *"checker/bin/check cannot be executed: the file system forbids it (noexec), or a copy lost the permissions (chmod -R +x .)"* ]]
    chmod +x "$COPY/checker/bin/check"
    mount_tmpfs "$COPY/ex01_axpy" size=8m
    cp -r "$COPY"/checker "$COPY/ex01_axpy/"
    cp "$COPY/Makefile" "$COPY/ex01_axpy/"
    run -0 make -s -C "$COPY/ex01_axpy" help
    mount -o remount,noexec "$COPY/ex01_axpy"
    run -2 make -s -C "$COPY/ex01_axpy" help
    [[ $output == *"cannot be executed: the file system forbids it (noexec)"* ]]
}
