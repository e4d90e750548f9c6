# criteria.bash: the one word that check.bats is written in. checker/check runs the program and the
# judge, and leaves the verdict in a file to source (verdict.jq), which WARPUP_VERDICT names; a test
# only looks its answer up there, so that it takes milliseconds.

# The test of one criterion: passes, fails with what was seen and needed, or is skipped because it
# could not be checked or waits for another one.
criterion() { # ID
    [[ ${WARPUP_VERDICT-} ]] || skip "make check runs the program and the judge first"
    # shellcheck source=/dev/null
    source "$WARPUP_VERDICT"
    local i=0
    while [[ ${CRITERION_ID[i]-$1} != "$1" ]]; do i=$((i + 1)); done
    case ${CRITERION_PASSED[i]-} in
    true) ;;
    false)
        explain "$i"
        return 1
        ;;
    null) skip "$(reason "$i")" ;;
    *) skip "could not check: the verdict does not know $1" ;;
    esac
}

# Says in a line each what was seen, what is needed, and where in the source the cause is.
explain() { # INDEX
    local i
    [[ ! ${CRITERION_SEEN[$1]} ]] || printf 'seen: %s\n' "${CRITERION_SEEN[$1]}"
    [[ ! ${CRITERION_NEEDED[$1]} ]] || printf 'needed: %s\n' "${CRITERION_NEEDED[$1]}"
    for i in "${!DIAGNOSIS_TEXT[@]}"; do
        [[ ${DIAGNOSIS_CRITERION[i]} == "${CRITERION_ID[$1]}" ]] || continue
        printf '%s%s\n' "${DIAGNOSIS_PLACE[i]:+${DIAGNOSIS_PLACE[i]}: }" "${DIAGNOSIS_TEXT[i]}"
    done
}

# Why a criterion is neither passed nor failed.
reason() { # INDEX
    local i
    for i in "${!CRITERION_ID[@]}"; do
        [[ ${CRITERION_ID[i]} != "${CRITERION_AFTER[$1]}" ]] || printf 'waits for: %s' "${CRITERION_TEXT[i]}"
    done
    [[ ${CRITERION_AFTER[$1]} ]] || printf 'could not check: %s' "${CRITERION_WHY[$1]:-nothing was seen}"
}
