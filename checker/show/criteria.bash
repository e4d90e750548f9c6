# criteria.bash: the one word that check.bats is written in. checker/check runs the program and the
# judge, and leaves the verdict in a file to source (verdict.jq), which WARPUP_VERDICT names. It is
# read here, while the test file loads: inside a test, bats makes every command several times slower.

# shellcheck source=/dev/null
[[ ! ${WARPUP_VERDICT-} ]] || source "$WARPUP_VERDICT"

# The test of one criterion: passes, fails with what was seen and needed and where the cause is, or
# is skipped because it waits for another one or could not be checked.
criterion() { # ID
    case ${PASSED[$1]-unknown} in
    true) ;;
    null) skip "${WAITS[$1]}" ;;
    false) printf '%s\n' "${EXPLAINS[$1]}" && return 1 ;;
    unknown) skip "could not check: make check has to run the program and the judge first" ;;
    esac
}
