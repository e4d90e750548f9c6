#!/usr/bin/env bats
# Make's targets that build and reset, and those of an instructor.
bats_require_minimum_version 1.5.0

setup() {
    load helper
    LAB="$BATS_TEST_TMPDIR/a lab"
    EXERCISE="$LAB/ex01_axpy"
    export NO_COLOR=1
}

# A copy of the lab to write in, with the lab's tools where they are.
copy_lab() {
    mkdir "$LAB"
    tar -C "$TOP" --exclude=./build --exclude='./*/build' --exclude=node_modules --exclude='./.[a-z]*' -cf - . | tar -C "$LAB" -xf -
}

@test "make help lists every target, at the top and in an exercise" {
    run -0 make -s -C "$TOP"
    [[ "$output" == *"make check "*"make tour "*"make test "*"make dist "* ]]
    run -0 make -s -C "$TOP/ex01_axpy" help
    [[ "$output" == *"make run "*"make check "*"make hint "*"make reset "*"make verify "* ]]
}

@test "reset restores the starter and never overwrites a file" {
    copy_lab
    cd "$EXERCISE"
    run -0 make -s reset
    [ "$output" = "axpy.cu is the starter already" ]
    echo mine >axpy.cu
    run -0 make -s reset
    [ "${lines[0]}" = "your file is now axpy.cu.1, in ex01_axpy" ]
    echo yours >axpy.cu
    run -0 make -s reset
    [ "${lines[0]}" = "your file is now axpy.cu.2, in ex01_axpy" ]
    [ "$(cat axpy.cu.1 axpy.cu.2)" = "$(printf 'mine\nyours')" ]
    cmp axpy.cu checker/starter.cu
    rm axpy.cu
    run -0 make -s reset
    cmp axpy.cu checker/starter.cu
    [ "$(stat -c %a axpy.cu)" = "$(printf '%o' $((0666 & ~$(umask))))" ]
}

@test "a reset that is not possible gives one line, and the student's file stays" {
    mkdir -p "$EXERCISE/checker"
    mount_tmpfs "$EXERCISE" size=8k
    mkdir "$EXERCISE/checker"
    head -c 4096 /dev/zero >"$EXERCISE/checker/starter.cu"
    printf mine >"$EXERCISE/axpy.cu"
    run -2 "$TOP/checker/bin/exercise" reset "$EXERCISE"
    [ "$output" = "make reset: No space left on device; axpy.cu is unchanged" ]
    [ "$(cd "$EXERCISE" && cat axpy.cu && ls)" = $'mineaxpy.cu\nchecker' ]
    mount -o remount,ro "$EXERCISE"
    run -2 "$TOP/checker/bin/exercise" reset "$EXERCISE"
    [ "$output" = "make reset: $EXERCISE cannot be written; axpy.cu is unchanged" ]
    umount_tmpfs
}

@test "an exercise's targets reach the stage tool" {
    copy_lab
    cd "$EXERCISE"
    run -0 make -s stages
    [ "${#lines[@]}" = 8 ]
    run -0 make -s diff FROM=1 TO=2
    [[ "$output" == *"+"*"cudaDeviceSynchronize"* ]]
    run -0 make -s stage STAGE=2
    [ -s axpy.stage2.cu ]
}

# Does what a check does first. LAB has one tool; lab.mk notes each build in it, and a make in NOTING each call.
needs_tools() {
    (cd "$LAB" && PATH=$NOTING:$PATH WARPUP_BUILD=$LAB/build bash -c 'source checker/bin/lab.bash && need_tools' 2>/dev/null)
}

@test "a check starts make for the lab's tools only after a change, and then builds them" {
    LAB=$BATS_TEST_TMPDIR/lab NOTING=$BATS_TEST_TMPDIR/noting
    mkdir -p "$LAB/checker/"{bin,run} "$NOTING"
    cp "$TOP/checker/bin/lab.bash" "$LAB/checker/bin/"
    : >"$LAB/checker/run/run.c"
    # shellcheck disable=SC2016 # make's variables
    printf '%s\n' 'all: $(WARPUP_BUILD)/fsutil' '$(WARPUP_BUILD)/fsutil: checker/run/run.c' \
        "	@mkdir -p \$(@D) && cp $BUILD/fsutil \$@ && echo built >>made" 'list:' '	@echo fsutil' >"$LAB/checker/lab.mk"
    printf '#!/bin/sh\necho called >>%s/called\nexec %s "$@"\n' "$BATS_TEST_TMPDIR" "$(command -v make)" >"$NOTING/make"
    chmod +x "$NOTING/make"

    needs_tools
    needs_tools
    [ "$(<"$LAB/made")" = built ]
    rm "$BATS_TEST_TMPDIR/called"
    needs_tools
    [ ! -e "$BATS_TEST_TMPDIR/called" ]

    echo '// changed' >"$LAB/checker/run/run.c"
    needs_tools
    [ "$(wc -l <"$LAB/made")" -eq 2 ]
    rm "$LAB/build/fsutil"
    needs_tools
    [ "$(wc -l <"$LAB/made")" -eq 3 ]
    needs_tools
    rm "$BATS_TEST_TMPDIR/called"
    : >"$LAB/checker/run/new.c"
    needs_tools
    [ -e "$BATS_TEST_TMPDIR/called" ]
}

# The compiler writes half of its first file, and then kills the make that called it.
@test "a build that is killed leaves no half of a file: the next one is whole" {
    copy_lab
    cd "$LAB"
    cat >"$BATS_TEST_TMPDIR/killed-gcc" <<'GCC'
#!/usr/bin/env bash
[[ " $* " == *" -o "* ]] || exec gcc "$@"
while [[ $1 != -o ]]; do shift; done
echo half >"$2"
kill -KILL $PPID "$(ps -o ppid= -p $PPID)"
GCC
    chmod +x "$BATS_TEST_TMPDIR/killed-gcc"
    mkdir build
    run setsid --wait make -s -f checker/lab.mk CC="$BATS_TEST_TMPDIR/killed-gcc" build/show
    [ "$status" != 0 ]
    grep -qrx half build
    run -0 make -s -j2 -f checker/lab.mk build/show
    run -0 build/show pretty "$TOP/checker/test/show/verdict.json"
}
