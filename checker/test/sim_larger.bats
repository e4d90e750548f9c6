#!/usr/bin/env bats
# sim_larger.bats: launches that are tried for a larger problem. For each kernel of sim/larger.cu, the trial says whether it
# fits, or the line of an access outside of its array. The program itself has no fault.

setup_file() {
    TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    export TOP BUILD=${WARPUP_BUILD:-$TOP/build}
    make -s -C "$TOP" -f checker/lab.mk
    "$BUILD/cc" "$TOP/checker/test/sim/larger.cu" "$BATS_FILE_TMPDIR/larger"
}

# The outcome of a launch's trial: "outside LINE", "silent", "fits" or why it was not tried; then the faults.
tried() { # LAUNCH N LARGER
    mkdir -p "$BATS_TEST_TMPDIR/run"
    WARPUP_CODE=source WARPUP_TRACE=$BATS_TEST_TMPDIR/run WARPUP_LARGER="$2:$3" \
        "$BUILD/gpu" "$BATS_FILE_TMPDIR/larger/program" "$1" "$2"
    jq -r 'if .event == "larger" then .why // (if .outside then "outside \(.line)" elif .silent then "silent" else "fits" end)
           elif .event == "fault" and .name != "leak" then .name else empty end' "$BATS_TEST_TMPDIR/run/trace.jsonl"
}

@test "trials of larger launches" {
    local launch n larger expected line wrong=0
    while IFS='|' read -r launch n larger expected; do
        line=$(grep -n "// $launch\$" "$TOP/checker/test/sim/larger.cu" | cut -d: -f1)
        run tried "$launch" "$n" "$larger"
        [ "$output" = "${expected/LINE/$line}" ] || { echo "$launch $n $larger: $output, not $expected"; wrong=1; }
    done <<'END'
plain|65537|67108865|fits
plain|1003|67108865|fits
share|65537|67108865|outside LINE
by_value|65537|67108865|outside LINE
by_functor|65537|67108865|outside LINE
guard|65537|50331653|silent
after_a_loop|1003|67108865|outside LINE
last_in_a_loop|4099|67108865|fits
far|1003|67108865|fits
together|65537|67108865|outside LINE
third|65537|67108865|fits
through_a_pointer|65537|67108865|it is not known how large its arrays would be
END
    [ "$wrong" -eq 0 ]
}
