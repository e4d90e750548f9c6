# check.bats: what a check of rot verifies: one test per criterion of ladder.tsv, in its order.
# `make check` runs the program and the judge first. A test here only looks up one answer.
load ../../checker/show/criteria

@test "compiles" { criterion compiles; }
@test "runs to its end and prints its lines" { criterion runs; }
@test "runs a kernel" { criterion kernel; }
@test "is right for THREADS N = {sizes}" { criterion right; }
@test "has no memory fault, no race and no leak" { criterion clean; }
@test "stops the timer after the kernel" { criterion timer; }
@test "times only the kernel" { criterion times_kernel_only; }
@test "takes the block size from the command line" { criterion threads; }
@test "fills the GPU" { criterion fills; }
@test "reaches 40 % of the copy rate" { criterion floor; }
@test "neighbouring threads use neighbouring floats" { criterion coalesced; }
@test "loads each number only once" { criterion once; }
@test "keeps the lanes of a warp together" { criterion together; }
@test "moves at least 8 bytes per access" { criterion vector; }
@test "reaches 85 % of the copy rate" { criterion full; }
