# check.bats: what a check of rot verifies, one test a criterion of ladder.tsv and in its order.
# `make check` runs the program and the judge first; a test here looks one answer up.
load ../../checker/show/criteria

@test "compiles" { criterion compiles; }
@test "runs to its end and prints its lines" { criterion runs; }
@test "runs a kernel" { criterion kernel; }
@test "is right for THREADS N = {sizes}" { criterion right; }
@test "makes no memory fault, no race, no leak" { criterion clean; }
@test "stops the watch after the kernel" { criterion timer; }
@test "times the kernel alone" { criterion times_kernel_only; }
@test "takes the threads of a block from the command line" { criterion threads; }
@test "fills the GPU" { criterion fills; }
@test "reaches 40 % of the copy rate" { criterion floor; }
@test "neighbouring threads touch neighbouring numbers" { criterion coalesced; }
@test "asks for each number once" { criterion once; }
@test "keeps the lanes of a warp together" { criterion together; }
@test "moves at least 8 bytes a thread with each access" { criterion vector; }
@test "reaches 85 % of the copy rate" { criterion full; }
