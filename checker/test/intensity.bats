#!/usr/bin/env bats
# intensity.bats: the arithmetic intensity that a check shows for matrix products, in flop per byte loaded from global
# memory: 1/4 for one thread per element, T/4 for tiles of T.

setup() {
    load helper
    load programs
    open_programs variants matmul
}

# A check of this variant, or stage, says this intensity, to 1 %.
has_intensity() { # NAME STAGE INTENSITY
    local folder=$BATS_TEST_TMPDIR/$1-$2
    write_program "$1" "$2" "$folder"
    check_program "$folder"
    jq -r '"intensity \(.intensity.loaded)"' "$folder/verdict.json"
    jq -e --argjson expected "$3" '.intensity.loaded / $expected - 1 | fabs < 0.01' "$folder/verdict.json" >/dev/null
}

@test "matmul: one thread per element computes 0.25 flop per byte" {
    has_intensity - 1 0.25
}

@test "matmul: tiles of 8, 16 and 32 compute 2, 4 and 8 flop per byte" {
    has_intensity tiles-of-8 3 2
    has_intensity tiles-of-16 2 4
    has_intensity - 2 8
}
