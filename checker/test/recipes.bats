#!/usr/bin/env bats
# recipes.bats: checker/class/recipes, as far as they can be run without GitHub, Gradescope and Moodle.
bats_require_minimum_version 1.5.0

setup() {
    load helper
    command -v python3 >/dev/null || skip "there is no python3"
    RECIPES=$TOP/checker/class/recipes
    cd "$BATS_TEST_TMPDIR" || return
    unset FROM TO EXERCISES UNSAFE
}

# Writes what each step of the workflow runs, as step-N, and the environment of the job.
take_apart() {
    python3 - "$RECIPES/github/check.yml" <<'END'
import sys, yaml
flow = yaml.safe_load(open(sys.argv[1]))
assert set(flow) <= {"name", True, "permissions", "env", "jobs"} and set(flow[True]) == {"push", "workflow_dispatch"}
(job,) = flow["jobs"].values()
assert job["runs-on"] and job["timeout-minutes"]
for number, step in enumerate(job["steps"]):
    assert ("uses" in step) != ("run" in step) and step["name"], step
    assert set(step) <= {"name", "uses", "run", "with", "env", "if", "continue-on-error"}, step
    if "run" in step:
        open(f"step-{number}", "w").write(step["run"])
open("environment", "w").write("".join(f"export {name}='{value}'\n" for name, value in flow["env"].items()))
print(*sorted(step["uses"] for step in job["steps"] if "uses" in step), sep="\n")
END
}

@test "GitHub: the workflow is YAML with known keys, and its check writes JUnit, SARIF and a summary" {
    python3 -c 'import yaml' 2>/dev/null || skip "this python3 has no yaml"
    run -0 take_apart
    [ "$(grep -cE '^[a-z-]+/[a-z/-]+@v[0-9]+$' <<<"$output")" = 3 ]
    mkdir -p student/ex01_axpy
    cp -r "$TOP"/ex01_axpy/{checker,axpy.cu} student/ex01_axpy/
    ln -s "$TOP/checker" student/checker
    sed -i 's/int main(/int main( /; s/^#include <stdio.h>/&\n#include <no-such-header.h>/' student/ex01_axpy/axpy.cu
    # shellcheck disable=SC1091 # take_apart writes it
    source environment
    export GITHUB_STEP_SUMMARY=$PWD/summary WARPUP_SEED=12345678901
    cd student || return
    bash --noprofile --norc -eo pipefail ../step-1
    bash --noprofile --norc -eo pipefail ../step-2
    jq -e '.version == "2.1.0" and .runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri == "ex01_axpy/axpy.cu"' reports/ex01_axpy.sarif
    python3 -c 'import sys, xml.etree.ElementTree as xml; assert xml.parse(sys.argv[1]).getroot().find(".//failure") is not None' reports/ex01_axpy.xml
    grep -q 'rung 0 of 7' ../summary
    PROFILE=no-such-gpu run -1 bash --noprofile --norc -eo pipefail ../step-2
    [[ $output == *"there is no such profile"* ]]
    WARPUP_CLANG=no-such-clang run -1 bash --noprofile --norc -eo pipefail ../step-2
    grep -q "could not check: .*there is no no-such-clang" reports/ex01_axpy.junit
}

# Gradescope's folders, with the lab of this copy, whose tools are built already.
open_gradescope() {
    export AUTOGRADER=$BATS_TEST_TMPDIR/autograder WARPUP_BUILD=$BUILD
    mkdir -p "$AUTOGRADER"/{source,submission,results}
    chmod 755 "$BATS_TEST_TMPDIR" "$BATS_RUN_TMPDIR" "$BATS_FILE_TMPDIR" "$AUTOGRADER"
    cp "$RECIPES/gradescope/run_autograder" "$AUTOGRADER/"
    ln -s "$TOP" "$AUTOGRADER/source/lab"
    echo ex01_axpy >"$AUTOGRADER/source/exercises"
    echo 7 >"$AUTOGRADER/source/seed"
}

# A results.json has only what Gradescope documents, and what each program needs to be shown.
fits_gradescope() { # FILE
    jq -e -f "$TOP/checker/test/class/gradescope.jq" "$1"
    jq -e 'has("score") and has("execution_time") and (.tests | length > 0 and
        all(.[]; has("score") and has("max_score") and has("name") and has("output") and has("status")))' "$1"
}

@test "Gradescope: each documented field has its type; a field with another type, or with another name, is found" {
    local form=$TOP/checker/test/class/gradescope.jq all=$TOP/checker/test/class/gradescope.json
    jq -e -f "$form" "$all"
    jq -c 'paths as $path | setpath($path; null), (getpath($path) | type) as $type |
        select($type == "string" and ($path[-1] | IN("value") | not)) | setpath($path; 1)' "$all" >wrong
    jq -c '.other = 1, .tests[0].other = 1, .leaderboard[0].other = 1, .execution_time = 1.5, .visibility = "shown", .tests[0].status = "ok",
        .leaderboard[1].order = "up", .output_format = "pdf", del(.leaderboard[0].name), (del(.score) | del(.tests[0].score)), [.]' "$all" >>wrong
    [ "$(wc -l <wrong)" -gt 40 ]
    jq -c -f "$form" wrong >answers
    run -1 grep -nx true answers
}

@test "Gradescope: a submission gets its results.json, with the points of the instructor" {
    [ "$EUID" = 0 ] || skip "Gradescope's scripts run as root"
    open_gradescope
    export WARPUP_SANDBOX_CHECK=$TOP/checker/test/class/sandbox-check CALLS=$BATS_TEST_TMPDIR/calls
    printf '// %s\n' 'rung 4' 'share 0.2' >"$AUTOGRADER/submission/axpy.cu"
    run -0 "$AUTOGRADER/run_autograder"
    fits_gradescope "$AUTOGRADER/results/results.json"
    jq -e '.score == 8 and .tests[0].max_score == 10 and .leaderboard[0].value == 20' "$AUTOGRADER/results/results.json"
    { echo $'exercise\trung\tpoints' && for rung in {0..7}; do printf 'ex01_axpy\t%s\t%s\n' "$rung" $((2 * rung)); done; } >"$AUTOGRADER/source/points.tsv"
    rm "$AUTOGRADER/submission/axpy.cu"
    ln -s /etc/passwd "$AUTOGRADER/submission/axpy.cu"
    owner=$(stat -c %u /etc/passwd)
    run -0 "$AUTOGRADER/run_autograder"
    fits_gradescope "$AUTOGRADER/results/results.json"
    jq -e '.score == 0 and .tests[0].max_score == 14 and (.tests[0].output | contains("not readable"))' "$AUTOGRADER/results/results.json"
    [ "$(stat -c %u /etc/passwd)" = "$owner" ]
    [ "$(cut -d ' ' -f 2 "$CALLS")" = 7 ]
    rm "$AUTOGRADER/results/results.json" "$AUTOGRADER/source/points.tsv"
    echo ex99 >"$AUTOGRADER/source/exercises"
    run -1 "$AUTOGRADER/run_autograder"
    [[ $output == *"there is no such exercise"* ]]
}

@test "Gradescope: where no sandbox can be had, another user grades, and nothing of him stays" {
    [ "$EUID" = 0 ] || skip "Gradescope's scripts run as root"
    open_gradescope
    setpriv --reuid 64125 --regid 64125 --clear-groups test -r "$TOP/checker/check" || skip "another user cannot read $TOP"
    cat >"$BATS_TEST_TMPDIR/sandbox-check" <<'END'
#!/bin/bash
[[ ${UNSAFE-} ]] || { echo "no sandbox: not here" >&2; exit 3; }
sleep 333 & disown
export CALLS=$1/core
exec "$REAL" "$@"
END
    chmod 755 "$BATS_TEST_TMPDIR/sandbox-check"
    export WARPUP_SANDBOX_CHECK=$BATS_TEST_TMPDIR/sandbox-check REAL=$TOP/checker/test/class/sandbox-check
    printf '// rung 5\n' >"$AUTOGRADER/submission/axpy.cu"
    run -0 "$AUTOGRADER/run_autograder" 3>&-
    [[ $output == *"without a sandbox"* ]]
    jq -e '.score == 10' "$AUTOGRADER/results/results.json"
    [ "$(stat -c %u "$AUTOGRADER/results/results.json")" = 0 ]
    run -1 pgrep -r D,R,S,T -u 64125 # what has ended may still be a zombie
}

@test "Gradescope: pack has what the scripts need, and no solution" {
    git -C "$TOP" rev-parse 2>/dev/null || skip "this copy of the lab is not a git checkout"
    mkdir copy
    git -C "$TOP" archive HEAD Makefile checker/bin checker/class checker/test/class ex01_axpy | tar -C copy -xf -
    git -C copy init -q && git -C copy add -A && git -C copy -c user.name=a -c user.email=a@b commit -qm a
    run -0 copy/checker/class/recipes/gradescope/pack ex01_axpy --seed 5
    [ "$output" = build/gradescope.zip ]
    python3 -m zipfile -e copy/build/gradescope.zip out
    diff - <(ls out) <<<$'exercises\nlab.tar.gz\nrun_autograder\nseed\nsetup.sh'
    [ "$(<out/seed)" = 5 ]
    tar -tzf out/lab.tar.gz >list
    grep -qx checker/class/class list
    run -1 grep -E 'solutions|checker/test' list
    run -2 copy/checker/class/recipes/gradescope/pack ex99
    [ "$output" = 'pack: there is no exercise ex99' ]
}

@test "Moodle: the worksheet gets the scaled points of all exercises, and says who is open" {
    cat >sheet.csv <<'END'
Identifier,"Full name","Email address",Status,Grade,"Maximum Grade","Grade can be changed","Last modified (grade)","Feedback comments"
"Participant 12","Jane Doe",jane@x.org,"Submitted for grading",,20.00,Yes,-,
"Participant 2","Bo, Li",bo@x.org,"Submitted for grading",3.00,20.00,Yes,-,old
"Participant 3","Eve",eve@x.org,"No submission",,20.00,Yes,-,
END
    cat >grades.csv <<'END'
student,exercise,state,rung,points,of,rate
Jane Doe_12,ex01_axpy,graded,4,8,10,
Jane Doe_12,ex02_rot,graded,3,12,10,
"Bo, Li_2",ex01_axpy,double,,,10,
"Bo, Li_2",ex02_rot,graded,1,5,10,
Kim_7,ex01_axpy,missing,,0,10,
END
    run --separate-stderr -0 "$RECIPES/moodle" sheet.csv grades.csv
    diff - <(printf '%s\n' "$output") <<'END'
Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,Last modified (grade),Feedback comments
Participant 12,Jane Doe,jane@x.org,Submitted for grading,20.00,20.00,Yes,-,"ex01_axpy: rung 4, 8 of 10 points; ex02_rot: rung 3, 12 of 10 points"
Participant 2,"Bo, Li",bo@x.org,Submitted for grading,3.00,20.00,Yes,-,old
Participant 3,Eve,eve@x.org,No submission,,20.00,Yes,-,
END
    # shellcheck disable=SC2154 # bats sets stderr
    [ "$stderr" = $'moodle: Bo, Li_2: you have to decide about this one\nmoodle: Kim_7: not in the worksheet' ]
    sed -i '1s/Grade,"Maximum Grade"/Bewertung,Bestwertung/; 1s/"Feedback comments"/Feedback/' sheet.csv
    run -2 "$RECIPES/moodle" sheet.csv grades.csv
    [[ $output == *"no column Grade; the environment's GRADE_COLUMN says how it is called: Identifier"* ]]
    GRADE_COLUMN=Bewertung MAXIMUM_COLUMN=Bestwertung FEEDBACK_COLUMN=Feedback run -0 "$RECIPES/moodle" sheet.csv grades.csv
    [[ $output == *"Jane Doe,jane@x.org,Submitted for grading,20.00"* ]]
}

@test "Moodle: each student's own pages are packed as feedback files" {
    mkdir -p results/students/{"Jane Doe_12",ben} results/.work
    touch results/{students/{"Jane Doe_12"/ex01_axpy.{html,json,txt},ben/ex01_axpy.html},class.html}
    run -0 "$RECIPES/moodle-feedback" results feedback.zip
    [ "$(python3 -c 'import sys, zipfile; print(*zipfile.ZipFile(sys.argv[1]).namelist())' feedback.zip)" = 'Jane Doe_12_assignsubmission_file_/ex01_axpy.html' ]
    rm -r results/students/Jane*
    run -2 "$RECIPES/moodle-feedback" results feedback.zip
    [ "$output" = 'moodle-feedback: results has no folder of a Moodle student, such as Jane Doe_12' ]
    run -2 "$RECIPES/moodle-feedback" nothing feedback.zip
    [ "$output" = 'moodle-feedback: nothing/students: No such file or directory' ]
}
