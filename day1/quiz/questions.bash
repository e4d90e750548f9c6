# questions.bash: reads the quiz's questions, and computes their answers. `quiz` sources it; it needs
# lab.bash. A question is a section of N-DECK.md. The heading is its id, and its text comes before
# `- answer:`, `- kind:`, `- unit:`, `- within:`, `- rounded:`, `- cite:`, `- after:`, `- wrong:` and `- why:`. The README
# explains them.

QUIZ=$(cd -P -- "${BASH_SOURCE[0]%/*}" && pwd)
readonly QUIZ

declare -a IDS=()
# shellcheck disable=SC2034 # `quiz` uses some of them
declare -A DECK=() TEXT=() ANSWER=() KIND=() UNIT=() WITHIN=() ROUNDED=() CITE=() AFTER=() WRONG=() WHY=()
readonly ENTRY=$'\x1e' # begins each wrong answer in WRONG

# Reads the questions of all decks, or of those whose name begins with DECK.
read_questions() { # [DECK]
    local file
    for file in "$QUIZ/"[0-9]*.md; do
        file=${file##*/}
        [[ $file == "${1:-}"* ]] && read_deck "${file%.md}"
    done
    ((${#IDS[@]} > 0)) || usage "quiz: there is no deck $1; decks: $(decks)"
}

decks() {
    local files=("$QUIZ/"[0-9]*.md)
    files=("${files[@]##*/}")
    printf '%s' "${files[*]%.md}"
}

read_deck() { # DECK
    local line id='' field=TEXT number=0
    while IFS= read -r line; do
        number=$((number + 1))
        case $line in
        '# '*) ;;
        '## '*)
            id=${line#'## '} field=TEXT
            [[ -z ${DECK[$id]:-} ]] || cannot "$1.md:$number: the question $id appears twice"
            IDS+=("$id") DECK[$id]=$1
            ;;
        '- '[a-z]*': '*)
            field=${line#'- '} && field=${field%%:*} && field=${field^^}
            [[ " ANSWER KIND UNIT WITHIN ROUNDED CITE AFTER WRONG WHY " == *" $field "* ]] ||
                cannot "$1.md:$number: a question has no ${field,,}"
            line=${line#*: }
            [[ $field != WRONG ]] || line=$ENTRY$line
            add "$field" "$id" "$line"
            ;;
        *) [[ -z $id ]] || add "$field" "$id" "${line#  }" ;;
        esac
    done <"$QUIZ/$1.md"
}

# Adds a line to a field of a question. An empty line ends every field except the text.
add() { # FIELD ID LINE
    local -n fields=$1
    local before=${fields[$2]:-}
    [[ -n $3 || ($1 == TEXT && -n $before) ]] || return 0
    fields[$2]=$before${before:+$'\n'}$3
}

# Sets SAID to a question's text, with the code in place of its @code lines.
text_of() { # ID
    local line
    SAID=''
    while IFS= read -r line; do
        if [[ $line =~ ^@code\ ([^ ]+)\ ([^ ]+)(\ numbered)?$ ]]; then
            SAID+=$(code "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" "${BASH_REMATCH[3]# }")$'\n'
        else
            SAID+=$line$'\n'
        fi
    done <<<"${TEXT[$1]}"
    while [[ $SAID == *$'\n' ]]; do SAID=${SAID%$'\n'}; done
}

# Prints a function of one of the quiz's programs as a block of code. A place for a barrier, AT(2), is shown as a
# remark.
code() { # PROGRAM FUNCTION [numbered]
    # shellcheck disable=SC2016 # Markdown's marks
    sed -nE "$(first_line "$1" "$2"),/^\}/ { s,AT\(([0-9])\);,/* \1 */,; s/^template <int PLACE> //; p }" "$QUIZ/$1" |
        awk -v numbered="${3:-}" '
            BEGIN { print "```cuda" }
            { print numbered ? sprintf("%2d  %s", NR, $0) : $0 }
            END { print "```" }'
}

# The line in which a function of a program begins.
first_line() { # PROGRAM FUNCTION
    local line
    line=$(grep -nE "^[a-z_].* $2\(" "$QUIZ/$1") || cannot "$1 has no function $2"
    printf '%s' "${line%%:*}"
}

# Sets FOUND to the answer to a question: a number, or the right words, separated by |.
answer_of() { # ID
    local expression=${ANSWER[$1]//$'\n'/ } call
    case $expression in
    '"'*)
        FOUND=${expression//\"/}
        return
        ;;
    'said('*')')
        call=${expression#said(}
        fetch "$1" said "${call%)}"
        return
        ;;
    esac
    while [[ $expression =~ (printed|counted|counter|rate|figure|fact|demo|fault_line|right_place)\(([^()]*)\) ]]; do
        call=${BASH_REMATCH[0]}
        fetch "$1" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
        expression=${expression/"$call"/$FOUND}
    done
    if [[ $expression =~ ^(larger|smaller)\((.*)\)$ ]]; then
        choose "$1" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
        return
    fi
    if [[ $expression =~ ^band\((.*)\)$ ]]; then
        band "$1" "${BASH_REMATCH[1]}"
        return
    fi
    [[ ${expression//log/} =~ ^[-0-9.e+*/()\ ]+$ ]] ||
        cannot "${DECK[$1]}.md: the answer to $1 is not a formula: $expression"
    FOUND=$(awk -v down="${ROUNDED[$1]:-}" "BEGIN {
        value = $expression
        print (down == \"down\" || value == int(value)) ? sprintf(\"%d\", value) : sprintf(\"%.3g\", value)
    }")
}

# Sets FOUND to the name whose number is the larger or the smaller one: "A, 6.49, B, 14.4". They must differ.
choose() { # ID larger|smaller PAIRS
    FOUND=$(awk -v which="$2" -v pairs="$3" 'BEGIN {
        n = split(pairs, part, ", *")
        if (n != 4 || part[2] + 0 == part[4] + 0) exit
        print ((part[2] + 0 > part[4] + 0) == (which == "larger")) ? part[1] : part[3]
    }')
    [[ -n $FOUND ]] || cannot "${DECK[$1]}.md: the answer to $1 is not one of two: $3"
}

# Sets FOUND to the name of the band that holds a number: "0.65, A, 1.1, B, 0.9, C" is A from 1.1 on, B from 0.9 on, and
# otherwise C.
band() { # ID NUMBER-AND-BANDS
    FOUND=$(awk -v bands="$2" 'BEGIN {
        n = split(bands, part, ", *")
        if (n % 2 || n < 4 || part[1] !~ /^[-0-9.e+*\/() ]+$/) exit
        split(part[1], factor, " */ *")
        value = factor[1] / (factor[2] ? factor[2] : 1)
        for (i = 3; i < n && value < part[i]; i += 2) {}
        print part[i - 1]
    }')
    [[ -n $FOUND ]] || cannot "${DECK[$1]}.md: the answer to $1 is not a number and its bands: $2"
}

# Sets FOUND to one of the lab's numbers. The functions have the same names as in the answers.
fetch() { # ID FUNCTION ARGUMENTS
    local arguments
    IFS=',' read -ra arguments <<<"${3//, /,}"
    "$2" "${arguments[@]}"
    [[ $FOUND =~ ^[0-9.e+-]+$ || ($2 == said && -n $FOUND) ]] || cannot "${DECK[$1]}.md: the answer to $1: there is no $2($3)"
}

# The number that a program of the quiz prints under a name, on the simulated GPU.
printed() { # PROGRAM NAME
    run_program "$1"
    FOUND=$(awk -v name="$2" '$1 == name { print $2 }' "$BUILD/quiz/$1/stdout")
}

# The same for a word, such as the name of an error.
said() { # PROGRAM NAME
    printed "$1" "$2"
}

# The line of a function in which the simulated GPU first reports this fault; the function's first line is 1.
fault_line() { # PROGRAM FUNCTION FAULT
    local first
    run_program "$1" source
    first=$(first_line "$1" "$2")
    FOUND=$(jq -rn --argjson first "$first" --argjson last "$(last_line "$1" "$first")" --arg fault "$3" \
        'first(inputs | select(.event == "fault" and .name == $fault and .line >= $first and .line <= $last)
            | .line - $first + 1)' "$BUILD/quiz/$1/trace.jsonl")
}

# The line in which a function ends that begins in this one.
last_line() { # PROGRAM FIRST
    awk -v first="$2" 'NR > first && /^}/ { print NR; exit }' "$QUIZ/$1"
}

# The only place for a barrier, AT(n), with which the simulated GPU reports no fault in a kernel.
right_place() { # PROGRAM KERNEL
    run_program "$1" source
    FOUND=$(jq -rs --arg kernel "$2<" '
        ([.[] | select(.event == "fault") | .kernel_name]) as $faulty
        | [.[] | select(.event == "launch") | .kernel | select(startswith($kernel)) | select(IN($faulty[]) | not)]
        | if length == 1 then .[0] | ltrimstr($kernel) | rtrimstr(">") else "" end' "$BUILD/quiz/$1/trace.jsonl")
}

# Sectors or wavefronts of one access of a warp, in the line of a program that ends with /* REMARK */.
counted() { # PROGRAM REMARK sectors|wavefronts
    local line
    run_program "$1"
    line=$(grep -nF "/* $2 */" "$QUIZ/$1") || line=0
    FOUND=$(jq -r --argjson line "${line%%:*}" --arg what "$3" \
        'select(.event == "access" and .line == $line) | .[$what] / .requests' "$BUILD/quiz/$1/trace.jsonl")
}

# Runs a program of the quiz on the simulated GPU, and keeps its output and its trace. When two processes do this at the
# same time, as for the decks, one waits for the other. Faults are looked for in code near the source, as in a check.
run_program() { # PROGRAM [source]
    local kept=$BUILD/quiz/$1 lock
    mkdir -p "$kept" || cannot "$kept cannot be written"
    exec {lock}>"$kept/lock" || cannot "$kept cannot be written"
    flock "$lock"
    if ! [[ $kept/trace.jsonl -nt $QUIZ/$1 && $kept/trace.jsonl -nt $BUILD/gpu ]]; then
        need_programs
        need_tools
        find_profile
        "$BUILD/cc" "$QUIZ/$1" "$kept" >&2 || cannot "$1 does not compile"
        "$BUILD/run" --dir "$kept" --seconds 30 -- \
            env WARPUP_TRACE="$kept" WARPUP_CODE="${2:-optimised}" "$kept/program" ||
            cannot "$1 does not run on the simulated GPU"
    fi
    exec {lock}>&-
}

# A count in solutions/measured/counters-simulated.tsv. An H200 counts the same.
counter() { # EXERCISE STAGE SIZE COLUMN
    FOUND=$(awk -F '\t' -v exercise="$1" -v stage="$2" -v size="$3" -v column="$4" '
        $1 == "exercise" { for (i = 1; i <= NF; i++) if ($i == column) wanted = i }
        $1 == exercise && $2 == stage && $3 == size { print $wanted }' \
        "$TOP/solutions/measured/counters-simulated.tsv")
}

# The rate of a stage on an H200. Without a size it is that of the decks: the one with the most stages, the last of
# several.
rate() { # EXERCISE STAGE [SIZE]
    FOUND=$(awk -F '\t' -v exercise="$1" -v stage="$2" -v asked="${3:-}" '
        $1 == exercise && $2 ~ /^[0-9]+$/ {
            if (++stages[$4] >= most) { most = stages[$4]; size = $4 }
            if ($2 == stage) rate[$4] = $5
        }
        END { print rate[asked == "" ? size : asked] }' "$TOP/solutions/measured/nvidia-h200.tsv")
}

# A number that a demo printed on an H200, or on an H100 if no H200 has run it: in the row that begins with these words or
# this number. Columns count from 1, with two blanks or more between them.
demo() { # NAME ROW COLUMN
    local tables=("$QUIZ"/../measured/nvidia-{h200,h100-80gb-hbm3}/"$1.txt")
    [[ -f ${tables[0]} ]] || tables=("${tables[1]}")
    FOUND=$(sed 's/^ *//' "${tables[0]}" |
        awk -F '  +' -v row="$2" -v column="$3" '
            index($1, row) == 1 && substr($1, length(row) + 1, 1) !~ /[0-9a-z]/ { print $column; exit }')
}

# A number that others have published, or that was measured once: slides/facts/FILE.tsv, by its row and its column.
fact() { # FILE ROW COLUMN
    FOUND=$(awk -F '\t' -v row="$2" -v name="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i }
        $1 == row { print $column }' "$TOP/slides/facts/$1.tsv")
}

# A number from a GPU's profile.
figure() { # PROFILE FIGURE
    FOUND=$(profile_figure "$2" "$CHECKER/gpu/profiles/$1.tsv")
}
