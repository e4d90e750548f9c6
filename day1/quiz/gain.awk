# gain.awk: what students knew before and after, from the answers of each. The first file has a line per question: its id,
# the right letter, and its wrong answers, each after the character 1e: "A: what it assumes". Each other file is a
# student's: before or after, id, letter.

BEGIN { ROOM = 20 } # columns of a bar

FNR == NR { ids[++count] = $1; right[$1] = $2; wrongs[$1] = $3; next }

FNR == 1 { students++ }

$2 in right { letter[students, $1, $2] = $3 }

# The share of right answers at one stage, of those who have answered then.
function share(stage, id,    s, all, good) {
    for (s = 1; s <= students; s++)
        if ((s, stage, id) in letter) { all++; good += letter[s, stage, id] == right[id] }
    return all ? good / all : -1
}

# The commonest wrong letter after, or before where nobody has answered after.
function commonest(id,    s, stage, seen, best, one, stages) {
    split("after before", stages, " ")
    for (one = 1; one <= 2 && best == ""; one++) {
        stage = stages[one]
        for (s = 1; s <= students; s++) {
            if (!((s, stage, id) in letter)) continue
            if (letter[s, stage, id] == right[id] || letter[s, stage, id] == "-") continue
            if (++seen[letter[s, stage, id]] > seen[best]) best = letter[s, stage, id]
        }
        if (share(stage, id) >= 0) break
    }
    return best
}

# What a wrong letter assumes.
function assumes(id, which,    part, parts, i) {
    parts = split(wrongs[id], part, "\036")
    for (i = 1; i <= parts; i++)
        if (substr(part[i], 1, 3) == which ": ") return substr(part[i], 4)
    return ""
}

function drawn(value,    i, text) {
    for (i = 0; i < ROOM; i++) text = text (i < int(ROOM * value + 0.5) ? bar : " ")
    return text
}

function line(word, value) {
    if (value >= 0) printf "  %-7s %s %3.0f %%\n", word, drawn(value), 100 * value
}

END {
    for (i = 1; i <= count; i++) {
        id = ids[i]
        was = share("before", id)
        is = share("after", id)
        print id
        line("before", was)
        line("after", is)
        which = commonest(id)
        if (which != "") print "  " which ": " assumes(id, which)
        if (was >= 0) { before += was; befores++ }
        if (is >= 0) { after += is; afters++ }
    }
    printf "\n%d student%s", students, students == 1 ? "" : "s"
    if (befores) printf ", before: %.0f %% right", 100 * before / befores
    if (afters) printf ", after: %.0f %% right", 100 * after / afters
    if (befores && afters && before < befores) {
        lost = 1 - before / befores
        printf ". The gain is %.0f %% of what was missing", 100 * (after / afters - before / befores) / lost
    }
    print "."
}
