# local.awk: part of arithmetic.awk. Finds accesses to local memory. nvcc keeps a thread's small array in registers if each
# index is a constant, once loops are unrolled. Otherwise the array is in local memory, and each access goes through the L1.
# The array is on the stack here. Its accesses are not announced, so this counts them in each piece of the code.

BEGIN {
    EXCHANGE = 2 * WHOLE # for a store to an array in registers: nvcc needs about four moves to exchange two elements
    LOCAL_DEPTH = 30 # clocks until the warp has what it loads
    LOCAL_SPLIT = 190 # and more, if lanes go different ways: the L1 does not keep lines that are stored in part
}

# Notes the piece's accesses to arrays on the stack, and which registers hold constants or addresses on the stack.
function note_local(    i, op, name, index_name) {
    if (aarch64) return
    for (i = 1; i <= noted; i++) {
        op = instruction[i]
        if (op !~ /^(lea|call|j|push|pop|ret|nop)/) {
            add_local(i, from[i], 1, 0)
            if (to[i] != from[i]) add_local(i, to[i], op !~ /^mov/, op !~ /^(cmp|test)/)
        }
        if (op == "call") { for (name in lost_by_calls) { delete fixed[name]; delete on_stack[name] } }
        if (op ~ /^(cmp|test)/) flags_fixed = is_fixed(from[i]) && is_fixed(to[i])
        if (op ~ /^(cmp|test|u?comis|call|j|push|pop|ret|nop|c[lq]t[dqo]$)/ || (name = name_of(to[i])) == "") continue
        if (op ~ /^p?xor/ && from[i] == to[i]) { fixed[name]; delete on_stack[name]; continue }
        if (op ~ /^lea/ && from[i] ~ /%rsp/) {
            index_name = index_of(from[i])
            on_stack[name] = from[i] + 0
            if (index_name == "" || index_name in fixed) fixed[name]
            else delete fixed[name]
            continue
        }
        if (op ~ /^mov/ && name_of(from[i]) in on_stack) on_stack[name] = on_stack[name_of(from[i])]
        else if (op !~ /^(add|sub)/) delete on_stack[name]
        if (!(from[i] ~ /^\$/ || name_of(from[i]) in fixed || op ~ /^lea/ && has_only_fixed(from[i])) ||
            op !~ /^(mov|lea)/ && !(name in fixed) || op ~ /^cmov/ && !flags_fixed || op ~ /^(set|div|idiv|cvt)/) delete fixed[name]
        else fixed[name]
    }
}

function is_fixed(operand) {
    return operand ~ /^\$/ || name_of(operand) in fixed
}

# The register that is the index of an address on the stack.
function index_of(operand) {
    return match(operand, /\(%rsp,%[a-z0-9]+/) ? name_of(substr(operand, RSTART + 6, RLENGTH - 6)) : ""
}

function has_only_fixed(operand,    part, n, i) {
    if ((n = address_parts(operand, part)) == 0) return 0
    for (i = 1; i <= n; i++) if (part[i] ~ /^%/ && !(name_of(part[i]) in fixed)) return 0
    return 1
}

# The operand may be in an array on the stack, at a variable place.
function add_local(i, operand, loads, stores,    name, base) {
    if (operand !~ /\(/ || operand ~ /^%fs/) return
    name = index_of(operand)
    base = operand + 0
    if (name == "" && match(operand, /\(%[a-z0-9]+\)$/)) {
        name = name_of(substr(operand, RSTART + 1, RLENGTH - 2))
        if (!(name in on_stack)) return
        base = on_stack[name]
    }
    if (name == "") return
    local_in[++locals] = ended
    local_name[locals] = name
    local_at[locals] = i
    local_loads[locals] = loads
    local_stores[locals] = stores
    note_array(base, operand)
    if (!(name in fixed)) is_local[locals]
}

# At the end of a loop: an index that changes in it is a constant in each round if the loop is unrolled as a whole. It is if
# its end is a constant too, once loops around it are unrolled.
function close_local(start,    k, name, whole) {
    if (aarch64) return
    find_stacks(start)
    whole = counted == 2 || instruction[noted - 1] ~ /^cmp/ && is_fixed(from[noted - 1]) && is_fixed(to[noted - 1])
    for (k = locals; k > 0 && local_in[k] >= start; k--) {
        if (counted == 2 && is_counter(local_name[k])) { # it may begin after the loop in the code
            delete is_local[k]
            is_settled[k]
        }
        if (k in is_settled || k in is_local || !is_written(local_name[k], start)) continue
        if (whole) is_settled[k]
        else is_local[k]
    }
    if (whole) return
    for (name in fixed) if (is_written(name, start)) delete fixed[name]
}

# Is the loop that ends here left when this register has some value?
function is_counter(name) {
    return instruction[noted - 1] ~ /^cmp/ && (name == name_of(from[noted - 1]) || name == name_of(to[noted - 1]))
}

function is_written(name, start,    i) {
    for (i = start; i <= ended; i++) if ((i, name) in writes) return 1
    return 0
}

# Adds what the accesses need to the rows of their pieces. Of an array in registers, a store that data decide is moves.
function add_local_costs(    k, row) {
    for (k = 1; k <= locals; k++) {
        if (!(k in is_local || local_in[k] in conditional)) continue
        row = row_before(local_in[k])
        if (!(k in is_local)) {
            piece_issue[row] += local_stores[k] * EXCHANGE
            continue
        }
        piece_together[row] += local_clocks(k, computed_index[k] ? lines_anywhere(k) : 1)
        piece_apart[row] += local_clocks(k, lines_apart(k))
        piece_issue[row] += (local_loads[k] + local_stores[k]) * WHOLE
        piece_depth[row] += LOCAL_DEPTH
        if (local_loads[k]) piece_split[row] = LOCAL_SPLIT
    }
}

# The last row of this piece of the code, or of one before.
function row_before(piece_number,    row) {
    row = 1
    while (row < pieces && piece_in[row + 1] <= piece_number) row++
    return row
}
