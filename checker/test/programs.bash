# programs.bash: programs that tests give to a check. A table lists those of an exercise, a line each;
# a program is a whole file, NAME.cu, or a patch on a stage of the solution, NAME.patch. Loaded with
# helper.bash.

# Sets PROGRAM (axpy), EXERCISE (its directory) and DIRECTORY (where its programs are).
open_programs() { # mistakes|variants|cheats PROGRAM
    PROGRAM=$2
    EXERCISE=$(echo "$TOP"/ex*_"$2")
    DIRECTORY=$BATS_TEST_DIRNAME/$1/$2
}

# The table's rows without its comments and its header, tabs between the columns.
rows() { # TABLE
    grep -v '^#' "$1" | sed 1d
}

# Writes a program to FOLDER/axpy.cu. A dash for its name is the stage as it is.
write_program() { # NAME STAGE FOLDER
    mkdir -p "$3"
    if [ -f "$DIRECTORY/$1.cu" ]; then
        cp "$DIRECTORY/$1.cu" "$3/$PROGRAM.cu"
        return
    fi
    "$TOP/solutions/stage" "$EXERCISE" print "$2" >"$3/$PROGRAM.cu"
    [ "$1" = - ] || patch --silent --no-backup-if-mismatch "$3/$PROGRAM.cu" "$DIRECTORY/$1.patch"
}

# Checks a program on the simulated GPU; leaves verdict.json and the exit code in FOLDER. The seed draws
# the sizes too, and so decides which of several true diagnoses comes first: it is the same each time.
check_program() { # FOLDER
    local code=0
    WARPUP_SEED=${WARPUP_SEED:-1} GPU=sim "$TOP/checker/check" "$EXERCISE" --source "$1/$PROGRAM.cu" --format json \
        >"$1/verdict.json" 2>"$1/stderr" || code=$?
    echo "$code" >"$1/code"
}

# Every program of the directory is in its table, and the other way round.
table_is_complete() {
    diff <(cd "$DIRECTORY" && find . -name '*.cu' -o -name '*.patch' | sed 's/^..//; s/\.[a-z]*$//' | sort) \
        <(rows "$DIRECTORY/expected.tsv" | cut -f 1 | grep -vx -- - | sort)
}

# Every program of a table, which has to be complete, gets the verdict that its row asks for. FUNCTION
# decides, given the folder of a check and the rest of the row after the stage; where it fails, the
# row is printed, and what the check said. `sample` chooses the rows; with WARPUP_JOBS=4, four checks at a time.
all_as_expected() { # mistakes|variants|cheats PROGRAM FUNCTION
    open_programs "$1" "$2"
    table_is_complete
    local name stage rest row folder wrong=0 table
    table=$(rows "$DIRECTORY/expected.tsv" | sample)
    [ -n "$table" ]
    while IFS=$'\t' read -r name stage rest; do
        while (($(jobs -rp | wc -l) >= ${WARPUP_JOBS:-1})); do wait -n || true; done
        folder=$BATS_TEST_TMPDIR/$name-$stage
        { write_program "$name" "$stage" "$folder" && check_program "$folder"; } 3>&- </dev/null &
    done <<<"$table"
    wait
    while IFS=$'\t' read -r name stage rest; do
        folder=$BATS_TEST_TMPDIR/$name-$stage
        IFS=$'\t' read -ra row <<<"$rest"
        "$3" "$folder" "${row[@]}" && continue
        printf '%s on stage %s: expected %s; the check said\n' "$name" "$stage" "$rest"
        printf '    exit code %s, ' "$(<"$folder/code")"
        jq -r '"rung \(.rung), missed \([.criteria[] | select(.passed == false).id])",
            (.diagnoses[] | "    \(.name) line \(.line): \(.text)")' "$folder/verdict.json"
        cat "$folder/stderr"
        wrong=1
    done <<<"$table"
    return $wrong
}

# The number of the last line of the program that holds a piece of text; "null" for a dash.
line_with() { # FOLDER PIECE
    if [ "$2" = - ]; then echo null; else grep -nF -- "$2" "$1/$PROGRAM.cu" | tail -n 1 | cut -d : -f 1; fi
}

# The exit code that goes with a rung, or with "could not check".
code_of() { # RUNG
    local required
    required=$(awk -F'\t' '$1 == "#required" { print $2 }' "$EXERCISE/checker/ladder.tsv")
    if [ "$1" = 'could not check' ]; then echo 2; elif (($1 >= required)); then echo 0; else echo 1; fi
}
