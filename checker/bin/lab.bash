# lab.bash: what the lab's scripts share: where files are, the lab's tools, and which GPUs this
# machine has. The scripts here and in solutions/ source it. By itself it only reads old names of variables.
# shellcheck disable=SC2034 # what it sets is for those who source it

CHECKER=$(cd -P -- "${BASH_SOURCE[0]%/*}/.." && pwd)
TOP=${CHECKER%/*}
BUILD=${WARPUP_BUILD:-build}
[[ $BUILD == /* ]] || BUILD=$TOP/$BUILD

readonly NVCC_MAJOR_MIN=11

# Ends the script because a check is not possible: one line, exit code 2.
cannot() {
    doing ''
    printf 'could not check: %s\n' "$*" >&2
    exit 2
}

# True if escape sequences are wanted on a stream, and work there; checker/show/terminal.h has the same rules.
shows_escapes() { # STREAM
    [[ -t $1 && ${TERM-} != dumb && ${WARPUP_PLAIN:-0} == 0 ]]
}

# Shows on a terminal what happens, in a line that the next one replaces; an empty text only erases it.
doing() { # TEXT
    [[ ${1-} || ${DOING-} ]] && shows_escapes 2 || return 0
    DOING=$1
    printf '\r\e[K%s' "${1:0:78}" >&2
}

# Ends the script because it was called wrongly: one line, exit code 2.
usage() {
    printf '%s\n' "$*" >&2
    exit 2
}

# Tests that the programs that the lab needs are installed. build/cc finds the compilers of CUDA programs itself.
need_programs() {
    local program builders=(gcc find) missing=()
    [[ ! -e $BUILD/bundle ]] || builders=() # a bundle brings what gcc would build
    for program in "${builders[@]}" make awk sed grep; do
        command -v "$program" >/dev/null || missing+=("$program")
    done
    ((${#missing[@]} == 0)) || cannot "${missing[*]} not found; checker/bin/setup installs it"
}

# True if two files have the same bytes. cmp is not on every machine.
are_same() { # FILE FILE
    [[ -f $1 && -f $2 && $(cksum <"$1") == "$(cksum <"$2")" ]]
}

# Moves a file of the student to the first free name of FILE.1, FILE.2, ..., and sets ASIDE to it. Fails if it stays.
set_aside() { # FILE
    local number=1
    while [[ -e $1.$number ]]; do number=$((number + 1)); done
    ASIDE=$1.$number
    mv -n -- "$1" "$ASIDE" 2>/dev/null && [[ ! -e $1 ]]
}

# Variables that had another name in the last release are still read, with a note. The next release drops this.
read_old_names() {
    local old new
    while read -r old new; do
        [[ ${!old+set} && ! ${!new+set} ]] || continue
        printf 'note: %s is called %s now; the next release does not read %s\n' "$old" "$new" "$old" >&2
        export "$new=${!old}"
    done <<<'LAB_SEED WARPUP_SEED
LAB_PLAIN WARPUP_PLAIN
CLANG WARPUP_CLANG
CAGE_MB WARPUP_SANDBOX_MB
WARPUP_CONTAINED WARPUP_SANDBOX_CHECK'
}
read_old_names

LAB_MAKE=(make -s -C "$TOP" -f checker/lab.mk)

# Builds the lab's own tools if one is out of date. If two checks run at the same time, one waits.
need_tools() {
    local log
    if are_known_fresh; then return; fi
    local stamp=$BUILD/fresh.$$
    { : >"$stamp"; } 2>/dev/null || true
    lab_make -q >/dev/null 2>&1 || build_or_end
    know_fresh "$stamp"
}

build_or_end() {
    rm -f -- "$stamp"
    mkdir -p "$BUILD" 2>/dev/null && { : >"$stamp" && : >>"$BUILD/lock"; } 2>/dev/null ||
        cannot "the lab's tools are not built, and $BUILD cannot be written"
    printf "building the lab's tools ...\n" >&2
    if ! log=$(build_tools 2>&1); then
        rm -f -- "$stamp"
        tail -n 15 <<<"$log" >&2
        cannot "the lab's tools do not build; checker/bin/setup installs what they need"
    fi
}

# Make needs a tenth of a second to find that there is nothing to do. So build/fresh remembers on what this depends: where
# the lab and nvcc are, and the tools. It is as old as the moment before make looked. True if all of that is there, and no
# source is newer, nor a folder of them: a new file changes its folder.
are_known_fresh() {
    local needed one
    { mapfile -t needed <"$BUILD/fresh"; } 2>/dev/null || return 1
    [[ ${needed[0]-} == "$CHECKER" && ${needed[1]-} == "$(type -P nvcc)" ]] || return 1
    for one in "${needed[@]:2}"; do
        [[ -e $BUILD/$one ]] || return 1
    done
    for one in "$TOP"/{,*/checker/oracle.c} "$CHECKER"/{,lab.mk,gpu.mk,*/,judge/*/,gpu/*/,gpu/include/*/{,*/}} \
        "$CHECKER"/{*,judge/*,gpu/*,gpu/include/*,gpu/include/*/*}/*.{c,h,cu,def,map}; do
        [[ ! $one -nt $BUILD/fresh ]] || return 1
    done
}

know_fresh() { # STAMP, a file that is as old as the moment before make looked
    [[ -e $1 ]] || return 0
    { printf '%s\n' "$CHECKER" "$(type -P nvcc)" && lab_make list; } >"$1.list" 2>/dev/null &&
        touch -r "$1" -- "$1.list" && mv -f -- "$1.list" "$BUILD/fresh" || true
    rm -f -- "$1" "$1.list"
}

# The first tool holds the lock while the others are built.
build_tools() {
    lab_make "${WARPUP_BUILD:-build}/fsutil" &&
        MAKEFLAGS='' "$BUILD/fsutil" lock "$BUILD/lock" "${LAB_MAKE[@]}" -j"$(nproc)"
}

lab_make() {
    MAKEFLAGS='' "${LAB_MAKE[@]}" "$@"
}

# Sets NVCC to the compiler to use; fails with the reason in WHY_NOT.
find_nvcc() {
    local version
    NVCC=$(command -v nvcc) || { WHY_NOT="there is no nvcc (CUDA toolkit $NVCC_MAJOR_MIN or newer) in PATH" && return 1; }
    version=$("$NVCC" --version 2>&1) || true
    [[ $version =~ release\ ([0-9]+)\.([0-9]+) ]] ||
        { WHY_NOT="$NVCC does not print its version" && return 1; }
    ((BASH_REMATCH[1] >= NVCC_MAJOR_MIN)) || {
        WHY_NOT="nvcc ${BASH_REMATCH[1]}.${BASH_REMATCH[2]} is too old: $NVCC_MAJOR_MIN.0 or newer is needed"
        return 1
    }
}

# Sets LIBRARIES to those of CUDA's libraries that nvcc links for a program: the ones that its text names. A machine
# may have none of them.
find_libraries() { # SOURCE
    local library
    LIBRARIES=()
    for library in cublas cublasLt curand; do
        if grep -qs -- "$library" "$1"; then LIBRARIES+=("-l$library"); fi
    done
}

# True if a GPU and its driver answer, through LAUNCH if it is set. Otherwise WHY_NOT says why not, and
# SEEN_GPU is yes if there is a GPU that does not answer.
find_gpu() {
    local answer launch
    SEEN_GPU=
    read -ra launch <<<"${LAUNCH:-}"
    if answer=$("${launch[@]}" nvidia-smi -L 2>&1) && [[ $answer == *GPU\ 0:* ]]; then
        SEEN_GPU=yes
        return
    fi
    grep -qs 0x10de /sys/bus/pci/devices/*/vendor && SEEN_GPU=yes
    case $answer in
    *[Dd]river*) SEEN_GPU=yes WHY_NOT="there is a GPU, but its driver does not answer (run nvidia-smi for details)" ;;
    *) WHY_NOT="${SEEN_GPU:+there is an NVIDIA device, but }nvidia-smi finds no GPU" ;;
    esac
    return 1
}

# Decides from GPU=auto|sim|real whether the program runs on a real GPU too: REAL is yes or empty.
# With GPU=auto, NOTE says why a GPU that is present is not used.
choose_devices() {
    REAL='' NOTE=''
    case ${GPU:-auto} in
    sim) return ;;
    auto | real) ;;
    *) usage "GPU=$GPU: it has to be auto, sim or real" ;;
    esac
    if find_gpu && find_nvcc && find_tracer; then
        REAL=yes
    elif [[ ${GPU:-auto} == real ]]; then
        cannot "GPU=real: $WHY_NOT"
    elif [[ $SEEN_GPU ]]; then
        NOTE="$WHY_NOT; checked on the simulated GPU only"
    fi
}

find_tracer() {
    WHY_NOT="the tracer is not built: CUPTI of the CUDA toolkit was not found"
    [[ -e $BUILD/tracer.so && -e $BUILD/copyrate ]]
}

# Sets the GPU that the simulated GPU imitates: a name in gpu/profiles/, or a file. PROFILE_FILE has
# the figures of this GPU.
find_profile() {
    local name=${PROFILE:-h200} profiles
    PROFILE_FILE=$CHECKER/gpu/profiles/$name.tsv
    if [[ $name == */* || $name == *.tsv ]]; then
        PROFILE_FILE=$(realpath -- "$name")
        name=$PROFILE_FILE
    fi
    export WARPUP_LIB=$CHECKER WARPUP_PROFILE=$name
    [[ ! -r $PROFILE_FILE ]] || return 0
    profiles=("$CHECKER"/gpu/profiles/*.tsv)
    profiles=("${profiles[@]##*/}")
    usage "PROFILE=${PROFILE-}: there is no such profile; there are: ${profiles[*]%.tsv}"
}

# Prints a figure of the GPU that the simulated GPU imitates, or of the file of a profile, if it has one.
profile_figure() { # FIGURE [FILE]
    awk -F'\t' -v figure="$1" '$1 == figure { print $2 }' "${2:-$PROFILE_FILE}"
}

# Prints the highest rung that the student has reached in an exercise.
reached_rung() { # EXERCISE_DIR
    [[ -r $1/progress.tsv ]] || { echo 0 && return; }
    awk -F'\t' '$1 == "reached" && $2 > rung { rung = $2 } END { print rung + 0 }' "$1/progress.tsv"
}
