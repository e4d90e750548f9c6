# compiler.bash: which g++ the simulated GPU compiles with. It reads what g++ writes: callbacks, dumps and
# assembly. So it takes only the versions that checker/test/compilers has proved. Sourced by
# checker/sim/compile and checker/bin/lab.bash.
# shellcheck disable=SC2034 # what it sets is for those who source it

readonly GCC_OLDEST=11 GCC_NEWEST=16

# Sets CXX to the g++ to use, the one that CXX names, or g++; and GCC_MAJOR to its version. Fails with the reason in
# WHY_NOT.
find_compiler() {
    local version range="g++ $GCC_OLDEST to $GCC_NEWEST"
    CXX=${CXX:-g++}
    command -v -- "$CXX" >/dev/null || { WHY_NOT="there is no $CXX; the lab needs $range" && return 1; }
    version=$("$CXX" -dumpfullversion 2>/dev/null) || true # g++ alone knows this option
    if [[ ! $version =~ ^([0-9]+)\. ]]; then
        WHY_NOT="$CXX is not the GNU compiler; the lab needs $range (make check CXX=g++-$GCC_NEWEST)"
    elif ((BASH_REMATCH[1] < GCC_OLDEST || BASH_REMATCH[1] > GCC_NEWEST)); then
        WHY_NOT="$CXX is version $version; the lab needs $range (make check CXX=g++-$GCC_NEWEST)"
    else
        GCC_MAJOR=${BASH_REMATCH[1]}
        return 0
    fi
    return 1
}
