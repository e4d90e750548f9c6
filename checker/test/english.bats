#!/usr/bin/env bats
# english.bats: what people read in this lab is plain English. english/habits.tsv has the words that are kept out and
# what to write instead, english/files.txt the files that are read, english/prose.awk what people read in a file.

bats_require_minimum_version 1.5.0

setup() {
    load helper
    ENGLISH=$BATS_TEST_DIRNAME/english
    cd "$TOP" || return
}

# The rows of a table without its comments and its heading
rows() { # FILE
    grep -v '^#' "$1" | sed 1d
}

# Prints every bad habit in what prose.awk has read from stdin: the place, the words, what to write instead and why.
habits() {
    local pattern instead why place text found
    cat >"$BATS_TEST_TMPDIR/prose"
    while IFS=$'\t' read -r pattern instead why; do
        while IFS=$'\t' read -r place text; do
            while read -r found; do
                printf '%s: "%s": write %s (%s)\n' "$place" "$found" "$instead" "$why"
            done < <(grep -oiP "(\S+ )?($pattern)( \S+)?" <<<"$text")
        done < <(grep -iP "\t.*($pattern)" "$BATS_TEST_TMPDIR/prose")
    done < <(rows "$ENGLISH/habits.tsv")
}

prose() { # FILE...
    awk -f "$ENGLISH/prose.awk" "$@"
}

# The files that english/files.txt names
scanned() {
    local pattern
    shopt -s globstar
    while read -r pattern; do
        # shellcheck disable=SC2086 # it is a pattern
        find $pattern -type f ! -name habits.tsv ! -name english.bats
    done < <(grep -v '^#' "$ENGLISH/files.txt")
}

@test "what people read is free of the habits of habits.tsv" {
    local files
    mapfile -t files < <(scanned)
    [ "${#files[@]}" -gt 90 ]
    prose "${files[@]}" | habits | tee "$BATS_TEST_TMPDIR/found"
    [ ! -s "$BATS_TEST_TMPDIR/found" ]
}

# Writes a file, and prints the habits in it, only the place and the words.
habits_of() { # NAME < TEXT
    cat >"$1"
    prose "$1" | habits | sed 's/: write .*//'
}

@test "a habit is found in every kind of file, over the end of a line, and not in code" {
    cd "$BATS_TEST_TMPDIR" || return
    # shellcheck disable=SC2016 # these are Markdown's marks
    diff - <(printf '%s\n' 'It is' 'on its' 'way, `so many` of them.' '' '    so many' '' 'What the watch says.' | habits_of a.md) <<'END'
a.md:7: "What the watch says."
a.md:1: "is on its way"
END
    diff - <(printf '%s\n' '/* A byte' ' * behind it. */' "int told = '\"'; // so" '// many' 'puts("%d bytes a "' '     "thread");' |
        habits_of a.c) <<'END'
a.c:1: "byte behind it."
a.c:3: "so many"
a.c:5: "%d bytes a thread"
END
    diff - <(printf '%s\n' '# It tells' '# how' "watch=\$told; awk 'told[1]'; echo 'the watch' # 1 wavefronts" | habits_of a) <<'END'
a:1: "It tells how"
a:3: "the watch"
a:3: "1 wavefronts"
END
    diff - <(printf '1\tid\t132 multiprocessors, streaming multiprocessors\n' | habits_of a.tsv) <<'END'
a.tsv:1: "132 multiprocessors"
END
}

@test "every habit has a pattern that works, what to write instead, and a reason" {
    local pattern instead why
    while IFS=$'\t' read -r pattern instead why; do
        [ -n "$instead" ]
        [ -n "$why" ]
        run -1 grep -P "$pattern" </dev/null
    done < <(rows "$ENGLISH/habits.tsv")
}
