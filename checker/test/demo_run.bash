#!/usr/bin/env bash
#
# demo_run.bash OUT DEMO.cu: compiles a demo for the simulated GPU and runs it; OUT/NAME holds what it
# printed (table), said (log), its exit code (ended), its trace.
# It never fails: the tests look at these.
set -euo pipefail

main() {
    local name build
    name=$(basename -s .cu "$2")
    build=$(cd -- "${BASH_SOURCE[0]%/*}/../.." && realpath -- "${WARPUP_BUILD:-build}")
    mkdir -p "$1/$name"
    cd -- "$1/$name"
    local ended=0
    "$build/cc" "$2" . 2>log || ended=$?
    if ((ended == 0)); then
        WARPUP_TRACE=. WARPUP_SNAPSHOT=0 "$build/gpu" ./program >table 2>>log || ended=$?
    fi
    echo "$ended" >ended
}

main "$@"
