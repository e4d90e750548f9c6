# stages.bash: what the tests of an exercise's starter and stages share. Loaded with helper.bash; the
# test sets EXERCISE (its directory) and PROGRAM (rot).
# shellcheck disable=SC2154 # bats sets output, lines and stderr_lines

# Compiles the starter for the tests of a file, as $BATS_FILE_TMPDIR/starter.
compile_starter() {
    gcc -std=c11 -O3 -Wall -Wextra -Werror -fopenmp -x c "$EXERCISE/checker/starter.cu" \
        -o "$BATS_FILE_TMPDIR/starter" -lm
}

# The starter is both C, with GNU's extensions, and C++, without a warning.
is_c_and_cpp() {
    local flags=(-O3 -Wall -Wextra -Werror -fopenmp -o "$BATS_TEST_TMPDIR/program")
    gcc -std=gnu11 -x c "$EXERCISE/checker/starter.cu" "${flags[@]}" -lm
    g++ -x c++ "$EXERCISE/checker/starter.cu" "${flags[@]}"
}

prints_three_lines() { # ARGUMENT...
    local line='^ CPU: nthr = +[0-9]+   t0 = [0-9.]+ sec   P = +[0-9.]+ Gflop/s   B = +[0-9.]+ GB/s$'
    run -0 "$BATS_FILE_TMPDIR/starter" "$@"
    [ "${#lines[@]}" -eq 3 ]
    [[ ${lines[0]} =~ $line && ${lines[1]} =~ $line ]]
    [ "${lines[2]}" = " Diff = 0.000000e+00" ]
}

# The starter refuses: it says one line on stderr and nothing else, and exits with an error.
refuses() { # ARGUMENT...
    run --separate-stderr "$BATS_FILE_TMPDIR/starter" "$@"
    [ "$status" -eq 1 ]
    [ "$output" = "" ]
    [ "${#stderr_lines[@]}" -eq 1 ]
}

# Every stage compiles under nvcc, and neither of its two compilers has anything to say. Tensor cores multiply TF32
# numbers from compute capability 8.0 on; no stage needs more. nvcc takes seconds for each: the commit chooses one stage
# in three.
nvcc_is_silent() {
    local k
    command -v nvcc >/dev/null || skip "there is no nvcc"
    for k in $(seq 0 "$(grep -c . "$EXERCISE/solutions/series")" | third); do
        "$TOP/solutions/stage" "$EXERCISE" print "$k" >"$BATS_TEST_TMPDIR/$PROGRAM.cu"
        run -0 nvcc -O3 -arch=sm_80 -Werror all-warnings -Xcompiler -fopenmp,-Wall,-Wextra,-Werror \
            -o "$BATS_TEST_TMPDIR/$PROGRAM" "$BATS_TEST_TMPDIR/$PROGRAM.cu" -Xlinker --as-needed -lcublas
        [ "$output" = "" ]
    done
}

# Runs the stages on the simulated GPU with each list of arguments; the judge holds them to the oracle. The commit chooses
# one stage in three.
stages_are_right() { # ARGUMENTS...
    local stage
    for stage in $(seq "$(grep -c . "$EXERCISE/solutions/series")" | third); do right_everywhere "$stage" "$@"; done
}

right_everywhere() { # STAGE ARGUMENTS...
    local check=$BATS_TEST_TMPDIR/$1 number=0 size arguments
    mkdir -p "$check"
    "$TOP/solutions/stage" "$EXERCISE" print "$1" >"$check/$PROGRAM.cu"
    "$BUILD/cc" "$check/$PROGRAM.cu" "$check/compiled"
    export WARPUP_SNAPSHOT=1 WARPUP_PROFILE=h200 WARPUP_LIB=$TOP/checker WARPUP_SEED=$((1000 + $1))
    for size in "${@:2}"; do
        read -ra arguments <<<"$size"
        number=$((number + 1))
        mkdir "$check/$number"
        WARPUP_TRACE=$check/$number "$BUILD/run" --dir "$check/$number" --seconds 60 -- \
            "$check/compiled/program" "${arguments[@]}"
    done
    jq -n --argjson seed "$WARPUP_SEED" '{seed: $seed, compile: [{device: "sim", exit: 0, log: "/dev/null"}],
        runs: [$ARGS.positional | to_entries[] | {dir: "\(.key + 1)", device: "sim", purpose: "right", arguments: (.value | split(" "))}],
        limit: null, notes: []}' --args "${@:2}" >"$check/check.json"
    "$BUILD/${EXERCISE##*/}/judge" --exercise "${EXERCISE##*/}" --source "$PROGRAM.cu" \
        --checker "$EXERCISE/checker" --runs "$check" --seed "$WARPUP_SEED" >"$check/verdict.json" || [ $? -le 2 ]
    run -0 jq -r '.criteria[] | select(.id == "right" or .id == "clean") | .passed' "$check/verdict.json"
    [ "$output" = $'true\ntrue' ]
}
