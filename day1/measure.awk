# measure.awk: draws what a demo has printed, with a bar per row, beside what the GPU's profile says. The bars' scale is
# logarithmic: each mark is a factor of 10. Reads the profile, machine.tsv, and then the demo's output.
#
#   awk -F '\t' -v demo=latency -v bar=█ -f measure.awk PROFILE machine.tsv OUTPUT

BEGIN { WIDTH = 28 } # columns of the longest bar

FILENAME == ARGV[1] { if ($1 !~ /^#/) figure[$1] = $2; next }

FILENAME == ARGV[2] {
    if ($1 == demo) { row[++rows] = $2; column[rows] = $3; unit[rows] = $4; name[rows] = $5; formula[rows] = $6 }
    next
}

FNR == 1 { print; next }

{
    line = $0
    sub(/^ +/, "", line)
    fields = split(line, field, /  +/)
    for (i = 1; i <= rows; i++)
        if (field[1] == row[i]) value[i] = field[column[i]]
}

# A formula of the profile's figures: products and quotients, a sum of two of them, the smaller one of two.
function computed(text,    part) {
    if (text ~ /^min\(/) {
        split(substr(text, 5, length(text) - 5), part, ", ")
        return smaller(computed(part[1]), computed(part[2]))
    }
    if (split(text, part, / \+ /) == 2) return computed(part[1]) + computed(part[2])
    return product(text)
}

function smaller(a, b) { return a < b ? a : b }

function product(text,    word, words, i, result) {
    words = split(text, word, " ")
    result = number(word[1])
    for (i = 2; i < words; i += 2)
        result = word[i] == "*" ? result * number(word[i + 1]) : result / number(word[i + 1])
    return result
}

function number(word) { return word in figure ? figure[word] : word }

function shown(value) { return sprintf(value < 100 ? "%.3g" : "%.0f", value) }

END {
    for (i = 1; i <= rows; i++) {
        if (!(i in value)) { printf "%s printed no row \"%s\"\n", demo, row[i] > "/dev/stderr"; exit 1 }
        if (low == "" || value[i] + 0 < low) low = value[i] + 0
        if (value[i] + 0 > high) high = value[i] + 0
    }
    for (i = 1; i <= rows; i++) {
        length_ = 1 + int((WIDTH - 1) * (high > low ? log(value[i] / low) / log(high / low) : 1) + 0.5)
        bars = ""
        for (k = 0; k < length_; k++) bars = bars bar
        for (; k < WIDTH; k++) bars = bars " "
        says = ""
        if (formula[i] != "-") {
            profile = computed(formula[i])
            says = sprintf("  profile %s, %+.0f %%", shown(profile), 100 * (value[i] / profile - 1))
        }
        printf "  %-30s %s %7s %-4s%s\n", name[i], bars, shown(value[i]), unit[i], says
    }
}
