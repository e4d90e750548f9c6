# check.bats: what a check of matvec verifies, one test a criterion of ladder.tsv and in its order.
# `make check` runs the program and the judge first; a test here looks one answer up.
load ../../checker/show/criteria

@test "compiles" { criterion compiles; }
@test "runs to its end and prints its lines" { criterion runs; }
@test "runs a kernel" { criterion kernel; }
@test "is right for M N = {sizes}" { criterion right; }
@test "makes no memory fault, no race, no leak" { criterion clean; }
@test "stops the watch after the kernel" { criterion timer; }
@test "times the kernel alone" { criterion times_kernel_only; }
@test "many threads share the work" { criterion threads; }
@test "fetches x once for many rows" { criterion reuse; }
@test "neighbouring threads read neighbouring elements of A" { criterion coalesced; }
@test "reaches 50 % of the copy rate" { criterion half; }
@test "runs a kernel of its own" { criterion own; }
@test "moves at least 8 bytes a thread with almost every access" { criterion vector; }
@test "reaches 70 % of the copy rate" { criterion full; }
