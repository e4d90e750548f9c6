#!/usr/bin/env bats
# sim_aggregates.bats: which accesses a kernel makes to structs, and that none goes unseen.

setup_file() {
    TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    export TOP BUILD=${WARPUP_BUILD:-$TOP/build}
    make -s -C "$TOP" -f checker/lab.mk
    "$BUILD/cc" "$TOP/checker/test/sim/aggregates.cu" "$BATS_FILE_TMPDIR/out"
    mkdir "$BATS_FILE_TMPDIR/run"
    WARPUP_TRACE=$BATS_FILE_TMPDIR/run "$BATS_FILE_TMPDIR/out/program" >"$BATS_FILE_TMPDIR/expected"
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

compile() { # SOURCE
    run "$BUILD/cc" "$1" out
    echo "$output"
}

# Prints the things that the simulated GPU did not know while the program ran.
unknown() {
    mkdir -p run
    WARPUP_TRACE=run out/program >printed 2>&1
    jq -r 'select(.event == "unknown") | "\(.line) \(.what)"' run/trace.jsonl
}

# A student's own struct of four floats is two accesses for clang and one for nvcc; what goes through a function that is
# not inlined is loaded by its members; the gaps of `mixed` are not stored.
otherwise='aligned_four (copied|assigned|referred|not-inlined)|(float4|double2|large) not-inlined|mixed (passed|returned|held|captured|not-inlined|chained)'

@test "structs of 1 to 32 bytes, moved in every way, have the expected accesses, sectors and bytes" {
    [ "$(wc -l <"$BATS_FILE_TMPDIR/expected")" -eq 260 ]
    diff <(grep -Ev "^($otherwise) " "$BATS_FILE_TMPDIR/expected") <(grep -Ev "^($otherwise) " <(paste -d ' ' <(cut -d ' ' -f 1,2 "$BATS_FILE_TMPDIR/expected") \
        <(jq -r 'select(.event == "kernel") | [.load_requests, .load_sectors, .store_requests,
            .store_sectors, .store_bytes] | join(" ")' "$BATS_FILE_TMPDIR/run/trace.jsonl")))
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
