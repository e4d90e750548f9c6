#!/usr/bin/env bats
# sim_rewrite.bats: what the launch rewriter makes of a program, and that it takes any bytes.

setup_file() {
    TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    export TOP BUILD=${WARPUP_BUILD:-$TOP/build}
    make -s -C "$TOP" -f checker/lab.mk
}

# The rewritten form of the text, without the #line that it begins with.
rewritten() { # TEXT
    printf '%s' "$1" >"$BATS_TEST_TMPDIR/in.cu"
    "$BUILD/rewrite" "$BATS_TEST_TMPDIR/in.cu" in.cu | tail -n +2
}

becomes() { # TEXT RESULT
    local result
    result=$(rewritten "$1")
    [ "$result" = "$2" ] || { printf 'from:   %s\ngot:    %s\nwanted: %s\n' "$1" "$result" "$2" && false; }
}

stays() { # TEXT
    becomes "$1" "$1"
}

@test "the result begins with the file's name and keeps every line's number" {
    printf 'k<<<1,\n  2>>>(\n  3);\n' >"$BATS_TEST_TMPDIR/in.cu"
    run "$BUILD/rewrite" "$BATS_TEST_TMPDIR/in.cu" 'my "axpy".cu'
    [ "${lines[0]}" = '#line 1 "my \"axpy\".cu"' ]
    [ "${lines[2]}" = '  2)(' ]
    [ "${#lines[@]}" -eq 4 ]
}

@test "a launch of names, templates, members, pointers, brackets" {
    becomes 'k<<<g, b>>>(x);' 'WARPUP_LAUNCH(0, k)(g, b)(x);'
    becomes 'k <<< g , b , s , st >>> (x);' 'WARPUP_LAUNCH(0, k )( g , b , s , st ) (x);'
    becomes 'k<<<1,1>>>();j<<<2,2>>>();' 'WARPUP_LAUNCH(0, k)(1,1)();WARPUP_LAUNCH(1, j)(2,2)();'
    becomes 'a::b::k<<<1,1>>>();' 'WARPUP_LAUNCH(0, a::b::k)(1,1)();'
    becomes '::k<<<1,1>>>();' 'WARPUP_LAUNCH(0, ::k)(1,1)();'
    becomes 'k<T, f<U>, (a>b)><<<1,1>>>();' 'WARPUP_LAUNCH(0, k<T, f<U>, (a>b)>)(1,1)();'
    becomes 'a<T>::k<3><<<1,1>>>();' 'WARPUP_LAUNCH(0, a<T>::k<3>)(1,1)();'
    becomes 'p->template k<3><<<1,1>>>();' 'WARPUP_LAUNCH(0, p->template k<3>)(1,1)();'
    becomes 'ks[i](2)<<<1,1>>>();' 'WARPUP_LAUNCH(0, ks[i](2))(1,1)();'
    becomes 'if (c) (*k)<<<1,1>>>();' 'if (c) WARPUP_LAUNCH(0, (*k))(1,1)();'
    becomes 'return (k)<<<1,1>>>();' 'return WARPUP_LAUNCH(0, (k))(1,1)();'
    becomes '(void)k<<<1,1>>>();' '(void)WARPUP_LAUNCH(0, k)(1,1)();'
}

@test "the body of a kernel, and of main, for the image that needs it" {
    becomes $'template <int n> __global__ void k(int *p)\n{\n    *p = n;\n}' $'template <int n> __global__ void k(int *p)\n{ WARPUP_KERNEL\n    *p = n;\n}'
    becomes $'int main(int argc, char *argv[]) { // starts\nf(); }' $'int main(int argc, char *argv[]) { WARPUP_MAIN // starts\nf(); }'
    stays '__global__ void k(int *p) { *p = 1; }'
    stays $'__global__ void k(int *p);\nvoid f()\n{\n}'
    stays $'struct s {\n    int main()\n    {\n        return 1;\n    }\n};'
    stays $'int f()\n{\n    return main(1) + x.main;\n}'
}

@test "a return statement of a kernel, which ends a thread" {
    becomes '__global__ void k(int n) { if (n) return; f(); }' '__global__ void k(int n) { if (n) return warpup_return(); f(); }'
    becomes '__global__ void __launch_bounds__(64) k() { { return ; } }' '__global__ void __launch_bounds__(64) k() { { return  warpup_return(); } }'
    stays '__device__ void f(int n) { if (n) return; g(); }'
    stays '__global__ void k(int n); void f() { return; }'
}

@test "a launch's configuration: shifts, templates, braces, nested brackets" {
    becomes 'k<<<n>>5, (a>>>b)>>>();' 'WARPUP_LAUNCH(0, k)(n>>5, (a>>>b))();'
    becomes 'k<<<1, X<int>>>>();' 'WARPUP_LAUNCH(0, k)(1, X<int>)();'
    becomes 'k<<<dim3{1,2}, f(g[1])>>>();' 'WARPUP_LAUNCH(0, k)(dim3{1,2}, f(g[1]))();'
}

@test "macros: a launch, a pasted name, a continued line" {
    becomes '#define L(k,n) k<<<(n+255)/256,256>>>' '#define L(k,n) WARPUP_LAUNCH(0, k)((n+255)/256,256)'
    becomes '#define L(k) k##_gpu<<<1,1>>>()' '#define L(k) WARPUP_LAUNCH(0, k##_gpu)(1,1)()'
    becomes $'#define L k<<<1, \\\n 1>>>()' $'#define L WARPUP_LAUNCH(0, k)(1, \\\n 1)()'
    becomes $'#define L k<<<1,\r\nj<<<1,1>>>();' $'#define L k<<<1,\r\nWARPUP_LAUNCH(0, j)(1,1)();'
}

@test "macros that are only a configuration" {
    becomes '#define C(g, b) <<< g, b >>>' '#define C(g, b) ->* WARPUP_SHAPE( g, b )'
    becomes $'#define C <<<1,32>>>\nk<<<1,1>>>();' $'#define C ->* WARPUP_SHAPE(1,32)\nWARPUP_LAUNCH(0, k)(1,1)();'
    stays '#define C(g, b) <<<g, b>>'
}

@test "NULL and 0 may be pointers only among a launch's arguments" {
    becomes 'k<<<1,1,0,NULL>>>(NULL, f(NULL));' 'WARPUP_LAUNCH(0, k)(1,1,0,NULL)(nullptr, f(NULL));'
    becomes 'k<<<1,1,0>>>(0, 1, 0 + 1, f(0), 0);' \
        'WARPUP_LAUNCH(0, k)(1,1,0)(warpup::zero(), 1, 0 + 1, f(0), warpup::zero());'
    becomes 'k<<<1,1>>>(t<1, 0, 2>());' 'WARPUP_LAUNCH(0, k)(1,1)(t<1, 0, 2>());'
    stays 'f(NULL, 0);'
}

@test "comments, strings, characters and numbers stay" {
    stays '// k<<<1,1>>>()'
    stays '/* k<<<1,1>>>() */ a << b'
    stays '"k<<<1,1>>>()"; '"'\"'; '<'"
    stays 'R"x(k<<<1,1>>>() )" )x"; u8R"(<<<)"'
    stays "1'000'000"
    becomes $'// a \\\n k<<<1,1>>>();\nk<<<1,1>>>();' $'// a \\\n k<<<1,1>>>();\nWARPUP_LAUNCH(0, k)(1,1)();'
    becomes "int n = 1'000; k<<<1,1>>>();" "int n = 1'000; WARPUP_LAUNCH(0, k)(1,1)();"
    becomes $'#error don\'t\nk<<<1,1>>>();' $'#error don\'t\nWARPUP_LAUNCH(0, k)(1,1)();'
}

@test "an incomplete launch stays unchanged, so that the compiler reports it" {
    stays 'k<<<1,1>>(x);'
    stays 'k<<<1,1;'
    stays '<<<1,1>>>(x);'
    stays 'k<<<(1,1>>>(x);'
    stays 'a < < < b > > > c'
    stays 'std::operator<<<char>(out, x);'
    stays 'x = a<<b>>c;'
}

@test "shared memory: dynamic arrays are the runtime's; static ones have one storage class" {
    becomes 'extern __shared__ float s[];' 'extern __thread  float s[] __asm__("warpup_dynamic_shared");'
    becomes 'extern __shared__ __align__(16) char s[];' \
        'extern __thread  __align__(16) char s[] __asm__("warpup_dynamic_shared");'
    becomes 'static __shared__ int s[4];' ' __shared__ int s[4];'
    stays '__shared__ float s[32][33];'
    becomes '__shared__ alignas(16) float s[4];' ' alignas(16) __shared__ float s[4];'
    becomes 'static __shared__ alignas(T) T s[4];' '  alignas(T) __shared__ T s[4];'
    stays 'alignas(16) __shared__ float s[4];'
    stays '__shared__ alignas(16'
    stays '__shared__ float s[N = 2], t(a = 1);'
    becomes '__shared__ float s[4] = {};' '__shared__ __attribute__((aligned(WARPUP_SHARED_INITIALISER))) float s[4] = {};'
}

@test "device variables are marked, functions are not" {
    becomes '__device__ int v;' '__device__ WARPUP_ZEROED int v;'
    becomes 'static __device__ float a[3] = {1};' 'static __device__ WARPUP_INITIALISED float a[3] = {1};'
    becomes '__device__ __align__(8) char c[4];' '__device__ WARPUP_ZEROED __align__(8) char c[4];'
    stays '__device__ float f(float x) { return x; }'
    stays '__host__ __device__ inline T g();'
    stays 'auto l = [] __device__ (int i) { return i; };'
    stays 'auto l = [] __device__ { return 1; };'
    stays '__device__ __constant__ float c[4];'
    stays 'extern __device__ int v;'
}

@test "__noinline__ is an attribute's name for g++ and its library" {
    becomes '__device__ __noinline__ int f();' '__device__ WARPUP_NOINLINE int f();'
    stays '__attribute__((__noinline__)) int f();'
    stays '__attribute__((unused, __noinline__)) int f();'
}

@test "cudaLaunchKernel keeps the kernel's type" {
    becomes 'cudaLaunchKernel((void *)k, g, b);' 'cudaLaunchKernel(k, g, b);'
    becomes 'cudaLaunchKernel((const void*)&k<T>, g, b);' 'cudaLaunchKernel(&k<T>, g, b);'
    stays 'cudaLaunchKernel(k, g, b);'
}

@test "a missing file, a wrong call and a full disk have exit code 3" {
    run "$BUILD/rewrite" /nowhere/x.cu x.cu
    [ "$status" -eq 3 ]
    [[ $output == *"/nowhere/x.cu: No such file"* ]]
    run "$BUILD/rewrite"
    [ "$status" -eq 3 ]
    run sh -c "'$BUILD/rewrite' '$TOP/checker/test/sim/warps.cu' x.cu >/dev/full"
    [ "$status" -eq 3 ]
}

@test "any bytes: random ones, cut programs, deep and repeated signs, in linear time" {
    [[ ! ${WARPUP_UNDER-} ]] || skip "valgrind takes longer than these limits"
    local program=$TOP/checker/test/sim/launches.cu size
    for size in 1 10 100 1000 5000; do
        head -c $((size * 7)) /dev/urandom >"$BATS_TEST_TMPDIR/random"
        head -c $size "$program" >"$BATS_TEST_TMPDIR/cut"
        "$BUILD/rewrite" "$BATS_TEST_TMPDIR/random" x.cu >/dev/null
        "$BUILD/rewrite" "$BATS_TEST_TMPDIR/cut" x.cu >/dev/null
    done
    local piece
    for piece in 'k<<<' '>>>' '((((' 'k<<<1,1>>>(' '__shared__ extern ' '__device__ ' 'R"(' "'" '{<' \
        'a<' '#define ' $'#x(\n' 'k<<<(' '>' 'a::' 'f()'; do
        yes "$piece" | tr -d '\n' | head -c 400000 >"$BATS_TEST_TMPDIR/many"
        timeout 5 "$BUILD/rewrite" "$BATS_TEST_TMPDIR/many" x.cu >/dev/null ||
            { echo "slow or broken on: $piece" && false; }
    done
}

@test "assembly: PTX becomes a call, the host's own stays" {
    becomes 'asm volatile("add.f32 %0, %1, 1;" : "=f"(d) : "f"(a) : "memory");' \
        "::warpup::ptx (\"add.f32 %0, %1, 1;\"  , ::warpup::put<'f'>(d)  , ::warpup::take<'f'>(a)  );"
    becomes $'__asm__ __volatile__("bar.sync "\n"0;" ::\n: "memory");' $'::warpup::ptx ("bar.sync "\n"0;" \n );'
    becomes '#define C(n) asm("cp.async.wait_group %0;" :: "n"(n))' \
        "#define C(n) ::warpup::ptx(\"cp.async.wait_group %0;\"  , ::warpup::take<'n'>(n))"
    becomes 'asm("wgmma.fence;" ::);' 'WARPUP_UNKNOWN_PTX(wgmma_fence, "wgmma.fence")("wgmma.fence;" );'
    stays 'asm volatile("rdtsc" : "=a"(a), "=d"(d));'
    stays 'asm volatile("lock; xaddl %0, %1" : "+r"(a), "+m"(b));'
    stays 'asm volatile("" ::: "memory");'
    stays 'asm("add.f32 %0, %1, 1;" : [d] "=f"(d) : "f"(a));'
    stays 'asm("add.f32 %0'
}
