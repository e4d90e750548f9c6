#!/usr/bin/env bats
# Make's targets that build, reset, install and hand out.
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

# A folder that is the whole PATH: it holds only these programs.
only_programs() { # PROGRAM...
    local program
    FEW=$BATS_TEST_TMPDIR/few
    mkdir "$FEW"
    for program in "$@"; do ln -s "$(command -v "$program")" "$FEW/"; done
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
    [ "${lines[0]}" = "your file is now axpy.cu.1" ]
    echo yours >axpy.cu
    run -0 make -s reset
    [ "${lines[0]}" = "your file is now axpy.cu.2" ]
    [ "$(cat axpy.cu.1 axpy.cu.2)" = "$(printf 'mine\nyours')" ]
    cmp axpy.cu checker/starter.cu
    rm axpy.cu
    run -0 make -s reset
    cmp axpy.cu checker/starter.cu
}

@test "an exercise's targets reach the stage tool" {
    copy_lab
    cd "$EXERCISE"
    run -0 make -s stages
    [ "${#lines[@]}" = 7 ]
    run -0 make -s diff FROM=1 TO=2
    [[ "$output" == *"+"*"cudaDeviceSynchronize"* ]]
    run -0 make -s stage STAGE=2
    [ -s axpy.stage2.cu ]
}

@test "setup says nothing when nothing is missing" {
    run -0 "$TOP/checker/bin/setup"
    [ "$output" = "" ]
}

@test "setup installs what is missing, with new package lists if the old ones are not enough" {
    [ "$EUID" = 0 ] || skip "only root can try it"
    only_programs bash env gcc g++ make patch diff diff3 awk find flock gnuplot tail
    cat >"$FEW/apt-get" <<'END'
#!/bin/bash
echo "$*" >>"$0.log"
case $* in
*update*) touch "$0.updated" ;;
*install*) [ -e "$0.updated" ] && printf '#!/bin/bash\n' >"${0%/*}/jq" && "$(type -P chmod)" +x "${0%/*}/jq" ;;
esac
END
    chmod +x "$FEW/apt-get"
    ln -s "$(command -v chmod)" "$(command -v touch)" "$FEW/"
    PATH=$FEW run -0 "$TOP/checker/bin/setup"
    [ "$output" = "installing: jq" ]
    [ "$(grep -c install "$FEW/apt-get.log")" = 2 ]
    [ "$(grep -c update "$FEW/apt-get.log")" = 1 ]
}

@test "setup without apt says what is missing" {
    only_programs bash gcc g++ make patch diff diff3 awk find flock gnuplot
    PATH=$FEW run -2 "$TOP/checker/bin/setup"
    [ "$output" = "missing here: jq; install them with this system's package manager" ]
}
