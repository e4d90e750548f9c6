#!/usr/bin/env bats
# cage.bats: the sandbox in which a submission is graded. All hostile programs are in the script `hostile`, which takes
# longer; here are one of each kind.
bats_require_minimum_version 1.5.0

readonly ORDINARY=64124 # a user without a name

setup() {
    load helper
    export WARPUP_SANDBOX_MB=1024 WARPUP_SECONDS=3
    HOSTILE=$BATS_TEST_DIRNAME/cage/hostile
    TO=$BATS_TEST_TMPDIR/to
    mkdir "$TO"
    chmod 777 "$TO"
    chmod 755 "$BATS_TEST_TMPDIR" "$BATS_FILE_TMPDIR" "$BATS_RUN_TMPDIR"
}

sandbox_check() { # SOURCE
    "${AS[@]}" "$TOP/checker/cage/sandbox-check" "$TO" "$TOP/ex01_axpy" "$1" 1
}

# Skips the test where this user can have no sandbox.
need_sandbox() {
    local reason
    command -v bwrap >/dev/null || skip "there is no bwrap"
    reason=$("${AS[@]}" unshare --user --map-root-user true 2>&1) || skip "there are no user namespaces: $reason"
}

# From here on, sandbox-check runs as an ordinary user, who must be able to read the lab.
be_ordinary() {
    [ "$EUID" = 0 ] || return 0
    AS=(setpriv --reuid "$ORDINARY" --regid "$ORDINARY" --clear-groups env HOME=/nonexistent)
    "${AS[@]}" test -r "$TOP/checker/check" || skip "another user cannot read $TOP"
}

# TO has files with these names and nothing else.
holds() { # NAME...
    [ "$(find "$TO" -mindepth 1 -type f -printf '%f\n' | sort | paste -sd ' ')" = "$*" ]
    [ "$(find "$TO" -mindepth 1 | wc -l)" = $# ]
}

# A verdict without the times that a program prints.
without_times() { # FILE
    jq -S 'walk(if type == "string" then gsub("[0-9.]+ ms printed"; "")
        elif type == "object" then with_entries(select(.key | endswith("_ms") | not)) else . end)' "$1"
}

@test "a correct program whose runs need too much memory together, but not alone, gets its rung" {
    need_sandbox
    { "$TOP/solutions/stage" "$TOP/ex01_axpy" print 1 && cat <<'END'; } >"$BATS_TEST_TMPDIR/axpy.cu"
#include <cstring>
static char *volatile large = static_cast<char *>(malloc(300u << 20));
static int is_large = (memset(large, 1, 300u << 20), usleep(300000));
END
    run -0 sandbox_check "$BATS_TEST_TMPDIR/axpy.cu"
    holds pretty.txt seen.txt verdict.json
    [ "$(<"$TO/seen.txt")" = "Its program can wait without computing: it calls usleep." ]
    [ "$(jq .rung "$TO/verdict.json")" = 1 ]
}

@test "a correct program gets the verdict in the sandbox that it gets without one" {
    need_sandbox
    "$TOP/solutions/stage" "$TOP/ex01_axpy" print 1 >"$BATS_TEST_TMPDIR/axpy.cu"
    run -0 sandbox_check "$BATS_TEST_TMPDIR/axpy.cu"
    holds pretty.txt verdict.json
    [ "$(jq .rung "$TO/verdict.json")" = 1 ]
    grep -q '1 ✓ runs a kernel' "$TO/pretty.txt"
    without_times "$TO/verdict.json" >"$BATS_TEST_TMPDIR/inside"
    rm "$TO"/*
    UNSAFE=1 run -0 sandbox_check "$BATS_TEST_TMPDIR/axpy.cu"
    holds pretty.txt verdict.json
    diff "$BATS_TEST_TMPDIR/inside" <(without_times "$TO/verdict.json")
}

@test "the result of the largest extra size has room in the sandbox" {
    need_sandbox
    "$TOP/solutions/stage" "$TOP/ex02_rot" print 2 >"$BATS_TEST_TMPDIR/rot.cu"
    WARPUP_SANDBOX_MB=4096 WARPUP_SECONDS=20 run -0 "$TOP/checker/cage/sandbox-check" "$TO" "$TOP/ex02_rot" "$BATS_TEST_TMPDIR/rot.cu" 1
    [ "$(jq .rung "$TO/verdict.json")" = 2 ]
}

@test "in the sandbox, a program that makes floats of an index is checked with large sizes too" {
    need_sandbox
    "$TOP/solutions/stage" "$TOP/ex03_matvec" print 1 >"$BATS_TEST_TMPDIR/matvec.cu"
    patch --silent "$BATS_TEST_TMPDIR/matvec.cu" "$TOP/checker/test/mistakes/matvec/row-start-in-a-float.patch"
    run -0 "$TOP/checker/cage/sandbox-check" "$TO" "$TOP/ex03_matvec" "$BATS_TEST_TMPDIR/matvec.cu" 1
    [ "$(jq -r '.diagnoses[0].name' "$TO/verdict.json")" = wrong-result ]
}

# These programs exit with 77 if they can do what they must not.
@test "an ordinary user's program reads nothing outside, and leaves no process" {
    be_ordinary
    need_sandbox
    sed '1i #include <unistd.h>
        s/return 1;/if (fork() == 0) execl("\/usr\/bin\/sleep", "warpup-left", "300", (char *)0); return 1;/' \
        "$HOSTILE/reads_outside.cu" >"$BATS_TEST_TMPDIR/axpy.cu"
    run -0 sandbox_check "$BATS_TEST_TMPDIR/axpy.cu"
    holds pretty.txt seen.txt verdict.json
    grep -q 'the program ended with exit code 1$' "$TO/pretty.txt"
    grep -q 'names files that no exercise needs: .*/etc/passwd' "$TO/seen.txt"
    grep -q 'Its program can start other programs: it calls fork, execl\.' "$TO/seen.txt"
    run -1 pgrep -f '^warpup-left'
}

@test "a step sees a compiler that is elsewhere, the folders of CPATH and the like, and not the lab if it is named there" {
    need_sandbox
    local clang
    clang=$(compgen -c clang | grep -xE 'clang(-[0-9]+)?' | sort -t - -k 2 -n | tail -n 1)
    [ "$clang" ] || skip "there is no clang"
    mkdir -p "$BATS_TEST_TMPDIR/own" "$BATS_TEST_TMPDIR/clang/bin"
    ln -s "$(realpath "$(type -P "$clang")")" "$BATS_TEST_TMPDIR/clang/bin/clang"
    export WARPUP_CLANG=$BATS_TEST_TMPDIR/clang/bin/clang
    echo 'int main() {}' >"$BATS_TEST_TMPDIR/own/own.h"
    printf '#include <own.h>\n#if __has_include(<solutions/README.md>)\n#error seen\n#endif\n' >"$BATS_TEST_TMPDIR/axpy.cu"
    CPATH=$BATS_TEST_TMPDIR/own:$TOP run -0 sandbox_check "$BATS_TEST_TMPDIR/axpy.cu"
    jq -e '.criteria[0].passed' "$TO/verdict.json"
    run -0 env CPATH= "$TOP/checker/cage/sandbox-check" "$TO" "$TOP/ex01_axpy" "$BATS_TEST_TMPDIR/axpy.cu" 1
    jq -e '.criteria[0].passed == false' "$TO/verdict.json"
}

# A copy of the lab in a folder that only this user may enter, whose name has a space and an umlaut. Prints the rung that a
# program gets there.
rung_in_private_copy() {
    local copy="$BATS_TEST_TMPDIR/pri vät"
    mkdir -m 700 "$copy"
    cp -r "$TOP"/{Makefile,checker,ex0*,build} "$copy/"
    "$TOP/solutions/stage" "$TOP/ex01_axpy" print 1 >"$copy/axpy.cu"
    [ ${#AS[@]} = 0 ] || chown -R "$ORDINARY:$ORDINARY" "$copy"
    "${AS[@]}" env -u WARPUP_BUILD "$copy/checker/cage/sandbox-check" "$TO" "$copy/ex01_axpy" "$copy/axpy.cu" 1 >&2
    jq .rung "$TO/verdict.json"
}

@test "the lab may be in a folder that only root may enter, or in a private one of a user" {
    need_sandbox
    [ -d "$TOP/build" ] || skip "the tools are elsewhere"
    [ "$(rung_in_private_copy)" = 1 ]
    rm -r "${TO:?}"/* "$BATS_TEST_TMPDIR"/pri*
    be_ordinary
    [ "$(rung_in_private_copy)" = 1 ]
}

@test "a program reaches neither the trace nor the process of its GPU" {
    need_sandbox
    run -1 sandbox_check "$HOSTILE/reaches_trace.cu"
    run -1 grep 'exit code 77' "$TO/pretty.txt"
    grep -q 'could not check.*a message to the GPU has a wrong size' "$TO/pretty.txt"
    rm "$TO"/*
    run -0 sandbox_check "$HOSTILE/forges_trace.cu"
    run -1 grep 'exit code 77' "$TO/pretty.txt"
    [ "$(jq .rung "$TO/verdict.json")" = 0 ]
}

@test "a program writes nothing outside" {
    need_sandbox
    run -0 sandbox_check "$HOSTILE/writes_outside.cu"
    grep -q 'the program ended with exit code 1$' "$TO/pretty.txt"
    grep -q 'names files that no exercise needs: .*/etc/passwd' "$TO/seen.txt"
}

@test "links and pipes beside a program do not reach the judge" {
    need_sandbox
    run -0 sandbox_check "$HOSTILE/leaves_links.cu"
    holds pretty.txt seen.txt verdict.json
    grep -q 'Its program can make links' "$TO/seen.txt"
    run -1 grep -r root: "$TO"
}

# The folder of a check whose steps see the system alone.
make_work() {
    WORK=$BATS_TEST_TMPDIR/work
    mkdir -p "$WORK"/{steps,scratch,out}
    local folder
    {
        printf '%s\0' --ro-bind /usr /usr --ro-bind "$BUILD/cage" /cage
        for folder in /bin /lib /lib64; do
            [ ! -L "$folder" ] || printf '%s\0' --symlink "$(readlink "$folder")" "$folder"
            [ -L "$folder" ] || [ ! -d "$folder" ] || printf '%s\0' --ro-bind "$folder" "$folder"
        done
    } | tee "$WORK/compile.args" >"$WORK/run.args"
}

@test "of what a step leaves, regular files with known names are taken" {
    need_sandbox
    make_work
    cd "$WORK"
    # shellcheck disable=SC2016 # the step's shell expands it
    WARPUP_TRACE=$WORK/out run -0 "$BUILD/cage" run --work "$WORK" -- sh -c 'cd "$WARPUP_TRACE" && ln -s /etc/passwd trace.jsonl &&
        mkfifo data-1.bin && mkdir data-2.bin && echo a >data-3.bin && echo b >verdict.json'
    [ "$(ls "$WORK/out")" = data-3.bin ]
    diff <(sort "$WORK/seen") <(printf 'It wrote %s, which is not a regular file.\n' data-1.bin data-2.bin trace.jsonl)
    # shellcheck disable=SC2016
    WARPUP_OUT=$WORK/out run -0 "$BUILD/cage" compile --work "$WORK" -- sh -c 'cd "$WARPUP_OUT" && echo c >program && echo d >other'
    [ "$(ls "$WORK/out")" = $'data-3.bin\nprogram' ]
    [ -z "$(find "$WORK/steps" "$WORK/scratch" -mindepth 1)" ]
}

@test "a step may make no system call that leads out of a sandbox, and sees no key of the grader's" {
    need_sandbox
    make_work
    gcc -Wall -Wextra -Werror -static -o "$WORK/calls" "$BATS_TEST_DIRNAME/cage/calls.c"
    [[ $("$WORK/calls") == *process_vm_readv*ptrace* ]]
    printf '%s\0' --ro-bind "$WORK/calls" /calls >>"$WORK/run.args"
    cd "$WORK"
    run -0 "$BUILD/cage" run --work "$WORK" -- /calls
    [ "$output" = "" ]
    "$WORK/calls" warpup-secret grep -q warpup-secret /proc/keys || skip "this kernel shows no keys"
    "$WORK/calls" warpup-secret "$BUILD/cage" run --work "$WORK" -- cat /proc/keys >"$WORK/seen-keys" 2>&1 || true
    run -1 grep warpup-secret "$WORK/seen-keys"
}

@test "a step ends with the process that has started it, which may be another user's" {
    need_sandbox
    make_work
    cd "$WORK"
    bash -c '"$0" run --work "$1" -- sleep 3000 & sleep 0.5 && kill -KILL $$' "$BUILD/cage" "$WORK" 3>&- || true
    local attempts
    for ((attempts = 0; attempts < 50; attempts++)); do
        pgrep -f "$WORK" >/dev/null || break
        sleep 0.1
    done
    run -1 pgrep -f "$WORK"
}

# Prints the numbers and names of all processes that a process has started, and theirs.
descendants() { # PROCESS
    ps -eo pid=,ppid=,comm= | awk -v root="$1" '
        { parent[$1] = $2; name[$1] = $3 }
        END {
            for (process in parent) {
                for (above = process; above in parent && above != root; above = parent[above]) continue
                if (above == root && process != root) print process, name[process]
            }
        }'
}

@test "when sandbox-check is killed, nothing is left" {
    need_sandbox
    local sandbox all process groups attempts
    (exec "$TOP/checker/cage/sandbox-check" "$TO" "$TOP/ex01_axpy" "$HOSTILE/templates.cu" 1) 3>&- &
    sandbox=$!
    for ((attempts = 0; attempts < 600; attempts++)); do
        sleep 0.3
        all=$(descendants $sandbox)
        [[ $all != *" clang"* ]] || break
    done
    [[ $all == *" clang"* ]]
    kill -KILL $sandbox
    for ((attempts = 0; attempts < 200; attempts++)); do
        sleep 0.1
        process=$(while read -r process _; do [[ ! -d /proc/$process ]] || echo "$process"; done <<<"$all")
        groups=$(find /sys/fs/cgroup -name "warpup-$sandbox-*" 2>/dev/null)
        [ -n "$process$groups" ] || break
    done
    [ -z "$process$groups" ]
    holds
}

@test "of a program with millions of texts, a part is read" {
    seq -f '/etc/%.0f' 600000 | tr '\n' '\0' >"$BATS_TEST_TMPDIR/texts"
    printf '.section .rodata\n.incbin "%s"\n' "$BATS_TEST_TMPDIR/texts" | gcc -c -x assembler -o "$BATS_TEST_TMPDIR/program" -
    source "$TOP/checker/cage/seen.bash"
    [ "$(tables_of "$BATS_TEST_TMPDIR/program" | wc -c)" = "$TABLES_BYTES" ]
    WORK=$BATS_TEST_TMPDIR CHECKER=$TOP/checker see_program
    grep -q '^Its program names files that no exercise needs: /etc/1, /etc/2, ' "$BATS_TEST_TMPDIR/hints"
    [ "$(wc -c <"$BATS_TEST_TMPDIR/hints")" -lt 500 ]
}

@test "what is not the text of a program is refused in one line" {
    local folder=$BATS_TEST_TMPDIR
    : >"$folder/empty.cu"
    printf 'int main() {}\0' >"$folder/binary.cu"
    ln -s /etc/passwd "$folder/link.cu"
    mkfifo "$folder/pipe.cu"
    head -c 2000000 /dev/zero | tr '\0' ' ' >"$folder/long.cu"
    while IFS=: read -r name line; do
        rm -f "$TO"/*
        run -1 sandbox_check "$folder/$name.cu"
        holds seen.txt
        [ "$(<"$TO/seen.txt")" = "$line" ]
    done <<'END'
empty:The source is empty.
binary:The source is not text.
link:The source is a link.
pipe:The source is not a file that can be read.
none:The source is not a file that can be read.
long:The source has 1953 KB. At most 1024 KB are checked.
END
}

@test "where no sandbox can be had, sandbox-check says what is missing" {
    local few=$BATS_TEST_TMPDIR/few folder program
    mkdir "$few"
    while read -r -d : folder; do
        for program in "$folder"/*; do
            [ "${program##*/}" = bwrap ] || [ -L "$few/${program##*/}" ] || ln -s "$program" "$few/"
        done
    done <<<"$PATH:"
    PATH=$few run --separate-stderr -3 sandbox_check "$HOSTILE/spins.cu"
    # shellcheck disable=SC2154 # bats sets stderr
    [ "$stderr" = "no sandbox: bwrap not found; checker/bin/setup --class installs it" ]
    # shellcheck disable=SC2016 # expanded by the inner shell
    unshare --user --map-root-user true || skip "this user may make no namespaces"
    run --separate-stderr -3 unshare --user --map-root-user bash -c 'echo 0 >/proc/sys/user/max_mnt_namespaces && exec "$@"' - \
        "$TOP/checker/cage/sandbox-check" "$TO" "$TOP/ex01_axpy" "$HOSTILE/spins.cu" 1
    [[ "$stderr" == "no sandbox: root may not make namespaces here (sysctl user.max_*_namespaces limits their number); "* ]]
    holds
}

@test "what is wrong with the machine is not the submission's fault" {
    need_sandbox
    WARPUP_CLANG=no-such-compiler run --separate-stderr -2 sandbox_check "$HOSTILE/spins.cu"
    [[ "$stderr" == *"there is no no-such-compiler"* ]]
    run --separate-stderr -2 "$TOP/checker/cage/sandbox-check" "$TO" "$TOP/ex01_axpy" "$HOSTILE/spins.cu"
    [[ "$stderr" == "usage: sandbox-check "* ]]
}
