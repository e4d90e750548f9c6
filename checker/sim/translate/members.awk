# members.awk: which accesses of the device image are to a member of a vector (float2, float4 …).
# nvcc makes one access of those to several members of one vector, and access.c does the same; a
# struct of the student's own, whose members have the same names, is another thing. Two files, `part` 1 and 2:
#
#   g++'s dump of the calls of ThreadSanitizer (-fdump-tree-tsan-lineno-uid-asmname), where a number tells
#   whose member it is:
#       ;; Function copy (_Z4copyPK6float4PS_, funcdef_no=1, …)
#         _7 = &[copy.cu:5:23] _4->xD.22518;
#         [copy.cu:5:23] __tsan_read4D.2217 (_7);
#   the assembly that g++ made of it, which comes out with such calls renamed:
#           .loc 1 5 23
#           call    *warpup_read4_of16@GOTPCREL(%rip)       on aarch64: bl warpup_read4_of16
#
# and, where it is known which member that is, with its name: warpup_read4_of16_x.
# The numbers of the vectors' members are those in runtime.h's functions warpup_members_BYTES.
# Where one place is both, as in a template, its accesses are left as they are.

part == 1 && /^;; Function / {
    match($0, /\([^ (]*, funcdef_no=/)
    symbol = substr($0, RSTART + 1, RLENGTH - 14)
    bytes = $3 ~ /^warpup_members_/ ? substr($3, 16) : 0
    split("", address) # the next function's names begin again
}

part == 1 && / = &|__tsan_(read|write)[1248]D/ {
    place = match($0, /\[[^][]+:[0-9]+:[0-9]+/) ? substr($0, RSTART + 1, RLENGTH - 1) : ""
    gsub(/\[[^][]+:[0-9]+:[0-9]+( discrim [0-9]+)?\] /, "")
    if ($2 == "=") address[$1] = $3
    else if (bytes > 0) { if (member = member_told()) bytes_of[member] = bytes }
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
    if (bytes > 0)
        sub(/__tsan_[a-z]*[1248]/, "warpup_" access "_of" bytes name_at(symbol " " place " " access))
}

{ print }

# The number of the member x, y, z or w whose address the call gets; 0: none
function member_told(    argument) {
    argument = substr($2, 2, length($2) - 3)
    if (argument in address) argument = address[argument]
    sub(/(\.__xD\.[0-9]+)?;$/, "", argument) # of the half that is a half2's member: its bits
    if (!match(argument, /[.>][xyzw]D\.[0-9]+$/)) return 0
    name_of[substr(argument, RSTART + 4) + 0] = substr(argument, RSTART + 1, 1)
    return substr(argument, RSTART + 4) + 0
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

# "_x" where only members x are accessed there, …; "" where several are, as in a macro
function name_at(access,    members, count, i) {
    count = split(told[access], members, " ")
    for (i = 1; i <= count; i++)
        if (name_of[members[i]] != name_of[members[1]]) return ""
    return "_" name_of[members[1]]
}
