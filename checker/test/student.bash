# student.bash: what a student does with the lab on another system, and the table of how it went. systems and containers
# source it after chroot.bash; it does nothing by itself.
#
# The student checks every exercise's starter, the stage that calls cuBLAS, and the last stage. A verdict is right if the
# program reaches exactly the rung of its stage. Then the student tries the lab's other commands.
#
# The table's columns: `first` is the time from the archive to the first verdict, `processor` the processor time in it, in
# seconds: where other programs run too, `first` is longer. In the container both include building the lab's tools. `right`
# and `wrong` count verdicts and commands.
# shellcheck disable=SC2154 # chroot.bash and the script set what this file uses

readonly ORDER=' bullseye bookworm bookworm-bare trixie sid jammy noble trixie-arm64 container '
readonly HEADER=$'system\tclang\tglibc\tawk\tfirst\tprocessor\tright\twrong'
readonly TITLE='# checker/test/distro-matrix and checker/test/containers: the lab on other systems, for a user without rights; times in seconds'
readonly STUDENT=/home/student

# Makes a home directory for a student: the solved programs as ~/stages/EXERCISE.STAGE.cu, ~/plan with what to check, and
# ~/checks with what to do.
make_home() { # DIRECTORY FIRST-COMMANDS
    local exercise stage
    rm -rf -- "$1"
    mkdir -p -- "$1/stages"
    for exercise in ex*; do
        for stage in 0 $(library_stage "$exercise") $(last_stage "$exercise"); do
            solutions/stage "$exercise" print "$stage" >"$1/stages/$exercise.$stage.cu"
            printf '%s\t%s\n' "$exercise" "$stage"
        done
    done | sort -s -k 2n >"$1/plan"
    write_checks "$2" >"$1/checks"
}

last_stage() { # EXERCISE
    grep -c . "$1/solutions/series"
}

# The number of the stage that calls cuBLAS, if an exercise has one.
library_stage() { # EXERCISE
    awk '/cublas/ { print NR }' "$1/solutions/series"
}

# Prints what the student does. It notes the time of the first verdict, and `right` or `wrong` for each check and each
# command.
write_checks() { # FIRST-COMMANDS
    printf '%s || exit\nrungs=%s\n' "$1" "$(last_stage ex01_axpy)"
    cat <<'END'
while IFS=$'\t' read -r exercise stage; do
    cp ~/stages/$exercise.$stage.cu $exercise/${exercise#*_}.cu
    make -s -C $exercise check >~/said 2>&1 </dev/null
    code=$?
    verdict=
    [[ ! -e $exercise/build/verdict.json ]] || verdict=$(<$exercise/build/verdict.json)
    [[ -e ~/first ]] || { times && echo "$EPOCHSECONDS"; } >~/first
    if [[ $code == 0 && $verdict =~ \"rung\":\ *$stage[,\ }] && $verdict != *'could not check'* && $(<~/said) != *'files: cannot'* ]]; then
        echo "right $exercise $stage"
    else
        echo "wrong $exercise $stage"
    fi
    cat ~/said
    rm -f $exercise/build/verdict.json
done <~/plan

# A command that has to print these words and exit with 0.
expect() { # WORDS COMMAND...
    if "${@:2}" >~/said 2>&1 </dev/null && [[ $(<~/said) == *"$1"* ]]; then echo "right ${*:2}"; else echo "wrong ${*:2}"; fi
    cat ~/said
}
watch() { # WORDS
    : >~/screen
    { for _ in {1..1200}; do grep -q "$1" ~/screen && break; sleep 0.5; done; echo q; } |
        TERM=xterm NO_COLOR=1 /usr/bin/script -qefc "make -s -C ex01_axpy watch" ~/screen >/dev/null
    tr -d "\r" <~/screen >~/screen.text
    [[ $(<~/screen.text) == *"$1"* ]] && cat ~/screen.text
}
expect "rung $rungs of $rungs" make -s progress
expect 'ex' make -s next
expect "rung $rungs of $rungs" make -s -C ex01_axpy progress
expect 'leak' make -s explain
expect 'leak' make -s -C ex01_axpy explain leak
expect 'is written' make -s -C ex01_axpy editor
expect 'axpy.cu.1' make -s -C ex01_axpy reset
expect 'make watch' make -s -C ex01_axpy help
expect 'make check' make -s help
expect "rung 0 of $rungs" watch "rung 0 of $rungs"
expect 'Which arrays must exist on the GPU' make -s -C ex01_axpy hint
echo whole
END
}

# Runs the checks on a system, by the function as_student of the script, and notes how they ended. Fails when one was wrong.
prove() { # SYSTEM HOME LOG
    local start=$EPOCHSECONDS right wrong
    as_student "$1" bash $STUDENT/checks >"$3" 2>&1 || true
    right=$(grep -c '^right ' "$3" || true)
    wrong=$(grep -c '^wrong ' "$3" || true)
    grep -qx whole "$3" || wrong=$((wrong + 1))
    ((right + wrong >= $(wc -l <"$2/plan"))) || wrong=$((wrong + 1))
    note "$1" "$(printf '%s\t' "$1" "$(clang_version)" "$(glibc)" "$(awk_name)" "$(first_verdict "$2" "$start")" \
        "$right")$wrong"
    ((wrong == 0))
}

# shellcheck disable=SC2016 # the variables are those of the inner shell
clang_version() {
    inside bash -c 'for name in "$0"/warpup/build/llvm-*/bin/clang clang-{21..16} clang; do
            type -P "$name" >/dev/null && exec "$name" --version; done' "$STUDENT" |
        sed -n '1s/.*clang version \([0-9.]*\).*/\1/p'
}

glibc() {
    inside ldd --version | sed -n '1s/.* //p'
}

awk_name() {
    local path
    path=$(inside realpath /usr/bin/awk)
    printf '%s' "${path##*/}"
}

# Prints the seconds until the first verdict, and the processor time of all processes in it.
first_verdict() { # HOME START
    awk -v start="$2" '
        function seconds(text,   part) { split(text, part, /[ms]/); return 60 * part[1] + part[2] }
        NR == 2 { processor = seconds($1) + seconds($2) }
        NR == 3 { printf "%d\t%.0f", $1 - start, processor }' "$1/first"
}

# Prints a row, and puts it into the table in place of the one of the same system.
note() { # SYSTEM ROW
    local table=checker/test/measured/systems.tsv
    printf '%s\n' "$2"
    {
        printf '%s\n%s\n' "$TITLE" "$HEADER"
        {
            [[ ! -e $table ]] || awk -F'\t' -v system_now="$1" '!/^#/ && $1 != "system" && $1 != system_now' "$table"
            printf '%s\n' "$2"
        } | awk -F'\t' -v order="$ORDER" '{ print index(order, " " $1 " ") "\t" $0 }' | sort -n | cut -f 2-
    } >"$table.new"
    mv -- "$table.new" "$table"
}
