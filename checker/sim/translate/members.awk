# members.awk: which accesses of the device image are to a member of a vector (float2, float4 …). A struct of the
# program's own counts as a vector if it is aligned to more than the member's size. nvcc makes one access of those to
# several members of one vector, and access.c does the same. Three files, `part` 0 to 2:
#
#   g++'s list of classes, for their alignments (classes.awk)
#
#   g++'s dump of the calls of ThreadSanitizer (-fdump-tree-tsan-lineno-uid-asmname), where a number tells
#   whose member it is:
#       ;; Function copy (_Z4copyPK6float4PS_, funcdef_no=1, …)
#         _7 = &[copy.cu:5:23] _4->xD.22518;
#         [copy.cu:5:23] __tsan_read4D.2217 (_7);
#   and what a pointer points to:
#         struct pointD.26221 * _4;
#         _7 = &[copy.cu:5:23] MEM[(const struct pointD.26221 &)_4].xD.22518;
#   the assembly that g++ made of it, which comes out with such calls renamed:
#           .loc 1 5 23
#           call    *warpup_read4_of16@GOTPCREL(%rip)       on aarch64: bl warpup_read4_of16
#
# and, where it is known which member that is, with its name: warpup_read4_of16_x.
# The numbers of the vectors' members are those in members.h's functions warpup_members_BYTES.
# Where one place is both, as in a template, its accesses are left as they are.

part == 1 && /^;; Function / {
    match($0, /\([^ (]*, funcdef_no=/)
    symbol = substr($0, RSTART + 1, RLENGTH - 14)
    bytes = $3 ~ /^warpup_members_/ ? substr($3, 16) : 0
    split("", address) # the next function's names begin again
    split("", class_at)
}

part == 1 && /^ .*(struct|class) [^ ]+ [*&] [^ ]+;$/ { take_pointers(substr($0, 1, length($0) - 1)) }
part == 1 && /^[^ ;_{}].*\)$/ { take_pointers($0) }

part == 1 && / = &|__tsan_(read|write)[1248]D/ {
    place = match($0, /\[[^][]+:[0-9]+:[0-9]+/) ? substr($0, RSTART + 1, RLENGTH - 1) : ""
    gsub(/\[[^][]+:[0-9]+:[0-9]+( discrim [0-9]+)?\] /, "")
    if ($2 == "=") address[$1] = substr($0, index($0, "= &") + 3)
    else if (bytes > 0) { if (member = member_told()) note_vector(member) }
    else note_access(symbol " " place " " substr($1, 8, index($1, "D.") - 8), member_told())
}

part == 1 { next }

$1 == ".type" { symbol = substr($2, 1, length($2) - 1) }
$1 == ".file" { file[$2] = substr($3, 2, length($3) - 2) }
$1 == ".loc" { place = file[$2] ":" $3 ":" $4 }

($1 == "call" || $1 == "bl") && match($2, /__tsan_(read|write)[1248](@|$)/) {
    access = substr($2, RSTART + 7)
    sub(/@.*/, "", access)
    bytes = bytes_at(symbol " " place " " access)
    if (bytes > substr(access, length(access)) + 0)
        sub(/__tsan_[a-z]*[1248]/, "warpup_" access "_of" bytes name_at(symbol " " place " " access))
}

{ print }

# `struct pointD.26221 * _4`, or the parameters of a function's head
function take_pointers(text,    list, count, i, name) {
    count = split(text, list, /, |\(/)
    for (i = 1; i <= count; i++) {
        if (!match(list[i], /(struct|class) [^ ]+D\.[0-9]+ [*&]( restrict)? [^ *&]+$/)) continue
        name = substr(list[i], RSTART, RLENGTH)
        sub(/^(struct|class) /, "", name)
        sub(/\)$/, "", name)
        class_at[last_word(name)] = substr(name, 1, index(name, "D.") - 1)
    }
}

# The variable at the end of a declaration, without its number: `_4`, `r`
function last_word(text) {
    sub(/^.* /, "", text)
    sub(/D\.[0-9]+$/, "", text)
    return text
}

# The number of the member whose address the call gets; 0: none
function member_told(    argument, member) {
    argument = substr($0, index($0, "(") + 1)
    sub(/\);$/, "", argument)
    if (argument in address) argument = address[argument]
    sub(/(\.__xD\.[0-9]+)?;?$/, "", argument) # of the half that is a half2's member: its bits
    if (!match(argument, /[.>][A-Za-z_0-9]+D\.[0-9]+$/)) return 0
    told_name = substr(argument, RSTART + 1)
    sub(/D\.[0-9]+$/, "", told_name)
    member = argument
    sub(/^.*D\./, "", member)
    note_struct(member + 0, argument)
    return member + 0
}

function note_vector(member) {
    bytes_of[member] = bytes
    name_of[member] = "_" told_name
}

# A member of a struct: the piece is the struct's alignment, 16 bytes at most.
function note_struct(member, argument,    class, align) {
    class = argument
    if (match(class, /^MEM( <[^>]*>)? ?\[\((const |volatile )*(struct|class) [^ ]+D\.[0-9]+ [*&]\)/)) {
        class = substr(class, RSTART, RLENGTH)
        sub(/^.*(struct|class) /, "", class)
        sub(/D\..*$/, "", class)
    } else {
        sub(/(->|\.).*$/, "", class)
        gsub(/[&()*]/, "", class)
        if (class !~ /^_/) sub(/_[0-9]+(\(D\))?$/, "", class)
        class = class_at[class]
    }
    sub(/^[0-9]+/, "", class) # g++ writes 5point for a struct that only a typedef names
    if (class in class_named) class = class_named[class]
    align = align_of_class[class]
    if (align < 2 || member in bytes_of) return
    bytes_of[member] = align > 16 ? 16 : align
}

function note_access(access, member) {
    told[access] = told[access] " " member
}

# The size of the vectors whose members are accessed there; 0 when something else is, too
function bytes_at(access,    members, count, i) {
    count = split(told[access], members, " ")
    for (i = 1; i <= count; i++)
        if (bytes_of[members[i]] != bytes_of[members[1]]) return 0
    return count == 0 ? 0 : bytes_of[members[1]] + 0
}

# "_x" where only a vector's members x are accessed there, …; "" where several are, as in a macro, or a struct's
function name_at(access,    members, count, i) {
    count = split(told[access], members, " ")
    for (i = 1; i <= count; i++)
        if (name_of[members[i]] != name_of[members[1]]) return ""
    return name_of[members[1]]
}
