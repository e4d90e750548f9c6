# instructions.awk: part of arithmetic.awk. For each piece of code it estimates what a GPU's warp needs for it besides
# its accesses. That is how many instructions it issues, and how many of them go to the unit for special functions. It is also
# after how many clocks a loop of the piece can begin again, because a round needs results of the one before. Of the divisions
# it estimates how many nvcc saves, and how many are roots. The table is the section .warpup.instructions, a row for each
# piece: a place, the counter, and these numbers, in the order of instructions.c. A piece without arithmetic is counted by its
# first access to memory; one without either gets a counter.
#
# nvcc makes about the instructions that g++ makes, without copies between registers. It unrolls loops that count. So
# the steps of such a loop's index hardly matter, nor do the comparison and the jump at its end. Of the rest,
# half are parts of addresses that become constants.

BEGIN {
    WHOLE = 16 # an instruction, in the table's unit
    # A register's name without its size
    n = split("a b c d", letter, " ")
    for (i = 1; i <= n; i++) {
        l = letter[i]
        register["%r" l "x"] = register["%e" l "x"] = register["%" l "x"] = register["%" l "l"] = register["%" l "h"] = l
    }
    n = split("si di bp", letter, " ")
    for (i = 1; i <= n; i++) {
        l = letter[i]
        register["%r" l] = register["%e" l] = register["%" l] = register["%" l "l"] = l
    }
    for (i = 8; i < 16; i++)
        register["%r" i] = register["%r" i "d"] = register["%r" i "w"] = register["%r" i "b"] = i
    for (i = 0; i < 16; i++) register["%xmm" i] = "x" i

    # Clocks until the result can be used: of floats, integers, doubles, conversions, divisions.
    # An exact division has branches, so two of them do not overlap. Measured on an H100 (solutions/arithmetic.cu), where four
    # divisions of integers were in flight.
    FLOAT = 4; INTEGER = 4; DOUBLE = 8; CONVERSION = 14; FLOAT_DIVISION = 62; DOUBLE_DIVISION = 132
    INTEGER_DIVISION = 110; LONG_DIVISION = 360
    ROUNDS = 4 # of a loop that nvcc unrolls together, if their number is not known
    LARGE = 15 # instructions of g++ in a round: of longer ones nvcc unrolls fewer together
    PREDICATED = 7 # instructions of g++: so few that follow a branch are predicated, in what nvcc 13.0 makes for an H100
    FAR = 12 # basic blocks: code that is farther away was moved there; what nvcc predicates is shorter
    BRANCH = 16 # until a warp knows where it goes on: measured on an H100
    FAST_FORM = 30 # clocks until the result of a fast form of a function, as __expf()
    GUARD = 10 # more than INTEGER until a comparison's result decides about an instruction. Measured on an H100
    CONVERGE = 15 # until lanes go on together where a branch and what it leaves out end. Measured on an H100
    SPLIT = 15 # more until lanes go on that took the other way. Measured on an H100
    CASE = 80; CASE_ISSUE = 4 * WHOLE # to find a case of a switch in a table. Measured on an H100
    ROUND = 2 * WHOLE # of a loop that is not unrolled: its lanes wait for each other, and make their addresses anew
    QUOTIENT = 3 * WHOLE # of a fast division, besides its reciprocal and its product: for large divisors
    OVERLAP = 2 # rounds of a loop that run at the same time, though none needs another's results
    LONG = 40 # clocks: shorter rounds all overlap if a loop is unrolled as a whole
    RECIPROCAL = 11 # sixteenths of a division of integers: its share that finds the reciprocal of the divisor
    n = split("a c d si di 8 9 10 11", letter, " ")
    for (i = 1; i <= n; i++) lost_by_calls[letter[i]]
    function_costs()
}

# Of functions: instructions, special ones among them, instructions in double, clocks until the result. Those of floats are fitted
# to small kernels on an H200. Those of doubles are counted on an H100, for a number between 1 and 2. Every second instruction in
# double takes another one for its constant, as in two small kernels. g++ joins sin() and cos() to sincos(), but nvcc does not.
function function_costs(    i, n, row, part) {
    n = split( \
        "expf 9 1 0 50;exp2f 4 1 0 36;exp10f 10 1 0 50;expm1f 22 1 0 60;logf 30 0 0 80;log2f 28 1 0 70;log10f 31 0 0 80;" \
        "log1pf 36 0 0 90;sinf 28 0 0 75;cosf 28 0 0 82;tanf 34 1 0 100;sincosf 44 0 0 110;asinf 26 1 0 80;acosf 26 1 0 80;" \
        "atanf 21 1 0 80;atan2f 45 2 0 140;sinhf 28 2 0 80;coshf 20 2 0 70;tanhf 19 2 0 80;powf 80 2 0 250;cbrtf 20 2 0 80;" \
        "erff 30 1 0 100;erfcf 44 2 0 110;fmodf 20 1 0 110;sqrtf 0 0 0 0;hypotf 20 1 0 60;tgammaf 80 3 0 200;lgammaf 80 3 0 200;" \
        "floorf 1 1 0 12;ceilf 1 1 0 12;truncf 1 1 0 12;rintf 1 1 0 12;roundf 4 1 0 20;fminf 1 0 0 4;fmaxf 1 0 0 4;fabsf 0 0 0 0;" \
        "fmaf 0 0 0 4;fma 0 0 0 8;exp 54 0 15 139;exp2 54 0 16 141;expm1 72 0 19 194;log 96 1 30 267;log2 103 1 32 286;" \
        "log10 103 1 32 286;log1p 101 1 31 299;sin 49 2 16 220;cos 50 2 16 228;tan 97 3 31 309;sincos 99 4 32 300;" \
        "asin 90 1 28 186;acos 82 1 25 223;atan 94 1 28 263;atan2 124 1 37 381;sinh 107 1 30 349;cosh 69 1 21 237;" \
        "tanh 75 6 21 268;pow 227 1 85 757;cbrt 48 6 13 245;erf 144 5 42 370;fmod 72 0 2 321;hypot 50 1 14 144;" \
        "floor 1 1 0 14;ceil 1 1 0 14;trunc 1 1 0 14;rint 1 1 0 14;round 4 1 1 20;fmin 8 0 1 7;fmax 8 0 1 7;sqrt 0 0 0 0;" \
        "fabs 0 0 0 0;__popcountdi2 0 1 0 12;__popcountsi2 0 1 0 12", row, ";")
    for (i = 1; i <= n; i++) {
        split(row[i], part, " ")
        function_floats[part[1]] = part[2]
        function_special[part[1]] = part[3]
        function_doubles[part[1]] = part[4]
        function_depth[part[1]] = part[5]
    }
}

# Keeps the line's instruction for end of the piece.
function note_instruction() {
    instruction[++noted] = $2
    from[noted] = $3
    to[noted] = NF > 3 ? $NF : $3
    middle[noted] = NF > 4 ? $4 : ""
    operands[noted] = NF - 2
    sub(/,$/, "", from[noted])
    sub(/,$/, "", middle[noted])
    is_ours[noted] = ours[file]
    if ($2 == "subq" && $NF == "%rsp") frame_bytes[function_start] = substr($3, 2) + 0
    if ($2 == "call" && $3 ~ /^\*?__sanitizer_cov_trace_pc/) block_line = lines
    if ($2 ~ /^(call|bl)$/ && $3 ~ /^\*?(__tsan_|warpup_(read|write|atomic|copy))/) {
        if (!access_line) access_line = lines
        piece[lines] = piece[lines] "\n.Lwarpup_access" ++accesses ":"
        piece_of[accesses] = ended
        access_at[ended, noted] = accesses
        uniform[accesses] = $3 ~ /atomic/ && is_uniform()
    }
}

# Is the second argument of a call the same for all threads, as far as the piece shows? It is not if the piece computes it
# from anything but the address of a variable.
function is_uniform(    i, name) {
    if (aarch64) return 1
    name = "%rsi"
    for (i = noted - 1; i > 0; i--) {
        if (to[i] != name || instruction[i] ~ /^(call|cmpq|testq)$/) continue
        if (instruction[i] == "addq" && from[i] ~ /^(%fs:0|\$[0-9]+)$/) continue
        if (instruction[i] !~ /^(mov|lea)q$/) return 0
        if (from[i] ~ /\(%r[si]p\)$/) return 1
        if (from[i] !~ (instruction[i] == "movq" ? "^%r" : "^[0-9]*[(]%r[^,]*[)]$")) return 0
        name = from[i]
        gsub(/^[0-9]*\(|\)/, "", name)
    }
    return name != "%rsi"
}

# The name under which the ready time of an operand is kept: a register, or a place on the stack; none for others.
function name_of(operand) {
    if (operand in register) return register[operand]
    if (operand ~ /^-?[0-9]*\(%rsp\)$/) return operand
    return ""
}

# Sets part[] to the registers of an address, and its factor; returns their number, 0 if the operand is none.
function address_parts(operand, part) {
    if (!match(operand, /\([^)]*\)/)) return 0
    return split(substr(operand, RSTART + 1, RLENGTH - 2), part, ",")
}

# When an operand can be used
function ready(operand) {
    if (operand in register) return time[register[operand]]
    if (operand ~ /^-?[0-9]*\(%rsp\)$/) return time[operand]
    return loaded(operand)
}

# When the registers of an address can be used
function ready_address(operand,    part, n, i, t) {
    n = address_parts(operand, part)
    for (i = 1; i <= n; i++)
        if (part[i] in register && time[register[part[i]]] > t) t = time[register[part[i]]]
    return t
}

# When a number is there that comes from memory, but not from the stack
function loaded(operand) {
    return is_load(operand) ? ready_address(operand) + load_time : 0
}

function later(a, b) {
    return a > b ? a : b
}

function set_time(operand, t, from_product,    name) {
    name = name_of(operand)
    if (name == "") return
    time[name] = t
    product[name] = from_product
    if (t > latest) latest = t
}

# Runs the piece's instructions: how long results take. A sum of a product is one instruction.
function run_piece(    i, op, a, b, t, target) {
    for (i = 1; i <= noted; i++) {
        op = instruction[i]; a = from[i]; b = to[i]
        if (op ~ /^(mov|cltq|cwtl|push|pop|nop|ret|j|test|cmp|uc?omis|comis|rep)/ && op !~ /^cvt/) {
            if (op ~ /^mov/) set_time(b, ready(a), name_of(a) != "" && product[name_of(a)])
            else if (op ~ /^(test|cmp|uc?omis|comis)/) flags = later(ready(a), ready(b)) + INTEGER
        } else if (op == "call") {
            target = function_name(a)
            if (target in function_depth) {
                t = later(time["x0"], time["x1"])
                if (is_slow(i)) t = later(t, divided)
                set_time("%xmm0", t + (is_ours[i] ? (target ~ /^(pow|tan)f/ ? 2 : 1) * FAST_FORM : function_depth[target]), 0)
                if (is_slow(i)) divided = t + function_depth[target]
            }
        } else if (op ~ /^(mul|mulp)s[sd]$/)
            { t = later(ready(a), ready(b)); set_time(b, t + (op ~ /d$/ ? DOUBLE : FLOAT), 1); start[name_of(b)] = t }
        else if (op ~ /^(add|sub)s[sd]$/)
            { alone += !is_product(a) && !is_product(b); set_time(b, later(fused(a), fused(b)) + (op ~ /d$/ ? DOUBLE : FLOAT), 0) }
        else if (op ~ /^(div|sqrt)s[sd]$/) {
            t = later(ready(a), ready(b))
            if (!is_ours[i]) t = later(t, divided)
            set_time(b, divided = t + (op ~ /d$/ ? DOUBLE_DIVISION : is_ours[i] ? 20 : FLOAT_DIVISION), 0)
        }
        else if (op ~ /^cvt/) set_time(b, ready(a) + CONVERSION, 0)
        else if (op ~ /^i?div[bwlq]$/) { t = later(later(time["a"], time["d"]), ready(a)) + (op ~ /q$/ ? LONG_DIVISION : INTEGER_DIVISION); set_time("%eax", t, 0); set_time("%edx", t, 0) }
        else if (op == "cltd" || op == "cqto") set_time("%edx", time["a"], 0)
        else if (op ~ /^p?xor/ && a == b) set_time(b, 0, 0)
        else if (is_step(i)) set_time(b, ready(b), 0)
        else if (op ~ /^lea/) set_time(b, ready_address(a) + (counted || i in joined ? 0 : INTEGER), 0)
        else if (op ~ /^(set|cmov)/) set_time(b, later(flags, later(ready(a), ready(b))) + INTEGER, 0)
        else if (op ~ /^(andp|orp|xorp|andnp)/) set_time(b, later(ready(a), ready(b)), 0)
        else if (op ~ /^(p?x?or|p?and|add|sub|sa[lr]|sh[lr]|ro[lr]|imul|mul|not|neg|inc|dec|bsr|bsf|sh[lr]d|bt|adc|sbb|min|max)/)
            set_time(b, later(ready(middle[i]), later(ready(a), ready(b))) + (i in joined ? 0 : INTEGER), 0)
    }
}

function is_product(operand,    name) {
    name = name_of(operand)
    return name != "" && product[name]
}

# When an addition can use an operand: the multiplication that made it is part of the same instruction.
function fused(operand,    name) {
    name = name_of(operand)
    return name != "" && product[name] ? start[name] : ready(operand)
}

function function_name(operand) {
    sub(/^\*/, "", operand)
    sub(/@.*/, "", operand)
    return operand
}

# The same as count_piece for aarch64, whose registers run_piece does not know: waiting for results is not seen there. Nor
# are the steps of a loop, so all integers count like those of a loop that nvcc unrolls as a whole: most are parts of
# addresses.
function count_aarch64(    i, op, target, inside) {
    for (i = 1; i <= noted; i++) {
        op = instruction[i]
        if (is_ours[i] && op != "bl") {
            if (!inside) issue += WHOLE
            inside = 1
            continue
        }
        inside = is_ours[i]
        if (op == "bl" && (target = function_name(from[i])) in function_floats) {
            floats += function_floats[target]
            special += function_special[target]
            doubles += function_doubles[target]
        } else if (op !~ /^(ld|st|adr|f?mov|mrs|ret|bl?$|nop|f(add|sub|n?mul|div|sqrt|n?madd|n?msub)$|[su]div|[su]xt)/)
            issue += WHOLE / 8
    }
}

# Notes which instructions compute with data: with what was loaded, or with what each round of a loop makes of the round
# before. The others make indices and addresses, most of which become constants where a loop is unrolled.
function note_data(    i, op, name, is) {
    split("", computes)
    for (i = 1; i <= noted; i++) {
        op = instruction[i]
        name = name_of(to[i])
        if (op == "call") {
            for (is in lost_by_calls) delete data[is]
            if (function_name(from[i]) !~ /^(__tsan|__sanitizer|warpup_(read|write))/) { data["a"]; data["x0"] }
            continue
        }
        if (op ~ /^(push|pop|nop|ret|c[lwq]t)/) continue
        if (op ~ /^j/) { if (flags_of_data) computes[i]; continue }
        if (op ~ /^p?xor/ && from[i] == to[i]) { delete data[name]; continue }
        is = has_data(from[i]) || has_data(middle[i])
        if (op ~ /^(cmp|test|uc?omis|comis)/) {
            flags_of_data = is || has_data(to[i]) || op ~ /comis/ || is_load(from[i]) || is_load(to[i])
            if (flags_of_data) computes[i]
            continue
        }
        if (op ~ /^(set|cmov)/) is = is || flags_of_data
        if (op ~ /^(mov|cvt)/ && op !~ /^cmov/ && is_load(from[i])) is = 1
        if (op !~ /^(mov|lea|set|cvt|p?sqrt)/ && operands[i] < 3) is = is || has_data(to[i]) || (back && is_carried(i))
        if (is) computes[i]
        if (name == "") continue
        if (is) data[name]
        else delete data[name]
    }
}

# Is an operand in global memory, or an element of an array in shared memory?
function is_load(operand) {
    return operand ~ /\(/ && operand !~ /\(%(rsp|rip)\)|^%fs:[0-9]*(\([^,]*\))?$/
}

# Is an operand data, or its address made from data?
function has_data(operand,    part, n, i) {
    if (name_of(operand) in data && name_of(operand) != "") return 1
    n = address_parts(operand, part)
    for (i = 1; i <= n; i++) if (part[i] in register && register[part[i]] in data) return 1
    return 0
}

# Does an instruction change a register that the piece's round before has left, and not by a constant?
function is_carried(i,    j, name) {
    if (is_step(i) || (name = name_of(to[i])) == "") return 0
    for (j = i - 1; j > 0; j--)
        if (name_of(to[j]) == name && instruction[j] ~ /^(mov|lea|cvt|set)/) return 0
    return 1
}

# Sets issue, special and doubles of the noted instructions. `back`: the last one jumps back. `unrolled`: what nvcc saves of
# them by unrolling their loop.
function count_piece(    i, op, target, inside, rooted, wide) {
    issue = special = doubles = floats = exact_roots = data_issue = logic = unrolled = 0
    if (aarch64) { count_aarch64(); return }
    has_ours = 0
    find_joined()
    for (i = 1; i <= noted; i++) {
        op = instruction[i]
        if (is_ours[i]) {
            has_ours = 1
            if (!inside) { issue += WHOLE; rooted = 0 }
            inside = 1
            if (op ~ /^(sqrt|div)ss$/ && !rooted) { special++; rooted = 1; if (op == "divss") issue += QUOTIENT }
            if (op ~ /^bs[rf]|^bswap/) special++
            if (op == "call" && from[i] ~ /warpup_(shuffle|vote|match|reduce|active|barrier|sync)/) issue -= WHOLE # counted apart
            if (op == "call" && (target = function_name(from[i])) in function_special && target !~ /popcount/) {
                issue += WHOLE # a fast form of the function
                special++
                continue
            }
            if (op != "call") continue
        } else inside = 0
        if (op == "call") {
            target = function_name(from[i])
            if (target in function_floats) {
                floats += function_floats[target]
                special += function_special[target]
                doubles += function_doubles[target]
            } else if (target ~ /^warpup_(barrier|sync)/) issue += WHOLE
        } else if (op ~ /^(mov|push|pop|nop|c[lwq]t|rep|andp|xorp|pxor|jmp)/) {
            if (op ~ /^mov/ && from[i] ~ /^%fs:[0-9]*\([^,]*\)$/) issue += WHOLE # an index of the thread
        } else if (op ~ /^(add|sub|mul|div|sqrt)s[sd]$/ || op ~ /^i?div/) {
            exact_roots += op == "sqrtss"
            continue # counted as arithmetic
        } else if (op ~ /^lea/ && from[i] ~ /\(%rsp\)/ || from[i] == "%fs:0") {
            continue # the address of an array that a GPU keeps in registers, or in shared memory
        } else if (op ~ /^cmp/ && is_extreme(i)) {
            continue
        } else if (counted && (i > noted - 2 || is_step(i))) {
            issue += 1
            unrolled += WHOLE - 1
        } else {
            if (op ~ /^cvtsi2s/ && counted == 2 && is_stepped(name_of(from[i]))) continue # a constant of each round
            if (op ~ /^(cvt|bsr|bsf|popcnt)/ && op !~ /^cvts[sd]2s[sd]|^cvtsi2s|^cvttsd2si/) special++
            wide = width(i)
            if (i == composed_at) issue += (op == "imull" ? 1 : wide) * WHOLE / ROUNDS
            else if (composed_at && i == composed_at + 1) issue += op ~ /q$/ ? WHOLE / ROUNDS : 0 # else part of the product
            else if (i in computes) {
                if (i in joined) continue
                issue += wide * WHOLE
                data_issue += wide * WHOLE
                if (is_logic(i)) logic += wide * WHOLE
            }
            else if (is_stride(i)) issue += WHOLE
            else if (is_scaling(i)) continue
            else {
                issue += wide * (counted == 2 ? WHOLE / 8 : counted ? WHOLE / 2 : WHOLE)
                unrolled += wide * (counted == 2 ? WHOLE * 7 / 8 : counted ? WHOLE / 2 : 0)
            }
        }
    }
}

# Sets divided_at to the piece's first product with a reciprocal. Sets composed_at to the first instruction of a step
# x = a x + b in a loop that only repeats this step. nvcc joins four rounds of such a loop: their step has the same form.
function find_idioms(    i, j, name, others) {
    divided_at = composed_at = 0
    for (i = noted; i > 0; i--)
        if (instruction[i] == "imulq" && from[i] ~ /^\$/ && length(from[i]) > 9) divided_at = i
    if (!back || counted != 1) return
    for (i = 1; i < noted; i++) {
        name = name_of(to[i])
        if (instruction[i] !~ /^imul[lq]$/ || instruction[i + 1] !~ /^(add|sub|lea)[lq]$/ || name_of(to[i + 1]) != name) continue
        others = 0
        for (j = 1; j <= noted; j++)
            if (j != i && j != i + 1 && (name_of(to[j]) == name || has_register(from[j], name))) others++
        if (!others) composed_at = i
    }
}

# Is the operand the register, or its address made from it?
function has_register(operand, name) {
    return name_of(operand) == name || address_has(operand, name)
}

# Is the register part of the operand's address?
function address_has(operand, name,    part, n, i) {
    n = address_parts(operand, part)
    for (i = 1; i <= n; i++)
        if (part[i] in register && register[part[i]] == name) return 1
    return 0
}

# Does the instruction add a constant to a register?
function is_step(i) {
    return instruction[i] ~ /^(add|sub|lea)[lq]$/ && from[i] ~ /^(\$-?[0-9][0-9]?[0-9]?$|-?[0-9]+\(%[a-z0-9]+\)$)/
}

# After how many clocks the piece could begin again. Sets `once` to what one run takes, and `alone_once` to its additions
# that are not of a product.
function run_loop(    before) {
    split("", time)
    split("", product)
    split("", start)
    latest = flags = alone = divided = 0
    run_piece()
    once = latest
    once_flags = flags
    alone_once = alone
    run_piece()
    before = latest
    run_piece()
    return latest - before
}

# A row for the piece that ends, before its lines are printed.
function end_instructions(    i, loop) {
    if (!noted) { ended++; return }
    back = instruction[noted] ~ /^j/ && from[noted] in seen
    keep_piece()
    note_ends()
    note_steps()
    note_way()
    note_flow()
    note_writes()
    counted = 0 # not known yet
    if (back && seen[from[noted]] + 0 < ended && !aarch64) note_loop_data(seen[from[noted]] + 0)
    else note_data()
    counted = kind_of_loop()
    find_idioms()
    for (i = 1; i <= noted; i++) if (instruction[i] ~ /^and/) masked[ended]
    for (i = 1; i <= noted; i++) if (is_slow(i)) calls_slow[ended]
    note_local()
    count_piece()
    data_of[ended] = data_issue
    logic_of[ended] = logic
    if (back && !counted && !ends_by_stride()) { issue += ROUND; data_issue += ROUND }
    if (after_branch && access_line) { issue += 2 * WHOLE; data_issue += 2 * WHOLE }
    depth = run_loop()
    alone_depth = depth
    if (counted < 2 || once >= LONG) depth = later(depth, once)
    if (flags_of_data && instruction[noted] ~ /^j/ && instruction[noted] != "jmp" && !back) data_branch[ended]
    branch = !counted && instruction[noted] ~ /^j/ && instruction[noted] != "jmp" && (flags_of_data || back) ? BRANCH : 0
    straight = depth
    if (branch) depth = later(depth, once_flags)
    if (ended in is_case) {
        issue += CASE_ISSUE
        data_issue += CASE_ISSUE
        depth += CASE
        straight += CASE
    }
    if (composed_at) { depth = straight = int(depth / ROUNDS); alone_depth = int(alone_depth / ROUNDS) }
    for (i = 1; i <= noted; i++) products += !is_ours[i] && instruction[i] ~ /^muls[sd]$/
    for (i = 1; i <= noted; i++) sums += !is_ours[i] && instruction[i] ~ /^(add|sub)s[sd]$/
    if (products + alone_once > later(products, sums)) floats += products + alone_once - later(products, sums)
    products = sums = 0
    if (back) note_loop(seen[from[noted]] + 0)
    if (back && block_line) {
        piece[block_line] = piece[block_line] "\n.Lwarpup_last" ++lasts ":"
        last_of[lasts] = seen[from[noted]] + 0
    }
    loop = back && (instruction[noted] != "jmp" || counted || !((seen[from[noted]] + 0) in closed))
    if (back && counted < 2) loop_end[seen[from[noted]] + 0] = ended
    else if (back) delete loop_end[seen[from[noted]] + 0]
    waits_for_data = loop && has_data_branch(seen[from[noted]] + 0)
    if (loop) end_loop(seen[from[noted]] + 0)
    if (issue + depth + floats + special > 0 || first) add_piece()
    note_divisions()
    if (loop && counted) predicate(seen[from[noted]] + 0)
    if (loop && counted && !has_slow(seen[from[noted]] + 0) && !waits_for_data) overlap(seen[from[noted]] + 0)
    if (back) note_end(seen[from[noted]] + 0, loop && !counted && flags_of_data)
    if (loop) save_divisions(seen[from[noted]] + 0)
    if (loop) close_local(seen[from[noted]] + 0)
    if (loop && counted == 2) unroll(seen[from[noted]] + 0)
    goes_elsewhere = back || instruction[noted] ~ /^(jmp|ret|b)$/
    after_branch = flags_of_data && instruction[noted] ~ /^j/ && instruction[noted] != "jmp" && !back
    noted = access_line = block_line = 0
    ended++
}

# Does nvcc make a branch for rare cases of the instruction? It does for exact quotients and roots, and for large angles.
function is_slow(i) {
    if (instruction[i] == "call") return function_name(from[i]) ~ /^(sin|cos|tan|sincos)f?$/ && !is_ours[i]
    return instruction[i] ~ /^(sqrt|div)ss$/ && !is_ours[i]
}

# Is there such an instruction in one of the pieces from this one on? Loads do not pass the branch.
function has_slow(first,    i) {
    for (i = first; i <= ended; i++) if (i in calls_slow) return 1
    return 0
}

# A piece without a row, which begins where the piece before goes on, is counted with that one.
function carry() {
    if (carrier != ended - 1 || goes_elsewhere || has_ours) return
    row_of_piece[ended] = pieces
    piece_issue[pieces] += issue
    piece_data[pieces] += data_issue
    piece_logic[pieces] += logic
    piece_unrolled[pieces] += unrolled
    piece_depth[pieces] += depth
    piece_alone[pieces] += alone_depth
    piece_straight[pieces] += straight
    piece_branch[pieces] += branch
    carrier = ended
}

function add_piece() {
    if (!first && !access_line) {
        if ((issue < WHOLE && !back && !special && !floats && !doubles) || !place || counters == COUNTERS) {
            carry()
            return
        }
        first = place
        counters++
    }
    ++pieces
    piece_at[pieces] = ".Lwarpup_piece" pieces
    piece_by_access[pieces] = !first
    piece_counter[pieces] = first ? counters - 1 : 0
    piece_in[pieces] = ended
    piece_issue[pieces] = issue > 0 ? issue : 0
    piece_data[pieces] = data_issue < piece_issue[pieces] ? data_issue : piece_issue[pieces]
    piece_logic[pieces] = logic
    piece_unrolled[pieces] = unrolled
    is_unrolled[pieces] = counted > 0
    row_of_piece[ended] = pieces
    piece_numbers[pieces] = special ", " doubles
    piece_depth[pieces] = depth
    piece_alone[pieces] = alone_depth
    piece_straight[pieces] = straight
    piece_branch[pieces] = branch
    piece_floats[pieces] = floats
    piece_roots[pieces] = exact_roots
    carrier = ended
    if (first) piece[first] = piece[first] "\n" piece_at[pieces] ":"
    else piece[access_line] = piece[access_line] "\n" piece_at[pieces] ":"
}

# The last basic block of each loop is in the section .warpup.loops: its place, and the loop's number.
# What is known of accesses: they are in a loop that is not unrolled, or each round of which needs what the one before
# has loaded; a bit mask makes part of their address, so that neighbours are not joined; all threads have one address; the
# number of rounds of their loop is not a constant; its rounds are long; how many loads they wait for; nothing uses what they
# return; and the number of their loop if its rounds cannot begin before what was loaded is there.
function print_instructions(    i, what, any, at, any_last) {
    predicate(0)
    undo_unrolling()
    add_branch_costs()
    issue_predicated()
    find_splits()
    find_conditional()
    add_local_costs()
    for (i = 1; i <= accesses; i++) {
        what = (piece_of[i] in rolled) + 2 * (piece_of[i] in masked) + 4 * uniform[i] + 8 * (piece_of[i] in looped)
        what += 16 * (piece_of[i] in large) + (piece_of[i] in loads_ahead ? 0 : 32 * waits[i]) + 128 * unused[i] + 256 * waits_for_loop(i)
        if (!what) continue
        if (!any++) print "\t.section\t.warpup.accesses,\"a\",@progbits\n\t.balign\t4"
        printf "\t.long\t.Lwarpup_access%d-., %d\n", i, what
    }
    if (pieces == 0) return
    print "\t.section\t.warpup.instructions,\"a\",@progbits\n\t.balign\t4"
    for (i = 1; i <= pieces; i++) {
        printf "\t.long\t%s-., %d\n", piece_at[i], piece_counter[i]
        at = piece_in[i] in loop_of ? loop_of[piece_in[i]] : -1
        if (at >= 0 && !(at in loop_number)) loop_number[at] = ++loops
        printf "\t.short\t%d, %d, %s, %d, %d, %d, %d, %d, %d, %d, %d, %d\n\t.balign\t4\n", piece_by_access[i], piece_issue[i], piece_numbers[i],
            piece_depth[i] + piece_branch[i], piece_floats[i], saved[i], piece_roots[i],
            at < 0 ? 0 : loop_number[at], piece_together[i], piece_apart[i], piece_split[i],
            piece_logic[i] < piece_issue[i] ? piece_logic[i] : piece_issue[i]
    }
    for (i = 1; i <= lasts; i++) {
        if (!(last_of[i] in loop_number)) continue
        if (!any_last++) print "\t.section\t.warpup.loops,\"a\",@progbits\n\t.balign\t4"
        printf "\t.long\t.Lwarpup_last%d-., %d\n", i, loop_number[last_of[i]]
    }
}
