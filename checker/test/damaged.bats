#!/usr/bin/env bats
# Damaged inputs: each gives one line that says what is wrong and where, exit code 2, and nothing is lost or written.
# A case of CASES damages a copy of an exercise and runs a command in it. Nearly all of them end before a compilation.
# shellcheck disable=SC2016 # the commands of a case are expanded where they run
bats_require_minimum_version 1.5.0

setup_file() {
    make -s -C "$BATS_TEST_DIRNAME/../.." -f checker/lab.mk
}

setup() {
    load helper
    export GPU=sim NO_COLOR=1 LC_ALL=C.UTF-8 PROFILES=$TOP/checker/gpu/profiles FEW=$BATS_TEST_TMPDIR/few
    LAB=$BATS_TEST_TMPDIR/lab
    mkdir -p "$LAB/whole/ex01_axpy" "$FEW"
    ln -s "$TOP/checker" "$LAB/whole/checker"
    cp -r "$TOP/ex01_axpy/checker" "$TOP/ex01_axpy/axpy.cu" "$LAB/whole/ex01_axpy/"
    for program in bash env cat; do ln -s "$(command -v $program)" "$FEW/"; done
}

# Root may read and write everything, unless it gives up its rights.
AS() {
    if ((EUID == 0)); then timeout 20 setpriv --inh-caps=-all --bounding-set=-all "$@"; else "$@"; fi
}

# Damages of a file, @: a name, and the commands
FILE_CASES=(
    'empty|: >@'
    'missing|rm @'
    'binary|head -c 3000 /bin/ls >@'
    'a line cut|truncate -s -5 @'
    'a folder|rm @; mkdir @'
    'a FIFO|rm @; mkfifo @'
    'CRLF|sed -i "s/$/\r/" @'
    'a NUL|printf "a\0b\n" >>@'
    'UTF-16|iconv -t UTF-16 @ >G; mv G @'
    'a dangling link|ln -sf nowhere @'
    'unreadable|chmod 000 @'
)

# The files of the folder, apart from those that a check builds
listing() {
    find . -path ./build -prune -o -printf '%p %y %m %s %T@\n' | grep -v '^\. ' | sort
}

# Runs one case, and prints what is wrong with its outcome. A line of the case that is fine says so.
try() { # NAME DAMAGE PATTERN COMMAND...
    local name=$1 damage=$2 pattern=$3 code=0 before after
    shift 3
    rm -rf "$LAB/case" && cp -a "$LAB/whole" "$LAB/case"
    chmod 777 "$LAB/case/ex01_axpy"
    (cd "$LAB/case/ex01_axpy" && eval "$damage")
    before=$(cd "$LAB/case/ex01_axpy" && listing)
    (cd "$LAB/case" && "$@") >"$LAB/out" 2>"$LAB/err" </dev/null || code=$?
    after=$(cd "$LAB/case/ex01_axpy" && listing)
    TRIED=$((TRIED + 1))
    if [[ $code == 2 && $(wc -l <"$LAB/err") == 1 && ! -s $LAB/out && $(<"$LAB/err") =~ $pattern && $before == "$after" ]]; then
        return
    fi
    printf '%s: exit code %d\n' "$name" "$code"
    head -n 4 "$LAB/out" "$LAB/err"
    diff <(echo "$before") <(echo "$after") || true
} >>"$BATS_TEST_TMPDIR/wrong"

finish() { # LEAST
    cat "$BATS_TEST_TMPDIR/wrong"
    [ ! -s "$BATS_TEST_TMPDIR/wrong" ]
    ((TRIED >= $1))
}

# All damages of one file of the lab. Those of EXCEPT do no harm.
damage_all() { # FILE PATTERN EXCEPT COMMAND...
    local file=$1 pattern=$2 except=$3 one damage
    shift 3
    for one in "${FILE_CASES[@]}"; do
        [[ ! ${one%%|*} =~ $except ]] || continue
        damage=${one#*|}
        try "$file ${one%%|*}" "${damage//@/$file}" "$pattern" AS "$@"
    done
}

@test "damaged files of an exercise: ladder.tsv, sizes.tsv, the student's source" {
    TRIED=0
    damage_all checker/ladder.tsv '^(could not check: ladder\.tsv|check: ex01_axpy is not an exercise)' ' none' checker/check ex01_axpy
    damage_all checker/sizes.tsv '^could not check: .*/checker/sizes\.tsv' ' none' checker/check ex01_axpy
    damage_all axpy.cu '^(could not check|check): .*axpy\.cu' '^(empty|binary|a line cut|CRLF|a NUL)$' checker/check ex01_axpy
    try 'sizes: a purpose' 'sed -i "s/right/rihgt/" checker/sizes.tsv' 'sizes\.tsv:2 is not' checker/check ex01_axpy
    try 'sizes: a range' 'sed -i "s/\tright\t.*/\tright\t9..3/" checker/sizes.tsv' 'sizes\.tsv:[0-9]+ is not' checker/check ex01_axpy
    try 'sizes: none is right' 'grep -v right checker/sizes.tsv >x; cat x >checker/sizes.tsv' 'has no size whose result' checker/check ex01_axpy
    try 'ladder: a measure' 'sed -i "s/\tshare\t/\tshaer\t/" checker/ladder.tsv' 'ladder\.tsv:[0-9]+: there is no measure' checker/check ex01_axpy
    try 'ladder: a number' 'sed -i "s/\t0.9\t/\tmost\t/" checker/ladder.tsv' 'ladder\.tsv:[0-9]+: ' checker/check ex01_axpy
    try 'ladder: required' 'sed -i "s/^#required.*/#required\t99/" checker/ladder.tsv' 'ladder\.tsv' checker/check ex01_axpy
    try 'no folder checker' 'rm -r checker' 'is not an exercise' checker/check ex01_axpy
    finish 33
}

@test "damaged profiles" {
    TRIED=0
    local bad=$LAB/case/ex01_axpy/p.tsv
    cp "$PROFILES/h200.tsv" "$LAB/whole/ex01_axpy/p.tsv"
    damage_all p.tsv 'p\.tsv' '^(CRLF|a line cut)$' env PROFILE="$bad" checker/check ex01_axpy
    try 'profile: cut at a row' 'head -n 20 "$PROFILES/h200.tsv" >p.tsv' 'p\.tsv: the figure .* is missing' AS env PROFILE="$bad" checker/check ex01_axpy
    try 'profile: a NaN' 'sed -i "s/^sms.*/sms\tnan/" p.tsv' 'p\.tsv:[0-9]+: the value' AS env PROFILE="$bad" checker/check ex01_axpy
    try 'profile: negative' 'sed -i "s/^copy_gbs.*/copy_gbs\t-1/" p.tsv' 'p\.tsv:[0-9]+: the value' AS env PROFILE="$bad" checker/check ex01_axpy
    try 'profile: twice' 'printf "sms\t3\n" >>p.tsv' 'p\.tsv:[0-9]+: this figure is there twice' AS env PROFILE="$bad" checker/check ex01_axpy
    try 'profile: an old name' 'sed -i "s/^barrier_ns/step_ns/" p.tsv' 'make calibrate' AS env PROFILE="$bad" checker/check ex01_axpy
    try 'profile: no name' 'sed -i "/^name/d" p.tsv' 'the row "name" is missing' AS env PROFILE="$bad" checker/check ex01_axpy
    try 'profile: unknown' : 'there is no such profile' env PROFILE=abacus checker/check ex01_axpy
    finish 16
}

@test "wrong arguments, missing tools, folders that cannot be written" {
    TRIED=0
    try 'no exercise' : 'is not an exercise' checker/check ex09_none
    try 'no argument' : '^usage: check' checker/check
    try 'two exercises' : 'one exercise at a time' checker/check ex01_axpy ex01_axpy
    try 'an unknown option' : 'unknown option --fast' checker/check ex01_axpy --fast
    try 'an option without value' : '--source needs a value' checker/check ex01_axpy --source
    try 'a format' : '^FORMAT=xml' checker/check ex01_axpy --format xml
    try 'a seed' : '^WARPUP_SEED=x' env WARPUP_SEED=x checker/check ex01_axpy
    try 'a time limit' : '^WARPUP_SECONDS=soon' env WARPUP_SECONDS=soon checker/check ex01_axpy
    try 'a device' : '^GPU=tpu' env GPU=tpu checker/check ex01_axpy
    try 'another source: missing' : 'there is no file none.cu' checker/check ex01_axpy --source none.cu
    try 'another source: a folder' : 'is not a file: it is a directory' checker/check ex01_axpy --source ex01_axpy
    try 'another source: a device' : 'is not a file' checker/check ex01_axpy --source /dev/null
    try 'no tools' : 'not found; checker/bin/setup installs it' env PATH="$FEW" checker/check ex01_axpy
    try 'build: a file' ': >build' 'build cannot be written: Not a directory' checker/check ex01_axpy
    try 'build: read-only' 'mkdir build; chmod 555 build' 'build cannot be written: Permission denied' AS checker/check ex01_axpy
    finish 15
}

@test "a full disk, a full stdout, a damaged hints.md: one line; what was reached is kept" {
    TRIED=0
    # A check that worked may note its progress. So only the line and the exit code are compared.
    outcome() { # PATTERN COMMAND...
        local pattern=$1 code=0
        shift
        rm -rf "$LAB/case" && cp -a "$LAB/whole" "$LAB/case"
        (cd "$LAB/case" && eval "$*") 2>"$LAB/err" </dev/null || code=$?
        TRIED=$((TRIED + 1))
        [[ $code == 2 && $(wc -l <"$LAB/err") == 1 && $(<"$LAB/err") =~ $pattern ]] && return
        echo "$*: exit code $code" && cat "$LAB/err"
    } >>"$BATS_TEST_TMPDIR/wrong"
    outcome '^could not check: the verdict cannot be printed: No space left' 'checker/check ex01_axpy >/dev/full'
    outcome '^could not check: the verdict cannot be printed: No space left' 'checker/check ex01_axpy --format json >/dev/full'
    outcome '^could not check: .*hints\.md has no section "## Rung 1"' 'head -c 20 <ex01_axpy/checker/hints.md >x; mv x ex01_axpy/checker/hints.md; checker/check ex01_axpy --hint'
    outcome '^could not check: .*hints\.md has no section' 'rm ex01_axpy/checker/hints.md; checker/check ex01_axpy --hint'
    if ((EUID == 0)) && mkdir "$LAB/small" && mount -t tmpfs -o size=64k none "$LAB/small" 2>/dev/null; then
        cat /dev/zero >"$LAB/small/zeros" 2>/dev/null || true
        outcome '^could not check: .*(cannot be written|No space left)' "ln -s '$LAB/small' ex01_axpy/build; checker/check ex01_axpy"
        umount "$LAB/small"
    fi
    finish 4
}
