/*
 * classes_memory.cuh: the second half of classes.cu: numbers, small elements, warps, limits and memory.
 */
/* ---- numbers -------------------------------------------------------------------------------- */

__global__ void numbers(int *x, float big, float nan, int zero, unsigned int by, int least)
{
    x[0] = (int)big;
    x[1] = (int)-big;
    x[2] = (int)nan;
    x[3] = (int)(unsigned int)-1.5f;
    x[4] = (int)(1u << by);
    x[5] = least >> by;
    x[6] = 5 / (zero + 1) + (zero != 0 ? 1 / zero : 0);
    x[7] = __fmaf_rn(big, 0.f, 1.f) == 1.f;
    x[8] = (int)lrintf(2.5f) + (int)roundf(2.5f);
    x[9] = (signed char)(int)300.7f;
    x[10] = __float2int_rd(-1.5f);
    x[11] = (int)(long long)(1e10 * big);
    x[12] = isnan(nan / big) && fmaxf(nan, 1) == 1;
    x[13] = (int)__double2ll_rz(-2.7);
    x[14] = __mulhi(1 << 30, 8) + (int)__umul24(0x1ffffff, 1) % 2;
    x[15] = (int)__funnelshift_l(0x80000000u, 1, 1);
}
CASE(conversions_and_shifts, "right")
{
    numbers<<<1, 1>>>(device, 1e20f, NAN, 0, 33, INT_MIN);
    const int wanted[16] = {INT_MAX, INT_MIN, 0, 0, 0, -1, 5, 1, 5, 44, -2, -1, 1, -2, 3, 3};
    expect([&](int i) { return wanted[i]; }, 16);
}

/* ---- elements of 1 and 2 bytes -------------------------------------------------------------- */

template <class T> __global__ void neighbours(T *x, int apart)
{
    x[threadIdx.x / apart] = (T)threadIdx.x; // race-in-block, use-after-free, host-pointer-in-kernel
}
CASE(bytes_side_by_side, "right")
{
    neighbours<<<1, N>>>((unsigned char *)device, 1);
    expect([](int i) { return 0x03020100 + 0x04040404 * i; }, 16);
}
CASE(race_on_a_byte, "race-in-block")
{
    neighbours<<<1, 64>>>((unsigned char *)device, 2);
    expect([](int) { return 0x07050301; }, 1);
}
CASE(race_on_a_short, "race-in-block")
{
    neighbours<<<1, 64>>>((short *)device, 2);
    expect([](int) { return 0x00030001; }, 1);
}
template <class T> __global__ void blocks_share(T *x)
{
    if (threadIdx.x == 0) x[blockIdx.x / 2] = (T)blockIdx.x; // race-between-blocks
}
CASE(race_of_blocks_on_a_byte, "race-between-blocks")
{
    blocks_share<<<4, 32>>>((char *)device);
    expect([](int) { return 0x0301; }, 1);
}

/* ---- warps ---------------------------------------------------------------------------------- */

__global__ void old_reduction(int *x)
{
    __shared__ volatile int s[64];
    s[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x < 32) {
        s[threadIdx.x] += s[threadIdx.x + 32]; // race-in-block
        s[threadIdx.x] += s[threadIdx.x + 16]; // race-in-block
        s[threadIdx.x] += s[threadIdx.x + 8];  // race-in-block
    }
    if (threadIdx.x == 0) x[0] = s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7]; // race-in-block
}
CASE(reduction_that_trusts_the_warp, "race-in-block")
{
    old_reduction<<<1, 64>>>(device);
    expect([](int) { return host[0]; }, 1);
}

__global__ void new_reduction(int *x)
{
    __shared__ int s[64];
    s[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x < 32)
        for (int by = 32; by > 0; by /= 2) {
            int sum = s[threadIdx.x] + s[threadIdx.x + by];
            __syncwarp();
            s[threadIdx.x] = sum;
            __syncwarp();
        }
    if (threadIdx.x == 0) x[0] = s[0];
}
CASE(reduction_with_syncwarp, "right")
{
    new_reduction<<<1, 64>>>(device);
    expect_first(64);
}

__global__ void early_return(int *x, int n)
{
    __shared__ int s[N];
    if (threadIdx.x >= n) return;
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    x[threadIdx.x] = s[n - 1 - threadIdx.x];
}
CASE(threads_that_end_before_a_barrier, "right")
{
    early_return<<<1, 128>>>(device, 96);
    expect([](int i) { return i < 96 ? 95 - i : 0; });
}

__global__ void divergent_barrier(int *x)
{
    if (threadIdx.x < 40)
        __syncthreads(); // barrier-divergence
    else
        x[threadIdx.x] = 1;
    if (threadIdx.x >= 40) __syncthreads(); // barrier-divergence
}
CASE(barriers_in_two_branches, "barrier-divergence")
{
    divergent_barrier<<<1, 64>>>(device);
    expect([](int) { return host[0]; }, 1);
}

__global__ void wrong_mask(int *x)
{
    int value = threadIdx.x;
    if (threadIdx.x < 16) value = __shfl_down_sync(0xffffffff, value, 1); // lanes-missing
    __syncwarp(); // lanes-missing
    x[threadIdx.x] = value;
}
CASE(shuffle_with_lanes_that_do_not_come, "lanes-missing")
{
    wrong_mask<<<1, 32>>>(device);
    expect([](int) { return host[0]; }, 1);
}

/* ---- limits --------------------------------------------------------------------------------- */

__global__ void __launch_bounds__(64) bounded(int *x)
{
    x[threadIdx.x] = 1;
}
CASE(launch_bounds_kept, "right")
{
    bounded<<<1, 64>>>(device);
    expect([](int i) { return i < 64; });
}
CASE(launch_bounds_exceeded, "cudaErrorInvalidValue")
{
    bounded<<<1, 65>>>(device);
    expect_first(1);
}
CASE(too_many_threads, "cudaErrorInvalidConfiguration")
{
    apply<<<1, 1025>>>(device, plus{0});
    expect_first(1);
}
__global__ void dynamic(int *x)
{
    extern __shared__ int s[];
    s[threadIdx.x] = threadIdx.x;
    x[threadIdx.x] = s[threadIdx.x];
}
CASE(more_than_48_KB_unasked, "cudaErrorInvalidValue")
{
    dynamic<<<1, N, 49 * 1024>>>(device);
    expect_first(0);
}
CASE(more_than_48_KB_asked_for, "right")
{
    cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024);
    dynamic<<<1, N, 64 * 1024>>>(device);
    expect([](int i) { return i; });
}

/* ---- memory --------------------------------------------------------------------------------- */

__global__ void store_constant(int *x)
{
    *(int *)&table[threadIdx.x] = 1; // out-of-bounds
    x[0] = table[0];
}
CASE(store_to_constant_memory, "out-of-bounds")
{
    store_constant<<<1, 1>>>(device);
    expect_first(10);
}

__global__ void past(int *x, int n, int how)
{
    __shared__ int s[32], t[32];
    int local[4] = {1, 2, 3, 4};
    s[threadIdx.x % 32] = t[threadIdx.x % 32] = 0;
    __syncthreads();
    if (how == 0) x[n] = 1;         // out-of-bounds
    if (how == 1) x[0] = s[n / 8];  // shared-out-of-bounds
    if (how == 2) x[0] = local[n];  // out-of-bounds
    if (how == 3) *(float4 *)(x + 1) = make_float4(0, 0, 0, 0); // misaligned-access
    if (how == 4) *(long long *)(x + 1) = 1;                    // misaligned-access
    if (how == 5) ((char *)x)[4 * n] = 1;                       // out-of-bounds
}
/* nvcc keeps the array in registers, or aligns it: no GPU refuses this. */
__global__ void vector_in_an_array(const int *x, int *y)
{
    char first = (char)x[0];
    int local[9];
    for (int i = 0; i < 9; i++)
        local[i] = i;
    for (int i = 0; i < 2; i++)
        *(int4 *)&local[1 + 4 * i] = *(const int4 *)&x[4 * i];
    for (int i = 0; i < 8; i++)
        y[i] = local[1 + i] + first + i;
}
CASE(vector_in_a_local_array, "right")
{
    vector_in_an_array<<<1, 1>>>(device + 8, device);
    expect([](int i) { return i; }, 8);
}
CASE(past_the_end, "out-of-bounds")
{
    past<<<1, 1>>>(device, N, 0);
    expect_first(0);
}
CASE(past_a_shared_array, "shared-out-of-bounds")
{
    past<<<1, 1>>>(device, N, 1);
    expect_first(0);
}
CASE(misaligned_vector, "misaligned-access")
{
    past<<<1, 1>>>(device, N, 3);
    expect_first(0);
}
// An array whose indices are constants is single variables, which come last.
__global__ void after_constants(int *y, int i)
{
    __shared__ int two[2], row[64];
    row[threadIdx.x] = (int)threadIdx.x;
    two[0] = i;
    two[1] = i;
    __syncthreads();
    int4 v = ((int4 *)row)[threadIdx.x / 4];
    y[threadIdx.x] = v.x + two[0] - two[1];
}
CASE(aligned_shared_array, "right")
{
    after_constants<<<1, 64>>>(device, N);
    expect([](int i) { return i / 4 * 4; }, 64);
}
CASE(misaligned_word, "misaligned-access")
{
    past<<<1, 1>>>(device, N, 4);
    expect_first(0);
}
CASE(a_byte_past_the_end, "out-of-bounds")
{
    past<<<1, 1>>>(device, N, 5);
    expect_first(0);
}
CASE(memory_that_was_freed, "use-after-free")
{
    int *other;
    cudaMalloc(&other, sizeof host);
    cudaFree(other);
    neighbours<<<1, 1>>>(other, 1);
    expect_first(0);
}
CASE(memory_of_the_host, "host-pointer-in-kernel")
{
    int *other = (int *)malloc(64);
    neighbours<<<1, 1>>>(other, 1);
    expect_first(0);
    free(other);
}
CASE(pinned_memory_freed_by_free, "bad-free")
{
    int *other;
    cudaMallocHost(&other, 64);
    free(other); // bad-free
}
CASE(copy_past_the_end, "copy-out-of-bounds")
{
    cudaMemcpy(device, host, sizeof host + 4, cudaMemcpyHostToDevice); // copy-out-of-bounds
    expect_first(0);
}
CASE(read_before_the_kernel_has_finished, "host-too-early")
{
    int *both;
    cudaMallocManaged(&both, sizeof host);
    apply<<<1, N>>>(both, plus{0});
    printf("%d\n", both[1]); // host-too-early
    cudaFree(both);
}
CASE(device_memory_read_by_the_host, "device-pointer-on-host")
{
    printf("%d\n", device[0]); // device-pointer-on-host
}
__global__ void unset(int *x)
{
    __shared__ int s[64];
    if (threadIdx.x < 32) s[threadIdx.x] = 1;
    __syncthreads();
    x[threadIdx.x] = s[threadIdx.x]; // uninitialised-read
}
CASE(shared_memory_that_nothing_wrote, "uninitialised-read")
{
    unset<<<1, 64>>>(device);
    expect([](int) { return 1; }, 1);
}
