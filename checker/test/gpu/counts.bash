#!/usr/bin/env bash
# counts.bash [small]: runs kernels1/kernels.cu on the simulated GPU and compares its counts with those of Nsight Compute: requests
# and sectors of global memory, wavefronts of shared memory. Without `small` the counts are those of an H200, and the
# run takes minutes. DEVICE_COMPILER chooses the compiler. Prints the counts that differ by more than 0.5 %, and sums.
# A GPU adds floats in shared memory by loops of loads and compare-and-swaps, and Nsight Compute counts these loads; the
# simulated GPU has one atomic. clang joins and repeats a few loads in another way than nvcc.
set -euo pipefail

main() {
    local top here scratch size=${1-} measured=h200
    here=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
    top=$(cd "$here/../../.." && pwd)
    [[ $size != small ]] || measured=h100-small
    scratch=$(mktemp -d)
    # shellcheck disable=SC2064 # the folder of now
    trap "rm -rf '$scratch'" EXIT
    "${BUILD:-$top/build}/cc" "$here/kernels1/kernels.cu" "$scratch/out"
    mkdir "$scratch/trace"
    [[ $size == small ]] || size=
    WARPUP_CODE=${WARPUP_CODE:-optimised} WARPUP_SNAPSHOT=0 WARPUP_TRACE=$scratch/trace \
        "${BUILD:-$top/build}/gpu" "$scratch/out/program" ${size:+"$size"} >"$scratch/printed"
    grep -qx 'done' "$scratch/printed"
    counts "$scratch/trace/trace.jsonl" >"$scratch/counts"
    compare "$scratch/counts" "$here/kernels1/$measured.tsv"
}

# LAUNCH METRIC VALUE, a line each; of each pair of launches the first.
counts() { # TRACE
    jq -r '
        if .event == "kernel" then
            [.id, "load_requests", .load_requests], [.id, "store_requests", .store_requests],
            [.id, "load_sectors", .load_sectors], [.id, "store_sectors", .store_sectors]
        elif .event == "access" and .space == "shared" and .kind != "atomic" then
            [.kernel, "shared_\(.kind)_wavefronts", .wavefronts]
        else empty end | @tsv' "$1" |
        awk -F '\t' -v OFS='\t' '$1 % 2 { sum[($1 + 1) / 2 OFS $2] += $3 } END { for (key in sum) print key, sum[key] }'
}

compare() { # COUNTS MEASURED
    awk -F '\t' '
        function distance(a, b) { return a == b ? 0 : (a > b ? a - b : b - a) / (b > 0 ? b : 1) }
        FNR == NR { seen[$1 FS $2] = $3; next }
        /^#/ || $1 == "launch" || $5 == "instructions" { next }
        {
            value = seen[$1 FS $5] + 0
            is_global = $5 !~ /^shared/
            all++
            near += distance(value, $6) <= 0.005
            if (is_global) { globals++; equal += value == $6 }
            if (distance(value, $6) > 0.005 || (is_global && value != $6))
                printf "%3d %-18s %-12s %-10s %-24s %12d, measured %12d, %+.1f %%\n", $1, $2, $3, $4, $5, value, $6,
                    100 * (value - $6) / ($6 == 0 ? 1 : $6)
        }
        END { printf "global %d of %d equal, all %d of %d within 0.5 %%\n", equal, globals, near, all }' "$1" "$2"
}

main "$@"
