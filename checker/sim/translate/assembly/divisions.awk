# divisions.awk: part of arithmetic.awk. Finds how many divisions of integers nvcc saves in loops.

# Remembers which registers and places on the stack the piece changes, and whether it only doubles them.
function note_writes(    i, op, name) {
    for (i = 1; i <= noted; i++) {
        op = instruction[i]
        if (op ~ /^(cmp|test|uc?omis|comis|push|j|ret)/) continue
        if (op == "call") {
            for (name in lost_by_calls) write_name(name, 0)
            continue
        }
        if (op ~ /^i?div/ || op ~ /^c[lq]t/) { write_name("a", 0); write_name("d", 0) }
        if (op !~ /^i?div/ && (name = name_of(to[i])) != "")
            write_name(name, op ~ /^(sa|sh)l/ || op ~ /^add/ && name_of(from[i]) == name)
    }
}

function write_name(name, doubles) {
    writes[ended, name]++
    if (doubles) doublings[ended, name]++
}

# Sets roots[] to what the register holds at the piece's beginning, or what it is made of there, as seen from an instruction;
# roots["?"] if that is more than additions, products, shifts, and the thread's own indices.
function find_roots(name, i,    op) {
    if (name == "") { roots["?"]; return }
    for (i--; i > 0; i--) {
        op = instruction[i]
        if (op == "call" && name in lost_by_calls) { roots["?"]; return }
        if (op ~ /^i?div/ && (name == "a" || name == "d")) { roots["?"]; return }
        if (op ~ /^(cltd|cqto)/ && name == "d") { find_roots("a", i); return }
        if (op ~ /^(cmp|test|call|j|push|c[lq]t)/ || name_of(to[i]) != name) continue
        if (op ~ /^mov/) {
            if (from[i] !~ /^\$|^%fs:/) find_roots(name_of(from[i]), i)
            return
        }
        if (op ~ /^lea/ && from[i] !~ /rip|rsp/) { find_address_roots(from[i], i); return }
        if (op !~ /^(add|sub|imul|sal|shl|sar|shr|and|or|xor|neg|not)/) { roots["?"]; return }
        if (op ~ /^xor/ && from[i] == to[i]) return
        if (from[i] !~ /^\$|^%fs:/ && from[i] != to[i]) find_roots(name_of(from[i]), i)
    }
    roots[name]
}

function find_address_roots(operand, i,    part, n, k) {
    n = address_parts(operand, part)
    for (k = 1; k <= n; k++) if (part[k] in register) find_roots(register[part[k]], i)
}

# Keeps the piece's divisions of integers until the loop is known: what makes the divisor, and what the dividend.
function note_divisions(    i, root) {
    for (i = 1; i <= noted; i++) {
        if (instruction[i] !~ /^i?div[lq]$/) continue
        ++divisions
        if (instruction[i] ~ /q$/) is_long[divisions]
        division_in[divisions] = ended
        division_row[divisions] = pieces
        split("", roots)
        if (from[i] !~ /^%fs:/) find_roots(name_of(from[i]), i)
        for (root in roots) divisor_roots[divisions] = divisor_roots[divisions] " " root
        split("", roots)
        find_roots("a", i)
        for (root in roots) dividend_roots[divisions] = dividend_roots[divisions] " " root
    }
}

# Is each of the roots the same in all rounds of the loop whose first piece this is? Or is each of them only doubled?
function is_constant(list, start, doubled,    n, k, i, root) {
    n = split(list, root, " ")
    for (k = 1; k <= n; k++) {
        if (root[k] == "?") return 0
        for (i = start; i <= ended; i++) if (writes[i, root[k]] > (doubled ? doublings[i, root[k]] : 0)) return 0
    }
    return 1
}

# What nvcc saves of the divisions in the loop that ends here, in sixteenths. A division of numbers that do not change is
# moved out of the loop. Of one by a number of 32 bits that does not change, the reciprocal is. In a loop that is unrolled as
# a whole, a number that is only doubled is a power of two that nvcc knows.
function save_divisions(start,    k) {
    for (k = divisions; k > 0 && division_in[k] >= start; k--) {
        if (k in is_saved) continue
        if (is_constant(divisor_roots[k], start, 0)) {
            is_saved[k]
            if (is_constant(dividend_roots[k], start, 0)) save_division(division_row[k])
            else if (!(k in is_long)) saved[division_row[k]] += RECIPROCAL
        } else if (counted == 2 && is_constant(divisor_roots[k], start, 1)) {
            is_saved[k]
            save_division(division_row[k])
        }
    }
}

# The division is not in the loop: no round waits for it.
function save_division(row) {
    saved[row] += WHOLE
    piece_depth[row] = later(0, piece_depth[row] - INTEGER_DIVISION)
}
