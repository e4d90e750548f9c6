# prose.awk: prints what people read in a file, one paragraph per line: FILE:LINE, a tab, the text.
#
#   awk -f prose.awk FILE...
#
# Markdown: everything but code: `words` in backticks, fenced blocks and indented lines. Tables of ladders: everything.
# C and CUDA: comments and strings. All other files: comments that begin with #, and strings of two words or more within
# one line.

FNR == 1 {
    finish()
    kind = FILENAME ~ /\.md$/ ? "text" : FILENAME ~ /\.tsv$/ ? "table" : FILENAME ~ /\.(c|h|cu|cuh|inc|js|mjs)$/ ? "c" : "script"
    in_comment = fenced = 0
}

function finish() {
    if (paragraph != "") print begin "\t" paragraph
    paragraph = ""
}

function add(text) {
    gsub(/[ \t]+/, " ", text)
    sub(/^ /, "", text)
    sub(/ $/, "", text)
    if (text == "") return
    if (paragraph == "") begin = FILENAME ":" FNR
    paragraph = paragraph (paragraph == "" ? "" : " ") text
}

# The part of a line up to the first match of a pattern; the rest stays in `line`.
function take_until(pattern,    text) {
    if (!match(line, pattern)) {
        text = line
        line = ""
    } else {
        text = substr(line, 1, RSTART - 1)
        line = substr(line, RSTART + RLENGTH)
    }
    return text
}

function markdown() {
    if (/^ *```/) fenced = !fenced
    if (/^ *```/ || /^ *$/ || /^    / || /^[#|]/) finish()
    if (fenced || /^ *```/ || /^    /) return
    line = $0
    gsub(/`[^`]*`/, "CODE", line)
    gsub(/\]\([^)]*\)/, "]", line)
    add(line)
}

# A string, or a comment that ends in this line or goes on in the next one. Lines of one // comment belong together, and
# so do strings that follow each other.
function c_line(    opening) {
    line = $0
    if (line !~ /^ *("|\/\/)/ && !in_comment) finish()
    while (line != "") {
        if (in_comment) {
            in_comment = line !~ /\*\//
            sub(/^ *\* /, "", line)
            add(take_until("\\*/"))
            if (!in_comment) finish()
            continue
        }
        if (!match(line, /\/\*|\/\/|"|'/)) return
        opening = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        if (opening == "/*") in_comment = 1
        else if (opening == "//") { add(line); return }
        else if (opening == "'") sub(/^(\\.|[^'\\])[^']*'/, "", line)
        else if (match(line, /^(\\.|[^"\\])*/)) {
            add(substr(line, 1, RLENGTH))
            line = substr(line, RLENGTH + 2)
        }
    }
}

function script_line(    opening, text) {
    line = $0
    if (line ~ /^ *# ?/) {
        if (line ~ /^ *#$/) finish()
        sub(/^ *#!?/, "", line)
        gsub(/`[^`]*`/, "CODE", line)
        add(line)
        return
    }
    finish()
    while (match(line, /["']|(^|[ \t])#/)) {
        opening = substr(line, RSTART + RLENGTH - 1, 1)
        line = substr(line, RSTART + RLENGTH)
        text = opening == "#" ? take_until("$") : take_until(opening)
        if (opening == "#" || text ~ /[A-Za-z] [A-Za-z]/) add(text)
        finish()
    }
}

kind == "text" { markdown() }
kind == "table" { finish(); add($0) }
kind == "c" { c_line() }
kind == "script" { script_line() }
END { finish() }
