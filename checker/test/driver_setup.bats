#!/usr/bin/env bats
# setup: which packages it asks for, with each package manager, and what it says where nobody may install.
bats_require_minimum_version 1.5.0

setup() {
    load helper
    unset WARPUP_CLANG
    export FEW=$BATS_TEST_TMPDIR/few
    mkdir "$FEW"
}

# FEW is the whole PATH: it has what a check needs, apart from these programs.
without() { # PROGRAM...
    local program
    for program in bash env id gcc make awk sed find tail cat rm touch chmod; do
        [[ " $* " == *" $program "* ]] || ln -s "$(type -P $program)" "$FEW/"
    done
    [[ " $* " == *" clang "* ]] || fake_clang clang 19 libomp
}

# A clang of this version, with OpenMP or without it.
fake_clang() { # NAME VERSION [libomp]
    local root=$FEW/llvm-$2
    mkdir -p "$root/lib"
    [ ! "${3-}" ] || : >"$root/lib/libomp.so"
    fake "$1" "case \$1 in
--version) echo 'Debian clang version $2.0.6' ;;
-print-resource-dir) echo '$root/lib/clang/$2' ;;
esac"
}

# Makes a program in FEW that does what these lines of shell say.
fake() { # NAME LINES
    printf '#!/bin/bash\n%s\n' "$2" >"$FEW/$1"
    chmod +x "$FEW/$1"
}

# A package manager that notes how it is called, and which has `find` once its lists are fresh.
# shellcheck disable=SC2016 # for the program
fake_manager() { # NAME REFRESH
    fake "$1" 'echo "$*" >>"$FEW/log"
case "$*" in
"'"$2"'") touch "$FEW/fresh" ;;
*) [ -e "$FEW/fresh" ] && { echo "#!/bin/bash" >"$FEW/find"; chmod +x "$FEW/find"; } ;;
esac'
}

run_setup() { # CODE [OPTION]
    PATH=$FEW run "-$1" "$TOP/checker/bin/setup" "${@:2}"
}

@test "setup says nothing when nothing is missing" {
    run -0 "$TOP/checker/bin/setup"
    [ "$output" = "" ]
    run -2 "$TOP/checker/bin/setup" --all
    [[ $output == "usage: setup "* ]]
}

@test "each package manager installs what is missing, with new package lists if the old ones are not enough" {
    [ "$EUID" = 0 ] || skip "only root can try it"
    local manager refresh install
    while IFS='|' read -r manager refresh install; do
        rm -rf "$FEW" && mkdir "$FEW"
        without find
        fake_manager "$manager" "$refresh"
        run_setup 0
        [ "$output" = "installing: findutils" ]
        diff - "$FEW/log" <<<"$install"$'\n'"$refresh"$'\n'"$install"
    done <<'END'
apt-get|update -q|install -q -y --no-install-recommends findutils
dnf|-q makecache|-q install -y findutils
zypper|-n refresh|-n install --no-recommends findutils
pacman|-Sy|-S --noconfirm --needed findutils
apk|update|add findutils
END
}

# The packages that setup asks apt-get for, where `clang` is of this version.
asked_for() { # VERSION
    # shellcheck disable=SC2016 # for the program
    fake apt-get 'echo "$*" >>"$FEW/log"; exit 1'
    fake apt-cache "echo '  Candidate: 1:$1.0-1'"
    : >"$FEW/log"
    PATH=$FEW run -2 "$TOP/checker/bin/setup"
    sed -n '1s/.*--no-install-recommends //p' "$FEW/log"
}

@test "a clang that is new enough, with its OpenMP, or nvcc; Debian's names have a version where they need one" {
    [ "$EUID" = 0 ] || skip "only root can try it"
    without clang
    [ "$(asked_for 19)" = "clang libomp-dev" ]
    [ "$(asked_for 14)" = "clang-16 libomp-16-dev" ]
    fake_clang clang 15 libomp
    [ "$(asked_for 15)" = "clang-16 libomp-16-dev" ]
    fake_clang clang-18 18
    [ "$(asked_for 15)" = "libomp-18-dev" ]
    fake_clang clang-16 16 libomp
    run_setup 0
    [ "$output" = "" ]
    rm "$FEW/clang-16"
    fake nvcc 'echo "Cuda compilation tools, release 11.8, V11.8.89"'
    run_setup 0
    fake nvcc 'echo "Cuda compilation tools, release 11.5, V11.5.119"'
    [ "$(asked_for 15)" = "libomp-18-dev" ]
    WARPUP_CLANG=$FEW/mine
    fake_clang mine 17 libomp
    export WARPUP_CLANG
    run_setup 0
}

@test "a package manager that fails is quoted, and what is still missing is named" {
    [ "$EUID" = 0 ] || skip "only root can try it"
    without find
    fake dnf 'echo "no network"; exit 1'
    run_setup 2
    [ "$output" = $'installing: findutils\nno network\ndnf could not install: findutils' ]
    fake dnf 'exit 0'
    run_setup 2
    [ "${lines[-1]}" = "still missing after the installation: find" ]
}

# An ordinary user runs setup: one without a name, so that nothing has to be installed for it.
as_user() { # CODE [OPTION]
    [ "$EUID" = 0 ] || skip "only root can become another user"
    type -P setpriv >/dev/null || skip "there is no setpriv"
    local user folder=$BATS_TEST_TMPDIR/lab
    user=("$(type -P setpriv)" --reuid=12345 --regid=12345 --clear-groups)
    mkdir -p "$folder"
    cp "$TOP/checker/bin/"{setup,packages.tsv} "$folder/"
    chmod -R a+rX "$BATS_TEST_TMPDIR"
    chmod a+X "$BATS_RUN_TMPDIR" "${BATS_TEST_TMPDIR%/*}"
    PATH=$FEW run "-$1" "${user[@]}" "$folder/setup" "${@:2}"
}

@test "where nobody may install, setup names the command for an administrator, and a way without one" {
    without clang find
    fake zypper 'exit 1'
    fake sudo 'exit 1'
    as_user 2
    [ "${lines[0]}" = "please run, or ask an administrator to run: sudo zypper -n install --no-recommends clang libomp-devel findutils" ]
    [[ ${lines[1]} == "without an administrator: put the libraries into a folder of your own. "*" LIBRARY_PATH and LD_LIBRARY_PATH" ]]
    [ "${#lines[@]}" = 2 ]
}

@test "an ordinary user who may use sudo installs with it" {
    without find
    fake_manager dnf '-q makecache'
    # shellcheck disable=SC2016 # for the program
    fake sudo 'shift; "$@"'
    chmod 777 "$FEW"
    as_user 0
    [ "$output" = "installing: findutils" ]
    grep -q 'install -y findutils' "$FEW/log"
}

@test "on a cluster, setup names the modules to load" {
    without clang find
    fake dnf 'exit 1'
    module() {
        printf '%s\n' /apps/modules: clangless/1 clang/18.1.8\(default\) clang/17.0 >&2
    }
    export -f module
    as_user 2
    [[ ${lines[0]} == *"sudo dnf -q install -y clang libomp-devel findutils" ]]
    [ "${lines[1]}" = "this system has modules: module load clang/18.1.8" ]
    [ "${#lines[@]}" = 3 ]
}

@test "the compiler finds what CPATH and LIBRARY_PATH name, as setup says" {
    local own=$BATS_TEST_TMPDIR/own
    mkdir -p "$own/include" "$own/lib"
    touch "$own/include/mine.h" "$own/lib/libmine.so"
    CPATH=$own/include gcc -E -x c - <<<'#include <mine.h>' >/dev/null
    [ "$(LIBRARY_PATH=$own/lib gcc -print-file-name=libmine.so)" -ef "$own/lib/libmine.so" ]
}

@test "without a package manager that it knows, setup says what is missing" {
    without find
    run_setup 2
    [ "${lines[0]}" = "missing here: find; install them with this system's package manager" ]
}

@test "a check asks for less than stages, pictures and tests do; each package is asked for once" {
    [ "$EUID" = 0 ] || skip "only root can try it"
    local option package
    without find
    # shellcheck disable=SC2016 # for the program
    fake apt-get 'echo "$*" >>"$FEW/log"; exit 1'
    run_setup 2
    run ! grep -E 'jq|patch|gnuplot|bats|util-linux|diff' "$FEW/log"
    for option in --stages:jq,patch,diffutils --pictures:jq,gnuplot-nox --class:jq,bubblewrap,python3 --test:bats,pandoc,util-linux,parallel; do
        : >"$FEW/log"
        run_setup 2 "${option%:*}"
        for package in $(tr , ' ' <<<"${option#*:}"); do
            grep -qw -- "$package" "$FEW/log"
        done
        [ "$(head -n 1 "$FEW/log" | tr ' ' '\n' | sort | uniq -d)" = "" ]
    done
}

@test "every need has a package of every package manager" {
    local need table=$TOP/checker/bin/packages.tsv
    awk -F'\t' '!/^#/ && NF != 6 { print; wrong = 1 } END { exit wrong }' "$table"
    [ "$(grep -v '^#' "$table" | head -n 1)" = $'need\tapt-get\tdnf\tzypper\tpacman\tapk' ]
    while read -r need; do
        grep -q "^$need"$'\t' "$table" || { echo "$need" && return 1; }
    done < <(sed -nE "s/^ *need_(program|header|library|file) \S+ ([a-z0-9+-]+).*/\2/p; s/.*printf '(chromium|fuzzer|cuda-clang|libomp).*/\1/p" \
        "$TOP/checker/bin/setup")
}
