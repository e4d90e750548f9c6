# loops.awk: part of arithmetic.awk. Finds the loops of the code, and what nvcc does with each: it unrolls those that add a
# constant in each round, as a whole if they also end at a constant. In others each round waits for its loads, and so do rounds
# in which data decide where to go on.

# Remembers the registers that hold an address plus a multiple of another register: the end of a loop over pointers whose
# number of rounds is not a constant.
function note_ends(    i) {
    for (i = 1; i <= noted; i++) {
        if (instruction[i] ~ /^(cmp|test|call|j|push|pop)/ || name_of(to[i]) == "") continue
        if (instruction[i] == "leaq" && from[i] ~ /^\(%[a-z0-9]+,%/ || instruction[i] == "addq" && name_of(from[i]) != "")
            variable_end[name_of(to[i])]
        else if (!(instruction[i] == "movq" && name_of(from[i]) in variable_end)) delete variable_end[name_of(to[i])]
        else variable_end[name_of(to[i])]
    }
}

# Does the loop that ends here go on until a register to which it adds another one is large enough?
function ends_by_stride(    i, a, b) {
    a = name_of(from[noted - 1])
    b = name_of(to[noted - 1])
    for (i = noted - 2; i > 0; i--)
        if (name_of(to[i]) != "" && (name_of(to[i]) == a || name_of(to[i]) == b)) return instruction[i] ~ /^(add|sub|lea)[lq]$/
    return 0
}

# Notes which registers and places on the stack hold a number to which a constant was added, and in which piece that was.
function note_steps(    i, name, source) {
    for (i = 1; i <= noted; i++) {
        name = name_of(to[i])
        source = name_of(from[i])
        if (is_step(i)) {
            stepped[name] = ended
            step_of[name] = origin(instruction[i] ~ /^lea/ ? base_of(from[i]) : name, i)
            continue
        }
        if (instruction[i] ~ /^(add|sub|lea|imul|s[ah][lr]|and|or|cmov[a-z]+)[lq]$/) computed[ended, name]
        if (name != "" && instruction[i] ~ /^mov[lq]$/ && source in stepped) {
            stepped[name] = later(stepped[name], stepped[source])
            step_of[name] = step_of[source]
        }
    }
}

# Does the piece end with a comparison of a register to which it adds a constant? Such a loop is unrolled: 1. If its end is
# a constant, all of it is: 2. g++ compares a pointer then, or a number with a constant.
function is_counted(    op, end) {
    op = instruction[noted - 1]
    if (op ~ /^(add|sub)/ && is_step(noted - 1)) return 2
    if (op !~ /^cmp/) return 0
    end = op == "cmpq" && !(name_of(from[noted - 1]) in variable_end) && !(name_of(to[noted - 1]) in variable_end) ||
        from[noted - 1] ~ /^\$/ ? 2 : 1
    return is_stepped(name_of(from[noted - 1])) || is_stepped(name_of(to[noted - 1])) ? end : 0
}

# Does the loop that ends here add a constant to the register? A loop may also have its end in the middle. If the piece
# computes the register in another way, that was another number.
function is_stepped(name,    i) {
    if (name == "" || !(name in stepped)) return 0
    for (i = noted - 1; i > 0; i--)
        if (name_of(to[i]) == name && instruction[i] ~ /^(add|sub|lea|imul|s[ah][lr]|and|or)[lq]$/ && !is_step(i)) return 0
    for (i = back ? seen[from[noted]] + 0 : ended; i <= ended; i++) if ((i, step_of[name]) in computed) return 0
    return stepped[name] >= (back ? seen[from[noted]] + 0 : ended)
}

# The register or the place on the stack from which the piece has copied what the register holds before an instruction
function origin(name, i) {
    for (i--; i > 0; i--) {
        if (name_of(to[i]) != name || instruction[i] ~ /^(cmp|test|call|j|push|c[lq]t)/) continue
        if (instruction[i] !~ /^mov[lq]$/ || name_of(from[i]) == "") return name
        name = name_of(from[i])
    }
    return name
}

# The register to which an address adds a constant
function base_of(operand,    part) {
    return address_parts(operand, part) ? name_of(part[1]) : ""
}

# Notes the innermost loop of each piece from this one on: where it begins. A loop that goes back in several places is one.
function note_loop(start,    i) {
    for (i = start; i <= ended; i++)
        if (!(i in loop_of)) loop_of[i] = start
}

# Keeps the piece's instructions until its loop ends.
function keep_piece(    i) {
    kept[ended] = noted
    for (i = 1; i <= noted; i++) {
        kept_instruction[ended, i] = instruction[i]
        kept_operands[ended, i] = from[i] "\t" middle[i] "\t" to[i] "\t" operands[i]
        if (is_ours[i]) kept_ours[ended, i]
    }
}

# Makes the piece's instructions be noted again, after those that are.
function note_again(number,    i, part) {
    for (i = 1; i <= kept[number]; i++) {
        instruction[++noted] = kept_instruction[number, i]
        split(kept_operands[number, i], part, "\t")
        from[noted] = part[1]
        middle[noted] = part[2]
        to[noted] = part[3]
        operands[noted] = part[4]
        is_ours[noted] = (number, i) in kept_ours
    }
}

# The same as run_loop for all pieces of a loop, as if they followed each other. Inner loops are left out.
function run_rounds(start,    i, clocks) {
    noted = 0
    for (i = start; i <= ended; i++) if (!(i in closed)) note_again(i)
    find_joined()
    clocks = run_loop()
    noted = 0
    note_again(ended)
    return clocks
}

# Do data decide where one of the loop's pieces goes on? Loads of the next round do not pass the branch.
function has_data_branch(start,    i) {
    for (i = start; i < ended; i++) if (i in data_branch && !is_predicated(i) && !(i in closed)) return 1
    return 0
}

# Sets what is known of the loop that ends here: of its pieces that are in no inner loop. Where each round needs what the one
# before has loaded, but has no branches, nvcc makes the other loads of some rounds ahead.
function end_loop(start,    i, size, branches) {
    for (i = start; i <= ended; i++) if (!(i in closed)) size += kept[i]
    for (i = start; i <= ended && size > LARGE; i++) if (!(i in closed)) large[i]
    load_time = 1000
    branches = !counted || has_slow(start) || waits_for_data
    if (branches || run_rounds(start) >= load_time)
        for (i = start; i <= ended; i++) if (!(i in closed)) {
            rolled[i]
            if (!branches) loads_ahead[i]
        }
    if (counted < 2)
        for (i = start; i <= ended; i++) if (!(i in closed)) looped[i]
    for (i = start; i <= ended; i++) {
        if (counted) closed_by_count[i]
        closed[i]
    }
    load_time = 0
}

# nvcc also unrolls a loop with branches as a whole if its number of rounds is a constant. Then half of what its other pieces
# need are parts of addresses that become constants.
function unroll(start,    i) {
    for (i = pieces; i > 0 && piece_in[i] >= start; i--) {
        if (!is_unrolled[i]) piece_issue[i] -= (piece_issue[i] - piece_data[i]) / 2
        is_unrolled[i] = 1
    }
}

# Notes the last piece of a loop, and if only data decide there whether it goes on.
function note_end(start, by_data) {
    if (by_data) data_end[start] = ended
    else delete data_end[start]
}

# A loop that goes on only if its data say so is not unrolled.
function undo_unrolling(    i, start) {
    for (start in data_end)
        for (i = 1; i <= pieces; i++) {
            if (piece_in[i] < start + 0 || piece_in[i] > data_end[start] || !is_unrolled[i] || piece_in[i] in closed_by_count) continue
            piece_issue[i] += piece_unrolled[i]
            piece_unrolled[i] = 0
        }
}

# Of a loop that nvcc unrolls, rounds overlap, unless they have branches for rare cases.
function overlap(start,    i) {
    for (i = pieces; i > 0 && piece_in[i] >= start; i--) {
        if (!overlaps[i]) piece_depth[i] = later(piece_alone[i], int(piece_depth[i] / OVERLAP))
        overlaps[i] = 1
    }
}
