# lines.awk: part of arithmetic.awk. Estimates how many lines of local memory a warp touches with an access. Words with the same
# index are in one line for all lanes, so it touches as many as its lanes have indices.

BEGIN {
    # Clocks of the L1 for a line. It passes on what is stored, to a part of a line mostly. Measured on an H100: histograms of
    # 8 to 64 bins in each thread, and stacks.
    LINE_LOADED = 1; LINE_STORED = 5
    STACK_LINES = 0.5 # of those that indices anywhere would have: lanes are near each other, and half of them push. Measured so
    NEARNESS = 0.4 # if lanes that began together go along the array. Fitted to insertions into 4 and 16 elements on an H100
    ELEMENTS = 32 # of an array whose size is not known
    DEEP = 4 # instructions of several operands: what more of them make of each other counts as data
}

# Notes how large the function's frame is, and where an array begins.
function note_array(base, operand,    part) {
    local_frame[locals] = function_start
    local_base[locals] = base
    local_size[locals] = address_parts(operand, part) == 3 ? part[3] : 4
    array_begins[function_start, base]
    computed_index[locals] = is_computed(local_name[locals], ended, local_at[locals])
}

# How many elements the array of an access has: it reaches to the next one, or to the end of the frame.
function elements_of(k,    f, base, end) {
    f = local_frame[k]
    end = frame_bytes[f]
    for (base = local_base[k] + 16; base < end; base += 4) if ((f, base) in array_begins) end = base
    return end > local_base[k] ? (end - local_base[k]) / local_size[k] : ELEMENTS
}

# The lines of an access if lanes go different ways
function lines_apart(k,    anywhere) {
    anywhere = lines_anywhere(k)
    if (computed_index[k]) return anywhere
    return k in is_stack ? later(1, STACK_LINES * anywhere) : anywhere ^ NEARNESS
}

# The lines of an access if each lane has any index
function lines_anywhere(k,    n) {
    n = elements_of(k)
    return n > 1 ? n * (1 - (1 - 1 / n) ^ 32) : 1
}

function local_clocks(k, lines) {
    return lines * (local_loads[k] * LINE_LOADED + local_stores[k] * LINE_STORED)
}

# Did data make what a register holds before an instruction? Constants and steps do not, nor what is computed of them alone.
function is_computed(name, at, i, depth,    part, n, k, how) {
    while ((how = definition(name, at, i)) ~ /^(copy|new)$/ && depth <= DEEP) {
        at = defined_in
        i = defined_at
        n = split(made_of[at, i], part, " ")
        for (k = 1; k < n; k++) if (is_computed(part[k], at, i, depth + 1)) return 1
        if (n == 0) return 0
        name = part[n]
    }
    return how != ""
}

# Notes which accesses of the loop that ends here have an index that it steps up and down.
function find_stacks(start,    i, j, base, up, down, k) {
    if (!locals || local_in[locals] < start) return
    for (i = start; i <= ended; i++)
        for (j = 1; j <= kept[i]; j++) {
            if (flow[i, j] != "copy" || (base = step_base(i, j)) == "") continue
            if (step_size < 0) down[base]
            else up[base]
        }
    for (base in up) if (!(base in down)) delete up[base]
    for (k = locals; k > 0 && local_in[k] >= start; k--) if (comes_from(k, up)) is_stack[k]
}

# The register that a step changes, or of which it makes another one; none if the instruction is no step. Sets step_size.
function step_base(i, j,    op, part) {
    op = kept_instruction[i, j]
    split(kept_operands[i, j], part, "\t")
    if (op ~ /^lea[lq]$/ && part[1] ~ /^-?[0-9]+\(%[a-z0-9]+\)$/) { step_size = part[1] + 0; return base_of(part[1]) }
    if (op !~ /^(add|sub)[lq]$/ || part[1] !~ /^\$/) return ""
    step_size = substr(part[1], 2) * (op ~ /^sub/ ? -1 : 1)
    return writes_to[i, j]
}

# Is the index of an access one of these registers, copied and stepped?
function comes_from(k, registers,    name, at, i, part) {
    name = local_name[k]
    at = local_in[k]
    i = local_at[k]
    while (!(name in registers)) {
        if (definition(name, at, i) != "copy") return 0
        at = defined_in
        i = defined_at
        if (split(made_of[at, i], part, " ") != 1) return 0
        name = part[1]
    }
    return 1
}
