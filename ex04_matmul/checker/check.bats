# check.bats: what a check of matmul verifies: one test per criterion of ladder.tsv, in its order.
# `make check` runs the program and the judge first. A test here only looks up one answer.
load ../../checker/show/criteria

@test "compiles" { criterion compiles; }
@test "runs to its end and prints its lines" { criterion runs; }
@test "runs a kernel" { criterion kernel; }
@test "is right for N = {sizes}" { criterion right; }
@test "is right for N = {may_refuse}, or refuses it" { criterion refuses; }
@test "has no memory fault, no race and no leak" { criterion clean; }
@test "stops the timer after the kernel" { criterion timer; }
@test "times only the kernel" { criterion times_kernel_only; }
@test "many threads share the work" { criterion threads; }
@test "neighbouring threads take neighbouring columns" { criterion coalesced; }
@test "computes 1.9 flop per byte loaded" { criterion reuse; }
@test "keeps tiles in shared memory" { criterion shared; }
@test "reads shared memory without bank conflicts" { criterion banks; }
@test "is right for N = {may_refuse}" { criterion any; }
@test "reaches 10 % of cuBLAS's rate" { criterion tenth; }
@test "computes 12 flop per byte, or calls cuBLAS" { criterion leap; }
@test "reaches 40 % of cuBLAS's rate" { criterion fast; }
@test "computes the product with its own kernel" { criterion own; }
@test "computes 0.9 flop per byte of shared memory" { criterion registers; }
@test "loads the next tiles while it computes" { criterion overlap; }
@test "reaches 85 % of cuBLAS's rate" { criterion full; }
