# recurrences.awk: part of arithmetic.awk. Finds the numbers of which each round of a loop makes new ones, as a random generator
# or a checksum does. They are data, though nothing loads them: unrolling the loop saves none of these instructions.

# Keeps for each of the piece's instructions what it does with registers: which one it writes, of which ones, and how.
function note_flow(    i, op) {
    for (i = 1; i <= noted; i++) {
        op = instruction[i]
        writes_to[ended, i] = name_of(to[i])
        made_of[ended, i] = registers_of(from[i]) " " (op ~ /^(mov|lea|set|cvt|p?sqrt)/ ? "" : operands[i] < 3 ? writes_to[ended, i] : registers_of(middle[i]))
        if (op == "call") flow[ended, i] = "call"
        else if (op ~ /^(j|push|pop|nop|ret|rep|cmp|test|uc?omis|comis)/ || writes_to[ended, i] == "") flow[ended, i] = ""
        else if (op ~ /^p?xor/ && from[i] == to[i] || op ~ /^set/) { flow[ended, i] = "copy"; made_of[ended, i] = "" }
        else if (op ~ /^mov/ && is_load(from[i])) flow[ended, i] = "load"
        else flow[ended, i] = op ~ /^c?mov/ || is_step(i) ? "copy" : "new"
    }
}

# The registers and the place on the stack in an operand, with spaces between them
function registers_of(operand,    part, n, k, list) {
    if (name_of(operand) != "") return name_of(operand)
    n = address_parts(operand, part)
    for (k = 1; k <= n; k++) if (part[k] in register) list = list " " register[part[k]]
    return list
}

# Sets is_left_out[] to the pieces of the loop that some rounds leave out.
function find_left_out(start,    i, until) {
    split("", is_left_out)
    for (i = start; i <= ended; i++) {
        if (i < until) is_left_out[i]
        if (goes_to[i] in seen) until = later(until, seen[goes_to[i]])
    }
}

# Does each round of the loop that ends here make a new number of the old one in the register? Levels: 1 is a copy of the old
# number, 2 a new one that constants make of it, 3 another new one. A step of a constant size is a copy. Of a constant, constants
# make numbers that nvcc knows.
function is_recurrent(name, start,    i, j, k, n, part, most, others, level, skipped) {
    level[name] = 1
    for (i = start; i <= ended; i++) {
        for (k in skipped) if (!(i in is_left_out)) { level[k] = later(level[k], skipped[k]); delete skipped[k] }
        for (j = 1; j <= kept[i]; j++) {
            if (flow[i, j] == "") continue
            if (flow[i, j] == "call") { for (k in lost_by_calls) level[k] = 0; continue }
            most = others = 0
            n = split(made_of[i, j], part, " ")
            for (k = 1; k <= n; k++) {
                most = later(most, level[part[k]])
                if (!level[part[k]]) others = later(others, is_written(part[k], start) ? 2 : 1)
            }
            if (most && flow[i, j] != "copy" && !(adds(i, j) && others < 2))
                most = others || flow[i, j] == "load" ? 3 : later(most, 2)
            if (i in is_left_out) skipped[writes_to[i, j]] = later(skipped[writes_to[i, j]], level[writes_to[i, j]])
            level[writes_to[i, j]] = most
        }
    }
    return level[name] == 3 || level[name] == 2 && !is_constant_before(name, start)
}

# Does the instruction add? If it adds a number that is the same in all rounds, that is a step.
function adds(i, j) {
    return kept_instruction[i, j] ~ /^(add|sub|lea)[lq]$/
}

# How the register got what it holds before an instruction, as in flow[]: sets defined_in and defined_at to the place. None if
# the function does not write it before.
function definition(name, at, i) {
    for (i--; at >= function_start; i = kept[--at])
        for (; i > 0; i--) {
            if (flow[at, i] == "call" && name in lost_by_calls) return "call"
            if (writes_to[at, i] != name || flow[at, i] == "" || flow[at, i] == "call") continue
            defined_in = at
            defined_at = i
            return flow[at, i]
        }
    return ""
}

# Did only constants make what the register holds before a piece?
function is_constant_before(name, at,    i, n, part, how) {
    while ((how = definition(name, at, i)) ~ /^(copy|new)$/) {
        at = defined_in
        i = defined_at
        n = split(made_of[at, i], part, " ")
        if (n == 0) return kept_operands[at, i] ~ /^\$/ || kept_instruction[at, i] ~ /xor/
        if (n > 1 && part[1] != part[2]) return 0
        name = part[1]
    }
    return 0
}

# The same as note_data for a loop of several pieces. What they compute with data is counted again for those in no inner loop.
function note_loop_data(start,    i, j, names, name, recurrent) {
    find_left_out(start)
    for (i = start; i <= ended; i++)
        for (j = 1; j <= kept[i]; j++)
            if (flow[i, j] == "new" && writes_to[i, j] !~ /^x/) names[writes_to[i, j]]
    for (name in names) if (is_recurrent(name, start)) { recurrent[name]; data[name] }
    for (i = start; i <= ended; i++) {
        noted = 0
        note_again(i)
        for (name in recurrent) if (i == start || i in is_left_out) data[name]
        back = i == ended
        note_data()
        if (i < ended && !(i in closed)) count_data(i)
    }
}

# Counts again what a piece computes with data.
function count_data(at,    row) {
    row = row_of_piece[at]
    if (flags_of_data && goes_to[at] != "" && !(at in data_branch)) {
        data_branch[at]
        if (row) piece_branch[row] += BRANCH
    }
    if (!row) return
    count_piece()
    piece_data[row] += data_issue - data_of[at]
    if (piece_data[row] > piece_issue[row]) piece_data[row] = piece_issue[row]
    data_of[at] = data_issue
    piece_logic[row] += logic - logic_of[at]
    logic_of[at] = logic
}
