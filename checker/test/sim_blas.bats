#!/usr/bin/env bats
# sim_blas.bats: cuBLAS on the simulated GPU. blas.cu holds what a real GPU must do as well;
# blas_faults.cu makes one mistake at a time.

setup_file() {
    TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    export TOP BUILD=${WARPUP_BUILD:-$TOP/build}
    make -s -C "$TOP" -f checker/lab.mk
    for name in blas blas_faults blas_more; do
        "$BUILD/cc" "$TOP/checker/test/sim/$name.cu" "$BATS_FILE_TMPDIR/$name"
    done
}

# Runs blas_faults.cu with one mistake; its output, then a line for each fault or failed call that its
# trace tells: name, line, text.
told() { # CASE
    local run=$BATS_TEST_TMPDIR/run
    mkdir -p "$run"
    WARPUP_TRACE=$run timeout "${WARPUP_SECONDS:-20}" "$BATS_FILE_TMPDIR/blas_faults/program" "$1"
    jq -r 'select(.event == "fault") | "\(.name) \(.line) \(.detail)"' "$run/trace.jsonl"
}

# The case ends with this status and error, and tells this fault on the line with its own mark.
tells() { # CASE "STATUS ERROR" FAULT DETAIL
    local line
    line=$(grep -n "// $1\$" "$TOP/checker/test/sim/blas_faults.cu" | cut -d: -f1)
    run told "$1"
    echo "$output"
    [ "$output" = "CUBLAS_STATUS_$2
$3 $line $4" ]
}

@test "vectors, matrices, pointer modes, settings and odd arguments, as on a real GPU" {
    run timeout "${WARPUP_SECONDS:-20}" "$BATS_FILE_TMPDIR/blas/program"
    echo "$output"
    [ "$output" = "as expected" ]
}

@test "batched, mixed and transposing routines, copies, and cuBLASLt" {
    run timeout "${WARPUP_SECONDS:-20}" "$BATS_FILE_TMPDIR/blas_more/program"
    echo "$output"
    [ "$output" = "as expected" ]
}

@test "it is the same with one thread, and without a trace" {
    WARPUP_THREADS=1 run timeout "${WARPUP_SECONDS:-20}" "$BATS_FILE_TMPDIR/blas/program"
    [ "$output" = "as expected" ]
}

@test "a right call reports nothing; what beta = 0 overwrites may be unwritten" {
    [ "$(told right)" = "CUBLAS_STATUS_SUCCESS cudaSuccess" ]
}

@test "an operand with elements that nothing wrote" {
    tells unwritten "SUCCESS cudaSuccess" uninitialised-read \
        "cublasSgemv: A holds elements that nothing has written"
    tells unwritten-sum "SUCCESS cudaSuccess" uninitialised-read \
        "cublasSaxpy: y holds elements that nothing has written"
}

@test "an operand that its allocation does not hold, also by its leading dimension" {
    tells too-small "SUCCESS cudaErrorIllegalAddress" out-of-bounds \
        "cublasSgemm: C needs 16384 bytes, but its allocation has only 256 left"
    tells leading-dimension "SUCCESS cudaErrorIllegalAddress" out-of-bounds \
        "cublasSgemv: A needs 16636 bytes, but its allocation has only 16384 left: it is 64 x 64, with a stride of 65"
}

@test "pointers that no GPU could follow" {
    tells host-pointer "SUCCESS cudaErrorIllegalAddress" host-pointer-in-kernel \
        "cublasSaxpy: x is a pointer to host memory"
    tells null "SUCCESS cudaErrorIllegalAddress" null-pointer "cublasSaxpy: y is a null pointer"
    tells freed "SUCCESS cudaErrorIllegalAddress" use-after-free "cublasSaxpy: y was freed before"
    tells scalar "SUCCESS cudaErrorIllegalAddress" device-pointer-on-host \
        "cublasSaxpy: alpha is a device pointer, but cublasSetPointerMode has not selected device pointers"
}

@test "arguments that cuBLAS refuses are a failed call" {
    [ "$(told invalid)" = "CUBLAS_STATUS_INVALID_VALUE cudaSuccess" ]
    run jq -r 'select(.event == "error") | "\(.call) \(.code) \(.name)"' "$BATS_TEST_TMPDIR/run/trace.jsonl"
    [ "$output" = "cublasSgemv 7 CUBLAS_STATUS_INVALID_VALUE" ]
}

@test "a call is a launch and a kernel, and says that a library made it" {
    told right
    run jq -r 'select(.event == "launch" or .event == "kernel") | "\(.event) \(.kernel // "") \(.library)"' \
        "$BATS_TEST_TMPDIR/run/trace.jsonl"
    [ "$output" = "launch cublasSgemv cublas
kernel  cublas" ]
    run jq -r 'select(.event == "begin") | .cublas_gflops' "$BATS_TEST_TMPDIR/run/trace.jsonl"
    [ "$output" = 51100 ]
}

@test "what cuBLAS has and the simulated GPU does not is reported by the compilation" {
    printf '%s\n' '#include <cublas_v2.h>' 'int main() { cublasStrsm(0); }' >"$BATS_TEST_TMPDIR/u.cu"
    run "$BUILD/cc" "$BATS_TEST_TMPDIR/u.cu" "$BATS_TEST_TMPDIR/u"
    [ "$status" -eq 2 ]
    [ "$output" = "u.cu:2: the simulated GPU does not know cublasStrsm" ]
}
