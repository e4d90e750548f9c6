# check.bats: what a check of matmul verifies, one test a criterion of ladder.tsv and in its order.
# `make check` runs the program and the judge first; a test here looks one answer up.
load ../../checker/show/criteria

@test "compiles" { criterion compiles; }
@test "runs to its end and prints its lines" { criterion runs; }
@test "runs a kernel" { criterion kernel; }
@test "is right for N = {sizes}" { criterion right; }
@test "is right for N = {may_refuse}, or refuses them" { criterion refuses; }
@test "makes no memory fault, no race, no leak" { criterion clean; }
@test "stops the watch after the kernel" { criterion timer; }
@test "times the kernel alone" { criterion times_kernel_only; }
@test "many threads share the work" { criterion threads; }
@test "neighbouring threads take neighbouring columns" { criterion coalesced; }
@test "computes 1.9 flop from each byte that it loads" { criterion reuse; }
@test "keeps tiles in shared memory" { criterion shared; }
@test "reads shared memory without bank conflicts" { criterion banks; }
@test "is right for N = {may_refuse}" { criterion any; }
@test "reaches 10 % of cuBLAS's rate" { criterion tenth; }
@test "computes 12 flop from each byte, or calls cuBLAS" { criterion leap; }
@test "reaches 40 % of cuBLAS's rate" { criterion fast; }
@test "makes the product in a kernel of your own" { criterion own; }
@test "computes 0.9 flop from each byte of shared memory" { criterion registers; }
@test "loads the next tiles while it computes with these" { criterion overlap; }
@test "reaches 85 % of cuBLAS's rate" { criterion full; }
