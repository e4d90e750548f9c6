#!/usr/bin/env bats
# The archive for students: what is in it, that it is always the same, and that what it names works.
bats_require_minimum_version 1.5.0

# A git checkout of the lab as it is now, whose student has solved axpy and left other files; its archive
# is unpacked in GIVEN.
setup_file() {
    load helper
    command -v git >/dev/null || skip "there is no git"
    make -s -C "$TOP" -f checker/lab.mk
    export LAB="$BATS_FILE_TMPDIR/a lab" GIVEN="$BATS_FILE_TMPDIR/given/warpup"
    copy_checkout "$LAB"
    "$TOP/solutions/stage" "$TOP/ex01_axpy" print 6 >"$LAB/ex01_axpy/axpy.cu"
    echo 'the solution of the exam' >"$LAB/checker/notes"
    make -s -C "$LAB" dist >"$BATS_FILE_TMPDIR/said" 2>&1
    mkdir "${GIVEN%/*}"
    tar -C "${GIVEN%/*}" -xzf "$LAB/build/warpup.tar.gz"
}

setup() {
    load helper
    export GPU=sim NO_COLOR=1 LC_ALL=C.UTF-8 WARPUP_BUILD="$BUILD"
}

# Copies the lab's files into a new git checkout with one commit, which is older than the lab's tools.
copy_checkout() { # DIRECTORY
    local git=(git -C "$1" -c user.name=lab -c user.email=lab@example.org)
    local -x GIT_COMMITTER_DATE=2020-01-01T00:00:00Z
    mkdir "$1"
    tar -C "$TOP" --exclude=./build --exclude='./*/build' --exclude=node_modules --exclude=./.git -cf - . | tar -C "$1" -xf -
    "${git[@]}" init -q
    "${git[@]}" add -A
    "${git[@]}" commit -q -m lab
}

@test "the archive has the starters, and no solutions, lectures, tests or other files" {
    local exercise
    grep -qx 'build/warpup.tar.gz' "$BATS_FILE_TMPDIR/said"
    grep -qx 'make dist: changes that are not committed are not in the archive' "$BATS_FILE_TMPDIR/said"
    cd "$GIVEN"
    for exercise in ex*; do
        cmp "$exercise/${exercise#*_}.cu" "$TOP/$exercise/checker/starter.cu"
    done
    diff <(printf '%s\n' ex*) <(cd "$TOP" && printf '%s\n' ex*)
    [ -x checker/check ]
    [ "$(find . -name solutions -o -name '*.patch' -o -name build -o -name notes -o -path ./checker/test -o -path ./slides \
        -o -path ./day1/quiz -o -path ./day1/measured -o -path ./day1/README.md -o -name .git | wc -l)" = 0 ]
}

@test "a solved program that was committed is not in the archive either" {
    local lab="$BATS_TEST_TMPDIR/lab"
    cp -r "$LAB" "$lab"
    git -C "$lab" -c user.name=lab -c user.email=lab@example.org commit -q -a -m solved
    make -s -C "$lab" dist
    tar -xzOf "$lab/build/warpup.tar.gz" warpup/ex01_axpy/axpy.cu | cmp - "$TOP/ex01_axpy/checker/starter.cu"
}

@test "the same commit gives the same bytes, whoever packs it, and when" {
    local other="$BATS_TEST_TMPDIR/other"
    git clone -q "$LAB" "$other"
    find "$other" -name '*.cu' -exec touch -d 2001-01-01 {} +
    chmod -R g+w,o-r "$other/checker"
    (umask 077 && TZ=Asia/Tokyo LC_ALL=C.UTF-8 make -s -C "$other" dist)
    cmp "$LAB/build/warpup.tar.gz" "$other/build/warpup.tar.gz"
    [ "$(tar --utc --full-time -tvzf "$LAB/build/warpup.tar.gz" | awk '{ print $2, $4 }' | sort -u | wc -l)" = 1 ]
}

@test "without a git checkout, make dist says so" {
    local copy="$BATS_TEST_TMPDIR/copy"
    cp -r "$LAB" "$copy"
    rm -rf "$copy/.git"
    run -2 make -s -C "$copy" dist
    [ "${lines[0]}" = "make dist: this copy of the lab is not a git checkout" ]
}

# The commands in a page of the archive: in its indented lines, and between backticks.
commands_of() { # PAGE
    sed -nE 's/^    ((make|cd|checker\/).*)/\1/p' "$1" | sed 's/ *#.*//'
    # shellcheck disable=SC2016 # backticks of the page
    grep -oE '`(make|checker/(bin/)?[a-z]+)( [^`]*)?`' "$1" | tr -d '`'
}

# Runs a command of the README, in an exercise unless it is for the top.
run_command() { # COMMAND
    case $1 in
    cd\ * | checker/bin/setup*) (cd "$GIVEN" && bash -c "$1") ;;
    checker/*) (cd "$GIVEN" && bash -c "$1") || [ $? = 1 ] ;;
    make\ view\ BEFORE=1) (cd "$EXERCISE" && echo >>axpy.cu && make check && bash -c "$1") ;;
    *DEVICE_COMPILER=nvcc) ! command -v nvcc >/dev/null || (cd "$EXERCISE" && bash -c "$1") ;;
    make\ watch) (cd "$EXERCISE" && bash -c "$1" 2>&1 | grep 'needs a terminal') ;;
    *) (cd "$EXERCISE" && bash -c "$1") ;;
    esac
}

# Programs that a command of the README may name: they start what follows their options.
fake_programs() {
    mkdir "$BATS_TEST_TMPDIR/bin"
    # shellcheck disable=SC2016 # for the programs
    printf '#!/bin/bash\nwhile [[ $1 == -* ]]; do [[ $1 != -n ]] || shift; shift; done\nexec "$@"\n' >"$BATS_TEST_TMPDIR/bin/srun"
    printf '#!/bin/bash\nexec %s "$@"\n' "$(type -P clang-{16..21} | head -n 1)" >"$BATS_TEST_TMPDIR/bin/clang-17"
    chmod +x "$BATS_TEST_TMPDIR/bin/"*
    PATH=$BATS_TEST_TMPDIR/bin:$PATH
}

@test "every command of the archive's README works" {
    local command count=0
    fake_programs
    EXERCISE=$GIVEN/ex01_axpy
    commands_of "$GIVEN/README.md" | awk '!seen[$0]++' >"$BATS_TEST_TMPDIR/commands"
    grep -qx 'make check' "$BATS_TEST_TMPDIR/commands"
    while read -r command; do
        count=$((count + 1))
        echo "$command"
        run_command "$command" >"$BATS_TEST_TMPDIR/said" 2>&1 </dev/null || { cat "$BATS_TEST_TMPDIR/said" && return 1; }
    done <"$BATS_TEST_TMPDIR/commands"
    [ "$count" -ge 10 ]
    sed -nE 's/^make ([a-z]+)$/ex02_rot \1/p; s/^make -C \.\. ([a-z]+)$/warpup \1/p; s/^make -C \.\.\/day1 ([a-z]+)$/day1 \1/p' \
        "$BATS_TEST_TMPDIR/commands" >"$BATS_FILE_TMPDIR/tried"
    run ! grep -E 'make (tour|test|verify|bench|fuzz|sanitize|slides|quiz|dist)|solutions|slides' "$GIVEN/README.md"
}

# What the test before has tried, in one exercise, is not tried again.
@test "every target of the archive's make help works, at the top and in an exercise" {
    local place target count=0
    "$TOP/solutions/stage" "$TOP/ex02_rot" print 2 >"$BATS_TEST_TMPDIR/rot.cu"
    for place in "$GIVEN" "$GIVEN/ex02_rot" "$GIVEN/day1"; do
        make -s -C "$place" help >"$BATS_TEST_TMPDIR/help"
        while read -r target; do
            [ "$target" != watch ] || continue # watch.bats has the terminal that it needs
            count=$((count + 1))
            if grep -sqx "${place##*/} $target" "$BATS_FILE_TMPDIR/tried"; then continue; fi
            echo "$place: make $target"
            cp "$BATS_TEST_TMPDIR/rot.cu" "$GIVEN/ex02_rot/" # a program with a rate
            make -s -C "$place" "$target" ARGS="64 1000" NAME=device-facts EXPLAINED=leak >"$BATS_TEST_TMPDIR/said" 2>&1 </dev/null ||
                { cat "$BATS_TEST_TMPDIR/said" && return 1; }
        done < <(sed -nE 's/^  make (-C day1 )?([a-z]+) .*/\2/p' "$BATS_TEST_TMPDIR/help")
    done
    [ "$count" -ge 15 ]
}

@test "a target that the archive does not have gives one line" {
    local target
    for target in tour test verify bench quiz slides book dist; do
        run -2 make -s -C "$GIVEN" "$target"
        [ "${lines[0]}" = "make $target: this copy of the lab is for students: it has no solutions, lectures and tests" ]
    done
    run -2 make -s -C "$GIVEN/ex01_axpy" stages
    [ "${lines[0]}" = "make stages: this copy of the lab has no solutions" ]
}

@test "the archive's demos run, and make reset restores the starter" {
    run -0 make -s -C "$GIVEN/day1" demo NAME=device-facts
    [[ $output == *"device facts: "*", simulated; times are modelled"* ]]
    echo mine >"$GIVEN/ex04_matmul/matmul.cu"
    make -s -C "$GIVEN/ex04_matmul" reset
    cmp "$GIVEN/ex04_matmul/matmul.cu" "$TOP/ex04_matmul/checker/starter.cu"
}
