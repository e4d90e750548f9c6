# sentences.awk: prints the sentences of prose.awk's paragraphs that have too many words: the place, a tab, the number of
# words, a tab, the sentence.
#
#   awk -f prose.awk FILE... | awk -v most=25 -f sentences.awk
#
# A colon or a semicolon ends a sentence too. Words in parentheses and code do not count. A list of more than five names
# in code is not a sentence.

BEGIN { FS = "\t" }

function words(text,    list, count, i, sum) {
    gsub(/\([^()]*\)/, "", text)
    gsub(/\[[^][]*\]/, "CODE", text)
    count = split(text, list, /[ \t]+/)
    for (i = 1; i <= count; i++) sum += list[i] ~ /[A-Za-z0-9%]/ && list[i] !~ /CODE/
    return sum
}

gsub(/CODE/, "CODE", $2) > 5 { next }

{
    count = split($2, sentences, /([.?!:;]["”)*]*|…)( |$)/)
    for (i = 1; i <= count; i++)
        if (words(sentences[i]) > most) print $1 "\t" words(sentences[i]) "\t" sentences[i]
}
