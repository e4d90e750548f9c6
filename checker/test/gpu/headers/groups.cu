// Cooperative groups.
// O3: shfl\.sync\.bfly\.b32
// both: redux\.sync\.add\.s32
// both: \b__warpup_grid_sync\b
// both: mov\.u32.*%laneid
// both: cp\.async\.cg\.shared\.global .*, 16
// both: cp\.async\.wait_group 0
// both: barrier\.cluster\.arrive
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__device__ int sum(cg::thread_group group, int *x, int value)
{
    for (int i = (int)group.size() / 2; i > 0; i /= 2) {
        x[group.thread_rank()] = value;
        group.sync();
        if ((int)group.thread_rank() < i) value += x[group.thread_rank() + i];
        group.sync();
    }
    return value;
}
__global__ void groups(int *p, float *f, float4 *q, short *s)
{
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto tile = cg::tiled_partition<8>(warp);
    p[0] = cg::reduce(warp, p[1], cg::plus<int>());
    f[0] = cg::reduce(tile, f[1], cg::plus<float>());
    f[2] = cg::reduce(warp, f[3], [](float a, float b) { return a + b; });
    q[1] = warp.shfl_down(q[2], 1);
    s[0] = warp.shfl_xor(s[1], 1);
    p[5] = cg::inclusive_scan(tile, p[6]) + tile.meta_group_rank() + tile.ballot(p[7]);
    if (p[7]) {
        auto here = cg::coalesced_threads();
        if (here.thread_rank() == 0) atomicAdd(p, here.size());
        p[9] = here.shfl(3, 0);
        cg::labeled_partition(here, p[3]).sync();
    }
    cg::this_grid().sync();
    p[10] = block.thread_rank() + block.group_index().x + cg::this_grid().thread_rank();
    __shared__ float shared[256];
    __shared__ int words[64];
    cg::memcpy_async(block, shared, f, cuda::aligned_size_t<16>(1024));
    cg::wait(block);
    f[9] = shared[255 - threadIdx.x];
    p[11] = sum(block, words, 3) + sum(cg::tiled_partition(block, 16), words, 3);
}
__global__ void clusters(int *p)
{
    auto cluster = cg::this_cluster();
    p[0] = cluster.block_rank();
    cluster.sync();
}
int main()
{
}
