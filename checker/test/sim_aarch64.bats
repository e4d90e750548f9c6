#!/usr/bin/env bats
# What reads g++'s assembly reads that of aarch64 too. checker/test/aarch64 runs programs; here only text is compared.
bats_require_minimum_version 1.5.0

setup() {
    load helper
    TRANSLATE=$TOP/checker/sim/translate
}

# A piece of what g++ 12 makes of `s += a * b[i]` in a loop, and of conversions and divisions.
aarch64_piece() {
    cat <<'END'
	.arch armv8-a
	.file 1 "axpy.cu"
_Z4axpyPf:
	.loc 1 7 3
.L3:
	bl	__sanitizer_cov_trace_pc
	fmul	s0, s0, s8
	fadd	s0, s0, s9
	fmadd	d1, d2, d3, d4
	fcvt	d0, s0
	scvtf	s1, w0
	scvtf	d1, w0
	sdiv	w0, w1, w2
	udiv	x0, x1, x2
	fmov	s1, s2
	bne	.L3
	fdiv	s0, s0, s1
	ret
END
}

count_arithmetic() {
    local part parts=()
    for part in arithmetic instructions integers loops branches recurrences waits divisions local lines; do parts+=(-f "$TRANSLATE/assembly/$part.awk"); done
    awk -v include=/nowhere/ "${parts[@]}"
}

# The columns are those of KINDS in arithmetic.awk: float add, multiply, divide, the same of double, convert, div, divq.
@test "arithmetic is counted in aarch64's assembly, by the type of its registers" {
    aarch64_piece | count_arithmetic >"$BATS_TEST_TMPDIR/out"
    cat "$BATS_TEST_TMPDIR/out"
    diff <(sed -n '/\.warpup\.arithmetic/,$p' "$BATS_TEST_TMPDIR/out" | grep '\.short') - <<'END'
	.short	0, 1, 1, 0, 1, 1, 0, 2, 1, 1
	.short	0, 0, 0, 1, 0, 0, 0, 0, 0, 0
END
}

# The processor does not stop there, as that of x86-64 does.
@test "before each division of integers on aarch64 the divisor is compared with zero" {
    aarch64_piece | count_arithmetic >"$BATS_TEST_TMPDIR/out"
    diff <(grep -B 2 '	[su]div	' "$BATS_TEST_TMPDIR/out") - <<'END'
	cbnz	w2, .+8
	bl	warpup_divided_by_zero
	sdiv	w0, w1, w2
	cbnz	x2, .+8
	bl	warpup_divided_by_zero
	udiv	x0, x1, x2
END
}

@test "on aarch64 a counter is counted before a call, where x16 and x17 are free, and else keeps them" {
    aarch64_piece | count_arithmetic >"$BATS_TEST_TMPDIR/out"
    [ "$(grep -c 'warpup_counters$' "$BATS_TEST_TMPDIR/out")" = 2 ]
    # The first is before the call, and the second saves the registers.
    grep -A 8 '^\.L3:' "$BATS_TEST_TMPDIR/out" | sed -n 2p | grep -q gottprel
    [ "$(grep -c 'stp	x16, x17' "$BATS_TEST_TMPDIR/out")" = 1 ]
    grep -B 9 '	fdiv' "$BATS_TEST_TMPDIR/out" | grep -q 'stp	x16, x17'
    run ! grep '%r11' "$BATS_TEST_TMPDIR/out"
}

@test "the place of a counter beyond 4096 bytes is in two parts on aarch64" {
    { printf '\t.arch armv8-a\nf:\n\t.loc 1 1 1\n' && for i in {1..600}; do printf '\tfadd\ts0, s0, s1\n\tb\t.L%d\n' "$i"; done; } |
        count_arithmetic >"$BATS_TEST_TMPDIR/out"
    [ "$(grep -c '#1, lsl #12' "$BATS_TEST_TMPDIR/out")" = 88 ]
    run ! grep -E '\[x16, #(4096|[5-9][0-9]{3}|[0-9]{5})\]' "$BATS_TEST_TMPDIR/out"
}

# f: the first block, one that jumps over the next, a loop of two blocks, one that only goes on, the end.
blocks() { # CALL
    printf '\t.cfi_startproc\n'
    printf '\t%s\t__sanitizer_cov_trace_pc // %s\n' "$1" first
    printf '\tb.eq\t.L2\n'
    printf '\t%s\t__sanitizer_cov_trace_pc // %s\n' "$1" forward
    printf '.L2:\n.L3:\n\tmov\tw1, w0\n'
    printf '\t%s\t__sanitizer_cov_trace_pc // %s\n' "$1" head
    printf '\tcbz\tw0, .L4\n'
    printf '\t%s\t__sanitizer_cov_trace_pc // %s\n' "$1" inside
    printf '\tmov\tw1, w0\n.L4:\n'
    printf '\t%s\t__sanitizer_cov_trace_pc // %s\n' "$1" back
    printf '\tb.eq\t.L5\n\tmov\tw1, w0\n.L5:\n\ttbnz\tw0, 3, .L3\n'
    printf '\t%s\t__sanitizer_cov_trace_pc // %s\n' "$1" end
    printf '\tret\n\t.cfi_endproc\n'
}

@test "only a function's first block and those of jumps back are announced" {
    local call
    for call in bl call; do
        diff <(blocks "$call" | awk -f "$TRANSLATE/assembly/blocks.awk" | sed -n 's|.*pc // ||p') - <<'END'
first
head
back
END
    done
    diff <(blocks bl) <(blocks bl | sed 's/\tret/\tbr\tx0/' | awk -f "$TRANSLATE/assembly/blocks.awk" | sed 's/\tbr\tx0/\tret/')
}

@test "accesses to members of vectors and to structs are marked on aarch64 as on x86-64" {
    local call
    cat >"$BATS_TEST_TMPDIR/accesses" <<'END'
;; Function warpup_members_16 (warpup_members_16, funcdef_no=1)
  _1 = &[runtime.h:1:1] _9->xD.77;
  [runtime.h:1:1] __tsan_read4D.2217 (_1);
;; Function copy (_Z4copyPK6float4, funcdef_no=2)
  _7 = &[copy.cu:5:23] _4->xD.77;
  [copy.cu:5:23] __tsan_read4D.2217 (_7);
END
    for call in 'call	*__tsan_read4@GOTPCREL(%rip)' 'bl	__tsan_read4'; do
        printf '\t.file 1 "copy.cu"\n\t.type	_Z4copyPK6float4, %%function\n\t.loc 1 5 23\n\t%s\n' "$call" >"$BATS_TEST_TMPDIR/s"
        run -0 awk -f "$TRANSLATE/classes.awk" -f "$TRANSLATE/members.awk" part=1 "$BATS_TEST_TMPDIR/accesses" part=2 "$BATS_TEST_TMPDIR/s"
        [ "${lines[-1]}" = $'\t'"${call/__tsan_read4/warpup_read4_of16_x}" ]
    done
}
