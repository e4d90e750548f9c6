#!/usr/bin/env bats
# quiz.bats: the questions of the day, each with an answer that the lab works out.
bats_require_minimum_version 1.5.0

setup() {
    load helper
    QUIZ=$TOP/day1/quiz/quiz
    export WARPUP_QUIZ=$BATS_TEST_TMPDIR/kept.tsv ALL=1
}

# Asks the questions of the second deck; what is answered comes from standard input.
ask() {
    "$QUIZ" ask 2
}

@test "every question has an answer that the lab computes, or that a slide gives" {
    run -0 --separate-stderr "$QUIZ" prove
    [ "${#lines[@]}" -ge 60 ]
    grep -qx $'one-off\t5' <<<"$output"
    grep -qx $'stride-32\t32' <<<"$output"
    grep -qx $'today-registers\t3' <<<"$output"
}

@test "an answer that cannot be computed is reported with its question" {
    mkdir -p "$BATS_TEST_TMPDIR/lab/day1"
    cp -r "$TOP/day1/quiz" "$BATS_TEST_TMPDIR/lab/day1/"
    ln -s "$TOP/checker" "$TOP/solutions" "$TOP/slides" "$BATS_TEST_TMPDIR/lab/"
    sed -i 's/^- answer: printed(versions.cu, idle)$/- answer: printed(versions.cu, nothing)/' \
        "$BATS_TEST_TMPDIR/lab/day1/quiz/2-axpy.md"
    run -2 "$BATS_TEST_TMPDIR/lab/day1/quiz/quiz" prove
    [[ $output == *"2-axpy.md: the answer to idle: there is no printed(versions.cu, nothing)"* ]]
}

@test "a wrong answer that counts as right, or has no explanation, is reported" {
    mkdir -p "$BATS_TEST_TMPDIR/lab/day1"
    cp -r "$TOP/day1/quiz" "$BATS_TEST_TMPDIR/lab/day1/"
    ln -s "$TOP/checker" "$TOP/solutions" "$TOP/slides" "$BATS_TEST_TMPDIR/lab/"
    local quiz=$BATS_TEST_TMPDIR/lab/day1/quiz
    sed -i 's/^- wrong: 296: /- wrong: 10240: /' "$quiz/1-gpus-and-cuda.md"
    run -2 "$quiz/quiz" prove
    [[ $output == *"1-gpus-and-cuda.md: launched: 10240 is not a wrong answer"* ]]
    sed -i 's/^- wrong: 10240: .*/- wrong: 296/' "$quiz/1-gpus-and-cuda.md"
    run -2 "$quiz/quiz" prove
    [[ $output == *"1-gpus-and-cuda.md: launched: a wrong answer has no explanation: 296"* ]]
}

@test "there are 100 questions, half of them ask for a reason, and 30 of these are on slides" {
    local all thought
    all=$(cat "$TOP"/day1/quiz/[0-9]*.md | grep -c '^- answer: ')
    thought=$(cat "$TOP"/day1/quiz/[0-9]*.md | grep -c '^- kind: ')
    echo "$thought of $all"
    [ "$all" -ge 100 ]
    [ $((2 * thought)) -ge "$all" ]
    local id shown=0
    while read -r id; do
        shown=$((shown + $(cat "$TOP"/slides/[1-6]-*.md | grep -cx "@quiz $id" || true)))
    done < <(awk '/^## / { id = $2 } /^- kind: / { print id }' "$TOP"/day1/quiz/[0-9]*.md)
    echo "$shown of them are on slides"
    [ "$shown" -ge 30 ]
}

@test "a line without its fault, a choice between equals and an unknown kind are reported" {
    mkdir -p "$BATS_TEST_TMPDIR/lab/day1"
    cp -r "$TOP/day1/quiz" "$BATS_TEST_TMPDIR/lab/day1/"
    ln -s "$TOP/checker" "$TOP/solutions" "$TOP/slides" "$BATS_TEST_TMPDIR/lab/"
    ln -s "$TOP/day1/measured" "$BATS_TEST_TMPDIR/lab/day1/"
    local quiz=$BATS_TEST_TMPDIR/lab/day1/quiz
    rm "$quiz"/[2-6]*.md
    sed -i 's/bring_back, copy-direction/bring_back, race-in-block/' "$quiz/1-gpus-and-cuda.md"
    run -2 "$quiz/quiz" prove
    [[ $output == *"the answer to wrong-direction: there is no fault_line(lines.cu, bring_back, race-in-block)"* ]]
    sed -i 's/^- answer: fault_line.*/- answer: larger(3, 1, 5, 1)/' "$quiz/1-gpus-and-cuda.md"
    run -2 "$quiz/quiz" prove
    [[ $output == *"the answer to wrong-direction is not one of two: 3, 1, 5, 1"* ]]
    sed -i 's/^- kind: line$/- kind: guess/' "$quiz/1-gpus-and-cuda.md"
    run -2 "$quiz/quiz" prove
    [[ $output == *"1-gpus-and-cuda.md: refused: there is no kind guess"* ]]
}

@test "code is shown with numbered lines and places; a line, a place or a name answers" {
    printf '%s\t%s\tright\n' 2026-01-01 rot-intensity 2026-01-01 warps-of-100 2026-01-01 rot-direction 2026-01-01 rot-shared 2026-01-01 stride-2 \
        2026-01-01 stride-32 2026-01-01 stride-33 >"$WARPUP_QUIZ"
    run -0 "$QUIZ" ask 4 <<<$'place 2\nline 10\nline 10\nLine 7\n1\n4\nversion B\nq'
    [[ $output == *"        /* 2 */"*"right: 2"* && $output != *"AT("* && $output != *template* ]]
    [[ $output == *" 7          __syncthreads();"*"10 is not right."*"This barrier is right"*"10 is not right: it is 7"*"right: 7"*"right: B"* ]]
}

@test "common wrong answers are explained: a number, a fraction, a word, and all beyond a limit" {
    run -0 "$QUIZ" ask 1 <<<$'296 threads\n10240\nA\nB\n7\n0\nq'
    [[ $output == *"296 threads is not right."*"You added the two numbers."*"Try once more."*"right: 10240 threads"*"32 times 32 are 1024 threads."* ]]
    [[ $output == *"0 of 3 right."* ]] # a second try explains, and does not count
    run -0 ask <<<$'1,000 GB/s\n\n390\n390\n3\n\n0\n\n232\n\n2/8\n2/8\nq'
    [[ $output == *"You may have thought of the whole GPU"*"390 is not right: it is 391"*"Before it come"*"You rounded down."* ]]
    [[ $output == *"You counted two accesses"*"2/8 is not right: it is 0.167 flop/byte"* ]]
    "$QUIZ" forget
    run -0 ask <<<$'0.01\n\n391\n4\n232\n24\n0.17\nq'
    [[ $output == *"Most loads find their sector in L1."*"right: 0.167"* ]]
    [[ $output != *"whole GPU"* && $output != *"two accesses"* ]]
    run -0 "$QUIZ" ask 5 <<<$'4096\n32\n5\n5\nD\nA\nq'
    [[ $output == *"D is not right."*"the transpose of A."*"A is not right: it is C"* ]]
}

@test "a question that gives away a rung waits until it is reached" {
    mkdir -p "$BATS_TEST_TMPDIR/lab/day1" "$BATS_TEST_TMPDIR/lab/ex02_rot"
    cp -r "$TOP/day1/quiz" "$BATS_TEST_TMPDIR/lab/day1/"
    ln -s "$TOP/checker" "$TOP/solutions" "$TOP/slides" "$BATS_TEST_TMPDIR/lab/"
    QUIZ=$BATS_TEST_TMPDIR/lab/day1/quiz/quiz
    ALL='' run -0 "$QUIZ" ask 4 < <(yes '')
    [[ $output == *": rot-intensity"*"more wait for rungs that you have not reached"* && $output != *": rot-shared"* ]]
    printf 'reached\t2\t5\n' >"$BATS_TEST_TMPDIR/lab/ex02_rot/progress.tsv"
    ALL='' run -0 "$QUIZ" ask 4 < <(yes '')
    [[ $output == *": rot-shared"* ]]
}

@test "right and wrong answers are recognized, explained and remembered" {
    run -0 ask <<<$'0.2 GB/s\n390\n390\n4.0\n\nfoo\n24\nq'
    [[ $output == *"right: 0.203 GB/s"*"390 is not right: it is 391"*"right: 4 blocks"*"The answer is 232 elements"* ]]
    [[ $output == *"That is not a number."*"right: 24 threads"* ]]
    [[ $output == *"the guard costs almost nothing"* ]]
    [[ $output == *"3 of 5 right. You have answered 3 of "* ]]
    run -0 ask <<<q
    [[ $output != *": one-thread"* && $output == *": index"* ]]
    run -0 "$QUIZ" forget
    run -0 ask <<<q
    [[ $output == *": one-thread"* ]]
}

@test "a word may be written in several ways, a number may be close" {
    run -0 "$QUIZ" ask 3 < <(echo x && printf '\n%.0s' {1..12} && echo '"A";')
    [[ $output == *"right: a"* ]]
    run -0 ask <<<$'0.1\n391\n4\n232\n24\n1/6\nq'
    [[ $output == *"right: 0.203 GB/s"*"right: 0.167 flop/byte"* ]]
    "$QUIZ" forget
    run -0 ask <<<$'1e9\n1e9\n391\n4\n232\n24\n1/0\n1/0\nq'
    [[ $output == *"1e9 is not right: it is 0.203 GB/s"*"1/0 is not right: it is 0.167 flop/byte"* ]]
}

@test "the end of the input ends the quiz; an unknown deck is reported" {
    run -0 ask </dev/null
    [[ $output == *"You have answered 0 of "*" questions."* ]]
    run -2 "$QUIZ" ask 9
    [[ $output == *"there is no deck 9"* ]]
}

@test "answers that cannot be kept are reported, and the quiz goes on" {
    touch "$BATS_TEST_TMPDIR/file"
    export WARPUP_QUIZ=$BATS_TEST_TMPDIR/file/kept.tsv
    run -0 "$QUIZ" ask 1 <<<$'10240\nq'
    [[ $output == *"this answer is not remembered"*"1 of 1 right"* ]]
}

# A student who answers every question of the inventory with the same letter.
student() { # FILE BEFORE AFTER
    WARPUP_INVENTORY=$1 "$QUIZ" inventory before < <(yes "$2" | head -n 20) >/dev/null
    WARPUP_INVENTORY=$1 "$QUIZ" inventory after < <(yes "$3" | head -n 20) >/dev/null
}

@test "the inventory has 20 questions with explained wrong answers, says nothing about answers, and draws the gain" {
    local inventory=$TOP/day1/quiz/inventory.md
    [ "$(grep -c '^- answer: "[A-D]"$' "$inventory")" -eq 20 ]
    # every offered letter is right, or says what it assumes
    awk '/^## / { id = $2 } /^- [A-D]: / { offered[id substr($2, 1, 1)] } /^- answer: / { known[id substr($3, 2, 1)] }
        /^- wrong: [A-D]: / { known[id substr($3, 1, 1)] }
        END { for (one in offered) if (!(one in known)) { print one; bad = 1 } exit bad }' "$inventory"
    WARPUP_INVENTORY=$BATS_TEST_TMPDIR/x.tsv run -0 "$QUIZ" inventory before < <(echo Z; yes A | head -n 20)
    [[ $output == *"Answer with one of the letters."*"20 of 20"*"Thank you."* && $output != *"not right"* ]]
    student "$BATS_TEST_TMPDIR/a.tsv" A B
    student "$BATS_TEST_TMPDIR/b.tsv" A C
    run -0 env WARPUP_PLAIN=1 "$QUIZ" gain "$BATS_TEST_TMPDIR"/[ab].tsv
    local answers
    answers=$(awk '/^- answer: / { print substr($3, 2, 1) }' "$inventory")
    echo "$output"
    [[ ${lines[0]} == launch-returns && ${lines[1]} == "  before  "*" %" ]]
    [ "${lines[-1]}" = "$(awk '{ n[$1]++ } END { b = n["A"] / 20; a = (n["B"] + n["C"]) / 40
        printf "2 students, before: %.0f %% right, after: %.0f %% right. The gain is %.0f %% of what was missing.", 100 * b, 100 * a, 100 * (a - b) / (1 - b) }' <<<"$answers")" ]
    run -2 "$QUIZ" gain "$BATS_TEST_TMPDIR/nobody.tsv"
    run -2 "$QUIZ" inventory tomorrow
}
