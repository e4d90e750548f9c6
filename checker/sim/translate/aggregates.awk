# aggregates.awk: how structs are loaded and stored. nvcc moves a struct in pieces of its alignment, 16
# bytes at most: {float x, y;} is two accesses of 4 bytes, though g++ announces one of 8. Reads three
# files, `part` 0 to 2:
#
#   g++'s list of classes, for their alignments (classes.awk)
#   g++'s dump of the calls of ThreadSanitizer (-fdump-tree-tsan-lineno-uid-asmname), for the types:
#       ;; Function copy (_Z4copyP5pointPKS_, funcdef_no=1, decl_uid=2430, …)
#         struct pointD.26221 * _5;
#         [copy.cu:8:68] __tsan_write_rangeD.2235 (_5, 8);
#         [copy.cu:8:68] [copy.cu:8:68] *_5 = [copy.cu:8:68] *_4;
#   the assembly that g++ made of it, which comes out with such calls renamed:
#           call    *warpup_write_by4@GOTPCREL(%rip)        on aarch64: bl warpup_write_by4
#
# It also looks for accesses that g++ does not announce: memory that a call takes as an argument by value, or that
# receives a call's result. A kernel contains the code of the functions that it calls. So this remains only where a
# function calls itself or is called through a pointer. Such an access of a kernel is reported on stderr. Variable:
# include, the folder of our headers.

# ---- the dump

part == 1 && /^;; Function / {
    end_statement()
    match($0, /\([^ (]*, funcdef_no=/)
    symbol = substr($0, RSTART + 1, RLENGTH - 14)
    match($0, /decl_uid=[0-9]+/)
    function_now = substr($0, RSTART + 9, RLENGTH - 9)
    number_of[symbol] = function_now
    is_local_list = is_body = 0
    split("", type)
    split("", is_local)
    next
}
part == 1 && /^__attribute__/ && /"__global__"/ { reached[kernels++] = function_now }
part == 1 && !is_body && /^[^ ;_{}].*\)$/ { take_parameters($0) }
part == 1 && /^\{/ { is_local_list = 1 }
part == 1 && /^ *<bb / { is_local_list = 0; is_body = 1 }
part == 1 && /^}/ { is_body = 0 }
part == 1 && is_local_list && !/^  static / && /;$/ { take_local() }
part == 1 && is_body && /;$/ && !/# DEBUG|CLOBBER/ { take_statement() }
part == 1 { next }

# ---- the assembly

$1 == ".type" { symbol = substr($2, 1, length($2) - 1) }
$1 == ".file" { file[$2] = substr($3, 2, length($3) - 2) }
$1 == ".loc" { place = file[$2] ":" $3 ":" $4 }
($1 == "call" || $1 == "bl") && match($2, /__tsan_(read|write)(_range|16)(@|$)/) {
    access = substr($2, RSTART + 7)
    sub(/@.*/, "", access)
    sub(/_range$/, "", access)
    if ((symbol " " place " " access) in piece)
        sub(/__tsan_[a-z]*(_range|16)/, "warpup_" access "_by" piece[symbol " " place " " access])
}
{ print }

END { report_unseen() }

# `const struct pointD.26221 * rD.26270, intD.9 nD.26271` of a function's head
function take_parameters(head,    list, count, i) {
    sub(/^[^(]*\(/, "", head)
    sub(/\)$/, "", head)
    count = split(head, list, ", ")
    for (i = 1; i <= count; i++) {
        take_variable(list[i])
        sub(/.* /, "", list[i])
        is_local[list[i] ";"]
    }
}

# `struct pointD.26221 aD.26790[10];`
function take_local(    name) {
    take_variable(substr($0, 1, length($0) - 1))
    name = $NF
    sub(/\[.*/, ";", name)
    is_local[name]
}

# The type of a variable or of a temporary, `const struct pointD.26221 * _5`, with what it points to
function take_variable(text,    name) {
    name = text
    sub(/.*[ *&]/, "", name)
    sub(/D\.[0-9]+$/, "", name)
    if (!sub(/ [*&]( const| restrict| __restrict)* *[^ *&]+$/, "", text)) return
    while (sub(/^ *(const|volatile|struct|class|union) /, "", text)) continue
    type[name] = text
}

# One statement: `[place] [place] LEFT = [place] RIGHT;` without its places
function take_statement(    text, left, right, at) {
    place = match($0, /\[[^][]+:[0-9]+:[0-9]+/) ? substr($0, RSTART + 1, RLENGTH - 1) : place
    text = $0
    gsub(/\[[^][]+:[0-9]+:[0-9]+( discrim [0-9]+)?\] ?/, "", text)
    gsub(/^ +|;$|( \[(return slot|tail call|must tail call)[^]]*\])/, "", text)
    if (text ~ /^__(tsan|sanitizer)_/) { take_callback(text); return }
    if (text ~ /^(if|goto|else|switch|__asm__|resx|<L)/) return
    at = match(text, / =(\{v\})? /)
    left = at ? substr(text, 1, at - 1) : ""
    right = at ? substr(text, at + RLENGTH) : text
    # Between an access and its announcement is the code that computes the address.
    if (right ~ /^&/ || (left ~ /^[A-Za-z_0-9.]*_[0-9]+$/ && !is_call(right) && right !~ /^[^ ]*D\.|->|\*[^ ]|MEM/)) return
    finish_ranges(left, right)
    if (is_call(right)) take_call(left, right)
    else if ((is_memory(left) && !writes) || (is_memory(right) && !reads)) note_unseen("this access to memory")
    end_statement()
}

function end_statement() {
    reads = writes = waiting = 0
}

# An access is announced; of one in pieces the type may only be known from its statement.
function take_callback(text,    argument, bytes, access) {
    access = text ~ /_write|_vptr_update/ ? "write" : "read"
    if (text ~ /(read|write)16D/) access = access "16"
    if (text !~ /__tsan_/) return
    if (access ~ /^write/) writes++
    else reads++
    if (text !~ /_range|(read|write)16D/) return
    argument = bytes = text
    sub(/^[^(]*\(/, "", argument)
    sub(/(, [0-9]+)?\)$/, "", argument)
    if (!sub(/^.*, /, "", bytes)) bytes = 16
    sub(/_[0-9]+\(D\)$/, "", argument)
    if (argument !~ /^_/) sub(/_[0-9]+$/, "", argument)
    waiting_access[++waiting] = access
    waiting_bytes[waiting] = bytes + 0
    waiting_type[waiting] = type[argument]
    waiting_key[waiting] = symbol " " place " " access
}

function finish_ranges(left, right,    i, side, align) {
    for (i = 1; i <= waiting; i++) {
        side = waiting_access[i] ~ /^write/ ? left : right
        align = alignment(waiting_type[i], waiting_bytes[i])
        if (!align && match(side, /^MEM( <[^>]*>)? ?\[\((const |struct |class |union )*[^ *&]+/)) {
            side = substr(side, RSTART, RLENGTH)
            sub(/.*[ (]/, "", side)
            align = alignment(side, waiting_bytes[i])
        }
        if (!align) align = waiting_bytes[i] in align_of_size ? align_of_size[waiting_bytes[i]] : 1
        # g++ takes 16 bytes that are aligned to 8 for aligned.
        if (waiting_key[i] ~ /16$/ && align < 8) continue
        note_least(piece, waiting_key[i], align > 16 ? 16 : align)
    }
}

# Of a class, of an array's elements, or of a number that is not aligned; 0 when it is not known
function alignment(name, bytes,    scalar) {
    sub(/\[.*/, "", name)
    sub(/D\.[0-9]+$/, "", name)
    if ((name " " bytes) in align_of) return align_of[name " " bytes]
    scalar = scalar_bytes(name)
    return scalar == bytes ? 1 : scalar
}

function scalar_bytes(name) {
    if (name ~ /^((un)?signed )?char$|^(bool|_Bool|char8_t)$/) return 1
    if (name ~ /short/) return 2
    if (name ~ /^((un)?signed )?int$|^(complex )?float$|^unsigned$/) return 4
    if (name ~ /^(long )+(unsigned )?int$|^(complex )?double$|\*$/) return 8
    return 0
}

# `f (x)`, `_5 (x)` and `OBJ_TYPE_REF(…) (x)` are calls; `(int) x`, `a * b (c)` are none
function is_call(text) {
    return text ~ /^(OBJ_TYPE_REF|[A-Za-z_~.:][^ ]*( [^ (]+)* \()/ && text !~ /^(MEM|TARGET_MEM|BIT_FIELD|VIEW_CONVERT|REALPART|IMAGPART|COMPLEX_EXPR|\{)/ &&
        text !~ /^[^ ]+ [-+*\/%&|^<>=!?:]/
}

function take_call(left, right,    arguments, list, count, i, callee) {
    callee = right
    sub(/ \(.*/, "", callee)
    if (match(callee, /\.localaliasD/)) calls[function_now] = calls[function_now] " " substr(callee, 1, RSTART - 1)
    else if (match(callee, /D\.[0-9]+$/)) calls[function_now] = calls[function_now] " " substr(callee, RSTART + 2)
    else if (callee !~ /^\./) is_indirect[function_now]
    if (callee ~ /^(warpup_|__builtin_|__cxa_|_Zn[aw]|_Zd[al])/) return
    arguments = right
    sub(/^[^(]*\(/, "", arguments)
    sub(/\)$/, "", arguments)
    count = split(arguments, list, ", ")
    for (i = 1; i <= count; i++)
        if (is_memory(list[i])) break
    if (i <= count || is_memory(left))
        note_unseen("structs that are passed or returned by value by a function that calls itself or is called through a pointer")
}

# Is the expression in memory that is not the thread's own?
function is_memory(text,    name) {
    if (text ~ /^(BIT_FIELD_REF|REALPART_EXPR|IMAGPART_EXPR) <|^VIEW_CONVERT_EXPR<[^(]*>\(/) sub(/^[^<]*<([^(]*>\()?/, "", text)
    if (text ~ /^MEM[ [].*&[A-Za-z_0-9]*D\.[0-9]/) sub(/^.*&/, "", text)
    else if (text ~ /^(\*|MEM[ [<]|TARGET_MEM)|^[^ (]*->/) return 1
    if (!match(text, /^[A-Za-z_][A-Za-z_0-9]*D\.[0-9]+/) || text ~ /^[^ ]*D\.[0-9]+ /) return 0
    name = substr(text, 1, RLENGTH)
    return !((name ";") in is_local) && name !~ /^(threadIdx|blockIdx|blockDim|gridDim|warpSize)D/
}

function note_unseen(what) {
    if (index(place, include) == 1 || place ~ /^\// || function_now in unseen) return
    unseen[function_now] = place
    unseen_what[function_now] = what
}

# The first such access in a function that a kernel calls, from function to function; through a pointer a
# kernel may call any.
function report_unseen(    i, j, count, list, seen, part) {
    for (i = 0; i < kernels; i++) {
        if (seen[reached[i]]++) continue
        if (reached[i] in is_indirect)
            for (j in unseen) reached[kernels++] = j
        count = split(calls[reached[i]], list, " ")
        for (j = 1; j <= count; j++) reached[kernels++] = list[j] in number_of ? number_of[list[j]] : list[j]
        if (!(reached[i] in unseen)) continue
        split(unseen[reached[i]], part, ":")
        printf "%s:%d: the simulated GPU does not know %s\n", part[1], part[2], unseen_what[reached[i]] > "/dev/stderr"
        return 1
    }
    return 0
}
