#!/usr/bin/env bats
# board.bats: what a check leaves for the board of a class, and the page that make board writes of it.
# shellcheck disable=SC2154 # bats sets stderr
bats_require_minimum_version 1.5.0

setup_file() {
    make -s -C "$BATS_TEST_DIRNAME/../.." -f checker/lab.mk
    gcc -shared -fPIC -o "$BATS_FILE_TMPDIR/slow.so" "$BATS_TEST_DIRNAME/board/slow.c" -ldl
}

setup() {
    load helper
    export DIR=$BATS_TEST_TMPDIR/board TO=$BATS_TEST_TMPDIR/board.html SLOW_FOLDER=$BATS_TEST_TMPDIR/board
    unset WARPUP_NAME WARPUP_BOARD ONCE
    cd "$BATS_TEST_TMPDIR" || return
    mkdir lab lab/ex01_axpy lab/ex02_rot board
    jq '.rung = 2' "$BATS_TEST_DIRNAME/show/verdict.json" >verdict.json
}

# Does the last steps of a check: it notes a verdict, and leaves a file for the board.
leave() { # [EXERCISE]
    local exercise=$PWD/lab/${1:-ex01_axpy}
    "$BUILD/progress" note "$exercise/progress.tsv" verdict.json verdict.json
    "$BUILD/progress" drop "$DIR" "$exercise" verdict.json
}

# A file as a check leaves it, of this student.
write_note() { # STUDENT JSON-FILTER [EXERCISE]
    jq -nc --arg exercise "${3:-ex01_axpy}" '{exercise: $exercise, status: "not yet", rung: 2, reached: 3, attempts: 4,
        since: 600, diagnosis: "leak"} | '"$2" >"$DIR/$(printf '%016x' "$1")-${3:-ex01_axpy}.json"
}

# Writes the page once.
board() {
    command -v python3 >/dev/null || skip "there is no python3"
    ONCE=1 run -0 "$TOP/checker/class/board"
    page=$(<"$TO")
}

@test "a check leaves one small file per exercise, with one number for a student, and a name if there is one" {
    leave
    jq '.rung = 1' verdict.json >less.json && mv less.json verdict.json
    WARPUP_NAME='Zoë' leave
    leave ex02_rot
    [ "$(stat -c %a board/*axpy.json)" = 644 ]
    jq -e '.exercise == "ex01_axpy" and .rung == 1 and .reached == 2 and .name == "Zoë" and .since < 60 and .diagnosis != ""' board/*-ex01_axpy.json
    jq -e 'has("name") | not' board/*-ex02_rot.json
    id=$(<lab/board.id)
    diff - <(ls -A board) <<<"$id-ex01_axpy.json"$'\n'"$id-ex02_rot.json"
    echo damaged >lab/board.id
    leave
    [ "$(find board -type f | wc -l)" = 3 ]
    [[ $(<lab/board.id) =~ ^[0-9a-f]{16}$ ]]
}

@test "only checks of the student's own file count, and only with WARPUP_BOARD" {
    cp -r "$TOP"/ex01_axpy/{checker,axpy.cu} lab/ex01_axpy/
    checked() { GPU=sim WARPUP_SEED=1 run -1 "$TOP/checker/check" lab/ex01_axpy --format gcc "$@"; }
    checked
    WARPUP_BOARD=$DIR checked --source lab/ex01_axpy/axpy.cu
    [ -z "$(ls board)" ]
    WARPUP_BOARD=board checked
    jq -e '.rung == 0 and .diagnosis == "no-kernel"' board/*-ex01_axpy.json
}

@test "a board that is missing, a file, full or read-only costs one line, and the check goes on" {
    failure() { # WORDS
        run --separate-stderr -0 leave
        [ -z "$output" ]
        [ "$(wc -l <<<"$stderr")" = 1 ]
        [[ $stderr == "note: the board does not get this check: "*"$1" ]]
    }
    rmdir board
    failure 'No such file or directory'
    echo kept >board
    failure 'Not a directory'
    rm board && mkdir board
    mount_tmpfs board size=4k
    head -c 4096 /dev/zero >board/all
    failure 'No space left on device'
    [ "$(ls -A board)" = all ]
    mount -o remount,ro board
    failure 'Read-only file system'
    umount_tmpfs
    chmod a-w lab && [ ! -w lab ] || return 0
    rm -f lab/board.id && failure 'board.id'
}

@test "a slow board delays a check by a second, and still gets it; nothing waits for what is slow" {
    leave
    local start=$EPOCHREALTIME
    said=$(LD_PRELOAD=$BATS_FILE_TMPDIR/slow.so SLOW_MS=2500 leave 2>&1 | cat)
    ((${EPOCHREALTIME/./} - ${start/./} < 2300000))
    [[ $said == "note: $DIR is slow; the board gets this check later" ]]
    touch -d '1 hour ago' board/*
    for _ in {1..80}; do [ -z "$(find board -name '*.json' -mmin -30)" ] || break; sleep 0.1; done
    [ -n "$(find board -name '*.json' -mmin -30)" ]
}

@test "the page has the rungs, the diagnoses now, and who is longest without a new rung, without who has gone or is done" {
    write_note 1 '.since = 3000 | .name = "Ann"'
    write_note 2 '.since = 6000 | .diagnosis = "race-in-block"'
    write_note 2 '.reached = 0' ex02_rot
    touch -d '2 minutes ago' board/*2-ex02_rot.json
    write_note 3 '.since = 9000 | .name = "gone"'
    touch -d '30 minutes ago' board/*3-ex01_axpy.json
    write_note 4 '.since = 9000 | .reached = 6 | .name = "done"'
    write_note 5 '.since = 9000 | .name = "yesterday"'
    touch -d '1 day ago' board/*5-ex01_axpy.json
    write_note 6 '.status = "could not check" | .diagnosis = "" | .since = 10'
    board
    [[ $page == *'<b>4</b>active'*'<b>5</b>seen today'*'<b>1</b>could not check'* ]]
    [[ $page == *'ex01_axpy: 5 students'*'rung 3: 4'*'rung 6: 1'*'ex02_rot: 1 student<'* ]]
    stuck=${page##*Longest without}
    [[ $stuck == *'student 0000'*'1.7 h'*'race-in-block'*'Ann'*'50 min'*'student 0000'* ]]
    run -1 grep -E 'gone|done<|yesterday' "$TO"
    [[ ${page#*Diagnoses now} == *'leak'*'>2<'*'race-in-block'*'>1<'* ]]
}

@test "what is damaged or hostile is counted and left out, and a name is only text" {
    write_note 1 '.name = "<img src=x onerror=alert(1)>" | .diagnosis = "<b>"'
    write_note 2 '.name = "\u202eevil\u0007\nname, which is far too long for a line of this page"'
    write_note 3 '.name = ("a" + "\u0301" * 40)'
    for filter in '.rung = -1' '.rung = 1e30' '.rung = true' '.exercise = "ex02_rot"' '.status = 3' '.since = null' '[.]'; do
        write_note $((number = ${number-16} + 1)) "$filter"
    done
    ln -s /etc/passwd board/00000000000000aa-ex01_axpy.json
    mkfifo board/00000000000000ab-ex01_axpy.json
    mkdir board/00000000000000ac-ex01_axpy.json
    head -c 100000 /dev/zero | tr '\0' '[' >board/00000000000000ad-ex01_axpy.json
    printf '[%.0s' {1..4000} >board/00000000000000ae-ex01_axpy.json
    printf '\xff{}' >board/00000000000000af-ex01_axpy.json
    printf '{"exercise"' >board/00000000000000b0-ex01_axpy.json
    echo '{}' >board/00000000000000b1-ex99_none.json
    touch "board/.0000-ex01_axpy.json.1" board/board.html "board/x"$'\n'"y"
    board
    [[ $page == *'15 files there cannot be read.'* ]]
    [[ $page == *'<b>3</b>active'* ]]
    [[ $page == *'&lt;img src=x onerror=alert(1)&gt;'* ]]
    [[ $page == *'evil name, which is far too l…'* ]]
    run -1 grep -P '<img|\x{202e}|(\xcc\x81){2}|https?:|src=[^x]' "$TO"
    [ "$(grep -o '<script' "$TO" | wc -l)" = 1 ]
}

@test "200 students on a slow file system: the page is there before all is read, and says so" {
    command -v python3 >/dev/null || skip "there is no python3"
    for exercise in ex01_axpy ex02_rot ex03_matvec ex04_matmul; do
        for number in {1..200}; do
            printf '{"exercise":"%s","status":"not yet","rung":1,"reached":1,"attempts":2,"since":3,"diagnosis":"leak"}' $exercise \
                >"board/$(printf '%016x' "$number")-$exercise.json"
        done
    done
    ONCE=1 SLOW_MS=20 LD_PRELOAD=$BATS_FILE_TMPDIR/slow.so "$TOP/checker/class/board"
    grep -q '<b>200</b>active' "$TO"
    rm "$TO"
    SLOW_MS=1500 LD_PRELOAD=$BATS_FILE_TMPDIR/slow.so "$TOP/checker/class/board" >log 2>&1 3>&- &
    until [ -e "$TO" ]; do sleep 0.1; done
    grep -q 'has not been read completely yet' "$TO"
    kill $!
    wait $!
    grep -q "export WARPUP_BOARD=$DIR" log
}

@test "make board makes the folder so that students write there, and see nothing; what is wrong is one line" {
    rmdir board
    board
    [ "$(stat -c %a board)" = 1733 ]
    [[ $page == *'No check has arrived yet'* ]]
    unset DIR
    run -2 "$TOP/checker/class/board"
    [ "$output" = 'make board: it needs DIR, for example: make board DIR=/shared/board' ]
    DIR=$TO run -2 "$TOP/checker/class/board"
    DIR=$BATS_TEST_TMPDIR/no/such run -2 "$TOP/checker/class/board"
    mkdir page
    DIR=$BATS_TEST_TMPDIR/board TO=$PWD/page run -2 "$TOP/checker/class/board"
    [ "$(wc -l <<<"$output")" = 1 ]
}

@test "the best shares of those with a name are on the board, measured and modelled apart" {
    write_note 1 '.name = "Ann" | .shares = {measured: 0.5, modelled: 0.9}'
    write_note 2 '.name = "Ben" | .shares = {measured: 0.75}'
    write_note 3 '.shares = {measured: 0.99}'
    write_note 4 '.name = "Eve" | .shares = {measured: 7.5, modelled: "all"}'
    board
    local best=${page##*Best shares of the limit</h2>}
    [ "$(sed -E 's/<[^>]*>/ /g' <<<"${best%%</table>*}" | xargs)" = \
        "exercise student share ex01_axpy measured Ben 75 % ex01_axpy measured Ann 50 % ex01_axpy modelled Ann 90 %" ]
    jq '.rate = {value: 1, unit: "GB/s", how: "modelled"} | .share = 0.4' verdict.json >shared.json && mv shared.json verdict.json
    leave
    jq -e 'has("shares") | not' board/*-ex01_axpy.json
    WARPUP_NAME=Zoë leave ex02_rot
    jq -e '.shares.modelled == 0.4' board/*-ex02_rot.json
}

@test "the board shows no diagnosis and no share that comes after a rung which somebody active has not reached" {
    write_note 1 '.rung = 3 | .reached = 3 | .diagnosis = "uncoalesced-access" | .name = "Ann" | .shares = {measured: 0.5}'
    write_note 2 '.rung = 0 | .reached = 1'
    board
    [[ $page == *'leak'*'on the way to rung 4'* && $page != *uncoalesced-access* && $page != *'50 %'* ]]
    write_note 2 '.rung = 0'
    board
    [[ $page == *'leak'*'uncoalesced-access'*'50 %'* ]]
}

@test "the board shows what the room predicts" {
    write_note 1 '.guesses = {"4": 10}'
    write_note 2 '.guesses = {"4": 2, "99": 1, "x": 3, "2": "many"}'
    write_note 3 '.guesses = {"4": 30}'
    board
    local predicted=${page##*What the room predicts</h2>}
    [ "$(sed -E 's/<[^>]*>/ /g' <<<"${predicted%%</table>*}" | xargs)" = \
        "exercise rung guesses smallest median largest ex01_axpy 4 3 2 10 30" ]
}
