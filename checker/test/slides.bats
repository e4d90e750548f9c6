#!/usr/bin/env bats
# The lectures: they build, and a deck with a mistake does not; every slide as a browser shows it.
bats_require_minimum_version 1.5.0

# Builds all decks once. Exit code 2: a tool is missing, and then nothing here can be tested.
setup_file() {
    load helper
    local status=0
    "$TOP/slides/deck" >"$BATS_FILE_TMPDIR/built" 2>"$BATS_FILE_TMPDIR/said" || status=$?
    export DECK_STATUS=$status
}

setup() {
    load helper
    SLIDES=$TOP/slides
    ((DECK_STATUS != 2)) || skip "$(tail -n 1 "$BATS_FILE_TMPDIR/said")"
}

decks() {
    basename -s .md "$SLIDES"/[0-9]-*.md
}

# Writes a deck of one slide, which says LINE.
one_slide() { # LINE FILE
    printf '%s\n' '## A slide' "$1" '::: notes 1 minute' 'Say so.' ':::' >"$2"
}

# Expands a deck of one slide and prints what it says.
expand() { # LINE
    one_slide "$1" "$BATS_TEST_TMPDIR/bad.md"
    node "$SLIDES/lib/expand.mjs" "$BATS_TEST_TMPDIR/bad.md" 2>&1
}

@test "every deck builds, with a page of its PDF for every slide, and pages of answers after these" {
    cat "$BATS_FILE_TMPDIR/said"
    [ "$DECK_STATUS" -eq 0 ]
    local deck slides answers pages
    [ "$(decks | wc -l)" -ge 6 ]
    for deck in $(decks); do
        grep -qx "slides/build/$deck.html" "$BATS_FILE_TMPDIR/built"
        slides=$(grep -c '<section' "$SLIDES/build/$deck.html")
        answers=$(grep -c '<details' "$SLIDES/build/$deck.html" || true)
        pages=$(grep -aoE '/Type /Page\b' "$SLIDES/build/$deck.pdf" | wc -l)
        echo "$deck: $slides slides, $answers answers, $pages pages"
        [ $((pages > slides)) -eq $((answers > 0)) ]
        [ "$pages" -ge "$slides" ]
        [ "$pages" -le $((slides + answers / 4 + 1)) ]
    done
}

@test "no slide overflows, asks for anything, or fails in contrast or names" {
    mapfile -t all < <(decks | part_of_commit)
    run -0 node "$SLIDES/test/decks.mjs" "${all[@]}"
    echo "$output"
    [[ "$output" == *" 0 faults" ]]
}

@test "answers open, figures keep their keys, the speaker's view has the notes" {
    run -0 node "$SLIDES/test/keys.mjs"
}

@test "a deck that names something missing stops the build with one line" {
    local line message decks=()
    while IFS=$'\t' read -r line message; do
        decks+=("$BATS_TEST_TMPDIR/${#decks[@]}.md")
        one_slide "$line" "${decks[-1]}"
        echo "$((${#decks[@]} - 1)).md:2: $message" >>"$BATS_TEST_TMPDIR/expected"
    done <"$SLIDES/test/refused.tsv"
    run -1 node "$SLIDES/lib/expand.mjs" "${decks[@]}"
    diff "$BATS_TEST_TMPDIR/expected" - <<<"$output"
}

@test "a slide without notes does not build" {
    printf '%s\n' '## One' 'Text.' '' '## Two' '::: notes 2 minutes' 'Say so.' ':::' >"$BATS_TEST_TMPDIR/bare.md"
    run -1 node "$SLIDES/lib/expand.mjs" "$BATS_TEST_TMPDIR/bare.md"
    [ "$output" = "bare.md:1: this slide has no ::: notes" ]
}

@test "notes without minutes do not build; the speaker reads the minutes" {
    printf '%s\n' '## One' '::: notes' 'Say so.' ':::' >"$BATS_TEST_TMPDIR/bare.md"
    run -1 node "$SLIDES/lib/expand.mjs" "$BATS_TEST_TMPDIR/bare.md"
    [ "$output" = 'bare.md:2: notes begin with "::: notes 2 minutes", or "…, may be skipped"' ]
    printf '%s\n' '## One' '::: notes 2 minutes, may be skipped' 'Say so.' ':::' >"$BATS_TEST_TMPDIR/bare.md"
    run -0 node "$SLIDES/lib/expand.mjs" "$BATS_TEST_TMPDIR/bare.md"
    [ "$output" = $'## One\n::: notes\n2 minutes, may be skipped.\n\nSay so.\n:::' ]
}

@test "numbers within a sentence are those of the tables" {
    local row
    row=$(awk -F '\t' '$1 == "ex01_axpy" && $2 == 4 && $4 == 67108864 { print $5 }' "$TOP/solutions/measured/nvidia-h200.tsv")
    run -0 expand '{{rate ex01_axpy 4}}, {{rate ex01_axpy 4 plain=1}}'
    [[ "$output" == *"$row"$'\xc2\xa0'"GB/s, $row"* ]]
    run -0 expand '{{rate ex01_axpy 4 gpu=simulated-v100}}'
    [[ "$output" == *"GB/s (modelled)"* ]]
}

@test "every number with a unit in a sentence follows from a table, or from the file that sources.tsv names" {
    run -0 node "$SLIDES/test/sources.mjs"
    printf '%s\n' 'On a V100 rung 1 printed 19 191 GB/s, and an H200 needs 13 flop per byte.' '{{rate ex01_axpy 4}}, 7 GB/s.' >"$BATS_TEST_TMPDIR/2-deck.md"
    run -1 node "$SLIDES/test/sources.mjs" "$BATS_TEST_TMPDIR/2-deck.md"
    [ "${#lines[@]}" -eq 2 ]
    [[ "$output" == *"2-deck.md:1: sources.tsv has no source of 13 flop per byte in chapter 2"*"2-deck.md:2: sources.tsv has no source of 7 GB/s"* ]]
}

@test "the minutes of the timetables are those of the slides" {
    run -0 node "$SLIDES/test/minutes.mjs"
    sed '0,/| 38 | \*\*Deck 1\*\*/s//| 40 | **Deck 1**/; 0,/| 15 | \*break\*/s//| 15 | **more**/' "$TOP/day1/README.md" >"$BATS_TEST_TMPDIR/day.md"
    run -1 node "$SLIDES/test/minutes.mjs" "$BATS_TEST_TMPDIR/day.md"
    [[ "$output" == *"40 minutes, but its slides take 38"* ]]
    [ "$(grep -c "do not lead to the next row's time" <<<"$output")" -eq 1 ]
    [[ "$output" == *"minutes without a break"* ]]
}

@test "no slide before an exercise shows what the exercise asks for" {
    run -0 node "$SLIDES/test/turns.mjs"
    # what a handout must not say, whatever its names and types
    printf '%s\n' 'On an H200 rung 2 of it is a third slower.' 'Rung 5 reaches 3240 GB/s.' \
        '    const unsigned me = blockDim.x * blockIdx.x + threadIdx.x;' '    if (me < n) z[me] = 0;' \
        '    int mate = t ^ 1;' 'In matvec x already stays in a cache.' 'A load from DRAM takes 344 ns.' 'Round up the number of blocks.' \
        '    twice<<<n / 128, 128>>>(x);' >"$BATS_TEST_TMPDIR/handout.md"
    run -1 node "$SLIDES/test/turns.mjs" --also "$BATS_TEST_TMPDIR/handout.md"
    echo "$output"
    local what
    for what in 'before ex01_axpy 3-7: 3240 GB/s' 'before ex02_rot 1-3: rung 2 of it is a third slower' \
        'rung 5, the index in the grid' 'rung 5, a guard for the last block' 'rung 2, the neighbour of a component' 'rung 2, where x comes from' \
        'before the laboratory: 344 ns' 'rung 5, round up the number of blocks' 'rung 5, the number of blocks'; do
        [[ "$output" == *"$what"* ]]
    done
}

@test "no slide answers its own question, or that of the next slide" {
    run -0 node "$SLIDES/test/answers.mjs"
    printf '%s\n' '## One' '8192 bytes of it.' '::: notes 1 minute' 'A.' ':::' \
        '## Two' '@quiz two-tiles' '::: notes 1 minute' 'B: 8192 bytes.' ':::' \
        '## Three' 'cudaErrorIllegalAddress' '@quiz error-after-copy' '::: notes 1 minute' 'C.' ':::' \
        '## Four' '18192 bytes.' '@quiz two-tiles' '::: notes 1 minute' 'D.' ':::' >"$BATS_TEST_TMPDIR/deck.md"
    node "$SLIDES/lib/expand.mjs" "$BATS_TEST_TMPDIR/deck.md" >"$BATS_TEST_TMPDIR/expanded.md"
    run -1 node "$SLIDES/test/answers.mjs" "$BATS_TEST_TMPDIR/expanded.md"
    echo "$output"
    [ "${#lines[@]}" -eq 2 ]
    [ "${lines[0]}" = 'expanded: Two: the slide "One" answers two-tiles: 8192 bytes' ]
    [ "${lines[1]}" = 'expanded: Three: the slide "Three" answers error-after-copy: cudaErrorIllegalAddress' ]
}

@test "two of three content slides show a drawing, a plot or a figure" {
    run -0 node "$SLIDES/test/pictures.mjs"
    printf '%s\n' '## One' 'Text.' '' '## Two' '@quiz launched' '' '## Three' '@drawing grid' '' '## Four' 'Text.' \
        '::: notes 1 minute' '@drawing grid' ':::' >"$BATS_TEST_TMPDIR/deck.md"
    run -1 node "$SLIDES/test/pictures.mjs" "$BATS_TEST_TMPDIR/deck.md"
    [ "$output" = "deck: 1 of 3 content slides show something; not: One; Four" ]
}

@test "the lectures' own program runs" {
    make -s -C "$TOP" -f checker/lab.mk
    "$BUILD/cc" "$SLIDES/examples/triple.cu" "$BATS_TEST_TMPDIR"
    "$BUILD/run" --dir "$BATS_TEST_TMPDIR" --seconds 30 -- "$BATS_TEST_TMPDIR/program"
    [ "$(<"$BATS_TEST_TMPDIR/stdout")" = "3 * 255 is 765" ]
}

@test "every slide that the table of topics names is there" {
    run -0 node "$SLIDES/test/topics.mjs"
}
