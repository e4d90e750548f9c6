#!/usr/bin/env bats
# sim_refuses.bats: programs that nvcc does not compile. Each file of sim/refused/ marks the line that is wrong.

setup() {
    load helper
    make -s -C "$TOP" -f checker/lab.mk
    cd "$BATS_TEST_TMPDIR" || return
}

# The line that FILE marks.
marked() { # FILE
    grep -n '// refused$' "$1" | cut -d: -f1
}

@test "what nvcc refuses, the simulated GPU refuses, with the line" {
    local file failed=0
    for file in "$TOP"/checker/test/sim/refused/*.cu; do
        run "$BUILD/cc" "$file" out
        [[ $status -eq 1 && ${lines[0]} == "${file##*/}:$(marked "$file"):"*" error: "* ]] ||
            { echo "${file##*/}: $status ${lines[0]-}" && failed=1; }
        [[ $output != *WARPUP_* ]] || { echo "${file##*/}: $output" && failed=1; }
    done
    [ "$failed" -eq 0 ]
}

# nvcc takes most of a second for each: the commit chooses one in three.
@test "nvcc refuses them at the same lines" {
    command -v nvcc >/dev/null || skip "there is no nvcc"
    local file files failed=0
    mapfile -t files < <(printf '%s\n' "$TOP"/checker/test/sim/refused/*.cu | WARPUP_EVERY=$((${WARPUP_EVERY:-1} > 3 ? 3 : 1)) sample)
    ((${#files[@]} > 0))
    for file in "${files[@]}"; do
        run nvcc -arch=sm_90 -c -o program.o "$file"
        [[ $status -ne 0 && $output == *"($(marked "$file")): error:"* ]] ||
            { echo "${file##*/}: $output" && failed=1; }
    done
    [ "$failed" -eq 0 ]
}

@test "kernels that look like refused ones are accepted" {
    cat >right.cu <<'EOT'
#define RESULT void
struct s {
    int n;
    friend __global__ void f(s x);
    __device__ int get() const { return n; }
};
__global__ void f(s x) { }
void __global__ __launch_bounds__(128) g(int n) { }
template <class... T> __global__ void h(T... x) { }
template <class T> __global__ typename std::enable_if<sizeof(T) == 4, void>::type i(T x) { }
static __global__ RESULT j(unsigned int n) { }
__global__ auto k(int n) -> void { }
struct number { __host__ __device__ operator int() const { return 1; } };
int main()
{
    s one = {1};
    f<<<1, 1>>>(one);
    g<<<1, 1>>>(number());
    h<<<1, 1>>>(1, 2.0f);
    i<<<1, 1>>>(1.0f);
    j<<<1, 1>>>(number());
    k<<<1, 1>>>(1);
    void (*pointer)(int) = g;
    pointer<<<1, 1>>>(number());
    return cudaGetLastError();
}
EOT
    run "$BUILD/cc" right.cu out
    echo "$output"
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    out/program
    if command -v nvcc >/dev/null; then nvcc -arch=sm_90 -c -o right.o right.cu; fi
}
