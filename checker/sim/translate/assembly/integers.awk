# integers.awk: part of arithmetic.awk. Finds how many instructions of a GPU those of g++ are that compute with integers. A GPU
# adds a product, or adds three numbers, in one instruction, and any function of the bits of three numbers is one too.

# Sets joined[] to the piece's instructions that nvcc joins with an earlier one: a sum with the product or the other sum that
# makes one of its operands, an operation on bits with another one, and the steps in which g++ multiplies by a constant.
function find_joined(    i, op, name, kind, left) {
    split("", joined)
    split("", open)
    for (i = 1; i <= noted; i++) {
        op = instruction[i]
        name = name_of(to[i])
        kind = is_ours[i] ? "" : kind_of_integer(i)
        left = kind == "scaled" ? "" : kind
        if (kind != "" && joins(i, kind)) {
            joined[i]
            if (kind != "product") left = ""
        }
        note_uses(i)
        if (op == "call") for (name in lost_by_calls) open[name] = ""
        else if (name != "" && op !~ /^(cmp|test|u?comis|j|push)/) open[name] = left
    }
}

# What the instruction computes: a product with a constant or another number, a sum of two numbers, one of a number and a
# multiple of another one, or a function of bits; "" for others.
function kind_of_integer(i,    op, part, n) {
    op = instruction[i]
    if (op ~ /^imul[lq]$/ || op ~ /^s[ah]l[lq]$/ && from[i] ~ /^\$/) return "product"
    if (op ~ /^(and|or|xor)[lq]$/) return "bits"
    if (op ~ /^add[lq]$/ && from[i] == to[i]) return "product"
    if (op ~ /^(add|sub)[lq]$/) return "sum"
    if (op !~ /^lea[lq]$/) return ""
    n = address_parts(from[i], part)
    if (n == 3) return part[1] == part[2] || part[1] == "" ? "product" : "scaled"
    return n == 2 && from[i] ~ /^-?[1-9]/ ? "" : "sum"
}

# Can nvcc join the instruction with the one that makes one of its operands?
function joins(i, kind,    part, n, k, op) {
    op = instruction[i]
    if (op !~ /^lea/) {
        if (op !~ /^imul/ && can_join(kind, open[name_of(to[i])])) return 1
        return name_of(from[i]) != name_of(to[i]) && can_join(kind, open[name_of(from[i])]) && is_last_use(name_of(from[i]), i)
    }
    n = address_parts(from[i], part)
    for (k = 1; k <= n && k < 3; k++)
        if (part[k] in register && can_join(kind, open[register[part[k]]]) &&
            (register[part[k]] == name_of(to[i]) || is_last_use(register[part[k]], i))) return 1
    return 0
}

function can_join(kind, with) {
    if (kind == "bits" || kind == "product") return with == kind
    return with == "product" || kind == "sum" && with == "sum"
}

# The sources of an instruction are used: what made them cannot be joined with another one. Those that it overwrites may be.
function note_uses(i,    n, name, k, read) {
    read = name_of(to[i]) == "" || instruction[i] ~ /^(cmp|test|cmov)/ ? to[i] : ""
    n = split(registers_of(from[i]) " " registers_of(middle[i]) " " registers_of(read), name, " ")
    for (k = 1; k <= n; k++) open[name[k]] = ""
}

# Does nothing in the piece use the register after an instruction?
function is_last_use(name, i,    k) {
    for (k = i + 1; k <= noted; k++) {
        if (has_register(from[k], name) || has_register(middle[k], name) || address_has(to[k], name)) return 0
        if (instruction[k] == "call" && name in lost_by_calls) return 1
        if (name_of(to[k]) == name) return instruction[k] ~ /^(mov|lea|set)/
    }
    return 1
}

# How many instructions of a GPU one of g++ is. A GPU adds, compares and shifts 32 bits at a time. A division by a constant
# is a product of 32 x 32 bits and a shift that also subtracts. Its remainder is one more instruction. g++ needs more
# instructions: for the upper half, the sign, and the product with the divisor.
function width(i,    op) {
    op = instruction[i]
    if (op == "imulq") return is_wide_product(i) ? 2 : 6 # a product of 64 bits takes the unit twice as long
    if (op == "mulq") return 12 # the upper half of a product of 64 bits: four products, and sums
    if (op == "leaq") return is_multiple(from[i]) ? 3 : 1
    if (divided_at && i > divided_at) {
        if (op == "sarl" && from[i] == "$31") return 0
        if (op == "shrq" && from[i] == "$32") return 0
        if (op == "leal" && from[i] ~ /\(,/) return 0
        if (op == "subl" && instruction[i - 1] ~ /^(lea|sar)/ && to[i] == to[i - 1]) return 0
    }
    if (op ~ /^(shr|sar)q$/ && from[i] ~ /^\$(3[2-9]|[4-6][0-9])$/) return 1 # a part of a quotient
    if (op == "cmpq" && from[i] ~ /^\$/ && !is_stepped(name_of(to[i]))) return 2
    if (i in computes && op ~ /^cmov/ && to[i] ~ /^%r([a-ds][a-z]|[0-9]+)$/) return 2
    return op ~ /^(shr|sar|and|or|xor|not|neg)q$/ ? 2 : 1
}

# Is the address a register plus a multiple of it? Then a number of 64 bits is multiplied.
function is_multiple(operand,    part) {
    return address_parts(operand, part) == 3 && part[1] == part[2]
}

# Does the instruction add a register to a pointer, as a loop does whose step is not a constant? No round knows its address.
function is_stride(i) {
    return instruction[i] == "addq" && from[i] in register && to[i] in register && from[i] != to[i] && back && is_carried(i)
}

# Does it multiply an index by the size of an element? That is one instruction with the sum that follows.
function is_scaling(i) {
    return instruction[i] ~ /^s[ah]lq$/ && from[i] ~ /^\$[1-4]$/
}

# Does the comparison only choose the smaller or larger one of its operands? On a GPU that is one instruction.
function is_extreme(i,    j, a, b) {
    a = name_of(from[i])
    b = name_of(to[i])
    if (a == "" || b == "") return 0
    for (j = i + 1; j <= noted && instruction[j] ~ /^(mov|cmov)/; j++)
        if (instruction[j] ~ /^cmov/) return name_of(from[j]) ~ "^(" a "|" b ")$"
    return 0
}

# Does the instruction multiply two numbers of 32 bits that were extended to 64? That is one instruction.
function is_wide_product(i) {
    return from[i] ~ /^\$/ || is_narrow(name_of(from[i]), i) && is_narrow(name_of(to[i]), i)
}

# Is what the register holds before an instruction a number of 32 bits that was extended to 64, or a constant?
function is_narrow(name, i,    k, op, part) {
    for (k = i - 1; k > 0; k--) {
        op = instruction[k]
        if (op == "cltq" && name == "a") return 1
        if (op ~ /^(cmp|test|j|push|call)/ || name_of(to[k]) != name) continue
        return op ~ /^mov[sz]/ && op !~ /q$/ || op ~ /^movs.q$/ || to[k] ~ /^%(e|r[0-9]+d)/
    }
    if (definition(name, ended, 1) == "") return 0
    split(kept_operands[defined_in, defined_at], part, "\t")
    return part[1] ~ /^\$/ || part[3] ~ /^%(e|r[0-9]+d)/
}

# Does the instruction compare, shift, or combine bits? Only the units for integers do that. Those for floats do some sums,
# products and moves.
function is_logic(i) {
    return instruction[i] ~ /^(and|or|xor|not|s[ah]r|ro[lr]|cmp|test|set|cmov)/
}
