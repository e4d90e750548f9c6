#!/usr/bin/env bats
# sim_aggregates.bats: no access of a kernel goes unseen, least of all those to structs.

setup_file() {
    TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    export TOP
    make -s -C "$TOP" -f checker/lab.mk
    "$TOP/checker/sim/compile" "$TOP/checker/test/sim/aggregates.cu" "$BATS_FILE_TMPDIR/out"
    mkdir "$BATS_FILE_TMPDIR/run"
    WARPUP_TRACE=$BATS_FILE_TMPDIR/run "$BATS_FILE_TMPDIR/out/program" >"$BATS_FILE_TMPDIR/expected"
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

compile() { # SOURCE
    run "$TOP/checker/sim/compile" "$1" out
    echo "$output"
}

# What the simulated GPU said that it does not know while the program ran.
unknown() {
    mkdir -p run
    WARPUP_TRACE=run out/program >printed 2>&1
    jq -r 'select(.event == "unknown") | "\(.line) \(.what)"' run/trace.jsonl
}

@test "structs of 1 to 32 bytes, moved in every way, have the expected accesses, sectors and bytes" {
    [ "$(wc -l <"$BATS_FILE_TMPDIR/expected")" -eq 260 ]
    diff "$BATS_FILE_TMPDIR/expected" <(paste -d ' ' <(cut -d ' ' -f 1,2 "$BATS_FILE_TMPDIR/expected") \
        <(jq -r 'select(.event == "kernel") | [.load_requests, .load_sectors, .store_requests,
            .store_sectors, .store_bytes] | join(" ")' "$BATS_FILE_TMPDIR/run/trace.jsonl"))
    [ -z "$(jq -r 'select(.event == "fault" or .event == "unknown")' "$BATS_FILE_TMPDIR/run/trace.jsonl")" ]
}

@test "nvcc makes as many accesses of each of these kernels" {
    command -v nvcc >/dev/null || skip "there is no nvcc"
    nvcc -arch=sm_90 -ptx -o kernels.ptx "$TOP/checker/test/sim/aggregates.cu"
    awk '
        /\.entry/ { name = $3; sub(/\(.*/, "", name) }
        /ld\.global/ { loads[name]++ }
        /st\.global/ { stores[name]++ }
        END { for (name in stores) print name, loads[name] + 0, stores[name] }' kernels.ptx |
        c++filt | sed 's/(int)//g; s/^void //; s/(.*)//; s/, \([0-9]\)>/ \1/; s/^move<//' | sort >nvcc
    awk '
        BEGIN {
            split("copied passed returned assigned referred held captured not-inlined chained", ways, " ")
            for (i in ways) number[ways[i]] = i - 1
        }
        $2 in number { print $1, number[$2], $3, $5 }' "$BATS_FILE_TMPDIR/expected" | sort >expected
    [ "$(wc -l <expected)" -eq 252 ]
    diff expected <(grep ' .* .* ' nvcc)
    grep -qx 'rotate 4 2' nvcc
    grep -qx 'choice 2 1' nvcc
}

@test "a struct by value that the compiler announces to nobody is reported with its line: exit code 2" {
    local what="structs that are passed or returned by value by a function that calls itself or is called through a pointer"
    cat >itself.cu <<'EOT'
struct point { float x, y; };
__device__ point last(point p, const point *from, int n)
{
    return n == 0 ? p : last(from[n], from, n - 1);
}
__global__ void k(point *to, const point *from) { to[0] = last(from[0], from, 3); }
int main() { k<<<1, 1>>>(nullptr, nullptr); }
EOT
    compile itself.cu
    [ "$status" -eq 2 ]
    [[ $output =~ ^itself.cu:[46]": the simulated GPU does not know $what"$ ]]
    cat >pointer.cu <<'EOT'
struct point { float x, y; };
struct shape { virtual __device__ point move(point p) { return p; } };
__global__ void k(shape *s, point *to, const point *from)
{
    to[0] = s->move(from[0]);
}
int main() { k<<<1, 1>>>(nullptr, nullptr, nullptr); }
EOT
    compile pointer.cu
    [ "$status" -eq 2 ]
    [ "$output" = "pointer.cu:5: the simulated GPU does not know $what" ]
}

@test "host code may pass structs as it likes" {
    cat >host.cu <<'EOT'
struct point { float x, y; };
point last(point p, const point *from, int n) { return n == 0 ? p : last(from[n], from, n - 1); }
__host__ __device__ point same(point p) { return p; }
__global__ void k(point *to) { to[0] = same(to[1]); }
int main() { point p[4] = {}; p[1] = same(last(p[0], p, 3)); return (int)p[1].x; }
EOT
    compile host.cu
    [ "$status" -eq 0 ]
    [ -z "$output" ]
}

@test "a reference to a member of a kernel's own variable is not an unseen access, whatever the variable's name" {
    cat >digits.cu <<'EOT'
struct interval { double low, up; };
__device__ double difference(const double &a, const double &b) { return a - b; }
__device__ bool wide(const interval &x) { return difference(x.up, x.low) > 1; }
__global__ void k(double *to, const interval *from)
{
    interval part1 = from[0];
    if (wide(part1)) part1 = from[1];
    to[0] = part1.low;
}
int main()
{
    interval *p;
    cudaMalloc(&p, 64);
    cudaMemset(p, 0, 64);
    k<<<1, 1>>>((double *)(p + 2), p);
    cudaFree(p);
}
EOT
    compile digits.cu
    [ "$status" -eq 0 ]
    [ -z "$(unknown)" ]
    jq -es '[.[] | select(.event == "kernel") | [.load_requests, .store_requests]] == [[2, 1]]' run/trace.jsonl
}

@test "a kernel with stores that the compiler does not announce is not judged" {
    cat >quiet.cu <<'EOT'
typedef void *fill(void *, int, size_t);
__global__ void quiet(float *y, size_t function)
{
    ((fill *)function)(y, 1, 128);
}
int main() { float *y; cudaMalloc(&y, 128); quiet<<<1, 1>>>(y, (size_t)&memset); cudaFree(y); }
EOT
    compile quiet.cu
    [ "$status" -eq 0 ]
    [ "$(unknown)" = "4 every store of the kernel quiet: memory changed where it saw no store" ]
}

@test "stores of every size, atomics and copies in a kernel are all seen" {
    cat >seen.cu <<'EOT'
struct odd { char c[7]; };
__global__ void k(char *c, short *s, int *n, double *d, odd *o, float4 *v)
{
    int i = threadIdx.x;
    c[i] = 1; s[i] = 2; atomicAdd(&n[0], 3); d[i] = 4; o[i] = o[i + 1]; v[i].y = 5;
    memcpy(&n[32], &n[0], 4); memset(&n[40], 7, 12); atomicExch(&n[50], 9); atomicCAS(&n[51], 0, i);
}
__global__ void words(int *n) { n[threadIdx.x] = 5; atomicMax(&n[40], 77); }
int main()
{
    char *p;
    cudaMalloc(&p, 4096);
    cudaMemset(p, 1, 4096);
    k<<<1, 32>>>(p, (short *)(p + 256), (int *)(p + 512), (double *)(p + 1024), (odd *)(p + 2048), (float4 *)(p + 3072));
    words<<<1, 32>>>((int *)p);
    cudaFree(p);
}
EOT
    compile seen.cu
    [ "$status" -eq 0 ]
    [ -z "$(unknown)" ]
}
