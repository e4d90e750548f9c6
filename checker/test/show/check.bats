# check.bats: the criteria of ladder.tsv beside it, for the tests of what a student sees.
load ../../show/criteria

@test "compiles" { criterion compiles; }
@test "runs a kernel" { criterion kernel; }
@test "is right for n = {sizes}" { criterion right; }
@test "has no memory fault, no race and no leak" { criterion clean; }
@test "stops the timer after the kernel" { criterion timer; }
@test "neighbouring threads read neighbouring elements" { criterion coalesced; }
@test "fills the GPU" { criterion fills; }
@test "reaches 50 % of the copy rate" { criterion half; }
