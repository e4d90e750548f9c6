#!/usr/bin/env bats
# shellcheck disable=SC2016,SC2153 # messages name fields in backquotes; CHECK is the fixture's
# The judge on damaged checks: one clear sentence with the file and the line, "could not check",
# exit code 2, and never a crash.
bats_require_minimum_version 1.5.0

load helper
load judge/fixture

setup() {
    take sim
}

@test "input: a trace that is missing, empty, or not a file" {
    : >sim-1/trace.jsonl
    could_not_judge 'sim-1/trace.jsonl is empty'
    rm sim-1/trace.jsonl
    could_not_judge 'sim-1/trace.jsonl is missing'
    mkfifo sim-1/trace.jsonl
    could_not_judge 'sim-1/trace.jsonl is not a regular file'
}

@test "input: a trace that is cut, inside a line or after one" {
    cp sim-1/trace.jsonl whole
    truncate -s -5 sim-1/trace.jsonl
    could_not_judge 'sim-1/trace.jsonl:16: the line is cut off'
    head -n -1 whole >sim-1/trace.jsonl
    could_not_judge 'sim-1/trace.jsonl:15: the trace stops here, before its `end` record'
}

@test "input: a trace that lost records" {
    sed -i 's/"dropped":0/"dropped":7/' sim-1/trace.jsonl
    could_not_judge 'sim-1/trace.jsonl:16: 7 records were dropped'
    sed -i '5d; s/"dropped":7/"dropped":0/' sim-1/trace.jsonl
    could_not_judge 'sim-1/trace.jsonl:15: `end` counts 15 records, but there are 14'
}

@test "input: lines that are not records" {
    for line in '{"event":' '[1,2]' '42' '' '{"no":"event"}' '{"event":7}' $'{"event":"copy\x01"}'; do
        printf '%s\n' "$line" >line
        sed -e '3{r line' -e 'd}' "$BATS_FILE_TMPDIR/good/sim/sim-1/trace.jsonl" >sim-1/trace.jsonl
        could_not_judge 'sim-1/trace.jsonl:3: not a '
    done
}

@test "input: endless nesting, and zero bytes" {
    { head -n 2 sim-1/trace.jsonl; yes '[' | head -n 500000 | tr -d '\n'; echo; } >deep
    mv deep sim-1/trace.jsonl
    could_not_judge 'sim-1/trace.jsonl:3: not a JSON object'
    { head -n 2 "$BATS_FILE_TMPDIR/good/sim/sim-1/trace.jsonl"; head -c 100 /dev/zero; echo; } >sim-1/trace.jsonl
    could_not_judge 'sim-1/trace.jsonl:3: not a JSON object'
}

@test "input: a huge line" {
    { head -n 2 sim-1/trace.jsonl; printf '{"event":"%s"}\n' "$(head -c 2000000 /dev/zero | tr '\0' x)"; } >huge
    mv huge sim-1/trace.jsonl
    could_not_judge 'sim-1/trace.jsonl:3: the line is too long'
}

@test "input: fields of the wrong type, or absurd" {
    for field in '"bytes":-1' '"bytes":"many"' '"bytes":1e300' '"bytes":0.5' '"bytes":18446744073709551615' \
        '"host":[]' '"direction":7' '"start":"now"' '"line":-3' '"data":{}'; do
        sed "13s/{/{$field,/; 13s/\(.*\)/\1/" "$BATS_FILE_TMPDIR/good/sim/sim-1/trace.jsonl" |
            awk -v key="${field%%:*}" 'NR == 13 { first = index($0, key); rest = substr($0, first + length(key));
                sub(key ":[^,}]*,?", "", rest); $0 = substr($0, 1, first + length(key) - 1) rest } { print }' >sim-1/trace.jsonl
        could_not_judge 'sim-1/trace.jsonl:13: '
    done
    sed '7s/"grid":\[[^]]*\]/"grid":[1,4294967296,1]/' "$BATS_FILE_TMPDIR/good/sim/sim-1/trace.jsonl" >sim-1/trace.jsonl
    could_not_judge 'sim-1/trace.jsonl:7: `grid` is not three numbers'
}

@test "input: a kernel that ends before it starts" {
    records 'if .event == "kernel" then .end = 1 else . end' sim-1
    could_not_judge 'sim-1/trace.jsonl:8: `end` is before `start`'
}

@test "input: another version, another device, a second beginning" {
    records 'if .event == "begin" then .version = 2 else . end' sim-1
    could_not_judge 'sim-1/trace.jsonl:1: this is version 2 of the trace, but the judge reads version 1'
    records 'if .event == "begin" then .version = 1 | .kind = "real" else . end' sim-1
    could_not_judge 'sim-1/trace.jsonl:1: this trace is from another device'
    records 'if .event == "begin" then .kind = "imagined" else . end' sim-1
    could_not_judge 'sim-1/trace.jsonl:1: `kind` is neither simulated nor real'
    records 'select(.event != "begin")' sim-1
    could_not_judge 'sim-1/trace.jsonl:1: the first record is not `begin`'
    cat "$BATS_FILE_TMPDIR/good/sim/sim-1/trace.jsonl"{,} >sim-1/trace.jsonl
    could_not_judge 'sim-1/trace.jsonl:17: a record after `end`'
}

@test "input: unknown events and fields are ignored" {
    records 'if .event == "kernel" then {event: "weather", t: "sunny"}, (.mood = [1]) else . end' sim-1
    expect reached 6
}

@test "input: a snapshot that is missing, has another size, is a link, or is in another place" {
    truncate -s 999 sim-1/data-0.bin
    could_not_judge 'sim-1/data-0.bin has 999 bytes, but its record says 4000'
    rm sim-1/data-0.bin
    could_not_judge 'sim-1/data-0.bin is missing'
    ln -s ../sim-1/data-2.bin sim-1/data-0.bin
    could_not_judge 'sim-1/data-0.bin is missing'
    records 'if .event == "copy" then .data = "../../secret" else . end' sim-1
    could_not_judge 'sim-1/trace.jsonl: `../../secret` is not the name of a snapshot'
}

@test "input: a run without its report, or with a damaged one" {
    echo '{"exit":' >sim-1/run.json
    could_not_judge 'sim-1/run.json:2: not a JSON object'
    echo '{"exit":null,"signal":null,"timed_out":false}' >sim-1/run.json
    could_not_judge 'sim-1/run.json: it has neither an exit code nor a signal'
    echo '{"exit":"zero"}' >sim-1/run.json
    could_not_judge 'sim-1/run.json: '
    rm sim-1/run.json
    could_not_judge 'sim-1/run.json is missing'
}

@test "input: an error of the runner is not the student's" {
    change '.internal_error = "No space left on device" | .exit = null' sim-1/run.json
    could_not_judge 'sim-1/run.json: No space left on device'
}

@test "input: a check that is missing or damaged" {
    for check in '' '[]' '{' '{"seed":-1}' '{"seed":1}' '{"seed":1,"compile":[7],"runs":"all"}'; do
        printf '%s' "$check" >check.json
        could_not_judge 'check.json'
    done
    rm check.json
    could_not_judge 'check.json is missing'
}

@test "input: a check that names no device, no purpose, or a directory in another place" {
    change '.runs[1].dir = "../sim-1"' check.json
    could_not_judge '`dir` is not a plain name'
    change '.runs[1].dir = "sim-1" | .runs[1].device = "toaster"' check.json
    could_not_judge '`device` is neither sim nor real'
    change '.runs[1].device = "sim" | .runs[1].purpose = "fun"' check.json
    could_not_judge '`purpose` is none of right, may_refuse, speed'
    change '.runs[1].purpose = "right" | .runs[1].arguments = ["many"]' check.json
    could_not_judge 'sim-1: `many` are not valid arguments of this exercise'
    change '.runs = []' check.json
    could_not_judge 'there was no run'
}

@test "input: an error of the lab in check.json" {
    change '.internal_error = "there is no GPU here"' check.json
    could_not_judge 'there is no GPU here'
    change 'del(.internal_error) | .compile[0].exit = 3' check.json
    echo 'no compiler' >compile-sim.log
    could_not_judge 'the compiler for the simulated GPU failed: no compiler'
}

@test "input: a limit that is not a number" {
    cd / && rm -rf "$CHECK" && take both
    echo '{"value":0}' >limit.json
    could_not_judge 'limit.json: `value` is not above 0'
    : >limit.json
    could_not_judge 'limit.json is empty'
}

@test "input: a trace of the GPU that is missing, though the simulated GPU saw launches" {
    cd / && rm -rf "$CHECK" && take both
    rm real-1/trace.jsonl
    could_not_judge 'real-1/trace.jsonl is missing'
}

@test "input: a damaged ladder is reported with its line" {
    local good=$TOOLS
    TOOLS=$BATS_TEST_TMPDIR/tools
    cp -r "$good" "$TOOLS"
    for change in '4s/compiles/speed_of_light/2' '4s/=/==/' '4s/\t1\t/\tone\t/' '4s/^0/zero/' '4s/\tnext.*//'; do
        sed "$change" "$good/ladder.tsv" >"$TOOLS/ladder.tsv"
        judge
        is "$CODE" 2
        has "$(field '.internal_errors[0]')" 'ladder.tsv:4: '
    done
    rm "$TOOLS/ladder.tsv"
    judge
    is "$CODE $(field '.internal_errors[0]')" '2 ladder.tsv is missing'
}

@test "input: text that is not UTF-8 comes out as JSON" {
    change '.exit = 1' sim-1/run.json
    printf 'caf\xe9 \xf0\x9f \x01\x02 ok\n' >sim-1/stderr
    sed -i $'7s/"add"/"\xff\xfe"/' sim-1/trace.jsonl
    expect 'not yet' 0
    diagnosed non-zero-exit - 'caf? ?? ?? ok'
}

@test "input: a wrong call of the judge" {
    run "$TOOLS/judge" --exercise x
    [ "$status" -eq 2 ]
    [[ $output == usage:* ]]
    run "$TOOLS/judge" --exercise x --source y --checker . --runs . --seed many
    [ "$status" -eq 2 ]
    run "$TOOLS/judge" --exercise x --source y --checker . --runs
    [ "$status" -eq 2 ]
}

@test "input: a verdict that cannot be written gives exit code 2" {
    run bash -c "\"\$0\" --exercise x --source y --checker '$TOOLS' --runs '$CHECK' >/dev/full" "$TOOLS/judge"
    [ "$status" -eq 2 ]
    [[ $output == *'could not be written'* ]]
}

@test "input: what the lab could not do in a run is not the student's error" {
    change '.exit = 2' sim-1/run.json
    echo 'warp-up: the simulated GPU has no memory left on this machine' >sim-1/stderr
    could_not_judge 'sim-1: the simulated GPU has no memory left on this machine'
    rm sim-1/trace.jsonl
    change '.exit = 0' sim-1/run.json
    printf 'hello\nwarp-up: cannot write a trace\n' >sim-1/stderr
    could_not_judge 'sim-1: cannot write a trace'
    : >sim-1/stderr
    could_not_judge 'sim-1/trace.jsonl is missing'
}
