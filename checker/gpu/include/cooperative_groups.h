/*
 * cooperative_groups.h: groups of threads as values, made of the same barriers, shuffles and votes
 * as __syncthreads() and similar functions. Known are blocks, tiles of up to a warp, coalesced
 * lanes, the grid, and clusters.
 */
#ifndef WARPUP_COOPERATIVE_GROUPS_H
#define WARPUP_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

#define WARPUP_MEMBER __device__ WARPUP_HIDDEN

/* Functions of the GPU's process: the grid waits for itself; was the launch cooperative? */
extern "C" __device__ void __warpup_grid_sync();
extern "C" __device__ int __warpup_grid_is_cooperative();

namespace cooperative_groups
{

namespace details
{
/* Threads of the block, and this one's place among them, x fastest */
WARPUP_DEVICE unsigned int block_size() { return blockDim.x * blockDim.y * blockDim.z; }
WARPUP_DEVICE unsigned int block_rank()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
WARPUP_DEVICE unsigned int lane() { return __nvvm_read_ptx_sreg_laneid(); }
/* The lanes of this thread's tile of `size` */
WARPUP_DEVICE unsigned int tile_mask(unsigned int size)
{
    return size >= 32 ? 0xffffffff : ((1u << size) - 1) << (lane() & ~(size - 1));
}
/* The lane that is `rank` places after the lowest of the mask */
WARPUP_DEVICE unsigned int lane_of_rank(unsigned int mask, unsigned int rank)
{
    for (; rank > 0; rank--)
        mask &= mask - 1;
    return mask == 0 ? lane() : (unsigned int)__builtin_ctz(mask);
}
/* A bit for each lane becomes one for each rank. */
WARPUP_DEVICE unsigned int by_rank(unsigned int lanes, unsigned int mask)
{
    unsigned int result = 0, rank = 0;
    for (unsigned int left = lanes; left != 0; left &= left - 1)
        result |= (mask >> __builtin_ctz(left) & 1) << rank++;
    return result;
}

/* A value of any type is shuffled word by word. */
template <bool plain> struct shuffler;
#define WARPUP_SHUFFLED(name, By)                                                                  \
    template <class T>                                                                             \
    static WARPUP_MEMBER T name(unsigned int mask, const T &value, By by, int width)               \
    {                                                                                              \
        return WARPUP_PLAIN(__##name##_sync(mask, value, by, width));                              \
    }
template <> struct shuffler<true> {
#define WARPUP_PLAIN(call) call
    WARPUP_SHUFFLED(shfl, int)
    WARPUP_SHUFFLED(shfl_up, unsigned int)
    WARPUP_SHUFFLED(shfl_down, unsigned int)
    WARPUP_SHUFFLED(shfl_xor, int)
#undef WARPUP_PLAIN
};
#undef WARPUP_SHUFFLED
#define WARPUP_SHUFFLED(name, By)                                                                  \
    template <class T>                                                                             \
    static WARPUP_MEMBER T name(unsigned int mask, const T &value, By by, int width)               \
    {                                                                                              \
        static_assert(sizeof(T) <= 32, "only types of up to 32 bytes can be shuffled");            \
        unsigned int words[(sizeof(T) + 3) / 4];                                                   \
        words[(sizeof(T) + 3) / 4 - 1] = 0;                                                        \
        __builtin_memcpy(words, &value, sizeof(T));                                                \
        _Pragma("unroll") for (unsigned int i = 0; i < (sizeof(T) + 3) / 4; i++) words[i] =        \
            __##name##_sync(mask, words[i], by, width);                                            \
        T result;                                                                                  \
        __builtin_memcpy((void *)&result, words, sizeof(T));                                       \
        return result;                                                                             \
    }
template <> struct shuffler<false> {
    WARPUP_SHUFFLED(shfl, int)
    WARPUP_SHUFFLED(shfl_up, unsigned int)
    WARPUP_SHUFFLED(shfl_down, unsigned int)
    WARPUP_SHUFFLED(shfl_xor, int)
};
#undef WARPUP_SHUFFLED
template <class T> using shuffles = shuffler<::warpup::kind<T>::number && sizeof(T) >= 4>;
} // namespace details

class coalesced_group;

/* Any group: the block, or those lanes of a warp */
class thread_group
{
  public:
    WARPUP_MEMBER unsigned int num_threads() const
    {
        return lanes == 0 ? details::block_size() : (unsigned int)__builtin_popcount(lanes);
    }
    WARPUP_MEMBER unsigned int size() const { return num_threads(); }
    WARPUP_MEMBER unsigned int thread_rank() const
    {
        unsigned int below = (1u << details::lane()) - 1;
        return lanes == 0 ? details::block_rank() : (unsigned int)__builtin_popcount(lanes & below);
    }
    WARPUP_MEMBER void sync() const
    {
        if (lanes == 0)
            __syncthreads();
        else
            __syncwarp(lanes);
    }

  protected:
    WARPUP_MEMBER explicit thread_group(unsigned int mask) : lanes(mask) {}
    unsigned int lanes; /* 0: the block */

    friend __device__ thread_group tiled_partition(const thread_group &group, unsigned int size);
    template <class Group> friend __device__ unsigned int mask_of(const Group &group);
};

/* The group of all threads of a block */
class thread_block : public thread_group
{
  public:
    WARPUP_MEMBER thread_block() : thread_group(0) {}
    struct arrival_token {
    };
    static WARPUP_MEMBER void sync() { __syncthreads(); }
    static WARPUP_MEMBER unsigned int num_threads() { return details::block_size(); }
    static WARPUP_MEMBER unsigned int size() { return details::block_size(); }
    static WARPUP_MEMBER unsigned int thread_rank() { return details::block_rank(); }
    static WARPUP_MEMBER dim3 group_index() { return blockIdx; }
    static WARPUP_MEMBER dim3 thread_index() { return threadIdx; }
    static WARPUP_MEMBER dim3 dim_threads() { return blockDim; }
    static WARPUP_MEMBER dim3 group_dim() { return blockDim; }
};

/* Votes and matches of lanes of a warp. `Self` has their mask(), and makes ranks() of lanes. */
template <class Self> class lane_group : public thread_group
{
  public:
    WARPUP_MEMBER int any(int predicate) const { return yes(predicate) != 0; }
    WARPUP_MEMBER int all(int predicate) const { return yes(predicate) == self().mask(); }
    WARPUP_MEMBER unsigned int ballot(int predicate) const
    {
        return self().ranks(__ballot_sync(self().mask(), predicate));
    }
    template <class T> WARPUP_MEMBER unsigned int match_any(T value) const
    {
        return self().ranks(__match_any_sync(self().mask(), value));
    }
    template <class T> WARPUP_MEMBER unsigned int match_all(T value, int &all) const
    {
        return self().ranks(__match_all_sync(self().mask(), value, &all));
    }
    WARPUP_MEMBER unsigned int meta_group_rank() const { return rank_in_parent; }
    WARPUP_MEMBER unsigned int meta_group_size() const { return groups_of_parent; }

  protected:
    WARPUP_MEMBER lane_group(unsigned int mask, unsigned int rank, unsigned int groups)
        : thread_group(mask), rank_in_parent(rank), groups_of_parent(groups)
    {
    }
    unsigned int rank_in_parent, groups_of_parent;

  private:
    WARPUP_MEMBER const Self &self() const { return *static_cast<const Self *>(this); }
    WARPUP_MEMBER unsigned int yes(int predicate) const
    {
        return __ballot_sync(self().mask(), predicate) & self().mask();
    }
};

/* `count` lanes of a warp, a power of two of them. Its meta group are the tiles that its parent, a
 * block or a larger tile, was partitioned into. */
template <unsigned int count, class Parent = void> class thread_block_tile;

template <unsigned int count>
class thread_block_tile<count, void> : public lane_group<thread_block_tile<count, void>>
{
    static_assert(count <= 32, "the simulated GPU does not know tiles of more than 32 threads");
    static_assert((count & (count - 1)) == 0 && count > 0, "a tile is a power of two of threads");

  public:
    static constexpr __host__ WARPUP_MEMBER unsigned int num_threads() { return count; }
    static constexpr __host__ WARPUP_MEMBER unsigned int size() { return count; }
    WARPUP_MEMBER unsigned int thread_rank() const { return details::lane() & (count - 1); }
    WARPUP_MEMBER void sync() const { __syncwarp(mask()); }
    template <class T> WARPUP_MEMBER T shfl(T value, int rank) const
    {
        return details::shuffles<T>::shfl(mask(), value, rank, count);
    }
    template <class T> WARPUP_MEMBER T shfl_up(T value, unsigned int by) const
    {
        return details::shuffles<T>::shfl_up(mask(), value, by, count);
    }
    template <class T> WARPUP_MEMBER T shfl_down(T value, unsigned int by) const
    {
        return details::shuffles<T>::shfl_down(mask(), value, by, count);
    }
    template <class T> WARPUP_MEMBER T shfl_xor(T value, unsigned int with) const
    {
        return details::shuffles<T>::shfl_xor(mask(), value, (int)with, count);
    }

  protected:
    WARPUP_MEMBER thread_block_tile(unsigned int rank, unsigned int tiles)
        : group(details::tile_mask(count), rank, tiles)
    {
    }

  private:
    typedef lane_group<thread_block_tile<count, void>> group;
    friend group;
    WARPUP_MEMBER unsigned int mask() const { return count == 32 ? 0xffffffff : this->lanes; }
    WARPUP_MEMBER unsigned int ranks(unsigned int these) const
    {
        return count == 32 ? these
                           : these >> (details::lane() & ~(count - 1)) & ((1u << (count & 31)) - 1);
    }
};

template <unsigned int count, class Parent>
class thread_block_tile : public thread_block_tile<count, void>
{
  public:
    explicit WARPUP_MEMBER thread_block_tile(const Parent &parent)
        : thread_block_tile<count, void>(parent.thread_rank() / count,
                                         (parent.num_threads() + count - 1) / count)
    {
    }
};

/* The lanes that came to this place together */
class coalesced_group : public lane_group<coalesced_group>
{
  public:
    WARPUP_MEMBER unsigned int num_threads() const
    {
        return (unsigned int)__builtin_popcount(lanes);
    }
    WARPUP_MEMBER unsigned int size() const { return num_threads(); }
    WARPUP_MEMBER unsigned int thread_rank() const
    {
        return (unsigned int)__builtin_popcount(lanes & ((1u << details::lane()) - 1));
    }
    WARPUP_MEMBER void sync() const { __syncwarp(lanes); }
    template <class T> WARPUP_MEMBER T shfl(T value, unsigned int rank) const
    {
        return details::shuffles<T>::shfl(lanes, value, (int)details::lane_of_rank(lanes, rank),
                                          32);
    }
    template <class T> WARPUP_MEMBER T shfl_up(T value, unsigned int by) const
    {
        unsigned int rank = thread_rank();
        return shfl(value, rank < by ? rank : rank - by);
    }
    template <class T> WARPUP_MEMBER T shfl_down(T value, unsigned int by) const
    {
        unsigned int rank = thread_rank();
        return shfl(value, rank + by < num_threads() ? rank + by : rank);
    }

  private:
    WARPUP_MEMBER explicit coalesced_group(unsigned int mask, unsigned int rank = 0,
                                           unsigned int groups = 1)
        : lane_group(mask, rank, groups)
    {
    }
    friend lane_group<coalesced_group>;
    WARPUP_MEMBER unsigned int mask() const { return lanes; }
    WARPUP_MEMBER unsigned int ranks(unsigned int these) const
    {
        return details::by_rank(lanes, these);
    }

    friend __device__ coalesced_group coalesced_threads();
    template <class Group>
    friend __device__ coalesced_group binary_partition(const Group &group, bool side);
    template <class Group, class Label>
    friend __device__ coalesced_group labeled_partition(const Group &group, Label label);
};

class grid_group
{
  public:
    static WARPUP_MEMBER unsigned long long block_rank()
    {
        return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    }
    static WARPUP_MEMBER unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static WARPUP_MEMBER dim3 block_index() { return blockIdx; }
    static WARPUP_MEMBER dim3 dim_blocks() { return gridDim; }
    static WARPUP_MEMBER dim3 group_dim() { return gridDim; }
    static WARPUP_MEMBER dim3 dim_threads()
    {
        return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
    }
    /* May it wait for itself? Only after a cooperative launch. */
    static WARPUP_MEMBER bool is_valid() { return __warpup_grid_is_cooperative() != 0; }
    static WARPUP_MEMBER unsigned long long thread_rank()
    {
        return block_rank() * details::block_size() + details::block_rank();
    }
    static WARPUP_MEMBER unsigned long long num_threads()
    {
        return num_blocks() * details::block_size();
    }
    static WARPUP_MEMBER unsigned long long size() { return num_threads(); }
    static WARPUP_MEMBER void sync() { __warpup_grid_sync(); }
};

/* Blocks that run together and see each other's shared memory (compute capability 9.0) */
class cluster_group
{
  public:
    static WARPUP_MEMBER void barrier_arrive()
    {
        asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
    }
    static WARPUP_MEMBER void barrier_wait()
    {
        asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
    }
    static WARPUP_MEMBER void sync()
    {
        barrier_arrive();
        barrier_wait();
    }
    static WARPUP_MEMBER unsigned int block_rank()
    {
        unsigned int rank;
        asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
        return rank;
    }
    static WARPUP_MEMBER unsigned int num_blocks()
    {
        unsigned int count;
        asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(count));
        return count;
    }
    static WARPUP_MEMBER unsigned int thread_rank()
    {
        return block_rank() * details::block_size() + details::block_rank();
    }
    static WARPUP_MEMBER unsigned int num_threads() { return num_blocks() * details::block_size(); }
    static WARPUP_MEMBER unsigned int size() { return num_threads(); }
    template <class T> static WARPUP_MEMBER T *map_shared_rank(T *at, int rank)
    {
        T *there;
        asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(at), "r"(rank));
        return there;
    }
};

WARPUP_DEVICE thread_block this_thread_block() { return thread_block(); }
WARPUP_DEVICE grid_group this_grid() { return grid_group(); }
WARPUP_DEVICE cluster_group this_cluster() { return cluster_group(); }
WARPUP_MEMBER coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

/* The lanes of a group that is not a block */
template <class Group> WARPUP_MEMBER unsigned int mask_of(const Group &group)
{
    return group.lanes;
}
template <unsigned int count, class Group>
WARPUP_DEVICE thread_block_tile<count, Group> tiled_partition(const Group &group)
{
    return thread_block_tile<count, Group>(group);
}
WARPUP_MEMBER thread_group tiled_partition(const thread_group &group, unsigned int size)
{
    return thread_group(group.lanes == 0 ? details::tile_mask(size)
                                         : group.lanes & details::tile_mask(size));
}
/* The threads on the same side, or with the same label */
template <class Group> WARPUP_MEMBER coalesced_group binary_partition(const Group &group, bool side)
{
    unsigned int all = mask_of(group), yes = __ballot_sync(all, side) & all;
    return side ? coalesced_group(yes, 1, 2) : coalesced_group(all & ~yes, 0, 2);
}
template <class Group, class Label>
WARPUP_MEMBER coalesced_group labeled_partition(const Group &group, Label label)
{
    unsigned int mine = __match_any_sync(mask_of(group), label),
                 below = (1u << details::lane()) - 1;
    unsigned int leaders = __ballot_sync(mask_of(group), (mine & below) == 0);
    unsigned int first = 1u << (__builtin_ctz(mine) & 31);
    return coalesced_group(mine, __builtin_popcount(leaders & (first - 1)),
                           __builtin_popcount(leaders));
}

template <class Group> WARPUP_DEVICE void sync(const Group &group) { group.sync(); }
template <class Group> WARPUP_DEVICE unsigned int thread_rank(const Group &group)
{
    return (unsigned int)group.thread_rank();
}
template <class Group> WARPUP_DEVICE unsigned int group_size(const Group &group)
{
    return (unsigned int)group.num_threads();
}
/* One thread of the group does it. */
template <class Group, class F, class... T>
WARPUP_DEVICE void invoke_one(const Group &group, F &&f, T &&...arguments)
{
    if (group.thread_rank() == 0) f(static_cast<T &&>(arguments)...);
}

} // namespace cooperative_groups

#undef WARPUP_MEMBER

#endif
