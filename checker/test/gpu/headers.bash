#!/usr/bin/env bash
# headers.bash: compiles the programs of headers/ with the lab's CUDA headers, as build/cc does: device code without and
# with optimisation, and host code. Comments in a program say what its PTX must have: "O0:", "O3:", "both:" and "host:" (the
# symbols of the host's object file) are regular expressions that some line matches; "never:" is one that none does. No
# line of PTX may be one of a header. With files as arguments, it compiles those instead.
#     bash headers.bash [FILE.cu …]        CLANG=clang-19 bash headers.bash
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
include=$(cd "$here/../../gpu/include" && pwd)
clang=${CLANG:-$(command -v clang-16 || command -v clang)}

# Compiles a file for one side: device -O0 or -O3, or host. The headers are compiled once for all files, as build/cc does.
compile() { # SIDE FILE OUT OPTION...
    local options=(-x cuda -nocudainc -nocudalib -nobuiltininc -Wno-unknown-cuda-version -Xclang -target-sdk-version=11.2
        -Xclang -fcuda-allow-variadic-functions -Xclang -fno-cuda-host-device-constexpr -isystem "$include"
        -idirafter "$resources/include" "--cuda-gpu-arch=sm_${SM:-90}" -std=gnu++17 -w)
    local device=(--cuda-device-only -fmath-errno -fno-finite-loops -Xclang -target-feature -Xclang +ptx78 -S)
    case $1 in
    O0) options+=("${device[@]}" -g -O0 -ftrivial-auto-var-init=pattern) ;;
    O3) options+=("${device[@]}" -g1 -O3 -ffp-contract=fast) ;;
    host) options+=(--cuda-host-only -O2 -c) ;;
    esac
    "$clang" "${options[@]}" "${@:4}" "$2" -o "$3"
}

# The files that lines of a PTX text are of
files_of_lines() { # PTX
    awk '/^\t\.loc/ { used[$2] } /^\t\.file/ { name[$2] = $3 } END { for (f in used) if (f in name) print name[f] }' "$1"
}

# Prints what is wrong with a program, one line each.
check() { # FILE DIRECTORY
    local name side pattern where kind
    name=$(basename "$1" .cu)
    for side in O0 O3 host; do
        if ! compile "$side" "$1" "$2/$name.$side" -include-pch "$2/$side.pch" 2> "$2/$name.log"; then
            echo "$name: $side: $(grep -m1 'error' "$2/$name.log" || head -1 "$2/$name.log")"
            return
        fi
    done
    nm "$2/$name.host" > "$2/$name.nm"
    grep -hv 'initializer_list' < <(files_of_lines "$2/$name.O0"; files_of_lines "$2/$name.O3") |
        grep -v "/$name.cu\"" | grep -v '/warpup/\(thrust\|cub\)' | sed "s|^|$name: a line of |" || true
    while read -r kind pattern; do
        case $kind in
        O0: | O3:) where=("$2/$name.${kind%:}") ;;
        both: | never:) where=("$2/$name.O0" "$2/$name.O3") ;;
        host:) where=("$2/$name.nm") ;;
        *) continue ;;
        esac
        [ "$kind" = never: ] && where=("$2/$name.O3")
        for side in "${where[@]}"; do
            if [ "$kind" = never: ]; then
                ! grep -qE -- "$pattern" "$side" || echo "$name: ${side##*.}: has $pattern"
            else
                grep -qE -- "$pattern" "$side" || echo "$name: ${side##*.}: lacks $pattern"
            fi
        done
    done < <(sed -n 's|^// ||p' "$1")
}

main() {
    local files=("$@") room wrong side
    [ $# -gt 0 ] || files=("$here"/headers/*.cu)
    room=$(mktemp -d)
    # shellcheck disable=SC2064 # the folder of now
    trap "rm -rf '$room'" EXIT
    export -f check compile files_of_lines
    export include clang
    resources=$("$clang" -print-resource-dir)
    export resources
    for side in O0 O3 host; do compile "$side" "$include/cuda_runtime.h" "$room/$side.pch" -Xclang -emit-pch; done
    printf '%s\0' "${files[@]}" | xargs -0 -P 2 -I{} bash -c 'check "$@"' _ {} "$room" > "$room/wrong"
    wrong=$(wc -l < "$room/wrong")
    cat "$room/wrong"
    echo "${#files[@]} programs compiled, $wrong wrong"
    [ "$wrong" -eq 0 ]
}

main "$@"
