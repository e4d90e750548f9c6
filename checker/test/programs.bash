# programs.bash: programs that tests give to a check. A table lists them, a line each; a program is a
# whole file, NAME.cu, or a patch on a stage of the solution, NAME.patch. Loaded with helper.bash.

# The table's rows without its comments and its header, tabs between the columns.
rows() { # TABLE
    grep -v '^#' "$1" | sed 1d
}

# Writes a program to FOLDER/axpy.cu. A dash for its name is the stage as it is.
write_program() { # DIRECTORY NAME STAGE FOLDER
    mkdir -p "$4"
    if [ -f "$1/$2.cu" ]; then
        cp "$1/$2.cu" "$4/axpy.cu"
        return
    fi
    "$TOP/solutions/stage" "$TOP/ex01_axpy" print "$3" >"$4/axpy.cu"
    [ "$2" = - ] || patch --silent --no-backup-if-mismatch "$4/axpy.cu" "$1/$2.patch"
}

# Checks a program on the simulated GPU; leaves verdict.json and the exit code in FOLDER.
check_program() { # FOLDER
    local code=0
    GPU=sim "$TOP/checker/check" "$TOP/ex01_axpy" --source "$1/axpy.cu" --format json \
        >"$1/verdict.json" 2>"$1/stderr" || code=$?
    echo "$code" >"$1/code"
}

# Every program of a directory is in its table, and the other way round.
table_is_complete() { # DIRECTORY TABLE
    diff <(cd "$1" && find . -name '*.cu' -o -name '*.patch' | sed 's/^..//; s/\.[a-z]*$//' | sort) \
        <(rows "$2" | cut -f 1 | grep -vx -- - | sort)
}
