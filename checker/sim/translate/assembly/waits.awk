# waits.awk: part of arithmetic.awk. Finds loads that wait for other loads: for a number that is in their address, or that
# decides whether they are made. Loads that wait for none are in flight together, and then those that waited for these.

BEGIN { WAITS = 3; LOOPS = 255 } # the largest numbers in the table

# Sets waits[] of each access of the function that ends: for how many loads of its round it waits, one after another. Sets
# needs_before[] of loops whose rounds need a number that was loaded before the loop.
function find_waits(    i, k) {
    if (aarch64) return
    split("", level)
    split("", from_before)
    split("", moved_level)
    regions = open_loops = 0
    for (i = function_start; i < ended; i++) {
        if (i in loop_end) begin_rounds(i)
        decided_by = moved_level[i] + 0
        for (k = 1; k <= regions; k++) if (i < region_end[k]) decided_by = later(decided_by, region_level[k])
        follow_loads(i)
        note_region(i)
        while (open_loops && loop_end[open_loop[open_loops]] <= i) open_loops--
    }
}

# A loop begins. In its rounds, numbers that were loaded before are there.
function begin_rounds(at,    name, k) {
    open_loop[++open_loops] = at
    loop_of_waits[at] = ++loops_of_waits % LOOPS + 1
    for (name in level) if (level[name] > 0) { from_before[name]; level[name] = 0 }
    for (k = 1; k <= regions; k++) {
        if (region_level[k] > 0 && at < region_end[k]) needs_before[at]
        region_level[k] = 0
    }
    flags_level = 0
}

# Notes that the innermost open loop needs what was loaded before it.
function note_need() {
    if (open_loops) needs_before[open_loop[open_loops]]
}

# Follows the numbers that a piece loads through its registers.
function follow_loads(at,    j, k, n, part, source, op, name, most, before) {
    for (j = 1; j <= kept[at]; j++) {
        op = kept_instruction[at, j]
        split(kept_operands[at, j], part, "\t")
        if ((at, j) in access_at) {
            note_wait(access_at[at, j], part[1] ~ /atomic_[iu]/ ? "si" : "di")
            unused[access_at[at, j]] = is_unused(at, j)
        }
        if (op == "call") {
            most = part[1] ~ /atomic/ ? waits[access_at[at, j]] + 1 : 0
            for (name in lost_by_calls) { level[name] = 0; delete from_before[name] }
            level["a"] = most
            continue
        }
        most = before = 0
        n = split(op ~ /^(cmp|test|u?comis)/ ? registers_of(part[1]) " " registers_of(part[3]) : made_of[at, j], source, " ")
        for (k = 1; k <= n; k++) {
            most = later(most, level[source[k]])
            before = before || source[k] in from_before
        }
        if (op ~ /^(set|cmov)/) { most = later(most, flags_level); before = before || flags_before }
        if (op !~ /^lea/ && (is_load(part[1]) || op ~ /^(cmp|test)/ && is_load(part[3]))) { most++; before = 0 }
        if (op !~ /^(mov|lea|set|cmov|cvt|push|pop|nop|j|ret|c[lwq]t)/) { flags_level = most; flags_before = before }
        if (flow[at, j] == "") continue
        name = writes_to[at, j]
        level[name] = most
        if (before) from_before[name]
        else delete from_before[name]
    }
}

# Sets what is known of an access whose address is in a register.
function note_wait(number, name) {
    waits[number] = later(level[name], decided_by)
    if (waits[number] > WAITS) waits[number] = WAITS
    if (open_loops) access_loop[number] = open_loop[open_loops]
    if (name in from_before) note_need()
}

# Does the piece end with a branch that a loaded number decides? Then accesses up to its target wait for that number, or those
# at its target, if g++ has moved it out of the way.
function note_region(at,    target, i) {
    if (goes_to[at] == "" || !(goes_to[at] in seen)) return
    if (flags_before) note_need()
    target = seen[goes_to[at]]
    if (!flags_level || target <= at) return
    for (i = target; target > at + FAR && i < target + FAR && i < ended; i++)
        if (ends_at[i] in seen && seen[ends_at[i]] > at && seen[ends_at[i]] < target) {
            for (; i >= target; i--) moved_level[i] = flags_level
            return
        }
    region_end[++regions] = target
    region_level[regions] = flags_level
}

# Does nothing in the piece use what an atomic operation returns? Then no thread waits for it.
function is_unused(at, j,    part, n, k) {
    if (kept_operands[at, j] !~ /atomic/) return 0
    for (j++; j <= kept[at] && kept_instruction[at, j] != "call"; j++) {
        n = split(made_of[at, j], part, " ")
        for (k = 1; k <= n; k++) if (part[k] == "a" || part[k] == "x0") return 0
        if (writes_to[at, j] == "a") return 1
    }
    return 1
}

# The number of the access's loop if that needs what was loaded before it; else 0.
function waits_for_loop(number) {
    return number in access_loop && access_loop[number] in needs_before ? loop_of_waits[access_loop[number]] : 0
}
