# lab.bash: what the lab's scripts share: where things are, the lab's tools, and which GPUs there
# are. Sourced by the scripts here and in solutions/; it does nothing by itself.
# shellcheck disable=SC2034 # what it sets is for those who source it

CHECKER=$(cd -P -- "${BASH_SOURCE[0]%/*}/.." && pwd)
TOP=${CHECKER%/*}
BUILD=${WARPUP_BUILD:-build}
[[ $BUILD == /* ]] || BUILD=$TOP/$BUILD

# shellcheck source=../sim/translate/compiler.bash
source "$CHECKER/sim/translate/compiler.bash"

readonly NVCC_MAJOR_MIN=11

# Ends the script because a check is not possible: one line, exit code 2.
cannot() {
    printf 'could not check: %s\n' "$*" >&2
    exit 2
}

# Ends the script because it was called wrongly: one line, exit code 2.
usage() {
    printf '%s\n' "$*" >&2
    exit 2
}

# Makes sure that the programs that the lab stands on are installed, and that it knows this g++.
need_programs() {
    local program missing=()
    for program in gcc "${CXX:-g++}" make jq bats; do
        command -v "$program" >/dev/null || missing+=("$program")
    done
    ((${#missing[@]} == 0)) || cannot "${missing[*]} not found; checker/bin/setup installs it"
    find_compiler || cannot "$WHY_NOT"
}

# Builds the lab's own tools when one is out of date; two checks at once take turns.
need_tools() {
    local lock log
    lab_make -q >/dev/null 2>&1 && return
    mkdir -p "$BUILD" 2>/dev/null && { exec {lock}>"$BUILD/lock"; } 2>/dev/null ||
        cannot "the lab's tools are not built, and $BUILD cannot be written"
    flock "$lock"
    if ! lab_make -q >/dev/null 2>&1; then
        printf "building the lab's tools ...\n" >&2
        if ! log=$(lab_make -j"$(nproc)" 2>&1); then
            tail -n 15 <<<"$log" >&2
            cannot "the lab's tools do not build; checker/bin/setup installs what they need"
        fi
    fi
    exec {lock}>&-
}

lab_make() {
    MAKEFLAGS='' make -s -C "$TOP" -f checker/lab.mk "$@"
}

# Sets NVCC to the compiler to use; fails with the reason in WHY_NOT.
find_nvcc() {
    local version
    NVCC=$(command -v nvcc) || { WHY_NOT="there is no nvcc (CUDA toolkit $NVCC_MAJOR_MIN or newer) in PATH" && return 1; }
    version=$("$NVCC" --version 2>&1) || true
    [[ $version =~ release\ ([0-9]+)\.([0-9]+) ]] ||
        { WHY_NOT="$NVCC does not tell its version" && return 1; }
    ((BASH_REMATCH[1] >= NVCC_MAJOR_MIN)) || {
        WHY_NOT="nvcc ${BASH_REMATCH[1]}.${BASH_REMATCH[2]} is too old: $NVCC_MAJOR_MIN.0 or newer is needed"
        return 1
    }
}

# Sets LIBRARIES to what nvcc has to link an exercise's programs with: the words of its
# checker/libraries, if it has one. Programs that do not use them are not made to load them.
find_libraries() { # EXERCISE
    LIBRARIES=()
    [[ -r $1/checker/libraries ]] || return 0
    read -ra LIBRARIES <"$1/checker/libraries" || true
    LIBRARIES=(-Xlinker --as-needed "${LIBRARIES[@]}")
}

# True when a GPU and its driver answer, behind LAUNCH where one is set; else WHY_NOT says why not,
# and SEEN_GPU is yes when there is a GPU all the same.
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
    *[Dd]river*) SEEN_GPU=yes WHY_NOT="there is a GPU, but its driver does not answer (nvidia-smi tells more)" ;;
    *) WHY_NOT="${SEEN_GPU:+there is an NVIDIA device, but }nvidia-smi finds no GPU" ;;
    esac
    return 1
}

# Decides from GPU=auto|sim|real whether the program runs on a real GPU too: REAL is yes or empty.
# With GPU=auto, NOTE tells what stands between a GPU that is there and its use.
choose_devices() {
    REAL='' NOTE=''
    case ${GPU:-auto} in
    sim) return ;;
    auto | real) ;;
    *) usage "GPU=$GPU: it is auto, sim or real" ;;
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

# Tells programs which GPU the simulated GPU plays: a name in sim/profiles/, or a file. Its figures
# are in PROFILE_FILE.
find_profile() {
    local name=${PROFILE:-h200} profiles
    PROFILE_FILE=$CHECKER/sim/profiles/$name.tsv
    if [[ $name == */* || $name == *.tsv ]]; then
        PROFILE_FILE=$(realpath -- "$name")
        name=$PROFILE_FILE
    fi
    export WARPUP_LIB=$CHECKER WARPUP_PROFILE=$name
    [[ ! -r $PROFILE_FILE ]] || return 0
    profiles=("$CHECKER"/sim/profiles/*.tsv)
    profiles=("${profiles[@]##*/}")
    usage "PROFILE=${PROFILE-}: there is no such profile; there are: ${profiles[*]%.tsv}"
}

# A figure of the GPU that the simulated GPU plays, or of a profile's file; nothing when it has none.
profile_figure() { # FIGURE [FILE]
    awk -F'\t' -v figure="$1" '$1 == figure { print $2 }' "${2:-$PROFILE_FILE}"
}
