#!/usr/bin/env bats
# gpu.bats: the unit tests of the simulated GPU's rooms (gpu/*.c that print "N passed"), its headers, and its counts beside
# those of a real GPU.
bats_require_minimum_version 1.5.0

setup_file() {
    load helper
    make -s -C "$TOP" -f checker/lab.mk
}

setup() {
    load helper
    cd "$TOP" || return
}

# Builds and runs the unit tests of a room, and of each of its parts.
passes() { # ROOM
    local file name
    for file in checker/test/gpu/"$1".c checker/test/gpu/"$1"_*.c; do
        name=$(basename "$file" .c)
        [[ -e $file && $name != memory_speed ]] || continue # that one measures
        run -0 timeout 120 make -s -f checker/lab.mk "unit-$name"
        echo "$name: $output"
        [[ ${lines[-1]} =~ ^[1-9][0-9]*" passed"$ ]]
    done
    [ -n "$name" ]
}

@test "every unit test belongs to a room" {
    local file name
    for file in checker/test/gpu/*.c; do
        name=$(basename "$file" .c)
        [[ $name == @(bench|dump) ]] || [ -d "checker/gpu/${name%%_*}" ]
    done
}

@test "ptx: texts become modules" {
    passes ptx
}

@test "memory: bounds, races, counts" {
    passes memory
}

@test "warp: instructions, control flow, matrices, textures" {
    passes warp
}

@test "time: costs, the model, records" {
    passes time
}

@test "runtime: calls without a program" {
    passes runtime
}

@test "CUDA's headers of the lab compile for both sides, and their device code is as expected" {
    local clang programs
    clang=$(command -v clang-16 || command -v clang) || skip "there is no clang"
    mapfile -t programs < <(printf '%s\n' checker/test/gpu/headers/*.cu | third)
    CLANG=$clang run -0 bash checker/test/gpu/headers.bash "${programs[@]}"
    echo "$output"
    [[ ${lines[-1]} == *" programs compiled, 0 wrong" ]]
}

@test "184 counts of 46 kernels: almost all are those of Nsight Compute" {
    run -0 bash checker/test/gpu/counts.bash small
    echo "$output"
    [[ ${lines[-1]} =~ ^"global "([0-9]+)" of 184 equal, all "([0-9]+)" of 276 within 0.5 %"$ ]]
    ((BASH_REMATCH[1] >= 182 && BASH_REMATCH[2] >= 265))
}
