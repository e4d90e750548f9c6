# stages.bash: what bench, counters and costs share: it builds and runs an exercise's stages on either
# device. They source it; it does nothing by itself.

# shellcheck source=checker/bin/lab.bash
source "${BASH_SOURCE[0]%/*}/../checker/bin/lab.bash"
# shellcheck source=checker/bin/stoppable.bash
source "$CHECKER/bin/stoppable.bash"

# shellcheck disable=SC2034 # for the scripts
MEASURED=$TOP/solutions/measured
readonly SECONDS_PER_PROGRAM=${WARPUP_SECONDS:-60} # of processor time

# Sets EXERCISE (its directory), NAME (ex01_axpy), PROGRAM (axpy) and TITLES (of its stages, from 1).
open_exercise() { # EXERCISE_DIR
    [[ -f $1/solutions/bench.tsv ]] || usage "there is no $1/solutions/bench.tsv"
    EXERCISE=$(cd -- "$1" && pwd)
    NAME=${EXERCISE##*/}
    PROGRAM=${NAME#*_}
    mapfile -t -O 1 TITLES < <(sed -n 's/^[0-9]*-\(.*\)\.patch.*/\1/p' "$EXERCISE/solutions/series")
}

# Prints the values of a key in the exercise's bench.tsv, one per line.
settings() { # KEY
    awk -F'\t' -v key="$1" '$1 == key { print $2 }' "$EXERCISE/solutions/bench.tsv"
}

# Builds every stage as $SCRATCH/DEVICE/STAGE/program.
build_stages() { # sim|real
    local stage
    for stage in "${!TITLES[@]}"; do
        build_stage "$1" "$stage" &
    done
    for stage in "${!TITLES[@]}"; do
        wait -n || exit
    done
}

build_stage() { # sim|real STAGE
    local directory=$SCRATCH/$1/$2 log
    mkdir -p "$directory"
    "$TOP/solutions/stage" "$EXERCISE" print "$2" >"$directory/$PROGRAM.cu"
    log=$(cd -- "$directory" && compile_"$1" "$PROGRAM.cu" 2>&1) ||
        cannot "stage $2 does not compile for the $1 GPU: $log"
}

compile_real() { # SOURCE
    find_libraries "$1"
    nvcc -O3 -Xcompiler -fopenmp -arch=native -o program "$1" "${LIBRARIES[@]}"
}

compile_sim() { # SOURCE
    "$BUILD/cc" "$1" .
}

# Runs a stage and leaves its trace in $SCRATCH/run. WARPUP_PROFILE chooses the simulated GPU. On a real GPU, CUDA loads
# all kernels before the first one starts, as in a check: the time of a stage does not have their loading in it.
run_stage() { # sim|real STAGE ARGUMENT...
    local -x WARPUP_TRACE=$SCRATCH/run WARPUP_SNAPSHOT=0 WARPUP_LIB=$CHECKER
    local launch
    read -ra launch <<<"${LAUNCH:-}"
    rm -rf -- "$SCRATCH/run"
    mkdir "$SCRATCH/run"
    if [[ $1 == real ]]; then local -x CUDA_INJECTION64_PATH=$BUILD/tracer.so CUDA_MODULE_LOADING=EAGER; fi
    "$BUILD/run" --dir "$SCRATCH/run" --seconds "$SECONDS_PER_PROGRAM" -- \
        "${launch[@]}" "$SCRATCH/$1/$2/program" "${@:3}" || cannot "stage $2 could not be run"
    jq -e '.exit == 0' "$SCRATCH/run/run.json" >/dev/null ||
        cannot "stage $2 with ${*:3} failed: $(head -n 1 "$SCRATCH/run/stderr")"
}

# Applies a jq filter to the list of the last run's records.
traced() { # FILTER
    jq -rs "if .[-1].event == \"end\" and .[-1].dropped == 0 then $1
        else error(\"the trace is damaged\") end" "$SCRATCH/run/trace.jsonl"
}

# Replaces this exercise's part of a recorded table with $SCRATCH/table: its comments and its rows, which
# begin with the exercise's name, and the header line.
record_table() { # FILE
    touch -- "$1"
    {
        grep '^#' "$SCRATCH/table"
        grep '^#' "$1" | grep -v "^# $NAME: " || true
        grep '^exercise' "$SCRATCH/table"
        { grep -v '^#\|^exercise' "$1" | grep -v "^$NAME" || true; } >"$SCRATCH/others"
        grep "^$NAME" "$SCRATCH/table" | sort -s -t $'\t' -k 1,1 - "$SCRATCH/others"
    } >"$SCRATCH/whole"
    cp -- "$SCRATCH/whole" "$1"
}

# Turns "NVIDIA H200" into nvidia-h200, and "NVIDIA H100 80GB HBM3" into nvidia-h100, for a file name.
slug() { # TEXT
    sed -E 's/[ -](SXM|PCIe|[0-9]+GB).*//' <<<"$1" | tr '[:upper:] ' '[:lower:]-'
}
