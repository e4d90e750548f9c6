# branches.awk: part of arithmetic.awk. Finds where the code goes on after each piece, and which branches nvcc does not make: it
# predicates a few instructions. The warp executes them then, and does not wait until it knows where it goes on.

# Notes where the piece may go on, and how much it computes.
function note_way(    i) {
    size_of[ended] = 0
    goes_to[ended] = ends_at[ended] = ""
    for (i = 1; i <= noted; i++) {
        if (instruction[i] == "call") {
            if (function_name(from[i]) !~ /^(__tsan|__sanitizer|warpup_(read|write))/) is_heavy[ended]
            else if (function_name(from[i]) !~ /sanitizer/) size_of[ended] += 2 # with its address
        } else if (instruction[i] ~ /^i?div/) is_heavy[ended]
        else if (instruction[i] !~ /^(mov|push|pop|nop|c[lwq]t|j|lea)/) size_of[ended]++
    }
    if (instruction[noted] == "jmp") ends_at[ended] = from[noted]
    else if (instruction[noted] ~ /^j/) goes_to[ended] = from[noted]
    if (instruction[noted] ~ /^j/ && from[noted] in seen) is_heavy[ended]
    for (i = 1; i <= noted; i++) if (instruction[i] ~ /^(cmp|test|u?comis)/) compares_floats = instruction[i] ~ /comis/
    if (!block_line && goes_to[ended] != "" && noted <= 2 && instruction[1] ~ /^(cmp|test|j)/ && !compares_floats) chooses[ended]
}

# Does the branch choose a case of a switch? g++ makes some in a row for it, and these are no basic blocks of the source. nvcc
# does not predicate the cases.
function is_choice(at) {
    return at in chooses || at + 1 in chooses
}

# Does nvcc predicate what follows the branch at the end of a piece? It is between the branch and its target, or at the
# target, if g++ has moved it out of the way.
function is_predicated(at,    target, i, size) {
    if (!(goes_to[at] in seen) || is_choice(at)) return 0
    target = seen[goes_to[at]]
    if (target <= at) return 0
    if (target > at + FAR) return ends_at[target] != "" && !(target in is_heavy) && size_of[target] <= PREDICATED
    for (i = at + 1; i < target; i++) {
        if (i in is_heavy) return 0
        size += size_of[i]
    }
    return size <= PREDICATED
}

# Takes away the branches that nvcc does not make, in pieces from this one on: of a loop that is unrolled, or, from 0, where
# there is no loop. In other loops each round waits for the predicate.
function predicate(start,    i) {
    for (i = pieces; i > 0 && piece_in[i] >= start; i--) {
        if (!piece_branch[i] || !start && piece_in[i] in loop_of || !is_predicated(piece_in[i])) continue
        piece_branch[i] = 0
        piece_depth[i] = piece_straight[i]
    }
}

# Do data decide in one of the other pieces of the loop that ends here, besides this one, that it is left? nvcc does not unroll
# it as a whole.
function has_exit(start, besides,    i) {
    for (i = start; i < ended; i++) if (i != besides && i in data_branch && leaves(i)) return 1
    return 0
}

# Does the piece's branch leave the loop that ends here?
function leaves(at) {
    return goes_to[at] != "" && !(goes_to[at] in seen)
}

# Does the loop go on at the branch's target, and leave by what g++ has put before that?
function stays(at,    last) {
    if (goes_to[at] == "" || !(goes_to[at] in seen) || seen[goes_to[at]] <= at + 1) return 0
    for (last = seen[goes_to[at]] - 1; last > at && !kept[last]; last--) continue
    return ends_at[last] != "" && !(ends_at[last] in seen)
}

# What is_counted says of the loop that ends here; 0 if there is none, or if nvcc does not unroll it.
function kind_of_loop(    start) {
    if (instruction[noted] !~ /^j/) return 0
    if (!back) return instruction[noted] == "jmp" ? 0 : is_counted()
    start = seen[from[noted]] + 0
    if (instruction[noted] == "jmp") return is_counted_inside(start)
    return has_exit(start, ended) ? 0 : is_counted()
}

# The same as is_counted for a loop that ends with a jump back, and is left from another piece.
function is_counted_inside(start,    i, is, label) {
    for (i = ended - 1; i >= start && !leaves(i) && !stays(i); i--) continue
    if (i < start || has_exit(start, i)) return 0
    label = from[noted]
    noted = 0
    note_again(i)
    from[noted] = label
    is = is_counted()
    noted = 0
    note_again(ended)
    return is
}

# Notes that a piece begins with a label to which a table jumps: a case of a switch.
function note_case(label) {
    if (label in jumped_to) is_case[ended + 0]
}

# Sets the clocks that a warp loses whenever only some of its lanes run a piece: the first one after a branch that data decide.
function find_splits(    at, body) {
    for (at in data_branch) {
        if (is_predicated(at) || !(goes_to[at] in seen)) continue
        body = is_choice(at) || seen[goes_to[at]] > at + FAR ? seen[goes_to[at]] : at + 1
        if (body in row_of_piece && body in loop_of) piece_split[row_of_piece[body]] = SPLIT
    }
}

# Sets conditional[] to the pieces that run only if data say so.
function find_conditional(    at, i) {
    for (at in data_branch)
        if (goes_to[at] in seen)
            for (i = at + 1; i < seen[goes_to[at]] && i < at + FAR; i++) conditional[i]
}

# Adds to the branches that data decide what follows them: predicated instructions wait for the comparison, and where a branch
# and what it leaves out end, lanes wait for each other. Those that leave a loop wait once, behind it.
function add_branch_costs(    at, last) {
    for (at in loop_of) last[loop_of[at]] = later(last[loop_of[at]], at + 0)
    for (at in data_branch) {
        if (!(at in row_of_piece)) continue
        if (is_predicated(at)) {
            if (piece_branch[row_of_piece[at]] == BRANCH) piece_branch[row_of_piece[at]] = GUARD
        } else if (goes_to[at] in seen && !(at in loop_of && goes_past(at, last[loop_of[at]])))
            piece_branch[row_of_piece[at]] += CONVERGE
    }
}

# Is the branch's target behind this piece, where g++ has not moved it out of the way?
function goes_past(at, last) {
    return seen[goes_to[at]] > last && seen[goes_to[at]] <= at + FAR
}

# A warp issues what nvcc predicates whether or not one of its lanes needs it: it is counted with the branch.
function issue_predicated(    at, i) {
    for (at in data_branch) {
        if (!(at in row_of_piece) || !(at in loop_of) || !is_predicated(at)) continue
        for (i = at + 1; i < seen[goes_to[at]] && i <= at + FAR; i++) move_issue(i, row_of_piece[at])
        if (seen[goes_to[at]] > at + FAR) move_issue(seen[goes_to[at]] + 0, row_of_piece[at])
    }
}

# Makes another row count what a piece issues.
function move_issue(at, row,    before) {
    if (!(at in row_of_piece) || (before = row_of_piece[at]) == row || piece_in[before] != at) return
    piece_issue[row] += piece_issue[before]
    piece_logic[row] += piece_logic[before]
    piece_issue[before] = piece_logic[before] = 0
}
