# calls.awk: finds what nvcc refuses and g++ does not: a kernel that calls a host function, host code that calls a
# device function, a kernel call without <<<…>>>. In kernels it finds exceptions, and arrays of a length known only at
# run time. Reads the functions of the device image as g++ dumps them before anything is inlined
# (-fdump-tree-lower-lineno-uid-asmname):
#
#   ;; Function f (_Z1fi, funcdef_no=1, decl_uid=2430, …)
#   __attribute__((deprecated ("__device__")))              its marks (host_defines.h)
#   int fD.2430 (int xD.2429)
#     [axpy.cu:7:23] _1 = _Z1giD.2418 (xD.2429);            a call: place, symbol, number
#
# The symbol is there because gcc 11 gives no number to a function that is called by its plain name. It accepts what it
# does not understand. It prints one line per call, as a compiler would, and then ends with exit code 1. Calls of the
# runtime that kernels may make too, but not on the simulated GPU, are reported only if there is no other: exit code 2.
# So is assembly in a kernel. Code that hides its accesses from the simulated GPU, or invents some, is refused: exit
# code 4. Variable: include, the folder of our headers.

BEGIN {
    # The C library's functions that no kernel has
    library = "^(s?rand(_r|om)?|[delmnj]rand48|time|gettimeofday|clock_gettime|omp_.*|exit|abort|" \
        "getenv|v?f?puts|putchar|f?putc|f(open|close|read|write|flush|printf)|v?sn?printf|" \
        "str(len|n?cmp|n?cpy|cat|dup|to[dfl]|toul)|ato[dfil]|calloc|realloc|qsort|u?sleep|perror)$"
    # The C++ library's functions that nvcc makes known to kernels, by their names and by their files
    known_name = "^std::(move|forward|initializer_list)|^operator (new|delete)"
    # The runtime's calls that nvcc lets kernels make
    kernel_call = "^cuda(Malloc|Free|GetLastError|PeekAtLastError|GetError(Name|String)|GetDevice(Count)?|" \
        "Device(GetAttribute|GetLimit|Synchronize)|FuncGetAttributes|RuntimeGetVersion|Mem(cpy|set)(2D|3D)?Async|" \
        "StreamCreateWithFlags|StreamDestroy|StreamWaitEvent|EventCreateWithFlags|EventRecord|EventDestroy)(<|$)"
    # Our functions that nvcc has for the device alone; halves have some for both sides
    device_name = "^(__|atomic[A-Z]|clock64$)"
    device_file = "/warpup/(arithmetic|atomic|device|warp)\\.h$"
    known_file = "/(cmath|bits/std_abs\\.h|math\\.h|stdlib\\.h)$"
}

/^;; Function / {
    function_now = number_behind("decl_uid=")
    match($0, /\([^ (]*, funcdef_no=/)
    number_of[substr($0, RSTART + 1, RLENGTH - 14)] = function_now
    name = substr($0, 13)
    sub(/ \([^ ]*, funcdef_no=.*/, "", name)
    names[function_now] = name
    called[name] = called[name] " " function_now
    in_head = 1
    next
}

in_head && /^__attribute__/ {
    marks[function_now] = marks[function_now] $0
    next
}

/^[^ ]/ { in_head = 0 }

function_now && match($0, /\[[^][]+:[0-9]+:[0-9]+/) {
    place = substr($0, RSTART + 1, RLENGTH - 1)
    if (!(function_now in places)) places[function_now] = place
    if (match($0, /D\.[0-9]+ \(/)) take_call($0)
    if (/ __asm__/ && !/__asm__( __volatile__)?\(""/ && !(function_now in assembly)) assembly[function_now] = place
}

function number_behind(word,    rest) {
    rest = substr($0, index($0, word) + length(word))
    return rest + 0
}

function take_call(line,    symbol, number) {
    number = substr(line, RSTART + 2, RLENGTH - 4)
    symbol = substr(line, 1, RSTART - 1)
    gsub(/\[[^][]+:[0-9]+:[0-9]+[^]]*\] */, "", symbol)
    sub(/^.* = /, "", symbol)
    sub(/^ */, "", symbol)
    if (symbol == "") return
    caller[++calls] = function_now
    callee[calls] = number
    callee_name[calls] = symbol
    call_place[calls] = place
}

# Calls are known by the symbol and the number of what is called. Here each gets the name that it has in the source, where
# there is one. The code of a constructor or destructor stands under another symbol than the one that is called.
function name_callee(i,    symbol) {
    symbol = callee_name[i]
    if (!(callee[i] in names)) {
        sub(/C1E/, "C2E", symbol)
        sub(/D1E/, "D2E", symbol)
        if (symbol in number_of) callee[i] = number_of[symbol]
    }
    if (callee[i] in names) callee_name[i] = names[callee[i]]
}

function file_of(place) {
    sub(/:[0-9]+:[0-9]+$/, "", place)
    return place
}

function is_ours(number) {
    return index(file_of(places[number]), include) == 1 || marks[number] ~ /"unseen"/
}

# Constructors, destructors and assignments that the compiler wrote by itself, or because of `= default` or `using`, are
# for both sides: their place is the type's name, or a line with these words.
function is_implicit(number,    part, text, before) {
    if (names[number] !~ /::operator=$/ && !is_structor(names[number])) return 0
    split_place(places[number], part)
    text = source_line(part[1], part[2])
    before = substr(text, 1, part[3] - 1)
    return before ~ /(struct|class|union)[ \t]+$/ || text ~ /^[ \t]*using[ \t]/ ||
        substr(text, part[3]) ~ /^[^;{]*=[ \t]*default/
}

# X::X or X::~X, X perhaps with template arguments in its first place
function is_structor(name,    part, count, last, type) {
    count = split(name, part, "::")
    if (count < 2) return 0
    last = part[count]
    type = part[count - 1]
    sub(/^~/, "", last)
    sub(/<.*/, "", type)
    return last == type
}

# A mark between `*` and the name belongs to the pointer, for g++: float *__device__ f().
function is_marked_late(number,    part, line) {
    split_place(places[number], part)
    for (line = part[2] - 3; line <= part[2]; line++)
        if (source_line(part[1], line) ~ /[*&][ \t]*__(device|host|global)__/) return 1
    return 0
}

function split_place(place, part) {
    match(place, /:[0-9]+:[0-9]+$/)
    part[1] = substr(place, 1, RSTART - 1)
    split(substr(place, RSTART + 1), numbers, ":")
    part[2] = numbers[1] + 0
    part[3] = numbers[2] + 0
}

function source_line(file, number,    text, at) {
    if (!(file in read)) {
        read[file] = 1
        while ((getline text < file) > 0)
            source[file, ++at] = text
        close(file)
    }
    return source[file, number]
}

# Where a function may be called from, by all functions of its name: "host", "device", "both",
# "kernel", or "" when it is not known.
function side_of_name(name,    list, count, i, side, first) {
    count = split(called[name], list, " ")
    for (i = 1; i <= count; i++) {
        side = side_of(list[i])
        if (i > 1 && side != first) return ""
        first = side
    }
    return first
}

function side_of(number,    name, mark) {
    if (number in side_known) return side_known[number]
    name = names[number]
    mark = marks[number]
    if (mark ~ /"__global__"/) side_known[number] = "kernel"
    else if (mark ~ /"__device__"/) side_known[number] = mark ~ /"__host__"/ ? "both" : "device"
    else if (lambda_at(name)) side_known[number] = side_of_lambda(name)
    else if (!(number in places) || is_implicit(number)) side_known[number] = ""
    else if (is_ours(number)) side_known[number] = side_of_ours(number, name)
    else if (name ~ known_name || file_of(places[number]) ~ known_file) side_known[number] = "both"
    else side_known[number] = is_marked_late(number) ? "" : "host"
    return side_known[number]
}

function side_of_ours(number, name) {
    if (name ~ device_name && file_of(places[number]) ~ device_file) return "device"
    return name ~ /^(cuda|cublas)[A-Z]/ ? "host" : "both"
}

# Where the name of a lambda begins: after that of the function that contains it. 0 if the name is not a lambda's. A
# template's arguments may be lambdas: fill<k(float*)::<lambda(int)> > is none.
function lambda_at(name,    at, depth, sign) {
    gsub(/operator<=>/, "operator_=_", name)
    gsub(/operator(<<|>>|->)/, "operator__", name)
    gsub(/operator[<>]/, "operator_", name)
    for (at = 1; at <= length(name); at++) {
        sign = substr(name, at, 1)
        if (depth == 0 && substr(name, at, 7) == "<lambda") return at
        if (sign == "<") depth++
        if (sign == ">") depth--
    }
    return 0
}

# A lambda is for the side of the function that contains it.
function side_of_lambda(name,    side) {
    name = substr(name, 1, lambda_at(name) - 3)
    sub(/\([^()]*\)( const)?$/, "", name)
    side = side_of_name(name)
    return side == "kernel" ? "device" : side
}

# g++ turns some code that device code may not have into calls.
function check_code(i) {
    if (callee_name[i] == "__builtin_alloca_with_align") say(call_place[i], "expression must have a constant value")
    if (callee_name[i] == "__dynamic_cast") say(call_place[i], "The operator 'dynamic_cast' is not allowed in device code")
    if (callee_name[i] ~ /^__cxa_(throw|begin_catch)$/) say(call_place[i], "device code does not support exception handling")
}

# Functions that ask the compiler not to announce their accesses, and calls of what announces them.
function check_hidden(number) {
    if (marks[number] ~ /no_sanitize|"unseen"/ && index(file_of(places[number]), include) != 1 && names[number] !~ /<lambda/)
        hide(places[number], "the function \"" names[number] "\" hides its memory accesses from the simulated GPU")
}

function check_made_up(i) {
    if (callee_name[i] ~ /^(__tsan_(read|write|unaligned|volatile)|__sanitizer_|__wrap_)/)
        hide(call_place[i], callee_name[i] " belongs to the simulated GPU")
    if (callee_name[i] ~ /^__builtin_ia32_/ && side_of(caller[i]) ~ /kernel|device/)
        say(call_place[i], sprintf("identifier \"%s\" is undefined", callee_name[i]))
}

# The first one is enough.
function hide(place, text,    part) {
    if (hidden) return
    split_place(place, part)
    hidden = sprintf("%s:%d: %s", part[1], part[2], text)
}

function name_alone(name) {
    sub(/<.*/, "", name)
    return name
}

function side_of_callee(i) {
    if (callee_name[i] ~ kernel_call) return "runtime"
    if (callee[i] in names) return side_of(callee[i])
    if (callee_name[i] ~ library || callee_name[i] ~ /^(cuda|cublas)[A-Z]/) return "host"
    return ""
}

function say(place, text) {
    text = place ": error: " text
    if (!said[text]++) print text
    refused = 1
}

function not_allowed(i, what, by) {
    say(call_place[i], sprintf("calling a %s function(\"%s\") from a %s function(\"%s\") is not allowed", what,
        callee_name[i], by, names[caller[i]]))
}

# A marked lambda needs an option that the exercises' command does not have.
function check_lambda(number) {
    if (marks[number] !~ /"__(device|host)__"/) return
    say(places[number], "__host__ or __device__ annotation on lambda requires --extended-lambda nvcc flag")
}

# A launch is a lambda that calls the kernel (launch.h), and what converts its arguments.
function is_launching(number) {
    return names[number] ~ /<lambda\(auto:[0-9]+&& \.\.\.\)>::operator\(\)/ && marks[number] ~ /"unseen"/
}

# Functions that are launched but are not kernels
function check_launches(i) {
    for (i = 1; i <= calls; i++) {
        name_callee(i)
        if (is_launching(caller[i]) && side_of_callee(i) == "kernel") has_kernel[caller[i]]
    }
    for (i = 1; i <= calls; i++) {
        if (!is_launching(caller[i]) || caller[i] in has_kernel || side_of_callee(i) !~ /host|device|both/) continue
        if (is_structor(callee_name[i]) || callee_name[i] ~ /operator/ || file_of(call_place[i]) ~ /^\//) continue
        say(call_place[i], "a host function call cannot be configured: " name_alone(callee_name[i]) " is not __global__")
    }
}

END {
    for (number in names) {
        if (lambda_at(names[number])) check_lambda(number)
        check_hidden(number)
        if (number in assembly && side_of(number) ~ /kernel|device/ && !is_ours(number)) assembly_place = assembly[number]
    }
    check_launches()
    for (i = 1; i <= calls; i++) {
        if (index(file_of(places[caller[i]]), include) != 1) check_made_up(i)
        if (is_ours(caller[i]) || file_of(call_place[i]) ~ /^\//) continue
        from = side_of(caller[i])
        to = side_of_callee(i)
        if (from == "kernel" || from == "device" || from == "both") check_code(i)
        if (from != "" && to == "kernel") say(call_place[i], "a __global__ function call must be configured")
        else if (from == "kernel" && to == "host") not_allowed(i, "__host__", "__global__")
        else if (from == "device" && to == "host") not_allowed(i, "__host__", "__device__")
        else if (from == "host" && to == "device") not_allowed(i, "__device__", "__host__")
        else if ((from == "kernel" || from == "device") && to == "runtime") unknown = unknown ? unknown : i
    }
    if (hidden) {
        print hidden
        exit 4
    }
    if (!refused && assembly_place) {
        split_place(assembly_place, part)
        printf "%s:%d: the simulated GPU does not know assembly in a kernel\n", part[1], part[2]
        exit 2
    }
    if (refused || !unknown) exit refused
    split_place(call_place[unknown], part)
    printf "%s:%d: the simulated GPU does not know %s in a kernel\n", part[1], part[2], name_alone(callee_name[unknown])
    exit 2
}
