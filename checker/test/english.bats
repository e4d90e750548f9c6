#!/usr/bin/env bats
# english.bats: what people read in this lab is plain English. english/habits.tsv has the words that are kept out, and
# what to write instead. english/files.txt has the files that the tests read, and english/prose.awk finds what people
# read in a file.

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
    while IFS=$'\t' read -r pattern instead why _; do
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

# Prints the sentences with more words than this; stdin has what prose.awk has read.
long_sentences() { # WORDS
    awk -v most="$1" -f "$ENGLISH/sentences.awk"
}

# The files that english/files.txt names, apart from what was built and what a student has written
scanned() {
    local pattern
    shopt -s globstar
    while read -r pattern; do
        # shellcheck disable=SC2086 # it is a pattern
        find $pattern \( -name build -o -name node_modules \) -prune -o \
            -type f ! -name habits.tsv ! -name english.bats ! -name '*.stage*' -print
    done < <(grep -v '^#' "$ENGLISH/files.txt")
}

@test "what people read is free of the habits of habits.tsv" {
    local files
    mapfile -t files < <(scanned)
    [ "${#files[@]}" -gt 400 ]
    prose "${files[@]}" | habits | tee "$BATS_TEST_TMPDIR/found"
    [ ! -s "$BATS_TEST_TMPDIR/found" ]
}

@test "no sentence has more than 25 words" {
    local files
    mapfile -t files < <(scanned)
    prose "${files[@]}" | long_sentences 25 | tee "$BATS_TEST_TMPDIR/found"
    [ ! -s "$BATS_TEST_TMPDIR/found" ]
}

@test "no message has a sentence of more than 20 words" {
    local files
    mapfile -t files < <(scanned | grep -E '^(checker/(bin|cage|class|files|judge|progress|run|gpu|show|tracer|view)|solutions)/' | grep -v '\.md$')
    {
        awk -v strings=1 -f "$ENGLISH/prose.awk" "${files[@]}"
        prose ex*/checker/ladder.tsv
    } | long_sentences 20 | tee "$BATS_TEST_TMPDIR/found"
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
    diff - <(printf '%s\n' '@test "a leak is told" {' '    run told "so many words"' | habits_of a.bats) <<'END'
a.bats:1: "is told"
END
    diff - <(printf '%s\n' '<svg><title>What the watch saw</title><text x="1">so' 'many</text></svg>' | habits_of a.svg) <<'END'
a.svg:1: "What the watch saw"
END
}

@test "list items, cells and paragraphs of a comment are read one by one" {
    cd "$BATS_TEST_TMPDIR" || return
    printf '%s\n' '- one' '  goes on' '- two' '' '| three | four |' >a.md
    printf '%s\n' '/*' ' * five' ' *' ' * - six' ' *   goes on' ' *' ' *   seven' ' */' 'puts("eight");' >a.c
    diff - <(prose a.md a.c) <<'END'
a.md:1	- one goes on
a.md:3	- two
a.md:5	three
a.md:5	four
a.c:2	five
a.c:4	- six goes on
a.c:7	seven
a.c:9	eight
END
    diff - <(awk -v strings=1 -f "$ENGLISH/prose.awk" a.c) <<<$'a.c:9\teight'
}

@test "a sentence ends at a point, a colon or a semicolon; parentheses and code do not count" {
    run -0 long_sentences 3 <<<$'a:1\tone two three. One (and two) three. One, two three; one [two three](x) CODE: one'
    [ -z "$output" ]
    run -0 long_sentences 3 <<<$'a:1\tOne. One two three four.'
    [ "$output" = $'a:1\t4\tOne two three four' ]
}

@test "every habit has a pattern, what to write instead, a reason, and an example of each kind" {
    local pattern instead why wrong right rest
    while IFS=$'\t' read -r pattern instead why wrong right rest; do
        echo "$pattern"
        [ -n "$instead" ]
        [ -n "$why" ]
        [ -z "$rest" ]
        grep -qiP "$pattern" <<<"$wrong"
        run -1 grep -iP "$pattern" <<<"$right"
    done < <(rows "$ENGLISH/habits.tsv")
}
