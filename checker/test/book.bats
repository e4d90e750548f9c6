#!/usr/bin/env bats
# book.bats: the book of the lectures: it builds, and a slide without prose does not. slides/test/book.mjs looks at all
# pages; here it looks at three of them.
bats_require_minimum_version 1.5.0

setup() {
    load helper
    SLIDES=$TOP/slides
    command -v pandoc node npm >/dev/null || skip "the book needs what checker/bin/setup --slides installs"
}

# Puts the book together from a copy of the sources, in which a sed script changed the prose of the first chapter.
assemble_with() { # SED-SCRIPT
    mkdir -p "$BATS_TEST_TMPDIR/lab/slides"
    ln -sfn "$TOP"/{checker,day1,solutions,ex0*} "$BATS_TEST_TMPDIR/lab/"
    ln -sfn "$SLIDES/node_modules" "$BATS_TEST_TMPDIR/lab/slides/"
    cp -r "$SLIDES"/{book,lib,examples,facts,pictures,drawings,figures,look.css,package.json,[0-9]-*.md} "$BATS_TEST_TMPDIR/lab/slides/"
    sed -i "$1" "$BATS_TEST_TMPDIR/lab/slides/book/1-gpus-and-cuda.md"
    node "$BATS_TEST_TMPDIR/lab/slides/lib/book.mjs"
}

@test "the book builds; its links lead somewhere, it has each question once, its pages fit three sizes" {
    run -0 "$SLIDES/bind" --html
    [ "${lines[-1]}" = "slides/build/book/index.html" ]
    run -0 node "$SLIDES/test/book.mjs" 4-rot terms cheat-sheet
    [ "$output" = "3 pages seen, 0 faults" ]
}

@test "a slide without prose and prose without a slide stop the book with one line" {
    run -1 assemble_with 's/^## The offload model$/## The offloaded model/'
    [ "$output" = 'book/1-gpus-and-cuda.md: the slide "The offload model" has no prose' ]
    run -1 assemble_with 's/^## What CUDA is$/## One slide more\n\n&/'
    [ "$output" = 'book/1-gpus-and-cuda.md: there is no slide "One slide more"' ]
}
