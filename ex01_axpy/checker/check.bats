# check.bats: what a check of axpy verifies: one test per criterion of ladder.tsv, in its order.
# `make check` runs the program and the judge first. A test here only looks up one answer.
load ../../checker/show/criteria

@test "compiles" { criterion compiles; }
@test "runs to its end and prints its lines" { criterion runs; }
@test "runs a kernel" { criterion kernel; }
@test "is right for n = {sizes}" { criterion right; }
@test "has no memory fault, no race and no leak" { criterion clean; }
@test "stops the timer after the kernel" { criterion timer; }
@test "times only the kernel" { criterion times_kernel_only; }
@test "many threads share the work" { criterion threads; }
@test "neighbouring threads read neighbouring elements" { criterion coalesced; }
@test "fills the GPU" { criterion fills; }
@test "reaches 50 % of the copy rate" { criterion half; }
@test "moves at least 8 bytes per access" { criterion vector; }
@test "reaches 90 % of the copy rate" { criterion full; }
