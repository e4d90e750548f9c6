# arithmetic.awk: has the device image count its arithmetic. Reads the assembly that g++ made and
# puts a counter into each piece of it that computes and runs from its beginning to its end:
#
#       movq    warpup_counters@gottpoff(%rip), %r11
#       movq    %fs:(%r11), %r11                    those of the running worker
#       incq    8*COUNTER(%r11)
#
# A piece begins after a label or a jump. Nearly every one calls the coverage callback, and before a call of another
# library's function %r11 and the flags are free. aarch64 has x16 and x17 for this, which are free before any call; there
# g++ begins with the line .arch, and integers can be divided by zero there: before each division the divisor is compared
# with zero. What a piece computes is in the section .warpup.arithmetic, a row for
# each of its source lines: a place in the code, the counter, and how many operations of each kind, in the order of
# arithmetic.h. Variable: include, the folder of our headers.

BEGIN {
    FS = "[ \t]+"
    COUNTERS = 16384 # arithmetic.c has room for no more
    KINDS = split("addss mulss divss addsd mulsd divsd convert div divq", kinds, " ")
    for (k = 1; k <= KINDS; k++) kind[kinds[k]] = kinds[k]
    kind["subss"] = "addss"
    kind["subsd"] = "addsd"
    kind["sqrtss"] = "divss"
    kind["sqrtsd"] = "divsd"
    kind["cvtss2sd"] = kind["cvtsd2ss"] = "convert" # from or to double
    kind["cvtsi2sdl"] = kind["cvtsi2sdq"] = kind["cvttsd2sil"] = kind["cvttsd2siq"] = "convert"
    kind["divb"] = kind["divw"] = kind["divl"] = "div"
    kind["idivb"] = kind["idivw"] = kind["idivl"] = "div"
    kind["idivq"] = "divq"
}

$2 == ".arch" { aarch64 = 1 }
/^[^ \t.#]|^\.L[0-9]+:/ { end_piece() } # a label that can be jumped to
{ piece[++lines] = $0 }
$2 == ".file" { ours[$3] = index($0, "\"" include) > 0 }
$2 == ".loc" { file = $3; line = $3 " " $4 }
/^\.LBI/ { inlined = $1 } # another function's code begins
aarch64 { take_aarch64() }
$2 == "call" { take_call($3) }
$2 in kind { count(kind[$2]) }
/^\t[a-z]/ { note_instruction() }
/^\.L[0-9]+:/ { seen[substr($1, 1, length($1) - 1)] = ended + 0; note_case(substr($1, 1, length($1) - 1)) }
/^\t\.(long|quad)\t\.L[0-9]+(-\.L[0-9]+)?$/ { jumped_to[substr($3, 1, index($3 "-", "-") - 1)] }
$2 ~ /^j|^ret$/ { end_piece() }
/^\t\.cfi_startproc/ { function_start = ended + 0 }
/^\t\.cfi_endproc/ { find_waits() }
END {
    end_piece()
    print_instructions()
    if (rows > 0) print "\t.section\t.warpup.arithmetic,\"a\",@progbits\n\t.balign\t4"
    for (row = 1; row <= rows; row++) {
        printf "\t.long\t.Lwarpup%d-., %d\n\t.short\t0", row, counter[row]
        for (k = 1; k <= KINDS; k++) printf ", %d", counts[row, kinds[k]]
        printf "\n"
    }
}

# A library's function is called through a table. fmaf() and fma() are one instruction on a GPU.
function take_call(target) {
    if (target !~ /^\*[A-Za-z_]/) return
    if (!place) place = lines
    if (target ~ /^\*fmaf@/) { count("addss"); count("mulss") }
    if (target ~ /^\*fma@/) { count("addsd"); count("mulsd") }
}

# The first letter of a register says its type: s and d are float and double, w and x are integers of 4 and 8 bytes.
function take_aarch64(    to, from, real) {
    to = substr($3, 1, 1)
    from = substr($4, 1, 1)
    real = to == "s" ? "ss" : "sd"
    if ($2 == "bl" && !place) place = lines
    if ($2 ~ /^[su]div$/) {
        count(to == "x" ? "divq" : "div")
        piece[lines] = "\tcbnz\t" $5 ", .+8\n\tbl\twarpup_divided_by_zero\n" piece[lines]
    }
    if ($2 ~ /^[su]cvtf$/ && to == "d" || $2 ~ /^fcvtz[su]$/ && from == "d" || $2 == "fcvt" && (to from == "sd" || to from == "ds"))
        count("convert")
    else if (to ~ /[sd]/) {
        if ($2 ~ /^f(add|sub|n?madd|n?msub)$/) count("add" real)
        if ($2 ~ /^f(n?mul|n?madd|n?msub)$/) count("mul" real)
        if ($2 ~ /^f(div|sqrt)$/) count("div" real)
    }
    if ($2 ~ /^(b|b\.?(eq|ne|cs|cc|hs|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le|al|any|none)|cbn?z|tbn?z|br)$/) end_piece()
}

# Counts an operation for the last source line that was seen. Functions in our headers compute differently from those of
# a GPU.
function count(what,    here) {
    if (ours[file] || (!first && counters == COUNTERS)) return
    if (!first) { first = lines; counters++ }
    here = line " " inlined
    if (!(here in row_of)) {
        row_of[here] = ++rows
        counter[rows] = counters - 1
        piece[lines] = piece[lines] "\n.Lwarpup" rows ":"
    }
    counts[row_of[here], what]++
}

function end_piece(    i) {
    end_instructions()
    for (i = 1; i <= lines; i++) {
        if (first && i == (place ? place : first)) {
            if (aarch64) print_aarch64_counter(8 * (counters - 1), place != 0)
            else print_counter(8 * (counters - 1), place != 0)
        }
        print piece[i]
    }
    lines = first = place = 0
    split("", row_of)
}

# The two parts of a counter's place: an addition has 12 bits for it, the rest of it is moved by 12.
function print_aarch64_counter(at, is_free) {
    if (!is_free) print "\tstp\tx16, x17, [sp, #-16]!"
    print "\tadrp\tx16, :gottprel:warpup_counters\n\tldr\tx16, [x16, :gottprel_lo12:warpup_counters]"
    print "\tmrs\tx17, tpidr_el0\n\tldr\tx16, [x17, x16]"
    if (at >= 4096) print "\tadd\tx16, x16, #" int(at / 4096) ", lsl #12"
    print "\tldr\tx17, [x16, #" at % 4096 "]\n\tadd\tx17, x17, #1\n\tstr\tx17, [x16, #" at % 4096 "]"
    if (!is_free) print "\tldp\tx16, x17, [sp], #16"
}

# Where no register is free, the code restores the registers and keeps the flags.
function print_counter(at, is_free) {
    if (!is_free) print "\tpushq\t%r11\n\tpushq\t%rax"
    print "\tmovq\twarpup_counters@gottpoff(%rip), %r11\n\tmovq\t%fs:(%r11), %r11"
    if (is_free) print "\tincq\t" at "(%r11)"
    else print "\tmovq\t" at "(%r11), %rax\n\tleaq\t1(%rax), %rax\n\tmovq\t%rax, " at "(%r11)"
    if (!is_free) print "\tpopq\t%rax\n\tpopq\t%r11"
}
