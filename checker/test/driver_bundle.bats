#!/usr/bin/env bats
# A lab that came with its tools built. checker/test/distro-matrix tries the real bundle on other systems; here this machine's
# tools stand for those of a bundle.
bats_require_minimum_version 1.5.0

# An unpacked bundle, whose sources are newer than its tools: some programs that unpack do that.
setup_file() {
    local tools
    load helper
    make -s -C "$TOP" -f checker/lab.mk
    export LAB="$BATS_FILE_TMPDIR/a bundle"
    mkdir -p "$LAB/build"
    tar -C "$TOP" --exclude=./build --exclude='./*/build' --exclude=node_modules --exclude=./.git --exclude=./checker/test -cf - . |
        tar -C "$LAB" -xmf -
    mapfile -t tools < <(make -s -C "$TOP" -f checker/lab.mk brought)
    (cd "$BUILD" && cp --parents -t "$LAB/build" -- "${tools[@]}")
    find "$LAB/build" -type f -exec touch -d 2001-01-01 {} +
    echo 1.0 >"$LAB/build/bundle"
    reduce_path "$BATS_FILE_TMPDIR/bin"
}

# All that a check of a bundle may use.
reduce_path() { # FOLDER
    local program
    mkdir "$1"
    while read -r program; do ln -s "$program" "$1/"; done < <(type -P clang-{21..16})
    for program in bash sh make ld awk sed grep cat cksum cp cut date env head id ln ls mkdir mktemp mv nproc \
        printf realpath rm sort stat tail timeout touch tr uname wc chmod; do
        ln -s "$(type -P "$program")" "$1/$program"
    done
}

setup() {
    load helper
    unset WARPUP_BUILD
    export GPU=sim NO_COLOR=1
}

@test "a check of a bundle needs only bash, make, clang, a linker, awk, sed, grep and coreutils, and builds no tool" {
    local tool
    PATH=$BATS_FILE_TMPDIR/bin run make -s -C "$LAB/ex01_axpy" check
    echo "$output"
    [ "$status" = 0 ]
    [[ $output == *"rung 0 of 7"* ]]
    [[ $output != *"files: cannot"* ]]
    [ ! -e "$LAB/build/obj" ]
    for tool in gpu cc libcudart.so files run show progress ex01_axpy/judge; do
        [ "$LAB/build/$tool" -ot "$LAB/checker/lab.mk" ]
    done
    [ -e "$LAB/build/cuda-headers/flags" ]
}

@test "make progress of a bundle shows the check" {
    PATH=$BATS_FILE_TMPDIR/bin run make -s -C "$LAB" progress
    echo "$output"
    [ "$status" = 0 ]
    [[ $output == *"ex01_axpy"*"rung 0 of 7"* ]]
}

@test "make reset of a bundle needs no other programs" {
    cp "$LAB/ex02_rot/rot.cu" "$BATS_TEST_TMPDIR/starter"
    PATH=$BATS_FILE_TMPDIR/bin run -0 make -s -C "$LAB/ex02_rot" reset
    [ "$output" = "rot.cu is the starter already" ]
    echo '// mine' >>"$LAB/ex02_rot/rot.cu"
    PATH=$BATS_FILE_TMPDIR/bin run -0 make -s -C "$LAB/ex02_rot" reset
    [ "${lines[0]}" = "your file is now rot.cu.1, in ex02_rot" ]
    [ "${#lines[@]}" = 2 ]
    cmp "$LAB/ex02_rot/rot.cu" "$BATS_TEST_TMPDIR/starter"
}

@test "no tool of a bundle asks for the libjansson or the libseccomp of a machine" {
    make -s -n -B -C "$TOP" -f checker/lab.mk BUNDLE=yes WARPUP_BUILD="$BATS_TEST_TMPDIR/build" >"$BATS_TEST_TMPDIR/commands"
    [ "$(grep -c -- '-l:libjansson.a' "$BATS_TEST_TMPDIR/commands")" -ge 3 ]
    grep -q -- '-l:libseccomp.a' "$BATS_TEST_TMPDIR/commands"
    run ! grep -E -- '-l(jansson|seccomp)' "$BATS_TEST_TMPDIR/commands"
}

@test "setup asks for nothing that a bundle brings" {
    PATH=$BATS_FILE_TMPDIR/bin run "$LAB/checker/bin/setup"
    [ "$status" = 0 ]
    [ "$output" = "" ]
}

@test "make clean leaves a bundle its tools" {
    local copy="$BATS_TEST_TMPDIR/copy"
    cp -r "$LAB" "$copy"
    make -s -C "$copy" clean
    [ -x "$copy/build/run" ]
    [ -e "$copy/build/bundle" ]
    [ ! -e "$copy/build/cuda-headers" ]
    [ ! -e "$copy/ex01_axpy/build" ]
}

@test "make bundle says in one line what it needs" {
    local copy="$BATS_TEST_TMPDIR/copy"
    mkdir -p "$copy"
    tar -C "$TOP" --exclude=./build --exclude='./*/build' --exclude=node_modules --exclude=./.git -cf - . | tar -C "$copy" -xf -
    mkdir "$BATS_TEST_TMPDIR/bin"
    ln -s "$(type -P bash)" "$(type -P make)" "$BATS_FILE_TMPDIR/bin/awk" "$BATS_TEST_TMPDIR/bin/"
    PATH=$BATS_TEST_TMPDIR/bin:$BATS_FILE_TMPDIR/bin run -2 "$copy/checker/bin/bundle"
    [ "${#lines[@]}" = 1 ]
    [[ ${lines[0]} == "bundle: please run"* ]]
}
