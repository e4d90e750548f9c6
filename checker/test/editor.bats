#!/usr/bin/env bats
# Editors: what make editor writes, clangd on the programs of the lab, and the patterns by which Vim and VS Code read
# FORMAT=gcc.
bats_require_minimum_version 1.5.0

setup_file() {
    make -s -C "$BATS_TEST_DIRNAME/../.." -f checker/lab.mk
}

setup() {
    load helper
    LAB="$BATS_TEST_TMPDIR/a lab"
    EXERCISE=$LAB/ex01_axpy
    mkdir -p "$EXERCISE"
    ln -s "$TOP/checker" "$LAB/checker"
    cp -a "$TOP/ex01_axpy/"{checker,Makefile} "$EXERCISE/"
    cp "$EXERCISE/checker/starter.cu" "$EXERCISE/axpy.cu"
    cd "$EXERCISE" || return
    export GPU=sim LC_ALL=C.UTF-8
}

# The messages of FORMAT=gcc: a finding with a place, one without, and one of a header.
messages() {
    jq '.criteria[3].passed = false | .diagnoses += [
            {name: "leak", criterion: "clean", file: "my axpy.cuh", line: 7, column: 12, text: "4 bytes: not freed [yet]"},
            {name: "no-kernel", criterion: "clean", file: null, line: null, text: "no kernel runs"}]' \
        "$TOP/checker/test/show/verdict.json" >verdict.json
    "$BUILD/show" gcc verdict.json
}

@test "make editor writes its files once, and keeps a file that was there" {
    echo -DMINE >compile_flags.txt
    echo -DOLDER >compile_flags.txt.1
    run -0 make -s editor
    [ "$output" = $'your file is now compile_flags.txt.2\ncompile_flags.txt is written\n.vscode/tasks.json is written' ]
    [ "$(cat compile_flags.txt.1 compile_flags.txt.2)" = $'-DOLDER\n-DMINE' ]
    grep -qx -- -xcuda compile_flags.txt
    run -0 make -s editor
    [ "$output" = $'compile_flags.txt is up to date\n.vscode/tasks.json is up to date' ]
    run -2 "$TOP/checker/bin/editor" "$LAB"
    [ "$output" = "editor: $LAB is not an exercise (it has no checker/ladder.tsv)" ]
}

# Prints the errors that clangd finds in a file.
clangd_errors() { # FILE
    clangd --check="$1" --check-lines=1-1 2>&1 | grep -E '^E\[|checks completed'
}

@test "clangd finds no error in any starter and stage, and still finds a wrong name" {
    command -v clangd >/dev/null || skip "there is no clangd"
    local exercise name last k every=${WARPUP_EVERY:-8}
    make -s editor
    for exercise in "$TOP"/ex*/; do
        name=${exercise%/} && name=${name##*_}
        last=$(grep -c . "$exercise/solutions/series")
        for ((k = 0; k <= last; k++)); do
            # All of them take too long for every day: the starters and the last stages.
            ((every == 1 || k == 0 || k == last)) || continue
            "$TOP/solutions/stage" "$exercise" print $k >"$name.cu"
            run clangd_errors "$name.cu"
            echo "$name, stage $k: $output"
            [[ $output == *'All checks completed, 0 errors' ]]
        done
    done
    sed -i 's/cudaMalloc/cudaMaloc/' matmul.cu
    run clangd_errors matmul.cu
    [[ $output == *cudaMaloc* ]]
}

@test "Vim's quickfix list gets the places of a check" {
    command -v vim >/dev/null || skip "there is no vim"
    printf 'int main(void)\n{\n    return none;\n}\n' >axpy.cu
    vim -N -u NONE -i NONE -es axpy.cu -c 'set makeprg=make\ -s\ check\ FORMAT=gcc' -c 'silent make!' \
        -c 'call writefile(map(getqflist(), "join([bufname(v:val.bufnr), v:val.lnum, v:val.col, v:val.text])"), "places")' \
        -c 'qa!' </dev/null >/dev/null
    cat places
    grep -x "axpy.cu 3 12  *error: use of undeclared identifier 'none' \[does-not-compile\]" places
    messages >list
    vim -N -u NONE -i NONE -es -c 'cgetfile list' \
        -c 'call writefile(map(getqflist(), "join([bufname(v:val.bufnr), v:val.lnum, v:val.col, v:val.valid])"), "places")' \
        -c 'qa!' </dev/null >/dev/null
    diff - places <<'END'
my axpy.cuh 7 12 1
axpy.cu 1 1 1
axpy.cu 58 1 1
END
}

@test "VS Code's pattern reads every line, and its background task knows when a check begins and ends" {
    make -s editor
    messages >list
    jq -R --slurpfile tasks .vscode/tasks.json '. as $line | [$tasks[0].tasks[].problemMatcher.pattern.regexp]
        | if length == 2 and .[0] == .[1] then .[0] else error("two patterns") end
        | . as $pattern | $line | [match($pattern).captures[].string]' list | jq -cs . >parts
    jq -e '. == [["my axpy.cuh", "7", "12", "warning", "4 bytes: not freed [yet]", "leak"],
        ["axpy.cu", "1", "1", "warning", "no kernel runs", "no-kernel"],
        ["axpy.cu", "58", "1", "warning", "one warp\u0027s 32 loads touch 32 sectors of 32 bytes; 4 would be enough", "uncoalesced-access"]]' parts
    jq -e '.tasks[1] | .isBackground and (.problemMatcher.background as $b
        | ("checking axpy.cu" | test($b.beginsPattern)) and ("checked axpy.cu" | test($b.endsPattern)))' .vscode/tasks.json
}
