#!/usr/bin/env bats
# examples.bats: the wrong and right examples in the pages of mistakes/ compile. If the mistake of a page is
# a fault, the wrong example makes this fault and the right one does not. examples/names.cuh explains
# the names in the examples; examples/runs.tsv says which of them run, and how.

bats_require_minimum_version 1.5.0

setup() {
    load helper
    EXAMPLES=$BATS_TEST_DIRNAME/examples
    make -s -C "$TOP" -f checker/lab.mk
    cd "$BATS_TEST_TMPDIR" || return
}

# Prints the example of a page between a head and a tail. Compiler messages then name the page and its line.
between() { # HEAD PAGE wrong|right TAIL
    echo "$1"
    awk -v page="$2.md" -v kind="// $3" '/^## Wrong and right/ { part = 1 }
        part && /^    / && index($0, kind) { print "#line " NR " \"" page "\"\n" $0 }' "$TOP/checker/mistakes/$2.md"
    echo "$4"
}

# Prints a valid name of a function.
name_of() { # PAGE wrong|right
    echo "${1//-/_}_$2"
}

# Prints __device__ if an example is code of a kernel.
side_of() { # PAGE wrong|right
    if between '' "$1" "$2" '' | grep -qE 'threadIdx|blockIdx|blockDim|gridDim|__shared__|__sync|__shfl|__thread|atomic[A-Z]|warp|tile|lane'; then
        echo __device__
    fi
}

# Prints every example as a function; if it is a function itself, in a namespace. Leaves out the one that must not
# compile.
write_all() { # PAGE...
    local page kind head
    printf '%s\n' '#include "names.cuh"' 'namespace names' '{'
    for page; do
        for kind in wrong right; do
            head="namespace $(name_of "$page" $kind) {"
            if between '' "$page" $kind '' | grep -q '^    \(__global__\|int main\)'; then
                between "$head" "$page" $kind '}'
            elif [ "$page $kind" != 'does-not-compile wrong' ]; then
                between "$head $(side_of "$page" $kind) int f() {" "$page" $kind '; return 0; } }'
            fi
        done
    done
    echo '}'
}

# Reads a file as clang reads the host's side: kernels too, but without making code of them.
compiles() { # FILE
    local clang flags
    clang=$(type -P "${WARPUP_CLANG:-clang-21}" clang-{20..16} clang | sed -n 1p)
    mapfile -t flags < <(sed 's,^\.\./,'"$TOP/," "$TOP/checker/editor/compile_flags.txt")
    flags+=(-nobuiltininc -idirafter "$("$clang" -print-resource-dir)/include") # without clang's own functions for kernels
    flags+=(-idirafter "$(gcc -print-file-name=include)") # omp.h
    "$clang" -fsyntax-only "${flags[@]}" -w -I "$EXAMPLES" "$1"
}

@test "all examples compile, except the one that must not" {
    local pages
    mapfile -t pages < <(basename -s .md "$TOP"/checker/mistakes/*.md)
    write_all "${pages[@]}" >all.cu
    [ "$(grep -c '^#line' all.cu)" -eq $((2 * ${#pages[@]} - 1)) ]
    compiles all.cu
    between '#include "names.cuh"
        int f() { using namespace names;' does-not-compile wrong '}' >one.cu
    run -1 compiles one.cu
    [[ $output == *"error: expected ';' after expression"* ]]
}

# Prints the examples of runs.tsv, and a main() that runs the one that its argument names.
write_runs() {
    local page as rest kind name prepared calls=''
    printf '%s\n' '#include "names.cuh"' 'namespace names' '{'
    while IFS=$'\t' read -r page as rest; do
        for kind in wrong right; do
            name=$(name_of "$page" $kind)
            if [[ $as == kernel* ]]; then
                between "__global__ void k_$name(KERNEL_NAMES) { KERNEL_START {" "$page" $kind "; $rest } }"
                echo "void $name() { prepare(); k_$name${as#kernel}(ARGUMENTS); }"
            else
                prepared='prepare();'
                [ "$as" != bare ] || prepared=''
                between "void $name() { $prepared" "$page" $kind "; $rest }"
            fi
            calls+="if (strcmp(argv[1], \"$page $kind\") == 0) names::$name();"$'\n'
        done
    done
    printf '%s\n' '}' 'int main(int, char *argv[]) {' "${calls}return cudaDeviceSynchronize(); }"
}

# Prints the faults of an example, with a space before and after each.
faults() { # PAGE wrong|right
    mkdir -p run
    WARPUP_CODE=source WARPUP_TRACE=run timeout 20 out/program "$1 $2" >output 2>&1 || true
    jq -r 'select(.event == "fault") | .name' run/trace.jsonl | sort -u | paste -sd ' ' | sed 's/.*/ & /'
}

@test "the wrong example causes the fault of its page, and the right one does not" {
    local page wrong right failed=0
    grep -v '^#' "$EXAMPLES/runs.tsv" | sed 1d >rows
    write_runs <rows >runs.cu
    cp "$EXAMPLES/names.cuh" .
    "$BUILD/cc" runs.cu out
    while read -r page _; do
        wrong=$(faults "$page" wrong)
        right=$(faults "$page" right)
        [[ $wrong == *" $page "* && $right != *" $page "* ]] && continue
        echo "$page: wrong makes:$wrong; right makes:$right"
        failed=1
    done <rows
    return $failed
}
