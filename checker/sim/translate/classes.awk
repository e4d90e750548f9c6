# classes.awk: reads g++'s list of classes (-fdump-lang-class), `part` 0 of those that include it:
#       Class point
#          size=8 align=4
# A class template has one entry for each of its types; of several entries with one name, the least alignment counts.
# The names that the program gives to its types elsewhere come first, from typedefs.awk.

part == 0 && $1 == "Alias" { class_named[$2] = $3 }
part == 0 && $1 == "Align" { align_of_class[$2] = $3 + 0 }
part == 0 && /^Class / {
    class = substr($0, 7)
    gsub(/<[^<>]*(<[^<>]*(<.*>)?[^<>]*>)?[^<>]*>/, "", class)
    sub(/^.*::/, "", class)
}
part == 0 && /^   size=/ {
    split($1, size, "=")
    split($2, align, "=")
    note_least(align_of_class, class, align[2])
    note_least(align_of, class " " size[2], align[2])
    note_least(align_of_size, size[2], align[2])
}
part == 0 { next }

# Of several values the least counts.
function note_least(list, key, value) {
    if (!(key in list) || value + 0 < list[key]) list[key] = value + 0
}
