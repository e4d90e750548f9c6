// Shuffles, votes, matches, reductions, barriers and built-in variables are one instruction each.
// O3: shfl\.sync\.down\.b32.*, 16, 31, -1
// O3: shfl\.sync\.bfly\.b32
// O3: vote\.sync\.ballot\.b32
// O3: vote\.sync\.any\.pred
// both: match\.any\.sync\.b32
// both: redux\.sync\.add\.s32
// both: activemask\.b32
// both: bar\.warp\.sync
// both: bar\.sync
// both: bar\.red\.popc\.u32
// both: membar\.gl
// both: mov\.u32.*%tid\.y
// both: mov\.u32.*%nctaid\.y
// both: mov\.u64 .*%clock64
// both: nanosleep\.u32
__global__ void lanes(int *x, float *f, double *d, long long *t)
{
    f[0] = __shfl_down_sync(0xffffffff, f[1], 16);
    d[0] = __shfl_xor_sync(0xffffffff, d[1], 1, 8);
    x[0] = __shfl_sync(0xffff, x[1], 3) + __shfl_up_sync(0xff, x[2], 1u);
    x[1] = __ballot_sync(0xffffffff, x[2] > 3) + __any_sync(0xffffffff, x[3]) + __all_sync(__activemask(), x[4]);
    x[2] = __match_any_sync(0xffffffff, x[3]) + __reduce_add_sync(0xffffffff, x[4]);
    __syncwarp();
    __threadfence();
    x[3] = __syncthreads_count(x[4]) + __syncthreads_or(x[5]) + blockDim.z + gridDim.y + warpSize;
    __syncthreads();
    dim3 shape = blockDim;
    uint3 place = threadIdx;
    auto block = blockIdx;
    x[shape.x + place.y] = block.z;
    t[0] = clock64() - clock();
    __nanosleep(100);
    if (x[7] == 0) __trap();
}
int main()
{
}
