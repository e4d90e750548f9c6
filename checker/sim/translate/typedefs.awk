# typedefs.awk: other names of a program's types, for classes.awk, because g++'s list of classes does not have them.
# Reads a program's source, and prints
#       Alias point pair                 using point = pair<float>;   typedef pair<float> point;
#       Align point 8                    typedef struct __align__(8) { float x, y; } point;

{ text = text $0 "\n" }

END {
    while (match(text, /(^|[^A-Za-z_0-9])(typedef[ \t\n]|using[ \t]+[A-Za-z_0-9]+[ \t]*=)[^;{]*(;|\{[^{}]*\}[^;{}]*;)/)) {
        statement = substr(text, RSTART, RLENGTH - 1)
        text = substr(text, RSTART + RLENGTH)
        sub(/^[^A-Za-z_0-9]/, "", statement)
        if (statement ~ /\{/) note_struct()
        else note_alias()
    }
}

function note_struct(    name, align) {
    name = align = statement
    sub(/\{.*\}/, " ", align)
    if (!match(align, /(alignas|align__|aligned(__)?)[ \t]*\([ \t]*[0-9]+/)) return
    align = substr(align, RSTART, RLENGTH)
    sub(/^.*[^0-9]/, "", align)
    print "Align", last_word(name), align
}

function note_alias(    name, class) {
    name = class = statement
    if (statement ~ /^using/) {
        sub(/^using[ \t]+/, "", name)
        sub(/[^A-Za-z_0-9].*$/, "", name)
        sub(/^[^=]*=/, "", class)
    } else {
        name = last_word(name)
        sub(/^typedef/, "", class)
        sub(/[A-Za-z_0-9]+[ \t\n]*$/, "", class)
    }
    sub(/<.*$/, "", class)
    gsub(/(^|[ \t\n])(struct|class|const|typename)[ \t\n]/, " ", class)
    gsub(/^.*::|[ \t\n]/, "", class)
    if (class ~ /^[A-Za-z_0-9]+$/) print "Alias", name, class
}

function last_word(words) {
    sub(/[ \t\n]+$/, "", words)
    sub(/^.*[^A-Za-z_0-9]/, "", words)
    return words
}
