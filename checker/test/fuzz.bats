#!/usr/bin/env bats
# fuzz.bats: what a fuzzer found, and what it begins with, once more through the fuzz targets
# (fuzz/), with the sanitizers of gcc. `make fuzz` looks for more.

bats_require_minimum_version 1.5.0

setup_file() {
    TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    export TOP
    make -s -C "$TOP" -f checker/lab.mk
    make -s -C "$TOP" -f checker/test/fuzz/fuzz.mk OUT="$BATS_FILE_TMPDIR" REPLAY=yes
}

# Runs a target on the files of its own, and others.
replay() { # TARGET FILE...
    local files
    mapfile -t files < <(find "$TOP"/checker/test/fuzz/{seeds,kept}/"$1" -type f 2>/dev/null | sort)
    TMPDIR=$BATS_TEST_TMPDIR run -0 timeout 60 "$BATS_FILE_TMPDIR/$1" "${files[@]}" "${@:2}"
    [ "${#lines[@]}" -eq $((${#files[@]} + $# - 1)) ]
    [ "${#lines[@]}" -gt 4 ]
}

@test "the reader of PTX: device code and what a fuzzer made of it" {
    replay ptx "$BATS_FILE_TMPDIR"/stages/*/*.ptx "$TOP"/checker/test/sim/*.cu
}

@test "the trace reader: traces and what a fuzzer made of them" {
    replay trace
}

@test "the judge: check directories and what a fuzzer made of them" {
    replay judge
}

@test "a target notices when something does not hold" {
    cd "$BATS_TEST_TMPDIR" || return
    printf '%s\n' '#include "gpu/ptx/ptx.h"' '#include <stddef.h>' 'void ptx_set_addresses(struct ptx_module *module) { (void)module; }' \
        'void ptx_free(struct ptx_module *module) { (void)module; }' \
        'struct ptx_module *ptx_read(const char *text, size_t bytes) { (void)text; (void)bytes; return NULL; }' >none.c
    gcc -I"$TOP/checker" -o none none.c "$TOP"/checker/test/fuzz/{ptx,replay}.c
    printf 'ret;\n' >input
    run ./none input
    [ "$status" -eq 134 ]
    [[ $output == *"does not hold: module != NULL"* ]]
}
