# draw.bash: what roofline and scan share: the exercise, its stages, and pictures by gnuplot. They
# source it after lab.bash; it does nothing by itself.
# shellcheck disable=SC2034 # what it sets is for those who source it

# shellcheck source=stoppable.bash
source "$CHECKER/bin/stoppable.bash"

readonly STAGE=$TOP/solutions/stage

# Tests that the programs that pictures need are installed.
need_gnuplot() {
    local program
    for program in gnuplot jq; do
        command -v $program >/dev/null || cannot "$program not found; checker/bin/setup --pictures installs it"
    done
}

# Sets EXERCISE (its directory), NAME (the name of this directory) and PROGRAM (its program).
open_exercise() { # EXERCISE_DIR
    [[ -f $1/checker/ladder.tsv ]] || usage "${0##*/}: $1 is not an exercise (it has no checker/ladder.tsv)"
    EXERCISE=$(cd -- "$1" && pwd)
    NAME=${EXERCISE##*/}
    PROGRAM=${NAME#*_}
    mkdir -p "$EXERCISE/build" 2>/dev/null && [[ -w $EXERCISE/build ]] ||
        cannot "$EXERCISE/build cannot be written"
}

# Prints the number and the name of each stage, one line each; nothing in a copy without solutions.
list_stages() {
    [[ -x $STAGE && -r $EXERCISE/solutions/series ]] || return 0
    "$STAGE" "$EXERCISE" list | sed -nE 's/^ *([1-9][0-9]*) +[0-9]+-(\S+).*/\1\t\2/p'
}

# Prints the last stage that a drawing shows: a later one would give away a rung. STAGES=all shows all of them.
last_shown() {
    if [[ ${STAGES:-} == all ]]; then echo 1000; else reached_rung "$EXERCISE"; fi
}

# Draws a template three times: as EXERCISE/build/PICTURE.svg, PICTURE.png, and on the terminal, 80
# columns wide. Settings reach it as variables.
draw() { # TEMPLATE PICTURE NAME=VALUE...
    local setting value settings=()
    for setting in "picture=$EXERCISE/build/$2" "${@:3}"; do
        value=${setting#*=}
        settings+=(-e "${setting%%=*} = '${value//\'/\'\'}'")
    done
    gnuplot "${settings[@]}" "$CHECKER/bin/$1" 2>"$SCRATCH/gnuplot" ||
        cannot "gnuplot: $(grep -m 1 . "$SCRATCH/gnuplot" || echo failed)"
}
