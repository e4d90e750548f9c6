# blocks.awk: removes announcements of basic blocks that the simulated GPU does not need. Reads the assembly of the
# device image, and writes it without some of these lines:
#
#       call    *__sanitizer_cov_trace_pc@GOTPCREL(%rip)        on aarch64: bl __sanitizer_cov_trace_pc
#
# They show where a thread jumps back in the code (engine/access.c). That needs the announcements of a function's first
# block, of blocks to which a jump goes back, and of those from which one does. g++ may divide a block after it has
# announced it. So a piece is an announced block with all that follow until the next one, and its jumps are those of all
# of them. Odd functions keep all announcements.

/^\t\.cfi_startproc/ { inside = 1 }
!inside { print; next }
{ line[++lines] = $0 }
/^\.L[^:]*:/ { at[substr($1, 1, index($1, ":") - 1)] = lines }
/^\t(jmp\t\*|notrack|br\t|blr\t|bl\t_Z|call\t(\*%|\*?_Z))/ { is_odd = 1 } # it is not known where this goes, or it has blocks
/^\t(j|b|cb|tb)[a-z.]*\t([^,]*, )*\.L/ { target[lines] = $NF }
/^\t(call|bl)\t\*?warpup_(read|write)[0-9]+_of/ { is_odd = 1 } # members of a vector are joined in each block
/^\t\.cfi_endproc/ { end_function() }

function is_announcement(i) {
    return line[i] ~ /^\t(call|bl)\t\*?__sanitizer_cov_trace_pc/
}

# Which labels begin a block, and which of them follow a jump back?
function find_targets(    i) {
    for (i in target) {
        if (!(target[i] in at)) is_odd = 1
        is_target[at[target[i]]] = 1
        if (at[target[i]] < i + 0) is_back[at[target[i]]] = goes_back[i] = 1
    }
}

# The piece of each line. Its number is that of its announcement; a block begins with labels or after a jump.
function find_pieces(    i, j, begin, has_code, piece) {
    begin = 1
    for (i = 1; i <= lines; i++) {
        if ((i in is_target && has_code) || i - 1 in target) {
            begin = i
            has_code = 0
        }
        if (line[i] ~ /^\t[a-z]/) has_code = 1
        piece_of[i] = piece
        if (!is_announcement(i)) continue
        if (!piece) keep[i] = 1
        piece = i
        for (j = begin; j <= i; j++) {
            piece_of[j] = piece
            announced[j] = 1
        }
    }
}

function end_function(    i) {
    find_targets()
    find_pieces()
    for (i in goes_back)
        keep[piece_of[i]] = 1
    for (i in is_back)
        keep[piece_of[i]] = 1
    for (i in target)
        if (!(at[target[i]] in announced) && piece_of[at[target[i]]] != piece_of[i]) keep[piece_of[i]] = 1
    for (i = 1; i <= lines; i++)
        if (is_odd || i in keep || !is_announcement(i)) print line[i]
    inside = is_odd = lines = 0
    split("", at); split("", target); split("", is_target); split("", is_back); split("", goes_back)
    split("", piece_of); split("", keep); split("", announced)
}

END {
    for (i = 1; i <= lines; i++)
        print line[i]
}
