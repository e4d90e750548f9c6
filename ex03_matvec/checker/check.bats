# check.bats: what a check of matvec verifies: one test per criterion of ladder.tsv, in its order.
# `make check` runs the program and the judge first. A test here only looks up one answer.
load ../../checker/show/criteria

@test "compiles" { criterion compiles; }
@test "runs to its end and prints its lines" { criterion runs; }
@test "runs a kernel" { criterion kernel; }
@test "is right for M N = {sizes}" { criterion right; }
@test "has no memory fault, no race and no leak" { criterion clean; }
@test "stops the timer after the kernel" { criterion timer; }
@test "times only the kernel" { criterion times_kernel_only; }
@test "many threads share the work" { criterion threads; }
@test "loads x once for many rows" { criterion reuse; }
@test "neighbouring threads read neighbours in A" { criterion coalesced; }
@test "reaches 50 % of the copy rate" { criterion half; }
@test "computes with its own kernel" { criterion own; }
@test "moves about 8 bytes per access" { criterion vector; }
@test "reaches 70 % of the copy rate" { criterion full; }
