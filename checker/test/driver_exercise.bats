#!/usr/bin/env bats
# A new exercise: the walk-through of checker/README.md, run in a copy of the lab.
# shellcheck disable=SC2154 # bats sets stderr
bats_require_minimum_version 1.5.0

# The copy has the lab's tools, so that only those of the new exercise are built.
setup_file() {
    load helper
    make -s -C "$TOP" -f checker/lab.mk
    export LAB="$BATS_FILE_TMPDIR/lab" GPU=sim NO_COLOR=1 LC_ALL=C.UTF-8
    mkdir "$LAB"
    tar -C "$TOP" --exclude=./build --exclude='./*/build' --exclude=node_modules --exclude='./.[a-z]*' -cf - . | tar -C "$LAB" -xf -
    cp -a "$BUILD" "$LAB/build"
    export WARPUP_BUILD="$LAB/build"
}

setup() {
    load helper
    cd "$LAB" || return
}

# The commands of the README's walk-through, one per line.
walk() {
    sed -n '/^## Adding an exercise/,/^|/s/^    //p' checker/README.md
}

# An editor that makes the template's exercise again, one edit after another.
write_editor() {
    cat >editor <<'END'
#!/bin/bash
cd "${1%/*}"
touch edits
case $(wc -l <edits) in
0) sed -i 's/for now on the CPU as well/and is still on the CPU/' dot.cu ;;
1) patch -s dot.cu build/01-one-block.patch ;;
2) sed -i 's/size_t i = threadIdx.x; i < n; i += blockDim.x/size_t i = threadIdx.x + (size_t)blockIdx.x * blockDim.x; i < n; i = n/
    s/<<<1, /<<<(unsigned)((n + nthr - 1) \/ nthr), /' dot.cu ;;
esac
echo >>edits
END
    chmod +x editor
    export EDITOR=./editor
}

@test "the README's walk-through writes an exercise, which works, and makes another of it" {
    local before after line=0 command
    before=$(find . -path ./build -prune -o -type f -print | sort)
    write_editor
    while read -r command; do
        line=$((line + 1))
        run -0 env -u MAKEFLAGS -u MAKELEVEL sh -c "$command" # not as a part of make test
        echo "$command: $output"
        case $line in
        1)
            [ "${lines[0]}" = "ex05_dot is written, with one stage and two rungs. Try it:" ]
            cmp ex05_dot/dot.cu ex05_dot/checker/starter.cu
            run ! grep -rn skeleton ex05_dot
            ;;
        2 | 7) [[ $output == *"dot.cu · "*"✗ runs a kernel"*"rung 0 of 2 "* ]] ;;
        3) [[ $output == *"✓ stage 0: rung 0 of 2 "*"✓ stage 1: rung 1 of 2, "* ]] ;;
        9) [ "$output" = "stage 1: solutions/01-one-block-of.patch" ] ;;
        11) [ "$output" = "stage 2: solutions/02-a-grid-of.patch" ] ;;
        12) cmp ex05_dot/dot.cu ex05_dot/checker/starter.cu ;;
        13) [[ $output == *"2 patches apply exactly"*"✓ stage 0: "*"✓ stage 1: rung 1 of 2, "*"✓ stage 2: rung 2 of 2, "* ]] ;;
        esac
    done < <(walk)
    [ "$line" = 13 ]
    run -0 make -s -C ex05_dot hint
    [[ $output == "## Rung 1"* ]]
    rm -r ex05_dot editor
    after=$(find . -path ./build -prune -o -type f -print | sort)
    [ "$before" = "$after" ]
}

@test "the template is formatted under another name as well, and its oracle has at most 60 lines" {
    command -v clang-format >/dev/null || skip "there is no clang-format"
    make -s exercise NAME=ex06_convolution >/dev/null
    clang-format --style=file:"$TOP/.clang-format" --dry-run --Werror ex06_convolution/*.cu ex06_convolution/checker/*.c
    [ "$(wc -l <ex06_convolution/checker/oracle.c)" -le 60 ]
    rm -r ex06_convolution
}

@test "an invalid name and an existing name are refused in one line" {
    run -2 --separate-stderr checker/bin/exercise create Dot
    [ "$stderr" = "NAME=Dot: an exercise's name is like ex10_dot: lower case, and the program's name after the _" ]
    run -2 --separate-stderr checker/bin/exercise create ex01_axpy
    [ "$stderr" = "NAME=ex01_axpy: there is already such a folder" ]
}
