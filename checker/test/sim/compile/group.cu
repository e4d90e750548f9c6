#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void k(int *x) { x[0] = (int)sizeof(cg::tile_partition<32>(cg::this_thread_block())); }

int main()
{
    k<<<1, 1>>>(nullptr);
}
