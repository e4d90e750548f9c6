# prose.awk: prints what people read in a file, one paragraph per line: FILE:LINE, a tab, the text.
#
#   awk [-v strings=1] -f prose.awk FILE...
#
# Markdown: everything but code: `words` in backticks, fenced blocks and indented lines. A list's item and a table's cell
# are paragraphs of their own. Tables of ladders: each cell. Pictures: their texts. C, CUDA and JavaScript: comments and
# strings. All other files: comments that begin with #, and strings of two words or more within one line. With `strings`
# comments do not count. In tests, titles are the only strings that people read.

FNR == 1 {
    finish()
    kind = kind_of(FILENAME)
    in_comment = fenced = 0
}

function kind_of(name) {
    if (name ~ /\.md$/) return "text"
    if (name ~ /\.tsv$/) return "table"
    if (name ~ /\.svg$/) return "picture"
    return name ~ /\.(c|h|cu|cuh|inc|js|mjs)$/ ? "c" : "script"
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

function add_alone(text) {
    finish()
    add(text)
    finish()
}

function add_cells(text, separator,    cells, count, i) {
    count = split(text, cells, separator)
    for (i = 1; i <= count; i++) add_alone(cells[i])
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
    if (/^ *```/ || /^ *$/ || /^    / || /^[#|:]/ || /^ *([-*]|[0-9]+\.) /) finish()
    if (fenced || /^ *```/ || /^    /) return
    line = $0
    gsub(/`[^`]*`/, "CODE", line)
    gsub(/\]\([^)]*\)/, "]", line)
    if (line ~ /^\|/) add_cells(line, "|")
    else add(line)
    if (/^[#:]/) finish()
}

# A string, or a comment that ends in this line or goes on in the next one. Lines of one // comment belong together, and
# so do strings that follow each other. In a comment, an empty line, one that begins with "- " and an indented one end
# a paragraph.
function c_line(    opening, listed) {
    line = $0
    if (line !~ /^ *("|\/\/)/ && !in_comment) finish()
    while (line != "") {
        if (in_comment) {
            in_comment = line !~ /\*\//
            listed = line ~ /^ *\*   / && paragraph !~ /^- /
            if (line ~ /^ *\* *(- .*)?$/ || listed) finish()
            sub(/^ *\*( |$)/, "", line)
            add_comment(take_until("\\*/"))
            if (!in_comment || listed) finish()
            continue
        }
        if (!match(line, /\/\*|\/\/|"|'/)) return
        opening = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        if (opening == "/*") in_comment = 1
        else if (opening == "//") { add_comment(line); return }
        else if (opening == "'") sub(/^(\\.|[^'\\])[^']*'/, "", line)
        else if (match(line, /^(\\.|[^"\\])*/)) {
            add(substr(line, 1, RLENGTH))
            line = substr(line, RLENGTH + 2)
            if (line ~ /^ *[,:?)]/) finish()
        }
    }
}

function add_comment(text) {
    if (!strings) add(text)
}

function script_line(    opening, text, listed) {
    line = $0
    if (line ~ /^ *# ?/) {
        listed = line ~ /^ *#(!|   )/
        if (line ~ /^ *#$/ || listed) finish()
        sub(/^ *#!?/, "", line)
        gsub(/`[^`]*`/, "CODE", line)
        add_comment(line)
        if (listed) finish()
        return
    }
    finish()
    while (match(line, /["']|(^|[ \t])#/)) {
        opening = substr(line, RSTART + RLENGTH - 1, 1)
        line = substr(line, RSTART + RLENGTH)
        text = opening == "#" ? take_until("$") : take_until(opening)
        if (opening == "#") add_comment(text)
        else if (text ~ /[A-Za-z] [A-Za-z]/ && !is_code($0)) add(text)
        finish()
    }
}

# Strings of tests are code, apart from the tests' titles.
function is_code(text) {
    return FILENAME ~ /\.bats$/ && text !~ /^@test /
}

function picture_line() {
    line = $0
    while (match(line, />[^<>]+</)) {
        add_alone(substr(line, RSTART + 1, RLENGTH - 2))
        line = substr(line, RSTART + RLENGTH - 1)
    }
}

kind == "text" { markdown() }
kind == "table" { add_cells($0, "\t") }
kind == "c" { c_line() }
kind == "script" { script_line() }
kind == "picture" { picture_line() }
END { finish() }
