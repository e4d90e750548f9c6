/* groups.cu: cooperative groups, as far as the simulated GPU knows them. Each kernel writes one
 * word a thread; what it must be is worked out on the host. */
#include "expect.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

enum { THREADS = 96 };

__global__ void block_of(unsigned *out)
{
    cg::thread_block block = cg::this_thread_block();
    __shared__ unsigned ranks[THREADS];
    ranks[block.thread_rank()] = block.thread_rank() + block.thread_index().x - threadIdx.x;
    block.sync();
    out[cg::this_grid().thread_rank()] =
        ranks[block.size() - 1 - block.thread_rank()] + 1000 * block.group_index().x;
}

__device__ unsigned sum_of(cg::thread_group group, unsigned *shared, unsigned value)
{
    unsigned rank = group.thread_rank();
    for (unsigned i = group.size() / 2; i > 0; i /= 2) {
        shared[rank] = value;
        group.sync();
        if (rank < i) value += shared[rank + i];
        group.sync();
    }
    return value;
}

__global__ void tiles(unsigned *out)
{
    __shared__ unsigned shared[THREADS];
    auto block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    auto eight = cg::tiled_partition<8>(warp);
    unsigned me = block.thread_rank(), sum = me;
    for (unsigned i = eight.size() / 2; i > 0; i /= 2)
        sum += eight.shfl_down(sum, i);
    sum = eight.shfl(sum, 0);
    unsigned largest = cg::reduce(warp, me, cg::greater<unsigned>());
    unsigned votes = eight.ballot(me % 2) + warp.any(me == 95) + warp.all(me < 64);
    cg::thread_group sixteen = cg::tiled_partition(block, 16);
    unsigned first = sum_of(sixteen, shared + me / 16 * 16, me);
    if (sixteen.thread_rank() == 0) sum += first << 16;
    out[me] = sum + (largest << 8) + votes + (eight.meta_group_rank() == me % 32 / 8) +
              (eight.meta_group_size() == 4) + (warp.meta_group_rank() == me / 32);
}

__global__ void together(unsigned *out)
{
    unsigned me = threadIdx.x, told = 0;
    if (me % 3 == 0) {
        cg::coalesced_group some = cg::coalesced_threads();
        told = some.shfl(me, 1) + 100 * some.thread_rank() + 10000 * some.size();
        told += cg::reduce(some, 1u, cg::plus<unsigned>());
    }
    out[me] = told;
}

/* Functions that fewer programs call; every thread's answers are right, or its word tells which are
 * not. */
__global__ void rarer(unsigned *out)
{
    unsigned me = threadIdx.x, wrong = 0, lane = me % 32;
    cg::grid_group grid = cg::this_grid();
    dim3 at = grid.block_index(), blocks = grid.dim_blocks();
    wrong |= at.x != blockIdx.x || blocks.x != gridDim.x || grid.dim_threads().x != 2 * THREADS;
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    float2 next = warp.shfl_down(make_float2(me, 2 * me), 1);
    wrong |= (lane < 31 && (next.x != me + 1 || next.y != 2 * me + 2)) << 1;
    int all;
    wrong |= (warp.match_all(me / 32, all) != ~0u || !all) << 2;
    if (me % 2 == 1) {
        cg::coalesced_group odd = cg::coalesced_threads();
        wrong |= (odd.ballot(lane < 16) != 0xff || odd.match_any(lane % 4) % 4 - 1 != lane / 2 % 2)
                 << 3;
        wrong |= (odd.shfl(make_float2(me, 5), 0).x != me - lane + 1) << 4;
    }
    out[grid.thread_rank()] = wrong;
}

static unsigned expected_tiles(unsigned i)
{
    unsigned eight = i / 8 * 8, sum = 8 * eight + 28, sixteen = 16 * i + 120;
    if (i % 16 == 0) sum += sixteen << 16;
    return sum + ((i / 32 * 32 + 31) << 8) + 0xaa + (i >= 64) + (i < 64) + 3;
}

static unsigned expected_together(unsigned i)
{
    unsigned warp = i / 32 * 32, first = (warp + 2) / 3 * 3, size = (warp + 31 - first) / 3 + 1;
    return i % 3 != 0 ? 0 : first + 3 + 100 * ((i - first) / 3) + 10000 * size + size;
}

int main(void)
{
    unsigned *out, host[2 * THREADS];
    cudaMalloc(&out, sizeof host);
    block_of<<<2, dim3(32, 3)>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (unsigned i = 0; i < 2 * THREADS; i++)
        EXPECT(host[i] == THREADS - 1 - i % THREADS + 1000 * (i / THREADS));
    tiles<<<1, THREADS>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (unsigned i = 0; i < THREADS; i++)
        EXPECT(host[i] == expected_tiles(i));
    together<<<1, THREADS>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (unsigned i = 0; i < THREADS; i++)
        EXPECT(host[i] == expected_together(i));
    rarer<<<2, THREADS>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (unsigned i = 0; i < 2 * THREADS; i++)
        EXPECT(host[i] == 0);
    cudaFree(out);
    return expect_result();
}
